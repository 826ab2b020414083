//! HE1, HE2 and HE3 on the GPU, beside the CPU (`--gpu`).
//!
//! A frame begins with the vertices in the caller's memory, as on the CPU: they are taken in, uploaded, rendered and asked
//! about, and it ends when the answer is back. So the GPU pays for both transfers; a simulation on the GPU would not.

use anyhow::{Result, anyhow};
use crumple::{Body, Mesh};
use crumple_ldi::{ImageOptions, OverlapOptions};
use crumple_scenes::{Scene, Shape, points_in_box};

use super::{RESOLUTION, median, rounds};
use crate::settings::Settings;
use crate::show::figures::{Cell, Figures};
use crumple_io::words::count;

/// A table with one row per body or pair of bodies.
pub(super) struct OnGpu {
    figures: Option<Figures>,
    /// The greatest difference of a volume from the CPU's, of the volume.
    off: f64,
}

impl OnGpu {
    /// For overlaps of two bodies.
    pub(super) fn overlaps(settings: &Settings) -> Self {
        let caption = format!("the same on the gpu at {RESOLUTION} x {RESOLUTION} samples, medians of whole frames");
        let fixed = [("bodies", "bodies"), ("triangles", "triangles"), ("cpu", "cpu_us")];
        Self::new(settings, "overlaps_on_gpu", caption, &fixed, &[("stencil", "stencil_us"), ("compute", "compute_us")])
    }

    /// For images of whole bodies and points in them.
    pub(super) fn images(settings: &Settings) -> Self {
        let caption = format!("the same on the gpu at {RESOLUTION} x {RESOLUTION} samples, medians, uploads included");
        let fixed = [("body", "body"), ("triangles", "triangles"), ("image: cpu", "cpu_us")];
        let paths = [("stencil", "stencil_us"), ("compute", "compute_us")];
        let mut this = Self::new(settings, "images_on_gpu", caption.clone(), &fixed, &paths);
        if this.figures.is_some() {
            let points = [("points: cpu", "cpu_points_us"), ("points: gpu", "gpu_points_us")];
            let columns = [&fixed[..], &paths[..], &points[..]].concat();
            this.figures = Some(Figures::new("images_on_gpu", caption, &columns));
        }
        this
    }

    fn new(
        settings: &Settings,
        name: &'static str,
        caption: String,
        fixed: &[(&'static str, &'static str)],
        paths: &[(&'static str, &'static str)],
    ) -> Self {
        let columns = [fixed, paths].concat();
        Self { figures: settings.gpu.is_some().then(|| Figures::new(name, caption, &columns)), off: 0.0 }
    }

    /// A row about two bodies; `on_cpu` is what the CPU took and found.
    pub(super) fn overlap(
        &mut self,
        settings: &Settings,
        [bodies, triangles]: [String; 2],
        on: &mut [Body; 2],
        shapes: &[Shape; 2],
        on_cpu: (f64, f64),
    ) -> Result<()> {
        let (Some((device, paths)), Some(figures)) = (&settings.gpu, &mut self.figures) else { return Ok(()) };
        let mut row = vec![Cell::text(bodies), Cell::text(triangles), Cell::Micros(on_cpu.0)];
        for path in crate::gpu::Path::ALL {
            if !paths.contains(&path) {
                row.push(Cell::Nothing);
                continue;
            }
            let mut overlaps = device.overlaps(path, &OverlapOptions::default().with_resolution(RESOLUTION))?;
            // The first frame makes room.
            let found = overlaps.compute(&on[0], &on[1])?;
            self.off = self.off.max((found.volume - on_cpu.1).abs() / on_cpu.1.max(f64::MIN_POSITIVE));
            let mut times = Vec::new();
            for _ in 0..rounds(settings) {
                let mut frame = || -> Result<f64> {
                    for (body, shape) in on.iter_mut().zip(shapes) {
                        body.set_positions(&shape.positions)?;
                    }
                    Ok(overlaps.compute(&on[0], &on[1])?.volume)
                };
                let mut done = Ok(0.0);
                times.push(settings.once_us(|| done = frame()));
                done?;
            }
            row.push(Cell::Micros(median(times)));
        }
        figures.row(row);
        Ok(())
    }

    /// A row about a body and points; `on_cpu` is what the CPU took for each.
    pub(super) fn image(
        &mut self,
        settings: &Settings,
        [name, triangles]: [String; 2],
        body: &mut Body,
        shape: &Shape,
        points: &[[f32; 3]],
        on_cpu: [f64; 2],
    ) -> Result<()> {
        let (Some((device, paths)), Some(figures)) = (&settings.gpu, &mut self.figures) else { return Ok(()) };
        let mut row = vec![Cell::text(name), Cell::text(triangles), Cell::Micros(on_cpu[0])];
        let mut points_us = Cell::Nothing;
        let mut inside = Vec::new();
        for path in crate::gpu::Path::ALL {
            if !paths.contains(&path) {
                row.push(Cell::Nothing);
                continue;
            }
            let mut images = device.images(path, ImageOptions::default().with_resolution(RESOLUTION))?;
            images.render(body)?;
            images.contains_points(points, &mut inside)?;
            let (mut rendering, mut asking) = (Vec::new(), Vec::new());
            for _ in 0..rounds(settings) {
                body.set_positions(&shape.positions)?;
                let mut done = Ok(());
                rendering.push(settings.once_us(|| done = images.render(body).and_then(|()| images.finish())));
                done?;
                let mut done = Ok(());
                asking.push(settings.once_us(|| done = images.contains_points(points, &mut inside)));
                done?;
            }
            row.push(Cell::Micros(median(rendering)));
            points_us = Cell::Micros(median(asking));
        }
        row.extend([Cell::Micros(on_cpu[1]), points_us]);
        figures.row(row);
        Ok(())
    }

    /// Puts the table with the others, if there is one.
    pub(super) fn finish(self, settings: &Settings, tables: &mut Vec<Figures>, remarks: &mut Vec<String>) {
        let (Some((device, _)), Some(figures)) = (&settings.gpu, self.figures) else { return };
        tables.push(figures);
        remarks.push(format!("gpu: {}", device.name()));
        if self.off > 0.0 {
            remarks.push(format!(
                "volumes of the gpu differ from those of the cpu by at most {:.1e} of the volume",
                self.off
            ));
        }
    }
}

/// HE3: an image and all particles, frame after frame.
pub(crate) fn particles(
    settings: &Settings,
    scene: &Scene,
    particles: usize,
    tables: &mut Vec<Figures>,
    remarks: &mut Vec<String>,
) -> Result<()> {
    let Some((device, paths)) = &settings.gpu else { return Ok(()) };
    let shown = &scene.bodies()[0];
    let mesh = Mesh::new(shown.vertex_count(), shown.triangles().to_vec())?;
    let points = points_in_box(particles, 1, [-1.5, -2.2, -1.5], [1.5, 2.4, 1.5]);
    let columns = [("path", "path"), ("layers", "depth_complexity"), ("image", "image_us"), ("points", "points_us")];
    let caption = format!("one image and {} points per frame on the gpu, medians", count(particles as u64));
    let mut figures = Figures::new("particles_on_gpu", caption, &columns);
    for &path in paths {
        let mut images = device.images(path, ImageOptions::default().with_resolution(RESOLUTION))?;
        let (mut rendering, mut asking, mut layers, mut inside) = (Vec::new(), Vec::new(), 0, Vec::new());
        let mut body: Option<Body> = None;
        for frame in settings.frames_of(scene.frame_count())? {
            let positions = shown.positions_at(frame);
            match &mut body {
                Some(body) => body.set_positions(&positions)?,
                None => body = Some(Body::new(mesh.clone(), &positions)?),
            }
            let body = body.as_ref().ok_or_else(|| anyhow!("HE3 has no frame"))?;
            let mut done = Ok(());
            rendering.push(settings.once_us(|| done = images.render(body).and_then(|()| images.finish())));
            done?;
            let mut done = Ok(());
            asking.push(settings.once_us(|| done = images.contains_points(&points, &mut inside)));
            done?;
            layers = layers.max(images.depth_complexity());
        }
        figures.row(vec![
            Cell::text(path.name()),
            Cell::Count(u64::from(layers)),
            Cell::Micros(median(rendering)),
            Cell::Micros(median(asking)),
        ]);
    }
    tables.push(figures);
    remarks.push(format!("gpu: {}", device.name()));
    Ok(())
}
