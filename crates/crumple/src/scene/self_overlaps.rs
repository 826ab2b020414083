//! How much bodies of a frame overlap themselves.

use super::jobs::{Found, Job};
use super::per_frame::Reusable;
use super::{BodyId, Frame, Scene, SceneError};
use crate::contact::{Holes, SelfOverlap, SelfOverlapError, SelfOverlapFinder, SelfRegionFinder, SelfRegions};
use crate::geom::TrianglePair;
use crate::narrow::{Stats, Wanted};

/// Which body is asked about, and how.
pub(super) type SelfKey = (Option<BodyId>, Holes);

impl<'a> Frame<'a> {
    /// How much a closed body overlaps itself, exact up to rounding, with the gradient for every vertex: E = ∫ w (w − 1) / 2 dV, w
    /// being the winding number of its surface.
    ///
    /// Whether the scene asks for the contacts of a body with itself does not matter; filters and limits of contacts have no
    /// effect. Where all of these contacts were found for this frame already, they are used. To ask does not count as asking for
    /// [`contacts`](Self::contacts).
    ///
    /// # Errors
    /// If there is no such body, it is known only by its loose box, its surface encloses no volume, or vertices that are welded have parted. A body that is
    /// inside out is no error, see [`SelfOverlap::is_inside_out`].
    pub fn self_overlap(&self, body: BodyId) -> Result<&'a SelfOverlap, SceneError> {
        self.self_overlap_with(body, Holes::Refuse)
    }

    /// As [`self_overlap`](Self::self_overlap), where holes of the surface may be capped. The answer then depends on the caps.
    ///
    /// # Errors
    /// As there; with [`Holes::Cap`] an open surface is refused only where triangles are turned against each other.
    pub fn self_overlap_with(&self, body: BodyId, holes: Holes) -> Result<&'a SelfOverlap, SceneError> {
        Ok(self.scene.self_overlap(body, holes)?.finder.found())
    }

    /// The connected parts in which a body overlaps itself: volume, centroid, normal, triangles, pairs and gradient of each.
    ///
    /// # Errors
    /// As [`self_overlap`](Self::self_overlap).
    pub fn self_regions(&self, body: BodyId) -> Result<&'a SelfRegions, SceneError> {
        self.self_regions_with(body, Holes::Refuse)
    }

    /// As [`self_regions`](Self::self_regions), where holes of the surface may be capped.
    ///
    /// # Errors
    /// As [`self_overlap_with`](Self::self_overlap_with).
    pub fn self_regions_with(&self, id: BodyId, holes: Holes) -> Result<&'a SelfRegions, SceneError> {
        let scene = self.scene;
        let overlap = scene.self_overlap(id, holes)?;
        let body = scene.body(id)?;
        let answer = scene.answers.self_regions.get((Some(id), holes), |_, SelfRegionAnswer { found, finder }| {
            overlap.finder.find_regions(body, finder, found);
        });
        Ok(&answer.found)
    }
}

/// The overlap of one body of a frame with itself.
#[derive(Debug, Default)]
pub(super) struct SelfOverlapAnswer {
    pub(super) finder: SelfOverlapFinder,
    fault: Option<SelfOverlapError>,
    pairs: Found<TrianglePair, Stats>,
}

impl Reusable for SelfOverlapAnswer {
    fn clear(&mut self) {
        self.fault = None;
    }
}

/// Its regions.
#[derive(Debug, Default)]
pub(super) struct SelfRegionAnswer {
    found: SelfRegions,
    finder: SelfRegionFinder,
}

impl Reusable for SelfRegionAnswer {
    fn clear(&mut self) {}
}

impl Scene {
    pub(super) fn self_overlap(&self, id: BodyId, holes: Holes) -> Result<&SelfOverlapAnswer, SceneError> {
        if self.bodies.get(id)?.loose.is_some() {
            return Err(SceneError::VerticesNeeded { body: id, near: id });
        }
        let answer =
            self.answers.self_overlaps.get((Some(id), holes), |_, answer| self.find_self_overlap(id, holes, answer));
        match &answer.fault {
            Some(source) => Err(SceneError::SelfOverlap { body: id, source: source.clone() }),
            None => Ok(answer),
        }
    }

    fn find_self_overlap(&self, id: BodyId, holes: Holes, answer: &mut SelfOverlapAnswer) {
        let SelfOverlapAnswer { finder, fault, pairs } = answer;
        let body = &self.bodies.in_slot(id.slot()).body;
        // A mesh that is not plain has its own pairs, found by the finder.
        if !body.mesh().single_fans().is_plain() {
            *fault = finder.find_given(body, holes, None).err();
            return;
        }
        let job = Job { a: id, b: id };
        let known = self.answers.contacts.asked(()).and_then(|contacts| contacts.complete_self_pairs(job));
        let known = known.unwrap_or_else(|| {
            pairs.list.clear();
            pairs.ends.clear();
            let body_in = |slot: u32| &self.bodies.in_slot(slot).body;
            self.wide.find_self(job, &body_in, Wanted::All, pairs);
            let (pairs, stats) = pairs.of(0);
            (pairs, stats.degenerate)
        });
        *fault = finder.find_given(body, holes, Some(known)).err();
    }
}
