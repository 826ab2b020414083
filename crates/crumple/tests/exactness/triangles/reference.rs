//! The same questions answered on whole numbers by separating directions.
//!
//! Two disjoint closed triangles (or segments, or points) a and b leave 0 outside the polytope a − b, whose edges run
//! along the edges of a and b. Some direction then separates them strictly, and one of these does, by the dimension of
//! a − b:
//!
//! | dimension | a facet of it, or its normal if 0 lies outside its plane or line |
//! |---|---|
//! | 3 | the product of two edges: face normals, and an edge of a with one of b |
//! | 2 | its normal, a product of two edges; within its plane, the product of that normal and an edge |
//! | 1 | within its line, an edge; outside, what of a point's place is square to the edge |
//! | 0 | the place of its one point |
//!
//! All of them are tried on all input: a direction that separates proves its point whatever the dimension.
//! With |coordinates| ≤ 2^k the largest number on the way is below 2^(4k + 10).

use std::ops::{Add, Mul, Sub};

/// Whole numbers wide enough for the input at hand.
pub(crate) trait Whole:
    Clone + Ord + From<i32> + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self>
{
}

impl<N> Whole for N where N: Clone + Ord + From<i32> + Add<Output = N> + Sub<Output = N> + Mul<Output = N> {}

pub(crate) type Point<N> = [N; 3];
pub(crate) type Corners<N> = [Point<N>; 3];

/// Whether two closed triangles, which may be segments or points, share a point.
pub(crate) fn share_a_point<N: Whole>(a: &Corners<N>, b: &Corners<N>) -> bool {
    let (a, b) = (about(&a[0], a), about(&a[0], b));
    !has_separating_direction(&a, &b)
}

/// Whether the corners lie on one line.
pub(crate) fn has_no_area<N: Whole>(t: &Corners<N>) -> bool {
    is_zero(&normal(t))
}

/// Whether two triangles with area lie in one plane and their overlap has area too.
pub(crate) fn overlap_has_area<N: Whole>(a: &Corners<N>, b: &Corners<N>) -> bool {
    let n = normal(a);
    let in_plane = b.iter().all(|corner| is_zero(&[dot(&n, &minus(corner, &a[0])), zero(), zero()]));
    // Triangles that touch without overlapping lie on either side of a line along one of their edges.
    let apart = |edge: &Point<N>| {
        let across = cross(&n, edge);
        let ((low_a, high_a), (low_b, high_b)) = (reach(&across, a), reach(&across, b));
        high_a <= low_b || high_b <= low_a
    };
    in_plane && !edges(a).iter().chain(&edges(b)).any(apart)
}

fn has_separating_direction<N: Whole>(a: &Corners<N>, b: &Corners<N>) -> bool {
    let separates = |direction: &Point<N>| {
        let ((low_a, high_a), (low_b, high_b)) = (reach(direction, a), reach(direction, b));
        high_a < low_b || high_b < low_a
    };
    // The coordinate axes are not needed; they end most calls early.
    let axes: [Point<N>; 3] = std::array::from_fn(|i| std::array::from_fn(|k| i32::from(i == k).into()));
    if axes.iter().any(separates) {
        return true;
    }
    let [e0, e1, e2] = edges(a);
    let [f0, f1, f2] = edges(b);
    let edges = [e0, e1, e2, f0, f1, f2];
    let mut plane = None;
    for i in 0..6 {
        for j in i + 1..6 {
            let product = cross(&edges[i], &edges[j]);
            if separates(&product) {
                return true;
            }
            // In dimension 2 all products are parallel, so any of them that is not zero will do.
            if plane.is_none() && !is_zero(&product) {
                plane = Some(product);
            }
        }
    }
    let place = minus(&a[0], &b[0]);
    let square_to = |edge: &Point<N>| cross(edge, &cross(&place, edge));
    edges.iter().any(|edge| {
        plane.as_ref().is_some_and(|n| separates(&cross(n, edge))) || separates(edge) || separates(&square_to(edge))
    }) || separates(&place)
}

/// The least and the greatest of the corners along a direction.
fn reach<N: Whole>(direction: &Point<N>, t: &Corners<N>) -> (N, N) {
    let [x, y, z] = [0, 1, 2].map(|i| dot(direction, &t[i]));
    (x.clone().min(y.clone()).min(z.clone()), x.max(y).max(z))
}

fn about<N: Whole>(origin: &Point<N>, t: &Corners<N>) -> Corners<N> {
    [0, 1, 2].map(|i| minus(&t[i], origin))
}

fn edges<N: Whole>(t: &Corners<N>) -> [Point<N>; 3] {
    [minus(&t[1], &t[0]), minus(&t[2], &t[1]), minus(&t[0], &t[2])]
}

pub(crate) fn normal<N: Whole>(t: &Corners<N>) -> Point<N> {
    cross(&minus(&t[1], &t[0]), &minus(&t[2], &t[0]))
}

pub(crate) fn minus<N: Whole>(p: &Point<N>, q: &Point<N>) -> Point<N> {
    std::array::from_fn(|i| p[i].clone() - q[i].clone())
}

pub(crate) fn cross<N: Whole>(u: &Point<N>, v: &Point<N>) -> Point<N> {
    std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        u[j].clone() * v[k].clone() - u[k].clone() * v[j].clone()
    })
}

pub(crate) fn dot<N: Whole>(u: &Point<N>, v: &Point<N>) -> N {
    let [x, y, z] = [0, 1, 2].map(|i| u[i].clone() * v[i].clone());
    x + y + z
}

pub(crate) fn is_zero<N: Whole>(u: &Point<N>) -> bool {
    u.iter().all(|x| *x == zero())
}

fn zero<N: Whole>() -> N {
    0.into()
}
