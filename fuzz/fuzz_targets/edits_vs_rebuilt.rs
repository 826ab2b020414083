//! Edits of a body in a scene: after each, the scene finds what brute force finds among the bodies made anew.
//!
//! The input is read as: two bodies on a small grid, then edits, one body after the other: triangles that go, that come back and
//! that are added, new vertices, compaction, and positions. An edit that is refused changes nothing.

#![no_main]

use crumple::{Body, BodyId, Edit, Mesh, Scene, TriangleId};
use crumple_fuzz::{Bytes, PlainContacts, found};
use crumple_methods::Method;
use libfuzzer_sys::fuzz_target;

/// The bodies of a scene as they are, in a scene of their own that knows nothing of the edits.
fn found_anew(scene: &Scene, ids: &[BodyId]) -> PlainContacts {
    let mut anew = Method::BruteForce.scene();
    for &id in ids {
        let body = scene.body(id).expect("the body is there");
        let triangles = body.mesh().indices().to_vec();
        let removed: Vec<TriangleId> = (0..triangles.len() as u32)
            .map(TriangleId)
            .filter(|&triangle| !body.mesh().live_triangles().any(|(live, _)| live == triangle))
            .collect();
        let mesh = Mesh::new(body.mesh().vertex_count(), triangles).expect("its vertices are there");
        let mut copy = Body::new(mesh, body.positions()).expect("its positions are finite");
        copy.edit(&Edit { remove: removed, ..Edit::default() }).expect("they were removed before");
        let id = anew.add(copy);
        anew.set_self_collision(id, true).expect("the body is there");
    }
    found(&mut anew)
}

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes(data);
    let mut scene = Scene::new();
    let mut ids = Vec::new();
    for _ in 0..2 {
        let (vertices, triangles) = (3 + bytes.below(20), 1 + bytes.below(40));
        let triangles = (0..triangles).map(|_| [0; 3].map(|_: u8| bytes.below(vertices) as u32)).collect();
        let Ok(mesh) = Mesh::new(vertices, triangles) else { return };
        let body = Body::new(mesh, &bytes.positions(vertices, 1.0)).expect("a grid has finite positions");
        let id = scene.add(body);
        scene.set_self_collision(id, true).expect("the body is there");
        ids.push(id);
    }
    for round in 0..1 + bytes.below(8) {
        let id = ids[round % 2];
        let mesh = scene.body(id).expect("the body is there").mesh();
        let (vertices, triangles) = (mesh.vertex_count(), mesh.triangles().len().max(1));
        match bytes.below(8) {
            0 => drop(scene.compact(id).expect("the body is there")),
            1 => scene.set_positions(id, &bytes.positions(vertices, 1.0)).expect("a grid has finite positions"),
            _ => {
                let mut some = |limit: usize| -> Vec<TriangleId> {
                    (0..bytes.below(limit)).map(|_| TriangleId(bytes.below(triangles) as u32)).collect()
                };
                let (remove, restore) = (some(4), some(3));
                let new = bytes.below(3);
                let add_vertices = bytes.positions(new, 1.0);
                let add_triangles = (0..bytes.below(4)).map(|_| [0; 3].map(|_: u8| bytes.below(vertices + new) as u32));
                let add_triangles = add_triangles.collect();
                let before = scene.clone();
                let edit = Edit { remove, restore, add_vertices, add_triangles, ..Edit::default() };
                if scene.edit(id, &edit).is_err() {
                    let [now, before] = [&scene, &before].map(|scene| scene.body(id).expect("the body is there"));
                    assert_eq!(now.positions(), before.positions());
                    assert_eq!(now.mesh().indices(), before.mesh().indices());
                    assert_eq!(now.mesh().live_count(), before.mesh().live_count());
                }
            }
        }
        assert_eq!(found(&mut scene), found_anew(&scene, &ids));
    }
});
