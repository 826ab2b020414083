//! When, in the step that led to this frame, features of the bodies meet.

use std::ops::Deref;

use super::jobs::{Found, Gathered, Job, JobFinder, Within, Worker};
use super::per_frame::Reusable;
use super::step::Phase;
use super::{BodyId, Frame, Scene, SceneError};
use crate::motion::{self, Asked, Impact, Impacts, Latest, Memory, Wanted};

/// An impact and the bodies it is of; reads like an [`Impact`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct FrameImpact {
    /// The body with the smaller id.
    pub a: BodyId,
    /// The other one; the same one if a body meets itself.
    pub b: BodyId,
    /// When, where and which features.
    pub impact: Impact,
}

impl Deref for FrameImpact {
    type Target = Impact;

    fn deref(&self) -> &Impact {
        &self.impact
    }
}

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
        entry.thickness = thickness;
        self.raise(Phase::Changed);
        Ok(())
    }
}

impl<'a> Frame<'a> {
    /// The first impact of the step from the last frame to this one; `None` if no surfaces meet in it.
    ///
    /// Every vertex moves linearly from its previous position to its current one. The answer is exact: what passes through
    /// between the frames is found, and nothing is reported that does not touch. Bodies that meet at the start of the step
    /// are reported with time 0 and [`ImpactKind::Already`](crate::motion::ImpactKind::Already). Bodies that are asked about
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
    pub fn first_impact(&self) -> Option<&'a FrameImpact> {
        let scene = self.scene;
        scene.answers.first_impact.get((), |_, answer| scene.find_impacts(Wanted::First, answer)).found.list.first()
    }

    /// The first impact of every two features that meet in the step, sorted by time, then by bodies and features.
    pub fn impacts(&self) -> &'a [FrameImpact] {
        let scene = self.scene;
        &scene.answers.impacts.get((), |_, answer| scene.find_impacts(Wanted::All, answer)).found.list
    }

    /// A fraction of the step that can be taken without any contact: a multiple of 2^-32 that is before the first impact,
    /// 1 if there is none, and 0 if surfaces meet at the start.
    ///
    /// It holds for positions on the way as exact numbers; rounded to f32, they may differ by half a unit in the last place.
    pub fn safe_step(&self) -> f64 {
        match self.first_impact() {
            None => 1.0,
            // At `hi` they may touch; before `lo`, or at it if the impact comes after, they do not.
            Some(impact) if impact.time.lo < impact.time.hi => impact.time.lo,
            Some(impact) => (impact.time.lo - 2f64.powi(-32)).max(0.0),
        }
    }
}

/// The impacts of one step, in the end sorted by time.
#[derive(Debug, Default)]
pub(super) struct ImpactAnswer {
    found: Found<FrameImpact>,
    jobs: JobFinder,
    workers: Vec<Worker<(Memory, Impacts), Found<FrameImpact>>>,
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
        let thickness = |id: BodyId| self.bodies.in_slot(id.slot()).thickness;
        self.answer_jobs(jobs, workers, found, |Job { a, b }, bodies, (memory, impacts), found| {
            let asked = Asked { wanted, distance: 0.5 * (thickness(a) + thickness(b)), latest: &latest };
            self.wide.with_sides((a.slot(), bodies[0]), (b.slot(), bodies[1]), |side_a, side_b| {
                if a == b {
                    motion::within(side_a, asked, memory, impacts);
                } else {
                    motion::between(side_a, side_b, asked, memory, impacts);
                }
                found.list.extend(impacts.found.iter().map(|&impact| FrameImpact { a, b, impact }));
            });
            found.end_job(());
        });
        found.list.sort_unstable_by(|one, other| {
            one.impact.in_order(&other.impact).then((one.a, one.b).cmp(&(other.a, other.b)))
        });
        if wanted == Wanted::First {
            found.list.truncate(1);
        }
    }
}
