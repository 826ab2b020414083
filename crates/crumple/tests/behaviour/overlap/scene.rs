//! Overlaps and curves through the frames of a scene.

use crate::support::shapes::{cube, cuboid, sphere};
use crumple::{Scene, SceneError};
use crumple_methods::Method;

#[test]
fn a_frame_has_the_overlaps_of_all_closed_bodies() {
    let shapes = [cube(0.0, 2.0), cube(1.0, 3.0), sphere(1, [0.5; 3], 0.25), cube(10.0, 11.0)];
    for method in Method::all() {
        let mut scene = method.scene();
        let ids: Vec<_> = shapes.iter().map(|shape| scene.add(shape.body())).collect();
        let mut open = cube(1.5, 4.0);
        open.triangles.pop();
        let open = scene.add(open.body());
        // A filter of single pairs is about contacts, not about volumes.
        scene.set_pair_filter(|_, _, pair| pair.a.0 % 2 == 0);
        let frame = scene.update().unwrap();
        let overlaps = frame.overlaps();
        let found: Vec<_> = overlaps.iter().map(|overlap| (overlap.a, overlap.b)).collect();
        assert_eq!(found, [(ids[0], ids[1]), (ids[0], ids[2])]);
        let first = frame.overlap(ids[1], ids[0]).unwrap();
        assert_eq!((first.a, first.b, first.gradient_of(ids[1])), (ids[0], ids[1], first.gradient_b()));
        assert_eq!(first.of, &crumple::overlap(&shapes[0].body(), &shapes[1].body()).unwrap());
        assert!((frame.overlap(ids[0], ids[2]).unwrap().volume() - shapes[2].volume()).abs() < 1e-15);
        assert!(frame.overlap(ids[0], ids[3]).unwrap().is_empty() && overlaps.get(ids[0], ids[3]).is_none());
        assert_eq!(overlaps.left_out().iter().map(|(id, _)| *id).collect::<Vec<_>>(), [open]);
        assert!(matches!(frame.overlap(ids[0], open), Err(SceneError::NotClosed { body, .. }) if body == open));
        assert!(matches!(frame.overlap(open, open), Err(SceneError::OverlapWithItself { .. })));
        // Curves need no closed bodies: cubes 0 and 1, and the open one with both.
        let curves: Vec<_> = frame.curves().map(|curves| (curves.a, curves.b, curves.len())).collect();
        assert_eq!(
            curves.iter().map(|c| (c.0, c.1)).collect::<Vec<_>>(),
            [(ids[0], ids[1]), (ids[0], open), (ids[1], open)]
        );
    }
}

#[test]
fn overlaps_follow_the_bodies_from_frame_to_frame() {
    let mut scene = Scene::new();
    scene.add(cuboid([-5.0, -5.0, -1.0], [5.0, 5.0, 0.0]).body());
    let block = cuboid([-1.0, -1.0, 0.0], [1.0, 1.0, 1.0]);
    let falling = scene.add(block.body());
    for step in 0..8 {
        let depth = 0.125 * step as f32;
        scene.set_positions(falling, &block.translated([0.0, 0.0, -depth]).positions).unwrap();
        let frame = scene.update().unwrap();
        let volume: f64 = frame.overlaps().iter().map(|overlap| overlap.volume()).sum();
        assert!((volume - 4.0 * f64::from(depth)).abs() < 1e-13, "{step}: {volume}");
    }
}
