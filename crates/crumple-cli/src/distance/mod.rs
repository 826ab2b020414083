//! `crumple distance`: how far apart two bodies are, frame by frame, and where they are nearest.

mod bar;

use std::ffi::OsString;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use crumple::Body;
use crumple::distance::Closest;
use crumple_check::bodies::{MovingBodies, files};
use crumple_check::sink::Out;
use crumple_check::sink::page::Nearness;
use crumple_io::report::{DistanceFrame, DistanceSummary, micros};
use crumple_io::words::{Align, count, counted, size};
use crumple_io::write::PageFrame;
use crumple_methods::Method;

use crate::args::DistanceArgs;
use crate::bodies;
use crate::measure::{Job, Measure, Outputs, Page, Row, Shown};
use crate::output::{Verdict, hinted};

/// Bytes kept of each frame: a row of the table, and what a page keeps.
const PER_FRAME: u64 = 256;

/// Vertices are coloured that are closer to the other body than this part of the size of the scene in the first frame.
const COLOURED: f64 = 0.1;

pub(crate) fn run(args: DistanceArgs) -> Result<Verdict> {
    let DistanceArgs { a, b, bodies, html, motion } = args;
    let files: Vec<OsString> = [Some(a), b].into_iter().flatten().collect();
    let outputs = Outputs::new(&files, html, None, motion.json)?;
    let files = files::two(bodies::read(&files, &motion.options.reading)?, bodies.as_deref(), |name| {
        let what = format!("{name} is at no distance from itself");
        hinted(what, "`crumple check --self --clearance D` finds where it comes close to itself")
    })?;
    let mut job = Job::start(files.into(), &mut [], Method::default().name(), motion, outputs, PER_FRAME)?;
    if let Some((empty, _)) = job.bodies.files().zip(job.bodies.all()).find(|(_, body)| body.mesh().live_count() == 0) {
        bail!("{} has no triangles, so nothing is at any distance from it", empty.shown());
    }
    let clearance = COLOURED * bar::size_of(job.bodies.all().map(Body::bounds));
    job.start_page(Some((bar::record(), &bar::BAR)), Some(clearance))?;
    let names = job.bodies.files().map(|file| file.shown().into_owned()).collect();
    job.run(move || Ok(Distance { nearness: Nearness::new(clearance), names }))
}

struct Distance {
    /// How near vertices are, for a page.
    nearness: Nearness,
    names: Vec<String>,
}

impl Measure for Distance {
    type Record = DistanceFrame;
    type Summary = DistanceSummary;

    fn frame(&mut self, bodies: &mut MovingBodies, frame: usize, took: Duration) -> Result<DistanceFrame> {
        let (a, b) = (bodies.ids()[0], bodies.ids()[1]);
        let (number, animation) = files::numbered(bodies.files(), frame);
        let start = Instant::now();
        let now = bodies.scene.update()?;
        let updated = Instant::now();
        let Closest { distance, points, triangles, .. } = now.distance(a, b)?;
        let query_us = micros(updated.elapsed());
        Ok(DistanceFrame {
            frame: frame as u64,
            number,
            animation,
            distance: [distance.lo, distance.hi],
            points,
            triangles: triangles.into(),
            update_us: micros(took + (updated - start)),
            query_us,
        })
    }

    fn row<'r>(&self, record: &'r DistanceFrame) -> Row<'r> {
        let [p, q] = record.points.map(place);
        let [i, j] = record.triangles;
        let cells = vec![size(record.distance[1], 6), format!("{p} on {i}"), format!("{q} on {j}")];
        Row { frame: record.frame, name: record.name(), times_us: [record.update_us, record.query_us], cells }
    }

    fn add(&self, record: &DistanceFrame, summary: &mut DistanceSummary) {
        summary.add(record);
    }

    fn show(&mut self, record: &DistanceFrame, bodies: &mut MovingBodies, page: &mut Page) -> Result<()> {
        let Some(now) = bodies.scene.frame() else { return Ok(()) };
        let found = self.row(record).found(now);
        let bar = bar::between(record.points, bar::size_of(bodies.all().map(Body::bounds)));
        let near = self.nearness.of(now, std::iter::once((0, 1)))?;
        // The bar is near nothing, and shows what the segment would.
        near.distances.push(Vec::new());
        near.segments.clear();
        page.frame(now, Some(&bar), PageFrame { near: Some(near), ..PageFrame::from(&found) })
    }

    fn note(&self, summary: &DistanceSummary, page: &Page) -> Option<String> {
        let nearest = summary.nearest?;
        let (bodies, frames) = (self.names.join(" and "), counted(summary.frames, "frame"));
        Some(match summary.frames_touching {
            0 => {
                let (least, frame) = (size(nearest.distance[1], 6), page.name_of(nearest.frame));
                format!("{bodies} are at least {least} apart in {frames}, nearest in frame {frame}.")
            }
            touching => format!("{bodies} touch in {touching} of {frames}."),
        })
    }

    fn print(&self, shown: &Shown<DistanceFrame>, summary: &DistanceSummary, out: &mut Out) -> Result<()> {
        let bodies = self.names.join(" and ");
        if let Some(record) = shown.last.as_ref().filter(|_| summary.frames == 1) {
            let ([p, q], [i, j]) = (record.points.map(place), record.triangles);
            let (frame, took) = (record.name(), shown.took());
            if record.distance == [0.0; 2] {
                return out.line(format_args!("{bodies} touch in frame {frame}, triangles {i} and {j} ({took})"));
            }
            let distance = size(record.distance[1], 6);
            out.line(format_args!("{bodies}: {distance} apart in frame {frame} ({took})"))?;
            return out.line(format_args!("from {p} on triangle {i} to {q} on triangle {j}"));
        }
        let Some(nearest) = summary.nearest else { return Ok(()) };
        let [left, right] = [Align::Left, Align::Right];
        let points = [("point of the first, triangle", left), ("point of the second, triangle", left)];
        let (frame, frames) = (shown.name_of(nearest.frame), counted(summary.frames, "frame"));
        let sum = match (count(summary.frames_touching), size(nearest.distance[1], 6)) {
            (touching, _) if summary.frames_touching > 0 => {
                format!("{bodies} touch in {touching} of {frames}, first in frame {frame}")
            }
            (_, least) => format!("{bodies}: at least {least} apart in {frames}, nearest in frame {frame}"),
        };
        shown.table(&[("frame", right), ("distance", right), points[0], points[1]], &sum, out)
    }

    fn pace(&self, frames: u64, per_frame: &str) -> Vec<String> {
        let sum = format!("{}, {per_frame} per frame", counted(frames, "frame"));
        if frames > 1 { vec![sum] } else { Vec::new() }
    }
}

/// A point as text.
fn place([x, y, z]: [f64; 3]) -> String {
    format!("({}, {}, {})", size(x, 6), size(y, 6), size(z, 6))
}
