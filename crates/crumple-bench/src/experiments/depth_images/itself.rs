//! HE5: how much of a body overlaps itself, frame after frame.
//!
//! Heidelberger, Teschner & Gross 2003 leave self-collisions to future work (section 5.2): an "invalid ordering of front and
//! back faces" would show them. So there is no figure of theirs; what is measured is what the question costs beyond the image.

use anyhow::Result;
use crumple::{Body, Mesh};
use crumple_io::words::{counted, size};
use crumple_ldi::{ImageOptions, LayeredDepthImage, SelfOverlap};
use crumple_scenes::Scene;

use super::{RESOLUTION, median};
use crate::experiment::Findings;
use crate::settings::Settings;
use crate::show::figures::{Cell, Figures};

/// A body that comes to overlap itself, one that is turned inside out part by part, and one that stays clean.
const SCENES: [&str; 3] = ["HE5", "CR4-inside-out", "HE3"];

/// Times of the image alone and of the self-overlap, and the largest volumes.
pub(crate) fn he5(settings: &Settings) -> Result<Findings> {
    let fixed = [
        ("scene", "scene"),
        ("triangles", "triangles"),
        ("frames", "frames"),
        ("overlapping itself", "frames_overlapping"),
        ("most covered twice", "volume"),
        ("most inside out", "inverted_volume"),
        ("image", "image_us"),
        ("image and self-overlap", "self_overlap_us"),
        ("it / image", "ratio_to_image"),
    ];
    let on_gpu = [("stencil", "stencil_us"), ("compute", "compute_us")];
    let columns = if settings.gpu.is_some() { [&fixed[..], &on_gpu[..]].concat() } else { fixed.to_vec() };
    let caption = format!("self-overlaps at {RESOLUTION} x {RESOLUTION} samples, medians of frames");
    let mut figures = Figures::new("self_overlaps", caption, &columns);
    let bar = settings.bar(SCENES.len());
    let mut off: f64 = 0.0;
    for name in SCENES {
        bar.set_message(name);
        let scene = crumple_scenes::by_name(name)?;
        let (mut row, volumes) = on_cpu(settings, &scene)?;
        if let Some((device, paths)) = &settings.gpu {
            for path in crate::gpu::Path::ALL {
                if !paths.contains(&path) {
                    row.push(Cell::Nothing);
                    continue;
                }
                let mut finder = device.self_overlaps(path, options())?;
                let mut times = Vec::new();
                each_frame(settings, &scene, |number, body| {
                    let mut found = Ok(0.0);
                    times.push(settings.once_us(|| found = finder.find(body).map(|found| found.volume)));
                    off = off.max((found? - volumes[number]).abs());
                    Ok(())
                })?;
                row.push(Cell::Micros(median(times)));
            }
        }
        figures.row(row);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let mut remarks = vec![
        "the paper leaves self-collisions to future work and gives no time; image: the depth image alone, from the vertices on"
            .to_owned(),
    ];
    if let Some((device, _)) = &settings.gpu {
        remarks.push(format!("gpu: {}; volumes differ from those of the cpu by at most {off:.1e}", device.name()));
    }
    Ok(Findings { tables: vec![figures], remarks, ..Findings::default() })
}

fn options() -> ImageOptions {
    ImageOptions::default().with_resolution(RESOLUTION)
}

/// The row of a scene, and the volume of each frame that is covered more than once.
fn on_cpu(settings: &Settings, scene: &Scene) -> Result<(Vec<Cell>, Vec<f64>)> {
    let (mut image, mut finder) = (LayeredDepthImage::new(), SelfOverlap::new(options()));
    let (mut image_us, mut finder_us) = (Vec::new(), Vec::new());
    let (mut volumes, mut inverted): (Vec<f64>, f64) = (Vec::new(), 0.0);
    each_frame(settings, scene, |_, body| {
        image.render(body, &options())?;
        finder.find(body)?;
        // Rendered a moment ago, so neither can be refused.
        image_us.push(settings.best_us(|| image.render(body, &options()).is_ok()));
        finder_us.push(settings.best_us(|| finder.find(body).is_ok()));
        let found = finder.find(body)?;
        volumes.push(found.volume);
        inverted = inverted.max(found.inverted_volume);
        Ok(())
    })?;
    let overlapping = volumes.iter().filter(|volume| **volume > 0.0).count();
    let (image_us, finder_us) = (median(image_us), median(finder_us));
    let row = vec![
        Cell::text(scene.name()),
        Cell::count(scene.bodies()[0].triangles().len()),
        Cell::text(counted(volumes.len() as u64, "frame")),
        Cell::count(overlapping),
        Cell::text(size(volumes.iter().copied().fold(0.0, f64::max), 6)),
        Cell::text(size(inverted, 6)),
        Cell::Micros(image_us),
        Cell::Micros(finder_us),
        Cell::Ratio(finder_us / image_us),
    ];
    Ok((row, volumes))
}

/// Calls `process` with every frame asked for, by its index among them, and the first body in it.
fn each_frame(settings: &Settings, scene: &Scene, mut process: impl FnMut(usize, &Body) -> Result<()>) -> Result<()> {
    let shown = &scene.bodies()[0];
    let mesh = Mesh::new(shown.vertex_count(), shown.triangles().to_vec())?;
    mesh.topology();
    let mut body = Body::new(mesh, &shown.positions_at(0))?;
    for (number, frame) in settings.frames_of(scene.frame_count())?.enumerate() {
        body.set_positions(&shown.positions_at(frame))?;
        process(number, &body)?;
    }
    Ok(())
}
