//! HE1 and HE2: depth images, overlaps and points, beside tables 1 and 2 of Heidelberger, Teschner & Gross 2003.
//!
//! A row is a frame of bodies that deform: from the caller's slice on, nothing known from the frame before. Times are
//! medians. The paper's bodies are not public; the scenes stand for them, or with `--data` real meshes of like size.

use std::hint::black_box;
use std::num::NonZeroUsize;
use std::time::Instant;

use anyhow::{Context, Result};
use crumple::volume::{ImageOptions, LayeredDepthImage, Overlap, OverlapOptions, PointsInside, PointsOptions};
use crumple::{Body, Mesh};
use crumple_io::report::micros;
use crumple_scenes::{Model, Shape, points_in_box, smooth_body, torus_knot};
use indicatif::ProgressBar;

use super::figures::{Cell, Figures};
use super::floor;
use super::own::{Findings, Settings};
use super::plot::{Panel, Scale, Series};
use crate::table::{count, number, ratio, time};
use crate::threads;

/// Samples a side, as in the paper.
const RESOLUTION: u32 = 128;

/// Points asked for in table 2.
const POINTS: usize = 100_000;

/// A median needs more rounds than a best time: so many for each `--repeat`.
const ROUNDS: usize = 5;

/// A body of the paper: what stands for it, and the paper's row of table 2.
struct Stand {
    name: &'static str,
    /// The file that stands for it with `--data`.
    file: &'static str,
    make: fn() -> Result<Shape>,
    /// Depth complexity, then milliseconds for stages 1 and 2 and for the points.
    paper: [u64; 3],
}

const KNOT: Stand = Stand { name: "knot", file: "knot_12k.ply", make: || Ok(torus_knot(24)?), paper: [8, 11, 26] };
const RABBIT: Stand =
    Stand { name: "rabbit", file: "bunny_60k.ply", make: || Ok(smooth_body(Model::Rabbit)), paper: [8, 29, 27] };
const REPTILE: Stand = Stand {
    name: "reptile",
    file: "armadillo_100k.ply",
    make: || Ok(smooth_body(Model::Reptile)),
    paper: [12, 83, 28],
};
const SANTA: Stand =
    Stand { name: "santa", file: "dragon_150k.ply", make: || Ok(smooth_body(Model::Santa)), paper: [8, 79, 26] };
const DRAGON: Stand =
    Stand { name: "dragon", file: "dragon_520k.ply", make: || Ok(smooth_body(Model::Dragon)), paper: [10, 307, 27] };

impl Stand {
    fn shape(&self, settings: &Settings) -> Result<Shape> {
        if settings.data.is_some() { settings.shape(self.file) } else { (self.make)() }
    }
}

/// A row of table 1: the two bodies, how they overlap, and what the paper measured.
struct Pair {
    bodies: [Stand; 2],
    kind: &'static str,
    scene: &'static str,
    /// Depth complexities and milliseconds for stages 1 and 2; none where the paper has no such case.
    paper: Option<([u64; 2], u64)>,
}

const PAIRS: [Pair; 8] = [
    Pair { bodies: [KNOT, RABBIT], kind: "simple", scene: "HE1-knot-rabbit-simple", paper: Some(([3, 1], 19)) },
    Pair { bodies: [KNOT, RABBIT], kind: "complex", scene: "HE1-knot-rabbit-complex", paper: Some(([4, 6], 56)) },
    Pair { bodies: [RABBIT, REPTILE], kind: "simple", scene: "HE1-rabbit-reptile-simple", paper: Some(([7, 5], 36)) },
    Pair { bodies: [RABBIT, REPTILE], kind: "complex", scene: "HE1-rabbit-reptile-complex", paper: Some(([4, 2], 48)) },
    Pair { bodies: [REPTILE, SANTA], kind: "simple", scene: "HE1-reptile-santa-simple", paper: Some(([1, 3], 25)) },
    Pair { bodies: [REPTILE, SANTA], kind: "complex", scene: "HE1-reptile-santa-complex", paper: Some(([8, 6], 114)) },
    Pair { bodies: [KNOT, DRAGON], kind: "simple", scene: "HE1-knot-dragon-simple", paper: None },
    Pair { bodies: [KNOT, DRAGON], kind: "complex", scene: "HE1-knot-dragon-complex", paper: Some(([7, 8], 256)) },
];

impl Pair {
    fn shapes(&self, settings: &Settings) -> Result<[Shape; 2]> {
        if settings.data.is_none() {
            let scene = crumple_scenes::by_name(self.scene)?;
            let shape = |body: usize| Shape {
                triangles: scene.bodies()[body].triangles().to_vec(),
                positions: scene.bodies()[body].positions_at(0),
            };
            return Ok([shape(0), shape(1)]);
        }
        let [a, mut b] = [self.bodies[0].shape(settings)?, self.bodies[1].shape(settings)?];
        // The meshes are of size 1 about the origin: a little or far into each other.
        let shift = if self.kind == "simple" { [0.5, 0.125, 0.0625] } else { [0.125, 0.0625, 0.03125] };
        b.positions.iter_mut().flat_map(|position| position.iter_mut().zip(shift)).for_each(|(x, by)| *x += by);
        Ok([a, b])
    }
}

/// Overlaps of two bodies: the paper's table 1.
pub(super) fn he1(settings: &Settings) -> Result<Findings> {
    let columns = [
        ("bodies", "bodies"),
        ("triangles", "triangles"),
        ("overlap", "overlap"),
        ("layers", "depth_complexity"),
        ("volume", "volume"),
        ("stage 1+2", "stage12_us"),
        ("stage 3", "stage3_us"),
        ("floor", "floor_us"),
        ("it / floor", "ratio_to_floor"),
        ("paper: layers", "paper_depth_complexity"),
        ("stage 1+2", "paper_stage12_us"),
        ("paper / it", "ratio_to_paper"),
    ];
    let caption = format!("volume of the overlap at {RESOLUTION} x {RESOLUTION} samples, medians");
    let mut figures = Figures::new("overlaps", caption, &columns);
    let bar = settings.bar(PAIRS.len());
    for pair in &PAIRS {
        let [a, b] = &pair.bodies;
        bar.set_message(format!("{} × {}, {}", a.name, b.name, pair.kind));
        let shapes = pair.shapes(settings)?;
        let mut bodies = [body(&shapes[0])?, body(&shapes[1])?];
        let mut overlap = Overlap::new(OverlapOptions::default().with_resolution(RESOLUTION));
        let answer = overlap.compute(&bodies[0], &bodies[1])?;
        let (layers, volume) = (answer.depth_complexity(), answer.volume());
        let (mut stage12, mut stage3) = (Vec::new(), Vec::new());
        for _ in 0..rounds(settings) {
            let start = Instant::now();
            for (body, shape) in bodies.iter_mut().zip(&shapes) {
                body.set_positions(&shape.positions)?;
            }
            overlap.render(&bodies[0], &bodies[1])?;
            let rendered = Instant::now();
            black_box(overlap.combine().volume());
            let done = Instant::now();
            stage12.push(micros(rendered - start));
            stage3.push(micros(done - rendered));
        }
        let (stage12, stage3) = (median(stage12), median(stage3));
        let floor = floor_us(&shapes[0], settings) + floor_us(&shapes[1], settings);
        let layers_told = |[a, b]: [u64; 2]| Cell::text(format!("{a} / {b}"));
        let triangles = shapes.each_ref().map(|shape| count(shape.triangles.len() as u64));
        figures.row(vec![
            Cell::text(format!("{} × {}", a.name, b.name)),
            Cell::text(triangles.join(" / ")),
            Cell::text(pair.kind),
            layers_told(layers.map(u64::from)),
            Cell::text(format!("{volume:.6}")),
            Cell::Micros(stage12),
            Cell::Micros(stage3),
            Cell::Micros(floor),
            Cell::Ratio((stage12 + stage3) / floor),
            pair.paper.map_or(Cell::text("-"), |(layers, _)| layers_told(layers)),
            pair.paper.map_or(Cell::Nothing, |(_, ms)| Cell::Micros(1000.0 * ms as f64)),
            pair.paper.map_or(Cell::Nothing, |(_, ms)| Cell::Ratio(1000.0 * ms as f64 / stage12)),
        ]);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let remarks = vec![
        "stage 1+2: boxes, volume of interest, both images (GeForce 4 and Pentium 4 at 2.8 GHz in the paper); stage 3: \
         their intersection (paper: 1 ms)"
            .to_owned(),
        "floor: one pass that computes the two-dimensional boxes of all triangles".to_owned(),
    ];
    Ok(Findings { tables: vec![figures], remarks, ..Findings::default() })
}

/// Images of whole bodies, and 100,000 points: the paper's table 2, and what the cost grows with.
pub(super) fn he2(settings: &Settings) -> Result<Findings> {
    let stands = [KNOT, RABBIT, REPTILE, SANTA, DRAGON];
    let columns = [
        ("body", "body"),
        ("triangles", "triangles"),
        ("layers", "depth_complexity"),
        ("floor", "floor_us"),
        ("image", "image_us"),
        ("it / floor", "ratio_to_floor"),
        ("points", "points_us"),
        ("exact points", "exact_points_us"),
        ("paper: layers", "paper_depth_complexity"),
        ("image", "paper_image_us"),
        ("points", "paper_points_us"),
    ];
    let points = count(POINTS as u64);
    let caption =
        format!("whole bodies at {RESOLUTION} x {RESOLUTION} samples, and {points} points in their boxes, medians");
    let mut figures = Figures::new("points", caption, &columns);
    let bar = settings.bar(stands.len() + KNOTS.len() + SIDES.len() + 1);
    for stand in &stands {
        bar.set_message(stand.name);
        let shape = stand.shape(settings)?;
        let body = body(&shape)?;
        let (image, image_us) = image_us(&body, RESOLUTION, settings)?;
        let bounds = body.bounds();
        let points = points_in_box(POINTS, 1, bounds.min(), bounds.max());
        let mut inside = Vec::new();
        let points_us = median_us(settings, || image.contains_points(&points, &mut inside));
        let mut exact = PointsInside::new(PointsOptions::default().exact());
        exact.test(&body, &points)?;
        // Tested a moment ago, so it cannot be refused.
        let exact_us = median_us(settings, || exact.test(&body, &points).map(<[bool]>::len).unwrap_or_default());
        let floor = floor_us(&shape, settings);
        let [layers, paper_image, paper_points] = stand.paper;
        figures.row(vec![
            Cell::text(stand.name),
            Cell::count(shape.triangles.len()),
            Cell::Count(u64::from(image.depth_complexity())),
            Cell::Micros(floor),
            Cell::Micros(image_us),
            Cell::Ratio(image_us / floor),
            Cell::Micros(points_us),
            Cell::Micros(exact_us),
            Cell::Count(layers),
            Cell::Micros(1000.0 * paper_image as f64),
            Cell::Micros(1000.0 * paper_points as f64),
        ]);
        bar.inc(1);
    }
    let mut found = Findings { tables: vec![figures], ..Findings::default() };
    over_triangles(settings, &bar, &mut found)?;
    over_crossings(settings, &bar, &mut found)?;
    found.remarks.push(on_two_threads(settings, &bar)?);
    bar.finish_and_clear();
    Ok(found)
}

/// Cells around the tube of knots of 11,520 to 1,658,880 triangles.
const KNOTS: [u32; 5] = [24, 48, 96, 192, 288];

/// The same body in ever finer triangles.
fn over_triangles(settings: &Settings, bar: &ProgressBar, found: &mut Findings) -> Result<()> {
    let columns = [
        ("triangles", "triangles"),
        ("crossings", "crossings"),
        ("image", "image_us"),
        ("ns a triangle", "ns_a_triangle"),
        ("ns a further triangle", "ns_a_further_triangle"),
    ];
    let caption = format!("a knot in ever finer triangles at {RESOLUTION} x {RESOLUTION} samples, medians");
    let mut figures = Figures::new("triangles", caption, &columns);
    let mut further = Further::default();
    for detail in KNOTS {
        bar.set_message(format!("knot of {} triangles", count(20 * u64::from(detail * detail))));
        let shape = torus_knot(detail)?;
        let (image, us) = image_us(&body(&shape)?, RESOLUTION, settings)?;
        let triangles = shape.triangles.len();
        figures.row(vec![
            Cell::count(triangles),
            Cell::count(image.stats().crossings),
            Cell::Micros(us),
            Cell::Number(1000.0 * us / triangles as f64),
            further.cell(triangles, us),
        ]);
        bar.inc(1);
    }
    found.remarks.push(further.told("triangle"));
    found.panels.push(Panel {
        title: "HE2: image of a knot at 128 x 128 samples".to_owned(),
        x: "triangles".to_owned(),
        x_scale: Scale::Logarithmic,
        y: "milliseconds an image".to_owned(),
        series: line(&figures, "triangles"),
    });
    found.tables.push(figures);
    Ok(())
}

/// Samples a side for the cost of crossings.
const SIDES: [u32; 5] = [128, 256, 512, 1024, 2048];

/// The same body at ever more samples.
fn over_crossings(settings: &Settings, bar: &ProgressBar, found: &mut Findings) -> Result<()> {
    let columns = [
        ("samples", "samples"),
        ("crossings", "crossings"),
        ("image", "image_us"),
        ("ns a crossing", "ns_a_crossing"),
        ("ns a further crossing", "ns_a_further_crossing"),
    ];
    // Triangles coarser than the samples: with finer ones, more of them reach a sample at every step, and cost too.
    let shape = KNOT.shape(settings)?;
    let triangles = count(shape.triangles.len() as u64);
    let caption = format!("the knot of {triangles} triangles at ever more samples, medians");
    let mut figures = Figures::new("crossings", caption, &columns);
    let knot = body(&shape)?;
    let mut further = Further::default();
    for side in SIDES {
        bar.set_message(format!("knot at {side} x {side}"));
        let (image, us) = image_us(&knot, side, settings)?;
        let crossings = image.stats().crossings;
        figures.row(vec![
            Cell::text(format!("{side} x {side}")),
            Cell::count(crossings),
            Cell::Micros(us),
            Cell::Number(1000.0 * us / crossings.max(1) as f64),
            further.cell(crossings, us),
        ]);
        bar.inc(1);
    }
    found.remarks.push(further.told("crossing"));
    found.panels.push(Panel {
        title: format!("HE2: image of the knot of {triangles} triangles"),
        x: "crossings".to_owned(),
        x_scale: Scale::Logarithmic,
        y: "milliseconds an image".to_owned(),
        series: line(&figures, "crossings"),
    });
    found.tables.push(figures);
    Ok(())
}

/// Samples a side at which a second thread is measured.
const SHARED: u32 = 1024;

/// The largest body at many samples, on one thread and on two.
fn on_two_threads(settings: &Settings, bar: &ProgressBar) -> Result<String> {
    bar.set_message("dragon on two threads");
    let shape = DRAGON.shape(settings)?;
    let body = body(&shape)?;
    let on = |threads: usize| threads::within(NonZeroUsize::new(threads), || Ok(image_us(&body, SHARED, settings)?.1));
    let (one, two) = (on(1)?, on(2)?);
    bar.inc(1);
    Ok(format!(
        "the dragon of {} triangles at {SHARED} x {SHARED} samples: {} on one thread, {} on two: {} as fast",
        count(shape.triangles.len() as u64),
        time(one),
        time(two),
        ratio(one / two)
    ))
}

/// The image's time over a column.
fn line(figures: &Figures, over: &str) -> Vec<Series> {
    let mut series = figures.series(&[], over, "image_us", 0.001);
    series.iter_mut().for_each(|line| line.label = "depth image".to_owned());
    series
}

/// What each further thing costs: the same at every size where cost is linear.
#[derive(Debug, Default)]
struct Further {
    last: Option<(usize, f64)>,
    costs: Vec<f64>,
}

impl Further {
    fn cell(&mut self, things: usize, us: f64) -> Cell {
        let cost = self
            .last
            .replace((things, us))
            .map(|(before, us_before)| 1000.0 * (us - us_before) / (things as f64 - before as f64));
        self.costs.extend(cost);
        cost.map_or(Cell::Nothing, Cell::Number)
    }

    fn told(&self, thing: &str) -> String {
        let costs: Vec<String> = self.costs.iter().copied().map(number).collect();
        format!("each further {thing} costs {} ns, from size to size", costs.join(", "))
    }
}

fn rounds(settings: &Settings) -> usize {
    ROUNDS * settings.repeat as usize
}

fn body(shape: &Shape) -> Result<Body> {
    let mesh = Mesh::new(shape.positions.len(), shape.triangles.clone())?;
    // Known once a mesh, not once a frame.
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
