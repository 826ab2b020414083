//! WHEN: at which time between two frames features of two bodies, or of one, first meet: continuous collision detection (CCD).
//!
//! Every vertex moves linearly from its previous position (time 0) to its current one (time 1). Two surfaces that are
//! apart at the start can first touch only where a vertex meets a face or two edges meet. So the walk over the step
//! (`tree`) hands out pairs of triangles, each pair asks about the features its triangles own
//! (`crate::mesh::features`), and `features` decides those exactly ([`crate::exact::vertex_face_impact`],
//! [`crate::exact::edge_edge_impact`]): nothing is missed and nothing invented.
//!
//! Surfaces that already meet at the start are reported as such ([`FeaturePair::Triangles`](crate::FeaturePair::Triangles)): the next feature that crosses
//! would say nothing about when contact began.
//!
//! Bodies with a thickness must keep a distance: when they come closer than that is answered conservatively (`thick`).
//!
//! Compare: Larsson & Akenine-Möller 2001 go back in time by bisection on frames ([`crate::Frame::onset`]), which sees
//! contact only where it is there at the end of the step; ipc-toolkit (Li et al. 2020) has the same features and
//! conservative times.
//!
//! Cost: what the walk reaches, then about 3 features per pair of triangles; most are dropped by comparisons, the rest go
//! through lanes, and what is left then through the exact question. No allocation once the lists have grown.
//! Held by: `tests/behaviour/motion.rs`.

mod features;
mod impact;
mod near;
pub(crate) mod onset;
mod thick;

use std::sync::atomic::{AtomicU64, Ordering};

pub use impact::Impact;
pub use onset::Onset;

use crate::body::Body;
use crate::exact::{Features, corners_meet, triangles_meet_f64};
use crate::exclusions::LeftOut;
use crate::geom::TrianglePair;
use crate::geom::lanes::{Simd, bits, chosen_simd};
use crate::tree::{Answer, StepMemory, StepQuestion, Tree, TreeSide, walk_step};
use crate::work::{STEPS_PER_ANSWER, spend};
use features::{FourPoints, MovingTriangle, Pair, Query, Waiting};
use near::Near;

/// How much of the answer is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// The first impact of every two features.
    All,
    /// The first impact of all.
    First,
    /// The first impact of all after the start: what meets or touches there is left out.
    FirstAfterStart,
}

/// What is asked about a step.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) wanted: Wanted,
    /// The distance that features must keep: 0 asks for touching, exactly; more is answered conservatively.
    pub(crate) distance: f64,
    /// Where one impact of several bodies is wanted, they share this.
    pub(crate) latest: &'a Latest,
    pub(crate) left_out: LeftOut<'a>,
}

/// Where one impact is wanted, the earliest `hi` so far: what begins later need not be looked at. The bits of numbers from 0
/// up are in their order.
#[derive(Debug)]
pub(crate) struct Latest(AtomicU64);

impl Default for Latest {
    fn default() -> Self {
        Self(AtomicU64::new(f64::INFINITY.to_bits()))
    }
}

impl Latest {
    fn get(&self) -> f64 {
        f64::from_bits(self.0.load(Ordering::Relaxed))
    }

    /// Notes the end of an impact; returns the earliest before.
    fn note(&self, hi: f64) -> f64 {
        f64::from_bits(self.0.fetch_min(hi.to_bits(), Ordering::Relaxed))
    }
}

/// The impacts of a step, unsorted, and whether the surfaces met before it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Impacts {
    pub(crate) found: Vec<Impact>,
    /// The first pair of triangles, in their order, that meet at the start.
    pub(crate) already: Option<TrianglePair>,
    /// Features that are still to be decided.
    vertex_face: Waiting,
    edge_edge: Waiting,
}

impl Impacts {
    fn note_already(&mut self, pair: TrianglePair) {
        self.already = Some(self.already.map_or(pair, |first| first.min(pair)));
    }
}

impl Answer for Impacts {
    fn clear(&mut self) {
        self.found.clear();
        self.already = None;
    }

    fn append(&mut self, other: &mut Self) {
        self.found.append(&mut other.found);
        if let Some(pair) = other.already.take() {
            self.note_already(pair);
        }
    }
}

/// Whether and when four points are coplanar within the step.
const STEPS_PER_QUERY: usize = 12;

/// Working memory of one query.
pub(crate) type Memory = StepMemory<Impacts>;

/// Finds the impacts of two bodies whose trees are up to date: appends them, sorted, to `impacts`.
pub(crate) fn between(a: TreeSide<'_>, b: TreeSide<'_>, asked: Asked<'_>, memory: &mut Memory, answer: &mut Impacts) {
    find::<false>((a, b), asked, memory, answer);
}

/// Finds the impacts of a body with itself. Features that share a vertex are left out.
pub(crate) fn within(side: TreeSide<'_>, asked: Asked<'_>, memory: &mut Memory, answer: &mut Impacts) {
    find::<true>((side, side), asked, memory, answer);
}

fn find<const ONE_BODY: bool>(
    sides: (TreeSide<'_>, TreeSide<'_>),
    asked: Asked<'_>,
    memory: &mut Memory,
    answer: &mut Impacts,
) {
    answer.clear();
    let (a, b) = (sides.0.body, sides.1.body);
    let reach = reach(a, b, asked.distance);
    let question = Question::<ONE_BODY> { a, b, asked, reach, is_wide: a.is_wide() || b.is_wide() };
    // Boxes that must only be apart are compared as they are, see `body::wide`.
    let apart = if asked.distance > 0.0 { reach } else { 0.0 };
    walk_step(chosen_simd(), &question, sides, apart, memory, answer);
    if let Some(pair) = answer.already {
        answer.found.push(Impact::already(sides.0.body, pair));
    }
    answer.found.sort_unstable_by(Impact::in_order);
    if asked.wanted != Wanted::All {
        answer.found.truncate(1);
    }
}

/// How far apart the boxes of two bodies' rounded copies must be for what they hold to be farther apart than a distance.
///
/// A coordinate of a copy is off by at most the body's rounding at that end of the step, so the width of a gap along an
/// axis by at most the sum of two; the factor makes up for the rounding of this sum. For f32 bodies it is the distance.
fn reach(a: &Body, b: &Body, distance: f64) -> f64 {
    let most = |body: &Body| f64::from(body.rounding().max(body.previous_rounding()));
    let rounding = most(a) + most(b);
    if rounding == 0.0 { distance } else { (distance + rounding) * (1.0 + 2f64.powi(-50)) }
}

/// When do features of two bodies, or of one, meet?
struct Question<'a, const ONE_BODY: bool> {
    a: &'a Body,
    b: &'a Body,
    asked: Asked<'a>,
    /// What gaps between boxes are compared with, see [`reach`].
    reach: f64,
    /// Whether a body has f64 positions, of which those in triangles are rounded copies.
    is_wide: bool,
}

impl<const ONE_BODY: bool> StepQuestion for Question<'_, ONE_BODY> {
    type Answer = Impacts;

    const ONE_BODY: bool = ONE_BODY;

    fn take<S: Simd>(&self, simd: S, candidates: &[(u32, u32)], answer: &mut Impacts) {
        // Not inlined into the walk, where it stands more than once: that would multiply the code of all below.
        simd.vectorize(
            #[inline(always)]
            || self.ask(simd, candidates, answer),
        );
    }
}

impl<const ONE_BODY: bool> Question<'_, ONE_BODY> {
    /// Turns pairs of triangles into queries and decides those.
    #[inline(always)]
    fn ask<S: Simd>(&self, simd: S, candidates: &[(u32, u32)], answer: &mut Impacts) {
        let (owned_a, owned_b) = (self.a.mesh().owned_features(), self.b.mesh().owned_features());
        let Some(&(first, _)) = candidates.first() else { return };
        let before = answer.found.len();
        let mut a = MovingTriangle::new(self.a, first);
        for &(i, j) in candidates {
            // The walk hands out the candidates of a triangle of a one after another.
            if i != a.number {
                a = MovingTriangle::new(self.a, i);
            }
            let b = MovingTriangle::new(self.b, j);
            let pair = Pair { a: &a, b: &b, one_body: ONE_BODY, distance: self.asked.distance, reach: self.reach };
            let (first, second) = if ONE_BODY { (i.min(j), i.max(j)) } else { (i, j) };
            let triangles = TrianglePair::new(first, second);
            // Only the first pair that meets is reported, so those behind it need not be tested.
            if self.asked.wanted != Wanted::FirstAfterStart
                && answer.already.is_none_or(|already| triangles < already)
                && pair.boxes_meet_at_start()
                && self.meet_at_start(&pair)
            {
                answer.already = Some(triangles);
            }
            if self.asked.wanted == Wanted::First && answer.already.is_some() {
                // Nothing comes before it; only which pair is the first is still to be found.
                self.asked.latest.note(0.0);
                continue;
            }
            let latest = self.asked.latest.get();
            // Features that must keep a distance are compared one by one.
            let near = if self.asked.distance > 0.0 { Near::ALL } else { Near::of(simd, &a, &b) };
            let edges_b = near.edges_b & mask(owned_b.edges(j));
            for corner in bits(near.corners_a & mask(owned_a.corners(i))) {
                pair.vertex_of_a(corner, latest, &mut answer.vertex_face);
            }
            for corner in bits(near.corners_b & mask(owned_b.corners(j))) {
                pair.vertex_of_b(corner, latest, &mut answer.vertex_face);
            }
            if edges_b != 0 {
                for edge_a in bits(near.edges_a & mask(owned_a.edges(i))) {
                    for edge_b in bits(edges_b) {
                        pair.edges(edge_a, edge_b, latest, &mut answer.edge_edge);
                    }
                }
            }
            if answer.vertex_face.are_many() || answer.edge_edge.are_many() {
                self.decide(simd, answer);
            }
        }
        self.decide(simd, answer);
        spend(4 * STEPS_PER_ANSWER * (answer.found.len() - before));
    }

    /// Whether triangles whose boxes overlap at the start share a point there.
    #[inline(always)]
    fn meet_at_start(&self, pair: &Pair<'_>) -> bool {
        if self.is_wide {
            let corners = |body: &Body, of: &MovingTriangle| body.exact_previous_corners(of.vertices);
            return triangles_meet_f64(&corners(self.a, pair.a), &corners(self.b, pair.b));
        }
        corners_meet(&pair.a.start, &pair.b.start)
    }

    /// Decides the queries that wait.
    fn decide<S: Simd>(&self, simd: S, answer: &mut Impacts) {
        let left_out = &self.asked.left_out;
        if !left_out.is_empty() {
            let Impacts { vertex_face, edge_edge, .. } = &mut *answer;
            vertex_face.leave_out(left_out, self.a, self.b);
            edge_edge.leave_out(left_out, self.a, self.b);
        }
        if self.is_wide {
            self.decide_points(simd, answer, |query| query.exact_points(self.a, self.b));
        } else {
            self.decide_points(simd, answer, Query::widened_points);
        }
    }

    /// The same, of queries whose points at both ends of the step are known.
    #[inline(never)]
    fn decide_points<S: Simd>(&self, simd: S, answer: &mut Impacts, points: impl Fn(&Query) -> [FourPoints; 2]) {
        let Impacts { found, vertex_face, edge_edge, .. } = answer;
        spend(STEPS_PER_QUERY * (vertex_face.len() + edge_edge.len()));
        let mut note = |query: &Query| {
            let Some(impact) = query.decide(points(query), self.asked.distance, self.reach) else { return };
            if self.asked.wanted == Wanted::FirstAfterStart && impact.time.hi == 0.0 {
                return;
            }
            // One impact is wanted: those after the earliest so far are not kept.
            if self.asked.wanted == Wanted::All || self.asked.latest.note(impact.time.hi) >= impact.time.lo {
                found.push(impact);
            }
        };
        if self.asked.distance > 0.0 {
            // Features can come close without ever being coplanar.
            vertex_face.drain_all(&mut note);
            edge_edge.drain_all(&mut note);
        } else {
            vertex_face.drain(simd, Features::VertexFace, &points, &mut note);
            edge_edge.drain(simd, Features::EdgeEdge, &points, &mut note);
        }
    }
}

/// Numbers from 0 to 2 as bits.
#[inline(always)]
fn mask(numbers: impl Iterator<Item = usize>) -> u32 {
    numbers.fold(0, |mask, number| mask | 1 << number)
}

/// The first impact of two bodies in the step from their previous positions to their current ones; `None` if their
/// surfaces do not meet.
///
/// Builds a tree for each body. For bodies that are asked about again and again, a [`Scene`](crate::Scene) keeps them.
///
/// ```
/// use crumple::FeaturePair;
/// use crumple::{Body, Mesh, TriangleId, VertexId};
///
/// let sheet = [[-9.0, 0.0, -9.0], [9.0, 0.0, -9.0], [0.0, 0.0, 9.0]];
/// let sheet = Body::new(Mesh::new(3, vec![[0, 1, 2]])?, &sheet)?;
/// let bullet = |y: f32| [[0.0, y, 0.0], [1.0, y + 1.0, 0.0], [0.0, y + 1.0, 1.0]];
/// let mut falling = Body::new(Mesh::new(3, vec![[0, 1, 2]])?, &bullet(1.0))?;
/// falling.set_positions(&bullet(-3.0))?; // through the sheet and out on the other side
///
/// let impact = crumple::first_impact(&falling, &sheet).expect("the tip passes through the sheet");
/// assert_eq!((impact.time.lo, impact.time.hi), (0.25, 0.25));
/// assert_eq!(impact.features, FeaturePair::VertexFace { vertex: VertexId(0), triangle: TriangleId(0), vertex_of_b: false });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "CCD")]
#[doc(alias = "time of impact")]
pub fn first_impact(a: &Body, b: &Body) -> Option<Impact> {
    let (tree_a, tree_b) = (Tree::new(a, chosen_simd()), Tree::new(b, chosen_simd()));
    let sides = (TreeSide { body: a, tree: &tree_a }, TreeSide { body: b, tree: &tree_b });
    let mut answer = Impacts::default();
    let asked =
        Asked { wanted: Wanted::First, distance: 0.0, latest: &Latest::default(), left_out: LeftOut::default() };
    between(sides.0, sides.1, asked, &mut Memory::default(), &mut answer);
    answer.found.pop()
}
