//! What the default method takes: bytes per triangle, and nanoseconds per triangle to build.
//!
//! ```text
//! cargo run --release -p crumple-bench --example footprint > results/MACHINE/footprint.csv
//! ```
//!
//! Two bumpy spheres in deep contact, at sizes from 1,280 to 327,680 triangles per body. *Bodies* is what the two
//! bodies hold (vertices of three frames, triangles), *method* what trees and working memory add after the pairs of a frame have
//! been found. The build is the best of seven, on one thread.

use std::time::{Duration, Instant};

use allocation_counter::measure;
use crumple::narrow::PairMethod;
use crumple::narrow::wide_tree::WideTree;
use crumple::{Body, Mesh, Scene};
use crumple_bench::measure::machine;
use crumple_scenes::Solid;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!(
        "machine,commit,experiment,table,triangles_per_body,body_bytes_per_triangle,method_bytes_per_triangle,\
         build_ns_per_triangle"
    );
    let (machine, commit) = (machine::machine().replace(',', ""), machine::commit());
    for level in 3..=7 {
        let scene = crumple_scenes::bumpy_spheres(Solid::Icosahedron, level)?;
        let last = scene.frame_count() - 1;
        let mut bodies = Vec::new();
        let of_bodies = measure(|| {
            for body in scene.bodies() {
                let mesh = Mesh::new(body.vertex_count(), body.triangles().to_vec());
                bodies.extend(mesh.ok().and_then(|mesh| Body::new(mesh, &body.positions_at(last)).ok()));
            }
            // A second frame, so that the room for it is there.
            for (body, scene) in bodies.iter_mut().zip(scene.bodies()) {
                let moved = body.set_positions(&scene.positions_at(last));
                debug_assert!(moved.is_ok());
            }
        });
        let triangles: usize = bodies.iter().map(|body| body.mesh().triangles().len()).sum();
        let mut build = Duration::MAX;
        for _ in 0..7 {
            let start = Instant::now();
            let tree = WideTree::default().build(&bodies[0]);
            build = build.min(start.elapsed());
            drop(tree);
        }
        let mut staged = Scene::new();
        let of_method = measure(|| {
            for body in bodies.drain(..) {
                staged.add(body);
            }
            let pairs = staged.update().map(|frame| frame.contacts().pair_count());
            debug_assert!(pairs.is_ok());
        });
        let per_triangle = |bytes: i64| bytes as f64 / triangles as f64;
        println!(
            "{machine},{commit},footprint,sizes,{},{:.1},{:.1},{:.0}",
            triangles / 2,
            per_triangle(of_bodies.bytes_current),
            per_triangle(of_method.bytes_current),
            build.as_nanos() as f64 / (triangles / 2) as f64
        );
    }
    Ok(())
}
