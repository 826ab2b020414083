//! When contact began: going back in time between two frames.
//!
//! Paper: Larsson & Akenine-Möller 2001, section 3: a discrete method sees contact when bodies already interpenetrate;
//! searching back in simulation time finds when it began. Bisection on the first-pair query: whether the bodies meet is
//! a yes or no at each time, and between a no and a yes lies an onset.
//!
//! It finds *an* onset, not surely the earliest: bodies that meet, part and meet again within the step may show either;
//! bodies that pass through each other and are apart at the end show nothing. That takes continuous detection.
//!
//! The trees that the scene has are refitted to the times in between, as the paper has it, on copies: a tree is built only
//! for a body whose triangles have changed since it was last asked about.
//!
//! Cost: a copy of each body and its tree, and about log2(1 / tolerance) updates and first-pair queries. Held by:
//! `tests/behaviour/scene/onset.rs`, experiment FC1, which compares with trees that are built.

use super::{BodyId, Frame, SceneError};
use crate::body::{Body, BodyError};
use crate::geom::TrianglePair;
use crate::narrow::{PairMethod, Search, Side, Wanted};

/// A bracket around the time at which contact began, as a fraction of the step from the last frame (0) to this one (1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Onset {
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

/// Appends where the vertices of a body are at a time between 0 and 1.
///
/// In f64; of an f32 body they must be f32 numbers, which widen without change.
pub(super) type Motion<'m> = &'m mut dyn FnMut(Which, f64, &mut Vec<[f64; 3]>);

impl Frame<'_> {
    /// When, between the last frame and this one, two bodies came into contact.
    ///
    /// Vertices move in straight lines from their previous positions, computed in f64 and, of an f32 body, rounded to
    /// f32: such a body may be seen in contact by that rounding earlier than [`first_impact`](Self::first_impact) says.
    /// `None` if the bodies are apart in this frame. The bracket is narrowed to `tolerance`, as a fraction of the step; 0 narrows it as
    /// far as f64 goes. Asked about a body and itself, it is about self-collision.
    ///
    /// A body that has not moved in this step stands still; one that was known only by its loose box in the last frame
    /// comes from where its vertices were last read.
    ///
    /// It finds an onset and cannot see what passes through between samples.
    ///
    /// # Errors
    /// If there is no such body, one is known only by its loose box, or the tolerance is negative or NaN.
    pub fn onset(&self, a: BodyId, b: BodyId, tolerance: f64) -> Result<Option<Onset>, SceneError> {
        let (body_a, body_b) = (self.body(a)?, self.body(b)?);
        self.search(a, b, tolerance, &mut |which, time, out| {
            let body = if which == Which::A { body_a } else { body_b };
            if let (Some(from), Some(to)) = (body.previous_positions_f64(), body.positions_f64()) {
                out.extend(from.iter().zip(to).map(|(&from, &to)| between_f64(from, to, time)));
                return;
            }
            let ends = body.previous_positions().iter().zip(body.positions());
            out.extend(ends.map(|(&from, &to)| between(from, to, time).map(f64::from)));
        })
    }

    /// As [`onset`](Self::onset), along a motion of the caller's own: `positions_at` appends to an empty list where the
    /// vertices of a body are at a time between 0 and 1.
    ///
    /// # Errors
    /// As for [`onset`](Self::onset), and if the positions from `positions_at` are refused.
    pub fn onset_along(
        &self,
        a: BodyId,
        b: BodyId,
        tolerance: f64,
        mut positions_at: impl FnMut(BodyId, f64, &mut Vec<[f32; 3]>),
    ) -> Result<Option<Onset>, SceneError> {
        let mut positions = Vec::new();
        self.search(a, b, tolerance, &mut |which, time, out| {
            positions.clear();
            positions_at(if which == Which::A { a } else { b }, time, &mut positions);
            out.extend(positions.iter().map(|position| position.map(f64::from)));
        })
    }

    /// As [`onset_along`](Self::onset_along), with f64 positions; an f32 body takes only those that are f32 numbers.
    ///
    /// # Errors
    /// As there.
    pub fn onset_along_f64(
        &self,
        a: BodyId,
        b: BodyId,
        tolerance: f64,
        mut positions_at: impl FnMut(BodyId, f64, &mut Vec<[f64; 3]>),
    ) -> Result<Option<Onset>, SceneError> {
        self.search(a, b, tolerance, &mut |which, time, out| {
            positions_at(if which == Which::A { a } else { b }, time, out);
        })
    }

    fn search(&self, a: BodyId, b: BodyId, tolerance: f64, motion: Motion<'_>) -> Result<Option<Onset>, SceneError> {
        let (entry_a, entry_b) = (self.scene.bodies.get(a)?, self.scene.bodies.get(b)?);
        if tolerance.is_nan() || tolerance < 0.0 {
            return Err(SceneError::BadTolerance { tolerance });
        }
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
        let in_b = (a != b).then_some((b.slot(), &entry_b.body));
        let found = self.scene.engine().onset((a.slot(), &entry_a.body), in_b, tolerance, noted);
        found.map_err(|source| self.scene.refused(asked, source))
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

/// The same between f64 positions. What is too small for an f64 body is 0: it is far below the rounding of the ends.
fn between_f64(from: [f64; 3], to: [f64; 3], time: f64) -> [f64; 3] {
    let at = |axis: usize| if time >= 1.0 { to[axis] } else { from[axis] + (to[axis] - from[axis]) * time };
    std::array::from_fn(|axis| in_range(at(axis)))
}

/// A coordinate that an f64 body takes: with 0 for what is below its range.
pub(super) fn in_range(x: f64) -> f64 {
    if x.abs() < 2f64.powi(-300) { 0.0 } else { x }
}

/// Bisects on whether the bodies meet; without a second one, on whether the first meets itself.
pub(super) fn search<M: PairMethod>(
    method: &M,
    mut a: Probe<M>,
    mut b: Option<Probe<M>>,
    tolerance: f64,
    motion: Motion<'_>,
) -> Result<Option<Onset>, BodyError> {
    let (mut search, mut found, mut positions) = (Search::default(), Vec::new(), Vec::new());
    let mut meet_at = |time: f64| -> Result<Option<TrianglePair>, BodyError> {
        let mut move_to = |which: Which, probe: &mut Probe<M>| {
            positions.clear();
            motion(which, time, &mut positions);
            probe.move_to(method, &positions)
        };
        move_to(Which::A, &mut a)?;
        b.iter_mut().try_for_each(|b| move_to(Which::B, b))?;
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

/// A copy of a body, to be moved back and forth in time, and of its tree.
pub(super) struct Probe<M: PairMethod> {
    body: Body,
    tree: M::Tree,
}

impl<M: PairMethod> Probe<M> {
    /// A body with a tree over its triangles, which may be behind it.
    pub(super) fn new(body: Body, tree: M::Tree) -> Self {
        Self { body, tree }
    }

    fn move_to(&mut self, method: &M, positions: &[[f64; 3]]) -> Result<(), BodyError> {
        self.body.set_positions(positions)?;
        method.update(&mut self.tree, &self.body);
        Ok(())
    }

    fn side(&self) -> Side<'_, M::Tree> {
        Side { body: &self.body, tree: &self.tree }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::body::Edit;
    use crate::geom::TriangleId;
    use crate::mesh::Mesh;
    use crate::narrow::wide_tree::{Scratch, Tree, WideTree};
    use crate::narrow::{Flow, PairTest, SelfTest};
    use crate::scene::engine::{Engine, Runner};

    /// A method that counts the trees it builds.
    #[derive(Clone, Debug, Default)]
    struct Counting {
        method: WideTree,
        built: Arc<AtomicUsize>,
    }

    impl PairMethod for Counting {
        type Tree = Tree;
        type Scratch = Scratch;

        fn build(&self, body: &Body) -> Tree {
            self.built.fetch_add(1, Ordering::Relaxed);
            self.method.build(body)
        }

        fn update(&self, tree: &mut Tree, body: &Body) {
            self.method.update(tree, body);
        }

        fn find_pairs(
            &self,
            a: Side<'_, Tree>,
            b: Side<'_, Tree>,
            scratch: &mut Scratch,
            test: &mut PairTest<'_>,
        ) -> Flow {
            self.method.find_pairs(a, b, scratch, test)
        }

        fn find_self_pairs(&self, side: Side<'_, Tree>, scratch: &mut Scratch, test: &mut SelfTest<'_>) -> Flow {
            self.method.find_self_pairs(side, scratch, test)
        }
    }

    /// Two triangles in the plane of height z.
    fn sheet(z: f32) -> Body {
        let corners = [[0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z], [1.0, 1.0, z]];
        Body::new(Mesh::new(4, vec![[0, 1, 2], [2, 1, 3]]).unwrap(), &corners).unwrap()
    }

    #[test]
    fn a_search_builds_no_tree_unless_the_triangles_have_changed() {
        let counting = Counting::default();
        let built = || counting.built.load(Ordering::Relaxed);
        let mut runner = Runner::new(counting.clone());
        let (fixed, mut moving) = (sheet(0.0), sheet(1.0));
        runner.insert(0, &fixed);
        runner.insert(1, &moving);
        assert_eq!(built(), 2);
        // From 1 to −1, into the fixed sheet after half of the step; then one corner stays above it, so that they go on meeting.
        let motion: Motion<'_> = &mut |which, time, out| {
            let z = if which == Which::A { 0.0 } else { 1.0 - 2.0 * time };
            out.extend([[0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z], [1.0, 1.0, z]]);
            if which == Which::B && time > 0.5 {
                out[3][2] = 0.5;
            }
        };
        let onset = runner.onset((0, &fixed), Some((1, &moving)), 1e-3, motion).unwrap().unwrap();
        assert!(onset.last_free.unwrap() < 0.5 && (0.5..0.502).contains(&onset.in_contact), "{onset:?}");
        assert_eq!(built(), 2, "the trees were refitted");
        moving.edit(&Edit { remove: vec![TriangleId(0)], ..Edit::default() }).unwrap();
        runner.onset((0, &fixed), Some((1, &moving)), 1e-3, motion).unwrap().unwrap();
        assert_eq!(built(), 3, "of the body that was edited there is a new one");
    }
}
