//! How far apart are two bodies, and where do they come too close? `cargo run --release --example clearance`

use crumple::{Body, FeaturePair, Mesh, Scene};

/// A sheet of 20 x 20 squares with a bump of a height in its middle.
fn sheet(height: f32) -> Vec<[f32; 3]> {
    let point = |at: u32| {
        let (x, z) = ((at % 21) as f32 / 10.0 - 1.0, (at / 21) as f32 / 10.0 - 1.0);
        [x, height * (-8.0 * (x * x + z * z)).exp(), z]
    };
    (0..21 * 21).map(point).collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let square = |at: u32| {
        let corner = at / 20 * 21 + at % 20;
        [[corner, corner + 21, corner + 1], [corner + 1, corner + 21, corner + 22]]
    };
    let mesh = Mesh::new(21 * 21, (0..400).flat_map(square).collect())?;
    let lid = Mesh::new(4, vec![[0, 1, 2], [0, 2, 3]])?;
    let lid_at = [[-1.0, 1.0, -1.0], [1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [-1.0, 1.0, 1.0f32]];

    let mut scene = Scene::new();
    let floor = scene.add(Body::new(mesh, &sheet(0.0))?);
    let lid = scene.add(Body::new(lid, &lid_at)?);
    let clearance = 0.1;
    for step in 0..=10 {
        scene.set_positions(floor, &sheet(0.099 * step as f32))?;
        let frame = scene.update()?;
        let closest = frame.distance(floor, lid)?; // starts from where they were closest in the last frame
        println!("step {step}: {:.4} apart, at {:.2?}", closest.distance.hi, closest.points);
        if frame.is_closer_than(floor, lid, clearance)? {
            // What a solver acts on: the nearest features, how near, and in which direction to push.
            for near in frame.near(clearance) {
                if let FeaturePair::VertexFace { vertex, triangle, .. } = near.features {
                    println!(
                        "  vertex {vertex} is {:.4} from triangle {triangle}, along {:.1?}",
                        near.distance(),
                        near.direction
                    );
                }
            }
        }
    }
    assert!((scene.update()?.distance(floor, lid)?.distance.hi - 0.01).abs() < 1e-6);
    Ok(())
}
