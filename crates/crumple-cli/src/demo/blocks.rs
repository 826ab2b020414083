//! The second page of the demo: a soft block falls on another and comes to rest, pushed back by the gradient of the volume
//! of their exact overlap.

use std::io::Write;
use std::time::Instant;

use anyhow::Result;
use crumple::{Body, Frame, Mesh, Scene, VertexGradient};
use crumple_io::report::{self, BodyRecord, CheckSummary, ContactRecord, Header, micros};
use crumple_io::words::size;
use crumple_io::write::{PageFrame, PageWriter};
use crumple_methods::Method;

use super::soft::{Block, Vector, add, dot, norm, scale, sub};

/// Cells along a side of a block.
const CELLS: i32 = 4;

/// A step, and how many make a frame of the page.
const SECONDS: f64 = 0.001;
const STEPS_PER_FRAME: usize = 16;

/// Frames of the page: four seconds, after which nothing moves.
const FRAMES: usize = 250;

/// Of the overlap: the pressure per volume, and per growth of the volume in a second.
const STIFFNESS: f64 = 4_000.0;
const DAMPING: f64 = 30.0;

/// Friction: the force per velocity, and at most this part of the force between them.
const GRIP: f64 = 30.0;
const FRICTION: f64 = 0.5;

/// Where the falling block starts, and how it is tilted.
const START: Vector = [0.0, 1.45, 0.05];
const TILT: f64 = -0.2;

/// What a run comes to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome {
    /// The largest overlap, and the last.
    pub(super) most: f64,
    pub(super) last: f64,
    /// The velocity of the fastest vertex at the end.
    pub(super) speed: f64,
}

impl Outcome {
    /// What the page shows, in a sentence.
    pub(super) fn sentence(&self, page: &str) -> String {
        format!(
            "{page} plays a soft block that falls on another, pushed back by the gradient of their exact overlap: at most {} \
             of it, {} at rest.",
            size(self.most, 3),
            size(self.last, 3)
        )
    }
}

/// Writes the page and returns what it was written to.
pub(super) fn write<W: Write>(out: W) -> Result<(W, Outcome)> {
    let blocks = start();
    let record = |(id, (name, block)): (usize, (&str, &Block))| BodyRecord {
        id: id as u32,
        name: name.to_owned(),
        triangles: block.triangles.len() as u64,
        vertices: block.rounded().len() as u64,
        closed: true,
        face_of_triangle: None,
        precision: None,
    };
    let names = ["standing block", "falling block"];
    let records = names.into_iter().zip(&blocks).enumerate().map(record).collect();
    let header = Header::new(Method::default().name(), records, FRAMES as u64);
    let triangles = blocks.each_ref().map(|block| &block.triangles[..]);
    let mut page = PageWriter::new(out, "A soft block comes to rest on another", &header, &triangles)?;
    page = page.with_fps(1.0 / (SECONDS * STEPS_PER_FRAME as f64));
    page.note(
        "Springs and masses. Where blocks\n\
         overlap, every vertex is pushed\n\
         against the gradient of the volume\n\
         they share: no contact points, no\n\
         sampling. Tints mark the regions\n\
         of the overlap, arrows the normals.",
    );
    let mut summary = CheckSummary::default();
    let outcome = simulate(blocks, FRAMES, |frame, now, [update_us, query_us]| {
        let positions: Vec<&[[f32; 3]]> = now.bodies().map(|(_, body)| body.positions()).collect();
        let contacts = now.contacts().iter().map(ContactRecord::from).collect();
        let found = report::Frame { frame: frame as u64, contacts, update_us, query_us, ..report::Frame::default() };
        page.frame(&positions, PageFrame { now: Some(now), ..PageFrame::from(&found) })?;
        summary.add(&found);
        Ok(())
    })?;
    Ok((page.finish(summary)?, outcome))
}

/// A block that stands on a floor, and one above it.
fn start() -> [Block; 2] {
    let (mut standing, mut falling) = (Block::new(CELLS, [0.0; 3]), Block::new(CELLS, START));
    standing.stand();
    falling.tilt(START, TILT);
    [standing, falling]
}

/// Calls `show` with every frame of the page and the microseconds of its update and its overlap.
fn simulate(
    mut blocks: [Block; 2],
    frames: usize,
    mut show: impl FnMut(usize, Frame<'_>, [f64; 2]) -> Result<()>,
) -> Result<Outcome> {
    let mut scene = Scene::new();
    let mut add_body = |block: &Block| -> Result<_> {
        let positions = block.rounded();
        Ok(scene.add(Body::new(Mesh::new(positions.len(), block.triangles.clone())?, &positions)?))
    };
    let ids = [add_body(&blocks[0])?, add_body(&blocks[1])?];
    let mut outcome = Outcome { most: 0.0, last: 0.0, speed: 0.0 };
    for step in 0..frames * STEPS_PER_FRAME {
        let start = Instant::now();
        for (block, id) in blocks.iter_mut().zip(ids) {
            scene.set_positions(id, &block.rounded())?;
            block.start_forces();
        }
        let now = scene.update()?;
        let updated = Instant::now();
        let overlap = now.overlap(ids[0], ids[1])?;
        let times = [micros(updated - start), micros(updated.elapsed())];
        outcome.last = overlap.volume();
        outcome.most = outcome.last.max(outcome.most);
        if step % STEPS_PER_FRAME == 0 {
            show(step / STEPS_PER_FRAME, now, times)?;
        }
        respond(&mut blocks, overlap.volume(), [overlap.gradient_a(), overlap.gradient_b()]);
        blocks.iter_mut().for_each(|block| block.step(SECONDS));
    }
    outcome.speed = blocks.iter().map(Block::speed).fold(0.0, f64::max);
    Ok(outcome)
}

/// Pushes the blocks apart: the volume is the length of a spring, and its gradient says whom to push where.
fn respond(blocks: &mut [Block; 2], volume: f64, gradients: [&[VertexGradient]; 2]) {
    let growth = |side: usize| {
        let of_vertex = |of: &VertexGradient| dot(of.gradient, blocks[side].velocities[of.vertex.index()]);
        gradients[side].iter().map(of_vertex).sum::<f64>()
    };
    let pressure = (STIFFNESS * volume + DAMPING * (growth(0) + growth(1))).max(0.0);
    for (block, gradient) in blocks.iter_mut().zip(gradients) {
        for of in gradient {
            block.push(of.vertex.index(), scale(of.gradient, -pressure));
        }
    }
    rub(blocks, gradients, pressure);
}

/// Friction: slows the sliding of each vertex against the mean velocity of the other contact area, which takes the opposite
/// forces.
fn rub(blocks: &mut [Block; 2], gradients: [&[VertexGradient]; 2], pressure: f64) {
    let facing = gradients[1].iter().fold([0.0; 3], |sum, of| add(sum, of.gradient));
    let normal = scale(facing, 1.0 / norm(facing).max(f64::MIN_POSITIVE));
    let areas = gradients.map(|list| list.iter().map(|of| norm(of.gradient)).sum::<f64>().max(f64::MIN_POSITIVE));
    let share = |side: usize, of: &VertexGradient| norm(of.gradient) / areas[side];
    let mean = [0, 1].map(|side: usize| {
        let velocity = |of: &VertexGradient| scale(blocks[side].velocities[of.vertex.index()], share(side, of));
        gradients[side].iter().fold([0.0; 3], |sum, of| add(sum, velocity(of)))
    });
    for (side, other) in [(0, 1), (1, 0)] {
        let mut total = [0.0; 3];
        for of in gradients[side] {
            let velocity = sub(blocks[side].velocities[of.vertex.index()], mean[other]);
            let sliding = sub(velocity, scale(normal, dot(velocity, normal)));
            let most = GRIP.min(FRICTION * pressure * norm(facing) / norm(sliding).max(f64::MIN_POSITIVE));
            let force = scale(sliding, -0.5 * most * share(side, of));
            blocks[side].push(of.vertex.index(), force);
            total = add(total, force);
        }
        for of in gradients[other] {
            blocks[other].push(of.vertex.index(), scale(total, -share(other, of)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_block_comes_to_rest_on_the_other() {
        let (mut overlaps, mut heights) = (Vec::new(), Vec::new());
        let outcome = simulate(start(), FRAMES, |_, now, _| {
            let falling = now.bodies().last().map(|(_, body)| body.bounds());
            heights.push(falling.map_or(0.0, |bounds| f64::from(bounds.min()[1])));
            overlaps.push(now.overlaps().iter().map(|overlap| overlap.volume()).sum::<f64>());
            Ok(())
        })
        .unwrap();
        assert_eq!((overlaps.len(), overlaps[0]), (FRAMES, 0.0));
        // It has come to rest on the other block, not beside it and not in it.
        assert!(outcome.speed < 0.02, "{outcome:?}");
        assert!(0.0 < outcome.last && outcome.last < outcome.most && outcome.most < 0.05, "{outcome:?}");
        let rests = &heights[FRAMES - 50..];
        assert!(rests.iter().all(|height| (height - rests[0]).abs() < 0.005), "{rests:?}");
        assert!(0.3 < rests[0] && rests[0] < 0.5, "{rests:?}");
    }
}
