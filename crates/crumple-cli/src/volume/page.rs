//! The page of sampled overlaps: the bodies in motion, the triangles that meet, and the overlap as bars along its samples.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use crumple::{Aabb, Axis, Body, BodyId, Scene};
use crumple_io::report::{self, CheckSummary, ContactRecord, FrameName, Header};
use crumple_io::write::{Overlap, PageFrame, PageWriter, WholeFile};
use crumple_ldi::{OverlapSpan, Resolution};

use crate::output::Destination;

/// A page being written.
#[derive(Debug)]
pub(super) struct Page {
    file: PathBuf,
    writer: PageWriter<WholeFile>,
    summary: CheckSummary,
    /// Finds the triangles that meet.
    scene: Scene,
    ids: Vec<BodyId>,
    bars: Vec<[[f32; 3]; 2]>,
}

/// An overlap, sampled along an axis of a box.
pub(super) struct Sampled<'a> {
    pub(super) volume: f64,
    pub(super) bounds: Aabb,
    pub(super) axis: Axis,
    pub(super) resolution: Resolution,
    pub(super) spans: &'a [OverlapSpan],
}

impl Page {
    /// Starts the page of two bodies, or of one and itself.
    pub(super) fn new(file: &Path, header: &Header, bodies: &[&Body], fps: f64) -> Result<Self> {
        let out = Destination::create(file)?.into_file();
        let names: Vec<&str> = header.bodies.iter().map(|body| body.name.as_str()).collect();
        let triangles: Vec<&[[u32; 3]]> = bodies.iter().map(|body| body.mesh().indices()).collect();
        let writer = PageWriter::new(out, &names.join(" and "), header, &triangles);
        let writer = writer.with_context(|| file.display().to_string())?.with_fps(fps);
        let mut scene = Scene::new();
        let ids: Vec<BodyId> = bodies.iter().map(|&body| scene.add(body.clone())).collect();
        if let [only] = ids[..] {
            scene.set_self_collision(only, true)?;
        }
        Ok(Self { file: file.to_owned(), writer, summary: CheckSummary::default(), scene, ids, bars: Vec::new() })
    }

    /// Adds a frame: where the bodies are, how they overlap, and how long the images and the overlap took.
    pub(super) fn frame(
        &mut self,
        (frame, name): (u64, FrameName<'_>),
        bodies: &[&Body],
        sampled: &Sampled<'_>,
        [update_us, query_us]: [f64; 2],
    ) -> Result<()> {
        for (&id, body) in self.ids.iter().zip(bodies) {
            match body.positions_f64() {
                Some(positions) => self.scene.set_positions_f64(id, positions)?,
                None => self.scene.set_positions(id, body.positions())?,
            }
        }
        let now = self.scene.update()?;
        let contacts = now.contacts().iter().map(ContactRecord::from).collect();
        let (number, animation) = (Some(name.number), name.animation.map(str::to_owned));
        let found =
            report::Frame { frame, number, animation, contacts, update_us, query_us, ..report::Frame::default() };
        let footprint = sampled.bars(&mut self.bars);
        let last = bodies.len() as u32 - 1;
        let overlap = Overlap { a: 0, b: last, volume: sampled.volume, footprint, spans: &self.bars };
        let positions: Vec<&[[f32; 3]]> = bodies.iter().map(|body| body.positions()).collect();
        let shown = PageFrame { overlaps: &[overlap], ..PageFrame::from(&found) };
        self.writer.frame(&positions, shown).with_context(|| self.file.display().to_string())?;
        self.summary.add(&found);
        Ok(())
    }

    /// What a frame is called.
    pub(super) fn name_of(&self, frame: u64) -> String {
        self.writer.name_of(frame).to_string()
    }

    /// Completes the page with what it comes to; returns a line that names it.
    pub(super) fn finish(mut self, note: String) -> Result<String> {
        self.writer.note(note);
        let out = self.writer.finish(self.summary).with_context(|| self.file.display().to_string())?;
        out.finish().with_context(|| format!("{}: cannot be written", self.file.display()))?;
        Ok(format!("{}: a page to open in a browser", self.file.display()))
    }
}

impl Sampled<'_> {
    /// Writes the ends of every span to `bars`; returns how wide a sample is along the two other axes, in their order.
    fn bars(&self, bars: &mut Vec<[[f32; 3]; 2]>) -> [f32; 2] {
        let (low, extent) = (self.bounds.min(), self.bounds.extent());
        let [u, v] = self.axis.others().map(|axis| axis as usize);
        let mut step = [0.0; 3];
        step[u] = extent[u] / self.resolution.columns as f32;
        step[v] = extent[v] / self.resolution.rows as f32;
        bars.clear();
        bars.extend(self.spans.iter().map(|OverlapSpan { sample: [column, row], span }| {
            [span.low, span.high].map(|depth| {
                let mut end = [depth as f32; 3];
                end[u] = low[u] + (*column as f32 + 0.5) * step[u];
                end[v] = low[v] + (*row as f32 + 0.5) * step[v];
                end
            })
        }));
        let [first, second] = [u.min(v), u.max(v)];
        [step[first], step[second]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crumple_ldi::Span;

    #[test]
    fn bars_lie_in_the_middle_of_their_samples_whatever_the_axis() {
        let bounds = Aabb::new([0.0, 10.0, 20.0], [4.0, 18.0, 36.0]);
        let spans = [OverlapSpan { sample: [1, 0], span: Span { low: 5.0, high: 6.0 } }];
        let mut bars = Vec::new();
        for (axis, footprint, bar) in [
            (Axis::X, [4.0, 4.0], [[5.0, 16.0, 22.0], [6.0, 16.0, 22.0]]),
            (Axis::Y, [1.0, 8.0], [[0.5, 5.0, 32.0], [0.5, 6.0, 32.0]]),
            (Axis::Z, [2.0, 2.0], [[3.0, 11.0, 5.0], [3.0, 11.0, 6.0]]),
        ] {
            let resolution = Resolution { columns: 2, rows: 4 };
            let sampled = Sampled { volume: 1.0, bounds, axis, resolution, spans: &spans };
            assert_eq!((sampled.bars(&mut bars), &bars[..]), (footprint, &[bar][..]), "{axis:?}");
        }
    }
}
