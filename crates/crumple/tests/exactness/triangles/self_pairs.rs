//! The rule for two triangles of one mesh, written again for whole numbers.

use crate::counts::drawn;
use crumple::Triangle;
use crumple::exact::{SharedVertices, self_pair_meets};

use super::cases::{ORDERS, Units, near_pair};
use super::reference::{self, Corners, Point, Whole};
use crumple_scenes::Random;

/// A triangle of a mesh: the numbers of its vertices and where they are.
#[derive(Clone, Debug)]
pub(super) struct Placed<N> {
    pub(super) vertices: [u32; 3],
    pub(super) corners: Corners<N>,
}

/// The rule of `exact::self_pair`: shared means one vertex in one place.
pub(super) fn collide<N: Whole>(a: &Placed<N>, b: &Placed<N>) -> bool {
    if reference::has_no_area(&a.corners) || reference::has_no_area(&b.corners) {
        return false;
    }
    let is_shared = |i: usize, j: usize| a.vertices[i] == b.vertices[j] && a.corners[i] == b.corners[j];
    let shared: Vec<(usize, usize)> =
        (0..3).flat_map(|i| (0..3).map(move |j| (i, j))).filter(|&(i, j)| is_shared(i, j)).collect();
    match shared[..] {
        [] => reference::share_a_point(&a.corners, &b.corners),
        [(i, j)] => {
            reference::share_a_point(&opposite(&a.corners, i), &b.corners)
                || reference::share_a_point(&opposite(&b.corners, j), &a.corners)
        }
        [_, _] => reference::overlap_has_area(&a.corners, &b.corners),
        _ => true,
    }
}

fn opposite<N: Whole>(t: &Corners<N>, corner: usize) -> Corners<N> {
    let [from, to] = [1, 2].map(|step| t[(corner + step) % 3].clone());
    [from.clone(), to, from]
}

fn answer<N: Whole + Copy + Into<i128>>(a: &Placed<N>, b: &Placed<N>, units: Units) -> bool {
    let [triangle_a, triangle_b] = [a, b].map(|t| units.triangle(&t.corners));
    let mut answers = ORDERS.iter().flat_map(|p| ORDERS.iter().map(move |q| (p, q))).map(|(p, q)| {
        let (a_turned, b_turned) = (Triangle(p.map(|i| triangle_a.0[i])), Triangle(q.map(|i| triangle_b.0[i])));
        let (a_vertices, b_vertices) = (p.map(|i| a.vertices[i]), q.map(|i| b.vertices[i]));
        let shared = SharedVertices::between(&a_turned.0, a_vertices, &b_turned.0, b_vertices);
        let turned_over = SharedVertices::between(&b_turned.0, b_vertices, &a_turned.0, a_vertices);
        let answer = self_pair_meets(&a_turned, &b_turned, shared);
        assert_eq!(self_pair_meets(&b_turned, &a_turned, turned_over), answer, "{a_turned:?} {b_turned:?}");
        answer
    });
    let first = answers.next().unwrap();
    assert!(answers.all(|other| other == first), "{triangle_a:?} {triangle_b:?}");
    first
}

/// Two triangles of a mesh of six vertices on a small grid; two vertices may lie in one place.
fn grid_pair(random: &mut Random) -> [Placed<i64>; 2] {
    let side = random.integer(1, 4);
    let flat = random.once_in(2);
    let positions: [Point<i64>; 6] = std::array::from_fn(|_| {
        let [x, y, z] = [0; 3].map(|_| random.integer(0, side));
        if flat { [x, y, x - y] } else { [x, y, z] }
    });
    [0, 1].map(|_| {
        let vertices = [0; 3].map(|_| random.below(6) as u32);
        Placed { vertices, corners: vertices.map(|vertex| positions[vertex as usize]) }
    })
}

#[test]
fn neighbours_collide_where_the_rule_on_whole_numbers_says_so() {
    let mut random = Random::new(30);
    let mut colliding = [0; 4];
    let count = drawn(100_000);
    for case in 0..count {
        let [a, b] = grid_pair(&mut random);
        let truth = collide(&a, &b);
        assert_eq!(answer(&a, &b, Units::ONE), truth, "case {case}: {a:?} {b:?}");
        if truth {
            colliding[a.vertices.iter().filter(|vertex| b.vertices.contains(vertex)).count()] += 1;
        }
    }
    assert!(colliding.iter().all(|&times| times > 3 * count / 1000), "collisions by shared vertices: {colliding:?}");
}

#[test]
fn neighbours_that_are_almost_flat_are_decided_right() {
    let mut random = Random::new(31);
    let count = drawn(50_000);
    for case in 0..count {
        let (a, mut b, units) = near_pair(&mut random);
        let shared = random.below(4) as usize;
        b[..shared].copy_from_slice(&a[..shared]);
        let vertices_b = std::array::from_fn(|i| if i < shared { i as u32 } else { 3 + i as u32 });
        let (a, b) = (Placed { vertices: [0, 1, 2], corners: a }, Placed { vertices: vertices_b, corners: b });
        assert_eq!(answer(&a, &b, units), collide(&a, &b), "case {case}: {a:?} {b:?}");
    }
}

#[test]
fn a_weld_that_the_motion_has_torn_open_joins_nothing() {
    let mut random = Random::new(32);
    let count = drawn(50_000);
    for case in 0..count {
        let [a, mut b] = grid_pair(&mut random);
        // The same vertex numbers, moved apart.
        let torn = random.below(3) as usize;
        b.corners[torn] = b.corners[torn].map(|x| x + random.integer(-1, 1));
        assert_eq!(answer(&a, &b, Units::ONE), collide(&a, &b), "case {case}: {a:?} {b:?}");
    }
}

#[test]
fn vertices_in_one_place_are_shared_only_if_they_are_one() {
    let corners = [[0, 0, 0], [2, 0, 0], [0, 2, 0]];
    let folded = [[0, 0, 0], [2, 0, 0], [0, 0, 2]];
    let a = Placed { vertices: [0, 1, 2], corners };
    // Over a shared edge they are neighbours; with vertices of their own they touch along it.
    assert!(!answer(&a, &Placed { vertices: [0, 1, 3], corners: folded }, Units::ONE));
    assert!(answer(&a, &Placed { vertices: [4, 5, 3], corners: folded }, Units::ONE));
    assert!(answer(&a, &Placed { vertices: [0, 5, 3], corners: folded }, Units::ONE));
}
