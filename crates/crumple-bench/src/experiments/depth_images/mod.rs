//! HE1, HE2, HE4 and HE5: depth images, overlaps, points and self-overlaps, beside tables 1 and 2 of Heidelberger, Teschner &
//! Gross 2003 and the first figure of their report.
//!
//! A row is a frame of bodies that deform: from the caller's slice on, nothing known from the frame before. Times are
//! medians. The paper's bodies are not public; seeded scenes take their part, or with `--data` real meshes of similar size.

mod deforming;
mod growth;
mod itself;
mod on_gpu;
mod overlaps;
mod points;

use anyhow::{Context, Result};
use crumple::{Body, Mesh};
use crumple_ldi::{ImageOptions, LayeredDepthImage};
use crumple_scenes::{Model, Shape, smooth_body, torus_knot};

use crate::measure::floor;
use crate::settings::Settings;

pub(crate) use deforming::he4;
pub(crate) use itself::he5;
pub(crate) use on_gpu::particles;
pub(crate) use overlaps::{he1, pairs_of_he1};
pub(crate) use points::he2;

/// Samples per side, as in the paper.
const RESOLUTION: u32 = 128;

/// A median needs more rounds than a best time: this many per `--repeat`.
const ROUNDS: usize = 5;

/// A body of the paper: what is used instead of it, and the paper's row of table 2.
struct PaperBody {
    name: &'static str,
    /// The file that is used with `--data`.
    file: &'static str,
    make: fn() -> Result<Shape>,
    /// Depth complexity, then milliseconds for stages 1 and 2 and for the points.
    paper: [u64; 3],
}

const KNOT: PaperBody =
    PaperBody { name: "knot", file: "knot_12k.ply", make: || Ok(torus_knot(24)?), paper: [8, 11, 26] };
const RABBIT: PaperBody =
    PaperBody { name: "rabbit", file: "bunny_60k.ply", make: || Ok(smooth_body(Model::Rabbit)), paper: [8, 29, 27] };
const REPTILE: PaperBody = PaperBody {
    name: "reptile",
    file: "armadillo_100k.ply",
    make: || Ok(smooth_body(Model::Reptile)),
    paper: [12, 83, 28],
};
const SANTA: PaperBody =
    PaperBody { name: "santa", file: "dragon_150k.ply", make: || Ok(smooth_body(Model::Santa)), paper: [8, 79, 26] };
const DRAGON: PaperBody = PaperBody {
    name: "dragon",
    file: "dragon_520k.ply",
    make: || Ok(smooth_body(Model::Dragon)),
    paper: [10, 307, 27],
};

impl PaperBody {
    fn shape(&self, settings: &Settings) -> Result<Shape> {
        if settings.data.is_some() { settings.shape(self.file) } else { (self.make)() }
    }
}

fn rounds(settings: &Settings) -> usize {
    ROUNDS * settings.repeat as usize
}

fn body(shape: &Shape) -> Result<Body> {
    let mesh = Mesh::new(shape.positions.len(), shape.triangles.clone())?;
    // Computed once per mesh, not once per frame.
    mesh.topology();
    Body::new(mesh, &shape.positions).context("a body of the experiment")
}

/// An image of a body, and the median time it takes.
fn image_us(body: &Body, side: u32, settings: &Settings) -> Result<(LayeredDepthImage, f64)> {
    let mut image = LayeredDepthImage::new();
    let options = ImageOptions::default().with_resolution(side);
    image.render(body, &options)?;
    // Rendered a moment ago, so it cannot be refused.
    let us = median_us(settings, || image.render(body, &options).is_ok());
    Ok((image, us))
}

fn floor_us(shape: &Shape, settings: &Settings) -> f64 {
    let padded: Vec<[f32; 4]> = shape.positions.iter().map(|&[x, y, z]| [x, y, z, 0.0]).collect();
    let mut boxes = vec![[0.0; 4]; shape.triangles.len()];
    median_us(settings, || floor::triangle_boxes(&shape.triangles, &padded, &mut boxes))
}

fn median_us<T>(settings: &Settings, mut work: impl FnMut() -> T) -> f64 {
    median((0..rounds(settings)).map(|_| settings.once_us(&mut work)).collect())
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or_default()
}
