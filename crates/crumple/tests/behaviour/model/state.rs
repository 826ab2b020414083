//! A scene in plain lists: what a body is, where it is, where its step began, what is pending.
//!
//! The rules are those of the table in `src/scene/step.rs`, written again without its machinery.

use std::collections::BTreeSet;

use crumple::{Aabb, BodyId};

pub(super) type Point = [f64; 3];

/// What has happened since the last frame.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(super) enum Phase {
    Shown,
    Changed,
    Corrected,
    Stepped,
}

#[derive(Clone, Debug)]
pub(super) struct ModelBody {
    pub(super) id: BodyId,
    pub(super) in_f64: bool,
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) live: Vec<bool>,
    pub(super) now: Vec<Point>,
    /// Where the step began; nothing for a body at rest.
    pub(super) start: Option<Vec<Point>>,
    pub(super) written: Option<Vec<Point>>,
    /// The promised box, and what is answered when the vertices are asked for.
    pub(super) loose: Option<(Aabb, Vec<Point>)>,
    pub(super) asks_itself: bool,
    pub(super) group: u32,
    pub(super) membership: u32,
    pub(super) mask: u32,
    pub(super) thickness: f64,
}

impl ModelBody {
    pub(super) fn new(id: BodyId, triangles: Vec<[u32; 3]>, now: Vec<Point>, in_f64: bool) -> Self {
        let live = vec![true; triangles.len()];
        let (start, written, loose) = (None, None, None);
        let (membership, mask) = (u32::MAX, u32::MAX);
        Self {
            id,
            in_f64,
            triangles,
            live,
            now,
            start,
            written,
            loose,
            asks_itself: false,
            group: 0,
            membership,
            mask,
            thickness: 0.0,
        }
    }

    pub(super) fn bounds(&self) -> Aabb {
        let now: Vec<[f32; 3]> = self.now.iter().map(|point| point.map(|x| x as f32)).collect();
        self.loose.as_ref().map_or(Aabb::of_points(&now), |(promised, _)| *promised)
    }

    /// Takes in positions: a body at rest starts where it was, one that is moving keeps its start.
    fn take(&mut self, positions: Vec<Point>) {
        let from = std::mem::replace(&mut self.now, positions);
        self.start.get_or_insert(from);
        self.written = None;
        self.loose = None;
    }
}

#[derive(Clone, Debug)]
pub(super) struct Model {
    /// In the order of their ids.
    pub(super) bodies: Vec<ModelBody>,
    pub(super) ignored: BTreeSet<(BodyId, BodyId)>,
    pub(super) ignored_groups: BTreeSet<(u32, u32)>,
    pub(super) limit: Option<usize>,
    pub(super) has_filter: bool,
    pub(super) phase: Phase,
    pub(super) frame: u64,
    /// Bodies that were written to in place, in that order: what is refused stays, and so do those before it.
    written: Vec<BodyId>,
    /// Which bodies met when contacts were last asked for.
    pub(super) met: BTreeSet<(BodyId, BodyId)>,
}

pub(super) fn ordered<T: Ord>(a: T, b: T) -> (T, T) {
    if a <= b { (a, b) } else { (b, a) }
}

impl Model {
    pub(super) fn new() -> Self {
        Self {
            bodies: Vec::new(),
            ignored: BTreeSet::new(),
            ignored_groups: BTreeSet::new(),
            limit: None,
            has_filter: false,
            phase: Phase::Shown,
            frame: 0,
            written: Vec::new(),
            met: BTreeSet::new(),
        }
    }

    pub(super) fn at(&self, id: BodyId) -> Option<usize> {
        self.bodies.iter().position(|body| body.id == id)
    }

    pub(super) fn insert(&mut self, body: ModelBody) {
        let place = self.bodies.partition_point(|other| other.id < body.id);
        self.bodies.insert(place, body);
        self.raise(Phase::Changed);
    }

    pub(super) fn remove(&mut self, id: BodyId) {
        self.bodies.retain(|body| body.id != id);
        self.ignored.retain(|&(a, b)| a != id && b != id);
        self.raise(Phase::Changed);
    }

    pub(super) fn raise(&mut self, phase: Phase) {
        if phase == Phase::Stepped && self.phase < Phase::Stepped {
            self.bodies.iter_mut().for_each(|body| body.start = None);
        }
        if phase > self.phase {
            self.phase = phase;
        }
    }

    pub(super) fn take(&mut self, at: usize, positions: Vec<Point>, phase: Phase) {
        self.raise(phase);
        self.bodies[at].take(positions);
    }

    /// Notes what is written in place.
    pub(super) fn write(&mut self, at: usize, positions: Vec<Point>) {
        if self.bodies[at].written.replace(positions).is_none() {
            self.written.push(self.bodies[at].id);
        }
        self.raise(Phase::Changed);
    }

    /// Says that a body that has replaced others has what was written to them.
    pub(super) fn note_written(&mut self, id: BodyId) {
        if self.at(id).is_some_and(|at| self.bodies[at].written.is_some()) {
            self.written.push(id);
        }
    }

    /// Takes in what was written in place; whether it was accepted.
    pub(super) fn commit(&mut self, at: usize) -> bool {
        let Some(positions) = self.bodies[at].written.clone() else { return true };
        let is_accepted = positions.iter().flatten().all(|x| x.is_finite());
        if is_accepted {
            self.take(at, positions, Phase::Stepped);
        }
        is_accepted
    }

    fn are_left_out(&self, a: usize, b: usize) -> bool {
        let (a, b) = (&self.bodies[a], &self.bodies[b]);
        a.membership & b.mask == 0
            || b.membership & a.mask == 0
            || self.ignored.contains(&ordered(a.id, b.id))
            || self.ignored_groups.contains(&ordered(a.group, b.group))
    }

    /// Makes sure of a body's vertices; whether that was possible.
    fn know(&mut self, at: usize, may_read: bool) -> bool {
        let Some((promised, positions)) = self.bodies[at].loose.clone() else { return true };
        if !may_read || positions.iter().any(|point| !promised.contains(point.map(|x| x as f32))) {
            return false;
        }
        self.bodies[at].take(positions);
        true
    }

    /// Begins a frame; whether that was possible.
    pub(super) fn update(&mut self, may_read: bool) -> bool {
        while let Some(&id) = self.written.last() {
            if self.at(id).is_some_and(|at| !self.commit(at)) {
                return false;
            }
            self.written.pop();
        }
        let is_changed = self.phase > Phase::Shown;
        if self.phase < Phase::Corrected {
            self.raise(Phase::Stepped);
        }
        if is_changed && !self.know_all(may_read) {
            return false;
        }
        self.phase = Phase::Shown;
        self.frame += 1;
        true
    }

    fn know_all(&mut self, may_read: bool) -> bool {
        for at in 0..self.bodies.len() {
            if self.bodies[at].asks_itself && !self.know(at, may_read) {
                return false;
            }
        }
        for a in 0..self.bodies.len() {
            for b in a + 1..self.bodies.len() {
                for at in [a, b] {
                    let are_near = self.bodies[a].bounds().overlaps(&self.bodies[b].bounds());
                    if are_near && !self.are_left_out(a, b) && !self.know(at, may_read) {
                        return false;
                    }
                }
            }
        }
        true
    }
}
