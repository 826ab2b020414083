//! When contact began: going back in time between two frames.
//!
//! Paper: Larsson & Akenine-Möller 2001, section 3: a discrete method sees contact when bodies already interpenetrate;
//! searching back in simulation time finds when it began. Bisection on the first-pair query: whether the bodies meet is
//! a yes or no at each time, and between a no and a yes lies an onset.
//!
//! It finds *an* onset, not surely the earliest: bodies that meet, part and meet again within the step may show either;
//! bodies that pass through each other and are apart at the end show nothing. That takes continuous detection.
//!
//! The trees that there are are refitted to the times in between, as the paper has it, on copies: a tree is built only
//! for a body whose triangles have changed since it was last asked about.
//!
//! Cost: a copy of each body and its tree, and about log2(1 / tolerance) updates and first-pair queries. Held by:
//! `tests/behaviour/scene/onset.rs`, experiment FC1, which compares with trees that are built.

use crate::body::{Body, BodyError};
use crate::geom::{BodyId, TrianglePair};
use crate::narrow::{PairMethod, Search, Side, Wanted};

/// A bracket around the time at which contact began, as a fraction of the step from the last frame (0) to this one (1).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Onset {
    /// The last time the bodies were seen apart; `None` if they were in contact at 0 already.
    pub last_free: Option<f64>,
    /// The first time they were seen in contact.
    pub in_contact: f64,
    /// Two triangles that meet then.
    pub pair: TrianglePair,
}

/// Appends where the vertices of a body are on straight lines from their previous positions: computed in f64 and, of an f32
/// body, rounded to f32.
fn on_straight_lines(body: &Body, time: f64, out: &mut Vec<[f64; 3]>) {
    if let (Some(from), Some(to)) = (body.previous_positions_f64(), body.positions_f64()) {
        out.extend(from.iter().zip(to).map(|(&from, &to)| between_f64(from, to, time)));
        return;
    }
    let ends = body.previous_positions().iter().zip(body.positions());
    out.extend(ends.map(|(&from, &to)| between(from, to, time).map(f64::from)));
}

/// A point on the straight line between two, computed in f64 and rounded once.
fn between(from: [f32; 3], to: [f32; 3], time: f64) -> [f32; 3] {
    std::array::from_fn(|axis| {
        let (from, to) = (f64::from(from[axis]), f64::from(to[axis]));
        // Exact at both ends, and between two finite f32 numbers never out of their range.
        if time >= 1.0 { to as f32 } else { (from + (to - from) * time) as f32 }
    })
}

/// The same between f64 positions. What is too small for an f64 body is 0: it is far below the rounding of the ends.
fn between_f64(from: [f64; 3], to: [f64; 3], time: f64) -> [f64; 3] {
    let at = |axis: usize| if time >= 1.0 { to[axis] } else { from[axis] + (to[axis] - from[axis]) * time };
    std::array::from_fn(|axis| in_range(at(axis)))
}

/// A coordinate that an f64 body takes: with 0 for what is below its range.
pub(crate) fn in_range(x: f64) -> f64 {
    if x.abs() < 2f64.powi(-300) { 0.0 } else { x }
}

/// Bisects on whether the bodies meet; without a second one, on whether the first meets itself. Positions on the way that a body
/// cannot hold are refused; the error says of which body.
pub(crate) fn search<M: PairMethod>(
    method: &M,
    mut a: Probe<'_, M>,
    mut b: Option<Probe<'_, M>>,
    tolerance: f64,
) -> Result<Option<Onset>, (BodyId, BodyError)> {
    let (mut search, mut found, mut positions) = (Search::default(), Vec::new(), Vec::new());
    let mut meet_at = |time: f64| -> Result<Option<TrianglePair>, (BodyId, BodyError)> {
        a.move_to(method, time, &mut positions)?;
        b.iter_mut().try_for_each(|b| b.move_to(method, time, &mut positions))?;
        found.clear();
        match &b {
            Some(b) => search.pairs(method, (a.side(), b.side()), Wanted::First, &mut found),
            None => search.self_pairs(method, a.side(), Wanted::First, &mut found),
        };
        Ok(found.first().copied())
    };
    let Some(mut pair) = meet_at(1.0)? else { return Ok(None) };
    if let Some(pair) = meet_at(0.0)? {
        return Ok(Some(Onset { last_free: None, in_contact: 0.0, pair }));
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
    Ok(Some(Onset { last_free: Some(free), in_contact: contact, pair }))
}

/// A body of a scene, and a copy of it and its tree to be moved back and forth in time.
pub(crate) struct Probe<'b, M: PairMethod> {
    id: BodyId,
    body: &'b Body,
    copy: Body,
    tree: M::Tree,
}

impl<'b, M: PairMethod> Probe<'b, M> {
    /// A body with a tree over its triangles, which may be behind it.
    pub(crate) fn new((id, body): (BodyId, &'b Body), tree: M::Tree) -> Self {
        Self { id, body, copy: body.clone(), tree }
    }

    fn move_to(&mut self, method: &M, time: f64, positions: &mut Vec<[f64; 3]>) -> Result<(), (BodyId, BodyError)> {
        positions.clear();
        on_straight_lines(self.body, time, positions);
        self.copy.set_positions_f64(positions).map_err(|error| (self.id, error))?;
        method.update(&mut self.tree, &self.copy);
        Ok(())
    }

    fn side(&self) -> Side<'_, M::Tree> {
        Side { body: &self.copy, tree: &self.tree }
    }
}
