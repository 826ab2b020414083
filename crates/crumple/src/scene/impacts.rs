//! When, in the step that led to this frame, features of the bodies meet, and when their contact began.

use super::engine::Engine;
use super::jobs::{Found, Gathered, Job, JobFinder, Within, Worker};
use super::per_frame::Reusable;
use super::step::Phase;
use super::{Between, BodyId, Frame, Scene, SceneError};
use crate::motion::{self, Asked, Impact, Impacts, Latest, Memory, Onset, Wanted};

impl Scene {
    /// Gives a body a thickness: surfaces then count as meeting when they come closer than half the sum of the two bodies'
    /// thicknesses, or than the thickness of the one body for self-collision. 0 at first.
    ///
    /// With a thickness the answer is conservative, see [`Impact::slack`](crate::motion::Impact::slack); features that keep
    /// less distance from the start have their impact at time 0. It affects impacts only, not contacts.
    ///
    /// # Errors
    /// If there is no such body, or the thickness is negative, not finite, or more than the longest side of the body's box.
    pub fn set_thickness(&mut self, id: BodyId, thickness: f64) -> Result<(), SceneError> {
        let entry = self.bodies.get_mut(id)?;
        let most = entry.body.bounds().extent().into_iter().fold(0.0, f32::max).into();
        if !(0.0..=most).contains(&thickness) {
            return Err(SceneError::BadThickness { body: id, thickness, most });
        }
        entry.settings.thickness = thickness;
        self.raise(Phase::Changed);
        Ok(())
    }
}

impl<'a> Frame<'a> {
    /// The first impact of the step from the last frame to this one; `None` if no surfaces meet in it.
    ///
    /// Every vertex moves linearly from its previous position to its current one. The answer is exact: what passes through
    /// between the frames is found, and nothing is reported that does not touch. Bodies that meet at the start of the step
    /// are reported with time 0 and [`FeaturePair::Triangles`](crate::FeaturePair::Triangles). Bodies that are asked about
    /// themselves ([`Scene::set_self_collision`]) are asked here, too; features that share a vertex are left out. A body known
    /// only by a loose box takes no part.
    ///
    /// ```
    /// use crumple::{Body, Mesh, Scene};
    ///
    /// let mut scene = Scene::new();
    /// let sheet = [[-9.0, 0.0, -9.0], [9.0, 0.0, -9.0], [0.0, 0.0, 9.0]];
    /// scene.add(Body::new(Mesh::new(3, vec![[0, 1, 2]])?, &sheet)?);
    /// let bullet = |y: f32| [[0.0, y, 0.0], [1.0, y + 1.0, 0.0], [0.0, y + 1.0, 1.0]];
    /// let falling = scene.add(Body::new(Mesh::new(3, vec![[0, 1, 2]])?, &bullet(1.0))?);
    /// scene.update()?;
    /// scene.set_positions(falling, &bullet(-3.0))?;
    /// let frame = scene.update()?;
    /// assert!(frame.contacts().is_empty()); // it is through already
    /// let impact = frame.first_impact().expect("it passed through the sheet");
    /// assert_eq!((impact.time.lo, impact.time.hi), (0.25, 0.25));
    /// assert!(frame.safe_step() < 0.25);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "CCD")]
    #[doc(alias = "time of impact")]
    pub fn first_impact(&self) -> Option<&'a Between<Impact>> {
        let scene = self.scene;
        scene.answers.first_impact.get((), |_, answer| scene.find_impacts(Wanted::First, answer)).found.list.first()
    }

    /// The first impact of every two features that meet in the step, sorted by time, then by bodies and features.
    pub fn impacts(&self) -> &'a [Between<Impact>] {
        let scene = self.scene;
        &scene.answers.impacts.get((), |_, answer| scene.find_impacts(Wanted::All, answer)).found.list
    }

    /// A fraction of the step that can be taken without any contact: a multiple of 2^-32 that is before the first impact,
    /// 1 if there is none, and 0 if surfaces meet at the start.
    ///
    /// It holds for positions on the way as exact numbers; rounded to f32, they may differ by half a unit in the last place.
    #[doc(alias = "CCD")]
    pub fn safe_step(&self) -> f64 {
        safe_step(self.first_impact())
    }

    /// A fraction of the step that can be taken without any *new* contact: what meets at the start is left out, both triangles
    /// that intersect there and features that touch there.
    ///
    /// For solvers that start with bodies in each other: [`safe_step`](Self::safe_step) is 0 there. Features that meet again
    /// in the same step after they touched at the start are not seen.
    #[doc(alias = "CCD")]
    pub fn safe_step_ignoring_initial(&self) -> f64 {
        let scene = self.scene;
        let find =
            |_: Option<&ImpactAnswer>, answer: &mut ImpactAnswer| scene.find_impacts(Wanted::FirstAfterStart, answer);
        safe_step(scene.answers.first_new_impact.get((), find).found.list.first())
    }
}

/// A time before an impact, or the whole step.
fn safe_step(first: Option<&Between<Impact>>) -> f64 {
    match first {
        None => 1.0,
        // At `hi` they may touch; before `lo`, or at it if the impact comes after, they do not.
        Some(impact) if impact.time.lo < impact.time.hi => impact.time.lo,
        Some(impact) => (impact.time.lo - 2f64.powi(-32)).max(0.0),
    }
}

type ImpactWorker = Worker<(Memory, Impacts), Found<Between<Impact>>>;

/// The impacts of one step, in the end sorted by time.
#[derive(Debug, Default)]
pub(super) struct ImpactAnswer {
    found: Found<Between<Impact>>,
    jobs: JobFinder,
    workers: Vec<ImpactWorker>,
}

impl Reusable for ImpactAnswer {
    fn clear(&mut self) {
        self.found.clear();
    }
}

impl Scene {
    fn find_impacts(&self, wanted: Wanted, answer: &mut ImpactAnswer) {
        let ImpactAnswer { found, jobs, workers } = answer;
        let (jobs, latest) = (jobs.find(self, Within::Step), Latest::default());
        let thickness = |id: BodyId| self.bodies.in_slot(id.slot()).settings.thickness;
        self.answer_jobs(jobs, workers, found, |Job { a, b }, bodies, (memory, impacts), found| {
            let distance = 0.5 * (thickness(a) + thickness(b));
            self.wide.with_sides((a.slot(), bodies[0]), (b.slot(), bodies[1]), |side_a, side_b| {
                self.with_left_out(Job { a, b }, |left_out| {
                    let asked = Asked { wanted, distance, latest: &latest, left_out };
                    if a == b {
                        motion::within(side_a, asked, memory, impacts);
                    } else {
                        motion::between(side_a, side_b, asked, memory, impacts);
                    }
                });
                found.list.extend(impacts.found.iter().map(|&of| Between { a, b, of }));
            });
            found.end_job(());
        });
        found
            .list
            .sort_unstable_by(|one, other| one.of.in_order(&other.of).then((one.a, one.b).cmp(&(other.a, other.b))));
        if wanted != Wanted::All {
            found.list.truncate(1);
        }
    }
}

impl Frame<'_> {
    /// When, between the last frame and this one, two bodies came into contact.
    ///
    /// Vertices move in straight lines from their previous positions, computed in f64 and, of an f32 body, rounded to
    /// f32: such a body may be seen in contact by that rounding earlier than [`first_impact`](Self::first_impact) says.
    /// `None` if the bodies are apart in this frame. The bracket is narrowed to `tolerance`, as a fraction of the step; 0 narrows it as
    /// far as f64 goes. Asked about a body and itself, it is about self-collision.
    ///
    /// A body that has not moved in this step stands still; one that was known only by its loose box in the last frame
    /// comes from where its vertices were last read.
    ///
    /// It finds an onset and cannot see what passes through between samples.
    ///
    /// # Errors
    /// If there is no such body, one is known only by its loose box, or the tolerance is negative or NaN.
    pub fn onset(&self, a: BodyId, b: BodyId, tolerance: f64) -> Result<Option<Onset>, SceneError> {
        let (entry_a, entry_b) = (self.scene.bodies.get(a)?, self.scene.bodies.get(b)?);
        if tolerance.is_nan() || tolerance < 0.0 {
            return Err(SceneError::BadTolerance { tolerance });
        }
        for (id, near, entry) in [(a, b, entry_a), (b, a, entry_b)] {
            if entry.loose.is_some() {
                return Err(SceneError::VerticesNeeded { body: id, near });
            }
        }
        let (in_a, in_b) = ((a, &entry_a.body), (a != b).then_some((b, &entry_b.body)));
        let found = match &self.scene.other {
            None => self.scene.wide.onset(in_a, in_b, tolerance),
            Some(other) => other.onset(in_a, in_b, tolerance),
        };
        found.map_err(|(id, source)| self.scene.refused(id, source))
    }
}
