//! What meets and overlaps in a frame, asked of the library.

use std::error::Error;
use std::time::Instant;

use crumple::{Body, BodyId, Mesh, Scene};
use crumple_io::report::{ContactRecord, Frame, micros};
use crumple_io::write;
use crumple_ldi::{OverlapOptions, OverlapSampler};

use crate::scenes::PageScene;

/// The bodies of a page in a scene.
pub(crate) struct Finder {
    scene: Scene,
    bodies: Vec<BodyId>,
    overlap: OverlapSampler,
}

/// The overlap of the first two bodies, as the page draws it.
pub(crate) struct Spans {
    volume: f64,
    footprint: [f32; 2],
    spans: Vec<[[f32; 3]; 2]>,
}

impl Spans {
    pub(crate) fn overlap(&self) -> write::Overlap<'_> {
        write::Overlap { a: 0, b: 1, volume: self.volume, footprint: self.footprint, spans: &self.spans }
    }
}

impl Finder {
    pub(crate) fn new(shown: &PageScene) -> Result<Self, Box<dyn Error>> {
        let mut scene = Scene::new();
        let mut bodies = vec![];
        for (body, positions) in shown.bodies.iter().zip((shown.positions)(0)) {
            let id = scene.add(Body::new(Mesh::new(body.vertices, body.triangles.clone())?, &positions)?);
            scene.set_self_collision(id, shown.with_itself)?;
            bodies.push(id);
        }
        Ok(Finder { scene, bodies, overlap: OverlapSampler::new(OverlapOptions::default().with_resolution(48)) })
    }

    /// The contacts of a frame, with all their pairs, and what finds the overlap of the first two bodies in it.
    pub(crate) fn find<'a>(
        &'a mut self,
        number: u64,
        positions: &[Vec<[f32; 3]>],
    ) -> Result<(Frame<'a>, OverlapFinder<'a>), Box<dyn Error>> {
        let start = Instant::now();
        for (&body, positions) in self.bodies.iter().zip(positions) {
            self.scene.set_positions(body, positions)?;
        }
        let frame = self.scene.update()?;
        let update_us = micros(start.elapsed());
        let start = Instant::now();
        let contacts = frame.contacts();
        let query_us = micros(start.elapsed());
        let contacts = contacts.iter().map(ContactRecord::from).collect();
        let found = Frame { frame: number, contacts, update_us, query_us, ..Frame::default() };
        Ok((found, OverlapFinder { frame, bodies: &self.bodies, overlap: &mut self.overlap }))
    }
}

/// Finds how the first two bodies overlap in a frame.
pub(crate) struct OverlapFinder<'a> {
    frame: crumple::Frame<'a>,
    bodies: &'a [BodyId],
    overlap: &'a mut OverlapSampler,
}

impl OverlapFinder<'_> {
    /// How they overlap, if their boxes meet.
    pub(crate) fn find(self) -> Result<Option<Spans>, Box<dyn Error>> {
        let [a, b] = [0, 1].map(|body| self.frame.body(self.bodies[body]));
        let answer = self.overlap.compute(a?, b?)?;
        let Some(axis) = answer.axis() else { return Ok(None) };
        let volume = answer.volume();
        let [u, v] = axis.others().map(|axis| axis as usize);
        let mut spans = vec![];
        for found in answer.spans() {
            let Some([x, y]) = answer.sample_position(found.sample) else { continue };
            spans.push([found.span.low, found.span.high].map(|depth| {
                let mut end = [depth as f32; 3];
                (end[u], end[v]) = (x as f32, y as f32);
                end
            }));
        }
        let mut step = [0.0; 3];
        [step[u], step[v]] = self.overlap.images()[0].step().map(|step| step as f32);
        // The page wants them in the order of the axes, whichever way round the image has them.
        let [first, second] = if u < v { [u, v] } else { [v, u] };
        Ok(Some(Spans { volume, footprint: [step[first], step[second]], spans }))
    }
}
