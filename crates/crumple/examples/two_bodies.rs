//! Do two meshes collide, and with which triangles? `cargo run --release --example two_bodies`

use crumple::{Body, Mesh};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Any list of triangles over any list of positions will do.
    let sphere = crumple_scenes::sphere(crumple_scenes::Solid::Icosahedron, 4)?;
    let mesh = Mesh::new(sphere.positions.len(), sphere.triangles)?;
    let beside: Vec<[f32; 3]> = sphere.positions.iter().map(|&[x, y, z]| [x + 1.9, y, z]).collect();
    let (a, b) = (Body::new(mesh.clone(), &sphere.positions)?, Body::new(mesh, &beside)?);

    let pairs = crumple::pairs(&a, &b);
    println!("{} pairs of triangles share a point", pairs.len());
    for pair in pairs.iter().take(3) {
        println!("  triangle {} of a and triangle {} of b", pair.a, pair.b);
    }
    assert!(!pairs.is_empty());
    Ok(())
}
