//! How much do two deforming bodies overlap, and how are they parted? `cargo run --release --example volume`

use crumple::{Body, Mesh};
use crumple_ldi::{OverlapOptions, OverlapSampler, Penetration, PointsInside, PointsOptions};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sphere = crumple_scenes::sphere(crumple_scenes::Solid::Icosahedron, 5)?;
    let squashed = |by: f32, right: f32| -> Vec<[f32; 3]> {
        sphere.positions.iter().map(|&[x, y, z]| [x + right, y / by, z * by]).collect()
    };
    let mesh = || Mesh::new(sphere.positions.len(), sphere.triangles.clone());
    let still = Body::new(mesh()?, &sphere.positions)?;
    let mut moving = Body::new(mesh()?, &squashed(1.0, 2.5))?;

    // Made once: their memory is used again in every frame.
    let options = OverlapOptions::default().with_resolution(256);
    let (mut overlap, mut penetration) = (OverlapSampler::new(options), Penetration::new(options));
    let mut inside = PointsInside::new(PointsOptions::default().with_exact());
    for frame in 0..6 {
        moving.set_positions(&squashed(1.0 + 0.1 * frame as f32, 2.5 - 0.4 * frame as f32))?;
        let answer = overlap.compute(&still, &moving)?;
        println!("frame {frame}: volume {:.5} ± {:.5}", answer.volume(), answer.error_estimate());
        if let Some([x, y, z]) = answer.centroid() {
            let depth = penetration.compute(&moving, &still)?;
            let vertices: Vec<[f32; 3]> = moving.positions().to_vec();
            let count = inside.test(&still, &vertices)?.iter().filter(|&&inside| inside).count();
            println!(
                "  around ({x:.2}, {y:.2}, {z:.2}); parted by {:.3?}; {count} vertices inside",
                depth.translation()
            );
        }
    }
    Ok(())
}
