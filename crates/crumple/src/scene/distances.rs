//! How far apart two bodies are in this frame.
//!
//! What is known about two bodies is kept as long as neither moves, over frames; and once they have moved, the triangles
//! that were nearest are where the next search starts. Nobody waits for a search: two threads that ask at once both
//! search, and find the same.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::engine::Job;
use super::{BodyId, Entry, Frame, Scene, SceneError};
use crate::body::Body;
use crate::distance::{Asked, Closest, Memory, search};
use crate::geom::TrianglePair;

impl Frame<'_> {
    /// How far apart the surfaces of two bodies are, and where they are nearest.
    ///
    /// The distance is exactly 0 if and only if the surfaces share a point, and is otherwise given by certified bounds. It is
    /// in the unit of the positions. Which bodies are ignored or in which group does not matter: the two are named. With
    /// the bodies exchanged the answer is the same, exchanged. As the bodies move, a search starts from the triangles that
    /// were nearest when it was last asked.
    ///
    /// ```
    /// use crumple::{Body, Mesh, Scene};
    ///
    /// let mut scene = Scene::new();
    /// let triangle = |y: f32| [[0.0, y, 0.0], [1.0, y, 0.0], [0.0, y, 1.0]];
    /// let below = scene.add(Body::new(Mesh::new(3, vec![[0, 1, 2]])?, &triangle(0.0))?);
    /// let above = scene.add(Body::new(Mesh::new(3, vec![[0, 1, 2]])?, &triangle(0.25))?);
    /// let frame = scene.update()?;
    /// let closest = frame.distance(below, above)?;
    /// assert!((closest.distance.hi - 0.25).abs() < 1e-12);
    /// assert!(frame.is_closer_than(below, above, 0.3)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such body, the two are the same, one has no triangles, or one is known only by its loose box.
    pub fn distance(&self, a: BodyId, b: BodyId) -> Result<Closest, SceneError> {
        let job = self.scene.distance_job(a, b)?;
        let closest = self.scene.closest(job)?;
        Ok(if a == job.a { closest } else { closest.swapped() })
    }

    /// Whether the surfaces of two bodies are closer than a distance: whether the upper bound of
    /// [`distance`](Self::distance) is less than `d`. Ends as soon as that is known, so it usually takes less time.
    ///
    /// Nothing is closer than 0, or than a number that is negative or NaN; everything is closer than infinity.
    ///
    /// # Errors
    /// As [`distance`](Self::distance).
    pub fn is_closer_than(&self, a: BodyId, b: BodyId, d: f64) -> Result<bool, SceneError> {
        let job = self.scene.distance_job(a, b)?;
        Ok(self.scene.is_closer_than(job, d))
    }
}

/// What is known about the distances of bodies.
#[derive(Debug, Default)]
pub(super) struct KnownDistances {
    /// Sorted by bodies.
    known: Mutex<Vec<Known>>,
    /// Working memory that no search uses at the moment.
    spare: Mutex<Vec<Memory>>,
}

/// What is known about two bodies.
#[derive(Clone, Copy, Debug)]
struct Known {
    job: Job,
    versions: [u64; 2],
    topologies: [u64; 2],
    closest: Option<Closest>,
    /// The surfaces are certainly closer than anything above the first; they are not closer than the second.
    upper: f64,
    lower: f64,
    /// Triangles that were near each other when the bodies were last asked about.
    guess: Option<TrianglePair>,
}

impl Known {
    fn nothing(job: Job, versions: [u64; 2], topologies: [u64; 2]) -> Self {
        Self { job, versions, topologies, closest: None, upper: f64::INFINITY, lower: 0.0, guess: None }
    }
}

impl KnownDistances {
    /// Forgets a body that is gone.
    pub(super) fn forget(&mut self, id: BodyId) {
        let known = self.known.get_mut().unwrap_or_else(PoisonError::into_inner);
        known.retain(|known| known.job.a != id && known.job.b != id);
    }

    fn known(&self) -> MutexGuard<'_, Vec<Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known about two bodies as they are now.
    fn of(&self, job: Job, [a, b]: [&Body; 2]) -> Known {
        let (versions, topologies) = ([a.version(), b.version()], [a.topology_version(), b.topology_version()]);
        let nothing = Known::nothing(job, versions, topologies);
        let list = self.known();
        let Ok(at) = list.binary_search_by_key(&job, |known| known.job) else { return nothing };
        let known = list[at];
        if known.topologies != topologies {
            return nothing;
        }
        if known.versions == versions { known } else { Known { guess: known.guess, ..nothing } }
    }

    /// Notes what was found out.
    fn note(&self, found: Known) {
        let mut list = self.known();
        match list.binary_search_by_key(&found.job, |known| known.job) {
            Ok(at) => list[at] = found,
            Err(at) => list.insert(at, found),
        }
    }

    fn with_memory<T>(&self, search: impl FnOnce(&mut Memory) -> T) -> T {
        let spare = || self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        let mut memory = spare().pop().unwrap_or_default();
        let answer = search(&mut memory);
        spare().push(memory);
        answer
    }
}

impl Scene {
    /// Two bodies whose distance can be asked for, in the order of their ids.
    fn distance_job(&self, a: BodyId, b: BodyId) -> Result<Job, SceneError> {
        let (entry_a, entry_b) = (self.bodies.get(a)?, self.bodies.get(b)?);
        if a == b {
            return Err(SceneError::DistanceFromItself { body: a });
        }
        for (body, entry, near) in [(a, entry_a, b), (b, entry_b, a)] {
            let Entry { body: of, loose, .. } = entry;
            if loose.is_some() {
                return Err(SceneError::VerticesNeeded { body, near });
            }
            if of.mesh().live_count() == 0 {
                return Err(SceneError::NoTriangles { body });
            }
        }
        Ok(Job { a: a.min(b), b: a.max(b) })
    }

    fn closest(&self, job: Job) -> Result<Closest, SceneError> {
        let known = self.distances.of(job, self.bodies_of(job));
        if let Some(closest) = known.closest {
            return Ok(closest);
        }
        let asked = Asked { guess: known.guess, nearer_than: f64::INFINITY };
        let closest = self.search(job, asked).ok_or(SceneError::NoTriangles { body: job.a })?;
        let (upper, guess) = (closest.distance.hi, Some(closest.triangles));
        self.distances.note(Known { closest: Some(closest), upper, lower: upper, guess, ..known });
        Ok(closest)
    }

    fn is_closer_than(&self, job: Job, d: f64) -> bool {
        let known = self.distances.of(job, self.bodies_of(job));
        // NaN is not greater than anything.
        let is_asked = d > known.lower;
        if known.upper < d || !is_asked || d == f64::INFINITY {
            return is_asked;
        }
        let found = self.search(job, Asked { guess: known.guess, nearer_than: d });
        self.distances.note(match found {
            Some(closest) => Known { upper: closest.distance.hi, guess: Some(closest.triangles), ..known },
            None => Known { lower: d, ..known },
        });
        found.is_some()
    }

    fn bodies_of(&self, job: Job) -> [&Body; 2] {
        [job.a, job.b].map(|id| &self.bodies.in_slot(id.slot()).body)
    }

    fn search(&self, job: Job, asked: Asked) -> Option<Closest> {
        let [a, b] = self.bodies_of(job);
        let sides = ((job.a.slot(), a), (job.b.slot(), b));
        self.wide.with_sides(sides.0, sides.1, |side_a, side_b| {
            self.distances.with_memory(|memory| search((side_a, side_b), asked, memory))
        })?
    }
}
