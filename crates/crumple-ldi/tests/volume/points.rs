//! Points inside: exact against two independent references, sampled against exact.

use crate::support::shapes::{self, Shape};
use crumple::geom::Axis;
use crumple_ldi::{Direction, InsideRule, LayeredDepthImage, PointsInside, PointsOptions};
use crumple_scenes::Random;
use proptest::prelude::*;

fn exact(shape: &Shape, direction: Direction, points: &[[f32; 3]]) -> Vec<bool> {
    let mut tester = PointsInside::new(PointsOptions::default().with_direction(direction).with_exact());
    tester.test(&shape.body(), points).unwrap().to_vec()
}

fn random_points(shape: &Shape, count: usize, seed: u64) -> Vec<[f32; 3]> {
    let (bounds, mut random) = (shape.body().bounds(), Random::new(seed));
    let mut coordinate = |k: usize| random.between(f64::from(bounds.min()[k]), f64::from(bounds.max()[k])) as f32;
    (0..count).map(|_| [coordinate(0), coordinate(1), coordinate(2)]).collect()
}

fn distance_to_surface(shape: &Shape, point: [f32; 3]) -> f64 {
    let p = point.map(f64::from);
    let corner = |vertex: u32| shape.positions[vertex as usize].map(f64::from);
    let minus = |p: [f64; 3], q: [f64; 3]| [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
    let dot = |p: [f64; 3], q: [f64; 3]| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    let to_segment = |a: [f64; 3], b: [f64; 3]| {
        let (along, from) = (minus(b, a), minus(p, a));
        let t = (dot(from, along) / dot(along, along)).clamp(0.0, 1.0);
        let off = [from[0] - t * along[0], from[1] - t * along[1], from[2] - t * along[2]];
        dot(off, off).sqrt()
    };
    let to_triangle = |&[a, b, c]: &[u32; 3]| {
        let (a, b, c) = (corner(a), corner(b), corner(c));
        let cross = |p: [f64; 3], q: [f64; 3]| {
            [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
        };
        let normal = cross(minus(b, a), minus(c, a));
        let over = [(a, b), (b, c), (c, a)]
            .iter()
            .all(|&(from, to)| dot(cross(minus(to, from), minus(p, from)), normal) >= 0.0);
        let border = to_segment(a, b).min(to_segment(b, c)).min(to_segment(c, a));
        if over { dot(minus(p, a), normal).abs() / dot(normal, normal).sqrt() } else { border }
    };
    shape.triangles.iter().map(to_triangle).fold(f64::INFINITY, f64::min)
}

#[test]
fn exact_answers_are_those_of_the_solid_angle() {
    for shape in [shapes::bumpy(3), shapes::torus(40, 20, 0.4), shapes::sphere(2, [0.3, 0.1, -0.2], 2.0).inside_out()] {
        let points = random_points(&shape, 2000, 7);
        for direction in [Direction::PositiveX, Direction::NegativeY, Direction::PositiveZ] {
            let found = exact(&shape, direction, &points);
            for (&point, inside) in points.iter().zip(found) {
                let winding = shape.winding_number(point).abs();
                assert!((winding - winding.round()).abs() < 1e-6, "on the surface: {point:?}");
                assert_eq!(inside, winding > 0.5, "{point:?}");
            }
        }
    }
}

#[test]
fn vertices_and_middles_of_edges_of_a_body_are_inside_it() {
    let cube = shapes::cube(-1.0, 1.0);
    let mut points: Vec<[f32; 3]> = cube.positions.clone();
    for &[a, b, _] in &cube.triangles {
        let (p, q) = (cube.positions[a as usize], cube.positions[b as usize]);
        points.push(std::array::from_fn(|k| 0.5 * (p[k] + q[k])));
    }
    let bumpy = shapes::bumpy(3);
    for direction in Direction::ALL {
        assert!(exact(&cube, direction, &points).iter().all(|&inside| inside));
        assert!(exact(&bumpy, direction, &bumpy.positions).iter().all(|&inside| inside));
        let just_off: Vec<_> =
            points.iter().map(|p| p.map(|x| if x.abs() == 1.0 { x * (1.0 + f32::EPSILON) } else { x })).collect();
        assert!(!exact(&cube, direction, &just_off).iter().any(|&inside| inside));
    }
}

#[test]
fn sampled_answers_are_wrong_only_within_half_a_pixel_diagonal_of_the_surface() {
    for shape in [shapes::bumpy(4), shapes::torus(60, 30, 0.4)] {
        let points = random_points(&shape, 20_000, 3);
        for (direction, resolution) in
            [(Direction::PositiveX, 32), (Direction::NegativeZ, 128), (Direction::PositiveY, 512)]
        {
            let truth = exact(&shape, direction, &points);
            let image = LayeredDepthImage::of_body(&shape.body(), direction, resolution).unwrap();
            let mut found = Vec::new();
            image.contains_points(&points, &mut found);
            let half_diagonal = 0.5 * image.step()[0].hypot(image.step()[1]);
            let mut wrong = 0;
            for ((&point, &inside), &truth) in points.iter().zip(&found).zip(&truth) {
                assert_eq!(inside, image.contains_point(point));
                if inside != truth {
                    wrong += 1;
                    assert!(distance_to_surface(&shape, point) <= half_diagonal * (1.0 + 1e-12), "{point:?}");
                }
            }
            assert!(wrong < 20_000 * 6 / resolution as usize, "{wrong} wrong at {resolution}");
        }
    }
}

#[test]
fn points_outside_the_image_and_points_that_are_no_numbers_are_outside() {
    let cube = shapes::cube(0.0, 1.0);
    let (nan, inf) = (f32::NAN, f32::INFINITY);
    let points = [
        [2.0, 0.5, 0.5],
        [0.5, 0.5, -0.1],
        [nan, 0.5, 0.5],
        [0.5, nan, 0.5],
        [0.5, 0.5, nan],
        [0.5, 0.5, inf],
        [-inf, 0.5, 0.5],
        [0.5, 0.5, 1.5],
    ];
    for options in [PointsOptions::default(), PointsOptions::default().with_exact()] {
        for direction in Direction::ALL {
            let mut tester = PointsInside::new(options.with_direction(direction));
            assert_eq!(tester.test(&cube.body(), &points).unwrap(), [false; 8]);
            // The whole border is inside, the upper one too.
            assert_eq!(tester.test(&cube.body(), &cube.positions).unwrap(), [true; 8]);
            assert!(tester.test(&cube.body(), &[[0.0f32; 3]; 0]).unwrap().is_empty());
        }
    }
    let mut found = vec![true; 3];
    LayeredDepthImage::new().contains_points(&points, &mut found);
    assert_eq!(found, [false; 8]);
}

#[test]
fn long_thin_triangles_do_not_make_the_lists_long() {
    // A fan of 4,000 needles across the whole box: a fine grid would list each in thousands of cells.
    let shape = shapes::torus(2000, 3, 0.9).moved(|p| [p[0], p[1], 1000.0 * p[2]]);
    let points = random_points(&shape, 200, 5);
    let found = exact(&shape, Direction::PositiveZ, &points);
    for (&point, inside) in points.iter().zip(found) {
        assert_eq!(inside, shape.winding_number(point) > 0.5, "{point:?}");
    }
}

#[test]
fn parity_and_winding_number_differ_where_a_body_overlaps_itself() {
    let both = shapes::cube(0.0, 2.0).with(&shapes::cube(1.0, 3.0)).body();
    let points = [[0.5; 3], [1.5; 3], [2.5; 3]];
    for options in [PointsOptions::default(), PointsOptions::default().with_exact()] {
        let mut winding = PointsInside::new(options);
        assert_eq!(winding.test(&both, &points).unwrap(), [true, true, true]);
        let mut parity = PointsInside::new(options.with_inside(InsideRule::Parity));
        assert_eq!(parity.test(&both, &points).unwrap(), [true, false, true]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Unit cells have whole corners, so the reference is counting: a point is inside if some closed cell holds it.
    #[test]
    fn every_point_of_a_half_grid_is_decided_right_against_cells(seed in any::<u64>()) {
        let mut random = Random::new(seed);
        let mut filled: Vec<[i32; 3]> =
            (0..4 + random.below(12)).map(|_| std::array::from_fn(|_| random.below(4) as i32)).collect();
        filled.sort_unstable();
        filled.dedup();
        let shape = shapes::cells(&filled);
        let half = |k: u64| k as f32 * 0.5 - 0.5;
        let points: Vec<[f32; 3]> =
            (0..11 * 11 * 11).map(|k| [half(k % 11), half(k / 11 % 11), half(k / 121)]).collect();
        let holds = |cell: &[i32; 3], point: &[f32; 3]| {
            (0..3).all(|k| cell[k] as f32 <= point[k] && point[k] <= cell[k] as f32 + 1.0)
        };
        for axis in Axis::ALL {
            let found = exact(&shape, Direction::along(axis), &points);
            for (point, inside) in points.iter().zip(found) {
                prop_assert_eq!(inside, filled.iter().any(|cell| holds(cell, point)), "{:?} in {:?}", point, filled);
            }
        }
    }
}
