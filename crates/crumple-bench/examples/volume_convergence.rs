//! How fast does a sampled volume converge? `cargo run --release -p crumple-bench --example volume_convergence`
//!
//! Two balls, whose finest meshes are compared with the formula for a lens, and two boxes, both turned the same way,
//! against length by width by height.

use crumple::{Body, Mesh};
use crumple_ldi::{OverlapOptions, OverlapSampler};
use crumple_scenes::{Shape, Solid, sphere};

fn body(shape: &Shape, place: impl Fn([f64; 3]) -> [f64; 3]) -> Result<Body, Box<dyn std::error::Error>> {
    let positions: Vec<[f32; 3]> = shape.positions.iter().map(|&p| place(p.map(f64::from)).map(|x| x as f32)).collect();
    Ok(Body::new(Mesh::new(positions.len(), shape.triangles.clone())?, &positions)?)
}

/// Turned about two axes, so that no side lies along the samples.
fn turned([x, y, z]: [f64; 3]) -> [f64; 3] {
    let ((s, c), (t, d)) = (0.6f64.sin_cos(), 1.1f64.sin_cos());
    let (x, y) = (c * x - s * y, s * x + c * y);
    [x, d * y - t * z, t * y + d * z]
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ball = sphere(Solid::Icosahedron, 7)?;
    let (r, s, d) = (1.0, 0.8, 1.2f64);
    let balls = [body(&ball, |p| p)?, body(&ball, |[x, y, z]| [s * x + d, s * y, s * z])?];
    let lens =
        std::f64::consts::PI * (r + s - d).powi(2) * (d * d + 2.0 * d * (r + s) - 3.0 * (r - s).powi(2)) / (12.0 * d);

    let corner = |k: u32| [k & 1, k >> 1 & 1, k >> 2].map(|bit| bit as f32);
    let sides = [[0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4]];
    let more = [[2, 6, 3], [3, 6, 7], [0, 4, 2], [2, 4, 6], [1, 3, 5], [3, 7, 5]];
    let cube = Shape { positions: (0..8).map(corner).collect(), triangles: [sides, more].concat() };
    let boxes = [
        body(&cube, |[x, y, z]| turned([2.0 * x, y, 1.5 * z]))?,
        body(&cube, |[x, y, z]| turned([x + 1.3, 2.0 * y - 0.4, z + 0.7]))?,
    ];

    let compute = |bodies: &[Body; 2], n: u32| -> Result<[f64; 2], crumple_ldi::VolumeError> {
        let mut overlap = OverlapSampler::new(OverlapOptions::default().with_resolution(n));
        let answer = overlap.compute(&bodies[0], &bodies[1])?;
        Ok([answer.volume(), answer.volume_of_interest().map_or(0.0, |voi| voi.volume())])
    };
    // Polyhedra are a little less than balls: that is no error of the image.
    let [finest, _] = compute(&balls, 4096)?;
    println!("the balls' meshes overlap by {:.4} % less than the balls", 100.0 * (1.0 - finest / lens));
    println!("   N   two balls: error, x N² / VoI   two boxes: error, x N² / VoI");
    for n in [16, 32, 64, 128, 256, 512, 1024, 2048] {
        print!("{n:4}");
        for (bodies, truth) in [(&balls, finest), (&boxes, 0.7 * 1.0 * 0.8)] {
            let [volume, of_box] = compute(bodies, n)?;
            let error = (volume - truth).abs();
            print!("   {:14.5} %  {:8.2}", 100.0 * error / truth, error / of_box * f64::from(n * n));
        }
        println!();
    }
    Ok(())
}
