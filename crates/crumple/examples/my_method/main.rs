//! How is another way to find pairs written? `cargo run --release --example my_method`
//!
//! `sweep.rs` is the whole of it: a scene takes it like any other method, and its pairs are those of every other method.

mod sweep;

use crumple::{Body, Mesh, Scene};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sphere = crumple_scenes::sphere(crumple_scenes::Solid::Icosahedron, 4)?;
    let mut scenes = [Scene::with_method(sweep::Sweep), Scene::new()];
    for scene in &mut scenes {
        for right in [0.0, 0.9] {
            let moved: Vec<[f32; 3]> = sphere.positions.iter().map(|&[x, y, z]| [x + right, y, z]).collect();
            scene.add(Body::new(Mesh::new(moved.len(), sphere.triangles.clone())?, &moved)?);
        }
    }
    let [by_sweep, by_tree] = &mut scenes;
    let (by_sweep, by_tree) = (by_sweep.update()?, by_tree.update()?);
    for (one, other) in by_sweep.contacts().iter().zip(by_tree.contacts().iter()) {
        assert_eq!(one.pairs, other.pairs);
        println!("{} pairs, by both methods", one.pairs.len());
    }
    Ok(())
}
