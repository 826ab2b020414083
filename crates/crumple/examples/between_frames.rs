//! Does something pass through between two frames, and how far may the step go? `cargo run --release --example between_frames`

use crumple::{Body, Mesh, Scene};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wall = Mesh::new(4, vec![[0, 1, 2], [0, 2, 3]])?;
    let wall_at = [[0.0, -5.0, -5.0], [0.0, 5.0, -5.0], [0.0, 5.0, 5.0], [0.0, -5.0, 5.0f32]];
    let bullet = Mesh::new(4, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    let bullet_at = |x: f32| [[x, 0.0, 0.0], [x - 0.2, 0.1, 0.0], [x - 0.2, -0.1, 0.1], [x - 0.2, -0.1, -0.1]];

    let mut scene = Scene::new();
    scene.add(Body::new(wall, &wall_at)?);
    let bullet = scene.add(Body::new(bullet, &bullet_at(-3.0))?);
    scene.update()?; // the start of the step

    scene.set_positions(bullet, &bullet_at(5.0))?;
    let frame = scene.update()?; // the end of the step
    assert!(frame.contacts().is_empty(), "neither frame shows a contact");
    let Some(first) = frame.first_impact() else { return Err("the bullet passed unseen".into()) };
    let time = first.time;
    println!("they meet between {} and {} of the step: {:?}", time.lo, time.hi, first.features);
    println!("normal {:.2?}; up to {} of the step nothing meets", first.normal, frame.safe_step());
    assert!((time.lo - 3.0 / 8.0).abs() < 1e-6);
    Ok(())
}
