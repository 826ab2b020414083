//! `crumple distance`: how far apart two bodies are, frame by frame, and where they are nearest.

mod page;

use std::ffi::OsString;
use std::ops::Range;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use crumple::distance::Closest;
use crumple::{Body, BodyId, Scene};
use crumple_io::Source;
use crumple_io::report::{DistanceFrame, DistanceSummary, Header, LastRecord, micros};
use crumple_methods::Method;

use crate::args::DistanceArgs;
use crate::bodies;
use crate::frames;
use crate::output::frame_rows::FrameRows;
use crate::output::{Answer, FilesInUse, Verdict, hinted, say};
use crumple_check::MaxWork;
use crumple_check::bodies::files;
use crumple_check::bodies::memory::Memory;
use crumple_check::bodies::moving::Motion;
use crumple_check::bodies::timeline;
use crumple_check::threads;
use crumple_io::words::{Align, Table, count, counted, size, time};
use page::Page;

/// Bytes kept of each frame: a row of the table, and what a page keeps.
const PER_FRAME: u64 = 256;

/// What to measure, checked.
struct Plan {
    names: [String; 2],
    header: Header,
    frames: Range<usize>,
    json: bool,
    quiet: bool,
    max_work: MaxWork,
}

pub(crate) fn run(args: DistanceArgs) -> Result<Verdict> {
    let DistanceArgs { a, b, bodies, html, motion } = args;
    let files: Vec<OsString> = [Some(a), b].into_iter().flatten().collect();
    if let Some(page) = &html {
        let mut in_use = FilesInUse::new();
        files.iter().for_each(|file| in_use.read(&Source::from(Path::new(file))));
        in_use.write("--html", page)?;
    }
    let mut files = files::two(bodies::read(&files, &motion.options.reading)?, bodies.as_deref(), |name| {
        let what = format!("{name} is at no distance from itself");
        hinted(what, "`crumple check --self --clearance D` finds where it comes close to itself")
    })?;
    let (_, frames) = timeline::chosen(&mut files, &motion.options)?;
    Memory::new(motion.options.max_memory).take(&files, (frames.len(), PER_FRAME))?;
    let [a, b] = files.map(|file| Motion::start(file, frames.start));
    let bodies = [a?, b?];
    let names = bodies.each_ref().map(|(motion, _)| motion.shown().into_owned());
    if let Some(empty) = bodies.iter().position(|(_, body)| body.mesh().live_count() == 0) {
        bail!("{} has no triangles, so nothing is at any distance from it", names[empty]);
    }
    let records = bodies.iter().enumerate().map(|(id, (motion, body))| motion.record(id, body.mesh())).collect();
    let header = Header::new(Method::default().name(), records, frames.len() as u64);
    let page = html.map(|file| {
        Page::new(&file, &header, bodies.each_ref().map(|(_, body)| body), motion.options.reading.frames_per_second())
    });
    let (json, quiet, max_work) = (motion.json, motion.quiet, motion.options.max_work);
    let (page, plan) = (page.transpose()?, Plan { names, header, frames, json, quiet, max_work });
    threads::within(motion.options.threads, || measure(&plan, bodies, page))
}

fn measure(plan: &Plan, bodies: [(Motion, Body); 2], mut page: Option<Page>) -> Result<Verdict> {
    let mut answer = Answer::new();
    if plan.json {
        answer.record(&plan.header)?;
    }
    let mut pair = MovingPair::new(bodies);
    let (mut shown, mut summary) = (Shown::default(), DistanceSummary::default());
    let verdict = frames::each_frame(plan.frames.clone(), plan.quiet, plan.json, plan.max_work, |frame| {
        let (record, now) = pair.frame(frame)?;
        summary.add(&record);
        if let Some(page) = &mut page {
            page.frame(&record, now)?;
        }
        if plan.json {
            return answer.record(&record);
        }
        shown.add(&record);
        Ok(())
    });
    // Whatever ended the walk, the page is completed: it has the frames so far.
    let written = page.map(|page| page.finish(&plan.names, &summary)).transpose();
    let (verdict, written) = (verdict?, written?);
    if plan.json {
        answer.record(&LastRecord { summary })?;
    } else {
        shown.print(plan, &summary, &mut answer)?;
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
    fn frame(&mut self, frame: usize) -> Result<(DistanceFrame, crumple::Frame<'_>)> {
        let Self { scene, ids, motions } = self;
        let mut took = Duration::ZERO;
        for (motion, &id) in motions.iter_mut().zip(&*ids) {
            took += motion.go_to_in(frame, scene, id)?;
        }
        let start = Instant::now();
        let now = scene.update()?;
        let updated = Instant::now();
        let closest = now.distance(ids[0], ids[1])?;
        let query_us = micros(updated.elapsed());
        let Closest { distance, points, triangles, .. } = closest;
        let (number, animation) = files::numbered(motions.iter().map(Motion::file), frame);
        let record = DistanceFrame {
            frame: frame as u64,
            number,
            animation,
            distance: [distance.lo, distance.hi],
            points,
            triangles: triangles.into(),
            update_us: micros(took + (updated - start)),
            query_us,
        };
        Ok((record, now))
    }
}

/// What is printed: a line for a single frame, a table for more.
#[derive(Debug, Default)]
struct Shown {
    rows: FrameRows,
    last: Option<DistanceFrame>,
    busy_us: f64,
}

impl Shown {
    fn add(&mut self, record: &DistanceFrame) {
        let [p, q] = record.points.map(place);
        let [i, j] = record.triangles;
        let cells = vec![size(record.distance[1], 6), format!("{p} on {i}"), format!("{q} on {j}")];
        self.rows.add(record.frame, record.name(), cells);
        self.busy_us += record.update_us + record.query_us;
        self.last = Some(record.clone());
    }

    fn print(self, plan: &Plan, summary: &DistanceSummary, answer: &mut Answer) -> Result<()> {
        let [a, b] = &plan.names;
        match (&self.last, summary.nearest) {
            (Some(record), _) if summary.frames == 1 => {
                let frame = record.name();
                if record.distance == [0.0; 2] {
                    let [i, j] = record.triangles;
                    let took = time(self.busy_us);
                    answer.line(format_args!("{a} and {b} touch in frame {frame}, triangles {i} and {j} ({took})"))?;
                } else {
                    let ([p, q], [i, j]) = (record.points.map(place), record.triangles);
                    let (distance, took) = (size(record.distance[1], 6), time(self.busy_us));
                    answer.line(format_args!("{a} and {b}: {distance} apart in frame {frame} ({took})"))?;
                    answer.line(format_args!("from {p} on triangle {i} to {q} on triangle {j}"))?;
                }
            }
            (_, Some(nearest)) => {
                let columns = [
                    ("frame", Align::Right),
                    ("distance", Align::Right),
                    ("point of the first, triangle", Align::Left),
                    ("point of the second, triangle", Align::Left),
                ];
                let worst = self.rows.name_of(nearest.frame);
                answer.table(&self.rows.fill(Table::new(&columns)))?;
                answer.line("")?;
                let frames = counted(summary.frames, "frame");
                if summary.frames_touching > 0 {
                    let touching = count(summary.frames_touching);
                    answer.line(format_args!("{a} and {b} touch in {touching} of {frames}, first in frame {worst}"))?;
                } else {
                    let least = size(nearest.distance[1], 6);
                    answer.line(format_args!(
                        "{a} and {b}: at least {least} apart in {frames}, nearest in frame {worst}"
                    ))?;
                }
            }
            (_, None) => {}
        }
        if !plan.quiet && summary.frames > 1 {
            let per_frame = time(self.busy_us / summary.frames as f64);
            say(format_args!("{}, {per_frame} per frame", counted(summary.frames, "frame")));
        }
        Ok(())
    }
}

/// A point as text.
fn place([x, y, z]: [f64; 3]) -> String {
    format!("({}, {}, {})", size(x, 6), size(y, 6), size(z, 6))
}
