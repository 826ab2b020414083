//! Positions of a body over some frames, in about two bytes per vertex.
//!
//! ```text
//! body of a chunk    u8 kind   0 moving: corners, then every frame   1 still: corners, then one frame   2 count: see chunk
//! corners            f32 × 6   the box of the vertices over the frames that follow
//! frame              u8 guess, then the low bytes of x of all vertices, of y, of z, then the high bytes
//! ```
//!
//! Coordinates are whole steps, 65,535 of them from wall to wall. What is stored is the error of a guess, folded as in
//! `bytes.rs`: where the vertex was before, where it would be if it went on or bent on as before, or how its neighbour in
//! the list has moved; the first frame of a chunk has only the neighbour's place to go by. Each frame takes the guess
//! that leaves the fewest bits; errors are small, so the high bytes are nearly all zero and deflate does the rest.
//!
//! A plain difference of frames would do, but smooth motion has large first and tiny third differences: the 200-frame
//! demo comes to half the bytes. Cost: five passes over a frame at most; a body that stands still is stored once.

use super::bytes::{Bounds, put_count};

/// Steps from wall to wall of the box.
pub(super) const STEPS: u16 = u16::MAX;

/// Where the stored frame guesses a vertex to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Guess {
    /// Where the vertex before it in the list is.
    Neighbour = 0,
    /// Where it was in the frame before.
    Stays = 1,
    /// Where the last two frames point to.
    GoesOn = 2,
    /// Where the last three frames point to, bending on as they do.
    BendsOn = 3,
    /// Where it was, moved as the vertex before it in the list has moved.
    WithNeighbour = 4,
}

/// The frames of one body, kept until the chunk is full.
#[derive(Debug)]
pub(super) struct Motion {
    vertices: usize,
    /// The frames of this chunk one after another.
    frames: Vec<[f32; 3]>,
    /// The positions of the last chunk in which the body stood still, and that chunk.
    still: Option<(u64, Vec<[f32; 3]>)>,
}

impl Motion {
    pub(super) fn new(vertices: usize) -> Self {
        Motion { vertices, frames: Vec::new(), still: None }
    }

    pub(super) fn vertices(&self) -> usize {
        self.vertices
    }

    /// Takes in one more frame.
    pub(super) fn push(&mut self, positions: &[[f32; 3]]) {
        self.frames.extend_from_slice(positions);
    }

    /// Appends the body's part of chunk number `chunk` to `out` and forgets its frames; returns the box of what is new.
    pub(super) fn put(&mut self, chunk: u64, out: &mut Vec<u8>) -> Bounds {
        let vertices = self.vertices;
        let first = &self.frames[..vertices.min(self.frames.len())];
        let stands_still = vertices == 0 || self.frames.chunks_exact(vertices).all(|frame| frame == first);
        let bounds = if !stands_still {
            out.push(0);
            self.still = None;
            put_frames(&self.frames, vertices, out)
        } else if let Some((since, _)) = self.still.as_ref().filter(|(_, positions)| positions == first) {
            out.push(2);
            put_count(out, *since);
            Bounds::EMPTY
        } else {
            out.push(1);
            let bounds = put_frames(first, vertices, out);
            self.still = Some((chunk, first.to_vec()));
            bounds
        };
        self.frames.clear();
        bounds
    }
}

/// Appends the box, which is returned, and the frames.
fn put_frames(frames: &[[f32; 3]], vertices: usize, out: &mut Vec<u8>) -> Bounds {
    let bounds = Bounds::of(frames);
    bounds.put(out);
    if vertices == 0 {
        out.push(Guess::Neighbour as u8);
        return bounds;
    }
    // This frame and the three before it, the newest first; in each one axis after the other.
    let mut recent = [(); 4].map(|()| vec![0; 3 * vertices]);
    let mut errors = vec![0; 3 * vertices];
    for (number, frame) in frames.chunks_exact(vertices).enumerate() {
        recent.rotate_right(1);
        for (vertex, position) in frame.iter().enumerate() {
            for axis in 0..3 {
                recent[0][axis * vertices + vertex] = bounds.steps(axis, position[axis], STEPS);
            }
        }
        let guesses = match number {
            0 => &[Guess::Neighbour][..],
            1 => &[Guess::Stays, Guess::WithNeighbour],
            2 => &[Guess::Stays, Guess::WithNeighbour, Guess::GoesOn],
            _ => &[Guess::Stays, Guess::WithNeighbour, Guess::GoesOn, Guess::BendsOn],
        };
        let bits =
            |guess: &Guess| errors_of(*guess, &recent, vertices).map(|e| u64::from(16 - e.leading_zeros())).sum();
        // `guesses` is never empty.
        let best = guesses.iter().copied().min_by_key(|guess| -> u64 { bits(guess) }).unwrap_or(Guess::Neighbour);
        for (stored, error) in errors.iter_mut().zip(errors_of(best, &recent, vertices)) {
            *stored = error;
        }
        out.push(best as u8);
        out.extend(errors.iter().map(|&error| error as u8));
        out.extend(errors.iter().map(|&error| (error >> 8) as u8));
    }
    bounds
}

/// By how much the guess is off, folded, for every coordinate. Steps wrap around: a guess outside the box costs
/// nothing.
fn errors_of(guess: Guess, recent: &[Vec<u16>; 4], vertices: usize) -> impl Iterator<Item = u16> + '_ {
    let [now, before, earlier, earliest] = recent;
    (0..3 * vertices).map(move |i| {
        let leads = i % vertices == 0;
        let expected = match guess {
            Guess::Neighbour if leads => 0,
            Guess::Neighbour => now[i - 1],
            Guess::GoesOn => before[i].wrapping_mul(2).wrapping_sub(earlier[i]),
            Guess::BendsOn => before[i].wrapping_sub(earlier[i]).wrapping_mul(3).wrapping_add(earliest[i]),
            Guess::WithNeighbour if !leads => before[i].wrapping_add(now[i - 1]).wrapping_sub(before[i - 1]),
            Guess::Stays | Guess::WithNeighbour => before[i],
        };
        let error = now[i].wrapping_sub(expected) as i16;
        ((error << 1) ^ (error >> 15)) as u16
    })
}
