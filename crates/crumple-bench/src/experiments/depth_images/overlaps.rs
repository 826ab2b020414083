//! HE1: how long the overlap of two bodies takes.

use std::hint::black_box;
use std::time::Instant;

use anyhow::Result;
use crumple_io::report::micros;
use crumple_ldi::{OverlapOptions, OverlapSampler};
use crumple_scenes::Shape;
use indicatif::ProgressBar;

use super::on_gpu::OnGpu;
use super::{DRAGON, KNOT, PaperBody, RABBIT, REPTILE, RESOLUTION, SANTA, body, floor_us, median, rounds};
use crate::experiment::Findings;
use crate::settings::Settings;
use crate::show::figures::{Cell, Figures};
use crumple_io::words::count;

/// A row of table 1: the two bodies, how they overlap, and what the paper measured.
struct Pair {
    bodies: [PaperBody; 2],
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

/// The bodies of table 1 by name, for experiments that measure them otherwise.
pub(crate) fn pairs_of_he1(settings: &Settings) -> Result<Vec<(String, [Shape; 2])>> {
    let named = |pair: &Pair| {
        let [a, b] = pair.bodies.each_ref().map(|body| body.name);
        Ok((format!("{a} × {b}, {}", pair.kind), pair.shapes(settings)?))
    };
    PAIRS.iter().map(named).collect()
}

/// The bodies of table 1 in poses in which they have the layers of the paper, within the volume of interest.
const IN_LAYERS: [Pair; 5] = [
    Pair { bodies: [KNOT, RABBIT], kind: "simple", scene: "HE1-knot-rabbit-3-1", paper: Some(([3, 1], 19)) },
    Pair { bodies: [KNOT, RABBIT], kind: "complex", scene: "HE1-knot-rabbit-4-6", paper: Some(([4, 6], 56)) },
    Pair { bodies: [RABBIT, REPTILE], kind: "simple", scene: "HE1-rabbit-reptile-7-5", paper: Some(([7, 5], 36)) },
    Pair { bodies: [RABBIT, REPTILE], kind: "complex", scene: "HE1-rabbit-reptile-4-2", paper: Some(([4, 2], 48)) },
    Pair { bodies: [REPTILE, SANTA], kind: "complex", scene: "HE1-reptile-santa-8-6", paper: Some(([8, 6], 114)) },
];

/// Overlaps of two bodies: the paper's table 1.
pub(crate) fn he1(settings: &Settings) -> Result<Findings> {
    let caption = format!("volume of the overlap at {RESOLUTION} x {RESOLUTION} samples, medians");
    let in_layers = format!("{caption}, in poses with the layers of the paper");
    // Real meshes have the layers they have.
    let in_layers = settings.data.is_none().then_some(("overlaps_in_layers", in_layers, &IN_LAYERS[..]));
    let mut on_gpu = OnGpu::overlaps(settings);
    let bar = settings.bar(PAIRS.len() + in_layers.as_ref().map_or(0, |(_, _, pairs)| pairs.len()));
    let mut tables = Vec::new();
    for (name, caption, pairs) in [("overlaps", caption, &PAIRS[..])].into_iter().chain(in_layers) {
        let mut figures = Figures::new(name, caption, &COLUMNS);
        for pair in pairs {
            figures.row(pair.measure(settings, &bar, &mut on_gpu)?);
        }
        tables.push(figures);
    }
    bar.finish_and_clear();
    let mut remarks = vec![
        "stage 1+2: boxes, volume of interest, both images (GeForce 4 and Pentium 4 at 2.8 GHz in the paper); stage 3: \
         their intersection (paper: 1 ms)"
            .to_owned(),
        "floor: one pass that computes the two-dimensional boxes of all triangles".to_owned(),
    ];
    on_gpu.finish(settings, &mut tables, &mut remarks);
    Ok(Findings { tables, remarks, ..Findings::default() })
}

const COLUMNS: [(&str, &str); 12] = [
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

impl Pair {
    /// Measures the pair; its row of the table.
    fn measure(&self, settings: &Settings, bar: &ProgressBar, on_gpu: &mut OnGpu) -> Result<Vec<Cell>> {
        let [a, b] = &self.bodies;
        bar.set_message(format!("{} × {}, {}", a.name, b.name, self.kind));
        let shapes = self.shapes(settings)?;
        let mut bodies = [body(&shapes[0])?, body(&shapes[1])?];
        let mut overlap = OverlapSampler::new(OverlapOptions::default().with_resolution(RESOLUTION));
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
        let layers_cell = |[a, b]: [u64; 2]| Cell::text(format!("{a} / {b}"));
        let triangles = shapes.each_ref().map(|shape| count(shape.triangles.len() as u64)).join(" / ");
        let what = [format!("{} × {}, {}", a.name, b.name, self.kind), triangles.clone()];
        on_gpu.overlap(settings, what, &mut bodies, &shapes, (stage12 + stage3, volume))?;
        bar.inc(1);
        Ok(vec![
            Cell::text(format!("{} × {}", a.name, b.name)),
            Cell::text(triangles),
            Cell::text(self.kind),
            layers_cell(layers.map(u64::from)),
            Cell::text(format!("{volume:.6}")),
            Cell::Micros(stage12),
            Cell::Micros(stage3),
            Cell::Micros(floor),
            Cell::Ratio((stage12 + stage3) / floor),
            self.paper.map_or(Cell::text("-"), |(layers, _)| layers_cell(layers)),
            self.paper.map_or(Cell::Nothing, |(_, ms)| Cell::Micros(1000.0 * ms as f64)),
            self.paper.map_or(Cell::Nothing, |(_, ms)| Cell::Ratio(1000.0 * ms as f64 / stage12)),
        ])
    }
}
