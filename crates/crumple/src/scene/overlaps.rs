//! How much the bodies of a frame overlap, and along which curves their surfaces cross.

use super::jobs::{Gathered, Job, Records, Worker};
use super::per_frame::Reusable;
use super::{Between, BodyId, Frame, Scene, SceneError};
use crate::body::Body;
use crate::contact::{CurveFinder, Curves, Cuts, Overlap, Summation, VertexGradient, WindingMemory, Windings};
use crate::mesh::EdgeFault;

impl<'a> Between<&'a Overlap> {
    /// How the volume changes with the vertices of one of the two bodies; nothing if it takes no part.
    pub fn gradient_of(&self, id: BodyId) -> &'a [VertexGradient] {
        match id {
            _ if id == self.a => self.of.gradient_a(),
            _ if id == self.b => self.of.gradient_b(),
            _ => &[],
        }
    }
}

/// All bodies of a frame that overlap, sorted.
#[derive(Clone, Copy, Debug)]
pub struct Overlaps<'a> {
    answer: &'a OverlapAnswer,
}

impl<'a> Overlaps<'a> {
    /// The overlaps, sorted by bodies.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Between<&'a Overlap>> + use<'a> {
        self.answer.found.used().iter().map(|(job, of)| Between { a: job.a, b: job.b, of })
    }

    /// The overlap of two bodies, in either order; `None` if they do not overlap.
    pub fn get(&self, a: BodyId, b: BodyId) -> Option<Between<&'a Overlap>> {
        let job = Job::of(a, b);
        Some(Between { a: job.a, b: job.b, of: self.answer.found.get(job)? })
    }

    /// How many pairs of bodies overlap.
    pub fn len(&self) -> usize {
        self.answer.found.used().len()
    }

    /// Whether no bodies overlap.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bodies near others that were left out since their surfaces enclose no volume, and the first edge at fault.
    pub fn left_out(&self) -> &'a [(BodyId, EdgeFault)] {
        &self.answer.left_out
    }
}

impl<'a> Frame<'a> {
    /// The overlaps of all bodies, exact up to rounding: volume, area, centroid, and the gradient of the volume for every
    /// vertex. Bodies inside others count, although no triangles meet.
    ///
    /// Bodies whose surfaces enclose no volume are left out, see [`Overlaps::left_out`]; so are pairs of bodies that the
    /// scene ignores. Filters of single pairs of triangles and limits of contacts have no effect. To ask for overlaps, curves
    /// or regions does not count as asking for [`contacts`](Self::contacts): events are those between contacts.
    ///
    /// ```
    /// use crumple::{Body, Mesh, Scene};
    ///
    /// let mut scene = Scene::new();
    /// let faces = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    /// let corner = |x: f32| [[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], [x, 1.0, 0.0], [x, 0.0, 1.0]];
    /// let a = scene.add(Body::new(Mesh::new(4, faces.clone())?, &corner(0.0))?);
    /// let b = scene.add(Body::new(Mesh::new(4, faces)?, &corner(0.5))?);
    /// let frame = scene.update()?;
    /// for overlap in frame.overlaps().iter() {
    ///     assert_eq!((overlap.a, overlap.b), (a, b));
    ///     assert!((overlap.volume() - 1.0 / 48.0).abs() < 1e-15);
    ///     for of_vertex in overlap.gradient_of(b) {
    ///         // Push each vertex of `b` against its gradient.
    ///         let _force = of_vertex.gradient.map(|derivative| -overlap.volume() * derivative);
    ///     }
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlaps(&self) -> Overlaps<'a> {
        let scene = self.scene;
        Overlaps { answer: scene.answers.overlaps.get((), |_, answer| scene.find_overlaps(answer)) }
    }

    /// The overlap of two bodies, in either order: empty if they are apart, or the scene ignores the pair.
    ///
    /// # Errors
    /// If there is no such body, it is the same one twice, or the surface of one encloses no volume.
    pub fn overlap(&self, a: BodyId, b: BodyId) -> Result<Between<&'a Overlap>, SceneError> {
        static NOTHING: Overlap = Overlap::NOTHING;
        if a == b {
            self.body(a)?;
            return Err(SceneError::OverlapWithItself { body: a });
        }
        for id in [a, b] {
            if let Some(fault) = self.body(id)?.mesh().topology().unbalanced {
                return Err(SceneError::NotClosed { body: id, fault });
            }
        }
        let nothing = Between { a: a.min(b), b: a.max(b), of: &NOTHING };
        Ok(self.overlaps().get(a, b).unwrap_or(nothing))
    }

    /// The curves along which the surfaces of bodies cross, sorted by bodies. Bodies need not be closed; pairs of bodies
    /// that the scene ignores are left out, and so is what a body has to do with itself.
    pub fn curves(&self) -> impl ExactSizeIterator<Item = Between<&'a Curves>> + use<'a> {
        let scene = self.scene;
        let answer = scene.answers.curves.get((), |_, answer| scene.find_curves(answer));
        answer.found.used().iter().map(|(job, of)| Between { a: job.a, b: job.b, of })
    }
}

/// Overlaps of one frame.
#[derive(Debug, Default)]
pub(super) struct OverlapAnswer {
    found: Records<Overlap>,
    left_out: Vec<(BodyId, EdgeFault)>,
    workers: Vec<Worker<Summation, Records<Overlap>>>,
}

impl Reusable for OverlapAnswer {
    fn clear(&mut self) {
        self.found.clear();
        self.left_out.clear();
    }
}

/// One value for each of some pairs of bodies of a frame, and working memory.
#[derive(Debug)]
pub(super) struct OfPairs<M, T> {
    found: Records<T>,
    workers: Vec<Worker<M, Records<T>>>,
}

impl<M, T> Default for OfPairs<M, T> {
    fn default() -> Self {
        Self { found: Records::default(), workers: Vec::new() }
    }
}

impl<M, T: Default + Send> Reusable for OfPairs<M, T> {
    fn clear(&mut self) {
        self.found.clear();
    }
}

/// Where surfaces cross in one frame: what overlaps, curves and regions are computed from.
pub(super) type CutAnswer = OfPairs<(), Cuts>;

/// The winding numbers of one frame: what overlaps and regions are computed from.
pub(super) type WindingAnswer = OfPairs<WindingMemory, Windings>;

/// Curves of one frame.
pub(super) type CurveAnswer = OfPairs<CurveFinder, Curves>;

impl Scene {
    /// Calls `fill` with every two bodies whose boxes overlap; it says whether there is something to be kept.
    fn each_two<M: Default + Send, T: Default + Send>(
        &self,
        workers: &mut Vec<Worker<M, Records<T>>>,
        found: &mut Records<T>,
        fill: impl Fn(Job, [&Body; 2], &mut M, &mut T) -> bool + Sync,
    ) {
        self.answer_jobs(&self.jobs, workers, found, |job, bodies, memory, found| {
            if !job.is_self() {
                found.add(job, |value| fill(job, bodies, memory, value));
            }
        });
    }

    /// Calls `fill` with every two closed bodies whose boxes overlap, where their surfaces cross, and their winding numbers.
    pub(super) fn each_two_closed<M: Default + Send, T: Default + Send>(
        &self,
        workers: &mut Vec<Worker<M, Records<T>>>,
        found: &mut Records<T>,
        fill: impl Fn([&Body; 2], &Cuts, &Windings, &mut M, &mut T) -> bool + Sync,
    ) {
        let (cuts, windings) = (self.cuts(), self.windings());
        self.each_two(workers, found, |job, bodies, memory, value| {
            let (cuts, windings) = (cuts.get(job), windings.get(job));
            cuts.zip(windings).is_some_and(|(cuts, windings)| fill(bodies, cuts, windings, memory, value))
        });
    }

    /// Where the surfaces of every two bodies whose boxes overlap cross.
    pub(super) fn cuts(&self) -> &Records<Cuts> {
        let answer = self.answers.cuts.get((), |_, OfPairs { found, workers }| {
            let pairs = self.complete_answer();
            self.each_two(workers, found, |job, bodies, (), cuts| {
                let Some(pairs) = pairs.complete_pairs(job) else { unreachable!("{job:?} has a complete list") };
                cuts.find(bodies, pairs);
                true
            });
        });
        &answer.found
    }

    /// The winding numbers of every two closed bodies whose boxes overlap.
    fn windings(&self) -> &Records<Windings> {
        let answer = self.answers.windings.get((), |_, OfPairs { found, workers }| {
            let cuts = self.cuts();
            self.each_two(workers, found, |job, bodies, memory, windings| {
                let is_closed = bodies.iter().all(|body| body.mesh().topology().unbalanced.is_none());
                cuts.get(job).filter(|_| is_closed).is_some_and(|cuts| {
                    windings.find(bodies, cuts, memory);
                    true
                })
            });
        });
        &answer.found
    }

    fn find_overlaps(&self, answer: &mut OverlapAnswer) {
        let OverlapAnswer { found, left_out, workers } = answer;
        for id in self.jobs.iter().filter(|job| !job.is_self()).flat_map(|job| [job.a, job.b]) {
            let fault = self.bodies.in_slot(id.slot()).body.mesh().topology().unbalanced;
            left_out.extend(fault.map(|fault| (id, fault)));
        }
        left_out.sort_unstable_by_key(|(id, _)| *id);
        left_out.dedup_by_key(|(id, _)| *id);
        self.each_two_closed(workers, found, |bodies, cuts, windings, sums, overlap| {
            sums.sum_up(bodies, cuts, windings, overlap);
            !overlap.is_empty()
        });
    }

    fn find_curves(&self, OfPairs { found, workers }: &mut CurveAnswer) {
        let cuts = self.cuts();
        self.each_two(workers, found, |job, bodies, finder, curves| {
            cuts.get(job).filter(|cuts| !cuts.is_empty()).is_some_and(|cuts| {
                finder.find(bodies, cuts, curves);
                true
            })
        });
    }
}
