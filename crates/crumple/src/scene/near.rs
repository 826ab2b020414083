//! Which features of the bodies are closer than a distance in this frame.
//!
//! The last answer with the same distance is looked at first: what it says of two bodies of which neither has changed is
//! taken over, and if that is all, so is the answer as a whole, without a copy. Bodies that stand still so cost a
//! comparison of versions.

use super::jobs::{Found, Gathered, Job, JobFinder, Within, Worker};
use super::per_frame::{Computed, Reusable, Room, at_least};
use super::{Between, BodyId, Frame, Scene};
use crate::distance::{NearMemory, NearPair, near_between, near_within};

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
        let at = self.groups.binary_search_by_key(&Job::of(a, b), |group| group.0);
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
    type Item = Between<NearPair>;
    type IntoIter = NearIter<'a>;

    fn into_iter(self) -> NearIter<'a> {
        self.iter()
    }
}

impl<'a> IntoIterator for NearPairs<'a> {
    type Item = Between<NearPair>;
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
    type Item = Between<NearPair>;

    fn next(&mut self) -> Option<Between<NearPair>> {
        let of = *self.pairs.get(self.at)?;
        while self.groups.first()?.1 <= self.at {
            self.groups = &self.groups[1..];
        }
        let Job { a, b } = self.groups.first()?.0;
        self.at += 1;
        Some(Between { a, b, of })
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
    /// If `d` is 0, negative or NaN, the answer is empty; if it is infinite, every vertex with every face and every edge with
    /// every edge.
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
        // Whatever is closer than nothing is one question.
        let (scene, d) = (self.scene, if d > 0.0 { d } else { 0.0 });
        let answer = scene.answers.near.get_or_keep(d, |before, answer| {
            scene.answers.near_memories.lend(|memory| scene.find_near(d, memory, before, answer))
        });
        NearPairs { groups: &answer.groups, pairs: &answer.found.list }
    }
}

/// The near features for one distance.
#[derive(Debug, Default)]
pub(super) struct NearAnswer {
    /// Under which rules, see `Filter::version`.
    rules: u64,
    /// What was asked, sorted, and the versions of both bodies: as long as they stay, so do the pairs.
    asked: Vec<(Job, [u64; 2])>,
    /// What was found, in the same order.
    found: Found<NearPair>,
    /// The bodies that have near features, and where their pairs end.
    groups: Vec<(Job, usize)>,
}

impl NearAnswer {
    /// The pairs of two bodies of these versions, if they were asked about.
    fn pairs(&self, asked: &(Job, [u64; 2])) -> Option<&[NearPair]> {
        let at = self.asked.binary_search(asked).ok()?;
        Some(self.found.of(at).0)
    }
}

impl Reusable for NearAnswer {
    const IS_READ_NEXT: bool = true;

    fn clear(&mut self) {
        self.asked.clear();
        self.found.clear();
        self.groups.clear();
    }

    fn room(&self) -> Room {
        let found = [self.found.list.capacity(), self.found.ends.capacity()];
        [self.asked.capacity(), self.groups.capacity(), found[0], found[1], 0]
    }

    fn make_room(&mut self, &[asked, groups, pairs, ends, _]: &Room) {
        at_least(&mut self.asked, asked);
        at_least(&mut self.groups, groups);
        at_least(&mut self.found.list, pairs);
        at_least(&mut self.found.ends, ends);
    }
}

/// Working memory of one answer.
#[derive(Debug, Default)]
pub(super) struct NearScratch {
    jobs: JobFinder,
    workers: Vec<Worker<NearMemory, Found<NearPair>>>,
}

impl Scene {
    /// Finds an answer, with what is still true of the one before.
    fn find_near(
        &self,
        d: f64,
        scratch: &mut NearScratch,
        before: Option<&NearAnswer>,
        answer: &mut NearAnswer,
    ) -> Computed {
        let NearScratch { jobs, workers } = scratch;
        let jobs = if d > 0.0 { jobs.find(self, Within::Distance(d)) } else { &[] };
        let with_versions = |job: Job| (job, [job.a, job.b].map(|id| self.bodies.in_slot(id.slot()).body.version()));
        let NearAnswer { rules, asked, found, groups } = answer;
        *rules = self.filter.version();
        let before = before.filter(|before| before.rules == *rules);
        asked.extend(jobs.iter().copied().map(with_versions));
        if before.is_some_and(|before| before.asked == *asked) {
            return Computed::AsBefore;
        }
        self.answer_jobs(jobs, workers, found, |job, [a, b], memory, found| {
            if let Some(known) = before.and_then(|before| before.pairs(&with_versions(job))) {
                found.list.extend_from_slice(known);
            } else {
                self.wide.with_sides((job.a.slot(), a), (job.b.slot(), b), |side_a, side_b| {
                    self.with_left_out(job, |left_out| {
                        if job.is_self() {
                            near_within(side_a, d, left_out, memory, &mut found.list);
                        } else {
                            near_between((side_a, side_b), d, left_out, memory, &mut found.list);
                        }
                    });
                });
            }
            found.end_job(());
        });
        let mut start = 0;
        for (&job, &(end, ())) in jobs.iter().zip(&found.ends) {
            if std::mem::replace(&mut start, end) < end {
                groups.push((job, end));
            }
        }
        Computed::Anew
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
        pairs.iter().map(|found| (found.a, found.b, found.of)).collect()
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
