//! VE1 to VE3: the exact overlap of two bodies, with gradient and regions, beside the sampled one.
//!
//! A row is a frame of bodies that deform. `pairs` is the time from the caller's slice to the sorted list of pairs, which an
//! exact overlap needs; `exact` and `regions` are what it takes from there to volume, area, centroid and gradient, and to the
//! regions. The images are those of `volume::Overlap`, which need no pairs. Times are the best of the passes.
//! `peers/overlap.py` puts the same overlaps beside an exact boolean.

use std::hint::black_box;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use crumple::{Body, BodyId, Mesh, Scene};
use crumple_io::report::micros;
use crumple_ldi::{OverlapOptions, OverlapSampler};
use crumple_methods::Method;
use crumple_scenes::Shape;

use crate::experiment::Findings;
use crate::experiments::depth_images;
use crate::measure::Recording;
use crate::measure::passes::fill;
use crate::settings::Settings;
use crate::show::figures::{Cell, Figures};

/// Samples along the sides of the images beside it.
const RESOLUTIONS: [u32; 2] = [128, 256];

/// Frames of LE1 that have a row of their own: the first contacts, and up to the deepest.
const FRAMES_SHOWN: [u64; 4] = [62, 100, 150, 199];

/// The real meshes that are put into each other.
const REAL: [[&str; 2]; 11] = [
    ["knot_12k", "knot_12k"],
    ["knot_12k", "hand_16k"],
    ["bunny_60k", "bunny_60k"],
    ["bunny_60k", "armadillo_100k"],
    ["armadillo_100k", "armadillo_100k"],
    ["koala_100k", "skull_100k"],
    ["hand_16k", "spot_23k"],
    ["dragon_150k", "dragon_150k"],
    ["dragon_150k", "armadillo_100k"],
    ["dragon_520k", "bunny_60k"],
    ["dragon_520k", "dragon_520k"],
];

/// By how much the second mesh is moved: far in, a little, apart. The meshes are of size 1 about the origin.
const POSES: [[f32; 3]; 3] = [[0.125, 0.0625, 0.03125], [0.5, 0.125, 0.0625], [1.25, 0.0, 0.0]];

/// The files of all these meshes.
pub(crate) const FILES: [&str; 9] = [
    "knot_12k.ply",
    "hand_16k.ply",
    "bunny_60k.ply",
    "armadillo_100k.ply",
    "koala_100k.ply",
    "skull_100k.ply",
    "spot_23k.ply",
    "dragon_150k.ply",
    "dragon_520k.ply",
];

/// What a frame takes, in microseconds, and what was found.
#[derive(Clone, Copy, Debug)]
struct Measured {
    pairs: u64,
    regions: u64,
    /// NaN before the first pass.
    volume: f64,
    /// How far off the images are, relative to the volume.
    off: [f64; 2],
    pairs_us: f64,
    exact_us: f64,
    regions_us: f64,
    images_us: [f64; 2],
}

impl Measured {
    const NONE: Self = Self {
        pairs: 0,
        regions: 0,
        volume: f64::NAN,
        off: [0.0; 2],
        pairs_us: f64::INFINITY,
        exact_us: f64::INFINITY,
        regions_us: f64::INFINITY,
        images_us: [f64::INFINITY; 2],
    };

    /// The mean of the times and of what was found.
    fn mean(all: &[Self]) -> Self {
        let count = all.len().max(1) as f64;
        let of = |time: fn(&Self) -> f64| all.iter().map(time).sum::<f64>() / count;
        Self {
            pairs: all.iter().map(|frame| frame.pairs).sum::<u64>() / all.len().max(1) as u64,
            regions: all.iter().map(|frame| frame.regions).sum::<u64>() / all.len().max(1) as u64,
            volume: of(|frame| frame.volume),
            off: [of(|frame| frame.off[0]), of(|frame| frame.off[1])],
            pairs_us: of(|frame| frame.pairs_us),
            exact_us: of(|frame| frame.exact_us),
            regions_us: of(|frame| frame.regions_us),
            images_us: [of(|frame| frame.images_us[0]), of(|frame| frame.images_us[1])],
        }
    }
}

/// Two bodies and what measures them.
struct Bench {
    scene: Scene,
    ids: [BodyId; 2],
    images: [OverlapSampler; 2],
}

impl Bench {
    fn new(scene: Scene, ids: [BodyId; 2]) -> Self {
        let image = |side: u32| OverlapSampler::new(OverlapOptions::default().with_resolution(side));
        Self { scene, ids, images: RESOLUTIONS.map(image) }
    }

    fn of_shapes(shapes: &[Shape; 2]) -> Result<Self> {
        let mut scene = Scene::new();
        let mut add = |shape: &Shape| -> Result<BodyId> {
            let mesh = Mesh::new(shape.positions.len(), shape.triangles.clone())?;
            Ok(scene.add(Body::new(mesh, &shape.positions).context("a body of the experiment")?))
        };
        let ids = [add(&shapes[0])?, add(&shapes[1])?];
        Ok(Self::new(scene, ids))
    }

    /// Measures a frame once more and keeps the best times.
    fn measure(&mut self, positions: [&[[f32; 3]]; 2], best: &mut Measured) -> Result<()> {
        let Self { scene, ids, images } = self;
        let start = Instant::now();
        for (&id, positions) in ids.iter().zip(positions) {
            scene.set_positions(id, positions)?;
        }
        let frame = scene.update()?;
        best.pairs = frame.contacts().pair_count() as u64;
        let found = Instant::now();
        let volume = frame.overlap(ids[0], ids[1])?.volume();
        let summed = Instant::now();
        best.regions = frame.regions().count() as u64;
        let done = Instant::now();
        best.pairs_us = best.pairs_us.min(micros(found - start));
        best.exact_us = best.exact_us.min(micros(summed - found));
        best.regions_us = best.regions_us.min(micros(done - summed));
        ensure!(best.volume.is_nan() || best.volume == volume, "another pass found another volume");
        best.volume = volume;
        for (at, image) in images.iter_mut().enumerate() {
            let start = Instant::now();
            let sampled = black_box(image.compute(frame.body(ids[0])?, frame.body(ids[1])?)?.volume());
            best.images_us[at] = best.images_us[at].min(micros(start.elapsed()));
            best.off[at] = if volume > 0.0 { (sampled - volume).abs() / volume } else { 0.0 };
        }
        Ok(())
    }
}

/// Every frame of LE1.
pub(crate) fn ve1(settings: &Settings) -> Result<Findings> {
    let scene = crumple_scenes::by_name("LE1")?;
    let recording = Recording::of(&scene, settings.frames_of(scene.frame_count())?)?;
    let (scene, ids) = recording.scene_at(Method::default(), 0)?;
    let mut bench = Bench::new(scene, [ids[0], ids[1]]);
    let mut frames = vec![Measured::NONE; recording.len()];
    let mut caller: Vec<Vec<[f32; 3]>> = vec![Vec::new(); ids.len()];
    let bar = settings.bar(settings.repeat as usize);
    for _ in 0..settings.repeat {
        for (at, best) in frames.iter_mut().enumerate() {
            fill(&mut caller, recording.frame(at));
            bench.measure([&caller[0], &caller[1]], best)?;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let caption = format!("{} ({}), {} frames", recording.scene, recording.digest, recording.len());
    let mut shown = table("frames", caption, "frame");
    let mut all = table("all-frames", String::new(), "frame");
    for (at, frame) in frames.iter().enumerate() {
        let number = recording.number(at);
        let cells = || row(Cell::Count(number), frame);
        all.row(cells());
        if FRAMES_SHOWN.contains(&number) {
            shown.row(cells());
        }
    }
    shown.row(row(Cell::text("mean"), &Measured::mean(&frames)));
    Ok(Findings { tables: vec![shown], details: vec![all], remarks: remarks(), ..Findings::default() })
}

/// The bodies of HE1.
pub(crate) fn ve2(settings: &Settings) -> Result<Findings> {
    let mut figures = table("overlaps", "the bodies of HE1".to_owned(), "bodies");
    let pairs = depth_images::pairs_of_he1(settings)?;
    let bar = settings.bar(pairs.len());
    for (name, shapes) in &pairs {
        bar.set_message(name.clone());
        figures.row(row(Cell::text(name), &best_of(settings, shapes)?));
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(Findings { tables: vec![figures], remarks: remarks(), ..Findings::default() })
}

/// Real meshes in 33 poses; those that are apart have no row.
pub(crate) fn ve3(settings: &Settings) -> Result<Findings> {
    let mut figures =
        table("overlaps", "real meshes; the number is how far the second is moved along x".to_owned(), "bodies");
    let bar = settings.bar(REAL.len() * POSES.len());
    let mut apart = Vec::new();
    for [name_a, name_b] in REAL {
        let [a, b] = [settings.shape(&format!("{name_a}.ply"))?, settings.shape(&format!("{name_b}.ply"))?];
        for by in POSES {
            bar.set_message(format!("{name_a} × {name_b}"));
            let mut moved = b.clone();
            moved.positions.iter_mut().for_each(|p| *p = std::array::from_fn(|axis| p[axis] + by[axis]));
            let measured = best_of(settings, &[a.clone(), moved])?;
            if measured.volume == 0.0 {
                apart.push(measured);
            } else {
                figures.row(row(Cell::text(format!("{name_a} × {name_b}, {}", by[0])), &measured));
            }
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    if !apart.is_empty() {
        figures.row(row(Cell::text(format!("mean of {} that are apart", apart.len())), &Measured::mean(&apart)));
    }
    Ok(Findings { tables: vec![figures], remarks: remarks(), ..Findings::default() })
}

fn best_of(settings: &Settings, shapes: &[Shape; 2]) -> Result<Measured> {
    let mut bench = Bench::of_shapes(shapes)?;
    let mut best = Measured::NONE;
    // Once more than asked: the first pass also builds what is kept per mesh.
    for _ in 0..=settings.repeat {
        bench.measure([&shapes[0].positions, &shapes[1].positions], &mut best)?;
    }
    Ok(best)
}

fn table(name: &'static str, caption: String, what: &'static str) -> Figures {
    let columns = [
        (what, what),
        ("pairs", "pairs"),
        ("regions", "regions"),
        ("volume", "volume"),
        ("find pairs", "pairs_us"),
        ("exact", "exact_us"),
        ("find regions", "regions_us"),
        ("128²", "image128_us"),
        ("256²", "image256_us"),
        ("128² / exact", "ratio_128"),
        ("128² off by", "error_128"),
        ("256² off by", "error_256"),
    ];
    Figures::new(name, caption, &columns)
}

fn row(what: Cell, measured: &Measured) -> Vec<Cell> {
    let off =
        |k: usize| if measured.volume > 0.0 { Cell::text(format!("{:.1e}", measured.off[k])) } else { Cell::Nothing };
    vec![
        what,
        Cell::Count(measured.pairs),
        Cell::Count(measured.regions),
        Cell::text(format!("{:.6e}", measured.volume)),
        Cell::Micros(measured.pairs_us),
        Cell::Micros(measured.exact_us),
        Cell::Micros(measured.regions_us),
        Cell::Micros(measured.images_us[0]),
        Cell::Micros(measured.images_us[1]),
        Cell::Ratio(measured.images_us[0] / measured.exact_us),
        off(0),
        off(1),
    ]
}

fn remarks() -> Vec<String> {
    vec![
        "find pairs: from the new vertices to the sorted list, which exact and regions start from; exact: volume, area, \
         centroid and the gradient for every vertex"
            .to_owned(),
        "128² and 256²: the volume sampled by depth images of so many samples, and how far off that is, relative to the exact \
         one"
            .to_owned(),
    ]
}
