//! From one frame to the next: which bodies are near each other, and their trees.

use super::engine::Engine;
use super::step::Phase;
use super::{BodyId, Entry, Frame, Scene, SceneError};
use crate::body::TakenIn;
use crate::geom::{Aabb, Coordinate};

impl Scene {
    /// Ends the frame so far and begins the next one, with the bodies where they were moved to.
    ///
    /// Brings everything up to date that questions about the frame need: what was written in place is taken in, bodies
    /// near each other are found, and their trees are updated. The questions themselves are answered when they are asked
    /// of the [`Frame`].
    ///
    /// # Errors
    /// If positions written in place are not finite, or a body known only by a loose box came near another: its vertices
    /// are needed, see [`update_with`](Self::update_with). The frame has then not begun: correct the positions and update
    /// again.
    pub fn update(&mut self) -> Result<Frame<'_>, SceneError> {
        self.begin_frame(|body, near, _| Err(SceneError::VerticesNeeded { body, near }))
    }

    /// As [`update`](Self::update), reading the vertices of bodies known by a loose box from `positions_of` where they are
    /// needed.
    ///
    /// # Errors
    /// If positions so read are refused: their number is not that of the vertices, one is not finite, or one is outside
    /// the loose box. That body then still has its old positions and is still known by its loose box.
    pub fn update_with<'p, C: Coordinate>(
        &mut self,
        mut positions_of: impl FnMut(BodyId) -> &'p [[C; 3]],
    ) -> Result<Frame<'_>, SceneError> {
        self.begin_frame(|id, _, entry| {
            let taken = entry.body.take_in(C::given(positions_of(id)), entry.loose);
            taken.map_err(|source| SceneError::Body { body: id, name: entry.body.shared_name(), source })
        })
    }

    /// Begins the next frame, reading the vertices of bodies known by a loose box through `read`.
    fn begin_frame(
        &mut self,
        read: impl FnMut(BodyId, BodyId, &mut Entry) -> Result<TakenIn, SceneError>,
    ) -> Result<Frame<'_>, SceneError> {
        self.commit_all_positions()?;
        let is_changed = self.phase > Phase::Shown;
        if self.phase < Phase::Corrected {
            self.raise(Phase::Stepped);
        }
        if is_changed {
            self.find_jobs(read)?;
            self.update_trees();
        }
        self.answers.end_frame();
        self.phase = Phase::Shown;
        self.frame += 1;
        Ok(Frame::new(self))
    }

    /// Brings the trees of all bodies that are asked about up to date with them.
    fn update_trees(&mut self) {
        self.slots_asked.clear();
        self.slots_asked.extend(self.jobs.iter().flat_map(|job| [job.a.slot(), job.b.slot()]));
        self.slots_asked.sort_unstable();
        self.slots_asked.dedup();
        let Self { bodies, wide, other, jobs, slots_asked, asked_against, .. } = self;
        asked_against.clear();
        asked_against.resize(slots_asked.last().map_or(0, |&last| last as usize + 1), Aabb::EMPTY);
        for job in jobs.iter() {
            for (one, other) in [(job.a, job.b), (job.b, job.a)] {
                let box_of_one = &mut asked_against[one.slot() as usize];
                *box_of_one = box_of_one.union(&bodies.in_slot(other.slot()).body.bounds());
            }
        }
        let body_in = |slot: u32| &bodies.in_slot(slot).body;
        match other {
            None => wide.update(slots_asked, &body_in, asked_against),
            Some(other) => other.update(slots_asked, &body_in, asked_against),
        }
    }
}
