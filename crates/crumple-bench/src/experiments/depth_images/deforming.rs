//! HE4: the intersection volume of two deforming bodies, frame after frame.
//!
//! Paper: Heidelberger, Teschner & Gross 2003, report 395, figure 1: "two deforming objects with 150k and 5k faces. An explicit
//! representation of the red intersection volume can be computed at interactive frame rate." It gives no time. A frame here
//! begins with the vertices in the caller's memory and ends with the spans of the overlap; on one thread.

use std::time::{Duration, Instant};

use anyhow::Result;
use crumple::{Body, Mesh};
use crumple_io::report::micros;
use crumple_io::words::{count, counted, number, size};
use crumple_ldi::{OverlapOptions, OverlapSampler};
use crumple_scenes::{Scene, Shape};

use super::{RESOLUTION, floor_us, median};
use crate::experiment::Findings;
use crate::settings::Settings;
use crate::show::figures::{Cell, Figures};
use crate::show::plot::{Panel, Scale, Series};

/// What a frame consists of, in the order it happens.
const STAGES: [&str; 3] =
    ["taking in the vertices", "stage 1+2: volume of interest and both images", "stage 3: their intersection"];

/// Milliseconds per frame, stage by stage.
pub(crate) fn he4(settings: &Settings) -> Result<Findings> {
    let scene = crumple_scenes::by_name("HE4")?;
    let frames = settings.frames_of(scene.frame_count())?;
    let mut bodies = start(&scene, frames.start)?;
    let mut positions = [Vec::new(), Vec::new()];
    let mut overlap = OverlapSampler::new(OverlapOptions::default().with_resolution(RESOLUTION));
    let mut best = vec![[Duration::MAX; STAGES.len()]; frames.len()];
    let mut found = vec![(0.0, 0, [0; 2]); frames.len()];
    let bar = settings.bar(settings.repeat as usize);
    bar.set_message("deforming pair");
    for _ in 0..settings.repeat {
        for ((frame, best), found) in frames.clone().zip(&mut best).zip(&mut found) {
            for (body, positions) in scene.bodies().iter().zip(&mut positions) {
                body.positions(frame, positions);
            }
            let begun = Instant::now();
            for (body, positions) in bodies.iter_mut().zip(&positions) {
                body.set_positions(positions)?;
            }
            let taken_in = Instant::now();
            overlap.render(&bodies[0], &bodies[1])?;
            let rendered = Instant::now();
            let answer = overlap.combine();
            let done = Instant::now();
            *found = (answer.volume(), answer.spans().count(), answer.depth_complexity());
            let stages = [taken_in - begun, rendered - taken_in, done - rendered];
            let sum = |stages: &[Duration]| stages.iter().fold(Duration::ZERO, |sum, one| sum.saturating_add(*one));
            if sum(&stages) < sum(best) {
                *best = stages;
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();

    let total: Vec<f64> = best.iter().map(|stages| micros(stages.iter().sum())).collect();
    let mean = |us: &dyn Fn(usize) -> f64| (0..best.len()).map(us).sum::<f64>() / best.len() as f64;
    let columns = [("stage", "stage"), ("mean frame", "mean_us"), ("slowest frame", "slowest_us")];
    let caption = format!("the overlap of two deforming bodies at {RESOLUTION} x {RESOLUTION} samples, stage by stage");
    let mut figures = Figures::new("stages", caption, &columns);
    let mut row = |name: &str, us: &dyn Fn(usize) -> f64| {
        let slowest = (0..best.len()).map(us).fold(0.0, f64::max);
        figures.row(vec![Cell::text(name), Cell::Micros(mean(us)), Cell::Micros(slowest)]);
    };
    for (stage, name) in STAGES.into_iter().enumerate() {
        row(name, &|frame| micros(best[frame][stage]));
    }
    row("the whole frame", &|frame| total[frame]);
    let floor = floor(&scene, frames.start, settings);
    row("floor", &|_| floor);

    let (whole, slowest) = (mean(&|frame| total[frame]), total.iter().copied().fold(0.0, f64::max));
    let worst = (0..found.len()).fold(0, |worst, frame| if found[frame].0 > found[worst].0 { frame } else { worst });
    let (volume, spans, [layers_a, layers_b]) = found[worst];
    let triangles = scene.bodies().iter().map(|body| count(body.triangles().len() as u64)).collect::<Vec<_>>();
    let mut remarks = vec![
        format!(
            "bodies of {} triangles, {}: {} frames per second, {} at the slowest (paper, figure 1 of the report: 150k and 5k \
             faces at \"interactive frame rate\", without a figure)",
            triangles.join(" and "),
            counted(found.len() as u64, "frame"),
            number(1e6 / whole),
            number(1e6 / slowest)
        ),
        format!(
            "they overlap in {} of {}, most in frame {}: a volume of {} in {} of {layers_a} / {layers_b} layers",
            count(found.iter().filter(|(volume, ..)| *volume > 0.0).count() as u64),
            counted(found.len() as u64, "frame"),
            frames.start + worst,
            size(volume, 6),
            counted(spans as u64, "span")
        ),
        "floor: one pass that computes the two-dimensional boxes of all triangles".to_owned(),
    ];
    let points = frames.clone().zip(&total).map(|(frame, us)| (frame as f64, us / 1000.0)).collect();
    let panel = Panel {
        title: "HE4: overlap of two deforming bodies".to_owned(),
        x: "frame".to_owned(),
        x_scale: Scale::Linear,
        y: "milliseconds per frame".to_owned(),
        series: vec![Series { label: "the whole frame".to_owned(), points }],
    };
    let mut tables = vec![figures];
    on_gpu(settings, &scene, &found, &mut tables, &mut remarks)?;
    Ok(Findings { tables, panels: vec![panel], remarks, ..Findings::default() })
}

/// Both bodies in a frame.
fn start(scene: &Scene, frame: usize) -> Result<Vec<Body>> {
    let body = |body: &crumple_scenes::SceneBody| {
        let mesh = Mesh::new(body.vertex_count(), body.triangles().to_vec())?;
        // Computed once per mesh, not once per frame.
        mesh.topology();
        Ok(Body::new(mesh, &body.positions_at(frame))?)
    };
    scene.bodies().iter().map(body).collect()
}

fn floor(scene: &Scene, frame: usize, settings: &Settings) -> f64 {
    let shape = |body: &crumple_scenes::SceneBody| Shape {
        triangles: body.triangles().to_vec(),
        positions: body.positions_at(frame),
    };
    scene.bodies().iter().map(|body| floor_us(&shape(body), settings)).sum()
}

/// The same on the GPU: the overlap, and reading its spans back.
fn on_gpu(
    settings: &Settings,
    scene: &Scene,
    on_cpu: &[(f64, usize, [u32; 2])],
    tables: &mut Vec<Figures>,
    remarks: &mut Vec<String>,
) -> Result<()> {
    let Some((device, paths)) = &settings.gpu else { return Ok(()) };
    let frames = settings.frames_of(scene.frame_count())?;
    let columns = [("path", "path"), ("overlap", "overlap_us"), ("spans read back", "spans_us")];
    let mut figures =
        Figures::new("deforming_on_gpu", "the same on the gpu, medians of frames, uploads included", &columns);
    let mut off: f64 = 0.0;
    for &path in paths {
        let mut bodies = start(scene, frames.start)?;
        let mut overlaps = device.overlaps(path, &OverlapOptions::default().with_resolution(RESOLUTION))?;
        let (mut computing, mut reading) = (Vec::new(), Vec::new());
        for (frame, (volume, ..)) in frames.clone().zip(on_cpu) {
            for (body, of_scene) in bodies.iter_mut().zip(scene.bodies()) {
                body.set_positions(&of_scene.positions_at(frame))?;
            }
            let (mut answer, mut spans) = (Ok(0.0), Ok(Vec::new()));
            computing
                .push(settings.once_us(|| answer = overlaps.compute(&bodies[0], &bodies[1]).map(|found| found.volume)));
            reading.push(settings.once_us(|| spans = overlaps.spans()));
            off = off.max((answer? - volume).abs());
            spans?;
        }
        figures.row(vec![Cell::text(path.name()), Cell::Micros(median(computing)), Cell::Micros(median(reading))]);
    }
    tables.push(figures);
    remarks.push(format!("gpu: {}; volumes differ from those of the cpu by at most {off:.1e}", device.name()));
    Ok(())
}
