//! `volume --exact`: how much two closed bodies overlap, from the exact pairs of triangles, with the connected regions.

mod outputs;
mod words;

use std::ffi::OsString;
use std::ops::Range;
use std::time::{Duration, Instant};

use anyhow::Result;
use crumple::{Body, BodyId, Scene};
use crumple_io::report::{ExactVolumeFrame, Header, LastRecord, PenetrationRecord, VolumeSummary, micros};

use super::{check_outputs, overlaps_itself, table_file};
use crate::args::VolumeArgs;
use crate::bodies;
use crate::frames;
use crate::output::{Answer, Verdict, refusal, say};
use crumple_check::MaxWork;
use crumple_check::bodies::files;
use crumple_check::bodies::memory::Memory;
use crumple_check::bodies::moving::Motion;
use crumple_check::bodies::timeline;
use crumple_check::threads;
use outputs::Outputs;
use words::Shown;

/// The name of the method in reports.
const METHOD: &str = "exact";

/// Bytes kept of each frame: a row of the table, and what a page keeps.
const PER_FRAME: u64 = 384;

/// What to measure, checked.
struct Plan {
    names: [String; 2],
    header: Header,
    frames: Range<usize>,
    penetration: bool,
    /// The volume above which the exit code is 1.
    fail_above: Option<f64>,
    json: bool,
    /// Whether the table of regions takes the place of the answer on stdout.
    is_table: bool,
    quiet: bool,
    max_work: MaxWork,
}

pub(super) fn run(args: VolumeArgs) -> Result<Verdict> {
    let VolumeArgs { a, b, bodies, penetration, fail_above, html, csv, motion, .. } = args;
    let files: Vec<OsString> = [Some(a), b].into_iter().flatten().collect();
    let (table, is_table) = table_file(csv.as_deref(), motion.json)?;
    check_outputs(&files, html.as_deref(), table)?;
    let mut files = files::two(bodies::read(&files, &motion.options.reading)?, bodies.as_deref(), overlaps_itself)?;
    let (_, frames) = timeline::chosen(&mut files, &motion.options)?;
    Memory::new(motion.options.max_memory).take(&files, (frames.len(), PER_FRAME))?;
    let [a, b] = files.map(|file| Motion::start(file, frames.start));
    let bodies = [a?, b?];
    let names = bodies.each_ref().map(|(motion, _)| motion.shown().into_owned());
    for ((_, body), name) in bodies.iter().zip(&names) {
        refusal::unless_solid(body.mesh(), name)?;
    }
    let records = bodies.iter().enumerate().map(|(id, (motion, body))| motion.record(id, body.mesh())).collect();
    let header = Header::new(METHOD, records, frames.len() as u64);
    let files = bodies.iter().map(|(motion, _)| motion.file());
    let has_animations = files::animation(files, frames.start).is_some();
    let mut outputs = Outputs::default();
    if let Some(file) = &html {
        let triangles = bodies.each_ref().map(|(_, body)| body.mesh().indices());
        outputs = outputs.with_page(file, &header, &triangles, motion.options.reading.frames_per_second())?;
    }
    if csv.is_some() {
        outputs = outputs.with_table(table, &header, has_animations)?;
    }
    let (json, quiet, max_work) = (motion.json, motion.quiet, motion.options.max_work);
    let plan = Plan { names, header, frames, penetration, fail_above, json, is_table, quiet, max_work };
    threads::within(motion.options.threads, || measure(&plan, bodies, outputs))
}

fn measure(plan: &Plan, bodies: [(Motion, Body); 2], mut outputs: Outputs) -> Result<Verdict> {
    let mut answer = Answer::whose_exit_code(plan.fail_above.is_some());
    if plan.json {
        answer.record(&plan.header)?;
    }
    let mut pair = MovingPair::new(bodies);
    let (mut shown, mut summary) = (Shown::default(), VolumeSummary::default());
    let verdict = frames::each_frame(plan.frames.clone(), plan.quiet, plan.json, plan.max_work, |frame| {
        let (record, now) = pair.frame(frame, plan)?;
        summary.add_exact(&record);
        outputs.frame(&record, now)?;
        if plan.json {
            return answer.record(&record);
        }
        shown.add(record);
        Ok(())
    });
    // Whatever ended the walk, the files are completed: they have the frames so far.
    let written = outputs.finish(&summary);
    let (verdict, written) = (verdict?, written?);
    let verdict = verdict.of_worst(summary.worst.map_or(0.0, |worst| worst.volume), plan.fail_above);
    match (plan.json, plan.is_table) {
        (true, _) => answer.record(&LastRecord { summary })?,
        (_, true) => {}
        _ => shown.print(plan, &summary, &mut answer)?,
    }
    answer.finish()?;
    if !plan.quiet && !plan.json {
        written.iter().for_each(say);
    }
    Ok(verdict)
}

/// Two bodies in a scene, and the files they come from.
struct MovingPair {
    scene: Scene,
    ids: [BodyId; 2],
    motions: [Motion; 2],
}

impl MovingPair {
    fn new(bodies: [(Motion, Body); 2]) -> Self {
        let mut scene = Scene::new();
        let [(motion_a, a), (motion_b, b)] = bodies;
        let ids = [scene.add(a), scene.add(b)];
        Self { scene, ids, motions: [motion_a, motion_b] }
    }

    /// Moves the bodies to a frame and measures.
    fn frame(&mut self, frame: usize, plan: &Plan) -> Result<(ExactVolumeFrame, crumple::Frame<'_>)> {
        let Self { scene, ids: [a, b], motions } = self;
        let mut took = Duration::ZERO;
        for (motion, &id) in motions.iter_mut().zip([&*a, &*b]) {
            took += motion.go_to_in(frame, scene, id)?;
        }
        let start = Instant::now();
        let now = scene.update()?;
        let updated = Instant::now();
        let overlap = now.overlap(*a, *b)?;
        let regions = now.regions().map(Into::into).collect();
        let query_us = micros(updated.elapsed());
        let (number, animation) = files::numbered(motions.iter().map(Motion::file), frame);
        let mut record = ExactVolumeFrame {
            frame: frame as u64,
            number,
            animation,
            volume: overlap.volume(),
            exact: true,
            area: overlap.area(),
            centroid: overlap.centroid(),
            regions,
            penetration: None,
            update_us: micros(took + (updated - start)),
            query_us,
        };
        // Where bodies merely touch, what is left of their volume is rounding, and so is its centre.
        if !record.overlaps() {
            record.centroid = None;
        } else if plan.penetration {
            let parted = now.separation(*a, *b)?;
            record.penetration =
                parted.map(|parted| PenetrationRecord { depth: parted.depth, translation: parted.translation() });
        }
        Ok((record, now))
    }
}
