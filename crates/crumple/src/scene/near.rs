//! Which features of the bodies are closer than a distance in this frame.
//!
//! Answers are kept by the distance they were asked with, until the next frame: a chain to which whoever asks first with
//! another distance adds. Nobody waits, see `answer`.
//!
//! The last answer with the same distance is looked at first: what it says of two bodies of which neither has changed is
//! taken over, and if that is all, so is the answer as a whole, without a copy. Bodies that stand still so cost a
//! comparison of versions. Memory takes turns between this answer and the one before.

use std::ops::Deref;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::engine::Job;
use super::impacts::grown;
use super::{BodyId, Frame, Scene};
use crate::broad::{Auto, BroadPhase};
use crate::distance::{NearMemory, NearPair, near_between, near_within};
use crate::geom::Aabb;

/// Two near features and the bodies they are of; reads like a [`NearPair`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct FrameNear {
    /// The body with the smaller id.
    pub a: BodyId,
    /// The other one; the same one if features of one body are near each other.
    pub b: BodyId,
    /// The features and their distance.
    pub near: NearPair,
}

impl Deref for FrameNear {
    type Target = NearPair;

    fn deref(&self) -> &NearPair {
        &self.near
    }
}

/// The near features of two bodies, or of one.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct NearGroup<'a> {
    /// The body with the smaller id.
    pub a: BodyId,
    /// The other one; the same one if features of one body are near each other.
    pub b: BodyId,
    /// Its pairs, at least one, sorted by features.
    pub pairs: &'a [NearPair],
}

/// All near features of a frame, sorted by bodies, and by features within them.
#[derive(Clone, Copy, Debug)]
pub struct NearPairs<'a> {
    groups: &'a [(Job, usize)],
    pairs: &'a [NearPair],
}

impl<'a> NearPairs<'a> {
    /// How many pairs of features there are.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether no features are near each other.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The pairs, grouped by bodies.
    pub fn groups(&self) -> impl Iterator<Item = NearGroup<'a>> + use<'a> {
        let (pairs, mut start) = (self.pairs, 0);
        self.groups.iter().map(move |&(Job { a, b }, end)| {
            let of = &pairs[start..end];
            start = end;
            NearGroup { a, b, pairs: of }
        })
    }

    /// The pairs of two bodies, in either order, or of one with itself; in the pairs, the smaller id is `a`.
    pub fn between(&self, a: BodyId, b: BodyId) -> &'a [NearPair] {
        let at = self.groups.binary_search_by_key(&Job { a: a.min(b), b: a.max(b) }, |group| group.0);
        let Ok(at) = at else { return &[] };
        let start = if at == 0 { 0 } else { self.groups[at - 1].1 };
        &self.pairs[start..self.groups[at].1]
    }

    /// The pairs one by one.
    pub fn iter(&self) -> NearIter<'a> {
        NearIter { groups: self.groups, pairs: self.pairs, at: 0 }
    }
}

impl<'a> IntoIterator for &NearPairs<'a> {
    type Item = FrameNear;
    type IntoIter = NearIter<'a>;

    fn into_iter(self) -> NearIter<'a> {
        self.iter()
    }
}

impl<'a> IntoIterator for NearPairs<'a> {
    type Item = FrameNear;
    type IntoIter = NearIter<'a>;

    fn into_iter(self) -> NearIter<'a> {
        self.iter()
    }
}

/// Goes through [`NearPairs`].
#[derive(Clone, Debug)]
pub struct NearIter<'a> {
    /// Those that are left.
    groups: &'a [(Job, usize)],
    pairs: &'a [NearPair],
    at: usize,
}

impl Iterator for NearIter<'_> {
    type Item = FrameNear;

    fn next(&mut self) -> Option<FrameNear> {
        let near = *self.pairs.get(self.at)?;
        while self.groups.first()?.1 <= self.at {
            self.groups = &self.groups[1..];
        }
        let Job { a, b } = self.groups.first()?.0;
        self.at += 1;
        Some(FrameNear { a, b, near })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.pairs.len() - self.at;
        (left, Some(left))
    }
}

impl ExactSizeIterator for NearIter<'_> {}

impl<'a> Frame<'a> {
    /// All pairs of features, a vertex and a face or two edges, that are closer than `d`: between bodies, and within bodies
    /// that are asked about themselves ([`Scene::set_self_collision`]). Each pair once, sorted; `d` is in the unit of the
    /// positions.
    ///
    /// The distance of two features is that of the point and the triangle, or of the two segments, wherever on them the
    /// nearest points are ([`vertex_face_distance`](crate::distance::vertex_face_distance),
    /// [`edge_edge_distance`](crate::distance::edge_edge_distance)), computed in f64. Features of one body that share a
    /// vertex are left out, and so are bodies that are ignored; a pair filter is not asked. A body known only by a loose box
    /// takes no part.
    ///
    /// Nothing is closer than 0, or than a number that is negative or NaN: the answer is then empty. With infinity it is
    /// every vertex with every face and every edge with every edge.
    ///
    /// ```
    /// use crumple::{Body, Mesh, Scene};
    ///
    /// let mut scene = Scene::new();
    /// let triangle = |y: f32| [[0.0, y, 0.0], [1.0, y, 0.0], [0.0, y, 1.0]];
    /// scene.add(Body::new(Mesh::new(3, vec![[0, 1, 2]])?, &triangle(0.0))?);
    /// scene.add(Body::new(Mesh::new(3, vec![[0, 1, 2]])?, &triangle(0.25))?);
    /// let frame = scene.update()?;
    /// for near in frame.near(0.3) {
    ///     // What a penalty method would push with, along `near.direction`.
    ///     let force = 0.3 - near.distance();
    ///     assert!((force - 0.05).abs() < 1e-9);
    /// }
    /// // Three vertices of each near the face of the other; each edge near the three of the other.
    /// assert_eq!(frame.near(0.3).len(), 3 + 3 + 9);
    /// assert!(frame.near(0.25).is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn near(&self, d: f64) -> NearPairs<'a> {
        let answer = self.scene.near.answer(self.scene, d);
        NearPairs { groups: &answer.groups, pairs: &answer.pairs }
    }
}

/// The answers of this frame, and memory for those to come.
#[derive(Debug, Default)]
pub(super) struct NearQuestions {
    first: OnceLock<Box<NearAnswer>>,
    spare: Mutex<Spare>,
}

/// Answers are boxed as they are in the chain: what is taken from here and put there is not moved.
#[derive(Debug, Default)]
#[expect(clippy::vec_box)]
struct Spare {
    scratch: Vec<Scratch>,
    /// The answers of the last frame that was asked; whoever asks again with the distance of one takes it.
    before: Vec<Box<NearAnswer>>,
    /// Those that were taken and replaced, in this order.
    replaced: Vec<Box<NearAnswer>>,
    /// Memory, of which the last is used next.
    answers: Vec<Box<NearAnswer>>,
}

/// The answer for one distance, and those after it.
#[derive(Debug, Default)]
struct NearAnswer {
    d: f64,
    /// What was asked, sorted.
    records: Vec<Record>,
    /// The bodies that have near features, and where their pairs end.
    groups: Vec<(Job, usize)>,
    pairs: Vec<NearPair>,
    next: OnceLock<Box<NearAnswer>>,
}

/// Two bodies that were asked about, or one.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Record {
    job: Job,
    /// The versions of both: as long as they stay, so do the pairs.
    versions: [u64; 2],
    /// Where their pairs end; they begin where those of the record before end.
    end: usize,
}

impl NearAnswer {
    fn clear(&mut self) {
        self.records.clear();
        self.groups.clear();
        self.pairs.clear();
    }

    /// Gives up what it says, and has as much room as another from now on: the two take turns.
    fn make_room_as(&mut self, other: &Self) {
        self.clear();
        self.records.reserve_exact(other.records.capacity());
        self.groups.reserve_exact(other.groups.capacity());
        self.pairs.reserve_exact(other.pairs.capacity());
    }
}

/// Working memory of one answer.
#[derive(Debug, Default)]
struct Scratch {
    /// Boxes with room for the distance.
    broad: Auto,
    jobs: Vec<Job>,
    memory: NearMemory,
}

impl NearQuestions {
    /// Ends a frame.
    pub(super) fn retire(&mut self) {
        let Spare { before, replaced, answers, .. } = self.spare.get_mut().unwrap_or_else(PoisonError::into_inner);
        // From the last to the first, so that a loop that asks for the same in the same order gets the same memory.
        answers.extend(replaced.drain(..).rev());
        let mut next = self.first.take();
        if next.is_some() {
            answers.extend(before.drain(..).rev());
        }
        while let Some(mut answer) = next {
            next = answer.next.take();
            before.push(answer);
        }
    }

    fn answer(&self, scene: &Scene, d: f64) -> &NearAnswer {
        // Whatever is closer than nothing is one question.
        let d = if d > 0.0 { d } else { 0.0 };
        let mut end = &self.first;
        while let Some(answer) = end.get() {
            if answer.d == d {
                return answer;
            }
            end = &answer.next;
        }
        let mut answer = self.find(scene, d);
        // Others may have added to the chain meanwhile.
        loop {
            let Err(unused) = end.set(answer) else { break };
            answer = unused;
            let Some(there) = end.get() else { unreachable!("it was refused because there is one") };
            if there.d == d {
                self.spare().answers.push(answer);
                return there;
            }
            end = &there.next;
        }
        end.get().unwrap_or_else(|| unreachable!("it was put there above"))
    }

    /// Finds an answer, or takes over the one before.
    fn find(&self, scene: &Scene, d: f64) -> Box<NearAnswer> {
        let (mut scratch, before) = {
            let mut spare = self.spare();
            let known = spare.before.iter().position(|before| before.d == d);
            (spare.scratch.pop().unwrap_or_default(), known.map(|known| spare.before.remove(known)))
        };
        scene.find_near_jobs(d, &mut scratch.broad, &mut scratch.jobs);
        let answer = match before {
            Some(before) if scene.is_unchanged(&before, &scratch.jobs) => before,
            before => {
                let mut answer = self.spare().answers.pop().unwrap_or_default();
                answer.d = d;
                scene.find_near(&mut scratch, before.as_deref(), &mut answer);
                if let Some(mut before) = before {
                    before.make_room_as(&answer);
                    self.spare().replaced.push(before);
                }
                answer
            }
        };
        self.spare().scratch.push(scratch);
        answer
    }

    fn spare(&self) -> MutexGuard<'_, Spare> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Scene {
    fn versions_of(&self, job: Job) -> [u64; 2] {
        [job.a, job.b].map(|id| self.bodies.in_slot(id.slot()).body.version())
    }

    /// Whether an answer is about these bodies as they are now.
    fn is_unchanged(&self, before: &NearAnswer, jobs: &[Job]) -> bool {
        let is_same = |(record, &job): (&Record, &Job)| record.job == job && record.versions == self.versions_of(job);
        before.records.len() == jobs.len() && before.records.iter().zip(jobs).all(is_same)
    }

    /// Answers the jobs in `scratch`, with what is still true of the answer before.
    fn find_near(&self, scratch: &mut Scratch, before: Option<&NearAnswer>, answer: &mut NearAnswer) {
        let Scratch { jobs, memory, .. } = scratch;
        match before {
            Some(before) => answer.make_room_as(before),
            None => answer.clear(),
        }
        let NearAnswer { d, records, groups, pairs, .. } = answer;
        let (mut earlier, mut earlier_end) = (before.map_or(&[][..], |before| &before.records), 0);
        for &job in jobs.iter() {
            let (start, versions) = (pairs.len(), self.versions_of(job));
            // Both lists are sorted by bodies: walk them side by side.
            while let [first, rest @ ..] = earlier
                && first.job < job
            {
                (earlier, earlier_end) = (rest, first.end);
            }
            match (earlier.first(), before) {
                (Some(known), Some(before)) if known.job == job && known.versions == versions => {
                    pairs.extend_from_slice(&before.pairs[earlier_end..known.end]);
                }
                _ => {
                    let body = |id: BodyId| (id.slot(), &self.bodies.in_slot(id.slot()).body);
                    self.wide.with_sides(body(job.a), body(job.b), |side_a, side_b| {
                        if job.a == job.b {
                            near_within(side_a, *d, memory, pairs);
                        } else {
                            near_between((side_a, side_b), *d, memory, pairs);
                        }
                    });
                }
            }
            records.push(Record { job, versions, end: pairs.len() });
            if pairs.len() > start {
                groups.push((job, pairs.len()));
            }
        }
    }

    /// The bodies that are asked about themselves, and the pairs whose boxes are within a distance.
    fn find_near_jobs(&self, d: f64, broad: &mut Auto, jobs: &mut Vec<Job>) {
        jobs.clear();
        if d == 0.0 {
            return;
        }
        for (id, entry) in self.bodies.iter() {
            let is_known = entry.loose.is_none();
            let bounds = entry.body.bounds();
            // What f64 rounds in the distance of two features, see `crate::distance`, is far less than that. Vertices may
            // lie outside the box of their copies, of which half is added on every side.
            let size = bounds.extent().into_iter().fold(0.0, f32::max);
            let outside = 2.0 * f64::from(entry.body.rounding());
            let reach = d + (f64::from(size) + d) * 2f64.powi(-45) + outside;
            broad.put(id.slot(), if is_known { grown(bounds, reach) } else { Aabb::EMPTY });
            if is_known && entry.asks_itself {
                jobs.push(Job { a: id, b: id });
            }
        }
        for &(slot_a, slot_b) in broad.pairs() {
            let (Some(a), Some(b)) = (self.bodies.id_in(slot_a), self.bodies.id_in(slot_b)) else { continue };
            if !self.filter.leaves_out((a, self.bodies.in_slot(slot_a)), (b, self.bodies.in_slot(slot_b))) {
                jobs.push(Job { a, b });
            }
        }
        jobs.sort_unstable();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Body;
    use crate::mesh::Mesh;

    /// Four triangles above each other; the first and the last two are near.
    fn stack() -> (Scene, Vec<BodyId>) {
        let mut scene = Scene::new();
        let add =
            |height: f32| scene.add(Body::new(Mesh::new(3, vec![[0, 1, 2]]).unwrap(), &triangle(height)).unwrap());
        let ids = [0.0, 0.25, 5.0, 5.25].map(add).to_vec();
        (scene, ids)
    }

    fn triangle(height: f32) -> [[f32; 3]; 3] {
        [[0.0, 0.0, height], [1.0, 0.0, height], [0.0, 1.0, height]]
    }

    fn list(pairs: NearPairs<'_>) -> Vec<(BodyId, BodyId, NearPair)> {
        pairs.iter().map(|found| (found.a, found.b, found.near)).collect()
    }

    #[test]
    fn an_answer_about_bodies_that_stand_still_is_taken_over_as_it_is() {
        let (mut scene, ids) = stack();
        let where_it_is = |scene: &mut Scene| {
            let frame = scene.update().unwrap();
            [0.3, 0.5].map(|d| frame.near(d).pairs.as_ptr())
        };
        let first = where_it_is(&mut scene);
        assert_eq!(where_it_is(&mut scene), first);
        // Not asked in between.
        scene.update().unwrap();
        assert_eq!(where_it_is(&mut scene), first);
        // One that is near nobody, now or before.
        let far = scene.add(Body::new(Mesh::new(3, vec![[0, 1, 2]]).unwrap(), &triangle(90.0)).unwrap());
        scene.set_positions(far, &triangle(91.0)).unwrap();
        assert_eq!(where_it_is(&mut scene), first);
        scene.set_positions(ids[0], &triangle(0.125)).unwrap();
        assert_ne!(where_it_is(&mut scene), first);
    }

    #[test]
    fn what_changes_for_some_bodies_is_found_and_the_rest_taken_over() {
        let (mut scene, ids) = stack();
        scene.update().unwrap().near(0.3);
        let mut check = |change: &mut dyn FnMut(&mut Scene)| {
            change(&mut scene);
            let frame = scene.update().unwrap();
            let found = list(frame.near(0.3));
            // Nothing was asked of a clone before.
            let mut fresh = scene.clone();
            assert_eq!(found, list(fresh.update().unwrap().near(0.3)));
            found.len()
        };
        assert_eq!(check(&mut |_| ()), 2 * 15);
        assert_eq!(check(&mut |scene| scene.set_positions(ids[1], &triangle(0.28125)).unwrap()), 2 * 15);
        assert_eq!(check(&mut |scene| scene.set_positions(ids[3], &triangle(6.0)).unwrap()), 15);
        assert_eq!(check(&mut |scene| scene.ignore(ids[0], ids[1]).unwrap()), 0);
        assert_eq!(check(&mut |scene| scene.stop_ignoring(ids[0], ids[1]).unwrap()), 15);
        assert_eq!(check(&mut |scene| scene.set_positions(ids[2], &triangle(5.875)).unwrap()), 2 * 15);
        assert_eq!(check(&mut |scene| drop(scene.remove(ids[0]).unwrap())), 15);
        // In the slot of the one that was removed.
        let body = || Body::new(Mesh::new(3, vec![[0, 1, 2]]).unwrap(), &triangle(0.0)).unwrap();
        assert_eq!(
            check(&mut |scene| {
                scene.add(body());
            }),
            2 * 15
        );
    }
}
