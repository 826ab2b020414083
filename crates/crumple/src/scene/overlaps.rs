//! How much the bodies of a frame overlap, and along which curves their surfaces cross.

use std::ops::Deref;

use super::engine::Job;
use super::per_frame::Reusable;
use super::{BodyId, Frame, Scene, SceneError};
use crate::body::Body;
use crate::contact::{CompletePairs, Curve, CurveFinder, Curves, ExactOverlap, OverlapFinder, VertexGradient};
use crate::mesh::EdgeFault;

/// The overlap of two bodies of a frame; reads like an [`ExactOverlap`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameOverlap<'a> {
    /// The body with the smaller id.
    pub a: BodyId,
    /// The other one.
    pub b: BodyId,
    /// What they share.
    pub overlap: &'a ExactOverlap,
}

impl Deref for FrameOverlap<'_> {
    type Target = ExactOverlap;

    fn deref(&self) -> &ExactOverlap {
        self.overlap
    }
}

impl<'a> FrameOverlap<'a> {
    /// How the volume changes with the vertices of one of the two bodies; nothing if it takes no part.
    pub fn gradient_of(&self, id: BodyId) -> &'a [VertexGradient] {
        match id {
            _ if id == self.a => self.overlap.gradient_a(),
            _ if id == self.b => self.overlap.gradient_b(),
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
    pub fn iter(&self) -> impl ExactSizeIterator<Item = FrameOverlap<'a>> + use<'a> {
        self.answer.used().iter().map(|Record { job, overlap }| FrameOverlap { a: job.a, b: job.b, overlap })
    }

    /// The overlap of two bodies, in either order; `None` if they do not overlap.
    pub fn get(&self, a: BodyId, b: BodyId) -> Option<FrameOverlap<'a>> {
        let job = Job { a: a.min(b), b: a.max(b) };
        let records = self.answer.used();
        let index = records.binary_search_by_key(&job, |record| record.job).ok()?;
        Some(FrameOverlap { a: job.a, b: job.b, overlap: &records[index].overlap })
    }

    /// How many pairs of bodies overlap.
    pub fn len(&self) -> usize {
        self.answer.used().len()
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

/// The intersection curves of two bodies of a frame; reads like [`Curves`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameCurves<'a> {
    /// The body with the smaller id.
    pub a: BodyId,
    /// The other one.
    pub b: BodyId,
    /// Where their surfaces cross.
    pub curves: &'a Curves,
}

impl<'a> FrameCurves<'a> {
    /// The curves; see [`Curves::iter`].
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Curve<'a>> + use<'a> {
        self.curves.iter()
    }
}

impl Deref for FrameCurves<'_> {
    type Target = Curves;

    fn deref(&self) -> &Curves {
        self.curves
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
    pub fn overlap(&self, a: BodyId, b: BodyId) -> Result<FrameOverlap<'a>, SceneError> {
        static NOTHING: ExactOverlap = ExactOverlap::NOTHING;
        if a == b {
            self.body(a)?;
            return Err(SceneError::OverlapWithItself { body: a });
        }
        for id in [a, b] {
            if let Some(fault) = self.body(id)?.mesh().topology().unbalanced {
                return Err(SceneError::NotClosed { body: id, fault });
            }
        }
        let nothing = FrameOverlap { a: a.min(b), b: a.max(b), overlap: &NOTHING };
        Ok(self.overlaps().get(a, b).unwrap_or(nothing))
    }

    /// The curves along which the surfaces of bodies cross, sorted by bodies. Bodies need not be closed; pairs of bodies
    /// that the scene ignores are left out, and so is what a body has to do with itself.
    pub fn curves(&self) -> impl ExactSizeIterator<Item = FrameCurves<'a>> + use<'a> {
        let scene = self.scene;
        let answer = scene.answers.curves.get((), |_, answer| scene.find_curves(answer));
        answer.records[..answer.used].iter().map(|(job, curves)| FrameCurves { a: job.a, b: job.b, curves })
    }
}

/// Overlaps of one frame.
#[derive(Debug, Default)]
pub(super) struct OverlapAnswer {
    /// Those in use come first; the others are memory for more.
    records: Vec<Record>,
    used: usize,
    left_out: Vec<(BodyId, EdgeFault)>,
    finder: OverlapFinder,
}

#[derive(Debug)]
struct Record {
    job: Job,
    overlap: ExactOverlap,
}

impl OverlapAnswer {
    fn used(&self) -> &[Record] {
        &self.records[..self.used]
    }
}

/// Curves of one frame.
#[derive(Debug, Default)]
pub(super) struct CurveAnswer {
    records: Vec<(Job, Curves)>,
    used: usize,
    finder: CurveFinder,
}

impl Reusable for OverlapAnswer {
    fn clear(&mut self) {
        self.used = 0;
        self.left_out.clear();
    }
}

impl Reusable for CurveAnswer {
    fn clear(&mut self) {
        self.used = 0;
    }
}

impl Scene {
    /// Calls `each` with every two bodies whose boxes overlap and all pairs of triangles at which they meet, in order.
    pub(super) fn each_two(&self, mut each: impl FnMut(Job, [&Body; 2], CompletePairs<'_>)) {
        let answer = self.complete_answer();
        for &job in self.jobs.iter().filter(|job| job.a != job.b) {
            let Some(pairs) = answer.complete_pairs(job) else { unreachable!("{job:?} has a complete list") };
            each(job, [job.a, job.b].map(|id| &self.bodies.in_slot(id.slot()).body), pairs);
        }
    }

    fn find_overlaps(&self, answer: &mut OverlapAnswer) {
        let OverlapAnswer { records, used, left_out, finder } = answer;
        self.each_two(|job, bodies, pairs| {
            let mut is_closed = true;
            for (id, body) in [job.a, job.b].into_iter().zip(bodies) {
                if let Some(fault) = body.mesh().topology().unbalanced {
                    is_closed = false;
                    left_out.push((id, fault));
                }
            }
            if !is_closed {
                return;
            }
            if *used == records.len() {
                records.push(Record { job, overlap: ExactOverlap::default() });
            }
            let record = &mut records[*used];
            record.job = job;
            finder.compute(bodies, pairs, &mut record.overlap);
            *used += usize::from(!record.overlap.is_empty());
        });
        left_out.sort_unstable_by_key(|(id, _)| *id);
        left_out.dedup_by_key(|(id, _)| *id);
    }

    fn find_curves(&self, answer: &mut CurveAnswer) {
        let CurveAnswer { records, used, finder } = answer;
        self.each_two(|job, bodies, pairs| {
            if pairs.as_slice().is_empty() {
                return;
            }
            if *used == records.len() {
                records.push((job, Curves::default()));
            }
            let record = &mut records[*used];
            record.0 = job;
            finder.find(bodies, pairs, &mut record.1);
            *used += usize::from(!record.1.is_empty());
        });
    }
}
