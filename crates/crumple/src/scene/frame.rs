//! One frame, to be read, and what was found out about it.

use std::ops::Deref;
use std::sync::Arc;

use super::contact_regions::ContactRegionAnswer;
use super::contacts::PairAnswer;
use super::depths::DepthMemory;
use super::distances::Known;
use super::impacts::ImpactAnswer;
use super::jobs::Job;
use super::near::{NearAnswer, NearScratch};
use super::overlaps::{CurveAnswer, CutAnswer, OverlapAnswer, WindingAnswer};
use super::per_frame::{Memo, PerFrame, Pool};
use super::regions::NamedRegions;
use super::self_overlaps::{SelfKey, SelfOverlapAnswer, SelfRegionAnswer};
use super::step::Phase;
use super::{BodyId, Scene, SceneError};
use crate::body::Body;
use crate::contact::CutOffFinder;
use crate::distance;
use crate::tree::Snapshot;

/// The bodies of a scene at one moment, and every answer about it.
///
/// Made by [`Scene::update`]. It borrows the scene: bodies can be read while contacts are, and nothing moves. Every
/// question takes `&self`, from any number of threads; it is answered when it is first asked, and asking again costs
/// nothing. No question does the work of another.
///
/// ```
/// use crumple::{Body, Mesh, Scene, Triangle};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut scene = Scene::new();
/// let plate = [[-1.0, 0.0, -1.0], [1.0, 0.0, -1.0], [0.0, 0.0, 1.0]];
/// scene.add(Body::new(Mesh::new(3, vec![[0, 1, 2]])?, &plate)?.with_name("plate"));
/// let leaf = scene.add(Body::new(Mesh::new(3, vec![[0, 1, 2]])?, &plate.map(|[x, _, z]| [x, z * 0.1, z]))?);
/// let frame = scene.update()?;
/// // Push every vertex of the leaf's triangles that collide along the other triangle's normal.
/// let mut forces = vec![[0.0; 3]; frame.body(leaf)?.positions().len()];
/// for contact in frame.contacts_of(leaf) {
///     let Some(side) = contact.seen_from(leaf) else { continue };
///     for (own, other) in side.pairs() {
///         let Some(Triangle([p, q, r])) = side.other.triangle(other) else { continue };
///         let vertices = side.own.mesh().triangles()[own.index()];
///         let (u, v) = ([q[0] - p[0], q[1] - p[1], q[2] - p[2]], [r[0] - p[0], r[1] - p[1], r[2] - p[2]]);
///         let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
///         for vertex in vertices {
///             (0..3).for_each(|axis| forces[vertex.index()][axis] += 0.1 * normal[axis]);
///         }
///     }
/// }
/// assert!(forces.iter().all(|force| force[1] != 0.0));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    pub(super) scene: &'a Scene,
}

/// Something about two bodies of a frame, or about one and itself; reads like what it is.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Between<T> {
    /// The body with the smaller id.
    pub a: BodyId,
    /// The other one, or the same one.
    pub b: BodyId,
    /// What it is: an impact, an overlap, …
    pub of: T,
}

impl<T> Deref for Between<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.of
    }
}

/// Every answer that a scene keeps, and memory for those to come.
#[derive(Debug, Default)]
pub(super) struct Answers {
    pub(super) contacts: PerFrame<(), PairAnswer>,
    /// All pairs of two bodies.
    pub(super) all_pairs: PerFrame<(), PairAnswer>,
    pub(super) witnesses: PerFrame<(), PairAnswer>,
    pub(super) contact_regions: PerFrame<(), ContactRegionAnswer>,
    pub(super) first_impact: PerFrame<(), ImpactAnswer>,
    pub(super) first_new_impact: PerFrame<(), ImpactAnswer>,
    pub(super) impacts: PerFrame<(), ImpactAnswer>,
    /// Where surfaces cross, and winding numbers: what overlaps, curves and regions are computed from.
    pub(super) cuts: PerFrame<(), CutAnswer>,
    pub(super) windings: PerFrame<(), WindingAnswer>,
    pub(super) overlaps: PerFrame<(), OverlapAnswer>,
    pub(super) curves: PerFrame<(), CurveAnswer>,
    pub(super) regions: NamedRegions,
    pub(super) self_overlaps: PerFrame<SelfKey, SelfOverlapAnswer>,
    pub(super) self_regions: PerFrame<SelfKey, SelfRegionAnswer>,
    /// By distance.
    pub(super) near: PerFrame<f64, NearAnswer>,
    pub(super) near_memories: Pool<NearScratch>,
    pub(super) distances: Memo<Job, Known>,
    pub(super) distance_memories: Pool<distance::Memory>,
    /// By slot: the version of the body, and a snapshot of its tree.
    pub(super) snapshots: Memo<u32, (u64, Arc<Snapshot>)>,
    /// The order in which points are asked about.
    pub(super) orders: Pool<Vec<u64>>,
    pub(super) depth_memories: Pool<DepthMemory>,
    pub(super) cut_off_finders: Pool<CutOffFinder>,
}

impl Answers {
    /// Ends a frame. Every field is named, so that none is forgotten.
    pub(super) fn end_frame(&mut self) {
        let Self {
            contacts,
            all_pairs,
            witnesses,
            contact_regions,
            first_impact,
            first_new_impact,
            impacts,
            cuts,
            windings,
            overlaps,
            curves,
            regions,
            self_overlaps,
            self_regions,
            near,
            near_memories: _,
            distances: _,
            distance_memories: _,
            snapshots: _,
            orders: _,
            depth_memories: _,
            cut_off_finders: _,
        } = self;
        [contacts, all_pairs, witnesses].into_iter().for_each(PerFrame::end_frame);
        contact_regions.end_frame();
        [first_impact, first_new_impact, impacts].into_iter().for_each(PerFrame::end_frame);
        cuts.end_frame();
        windings.end_frame();
        overlaps.end_frame();
        curves.end_frame();
        regions.end_frame();
        self_overlaps.end_frame();
        self_regions.end_frame();
        near.end_frame();
    }

    /// Forgets a body that is gone.
    pub(super) fn forget(&mut self, id: BodyId) {
        self.distances.forget(|job| job.a == id || job.b == id);
        self.snapshots.forget(|slot| slot == id.slot());
    }

    /// Answers that do not depend on the method by which pairs are found.
    pub(super) fn under_another_method(&self) -> Self {
        Self { regions: self.regions.clone(), ..Self::default() }
    }
}

/// Contacts go along, so that events are those of the original, and the names of regions; the rest is computed again.
impl Clone for Answers {
    fn clone(&self) -> Self {
        let Self { contacts, all_pairs, witnesses, regions, .. } = self;
        let [contacts, all_pairs, witnesses] = [contacts, all_pairs, witnesses].map(PerFrame::clone);
        Self { contacts, all_pairs, witnesses, regions: regions.clone(), ..Self::default() }
    }
}

impl Scene {
    /// The frame that the last [`update`](Self::update) began, for callers that cannot keep its borrow.
    ///
    /// `None` before the first update, and once anything that may change an answer has been called since: the scene is then
    /// between frames. Names and user data change no answer.
    pub fn frame(&self) -> Option<Frame<'_>> {
        (self.phase == Phase::Shown && self.frame > 0).then(|| Frame::new(self))
    }
}

impl<'a> Frame<'a> {
    pub(super) fn new(scene: &'a Scene) -> Self {
        Self { scene }
    }

    /// The number of the frame: 1 after the first update.
    pub fn number(&self) -> u64 {
        self.scene.frame
    }

    /// A body at this moment.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn body(&self, id: BodyId) -> Result<&'a Body, SceneError> {
        self.scene.body(id)
    }

    /// The bodies in the order of their ids.
    pub fn bodies(&self) -> impl Iterator<Item = (BodyId, &'a Body)> + use<'a> {
        self.scene.bodies()
    }
}
