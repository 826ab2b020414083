//! The distance between hulls against an exhaustive search over their features, in integers.
//!
//! The reference: coordinates are integers, so every sign is exact. The distance of two hulls that are apart is that of a
//! vertex and a triangle or of two edges, over *all* triples and pairs of points (those inside a hull change nothing).
//! Hulls that meet either have an edge of one through a triangle of the other, or a vertex of one in a tetrahedron of
//! the other. Nothing is shared with the code under test.

use crate::counts::drawn;
use crumple_methods::gjk_cut::{GjkError, GjkOutcome, GjkResult, PointSet, gjk_distance, gjk_separating_axis};
use crumple_scenes::Random;

type Int = [i128; 3];

fn minus(p: Int, q: Int) -> Int {
    std::array::from_fn(|k| p[k] - q[k])
}

fn add(p: Int, q: Int) -> Int {
    std::array::from_fn(|k| p[k] + q[k])
}

fn dot(p: Int, q: Int) -> i128 {
    (0..3).map(|k| p[k] * q[k]).sum()
}

fn cross(p: Int, q: Int) -> Int {
    [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
}

fn ratio(over: i128, under: i128) -> f64 {
    over as f64 / under as f64
}

/// The squared distance of a point and a segment, which may be a point.
fn point_segment(p: Int, [q, r]: [Int; 2]) -> f64 {
    let (edge, to_p) = (minus(r, q), minus(p, q));
    let (along, length) = (dot(to_p, edge), dot(edge, edge));
    if along <= 0 {
        dot(to_p, to_p) as f64
    } else if along >= length {
        dot(minus(p, r), minus(p, r)) as f64
    } else {
        let across = cross(edge, to_p);
        ratio(dot(across, across), length)
    }
}

/// The squared distance of a point and the inside of a triangle, if the point lies above its inside.
fn point_inside_triangle(p: Int, [q, r, s]: [Int; 3]) -> Option<f64> {
    let normal = cross(minus(r, q), minus(s, q));
    let above = |from: Int, to: Int| dot(cross(minus(to, from), minus(p, from)), normal) >= 0;
    let height = dot(minus(p, q), normal);
    (normal != [0; 3] && above(q, r) && above(r, s) && above(s, q))
        .then(|| height as f64 * (height as f64 / dot(normal, normal) as f64))
}

/// The squared distance of the insides of two segments, if they are not parallel and pass each other inside.
fn segments_inside([p, q]: [Int; 2], [r, s]: [Int; 2]) -> Option<f64> {
    let (edge, other, between) = (minus(q, p), minus(s, r), minus(r, p));
    let normal = cross(edge, other);
    let square = dot(normal, normal);
    let along = |direction: Int| dot(cross(between, direction), normal);
    let inside = |at: i128| 0 <= at && at <= square;
    let height = dot(between, normal);
    (square > 0 && inside(along(other)) && inside(along(edge))).then(|| height as f64 * (height as f64 / square as f64))
}

fn sign(of: i128) -> i128 {
    of.signum()
}

fn orientation(p: Int, q: Int, r: Int, s: Int) -> i128 {
    sign(dot(cross(minus(q, p), minus(r, p)), minus(s, p)))
}

/// Whether a segment crosses a triangle from one side to the other (touching is left to the distances).
fn crosses([p, q]: [Int; 2], [r, s, t]: [Int; 3]) -> bool {
    let turns = [orientation(p, q, r, s), orientation(p, q, s, t), orientation(p, q, t, r)];
    orientation(r, s, t, p) * orientation(r, s, t, q) < 0 && turns[0] != 0 && turns == [turns[0]; 3]
}

fn in_tetrahedron(p: Int, [q, r, s, t]: [Int; 4]) -> bool {
    let turns = [orientation(p, r, s, t), orientation(q, p, s, t), orientation(q, r, p, t), orientation(q, r, s, p)];
    turns[0] != 0 && turns == [turns[0]; 4]
}

/// Every choice of N points, repeats left out.
fn choices<const N: usize>(points: &[Int]) -> Vec<[Int; N]> {
    let mut chosen = Vec::new();
    for bits in 0u32..1 << points.len() {
        if bits.count_ones() as usize == N {
            let mut of = (0..points.len()).filter(|i| bits >> i & 1 == 1);
            chosen.push(std::array::from_fn(|_| points[of.next().unwrap()]));
        }
    }
    chosen
}

/// The distance of two hulls.
fn reference(a: &[Int], b: &[Int]) -> f64 {
    let (edges_a, edges_b) = (choices::<2>(a), choices::<2>(b));
    let (faces_a, faces_b) = (choices::<3>(a), choices::<3>(b));
    let mut square = f64::INFINITY;
    for (points, edges, faces, others) in [(a, &edges_b, &faces_b, b), (b, &edges_a, &faces_a, a)] {
        let solids = choices::<4>(others);
        for &p in points {
            for &q in others {
                square = square.min(dot(minus(p, q), minus(p, q)) as f64);
            }
            for &edge in edges {
                square = square.min(point_segment(p, edge));
            }
            for &face in faces {
                square = square.min(point_inside_triangle(p, face).unwrap_or(f64::INFINITY));
            }
            if solids.iter().any(|&solid| in_tetrahedron(p, solid)) {
                return 0.0;
            }
        }
    }
    for &edge_a in &edges_a {
        for &edge_b in &edges_b {
            square = square.min(segments_inside(edge_a, edge_b).unwrap_or(f64::INFINITY));
        }
    }
    let through = |edges: &[[Int; 2]], faces: &[[Int; 3]]| {
        edges.iter().any(|&edge| faces.iter().any(|&face| crosses(edge, face)))
    };
    if square == 0.0 || through(&edges_a, &faces_b) || through(&edges_b, &faces_a) {
        return 0.0;
    }
    square.sqrt()
}

/// Two point sets of one kind.
fn sets(random: &mut Random, kind: u32) -> [Vec<Int>; 2] {
    let mut set = |steps: u64, from: i128, flat: bool| -> Vec<Int> {
        let count = 1 + random.below(6);
        let mut point = || -> Int { std::array::from_fn(|_| i128::from(random.below(steps)) + from) };
        (0..count).map(|_| point()).map(|[x, y, z]| if flat { [x, y, x + y] } else { [x, y, z] }).collect()
    };
    match kind {
        // Anywhere, often overlapping.
        0 => [set(1000, 0, false), set(1000, 300, false)],
        // On a small grid: touching, coplanar, coincident.
        1 => [set(4, 0, false), set(4, 1, false)],
        // Both in one plane.
        2 => [set(30, 0, true), set(30, 15, true)],
        // One flat, one not.
        3 => [set(8, 0, true), set(8, 0, false)],
        // Nested, or nearly: a hull around the origin, and a small one inside it or across its surface.
        4 => {
            let tips = set(120, -60, false);
            let (spread, around) = (set(4, 1, false)[0][0], [[500, 0, 0], [-500, 0, 0], [0, 500, 0], [0, -500, 0]]);
            let ends = [[0, 0, 500], [0, 0, -500]];
            let a = around.into_iter().chain(ends).zip(tips.iter().cycle()).map(|(p, tip)| add(p, *tip));
            let a = a.collect();
            [a, set(60, -30, false).into_iter().map(|p| p.map(|x| x + 100 * (spread - 1))).collect()]
        }
        // Far apart beside their size.
        5 => [set(10, 0, false), set(10, 990, false)],
        // One in the other's face, edge or corner: b is made of sums of points of a.
        6 => {
            let a: Vec<Int> = set(100, 0, false).into_iter().map(|p| p.map(|x| 2 * x)).collect();
            let mut b = set(400, 0, false);
            let (p, q) = (a[0], a[a.len() - 1]);
            b[0] = std::array::from_fn(|k| (p[k] + q[k]) / 2);
            [a, b]
        }
        // Long needles that pass each other closely.
        _ => {
            let length = [450, 1 << 19][set(2, 0, false)[0][0] as usize];
            let mut needle = |axis: usize| -> Vec<Int> {
                let mut points = set(3, 0, false);
                for (i, point) in points.iter_mut().enumerate() {
                    point[axis] += length * (2 * (i as i128 % 2) - 1);
                }
                points
            };
            [needle(0), needle(1)]
        }
    }
}

/// The largest extent of the box of two sets.
fn size(a: &[[f32; 3]], b: &[[f32; 3]]) -> f64 {
    let along = |k: usize| a.iter().chain(b).map(move |p| f64::from(p[k]));
    let extent = |k: usize| along(k).fold(f64::NEG_INFINITY, f64::max) - along(k).fold(f64::INFINITY, f64::min);
    (0..3).map(extent).fold(0.0, f64::max)
}

/// Checks everything a result claims about the hulls of two sets; returns the width of its interval as a part of the
/// size of the scene.
fn check(result: &GjkResult, a: &[[f32; 3]], b: &[[f32; 3]], truth: f64) -> f64 {
    let all = || a.iter().chain(b).map(|p| p.map(f64::from));
    let size = size(a, b);
    let largest = all().flatten().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    // What the checks below round themselves.
    let own = 1e-15 * (size + largest);
    let GjkResult { distance, lower_bound, upper_bound, point_a, point_b, outcome, .. } = *result;
    let context = || format!("{result:?}\n{a:?}\n{b:?}\ntruth {truth}");
    assert!(lower_bound <= truth * (1.0 + 1e-15), "{}", context());
    assert!(truth * (1.0 - 1e-15) <= upper_bound, "{}", context());
    assert!(upper_bound - lower_bound <= size / f64::from(1 << 24), "{}", context());
    assert!(lower_bound <= distance && distance <= upper_bound, "{}", context());

    // The witness of the upper bound: points of the hulls at that distance.
    let mut sums = [[0.0; 3]; 2];
    let mut total = 0.0;
    for weight in result.weights() {
        assert!(weight.weight > 0.0, "{}", context());
        total += weight.weight;
        for k in 0..3 {
            sums[0][k] += weight.weight * f64::from(a[weight.index_a][k]);
            sums[1][k] += weight.weight * f64::from(b[weight.index_b][k]);
        }
    }
    assert!((total - 1.0).abs() < 1e-15 * 4.0, "{}", context());
    let apart = |p: [f64; 3], q: [f64; 3]| (0..3).map(|k| (p[k] - q[k]).powi(2)).sum::<f64>().sqrt();
    assert!(apart(sums[0], point_a) <= 8.0 * own && apart(sums[1], point_b) <= 8.0 * own, "{}", context());
    assert!((apart(point_a, point_b) - distance).abs() <= 8.0 * own, "{}", context());

    // The witness of the lower bound: an axis with a gap.
    match outcome {
        GjkOutcome::Apart { axis } => {
            let along = |p: [f32; 3]| (0..3).map(|k| f64::from(p[k]) * axis[k]).sum::<f64>();
            let end_of_a = a.iter().map(|&p| along(p)).fold(f64::NEG_INFINITY, f64::max);
            let start_of_b = b.iter().map(|&p| along(p)).fold(f64::INFINITY, f64::min);
            assert!(lower_bound > 0.0 && start_of_b - end_of_a >= lower_bound - 8.0 * own, "{}", context());
        }
        GjkOutcome::Touching => assert_eq!(lower_bound, 0.0, "{}", context()),
    }
    if size == 0.0 { 0.0 } else { (upper_bound - lower_bound) / size }
}

#[test]
fn thousands_of_hulls_are_as_far_apart_as_an_exhaustive_search_says() {
    let mut random = Random::new(1);
    let (mut widest, mut apart, mut most_steps) = ([0.0f64; 8], [0; 8], 0);
    let count = drawn(100_000) / 8 * 8;
    for i in 0..count as u32 {
        let kind = i % 8;
        let [a, b] = sets(&mut random, kind);
        let truth = reference(&a, &b);
        // Some far from the origin, some tiny, some huge: powers of two and offsets that change no digit.
        let (offset, scale) = match i / 8 % 4 {
            0 => (0, 1.0),
            1 => (1 << 20, 1.0),
            2 => (0, 2.0f32.powi(-120)),
            _ => (0, 2.0f32.powi(106)),
        };
        let placed = |points: &[Int]| -> Vec<[f32; 3]> {
            points.iter().map(|p| p.map(|x| (x + offset) as f32 * scale)).collect()
        };
        let (a, b, truth) = (placed(&a), placed(&b), truth * f64::from(scale));
        let result = gjk_distance(&a, &b).unwrap();
        let width = check(&result, &a, &b, truth);
        let at = kind as usize;
        widest[at] = widest[at].max(width);
        most_steps = most_steps.max(result.steps);
        apart[at] += usize::from(truth > 0.0);
        // An axis is a proof; and where the gap is above the stated bound, there must be one.
        let hidden = truth > 0.0 && truth <= size(&a, &b) / f64::from(1 << 24);
        let axis = gjk_separating_axis(&a, &b).unwrap();
        assert!(axis.is_some() == (truth > 0.0) || hidden && axis.is_none(), "{a:?} {b:?} {truth}");
    }
    println!("widest intervals by kind {widest:?}, apart {apart:?}, most steps {most_steps}");
    let [.., far, touching, _] = apart;
    assert_eq!((far, touching), (count / 8, 0), "{apart:?}");
    // Of each kind some are apart and some are not.
    let some = count / 200..count / 25 * 3;
    assert!([0, 1, 2, 3, 4, 7].iter().all(|&kind| some.contains(&apart[kind])), "{apart:?}");
}

#[test]
fn large_sets_carry_their_proof() {
    let mut random = Random::new(9);
    for i in 0..200 {
        let mut cloud = |from: f32| -> Vec<[f32; 3]> {
            (0..300).map(|_| [(); 3].map(|()| (random.below(1 << 20) as f32 + from) / 1024.0)).collect()
        };
        let (a, b) = (cloud(0.0), cloud(i as f32 * 10_000.0));
        let result = gjk_distance(&a, &b).unwrap();
        // Without a reference the interval itself stands for the truth: its ends are checked by their witnesses.
        check(&result, &a, &b, result.distance);
    }
}

#[test]
fn no_points_and_points_that_are_not_finite_are_refused() {
    let point = [[1.0, 2.0, 3.0]];
    let error = gjk_distance(&[], &point).unwrap_err();
    assert_eq!(
        (error.to_string().as_str(), error),
        ("point set a is empty: it has no hull", GjkError::NoPoints { set: PointSet::A })
    );
    let error = gjk_separating_axis(&point, &[[0.0; 3], [0.0, f32::INFINITY, 0.0]]).unwrap_err();
    assert_eq!(error.to_string(), "point 1 of set b is at [0.0, inf, 0.0]: not finite");
}
