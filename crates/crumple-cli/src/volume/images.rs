//! How much two bodies overlap, by depth images.

use std::time::{Duration, Instant};

use anyhow::Result;
use crumple::{Aabb, Axis, Body};
use crumple_bench::gpu::{self, Device, GpuFailure, Path};
use crumple_check::bodies::{MovingBodies, files};
use crumple_check::sink::Out;
use crumple_io::report::{self, BoxRecord, PenetrationRecord, Samples, VolumeFrame, VolumeSummary, micros};
use crumple_io::words::{Align, counted, size};
use crumple_ldi::{OverlapOptions, OverlapSampler, OverlapSpan, Penetration, Resolution, VolumeError};

use super::bars::Sampled;
use super::words::{note, on, print_overlaps, unordered, vector, way};
use crate::measure::{Measure, Page, Row, Shown};
use crate::output::refusal;

/// Makes the depth images and combines them.
pub(super) struct Images {
    overlap: OverlapSampler,
    /// If it was asked for.
    penetration: Option<Penetration>,
    /// If it is done on the GPU.
    gpu: Option<gpu::Overlaps>,
    /// Where, in words.
    on: String,
    /// The spans of the last frame, if a page shows them.
    spans: Option<Vec<OverlapSpan>>,
    /// The most columns of each body that do not alternate in any frame.
    unordered: [u64; 2],
    /// Whether there are several frames.
    many: bool,
}

impl Images {
    pub(super) fn new(
        options: OverlapOptions,
        penetration: bool,
        gpu: Option<(Device, Path)>,
        shows: bool,
        many: bool,
    ) -> Result<Self> {
        let penetration = penetration.then(|| Penetration::new(options));
        let on = on(gpu.as_ref());
        let gpu = gpu.map(|(device, path)| device.overlaps(path, &options)).transpose()?;
        let (overlap, spans) = (OverlapSampler::new(options), shows.then(Vec::new));
        Ok(Self { overlap, penetration, gpu, on, spans, unordered: [0; 2], many })
    }

    fn measure(&mut self, frame: usize, a: &Body, b: &Body) -> Result<VolumeFrame, GpuFailure> {
        let mut record = if self.gpu.is_some() { self.on_gpu(frame, a, b)? } else { self.on_cpu(frame, a, b)? };
        let deep = self.penetration.as_mut().filter(|_| record.volume > 0.0);
        let deep = deep.map(|penetration| penetration.compute(a, b)).transpose()?;
        record.penetration =
            deep.map(|deep| PenetrationRecord { depth: deep.depth(), translation: deep.translation() });
        for (most, here) in self.unordered.iter_mut().zip(record.unordered_columns.unwrap_or_default()) {
            *most = here.max(*most);
        }
        Ok(record)
    }

    /// Only the volume comes back from the GPU: no estimate of its error, no centre.
    fn on_gpu(&mut self, frame: usize, a: &Body, b: &Body) -> Result<VolumeFrame, GpuFailure> {
        let start = Instant::now();
        let found = self.gpu.as_mut().map(|gpu| gpu.compute(a, b)).transpose()?;
        let stage12_us = micros(start.elapsed());
        if let (Some(spans), Some(gpu)) = (&mut self.spans, &mut self.gpu) {
            *spans = gpu.spans()?;
        }
        let found = found.filter(|found| found.volume_of_interest.is_some());
        let unordered = found.map_or([0; 2], |found| found.unordered_columns);
        Ok(VolumeFrame {
            frame: frame as u64,
            number: None,
            animation: None,
            volume: found.map_or(0.0, |found| found.volume),
            error_estimate: None,
            centroid: None,
            bounds: None,
            penetration: None,
            resolution: self.samples(),
            depth_complexity: found.map_or([0; 2], |found| found.depth_complexity),
            unordered_columns: (unordered != [0; 2]).then_some(unordered),
            voi: found
                .and_then(|found| found.volume_of_interest)
                .map(|(bounds, direction)| voi(bounds, direction.axis())),
            stage12_us,
            stage3_us: 0.0,
        })
    }

    fn on_cpu(&mut self, frame: usize, a: &Body, b: &Body) -> Result<VolumeFrame, VolumeError> {
        let resolution = self.samples();
        let start = Instant::now();
        self.overlap.render(a, b)?;
        let rendered = Instant::now();
        let answer = self.overlap.combine();
        let done = Instant::now();
        if let Some(spans) = &mut self.spans {
            spans.clear();
            spans.extend(answer.spans());
        }
        let unordered = answer.unordered_columns().map(|columns| columns as u64);
        Ok(VolumeFrame {
            frame: frame as u64,
            number: None,
            animation: None,
            volume: answer.volume(),
            error_estimate: Some(answer.error_estimate()),
            centroid: answer.centroid(),
            bounds: answer.bounds().map(|bounds| BoxRecord { min: bounds.min(), max: bounds.max() }),
            penetration: None,
            resolution,
            depth_complexity: answer.depth_complexity(),
            unordered_columns: (unordered != [0; 2]).then_some(unordered),
            voi: answer.volume_of_interest().map(|found| voi(found.bounds(), found.axis())),
            stage12_us: micros(rendered - start),
            stage3_us: micros(done - rendered),
        })
    }

    fn samples(&self) -> Samples {
        let Resolution { columns, rows } = self.overlap.options().resolution;
        Samples::from([columns, rows])
    }
}

fn voi(bounds: Aabb, axis: Axis) -> report::VolumeOfInterest {
    report::VolumeOfInterest { min: bounds.min(), max: bounds.max(), axis: axis.into() }
}

impl Measure for Images {
    type Record = VolumeFrame;
    type Summary = VolumeSummary;

    fn frame(&mut self, bodies: &mut MovingBodies, frame: usize, _: Duration) -> Result<VolumeFrame> {
        let record = self.measure(frame, bodies.body(0)?, bodies.body(1)?);
        let mut record = record.map_err(|error| refusal::explained(error, bodies, self.many.then_some(frame)))?;
        (record.number, record.animation) = files::numbered(bodies.files(), frame);
        Ok(record)
    }

    fn row<'r>(&self, record: &'r VolumeFrame) -> Row<'r> {
        let mut cells = vec!["0".into()];
        if record.volume > 0.0 {
            let error = record.error_estimate.map(|error| size(error, 2));
            cells = vec![size(record.volume, 6)];
            // The GPU returns the volume only.
            cells.extend(error.into_iter().flat_map(|error| [error, around(record)]));
            cells.extend(record.penetration.as_ref().map(way));
        }
        let times_us = [record.stage12_us, record.stage3_us];
        Row { frame: record.frame, name: record.name(), times_us, cells }
    }

    fn add(&self, record: &VolumeFrame, summary: &mut VolumeSummary) {
        summary.add(record);
    }

    fn worst(&self, summary: &VolumeSummary) -> f64 {
        summary.worst.map_or(0.0, |worst| worst.volume)
    }

    fn show(&mut self, record: &VolumeFrame, bodies: &mut MovingBodies, page: &mut Page) -> Result<()> {
        let voi = record.voi.as_ref();
        let (bounds, axis) = voi.map_or((Aabb::new([0.0; 3], [0.0; 3]), Axis::X), |voi| {
            (Aabb::new(voi.min, voi.max), Axis::from(voi.axis))
        });
        let resolution = self.overlap.options().resolution;
        // Where the boxes are apart there is nothing to draw, and the volume is 0.
        let spans = self.spans.as_deref().filter(|_| voi.is_some()).unwrap_or_default();
        let sampled = Sampled { volume: record.volume, bounds, axis, resolution, spans };
        sampled.show(&self.row(record), bodies.scene.update()?, page)
    }

    fn note(&self, summary: &VolumeSummary, page: &Page) -> Option<String> {
        Some(note(summary, page, "sampled"))
    }

    fn print(&self, shown: &Shown<VolumeFrame>, summary: &VolumeSummary, out: &mut Out) -> Result<()> {
        let [left, right] = [Align::Left, Align::Right];
        let mut columns = vec![("frame", right), ("volume", right)];
        columns.extend([("±", right), ("around", left)].into_iter().filter(|_| self.gpu.is_none()));
        columns.extend(self.penetration.is_some().then_some(("separated by moving the first by", left)));
        print_overlaps(shown, summary, &columns, out, |bodies, record, out| {
            let more = record.error_estimate.map(|error| format!(" ± {} around {}", size(error, 2), around(record)));
            out.line(format_args!(
                "{bodies}: a volume of {}{} in frame {} ({})",
                size(record.volume, 6),
                more.unwrap_or_default(),
                record.name(),
                shown.took()
            ))?;
            let way = record.penetration.as_ref().map(way);
            way.map_or(Ok(()), |way| out.line(format_args!("moving {} by {way} separates them", shown.names[0])))
        })?;
        let odd = self.unordered.iter().zip(&shown.names).filter(|(columns, _)| **columns > 0);
        odd.map(|(&columns, name)| unordered(columns, name)).try_for_each(|line| out.line(line))
    }

    fn pace(&self, frames: u64, per_frame: &str) -> Vec<String> {
        let resolution = self.overlap.options().resolution;
        let frames = counted(frames, "frame");
        vec![format!("{frames} by depth images of {resolution} samples{}, {per_frame} per frame", self.on)]
    }
}

/// The centre of an overlap.
fn around(record: &VolumeFrame) -> String {
    vector(record.centroid.unwrap_or_default())
}
