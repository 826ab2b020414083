//! The demo as a page to look at: both bodies in all frames, what collides in red, and the table of methods.

use std::borrow::Cow;
use std::io::Write;

use anyhow::{Context, Result};
use crumple::Method;
use crumple_io::report::{BodyRecord, CheckSummary, ContactRecord, Frame, Header, micros};
use crumple_io::write::PageWriter;
use crumple_scenes::Scene;

use crate::bench::found::Found;
use crate::bench::recording::Recording;
use crate::bench::run::{FrameTime, Outcome, Times};

/// The speed at which the frames are played.
const FPS: f64 = 30.0;

/// What the page shows.
struct Film<'a> {
    scene: &'a Scene,
    recording: &'a Recording,
    found: &'a [Found],
    /// The method told, and its times.
    method: &'a str,
    times: &'a [FrameTime],
}

/// Writes the page; `table` is the table of methods. Times are those of the default method.
pub(super) fn write(out: impl Write, scene: &Scene, outcome: &Outcome, table: String) -> Result<()> {
    let is_default = |times: &&Times| times.label == Method::default().name();
    let times = outcome.times.iter().find(is_default).context("the demo did not run the default method")?;
    let film = Film {
        scene,
        recording: &outcome.recording,
        found: &outcome.found,
        method: &times.label,
        times: &times.frames,
    };
    film.write(out, table)
}

impl<'f> Film<'f> {
    fn write(&self, out: impl Write, table: String) -> Result<()> {
        let bodies = self.scene.bodies();
        let record = |(id, body): (usize, &crumple_scenes::SceneBody)| BodyRecord {
            id: id as u32,
            name: body.name().to_owned(),
            triangles: body.triangles().len() as u64,
            vertices: body.vertex_count() as u64,
            closed: body.is_closed(),
            face_of_triangle: None,
        };
        let records = bodies.iter().enumerate().map(record).collect();
        let header = Header::new(self.method, records, self.recording.len() as u64);
        let triangles: Vec<_> = bodies.iter().map(|body| body.triangles()).collect();
        let mut page = PageWriter::new(out, "Two bumpy spheres collide", &header, &triangles)?.with_fps(FPS);
        page.note(table);
        let mut summary = CheckSummary::default();
        for (at, (found, time)) in self.found.iter().zip(self.times).enumerate() {
            let contact = |(a, b, pairs): &'f (usize, usize, Vec<[u32; 2]>)| ContactRecord {
                a: *a as u32,
                b: *b as u32,
                count: pairs.len() as u64,
                pairs: Some(Cow::Borrowed(pairs)),
            };
            let frame = Frame {
                frame: self.recording.number(at),
                contacts: found.contacts.iter().map(contact).collect(),
                update_us: micros(time.update),
                query_us: micros(time.query),
                ..Frame::default()
            };
            page.frame(self.recording.frame(at), &frame)?;
            summary.add(&frame);
        }
        page.finish(summary)?;
        Ok(())
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
        let (mut stage, ids) = recording.stage(Method::default(), 0).unwrap();
        let mut found = Vec::new();
        for at in 0..recording.len() {
            for (&id, positions) in ids.iter().zip(recording.frame(at)) {
                stage.set_positions(id, positions).unwrap();
            }
            found.push(Found::of(stage.update().unwrap().contacts()));
        }
        let times = vec![FrameTime { update: Duration::from_nanos(123_456), query: Duration::ZERO }; recording.len()];
        let film = Film { scene: &scene, recording: &recording, found: &found, method: "wide-tree", times: &times };
        let mut page = Vec::new();
        film.write(&mut page, "table".into()).unwrap();
        assert!(page.len() < 15_000_000, "{} bytes", page.len());
        let text = String::from_utf8(page).unwrap();
        assert!(text.contains("Triangles meet in 140 of 200 frames: first in frame 60, last in frame 199."));
    }
}
