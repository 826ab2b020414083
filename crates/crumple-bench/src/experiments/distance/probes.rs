//! DE3 and DE4: closest points and rays on a body of LE1 as it deforms.

use std::time::Instant;

use anyhow::{Result, ensure};
use crumple::Ray;
use crumple_io::report::micros;
use crumple_methods::Method;

use super::floor::{confirm_points, confirm_rays};
use super::{Times, summary};
use crate::experiment::Findings;
use crate::measure::Recording;
use crate::measure::floor::{self as floors, Now};
use crate::measure::passes::fill;
use crate::settings::Settings;

const POINTS: usize = 100_000;
const RAYS: usize = 1_000_000;

/// Every so many frames of LE1 are measured.
const EVERY: usize = 20;

/// 100,000 closest points, without and with a sign.
pub(crate) fn de3(settings: &Settings) -> Result<Findings> {
    let recording = recording(settings)?;
    let points = crumple_scenes::points_in_box(POINTS, 3, [-1.5; 3], [1.5; 3]);
    let (mut scene, ids) = recording.scene_at(Method::default(), 0)?;
    let frames: Vec<usize> = (0..recording.len()).step_by(EVERY).collect();
    let mut times = [vec![Times::NONE; frames.len()], vec![Times::NONE; frames.len()]];
    let mut caller: Vec<Vec<[f32; 3]>> = vec![Vec::new(); ids.len()];
    let (mut found, mut boxes) = (Vec::new(), Vec::new());
    let bar = settings.bar(settings.repeat as usize);
    for _ in 0..settings.repeat {
        for (at, &frame) in frames.iter().enumerate() {
            fill(&mut caller, recording.frame(frame));
            // Points move with the body, as its surroundings would.
            let centre = centre(&caller[0]);
            let around: Vec<[f32; 3]> =
                points.iter().map(|p| std::array::from_fn(|axis| p[axis] + centre[axis])).collect();
            for (signed, times) in times.iter_mut().enumerate() {
                let start = Instant::now();
                scene.set_positions(ids[0], &caller[0])?;
                let now = scene.update()?;
                let updated = Instant::now();
                match signed {
                    0 => now.closest_points(ids[0], &around, &mut found)?,
                    _ => now.signed_closest_points(ids[0], &around, &mut found)?,
                }
                let done = Instant::now();
                let triangles: Vec<u32> = found.iter().map(|closest| closest.triangle.0).collect();
                let body = Now { triangles: recording.meshes()[0].indices(), positions: &caller[0] };
                let floor_start = Instant::now();
                floors::boxes(&caller[..1], &mut boxes);
                confirm_points(body, &around, &triangles);
                times[at].keep_best(micros(updated - start), micros(done - updated), micros(floor_start.elapsed()));
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let mut findings = Findings::default();
    let caption = caption(&recording, frames.len(), "100,000 points in the box around it and half its size more");
    let [plain, signed] = &times;
    findings.tables.push(summary(caption, &[("closest points", plain), ("with sign", signed)]));
    Ok(findings)
}

/// 1,000,000 rays from a sphere around the body towards points near it.
pub(crate) fn de4(settings: &Settings) -> Result<Findings> {
    let recording = recording(settings)?;
    let ends = crumple_scenes::points_in_box(2 * RAYS, 4, [-1.0; 3], [1.0; 3]);
    let (mut scene, ids) = recording.scene_at(Method::default(), 0)?;
    let frames: Vec<usize> = (0..recording.len()).step_by(EVERY).collect();
    let mut times = vec![Times::NONE; frames.len()];
    let mut caller: Vec<Vec<[f32; 3]>> = vec![Vec::new(); ids.len()];
    let (mut hits, mut boxes, mut count) = (Vec::new(), Vec::new(), 0);
    let bar = settings.bar(settings.repeat as usize);
    for _ in 0..settings.repeat {
        for (at, &frame) in frames.iter().enumerate() {
            fill(&mut caller, recording.frame(frame));
            let centre = centre(&caller[0]);
            let ray = |&[from, to]: &[[f32; 3]; 2]| {
                let length = from.iter().map(|x| x * x).sum::<f32>().sqrt().max(1e-3);
                let origin: [f32; 3] = std::array::from_fn(|axis| centre[axis] + 3.0 * from[axis] / length);
                [origin, std::array::from_fn(|axis| centre[axis] + to[axis] - origin[axis])]
            };
            let plain: Vec<[[f32; 3]; 2]> = ends.as_chunks::<2>().0.iter().map(ray).collect();
            let rays: Vec<Ray> = plain.iter().map(|&[origin, direction]| Ray::new(origin, direction)).collect();
            let start = Instant::now();
            scene.set_positions(ids[0], &caller[0])?;
            let now = scene.update()?;
            let updated = Instant::now();
            now.cast_rays_at(ids[0], &rays, &mut hits)?;
            let done = Instant::now();
            count = hits.iter().flatten().count();
            let triangles: Vec<Option<u32>> = hits.iter().map(|hit| hit.map(|hit| hit.triangle.0)).collect();
            let body = Now { triangles: recording.meshes()[0].indices(), positions: &caller[0] };
            let floor_start = Instant::now();
            floors::boxes(&caller[..1], &mut boxes);
            confirm_rays(body, &plain, &triangles);
            times[at].keep_best(micros(updated - start), micros(done - updated), micros(floor_start.elapsed()));
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    ensure!(count > 0, "no ray hits the body");
    let mut findings = Findings::default();
    let caption =
        caption(&recording, frames.len(), &format!("1,000,000 rays, of which {count} hit it in the last frame"));
    findings.tables.push(summary(caption, &[("first hits", &times)]));
    Ok(findings)
}

fn recording(settings: &Settings) -> Result<Recording> {
    let scene = crumple_scenes::by_name("LE1")?;
    Recording::of(&scene, settings.frames_of(scene.frame_count())?)
}

fn caption(recording: &Recording, frames: usize, what: &str) -> String {
    let (scene, digest) = (&recording.scene, &recording.digest);
    format!("the first body of {scene} ({digest}), 20,480 triangles, in {frames} frames: {what}")
}

/// The middle of the vertices.
fn centre(positions: &[[f32; 3]]) -> [f32; 3] {
    let sum = positions.iter().fold([0.0f64; 3], |sum, p| std::array::from_fn(|axis| sum[axis] + f64::from(p[axis])));
    sum.map(|x| (x / positions.len().max(1) as f64) as f32)
}
