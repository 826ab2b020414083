//! Positions that are refused: the message, and everything as it was.

use crumple::{BodyError, Scene, SceneError};
use crumple_methods::Method;

use super::shapes::{at, tetrahedron};
use crate::support::errors::chain;
use crate::support::playback::as_found;

#[test]
fn bad_positions_are_refused_by_name_and_change_nothing() {
    let with = |vertex: usize, position: [f32; 3]| {
        let mut positions = at(0.75).to_vec();
        positions[vertex] = position;
        positions
    };
    for method in Method::all() {
        let mut scene = method.scene();
        let still = scene.add(tetrahedron(0.0));
        let moving = scene.add(tetrahedron(2.0));
        scene.set_positions(moving, &at(0.5)).unwrap();
        let frame = scene.update().unwrap();
        let before = as_found(frame.contacts());
        assert_eq!(before.len(), 1);
        assert!(frame.onset(still, moving, 1e-3).unwrap().is_some());
        for (bad, message) in [
            (vec![], "the positions of body 1 were refused: 0 positions were given, but the body has 4 vertices"),
            (
                at(0.0)[..3].to_vec(),
                "the positions of body 1 were refused: 3 positions were given, but the body has 4 vertices",
            ),
            (
                with(2, [0.5, f32::NAN, 0.0]),
                "the positions of body 1 were refused: vertex 2 is at [0.5, NaN, 0.0]: not finite",
            ),
            (
                with(0, [f32::INFINITY, 0.0, 0.0]),
                "the positions of body 1 were refused: vertex 0 is at [inf, 0.0, 0.0]: not finite",
            ),
            (
                with(3, [0.0, 1.0, f32::NEG_INFINITY]),
                "the positions of body 1 were refused: vertex 3 is at [0.0, 1.0, -inf]: not finite",
            ),
        ] {
            let refusal = scene.set_positions(moving, &bad).unwrap_err();
            assert_eq!(chain(&refusal), message);
            let body = scene.body(moving).unwrap();
            assert!(body.positions() == at(0.5) && body.previous_positions() == at(2.0), "{method}: {message}");
        }
        assert_eq!(as_found(scene.update().unwrap().contacts()), before, "{method}");
        // The scene goes on as if nothing had been tried.
        scene.set_positions(moving, &at(3.0)).unwrap();
        assert!(scene.update().unwrap().contacts().is_empty());
    }
}

#[test]
fn of_several_bad_vertices_the_first_is_named() {
    let mut scene = Scene::new();
    let id = scene.add(tetrahedron(0.0));
    for first in 0..4 {
        let positions: [[f32; 3]; 4] = std::array::from_fn(|v| if v < first { [0.0; 3] } else { [f32::NAN; 3] });
        match scene.set_positions(id, &positions) {
            Err(SceneError::Body { body, source: BodyError::NotFinite { vertex, .. }, .. }) => {
                assert_eq!((body, vertex.index()), (id, first));
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn numbers_at_the_ends_of_f32_are_fine() {
    for method in Method::all() {
        let mut scene = method.scene();
        let [a, b] = [0.0, 0.25].map(|x| scene.add(tetrahedron(x)));
        for size in [f32::MAX, f32::MIN_POSITIVE, f32::from_bits(1)] {
            let scaled = at(0.0).map(|corner| corner.map(|x| x * size));
            scene.set_positions(a, &scaled).unwrap();
            scene.set_positions(b, &scaled.map(|corner| corner.map(|x| -x))).unwrap();
            // They share the corner at the origin, where three triangles of each meet.
            assert_eq!(scene.update().unwrap().contacts().pair_count(), 9, "{method} at {size:e}");
        }
    }
}
