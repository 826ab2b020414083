//! No numbers make a panic: bodies as large and as small as f32 allows, and everything that can be asked of them.

use crate::support::shapes::Shape;
use crumple_ldi::{
    Direction, ImageOptions, InsideRule, LayeredDepthImage, Operation, OverlapOptions, OverlapSampler, Penetration,
    PointsInside, PointsOptions, SelfOverlap,
};
use crumple_scenes::Random;
use proptest::prelude::*;

const EXTREMES: [f32; 12] = [
    0.0,
    1.0,
    -1.0,
    f32::MAX,
    -f32::MAX,
    f32::MIN_POSITIVE,
    -f32::MIN_POSITIVE,
    1e-45,
    1e30,
    -1e-30,
    16_777_216.0,
    0.1,
];

fn shape(random: &mut Random) -> Shape {
    let octahedron = crumple_scenes::sphere(crumple_scenes::Solid::Octahedron, 1).unwrap();
    let mut coordinate = || EXTREMES[random.below(EXTREMES.len() as u64) as usize];
    let positions = octahedron.positions.iter().map(|_| [coordinate(), coordinate(), coordinate()]).collect();
    Shape { positions, triangles: octahedron.triangles }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn extreme_bodies_get_finite_answers_or_errors(seed in any::<u64>(), columns in 1u32..40, rows in 1u32..40) {
        let mut random = Random::new(seed);
        let (a, b) = (shape(&mut random), shape(&mut random));
        let (body_a, body_b) = (a.body(), b.body());
        let direction = Direction::ALL[random.below(6) as usize];
        for inside in [InsideRule::WindingNumber, InsideRule::Parity] {
            let options = ImageOptions::default().with_resolution([columns, rows]).with_direction(direction);
            let mut image = LayeredDepthImage::new();
            if image.render(&body_a, &options.with_inside(inside)).is_ok() {
                prop_assert_eq!(image.odd_columns(), 0);
                prop_assert!(image.volume() >= 0.0 && image.volume().is_finite());
                let mut depths = Vec::new();
                image.depths_of_vertices(&body_b, &mut depths);
                prop_assert!(depths.iter().all(|found| found.depth() >= 0.0));
            }
            for operation in [Operation::Intersection, Operation::Union, Operation::Difference] {
                let options = OverlapOptions::default().with_resolution([columns, rows]).with_operation(operation);
                let mut overlap = OverlapSampler::new(options.with_inside(inside));
                if let Ok(answer) = overlap.compute(&body_a, &body_b) {
                    prop_assert!(answer.volume() >= 0.0 && answer.volume().is_finite());
                    prop_assert!(answer.error_estimate() >= 0.0);
                    let whole = body_a.bounds().union(&body_b.bounds());
                    if let Some(bounds) = answer.bounds() {
                        prop_assert!(whole.contains(bounds.min()) && whole.contains(bounds.max()));
                    }
                    let _ = (answer.centroid(), answer.spans().count());
                }
            }
            let points: Vec<[f32; 3]> = a.positions.iter().chain(&b.positions).copied().collect();
            let options = PointsOptions::default().with_resolution([columns, rows]).with_direction(direction);
            let _ = PointsInside::new(options.with_inside(inside)).test(&body_a, &points);
            if let Ok(found) = PointsInside::new(options.with_inside(inside).with_exact()).test(&body_a, &points) {
                // Its own vertices are on its surface.
                prop_assert!(found[..a.positions.len()].iter().all(|&inside| inside));
            }
        }
        let options = OverlapOptions::default().with_resolution([columns.min(8), rows.min(8)]);
        if let Ok(answer) = Penetration::new(options).compute(&body_a, &body_b) {
            prop_assert!(answer.depth() >= 0.0 && answer.depth().is_finite());
        }
        if let Ok(found) = SelfOverlap::new(ImageOptions::default().with_resolution(columns)).find(&body_a) {
            prop_assert!(found.volume >= 0.0 && found.inverted_volume >= 0.0);
        }
    }
}
