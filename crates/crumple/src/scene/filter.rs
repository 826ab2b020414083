//! Which bodies, and which of their triangles, may touch.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use super::jobs::Job;
use super::step::Phase;
use super::{BodyId, Entry, Scene, SceneError};
use crate::body::{Body, BodyError};
use crate::exact::{triangles_cross, triangles_cross_f64};
use crate::exclusions::{LeftOut, Rest};
use crate::geom::{FeaturePair, TrianglePair, VertexId};
use crate::mesh::Rings;
use crate::narrow::Wanted;

/// Pairs of bodies, of groups and of triangles that are left out.
#[derive(Clone, Debug, Default)]
pub(super) struct Filter {
    bodies: HashSet<(BodyId, BodyId)>,
    groups: HashSet<(u32, u32)>,
    pairs: Option<PairFilter>,
    crossings_only: bool,
    features: Option<FeatureFilter>,
    /// Changes with `pairs` and `crossings_only`, and with what is left out of features.
    version: u64,
}

#[derive(Clone)]
struct PairFilter(Arc<dyn Fn(BodyId, BodyId, TrianglePair) -> bool + Send + Sync>);

impl fmt::Debug for PairFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PairFilter")
    }
}

/// Whether a pair of features is kept.
#[derive(Clone)]
struct FeatureFilter(Arc<dyn Fn(BodyId, BodyId, FeaturePair) -> bool + Send + Sync>);

impl fmt::Debug for FeatureFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FeatureFilter")
    }
}

impl Scene {
    /// Lets two bodies touch: collisions between them are left out, until
    /// [`stop_ignoring`](Self::stop_ignoring) says otherwise.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn ignore(&mut self, a: BodyId, b: BodyId) -> Result<(), SceneError> {
        self.both_exist(a, b)?;
        self.filter.ignore_bodies(a, b);
        self.raise(Phase::Changed);
        Ok(())
    }

    /// Takes back an [`ignore`](Self::ignore).
    ///
    /// # Errors
    /// If there is no such body.
    pub fn stop_ignoring(&mut self, a: BodyId, b: BodyId) -> Result<(), SceneError> {
        self.both_exist(a, b)?;
        self.filter.bodies.remove(&ordered(a, b));
        self.raise(Phase::Changed);
        Ok(())
    }

    /// Puts a body into a group; every body starts in group 0.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn set_group(&mut self, id: BodyId, group: u32) -> Result<(), SceneError> {
        self.bodies.get_mut(id)?.settings.group = group;
        self.raise(Phase::Changed);
        Ok(())
    }

    /// Lets bodies of two groups touch; twice the same group lets the bodies within it touch each other.
    pub fn ignore_groups(&mut self, a: u32, b: u32) {
        self.filter.groups.insert(ordered(a, b));
        self.raise(Phase::Changed);
    }

    /// Takes back an [`ignore_groups`](Self::ignore_groups).
    pub fn stop_ignoring_groups(&mut self, a: u32, b: u32) {
        self.filter.groups.remove(&ordered(a, b));
        self.raise(Phase::Changed);
    }

    /// Filters pairs of bodies by bits: two bodies can collide only if each one's `membership` shares a bit with the
    /// other's `mask`. All bits are set at first. Collisions of a body with itself are not affected.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn set_collision_mask(&mut self, id: BodyId, membership: u32, mask: u32) -> Result<(), SceneError> {
        let settings = &mut self.bodies.get_mut(id)?.settings;
        (settings.membership, settings.mask) = (membership, mask);
        self.raise(Phase::Changed);
        Ok(())
    }

    /// Keeps only the pairs of triangles for which `keep` returns true: for seams and pins that may touch.
    ///
    /// Replaces an earlier one. It is asked about every pair that meets and must not change its mind while it is set:
    /// answers about bodies that stand still are kept.
    ///
    /// ```
    /// # use crumple::{Body, Mesh, Scene, TriangleId};
    /// # let mut scene = Scene::new();
    /// let sleeve_seam = [TriangleId(17), TriangleId(18)];
    /// scene.set_pair_filter(move |_, _, pair| !sleeve_seam.contains(&pair.a));
    /// ```
    pub fn set_pair_filter(&mut self, keep: impl Fn(BodyId, BodyId, TrianglePair) -> bool + Send + Sync + 'static) {
        self.filter.pairs = Some(PairFilter(Arc::new(keep)));
        self.rules_changed();
    }

    /// Takes back a [`set_pair_filter`](Self::set_pair_filter).
    pub fn clear_pair_filter(&mut self) {
        self.filter.pairs = None;
        self.rules_changed();
    }

    /// Leaves out features of a body against each other that are at most so many edges apart: of [`near`](super::Frame::near),
    /// impacts and safe steps. 0, as at first, leaves out those that share a vertex. Contacts are not affected.
    ///
    /// With a reach near the length of its edges, most of what is near a vertex is its own neighbourhood.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn leave_out_rings(&mut self, id: BodyId, rings: u32) -> Result<(), SceneError> {
        let entry = self.bodies.get_mut(id)?;
        entry.settings.rings = rings;
        entry.renew_rings();
        self.rules_changed();
        Ok(())
    }

    /// Leaves out features of a body against each other that are closer than `distance` at rest: of
    /// [`near`](super::Frame::near), impacts and safe steps. Contacts are not affected.
    ///
    /// Vertices that are added later are near nothing at rest. Rest positions belong to the numbers of vertices: say them again
    /// after [`compact`](Scene::compact) and [`swap_mesh`](Scene::swap_mesh), and for bodies that were split or fused.
    ///
    /// # Errors
    /// If there is no such body, there is not one position per vertex, or one is not finite.
    pub fn leave_out_near_at_rest(&mut self, id: BodyId, rest: &[[f64; 3]], distance: f64) -> Result<(), SceneError> {
        let entry = self.bodies.get_mut(id)?;
        check_rest(&entry.body, id, rest)?;
        entry.exclusions.rest = (distance > 0.0).then(|| Arc::new(Rest { positions: rest.to_vec(), distance }));
        self.rules_changed();
        Ok(())
    }

    /// Keeps only the pairs of features for which `keep` returns true, of [`near`](super::Frame::near), impacts and safe steps;
    /// replaces an earlier one. As that of [`set_pair_filter`](Self::set_pair_filter), it must not change its mind.
    pub fn set_feature_filter(&mut self, keep: impl Fn(BodyId, BodyId, FeaturePair) -> bool + Send + Sync + 'static) {
        self.filter.features = Some(FeatureFilter(Arc::new(keep)));
        self.rules_changed();
    }

    /// Takes back a [`set_feature_filter`](Self::set_feature_filter).
    pub fn clear_feature_filter(&mut self) {
        self.filter.features = None;
        self.rules_changed();
    }

    fn rules_changed(&mut self) {
        self.filter.version += 1;
        self.raise(Phase::Changed);
    }

    /// Calls `ask` with what is left out of a question about features of two bodies, or of one.
    pub(super) fn with_left_out<T>(&self, Job { a, b }: Job, ask: impl FnOnce(LeftOut<'_>) -> T) -> T {
        let own = (a == b).then(|| &self.bodies.in_slot(a.slot()).exclusions);
        match &self.filter.features {
            None => ask(LeftOut { own, keep: None }),
            Some(FeatureFilter(keep)) => ask(LeftOut { own, keep: Some(&|features| keep(a, b, features)) }),
        }
    }

    /// Whether only pairs of triangles that cross properly are kept, in place of all that share a point; off by default.
    ///
    /// Triangles cross properly if their interiors have a point in common and they do not lie in one plane
    /// ([`exact::triangles_cross`](crate::exact::triangles_cross)): surfaces that pass through each other do, except where they meet
    /// along an edge of one of them, and surfaces that only touch do not, such as stacked boxes and the faces of a fresh cut.
    /// So bodies overlap without a pair that is kept if one is inside the other or shifted along faces they have in common;
    /// [`overlaps`](crate::Frame::overlaps) tells.
    ///
    /// This is about [`contacts`](crate::Frame::contacts) and what is made of them, not about impacts, distances and volumes. It is a
    /// filter beside [`set_pair_filter`](Self::set_pair_filter), which is asked about what crosses only.
    pub fn set_crossings_only(&mut self, on: bool) {
        self.filter.version += u64::from(self.filter.crossings_only != on);
        self.filter.crossings_only = on;
        self.raise(Phase::Changed);
    }

    fn both_exist(&self, a: BodyId, b: BodyId) -> Result<(), SceneError> {
        self.bodies.get(a).and_then(|_| self.bodies.get(b)).map(|_| ())
    }
}

impl Entry {
    /// Finds anew which features are few edges apart, after a change of the rule or of the mesh.
    pub(super) fn renew_rings(&mut self) {
        let rings = self.settings.rings;
        self.exclusions.rings = (rings > 0).then(|| Arc::new(Rings::new(self.body.mesh(), rings)));
    }
}

/// Refuses rest positions that are not one finite position per vertex.
pub(crate) fn check_rest(body: &Body, id: BodyId, rest: &[[f64; 3]]) -> Result<(), SceneError> {
    let expected = body.mesh().vertex_count();
    let not_finite = rest.iter().position(|position| position.iter().any(|x| !x.is_finite()));
    let source = match not_finite {
        _ if rest.len() != expected => BodyError::WrongNumberOfPositions { given: rest.len(), expected },
        Some(at) => BodyError::NotFinite { vertex: VertexId(at as u32), position: rest[at] },
        None => return Ok(()),
    };
    Err(SceneError::Body { body: id, name: body.shared_name(), source })
}

impl Filter {
    pub(super) fn ignore_bodies(&mut self, a: BodyId, b: BodyId) {
        self.bodies.insert(ordered(a, b));
    }

    /// The bodies whose contacts with a given one are left out, whatever their groups.
    pub(super) fn ignored_with(&self, id: BodyId) -> Vec<BodyId> {
        let other = |&(a, b): &(BodyId, BodyId)| if a == id { Some(b) } else { (b == id).then_some(a) };
        self.bodies.iter().filter_map(other).collect()
    }

    /// Drops what is known about a body that is gone.
    pub(super) fn forget(&mut self, id: BodyId) {
        self.bodies.retain(|&(a, b)| a != id && b != id);
    }

    /// Whether collisions of two bodies are left out.
    pub(super) fn leaves_out(&self, (a, entry_a): (BodyId, &Entry), (b, entry_b): (BodyId, &Entry)) -> bool {
        let (of_a, of_b) = (&entry_a.settings, &entry_b.settings);
        (of_a.membership & of_b.mask == 0)
            || (of_b.membership & of_a.mask == 0)
            || self.bodies.contains(&ordered(a, b))
            || self.groups.contains(&ordered(of_a.group, of_b.group))
    }

    pub(super) fn has_pair_filter(&self) -> bool {
        self.pairs.is_some() || self.crossings_only
    }

    /// Whether a pair of triangles of two bodies is kept.
    fn keeps(&self, Job { a, b }: Job, bodies: [&Body; 2], pair: TrianglePair) -> bool {
        (!self.crossings_only || cross(bodies, pair))
            && self.pairs.as_ref().is_none_or(|PairFilter(keep)| keep(a, b, pair))
    }

    pub(super) fn version(&self) -> u64 {
        self.version
    }

    /// Appends the pairs that are kept, as many as are wanted; returns how many more would be.
    pub(super) fn extend_with_kept(
        &self,
        (job, bodies): (Job, [&Body; 2]),
        all: &[TrianglePair],
        wanted: Wanted,
        kept: &mut Vec<TrianglePair>,
    ) -> u64 {
        let most = if wanted == Wanted::First { 1 } else { wanted.most() };
        if !self.has_pair_filter() {
            let count = all.len().min(most);
            kept.extend_from_slice(&all[..count]);
            return if wanted == Wanted::First { 0 } else { (all.len() - count) as u64 };
        }
        let mut passing = all.iter().copied().filter(|&pair| self.keeps(job, bodies, pair));
        kept.extend(passing.by_ref().take(most));
        if wanted == Wanted::First { 0 } else { passing.count() as u64 }
    }
}

/// Whether a pair of triangles of two bodies, or of one, crosses properly.
fn cross([a, b]: [&Body; 2], TrianglePair { a: i, b: j }: TrianglePair) -> bool {
    let (i, j) = (a.mesh().indices()[i.index()], b.mesh().indices()[j.index()]);
    if a.is_wide() || b.is_wide() {
        triangles_cross_f64(&a.exact_corners(i), &b.exact_corners(j))
    } else {
        triangles_cross(&a.corners(i), &b.corners(j))
    }
}

fn ordered<T: Ord>(a: T, b: T) -> (T, T) {
    if a <= b { (a, b) } else { (b, a) }
}
