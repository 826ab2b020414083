//! The distances of features and the certificate of a distance, against exact arithmetic on whole numbers.

use crumple::distance::{edge_edge_distance, vertex_face_distance};
use crumple::exact::triangles_meet;
use crumple::{Body, Mesh, Triangle};
use crumple_scenes::Random;

type Point = [i128; 3];

fn minus(p: Point, q: Point) -> Point {
    std::array::from_fn(|axis| p[axis] - q[axis])
}

fn dot(p: Point, q: Point) -> i128 {
    (0..3).map(|axis| p[axis] * q[axis]).sum()
}

fn cross(p: Point, q: Point) -> Point {
    [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
}

/// A square of a distance as a fraction.
#[derive(Clone, Copy, Debug)]
struct Fraction {
    over: i128,
    under: i128,
}

impl Fraction {
    fn least(self, other: Self) -> Self {
        if other.over * self.under < self.over * other.under { other } else { self }
    }

    /// Rounded three times.
    fn value(self) -> f64 {
        self.over as f64 / self.under as f64
    }
}

fn point_segment(v: Point, [p, q]: [Point; 2]) -> Fraction {
    let (e, g) = (minus(q, p), minus(v, p));
    let (along, length) = (dot(e, g), dot(e, e));
    if along <= 0 {
        Fraction { over: dot(g, g), under: 1 }
    } else if along >= length {
        Fraction { over: dot(minus(v, q), minus(v, q)), under: 1 }
    } else {
        Fraction { over: dot(g, g) * length - along * along, under: length }
    }
}

fn vertex_face([v, p, q, r]: [Point; 4]) -> Fraction {
    let (e, f, g) = (minus(q, p), minus(r, p), minus(v, p));
    let normal = cross(e, f);
    let (first, second, square) = (dot(normal, cross(g, f)), dot(normal, cross(e, g)), dot(normal, normal));
    let border = point_segment(v, [p, q]).least(point_segment(v, [q, r])).least(point_segment(v, [r, p]));
    if square > 0 && first >= 0 && second >= 0 && first + second <= square {
        let height = dot(normal, g);
        return border.least(Fraction { over: height * height, under: square });
    }
    border
}

fn edge_edge([p, q, r, s]: [Point; 4]) -> Fraction {
    let (d, e, w) = (minus(q, p), minus(s, r), minus(r, p));
    let normal = cross(d, e);
    let (first, second, square) = (dot(cross(w, e), normal), dot(cross(w, d), normal), dot(normal, normal));
    let ends = point_segment(p, [r, s])
        .least(point_segment(q, [r, s]))
        .least(point_segment(r, [p, q]))
        .least(point_segment(s, [p, q]));
    if square > 0 && (0..=square).contains(&first) && (0..=square).contains(&second) {
        let height = dot(normal, w);
        return ends.least(Fraction { over: height * height, under: square });
    }
    ends
}

fn point(random: &mut Random, side: i64) -> Point {
    [0; 3].map(|_: i32| i128::from(random.integer(-side, side)))
}

/// Four points, or needles: three of them almost in a row.
fn points(random: &mut Random, side: i64) -> [Point; 4] {
    let mut points = [0; 4].map(|_: i32| point(random, side));
    if random.once_in(3) {
        let k = i128::from(random.integer(-4, 4));
        points[3] = std::array::from_fn(|axis| points[1][axis] + k * (points[2][axis] - points[1][axis]));
        points[3][0] += i128::from(random.integer(-1, 1));
    }
    points
}

#[test]
fn features_are_as_far_apart_as_exact_arithmetic_says() {
    let mut random = Random::new(5);
    let (mut touching, mut apart) = (0, 0);
    for round in 0..60_000 {
        let side = [1, 3, 10, 100][round % 4];
        let points = points(&mut random, side);
        let wide = points.map(|point| point.map(|x| x as f64));
        let extent = wide.as_flattened().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        for (found, exact) in [
            (vertex_face_distance(&wide), vertex_face(points).value()),
            (edge_edge_distance(&wide), edge_edge(points).value()),
        ] {
            // Of a distance that is much smaller than the features only so many digits can be right.
            let error = (found.distance() - exact.sqrt()).abs();
            assert!(error <= 1e-13 * exact.sqrt() + 1e-15 * extent, "{points:?}: {found:?}, but {}", exact.sqrt());
            touching += usize::from(exact == 0.0);
            apart += usize::from(exact > 0.0);
            let squared: f64 = found.vector.iter().map(|x| x * x).sum();
            assert!((squared - found.squared).abs() <= 1e-15 * squared);
        }
    }
    assert!(touching > 1000 && apart > 50_000, "{touching} {apart}");
}

#[test]
fn the_bounds_of_a_distance_hold_the_exact_one_between_them() {
    let mut random = Random::new(6);
    let (mut meeting, mut worst) = (0, 0.0f64);
    for round in 0..40_000 {
        let side = [2, 5, 30, 200][round % 4];
        let corners: [Point; 6] = {
            let (one, other) = (points(&mut random, side), points(&mut random, side));
            [one[1], one[2], one[3], other[1], other[2], other[3]]
        };
        let f32s = corners.map(|corner| corner.map(|x| x as f32));
        let (a, b) = ([f32s[0], f32s[1], f32s[2]], [f32s[3], f32s[4], f32s[5]]);
        let body = |corners: &[[f32; 3]; 3]| Body::new(Mesh::new(3, vec![[0, 1, 2]]).unwrap(), corners).unwrap();
        let closest = crumple::distance(&body(&a), &body(&b)).unwrap();
        let (lo, hi) = (closest.distance.lo, closest.distance.hi);
        if triangles_meet(&Triangle(a), &Triangle(b)) {
            assert_eq!((lo, hi, closest.features), (0.0, 0.0, None));
            assert_eq!(closest.points[0], closest.points[1]);
            meeting += 1;
            continue;
        }
        let (i, j) = ([corners[0], corners[1], corners[2]], [corners[3], corners[4], corners[5]]);
        let mut exact = vertex_face([i[0], j[0], j[1], j[2]]);
        for k in 0..3 {
            exact = exact.least(vertex_face([i[k], j[0], j[1], j[2]])).least(vertex_face([j[k], i[0], i[1], i[2]]));
            for l in 0..3 {
                exact = exact.least(edge_edge([i[k], i[(k + 1) % 3], j[l], j[(l + 1) % 3]]));
            }
        }
        let exact = exact.value().sqrt();
        // The reference is rounded four times.
        let ulp = 2f64.powi(-51) * exact;
        assert!(0.0 < lo && lo <= exact + ulp && exact - ulp <= hi, "{lo} ≤ {exact} ≤ {hi}: {corners:?}");
        worst = worst.max((hi - lo) / exact);
        let between: f64 = (0..3).map(|axis| (closest.points[0][axis] - closest.points[1][axis]).powi(2)).sum();
        assert!((between.sqrt() - exact).abs() <= 1e-12 * exact + 1e-13 * side as f64);
    }
    assert!(meeting > 2000 && worst < 1e-6, "{meeting} {worst}");
}
