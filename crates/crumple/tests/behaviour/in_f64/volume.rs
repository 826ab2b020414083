//! Depth images, and points inside.

use super::{FAR, UNIT, Wide, both_kinds, perturbed, shifted};
use crate::support::shapes::{Shape, bumpy, cuboid, sphere, torus};
use crumple::{Body, Mesh};
use crumple_ldi::{
    Direction, ImageOptions, LayeredDepthImage, OverlapOptions, OverlapSampler, Penetration, PointsInside,
    PointsOptions, SelfOverlap,
};
use crumple_scenes::Random;

fn at(shape: &Shape, positions: &[Wide]) -> Body {
    Body::new_f64(Mesh::new(positions.len(), shape.triangles.clone()).unwrap(), positions).unwrap()
}

/// A box in f64.
fn wide_box(low: Wide, high: Wide) -> Body {
    let shape = cuboid([0.0; 3], [1.0; 3]);
    let corner = |p: &[f32; 3]| std::array::from_fn(|axis| if p[axis] == 0.0 { low[axis] } else { high[axis] });
    at(&shape, &shape.positions.iter().map(corner).collect::<Vec<Wide>>())
}

#[test]
fn a_plate_too_thin_for_f32_has_its_volume() {
    let thin = 2f64.powi(-20);
    // Not on f32 numbers, of which there is one in eight.
    let low = [FAR + 0.01, FAR + 0.02, FAR + 0.03];
    let plate = wide_box(low, [FAR + 2.01, FAR + 3.02, low[2] + thin]);
    assert_eq!(plate.bounds().extent()[2], 0.0, "rounded, it is flat");
    for direction in [Direction::PositiveZ, Direction::NegativeZ] {
        let image = LayeredDepthImage::of_body(&plate, direction, 256).unwrap();
        // Lengths are right; the border is sampled.
        let longest = (0..256).map(|k| image.column(k, 128).spans().map(|span| span.length()).sum::<f64>());
        let longest = longest.fold(0.0, f64::max);
        assert!((longest - thin).abs() < 1e-9, "{longest}");
        assert!((image.volume() / (6.0 * thin) - 1.0).abs() < 0.02, "{}", image.volume());
        assert_eq!((image.odd_columns(), image.unordered_columns()), (0, 0));
        let mut depths = Vec::new();
        let mut middle = [low[0] + 1.0, low[1] + 1.0, low[2] + 0.25 * thin];
        image.depths_of_points(&[middle], &mut depths);
        assert!((depths[0].depth() - 0.25 * thin).abs() < 1e-9, "{:?}", depths[0]);
        assert!(image.contains_point(middle));
        middle[2] = low[2] + 1.25 * thin;
        assert!(!image.contains_point(middle));
    }
    let mut points = PointsInside::new(PointsOptions::default().with_exact());
    let around = [-0.25, 0.25, 0.75, 1.25].map(|z| [low[0] + 1.0, low[1] + 1.0, low[2] + z * thin]);
    assert_eq!(points.test(&plate, &around).unwrap(), [false, true, true, false]);
    // Half of it in another one.
    let other = wide_box([low[0], low[1], low[2] + 0.5 * thin], [FAR + 2.01, FAR + 3.02, FAR + 1.0]);
    let volume =
        OverlapSampler::new(OverlapOptions::default().with_resolution(256)).compute(&plate, &other).unwrap().volume();
    assert!((volume / (3.0 * thin) - 1.0).abs() < 0.02, "{volume}");
    let apart = wide_box([low[0], low[1], low[2] + 1.5 * thin], [FAR + 2.01, FAR + 3.02, FAR + 1.0]);
    assert!(!OverlapSampler::new(OverlapOptions::default()).collides(&plate, &apart).unwrap());
    assert!(OverlapSampler::new(OverlapOptions::default()).collides(&plate, &other).unwrap());
}

#[test]
fn images_far_away_hold_what_they_hold_here() {
    for shape in [bumpy(3), torus(40, 20, 0.35)] {
        let positions = perturbed(&shape.positions, 3);
        let (here, far) = (at(&shape, &positions), at(&shape, &shifted(&positions, FAR)));
        for direction in Direction::ALL {
            let volume = |body: &Body| LayeredDepthImage::of_body(body, direction, 256).unwrap();
            let (here, far) = (volume(&here), volume(&far));
            assert!((far.volume() / here.volume() - 1.0).abs() < 0.005, "{} {}", here.volume(), far.volume());
            assert_eq!(far.odd_columns(), 0);
        }
        // Exact answers are the same.
        let mut random = Random::new(8);
        let mut points: Vec<Wide> =
            (0..500).map(|_| std::array::from_fn(|_| (random.between(-1.5, 1.5) / UNIT).round() * UNIT)).collect();
        points.extend_from_slice(&positions[..30]);
        let mut tester = PointsInside::new(PointsOptions::default().with_exact());
        let inside = tester.test(&here, &points).unwrap().to_vec();
        assert!(inside.iter().any(|&inside| inside) && inside[500..].iter().all(|&inside| inside));
        assert_eq!(tester.test(&far, &shifted(&points, FAR)).unwrap(), inside);
        let signed = crumple::signed_closest_points(&here, &points).unwrap();
        assert!(signed.iter().map(|closest| closest.distance <= 0.0).eq(inside));
    }
}

#[test]
fn f64_bodies_at_f32_positions_have_the_images_of_f32_bodies() {
    let (a, b) = (bumpy(3).body(), sphere(3, [0.5, 0.25, 0.125], 1.0).body());
    let ([narrow_a, wide_a], [narrow_b, wide_b]) = (both_kinds(&a), both_kinds(&b));
    let image = |body: &Body| LayeredDepthImage::of_body(body, Direction::PositiveX, 100).unwrap();
    let (narrow, wide) = (image(&narrow_a), image(&wide_a));
    assert_eq!((narrow.volume(), narrow.bounds(), narrow.stats()), (wide.volume(), wide.bounds(), wide.stats()));
    for (column, row) in (0..100).flat_map(|column| (0..100).map(move |row| (column, row))) {
        assert!(narrow.column(column, row).spans().eq(wide.column(column, row).spans()));
    }
    let (mut one, mut other) = (Vec::new(), Vec::new());
    narrow.depths_of_vertices(&narrow_b, &mut one);
    wide.depths_of_vertices(&wide_b, &mut other);
    assert_eq!(one, other);
    let mut overlap = OverlapSampler::new(OverlapOptions::default());
    let expected = overlap.compute(&narrow_a, &narrow_b).unwrap().volume();
    assert_eq!(overlap.compute(&wide_a, &narrow_b).unwrap().volume(), expected);
    assert_eq!(overlap.compute(&wide_a, &wide_b).unwrap().volume(), expected);
    let mut penetration = Penetration::new(OverlapOptions::default().with_resolution(32));
    let expected = penetration.compute(&narrow_a, &narrow_b).unwrap().depth();
    assert_eq!(penetration.compute(&wide_a, &wide_b).unwrap().depth(), expected);
    let mut itself = SelfOverlap::new(ImageOptions::default());
    let expected = itself.find(&narrow_a).unwrap().volume;
    assert_eq!(itself.find(&wide_a).unwrap().volume, expected);
}
