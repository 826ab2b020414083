//! How far apart two bodies are in this frame.
//!
//! What is known about two bodies is kept as long as neither moves, over frames; and once they have moved, the triangles
//! that were nearest are where the next search starts. Nobody waits for a search: two threads that ask at once both
//! search, and find the same.

use super::jobs::Job;
use super::{BodyId, Entry, Frame, Scene, SceneError};
use crate::body::Body;
use crate::distance::{Asked, Closest, search};
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
    /// The answer is no if `d` is 0, negative or NaN, and yes if it is infinite.
    ///
    /// # Errors
    /// As [`distance`](Self::distance).
    pub fn is_closer_than(&self, a: BodyId, b: BodyId, d: f64) -> Result<bool, SceneError> {
        let job = self.scene.distance_job(a, b)?;
        Ok(self.scene.is_closer_than(job, d))
    }
}

/// What is known about two bodies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    versions: [u64; 2],
    topologies: [u64; 2],
    closest: Option<Closest>,
    /// The surfaces are certainly closer than anything above the first; they are not closer than the second.
    upper: f64,
    lower: f64,
    /// Triangles that were near each other when the bodies were last asked about.
    guess: Option<TrianglePair>,
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
        Ok(Job::of(a, b))
    }

    /// What is known about two bodies as they are now.
    fn known_distance(&self, job: Job) -> Known {
        let bodies = self.bodies_of(job);
        let (versions, topologies) = (bodies.map(Body::version), bodies.map(Body::topology_version));
        let nothing = Known { versions, topologies, closest: None, upper: f64::INFINITY, lower: 0.0, guess: None };
        match self.answers.distances.get(job) {
            Some(known) if known.topologies != topologies => nothing,
            Some(known) if known.versions == versions => known,
            Some(known) => Known { guess: known.guess, ..nothing },
            None => nothing,
        }
    }

    fn closest(&self, job: Job) -> Result<Closest, SceneError> {
        let known = self.known_distance(job);
        if let Some(closest) = known.closest {
            return Ok(closest);
        }
        let asked = Asked { guess: known.guess, nearer_than: f64::INFINITY };
        let closest = self.search(job, asked).ok_or(SceneError::NoTriangles { body: job.a })?;
        let (upper, guess) = (closest.distance.hi, Some(closest.triangles));
        self.answers.distances.put(job, Known { closest: Some(closest), upper, lower: upper, guess, ..known });
        Ok(closest)
    }

    fn is_closer_than(&self, job: Job, d: f64) -> bool {
        let known = self.known_distance(job);
        // NaN is not greater than anything.
        let is_asked = d > known.lower;
        if known.upper < d || !is_asked || d == f64::INFINITY {
            return is_asked;
        }
        let found = self.search(job, Asked { guess: known.guess, nearer_than: d });
        let known = match found {
            Some(closest) => Known { upper: closest.distance.hi, guess: Some(closest.triangles), ..known },
            None => Known { lower: d, ..known },
        };
        self.answers.distances.put(job, known);
        found.is_some()
    }

    fn bodies_of(&self, job: Job) -> [&Body; 2] {
        [job.a, job.b].map(|id| &self.bodies.in_slot(id.slot()).body)
    }

    fn search(&self, job: Job, asked: Asked) -> Option<Closest> {
        let [a, b] = self.bodies_of(job);
        let sides = ((job.a.slot(), a), (job.b.slot(), b));
        self.wide.with_sides(sides.0, sides.1, |side_a, side_b| {
            self.answers.distance_memories.lend(|memory| search((side_a, side_b), asked, memory))
        })?
    }
}
