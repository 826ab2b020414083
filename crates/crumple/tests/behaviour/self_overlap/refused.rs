//! What is refused, and how it is said.

use crate::support::shapes::{cube, sphere};
use crumple::contact::SelfOverlapFinder;
use crumple::{Body, Holes, Mesh, self_overlap};

#[test]
fn an_open_surface_is_refused_and_its_first_open_edge_named() {
    let mut open = cube(0.0, 1.0);
    open.triangles.remove(3);
    let error = self_overlap(&open.body()).unwrap_err().to_string();
    assert!(error.contains("along 3 edges") && error.contains("from vertex 7 to vertex 1 (triangle 2)"), "{error}");
    let mut finder = SelfOverlapFinder::default();
    let found = finder.find(&open.body(), Holes::Cap).unwrap();
    assert_eq!(found.volume(), 0.0);
}

#[test]
fn triangles_turned_against_each_other_are_refused_with_or_without_caps() {
    let mut turned = cube(0.0, 1.0);
    turned.triangles[4].swap(0, 1);
    assert!(self_overlap(&turned.body()).unwrap_err().to_string().contains("encloses no volume: along 3 edges"));
    let mut finder = SelfOverlapFinder::default();
    let error = finder.find(&turned.body(), Holes::Cap).unwrap_err().to_string();
    assert!(error.contains("cannot be capped: along 3 edges") && error.contains("turned against"), "{error}");
}

#[test]
fn welded_vertices_that_have_parted_are_refused() {
    // Two copies of every vertex.
    let shape = sphere(1, [0.0; 3], 1.0);
    let loose: Vec<[f32; 3]> =
        shape.triangles.iter().flatten().map(|&vertex| shape.positions[vertex as usize]).collect();
    let triangles = (0..loose.len() as u32 / 3).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    let mesh = Mesh::new(loose.len(), triangles).unwrap().welded(&loose).unwrap();
    let mut body = Body::new(mesh, &loose).unwrap();
    assert_eq!(self_overlap(&body).unwrap().volume(), 0.0);
    let mut torn = loose;
    torn[17][2] += 0.25;
    body.set_positions(&torn).unwrap();
    let error = self_overlap(&body).unwrap_err().to_string();
    assert!(error.contains("17") && error.contains("have parted"), "{error}");
}

#[test]
fn nothing_overlaps_itself_in_nothing() {
    let empty = Body::new(Mesh::new(3, Vec::new()).unwrap(), &[[0.0f32; 3]; 3]).unwrap();
    let found = self_overlap(&empty).unwrap();
    assert!(found.is_empty() && found.volume() == 0.0 && !found.is_inside_out());
    let flat = Body::new(
        Mesh::new(4, vec![[0, 1, 2], [0, 2, 1]]).unwrap(),
        &[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [5.0; 3]],
    );
    assert_eq!(self_overlap(&flat.unwrap()).unwrap().volume(), 0.0);
}
