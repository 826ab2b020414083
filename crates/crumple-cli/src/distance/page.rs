//! The page of `distance`: both bodies in motion, and a thin bar from one nearest point to the other.
//!
//! The bar is a body of its own, so that it can be shown, hidden and pointed at like the others. Vertices are coloured by their
//! distance from the other body.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use crumple::{Aabb, Body, Frame};
use crumple_io::report::{self, BodyRecord, CheckSummary, ContactRecord, DistanceFrame, DistanceSummary, Header};
use crumple_io::words::{counted, size};
use crumple_io::write::{PageFrame, PageWriter, WholeFile};

use crate::output::Destination;
use crumple_check::sink::page::Nearness;

/// A bar of three sides between two triangles.
const BAR: [[u32; 3]; 6] = [[0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4], [2, 0, 3], [2, 3, 5]];

/// How thick the bar is, as a part of the size of the scene.
const THICKNESS: f64 = 0.002;

/// Vertices are coloured that are closer than this part of the size of the scene in the first frame.
const COLOURED: f64 = 0.1;

/// A page being written.
pub(super) struct Page {
    file: PathBuf,
    writer: PageWriter<WholeFile>,
    summary: CheckSummary,
    nearness: Nearness,
}

impl Page {
    pub(super) fn new(file: &Path, header: &Header, bodies: [&Body; 2], fps: f64) -> Result<Self> {
        let out = Destination::create(file)?.into_file();
        let mut header = header.clone();
        let title = format!("{} and {}", header.bodies[0].name, header.bodies[1].name);
        header.bodies.push(BodyRecord {
            id: 2,
            name: "shortest distance".to_owned(),
            triangles: BAR.len() as u64,
            vertices: 6,
            closed: false,
            face_of_triangle: None,
            precision: None,
        });
        let [a, b] = bodies.map(|body| body.mesh().indices());
        let clearance = COLOURED * size_of(bodies.into_iter().map(Body::bounds));
        let writer = PageWriter::new(out, &title, &header, &[a, b, &BAR]);
        let writer = writer.with_context(|| file.display().to_string())?.with_fps(fps).with_clearance(clearance);
        let nearness = Nearness::new(clearance);
        Ok(Self { file: file.to_owned(), writer, summary: CheckSummary::default(), nearness })
    }

    /// Adds a frame, with what meets in it.
    pub(super) fn frame(&mut self, record: &DistanceFrame, now: Frame<'_>) -> Result<()> {
        let found = report::Frame {
            frame: record.frame,
            number: record.number,
            animation: record.animation.clone(),
            contacts: now.contacts().iter().map(ContactRecord::from).collect(),
            update_us: record.update_us,
            query_us: record.query_us,
            ..report::Frame::default()
        };
        let bar = bar(record.points, THICKNESS * size_of(now.bodies().map(|(_, body)| body.bounds())));
        let near = self.nearness.of(now, std::iter::once((0, 1)))?;
        // The bar is near nothing, and shows what the segment would.
        near.distances.push(Vec::new());
        near.segments.clear();
        let mut positions: Vec<&[[f32; 3]]> = now.bodies().map(|(_, body)| body.positions()).collect();
        positions.push(&bar);
        let shown = PageFrame { near: Some(near), ..PageFrame::from(&found) };
        self.writer.frame(&positions, shown).with_context(|| self.file.display().to_string())?;
        self.summary.add(&found);
        Ok(())
    }

    /// Completes the page; returns a line that names it.
    pub(super) fn finish(mut self, [a, b]: &[String; 2], summary: &DistanceSummary) -> Result<String> {
        if let Some(nearest) = summary.nearest {
            let frames = counted(summary.frames, "frame");
            let (least, frame) = (size(nearest.distance[1], 6), self.writer.name_of(nearest.frame).to_string());
            self.writer.note(match summary.frames_touching {
                0 => format!("{a} and {b} are at least {least} apart in {frames}, nearest in frame {frame}."),
                touching => format!("{a} and {b} touch in {touching} of {frames}."),
            });
        }
        let out = self.writer.finish(self.summary).with_context(|| self.file.display().to_string())?;
        out.finish().with_context(|| format!("{}: cannot be written", self.file.display()))?;
        Ok(format!("{}: a page to open in a browser", self.file.display()))
    }
}

/// The longest side of a box around all of these.
fn size_of(boxes: impl Iterator<Item = Aabb>) -> f64 {
    let extent = boxes.reduce(|one, other| one.union(&other)).map_or([0.0; 3], |whole| whole.extent());
    extent.into_iter().map(f64::from).fold(0.0, f64::max)
}

/// The vertices of a bar between two points: three around each.
fn bar([p, q]: [[f64; 3]; 2], radius: f64) -> [[f32; 3]; 6] {
    let along: [f64; 3] = std::array::from_fn(|axis| q[axis] - p[axis]);
    let cross =
        |u: [f64; 3], v: [f64; 3]| [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let unit = |v: [f64; 3]| {
        let length = v[0].hypot(v[1]).hypot(v[2]);
        v.map(|x| if length > 0.0 { x / length } else { 0.0 })
    };
    // Across the axis along which the bar extends least.
    let least = (1..3).fold(0, |least, axis| if along[axis].abs() < along[least].abs() { axis } else { least });
    let mut other = [0.0; 3];
    other[least] = 1.0;
    let u = unit(cross(along, other));
    let v = unit(cross(along, u));
    let around = |end: [f64; 3], k: usize| {
        let (sine, cosine) = (std::f64::consts::TAU * k as f64 / 3.0).sin_cos();
        std::array::from_fn(|axis| (end[axis] + radius * (cosine * u[axis] + sine * v[axis])) as f32)
    };
    std::array::from_fn(|vertex| around(if vertex < 3 { p } else { q }, vertex % 3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_stands_around_both_points() {
        for points in [[[0.0; 3], [1.0, 2.0, 3.0]], [[1.0; 3], [1.0, 1.0, -5.0]], [[2.0; 3]; 2]] {
            let vertices = bar(points, 0.25);
            for (vertex, position) in vertices.iter().enumerate() {
                let end = points[vertex / 3];
                let away: f64 = (0..3).map(|axis| (f64::from(position[axis]) - end[axis]).powi(2)).sum();
                let expected = if points[0] == points[1] { 0.0 } else { 0.25 };
                assert!((away.sqrt() - expected).abs() < 1e-6, "{vertices:?}");
            }
        }
    }
}
