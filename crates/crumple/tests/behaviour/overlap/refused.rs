//! What is refused, and how.

use crate::support::shapes::{Shape, cube, sphere};
use crumple::contact::{CompletePairs, OverlapFinder};
use crumple::{Body, Mesh, TrianglePair, overlap};

#[test]
fn a_body_that_is_open_or_turned_is_refused_by_its_first_edge() {
    let mut open = cube(0.0, 1.0);
    open.triangles.remove(3);
    let message = overlap(&cube(0.5, 2.0).body(), &open.body()).unwrap_err().to_string();
    assert!(message.starts_with("body b encloses no volume: along 3 edges"), "{message}");
    let mut turned = cube(0.0, 1.0);
    turned.triangles[0].swap(0, 1);
    let message = overlap(&turned.body(), &cube(0.5, 2.0).body()).unwrap_err().to_string();
    assert!(message.starts_with("body a encloses no volume"), "{message}");
}

#[test]
fn pairs_of_triangles_that_are_not_there_are_refused() {
    let (a, b) = (cube(0.0, 1.0).body(), sphere(0, [0.5; 3], 0.5).body());
    let mut finder = OverlapFinder::default();
    let message = finder.find(&a, &b, CompletePairs::promised(&[TrianglePair::new(3, 20)])).unwrap_err().to_string();
    assert_eq!(message, "a pair names triangle 20 of body b, which has 20, counted from 0");
    assert_eq!(
        finder.find(&a, &b, CompletePairs::promised(&crumple::pairs(&a, &b))).unwrap(),
        &overlap(&a, &b).unwrap()
    );
}

#[test]
fn bodies_without_triangles_or_volume_overlap_by_nothing() {
    let empty = Body::new(Mesh::new(0, Vec::new()).unwrap(), &[[0.0f32; 3]; 0]).unwrap();
    let flat =
        Shape { positions: vec![[0.1; 3], [0.9, 0.1, 0.1], [0.1, 0.9, 0.1]], triangles: vec![[0, 1, 2], [0, 2, 1]] };
    let unit = cube(0.0, 1.0).body();
    assert!(overlap(&empty, &unit).unwrap().is_empty() && overlap(&unit, &empty).unwrap().is_empty());
    assert_eq!(overlap(&flat.body(), &unit).unwrap().volume(), 0.0);
    assert_eq!(overlap(&flat.body(), &flat.body()).unwrap().volume(), 0.0);
}
