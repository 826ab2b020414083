//! What cannot be asked, and says so.

use crate::support::soups::body;
use crumple::{Aabb, Body, Scene, SceneError};

fn one(y: f32) -> Body {
    body(vec![[0, 1, 2]], &[[0.0, y, 0.0], [1.0, y, 0.0], [0.0, y, 1.0]])
}

#[test]
fn bodies_without_a_distance_are_named() {
    let mut scene = Scene::new();
    let (a, b) = (scene.add(one(0.0)), scene.add(one(1.0)));
    let empty = scene.add(body(Vec::new(), &[]));
    let unused = scene.add(body(Vec::new(), &[[0.0; 3]]));
    let gone = scene.add(one(2.0));
    scene.remove(gone).unwrap();
    let frame = scene.update().unwrap();
    for (x, y, expected) in [
        (a, a, SceneError::DistanceFromItself { body: a }),
        (a, gone, SceneError::UnknownBody { body: gone }),
        (gone, a, SceneError::UnknownBody { body: gone }),
        (a, empty, SceneError::NoTriangles { body: empty }),
        (unused, b, SceneError::NoTriangles { body: unused }),
    ] {
        assert_eq!(frame.distance(x, y), Err(expected.clone()));
        assert_eq!(frame.is_closer_than(x, y, f64::INFINITY), Err(expected));
    }
    assert!((frame.distance(a, b).unwrap().distance.hi - 1.0).abs() < 1e-14);
    assert_eq!(crumple::distance(&one(0.0), &body(Vec::new(), &[])), None);
    assert!(crumple::near(&one(0.0), &body(Vec::new(), &[]), f64::INFINITY).is_empty());
}

#[test]
fn a_body_known_by_a_loose_box_has_no_distance_and_no_near_features() {
    let mut scene = Scene::new();
    let (a, b) = (scene.add(one(0.0)), scene.add(one(1.0)));
    scene.set_loose_box(b, Aabb::new([0.0, 0.5, 0.0], [1.0, 2.0, 1.0])).unwrap();
    let frame = scene.update().unwrap();
    assert_eq!(frame.distance(a, b), Err(SceneError::VerticesNeeded { body: b, near: a }));
    assert_eq!(frame.is_closer_than(b, a, 1.0), Err(SceneError::VerticesNeeded { body: b, near: a }));
    assert!(frame.near(10.0).is_empty());
}
