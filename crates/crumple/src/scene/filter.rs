//! Which bodies, and which of their triangles, may touch.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use super::jobs::Job;
use super::step::Phase;
use super::{BodyId, Entry, Scene, SceneError};
use crate::body::Body;
use crate::exact::{triangles_cross, triangles_cross_f64};
use crate::geom::TrianglePair;
use crate::narrow::Wanted;

/// Pairs of bodies, of groups and of triangles that are left out.
#[derive(Clone, Debug, Default)]
pub(super) struct Filter {
    bodies: HashSet<(BodyId, BodyId)>,
    groups: HashSet<(u32, u32)>,
    pairs: Option<PairFilter>,
    crossings_only: bool,
    /// Changes with `pairs` and `crossings_only`.
    version: u64,
}

#[derive(Clone)]
struct PairFilter(Arc<dyn Fn(BodyId, BodyId, TrianglePair) -> bool + Send + Sync>);

impl fmt::Debug for PairFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PairFilter")
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
        self.filter.version += 1;
        self.raise(Phase::Changed);
    }

    /// Takes back a [`set_pair_filter`](Self::set_pair_filter).
    pub fn clear_pair_filter(&mut self) {
        self.filter.pairs = None;
        self.filter.version += 1;
        self.raise(Phase::Changed);
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
