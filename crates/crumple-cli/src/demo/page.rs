//! The demo as a page to look at: both bodies in all frames, what collides in red, and the table of methods.

use std::io::Write;

use anyhow::{Context, Result};
use crumple_bench::measure::{Found, FrameTime, Outcome, Recording, Times};
use crumple_io::report::{BodyRecord, CheckSummary, Frame, Header, micros};
use crumple_io::write::PageWriter;
use crumple_methods::Method;
use crumple_scenes::Scene;

/// The speed at which the frames are played.
const FPS: f64 = 30.0;

/// What the page shows.
struct Animation<'a> {
    scene: &'a Scene,
    recording: &'a Recording,
    found: &'a [Found],
    /// The method whose times are shown.
    method: &'a str,
    times: &'a [FrameTime],
}

/// Writes the page and returns what it was written to; `table` is the table of methods. Times are those of the default method.
pub(super) fn write<W: Write>(out: W, scene: &Scene, outcome: &Outcome, table: String) -> Result<W> {
    let is_default = |times: &&Times| times.label == Method::default().name();
    let times = outcome.times.iter().find(is_default).context("the demo did not run the default method")?;
    let animation = Animation {
        scene,
        recording: &outcome.recording,
        found: &outcome.found,
        method: &times.label,
        times: &times.frames,
    };
    animation.write(out, table)
}

impl Animation<'_> {
    fn write<W: Write>(&self, out: W, table: String) -> Result<W> {
        let bodies = self.scene.bodies();
        let record = |(id, body): (usize, &crumple_scenes::SceneBody)| BodyRecord {
            id: id as u32,
            name: body.name().to_owned(),
            triangles: body.triangles().len() as u64,
            vertices: body.vertex_count() as u64,
            closed: body.is_closed(),
            face_of_triangle: None,
            precision: None,
        };
        let records = bodies.iter().enumerate().map(record).collect();
        let header = Header::new(self.method, records, self.recording.len() as u64);
        let triangles: Vec<_> = bodies.iter().map(|body| body.triangles()).collect();
        let mut page = PageWriter::new(out, "Two bumpy spheres collide", &header, &triangles)?.with_fps(FPS);
        page.note(table);
        let mut summary = CheckSummary::default();
        for (at, (found, time)) in self.found.iter().zip(self.times).enumerate() {
            let frame = Frame {
                frame: self.recording.number(at),
                contacts: found.contacts.clone(),
                update_us: micros(time.update),
                query_us: micros(time.query),
                ..Frame::default()
            };
            page.frame(self.recording.frame(at), &frame)?;
            summary.add(&frame);
        }
        Ok(page.finish(summary)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_page_of_all_200_frames_takes_less_than_15_megabytes() {
        let scene = crumple_scenes::by_name(super::super::SCENE).unwrap();
        let recording = Recording::of(&scene, 0..scene.frame_count()).unwrap();
        let (mut scene_now, ids) = recording.scene_at(Method::default(), 0).unwrap();
        let mut found = Vec::new();
        for at in 0..recording.len() {
            for (&id, positions) in ids.iter().zip(recording.frame(at)) {
                scene_now.set_positions(id, positions).unwrap();
            }
            found.push(Found::of(scene_now.update().unwrap().contacts()));
        }
        let times = vec![FrameTime { update: Duration::from_nanos(123_456), query: Duration::ZERO }; recording.len()];
        let animation =
            Animation { scene: &scene, recording: &recording, found: &found, method: "wide-tree", times: &times };
        let mut page = Vec::new();
        animation.write(&mut page, "table".into()).unwrap();
        assert!(page.len() < 15_000_000, "{} bytes", page.len());
        let text = String::from_utf8(page).unwrap();
        assert!(text.contains("Triangles meet in 140 of 200 frames: first in frame 60, last in frame 199."));
    }
}
