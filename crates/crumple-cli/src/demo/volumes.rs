//! How much the spheres overlap: what pairs of triangles do not show.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use crumple::Body;
use crumple_bench::measure::Recording;
use crumple_io::report::micros;
use crumple_ldi::{OverlapOptions, OverlapSampler};

use crumple_io::words::{size, time};

/// The overlap volume over the frames, in a sentence: from when on, and when the most.
pub(super) fn sentence(recording: &Recording) -> Result<String> {
    let body = |number: usize| Body::new(Arc::clone(&recording.meshes()[number]), &recording.frame(0)[number]);
    ensure!(recording.meshes().len() == 2, "an overlap needs two bodies");
    let mut bodies = [body(0)?, body(1)?];
    let mut overlap = OverlapSampler::new(OverlapOptions::default());
    let (mut first, mut most) = (None, (0, 0.0, 0.0));
    let mut busy = Duration::ZERO;
    for at in 0..recording.len() {
        for (body, positions) in bodies.iter_mut().zip(recording.frame(at)) {
            body.set_positions(positions)?;
        }
        let start = Instant::now();
        let answer = overlap.compute(&bodies[0], &bodies[1])?;
        busy += start.elapsed();
        if answer.volume() > 0.0 {
            first.get_or_insert(recording.number(at));
        }
        if answer.volume() > most.1 {
            most = (recording.number(at), answer.volume(), answer.error_estimate());
        }
    }
    let per_frame = time(micros(busy) / recording.len() as f64);
    Ok(match (first, most) {
        (Some(first), (worst, volume, error)) => format!(
            "Their volumes overlap from frame {first} on, most in frame {worst}: by {} ± {}, in {per_frame} per frame.",
            size(volume, 4),
            size(error, 1)
        ),
        (None, _) => format!("Their volumes do not overlap in any of these frames; {per_frame} per frame to find out."),
    })
}
