//! Triangle soups on a small grid, where everything touches everything: the wide tree finds what brute force finds.
//!
//! The input is read as: the sizes of two bodies, the scale of the grid, the triangles, then frames of positions. Corners
//! share vertices and places at random, so there are needles, points, doubles and folds among them.

#![no_main]

use crumple::{Body, BodyId, Mesh};
use crumple_fuzz::{Bytes, found};
use crumple_methods::Method;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes(data);
    let scale = [1.0, 1.0e-30, 3.0e37, 0.1][bytes.below(4)];
    let mut scenes = [Method::BruteForce, Method::default()].map(Method::scene);
    let mut bodies: Vec<(usize, [BodyId; 2])> = Vec::new();
    for _ in 0..2 {
        let (vertices, triangles) = (3 + bytes.below(40), 1 + bytes.below(100));
        let triangles = (0..triangles).map(|_| [0; 3].map(|_: u8| bytes.below(vertices) as u32)).collect();
        let Ok(mesh) = Mesh::new(vertices, triangles) else { return };
        let positions = bytes.positions(vertices, scale);
        let body = Body::new(mesh, &positions).expect("a grid has finite positions");
        let ids = scenes.each_mut().map(|scene| {
            let id = scene.add(body.clone());
            scene.set_self_collision(id, true).expect("the body is there");
            id
        });
        bodies.push((vertices, ids));
    }
    for _ in 0..1 + bytes.below(4) {
        let [brute, wide] = &mut scenes;
        assert_eq!(found(brute), found(wide));
        for &(vertices, ids) in &bodies {
            let positions = bytes.positions(vertices, scale);
            for (scene, id) in scenes.iter_mut().zip(ids) {
                scene.set_positions(id, &positions).expect("a grid has finite positions");
            }
        }
    }
});
