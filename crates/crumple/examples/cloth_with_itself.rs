//! Where does a cloth pass through itself? `cargo run --release --example cloth_with_itself`

use crumple::{Body, Mesh, Scene};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rolling = crumple_scenes::rolling_cloth(60)?;
    let sheet = &rolling.bodies()[0];
    let mesh = Mesh::new(sheet.vertex_count(), sheet.triangles().to_vec())?;

    let mut scene = Scene::new();
    let cloth = scene.add(Body::new(mesh, &sheet.positions_at(0))?);
    scene.set_self_collision(cloth, true)?;
    let mut worst = (0, 0);
    for number in 0..rolling.frame_count() {
        scene.set_positions(cloth, &sheet.positions_at(number))?;
        // Triangles that share a vertex count only where they pass through each other.
        let pairs = scene.update()?.contacts().pair_count();
        worst = worst.max((pairs, number));
    }
    println!("worst in frame {}: {} pairs of triangles", worst.1, worst.0);
    assert!(worst.0 > 0);
    Ok(())
}
