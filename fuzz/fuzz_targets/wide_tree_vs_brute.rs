//! Triangle soups on a small grid, where everything touches everything: the wide tree finds what brute force finds.
//!
//! The input is read as: the sizes of two bodies, the scale of the grid, the triangles, then frames of positions. Corners
//! share vertices and places at random, so there are needles, points, doubles and folds among them.

#![no_main]

use crumple::{Body, BodyId, Mesh, Method, Scene};
use libfuzzer_sys::fuzz_target;

/// Bytes one by one; zeros once they are used up.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> u8 {
        let (&first, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        first
    }

    fn below(&mut self, limit: usize) -> usize {
        self.next() as usize % limit
    }

    fn positions(&mut self, count: usize, scale: f32) -> Vec<[f32; 3]> {
        let coordinate = |byte: u8| f32::from(byte as i8 / 16) * scale;
        (0..count).map(|_| [0; 3].map(|_: u8| coordinate(self.next()))).collect()
    }
}

/// The contacts of a frame as plain numbers.
fn found(scene: &mut Scene) -> Vec<(usize, usize, Vec<(u32, u32)>)> {
    let frame = scene.update().expect("no body is known by a loose box");
    let plain = |pairs: &[crumple::TrianglePair]| pairs.iter().map(|pair| (pair.a.0, pair.b.0)).collect();
    frame.contacts().iter().map(|contact| (contact.a.index(), contact.b.index(), plain(contact.pairs))).collect()
}

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes(data);
    let scale = [1.0, 1.0e-30, 3.0e37, 0.1][bytes.below(4)];
    let mut scenes = [Method::BruteForce, Method::default()].map(Scene::new);
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
