//! Which bodies begin to touch, and which let go, while they deform? `cargo run --release --example every_frame`

use crumple::{Body, Mesh, Scene};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sphere = crumple_scenes::sphere(crumple_scenes::Solid::Icosahedron, 4)?;
    let mesh = Mesh::new(sphere.positions.len(), sphere.triangles)?;
    // A ball that is squashed while it passes another.
    let at = |frame: u32| -> Vec<[f32; 3]> {
        let (x_by, squash) = (4.0 - 0.4 * frame as f32, 1.0 + 0.3 * (0.9 * frame as f32).sin());
        sphere.positions.iter().map(|&[x, y, z]| [x * squash + x_by, y / squash + 1.2, z]).collect()
    };

    let mut scene = Scene::new();
    scene.add(Body::new(mesh.clone(), &sphere.positions)?);
    let moving = scene.add(Body::new(mesh, &at(0))?);
    let (mut began, mut ended) = (0, 0);
    for number in 0..20 {
        scene.set_positions(moving, &at(number))?;
        let frame = scene.update()?;
        for contact in frame.began() {
            println!("frame {number}: {} and {} begin to touch, {} pairs", contact.a, contact.b, contact.pairs.len());
            began += 1;
        }
        for pair in frame.ended() {
            println!("frame {number}: {} and {} let go", pair.a, pair.b);
            ended += 1;
        }
    }
    assert_eq!((began, ended), (1, 1));
    Ok(())
}
