//! Where the step that leads to the next frame began: one state per body and one per scene, changed here only.
//!
//! A body is *at rest* (the step began where it is: [`Body::stands_still`]) or *moving* (where the step began is kept).
//! Besides, something may be *pending*: positions written in place that have not been taken in, or a loose box in place of
//! positions. A scene is in a [`Phase`], which events raise and only a completed update lowers. Reaching
//! [`Phase::Stepped`] puts every body to rest: a new step begins where the bodies are. Positions are taken in in one way
//! only: a body at rest becomes moving and starts where it was; a body that is moving keeps its start.
//!
//! | event | phase at least | the body | pending |
//! |---|---|---|---|
//! | `set_positions`, `write_positions`, `commit_positions` | Stepped | moving | both dropped |
//! | `correct_positions` | Corrected | moving | both dropped |
//! | `positions_mut` | Changed | – | written |
//! | `set_loose_box` | Stepped | – | loose; written dropped |
//! | `edit`, `compact` | Changed | – ; new vertices start where they are | written kept; loose: refused |
//! | `split`, `fuse` | Changed | moving if a parent was, from where the parents started | written kept; loose: refused |
//! | `swap_mesh` | Changed | at rest | both dropped |
//! | `add`, `remove`, and what may touch, limits, filters, thickness, pose | Changed | added: at rest | removed: dropped |
//! | `update` | written: as by `commit_positions`; below Corrected: Stepped; at the end Shown | – | a loose body that is needed: refused |
//! | `update_with` | as `update` | a loose body that is needed: moving | its box dropped |
//! | any of these, refused | stays | stays | stays |
//!
//! Except: a refused `write_positions` drops what was written in place, since it was given that memory; a refused update may
//! have begun a step and read some bodies, which stay read.
//!
//! Held by: `tests/behaviour/step.rs`, `tests/behaviour/model`.

use super::{BodyId, Scene, SceneError};
use crate::body::{BodyError, Move, TakenIn};

/// What has happened since the last frame was shown. Later ones include the earlier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
    /// Nothing: the frame can be read.
    Shown,
    /// Something that may change an answer.
    Changed,
    /// Positions were corrected: the next frame ends the same step as the last one.
    Corrected,
    /// A new step has begun: all bodies start where they were.
    Stepped,
}

impl Scene {
    /// Notes that something has changed; begins a new step if that is what has happened.
    pub(super) fn raise(&mut self, phase: Phase) {
        if phase == Phase::Stepped && self.phase < Phase::Stepped {
            for id in self.moved.drain(..) {
                // A body may have been removed since.
                if let Ok(entry) = self.bodies.get_mut(id) {
                    entry.body.hold_still();
                }
            }
        }
        self.phase = self.phase.max(phase);
    }

    /// Makes positions that a body has taken in, or why it refused them, the end of a step.
    pub(super) fn accept(
        &mut self,
        id: BodyId,
        taken: Result<TakenIn, BodyError>,
        phase: Phase,
    ) -> Result<(), SceneError> {
        let taken = taken.map_err(|source| self.refused(id, source))?;
        self.raise(phase);
        let entry = self.bodies.get_mut(id)?;
        if entry.accept(&taken) {
            self.moved.push(id);
        }
        self.note_box(id);
        Ok(())
    }

    /// Notes that the box of a body has changed.
    pub(super) fn note_box(&mut self, id: BodyId) {
        if let Ok(entry) = self.bodies.get_mut(id)
            && !std::mem::replace(&mut entry.box_changed, true)
        {
            self.boxes_changed.push(id);
        }
        self.raise(Phase::Changed);
    }
}

impl super::Entry {
    /// Takes over positions; returns whether the body was at rest before.
    pub(super) fn accept(&mut self, taken: &TakenIn) -> bool {
        let was_at_rest = self.body.stands_still();
        // Of a body at rest the start becomes where it was; of one that is moving it stays.
        self.body.accept(taken, Move::Correction);
        self.loose = None;
        was_at_rest
    }
}
