//! HE3: particles fall on a body that deforms, and bounce off it.
//!
//! Paper: Heidelberger, Teschner & Gross 2003, section 4 and figure 12: 20,000 particles, a body of 10,000 faces, 29
//! frames per second, including simulation and drawing. Here a frame is the motion of the body and of the particles, depth
//! images, points inside and response; on one thread, without drawing.

mod picture;
mod png;
mod rain;

use std::time::{Duration, Instant};

use anyhow::Result;
use crumple::{Body, Mesh};
use crumple_io::report::micros;

use super::depth_images;
use crate::experiment::Findings;
use crate::settings::Settings;
use crate::show::figures::{Cell, Figures};
use crate::show::plot::{Panel, Scale, Series};
use crumple_io::words::{count, number, size};
use picture::Picture;
use rain::Rain;

/// Particles, as in the paper.
const PARTICLES: usize = 20_000;

/// What a frame consists of, in the order it happens.
const PARTS: [&str; 5] = [
    "motion of the body",
    "taking in the vertices",
    "motion of the particles",
    "three depth images",
    "points inside and bounce",
];

/// Frames per second, part by part; and a picture, if one is wanted.
pub(crate) fn he3(settings: &Settings) -> Result<Findings> {
    let scene = crumple_scenes::by_name("HE3")?;
    let frames = settings.frames_of(scene.frame_count())?;
    let shown = &scene.bodies()[0];
    let mesh = Mesh::new(shown.vertex_count(), shown.triangles().to_vec())?;
    let mut positions = Vec::new();
    let mut picture = settings.picture.as_deref().map(|path| Picture::new(path, frames.clone())).transpose()?;
    let mut best = vec![[Duration::MAX; PARTS.len()]; frames.len()];
    let bar = settings.bar(settings.repeat as usize);
    bar.set_message(format!("{} particles", count(PARTICLES as u64)));
    let (mut touched, mut deepest) = (0, 0.0);
    for _ in 0..settings.repeat {
        shown.positions(frames.start, &mut positions);
        let mut body = Body::new(mesh.clone(), &positions)?;
        let mut rain = Rain::new(PARTICLES);
        (touched, deepest) = (0, 0.0f64);
        for (frame, best) in frames.clone().zip(&mut best) {
            let start = Instant::now();
            shown.positions(frame, &mut positions);
            let moved = Instant::now();
            body.set_positions(&positions)?;
            let taken_in = Instant::now();
            rain.fall();
            let fallen = Instant::now();
            rain.look_at(&body)?;
            let seen = Instant::now();
            touched += rain.bounce();
            let done = Instant::now();
            let parts = [moved - start, taken_in - moved, fallen - taken_in, seen - fallen, done - seen];
            if parts.iter().sum::<Duration>() < best.iter().fold(Duration::ZERO, |sum, part| sum.saturating_add(*part))
            {
                *best = parts;
            }
            deepest = deepest.max(rain.deepest_left());
            if let Some(picture) = &mut picture {
                picture.show(frame, &body, &rain);
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if let Some(picture) = picture {
        picture.write()?;
    }

    let total: Vec<f64> = best.iter().map(|parts| micros(parts.iter().sum())).collect();
    let mean = |us: &dyn Fn(usize) -> f64| (0..best.len()).map(us).sum::<f64>() / best.len() as f64;
    let mut figures = Figures::new("parts", "mean frame, part by part", &[("part", "part"), ("time", "time_us")]);
    for (part, name) in PARTS.into_iter().enumerate() {
        figures.row(vec![Cell::text(name), Cell::Micros(mean(&|frame| micros(best[frame][part])))]);
    }
    let (whole, worst) = (mean(&|frame| total[frame]), total.iter().copied().fold(0.0, f64::max));
    figures.row(vec![Cell::text("the whole frame"), Cell::Micros(whole)]);
    figures.row(vec![Cell::text("the slowest frame"), Cell::Micros(worst)]);
    let mut remarks = vec![
        format!(
            "{} particles on a body of {} triangles, {} frames: {} frames per second, {} at the slowest (paper: 29, drawing \
             included)",
            count(PARTICLES as u64),
            count(shown.triangles().len() as u64),
            best.len(),
            number(1e6 / whole),
            number(1e6 / worst)
        ),
        format!(
            "{} bounces; after each frame no particle was left deeper in the body than {}, which is {} across",
            count(touched),
            size(deepest, 2),
            size(f64::from(rain::ACROSS), 2)
        ),
    ];
    let points = frames.zip(&total).map(|(frame, us)| (frame as f64, us / 1000.0)).collect();
    let panel = Panel {
        title: "HE3: particles on a breathing body".to_owned(),
        x: "frame".to_owned(),
        x_scale: Scale::Linear,
        y: "milliseconds per frame".to_owned(),
        series: vec![Series { label: "the whole frame".to_owned(), points }],
    };
    let mut tables = vec![figures];
    depth_images::particles(settings, &scene, PARTICLES, &mut tables, &mut remarks)?;
    Ok(Findings { tables, panels: vec![panel], remarks, ..Findings::default() })
}
