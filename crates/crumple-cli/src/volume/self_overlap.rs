//! `volume --self-overlap`: how much of a body is covered by itself more than once, frame by frame.

use std::time::{Duration, Instant};

use anyhow::Result;
use crumple::Body;
use crumple_bench::gpu::{self, Device, GpuFailure, Path};
use crumple_check::bodies::{MovingBodies, files};
use crumple_check::sink::Out;
use crumple_io::WriteError;
use crumple_io::report::{Samples, SelfOverlapFrame, VolumeSummary, micros};
use crumple_io::words::{Align, count, counted, size};
use crumple_io::write::VolumeCsv;
use crumple_ldi::{ImageOptions, Resolution, SelfOverlap};

use super::bars::Sampled;
use super::words::{in_how_many, on};
use crate::measure::{Measure, Page, Row, Shown};
use crate::output::refusal;

/// Finds self-overlaps, here or on the GPU.
pub(super) struct SelfOverlaps {
    options: ImageOptions,
    on_cpu: SelfOverlap,
    gpu: Option<gpu::SelfOverlaps>,
    /// Where, in words.
    on: String,
    /// Whether there are several frames.
    many: bool,
}

impl SelfOverlaps {
    pub(super) fn new(options: ImageOptions, gpu: Option<(Device, Path)>, many: bool) -> Result<Self> {
        let on = on(gpu.as_ref());
        let gpu = gpu.map(|(device, path)| device.self_overlaps(path, options)).transpose()?;
        Ok(Self { options, on_cpu: SelfOverlap::new(options), gpu, on, many })
    }

    fn measure(&mut self, frame: usize, body: &Body) -> Result<SelfOverlapFrame, GpuFailure> {
        let Resolution { columns, rows } = self.options.resolution;
        let start = Instant::now();
        let mut record = SelfOverlapFrame {
            frame: frame as u64,
            number: None,
            animation: None,
            self_overlap: 0.0,
            inverted: 0.0,
            columns: 0,
            triangles: None,
            resolution: Samples::from([columns, rows]),
            depth_complexity: 0,
            query_us: 0.0,
        };
        if let Some(gpu) = &mut self.gpu {
            let found = gpu.find(body)?;
            (record.self_overlap, record.inverted) = (found.volume, found.inverted_volume);
            (record.columns, record.depth_complexity) = (found.samples.into(), found.depth_complexity);
        } else {
            let found = self.on_cpu.find(body)?;
            (record.self_overlap, record.inverted) = (found.volume, found.inverted_volume);
            record.columns = found.samples.len() as u64;
            record.triangles = Some(found.triangles.len() as u64);
            record.depth_complexity = self.on_cpu.image().depth_complexity();
        }
        record.query_us = micros(start.elapsed());
        Ok(record)
    }
}

impl Measure for SelfOverlaps {
    type Record = SelfOverlapFrame;
    type Summary = VolumeSummary;

    fn frame(&mut self, bodies: &mut MovingBodies, frame: usize, _: Duration) -> Result<SelfOverlapFrame> {
        let record = self.measure(frame, bodies.body(0)?);
        let mut record = record.map_err(|error| refusal::explained(error, bodies, self.many.then_some(frame)))?;
        (record.number, record.animation) = files::numbered(bodies.files(), frame);
        Ok(record)
    }

    fn row<'r>(&self, record: &'r SelfOverlapFrame) -> Row<'r> {
        let mut cells = vec![size(record.self_overlap, 6), size(record.inverted, 6)];
        cells.extend(record.triangles.map(count));
        Row { frame: record.frame, name: record.name(), times_us: [0.0, record.query_us], cells }
    }

    fn add(&self, record: &SelfOverlapFrame, summary: &mut VolumeSummary) {
        summary.add_self_overlap(record);
    }

    fn worst(&self, summary: &VolumeSummary) -> f64 {
        summary.worst.map_or(0.0, |worst| worst.volume)
    }

    fn tabulate(&self, record: &SelfOverlapFrame, table: &mut VolumeCsv) -> Result<(), WriteError> {
        table.write_frame(record)
    }

    fn show(&mut self, record: &SelfOverlapFrame, bodies: &mut MovingBodies, page: &mut Page) -> Result<()> {
        let read_back = self.gpu.as_mut().map(gpu::SelfOverlaps::spans).transpose()?;
        let spans = read_back.as_deref().unwrap_or(self.on_cpu.spans());
        let ImageOptions { resolution, direction, .. } = self.options;
        let (bounds, axis) = (bodies.body(0)?.bounds(), direction.axis());
        let sampled = Sampled { volume: record.self_overlap, bounds, axis, resolution, spans };
        sampled.show(&self.row(record), bodies.scene.update()?, page)
    }

    fn note(&self, summary: &VolumeSummary, page: &Page) -> Option<String> {
        let frames = counted(summary.frames, "frame");
        Some(match summary.worst {
            None => format!("It does not overlap itself in {frames}."),
            Some(worst) => format!(
                "It overlaps itself in {}\nof {frames}, most in frame {}:\na volume of {}, sampled.",
                count(summary.frames_overlapping),
                page.name_of(worst.frame),
                size(worst.volume, 6)
            ),
        })
    }

    fn print(&self, shown: &Shown<SelfOverlapFrame>, summary: &VolumeSummary, out: &mut Out) -> Result<()> {
        let name = &shown.names[0];
        if let Some(record) = shown.last.as_ref().filter(|_| summary.frames == 1) {
            let inverted = match record.inverted {
                0.0 => String::new(),
                volume => format!(", a volume of {} is turned inside out", size(volume, 6)),
            };
            let twice = match record.self_overlap {
                0.0 => "it does not overlap itself".to_owned(),
                volume => format!("a volume of {} is covered more than once", size(volume, 6)),
            };
            let (frame, took) = (record.name(), shown.took());
            return out.line(format_args!("{name}: {twice}{inverted} in frame {frame} ({took})"));
        }
        let frames = counted(summary.frames, "frame");
        let right = Align::Right;
        let mut columns = vec![("frame", right), ("covered more than once", right), ("inside out", right)];
        columns.extend(self.gpu.is_none().then_some(("triangles there", right)));
        let sum = match summary.worst {
            None => format!("{name}: it does not overlap itself in {frames}"),
            Some(worst) => {
                let frame = shown.name_of(worst.frame);
                in_how_many(&format!("{name}: it overlaps itself"), summary, worst, &frame)
            }
        };
        shown.table(&columns, &sum, out)
    }

    fn pace(&self, frames: u64, per_frame: &str) -> Vec<String> {
        let (resolution, frames) = (self.options.resolution, counted(frames, "frame"));
        vec![format!("{frames} by a depth image of {resolution} samples{}, {per_frame} per frame", self.on)]
    }
}
