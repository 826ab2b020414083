//! MR1: two bodies in two resolutions, fine where they are near each other, coarse elsewhere, by every method.
//!
//! Paper: Hatab & Kheddar 2006 name it as future work: since their method keeps nothing between frames, coarse triangles
//! can be exchanged for fine ones at any frame. Here every method does it, through `Scene::edit`.
//!
//! A body holds its coarse triangles, its fine ones and the fans between them (`crumple_scenes::Patches`) under numbers of
//! their own; an edit removes some and restores others. A patch has to be fine if its box overlaps the box of a patch of
//! the other body. All that stands for a patch, coarse, fan or fine, lies in its box: so every pair is one of fine
//! triangles, and the list of pairs is that of bodies which are fine everywhere. That is checked in every frame, for every
//! method, and against brute force.
//!
//! To edit less often, patches are made fine ahead: all whose boxes are within [`AHEAD`], whenever one has to be that is not.
//! The others become coarse again then, and when contact has left.
//! Timed are the choice of patches, the edit, the positions, the trees and the pairs.

use std::time::Instant;

use anyhow::{Result, ensure};
use crumple::{Body, BodyId, Edit, Mesh, Scene, TriangleId};
use crumple_io::report::micros;
use crumple_methods::Method;
use crumple_scenes::{Patches, Solid, patches};

use crate::experiment::{Findings, Variant};
use crate::measure::{Found, Recording};
use crate::methods::with_brute_force;
use crate::settings::Settings;
use crate::show::figures::{Cell, Figures};
use crumple_io::words::{count, counted, ratio};

/// The published scene, and the levels of its bodies: 1,280 triangles and 20,480.
const SCENE: &str = "MR1";
const LEVELS: [u32; 2] = [3, 5];

/// Patches as near as this to another are made fine before they have to be: what the spheres approach in some eight frames.
const AHEAD: f32 = 0.1;

/// Patches become coarse again when this many times as many are fine as are near another.
const MOST_FINE: usize = 2;

/// The times of a frame in microseconds.
#[derive(Clone, Copy, Debug)]
struct Times {
    choose: f64,
    edit: f64,
    find: f64,
}

impl Times {
    fn total(&self) -> f64 {
        self.choose + self.edit + self.find
    }
}

/// What a method does in the frames, in one resolution or in two.
struct Ran {
    /// The best time of each frame.
    best: Vec<Times>,
    found: Vec<Found>,
    triangles: Vec<usize>,
    edits: usize,
}

pub(crate) fn mr1(settings: &Settings) -> Result<Findings> {
    let scene = crumple_scenes::by_name(SCENE)?;
    let recording = Recording::of(&scene, settings.frames_of(scene.frame_count())?)?;
    let patches = patches(Solid::Icosahedron, LEVELS[0], LEVELS[1])?;
    let variants: Vec<Variant> = (with_brute_force().into_iter())
        .filter(|it| it.method == Method::BruteForce || settings.wants(&it.label))
        .collect();
    let bar = settings.bar(2 * variants.len() - 1);
    let columns = [
        ("method", "method"),
        ("mean frame", "mean_us"),
        ("choosing", "choose_us"),
        ("editing", "edit_us"),
        ("update and query", "find_us"),
        ("fine everywhere", "fine_us"),
        ("fine everywhere / it", "ratio"),
    ];
    let mut truth: Option<Ran> = None;
    let mut rows = Vec::new();
    let mut remarks = Vec::new();
    for variant in &variants {
        let is_brute = variant.method == Method::BruteForce;
        bar.set_message(format!("{}: two resolutions", variant.label));
        let repeat = if is_brute { 1 } else { settings.repeat };
        let two = run(variant.method, &recording, Some(&patches), repeat)?;
        bar.inc(1);
        // Fine everywhere, brute force would take a second per frame; every other method is held to its answer.
        let mut fine_mean = None;
        if !is_brute {
            bar.set_message(format!("{}: fine everywhere", variant.label));
            let fine = run(variant.method, &recording, None, repeat)?;
            bar.inc(1);
            ensure!(fine.found == two.found, "{}: the pairs are not those of the fine bodies", variant.label);
            fine_mean = Some(mean(&fine.best, Times::total));
        }
        if let Some(truth) = &truth {
            ensure!(two.found == truth.found, "{} differs from {}", variant.label, Method::BruteForce);
        }
        let total = mean(&two.best, Times::total);
        let parts: [fn(&Times) -> f64; 3] = [|it| it.choose, |it| it.edit, |it| it.find];
        let mut cells = vec![Cell::text(&variant.label), Cell::Micros(total)];
        cells.extend(parts.map(|part| Cell::Micros(mean(&two.best, part))));
        cells.push(fine_mean.map_or(Cell::Nothing, Cell::Micros));
        cells.push(fine_mean.map_or(Cell::Nothing, |fine| Cell::Ratio(fine / total)));
        rows.push(cells);
        if let Some(fine) = fine_mean {
            let times = ratio(fine / total);
            remarks.push(format!("{}: {times} as fast in two resolutions as fine everywhere", variant.label));
        }
        truth.get_or_insert(two);
    }
    bar.finish_and_clear();
    let truth = truth.unwrap_or(Ran { best: Vec::new(), found: Vec::new(), triangles: Vec::new(), edits: 0 });
    let live = truth.triangles.iter().sum::<usize>() / truth.triangles.len().max(1);
    let pairs: u64 = truth.found.iter().map(Found::pair_count).sum();
    let caption = format!(
        "two resolutions ({}): {} of {} triangles per body in the mean, {} in {}, {} in all",
        recording.digest,
        count(live as u64),
        count(patches.fine().len() as u64),
        counted(truth.edits as u64, "edit"),
        counted(recording.len() as u64, "frame"),
        counted(pairs, "pair")
    );
    let mut table = Figures::new("methods", caption, &columns);
    rows.into_iter().for_each(|row| table.row(row));
    remarks.push("every list is that of brute force, and that of bodies which are fine everywhere".to_owned());
    let columns = [("frame", "frame"), ("triangles per body", "triangles"), ("pairs", "pairs")];
    let mut every = Figures::new("frames", "", &columns);
    for (at, (found, &triangles)) in truth.found.iter().zip(&truth.triangles).enumerate() {
        let number = Cell::Count(recording.number(at));
        every.row(vec![number, Cell::count(triangles), Cell::Count(found.pair_count())]);
    }
    Ok(Findings { tables: vec![table], details: vec![every], remarks, ..Findings::default() })
}

fn mean(times: &[Times], of: impl Fn(&Times) -> f64) -> f64 {
    times.iter().map(of).sum::<f64>() / times.len().max(1) as f64
}

/// Runs a method through the frames `repeat` times, in two resolutions if there are patches.
fn run(method: Method, recording: &Recording, patches: Option<&Patches>, repeat: u32) -> Result<Ran> {
    let mut ran: Option<Ran> = None;
    for _ in 0..repeat {
        let (mut scene, ids) = match patches {
            Some(patches) => coarse_scene(method, recording, patches)?,
            None => recording.scene_at(method, 0)?,
        };
        let mut shown = patches.map(Shown::new);
        let mut now = Ran { best: Vec::new(), found: Vec::new(), triangles: Vec::new(), edits: 0 };
        for at in 0..recording.len() {
            let positions = recording.frame(at);
            let start = Instant::now();
            let edits = shown.as_mut().map_or_else(Vec::new, |shown| shown.choose(positions));
            let chosen = Instant::now();
            for (&id, edit) in ids.iter().zip(&edits) {
                scene.edit(id, edit)?;
            }
            let edited = Instant::now();
            for (&id, positions) in ids.iter().zip(positions) {
                scene.set_positions(id, positions)?;
            }
            let frame = scene.update()?;
            let contacts = frame.contacts();
            let done = Instant::now();
            now.best.push(Times {
                choose: micros(chosen - start),
                edit: micros(edited - chosen),
                find: micros(done - edited),
            });
            now.edits += usize::from(!edits.is_empty());
            now.triangles.push(frame.body(ids[0])?.mesh().live_count());
            let found = Found::of(contacts);
            now.found.push(patches.map_or_else(|| found.clone(), |patches| in_fine_numbers(&found, patches)));
        }
        match &mut ran {
            None => ran = Some(now),
            Some(ran) => {
                ensure!(ran.found == now.found, "{method} finds other pairs when it is repeated");
                for (best, now) in ran.best.iter_mut().zip(now.best) {
                    if now.total() < best.total() {
                        *best = now;
                    }
                }
            }
        }
    }
    ran.ok_or_else(|| anyhow::anyhow!("nothing was asked to run"))
}

/// The bodies with all their triangles, of which only the coarse ones are there.
fn coarse_scene(method: Method, recording: &Recording, patches: &Patches) -> Result<(Scene, Vec<BodyId>)> {
    let all = [patches.coarse(), patches.fine(), patches.fans()].concat();
    let mut scene = method.scene();
    let mut ids = Vec::new();
    for positions in recording.frame(0) {
        let mut body = Body::new(Mesh::new(positions.len(), all.clone())?, positions)?;
        let hidden = patches.coarse().len() as u32..all.len() as u32;
        body.edit(&Edit { remove: hidden.map(TriangleId).collect(), ..Edit::default() })?;
        ids.push(scene.add(body));
    }
    Ok((scene, ids))
}

/// The pairs with the numbers that the fine triangles have in a body which is fine everywhere.
///
/// A pair of any other triangle keeps a number beyond those, so that it cannot be taken for one of them.
fn in_fine_numbers(found: &Found, patches: &Patches) -> Found {
    let first = patches.coarse().len() as u32;
    let mut found = found.clone();
    for contact in &mut found.contacts {
        if let Some(pairs) = &mut contact.pairs {
            pairs.to_mut().as_flattened_mut().iter_mut().for_each(|number| *number = number.wrapping_sub(first));
        }
    }
    found
}

/// Which triangles of the bodies are shown.
struct Shown<'a> {
    patches: &'a Patches,
    /// The vertices of each patch, each once: as many for all.
    vertices: Vec<u32>,
    per_patch: usize,
    /// By body, whether each patch is fine.
    fine: [Vec<bool>; 2],
    boxes: [Vec<[[f32; 3]; 2]>; 2],
}

impl<'a> Shown<'a> {
    fn new(patches: &'a Patches) -> Self {
        let mut vertices = Vec::new();
        let mut of_patch: Vec<u32> = Vec::new();
        for patch in patches.fine().chunks_exact(patches.per_patch()) {
            of_patch.clear();
            of_patch.extend(patch.as_flattened());
            of_patch.sort_unstable();
            of_patch.dedup();
            vertices.extend(&of_patch);
        }
        let none = || vec![false; patches.coarse().len()];
        let boxes = [Vec::new(), Vec::new()];
        Self { patches, vertices, per_patch: of_patch.len(), fine: [none(), none()], boxes }
    }

    /// The edits, one per body, before a frame with these positions; none if what is shown will do.
    fn choose(&mut self, positions: &[Vec<[f32; 3]>]) -> Vec<Edit> {
        for (boxes, positions) in self.boxes.iter_mut().zip(positions) {
            let of_patch = |vertices: &[u32]| joined(vertices.iter().map(|&vertex| [positions[vertex as usize]; 2]));
            boxes.clear();
            boxes.extend(self.vertices.chunks_exact(self.per_patch).map(of_patch));
        }
        let (needed, wanted) = self.near();
        let lacks =
            |(needed, fine): (&Vec<bool>, &Vec<bool>)| needed.iter().zip(fine).any(|(needed, fine)| needed & !fine);
        let marked = |bodies: &[Vec<bool>]| bodies.iter().flatten().filter(|fine| **fine).count();
        let is_wasteful = marked(&self.fine) > MOST_FINE * marked(&wanted);
        if !needed.iter().zip(&self.fine).any(lacks) && !is_wasteful {
            return Vec::new();
        }
        let mut edits = Vec::new();
        for (fine, mut wanted) in self.fine.iter_mut().zip(wanted) {
            self.patches.closure(&mut wanted);
            edits.push(exchange(self.patches, fine, &wanted));
            *fine = wanted;
        }
        edits
    }

    /// Of each body, the patches whose boxes overlap one of the other body's, and those that are within [`AHEAD`] of one,
    /// along every axis.
    fn near(&self) -> ([Vec<bool>; 2], [Vec<bool>; 2]) {
        let [a, b] = &self.boxes;
        let none = || [vec![false; a.len()], vec![false; b.len()]];
        let (mut needed, mut wanted) = (none(), none());
        let wider = |[low, high]: [[f32; 3]; 2]| [low.map(|x| x - AHEAD), high.map(|x| x + AHEAD)];
        // Only what is near the other body's box can be near a patch of it.
        let near_to = |boxes: &[[[f32; 3]; 2]], other: &[[[f32; 3]; 2]]| -> Vec<usize> {
            let whole = wider(joined(other.iter().copied()));
            (0..boxes.len()).filter(|&patch| overlap(&whole, &boxes[patch])).collect()
        };
        let (some_a, some_b) = (near_to(a, b), near_to(b, a));
        for patch_a in some_a {
            let wide = wider(a[patch_a]);
            for &patch_b in some_b.iter().filter(|&&patch_b| overlap(&wide, &b[patch_b])) {
                (wanted[0][patch_a], wanted[1][patch_b]) = (true, true);
                if overlap(&a[patch_a], &b[patch_b]) {
                    (needed[0][patch_a], needed[1][patch_b]) = (true, true);
                }
            }
        }
        (needed, wanted)
    }
}

/// What goes and what comes back when other patches are fine than before.
fn exchange(patches: &Patches, before: &[bool], after: &[bool]) -> Edit {
    let mut edit = Edit::default();
    for triangle in 0..before.len() {
        let [old, new] = [before, after].map(|fine| numbers(patches, triangle, fine));
        if old != new {
            edit.remove.extend(old.map(TriangleId));
            edit.restore.extend(new.map(TriangleId));
        }
    }
    edit
}

/// The numbers of what stands for a patch: the coarse triangle, a fan or the fine ones.
fn numbers(patches: &Patches, triangle: usize, is_fine: &[bool]) -> std::ops::Range<u32> {
    let (coarse, fine) = (patches.coarse().len(), patches.fine().len());
    let (first, count) = if is_fine[triangle] {
        (coarse + triangle * patches.per_patch(), patches.per_patch())
    } else if let Some(edge) = patches.fan_edge(triangle, is_fine) {
        (coarse + fine + (3 * triangle + edge) * patches.per_fan(), patches.per_fan())
    } else {
        (triangle, 1)
    };
    first as u32..(first + count) as u32
}

fn joined(boxes: impl Iterator<Item = [[f32; 3]; 2]>) -> [[f32; 3]; 2] {
    boxes.fold([[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]], union)
}

fn union([low, high]: [[f32; 3]; 2], [other_low, other_high]: [[f32; 3]; 2]) -> [[f32; 3]; 2] {
    [
        std::array::from_fn(|axis| low[axis].min(other_low[axis])),
        std::array::from_fn(|axis| high[axis].max(other_high[axis])),
    ]
}

fn overlap([low, high]: &[[f32; 3]; 2], [other_low, other_high]: &[[f32; 3]; 2]) -> bool {
    (0..3).all(|axis| low[axis] <= other_high[axis] && other_low[axis] <= high[axis])
}
