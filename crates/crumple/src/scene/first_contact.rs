//! When contact began: going back in time between two frames.
//!
//! Paper: Larsson & Akenine-Möller 2001, section 3: a discrete method sees contact when bodies already interpenetrate;
//! searching back in simulation time finds when it began. Bisection on the first-pair query: whether the bodies meet is
//! a yes or no at each time, and between a no and a yes lies an onset.
//!
//! It finds *an* onset, not surely the earliest: bodies that meet, part and meet again within the step may show either;
//! bodies that pass through each other and are apart at the end show nothing. That takes continuous detection.
//!
//! Cost: one tree a body and about log2(1 / tolerance) updates and first-pair queries.

use super::{BodyId, Entry, Scene, SceneError};
use crate::body::{Body, BodyError};
use crate::contact::TrianglePair;
use crate::narrow::{PairMethod, Side, Wanted};

/// A bracket around the time at which contact began, in parts of the step from the last frame (0) to this one (1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FirstContact {
    /// The last time the bodies were seen apart; `None` if they were in contact at 0 already.
    pub last_free: Option<f64>,
    /// The first time they were seen in contact.
    pub in_contact: f64,
    /// Two triangles that meet then.
    pub pair: TrianglePair,
}

/// Which of the two bodies.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    A,
    B,
}

/// Writes where the vertices of a body are at a time between 0 and 1.
pub(super) type Motion<'m> = &'m mut dyn FnMut(Which, f64, &mut Vec<[f32; 3]>);

impl Scene {
    /// When, between the last frame and this one, two bodies came into contact.
    ///
    /// Vertices move in straight lines, computed in f64 and rounded to f32. `None` if the bodies are apart in this
    /// frame. The bracket is narrowed to `tolerance`, in parts of the step.
    ///
    /// It finds an onset and can not see what passes through between samples.
    ///
    /// # Errors
    /// If there is no such body, or one is known only by its loose box.
    pub fn first_contact(&self, a: BodyId, b: BodyId, tolerance: f64) -> Result<Option<FirstContact>, SceneError> {
        let ends = |entry: &Entry| -> Vec<_> { entry.body.previous_positions().zip(entry.body.positions()).collect() };
        let (ends_a, ends_b) = (ends(self.bodies.get(a)?), ends(self.bodies.get(b)?));
        self.search(a, b, tolerance, &mut |which, time, out| {
            let ends = if which == Which::A { &ends_a } else { &ends_b };
            out.clear();
            out.extend(ends.iter().map(|&(from, to)| between(from, to, time)));
        })
    }

    /// As [`first_contact`](Self::first_contact), along a motion of the caller's own: `positions_at` writes where the
    /// vertices of a body are at a time between 0 and 1.
    ///
    /// # Errors
    /// As there, and if positions so written are refused.
    pub fn first_contact_along(
        &self,
        a: BodyId,
        b: BodyId,
        tolerance: f64,
        mut positions_at: impl FnMut(BodyId, f64, &mut Vec<[f32; 3]>),
    ) -> Result<Option<FirstContact>, SceneError> {
        self.search(a, b, tolerance, &mut |which, time, out| {
            positions_at(if which == Which::A { a } else { b }, time, out);
        })
    }

    fn search(
        &self,
        a: BodyId,
        b: BodyId,
        tolerance: f64,
        motion: Motion<'_>,
    ) -> Result<Option<FirstContact>, SceneError> {
        let (entry_a, entry_b) = (self.bodies.get(a)?, self.bodies.get(b)?);
        for (id, near, entry) in [(a, b, entry_a), (b, a, entry_b)] {
            if entry.loose.is_some() {
                return Err(SceneError::VerticesNeeded { body: id, near });
            }
        }
        // Which of the two bodies a refusal is about, the search knows.
        let mut asked = a;
        let noted: Motion<'_> = &mut |which, time, out| {
            asked = if which == Which::A { a } else { b };
            motion(which, time, out);
        };
        let found = self.engine.first_contact(&entry_a.body, &entry_b.body, tolerance, noted);
        found.map_err(|source| SceneError::Body { body: asked, source })
    }
}

/// A point on the straight line between two, computed in f64 and rounded once.
fn between(from: [f32; 3], to: [f32; 3], time: f64) -> [f32; 3] {
    std::array::from_fn(|axis| {
        let (from, to) = (f64::from(from[axis]), f64::from(to[axis]));
        // Exact at both ends, and between two finite f32 numbers never out of their range.
        if time >= 1.0 { to as f32 } else { (from + (to - from) * time) as f32 }
    })
}

/// Bisects on whether the bodies meet.
pub(super) fn search<M: PairMethod>(
    method: &M,
    a: &Body,
    b: &Body,
    tolerance: f64,
    motion: Motion<'_>,
) -> Result<Option<FirstContact>, BodyError> {
    let (mut a, mut b) = (a.clone(), b.clone());
    let (mut tree_a, mut tree_b) = (method.build(&a), method.build(&b));
    let (mut scratch, mut found, mut positions) = (M::Scratch::default(), Vec::new(), Vec::new());
    let mut meet_at = |time: f64| -> Result<Option<TrianglePair>, BodyError> {
        for (which, body, tree) in [(Which::A, &mut a, &mut tree_a), (Which::B, &mut b, &mut tree_b)] {
            motion(which, time, &mut positions);
            body.set_positions(&positions)?;
            method.update(tree, body);
        }
        found.clear();
        let (a, b) = (Side { body: &a, tree: &tree_a }, Side { body: &b, tree: &tree_b });
        method.find_pairs(a, b, Wanted::First, &mut scratch, &mut found);
        Ok(found.first().copied())
    };
    let Some(mut pair) = meet_at(1.0)? else { return Ok(None) };
    if let Some(pair) = meet_at(0.0)? {
        return Ok(Some(FirstContact { last_free: None, in_contact: 0.0, pair }));
    }
    let (mut free, mut contact) = (0.0, 1.0);
    while contact - free > tolerance {
        let middle = 0.5 * (free + contact);
        if middle <= free || middle >= contact {
            break; // No f64 number lies between them.
        }
        match meet_at(middle)? {
            Some(seen) => (contact, pair) = (middle, seen),
            None => free = middle,
        }
    }
    Ok(Some(FirstContact { last_free: Some(free), in_contact: contact, pair }))
}
