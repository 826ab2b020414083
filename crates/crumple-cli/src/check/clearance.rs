//! `--clearance`: bodies that are closer than a distance, and parts of one.
//!
//! Two bodies are measured if their boxes are closer than the clearance. Parts of one body are features, a vertex and a face
//! or two edges, that share no vertex: a clearance larger than the edges of a mesh finds every mesh too close to itself.

use std::collections::BTreeMap;

use anyhow::Result;
use crumple::{Aabb, BodyId, Frame};
use crumple_io::FrameRun;
use crumple_io::report::{self, Finding, FindingKind, NearRecord, of_animation};
use crumple_io::words::{Align, Table, counted, size};

use super::words::{FrameCounts, Row, add_to, frames_of, pair_name};
use crate::output::styled;

/// What is closer than `clearance` in a frame, sorted by bodies; `own` if bodies are asked about themselves, `tests` whether two
/// bodies, or one, are asked about at all.
pub(super) fn find(
    now: Frame<'_>,
    ids: &[BodyId],
    clearance: f64,
    own: bool,
    tests: impl Fn(u32, u32) -> bool,
) -> Result<Vec<NearRecord>> {
    let mut found = Vec::new();
    let own = own.then(|| now.near(clearance));
    for (a, &id_a) in (0..).zip(ids) {
        if let Some(near) = own.as_ref().filter(|_| tests(a, a)) {
            let features = near.between(id_a, id_a).iter().map(|near| near.distance());
            let meets = now.contact(id_a, id_a).map(|_| 0.0);
            if let Some(distance) = features.chain(meets).reduce(f64::min) {
                found.push(NearRecord { a, b: a, distance });
            }
        }
        for (b, &id_b) in (0..).zip(ids).skip(a as usize + 1) {
            let (body_a, body_b) = (now.body(id_a)?, now.body(id_b)?);
            let are_bodies = body_a.mesh().live_count() > 0 && body_b.mesh().live_count() > 0;
            if are_bodies
                && tests(a, b)
                && gap(body_a.bounds(), body_b.bounds()) < clearance
                && now.is_closer_than(id_a, id_b, clearance)?
            {
                found.push(NearRecord { a, b, distance: now.distance(id_a, id_b)?.distance.hi });
            }
        }
    }
    Ok(found)
}

/// How far apart two boxes are along the axis where it is most: no more than the bodies are.
fn gap(a: Aabb, b: Aabb) -> f64 {
    let along = |axis: usize| {
        let apart = |low: f32, high: f32| f64::from(low) - f64::from(high);
        apart(a.min()[axis], b.max()[axis]).max(apart(b.min()[axis], a.max()[axis]))
    };
    // A little less: the bounds of a distance are rounded.
    (0..3).map(along).fold(0.0, f64::max) * (1.0 - 1e-12)
}

/// The frames in which each two bodies are too close, and how close.
#[derive(Debug, Default)]
pub(super) struct TooClose {
    of_bodies: BTreeMap<Row, Closest>,
    frames: FrameCounts,
}

/// When two bodies are too close, the number of the frame in which they are nearest, and how near.
#[derive(Debug)]
struct Closest {
    runs: Vec<FrameRun>,
    frame: u64,
    distance: f64,
}

impl TooClose {
    /// Takes one more frame in; frames must come in order.
    pub(super) fn add(&mut self, record: &report::Frame<'_>) {
        self.frames.add(record);
        for near in record.near.iter().flatten() {
            let row = Row { bodies: (near.a, near.b), animation: record.animation.clone() };
            let fresh = || Closest { runs: Vec::new(), frame: 0, distance: f64::INFINITY };
            let closest = self.of_bodies.entry(row).or_insert_with(fresh);
            add_to(&mut closest.runs, record);
            if near.distance < closest.distance {
                (closest.frame, closest.distance) = (record.own_number(), near.distance);
            }
        }
    }

    /// Drops the bodies for which there is no finding.
    pub(super) fn keep(&mut self, findings: &[Finding]) {
        let is_found = |row: &Row| {
            let mut near = findings.iter().filter(|finding| finding.kind == FindingKind::Near);
            near.any(|finding| (finding.a, finding.b) == row.bodies && finding.animation == row.animation)
        };
        self.of_bodies.retain(|row, _| is_found(row));
    }

    /// A table, or a sentence if nothing is too close.
    pub(super) fn text(&self, names: &[String], clearance: f64, frames: u64) -> String {
        if self.of_bodies.is_empty() {
            return format!("nothing is closer than {clearance} in {}", counted(frames, "frame"));
        }
        let has_animations = self.of_bodies.keys().any(|row| row.animation.is_some());
        let mut columns = vec![("bodies", Align::Left)];
        columns.extend(has_animations.then_some(("animation", Align::Left)));
        columns.push(("frames too close", Align::Left));
        columns.extend(["nearest frame", "distance"].map(|name| (name, Align::Right)));
        let mut table = Table::new(&columns);
        for (row, Closest { runs, frame, distance }) in &self.of_bodies {
            let mut cells = vec![pair_name(row.bodies, names)];
            cells.extend(has_animations.then(|| row.animation()));
            cells.extend([frames_of(runs, self.frames.of(row)), frame.to_string(), size(*distance, 6)]);
            table.row(cells);
        }
        styled(&table).trim_end().to_owned()
    }

    /// The same for the page.
    pub(super) fn note(&self, names: &[String], clearance: f64, frames: u64) -> String {
        let lines = self.of_bodies.iter().map(|(row, Closest { runs, frame, distance })| {
            let (bodies, frames) = (pair_name(row.bodies, names), frames_of(runs, self.frames.of(row)));
            let (animation, distance) = (of_animation(row.animation.as_deref()), size(*distance, 6));
            format!(
                "{bodies}: closer than {clearance} in frames {frames}{animation}, nearest {distance} in frame {frame}"
            )
        });
        let lines: Vec<String> = lines.collect();
        if lines.is_empty() { self.text(names, clearance, frames) } else { lines.join("\n") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_as_far_apart_as_along_their_farthest_axis() {
        let one = Aabb::new([0.0; 3], [1.0; 3]);
        assert_eq!(gap(one, Aabb::new([0.5; 3], [2.0; 3])), 0.0);
        let beyond = gap(Aabb::new([1.5, 4.0, -9.0], [2.0, 5.0, 9.0]), one);
        assert!((beyond - 3.0).abs() < 1e-9 && beyond < 3.0);
    }

    #[test]
    fn what_is_too_close_is_listed_by_bodies_with_the_nearest_frame() {
        let names = ["arm", "case"].map(str::to_owned);
        let mut found = TooClose::default();
        assert_eq!(found.text(&names, 0.5, 1), "nothing is closer than 0.5 in 1 frame");
        for (frame, distance) in [(1, 9.0), (2, 9.0), (3, 0.25), (4, 0.125), (5, 9.0), (6, 0.2), (7, 9.0)] {
            let near = (distance < 0.5).then(|| vec![NearRecord { a: 0, b: 1, distance }]);
            found.add(&report::Frame { frame, near, ..report::Frame::default() });
        }
        let expected = "\
bodies      frames too close   nearest frame  distance
arm × case  3..=4, 6 (3 of 7)              4  0.125000";
        assert_eq!(found.text(&names, 0.5, 7), expected);
        assert_eq!(
            found.note(&names, 0.5, 7),
            "arm × case: closer than 0.5 in frames 3..=4, 6 (3 of 7), nearest 0.125000 in frame 4"
        );
    }
}
