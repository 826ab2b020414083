//! When two features meet that move: a vertex and a face, or two edges, each point linearly from start to end.
//!
//! The answer is exact: whether they share a point at any time of the step, touching included, is decided without
//! tolerance, and the first time at which they do is known to 2^-32 of the step. Layers, each asked only what the one
//! before it could not decide:
//!
//! ```text
//! filter   boxes of both ends, sign of the coplanarity cubic    f64, proven bounds
//! crossing the root of a cubic that has one, areas at it        f64, proven bounds
//! bisect   halving of the time where it may have several        f64, proven bounds
//! in_plane the same within a plane across an axis               f64, proven bounds
//! whole    roots of the cubic, signs of areas at them           whole numbers, exact
//! planar   the same where the cubic vanishes identically        whole numbers, exact
//! ```
//!
//! `forms` and `roots` know polynomials, `integers` the numbers.
//!
//! Since every layer gives the right answer and times are rounded outwards to multiples of 2^-32, the result does not
//! depend on the order of a face's corners or an edge's ends, on which edge comes first, nor on the unit of length (by
//! powers of two, as long as scaling rounds nothing).
//!
//! Compare: Brochu et al. 2012 (parity of roots, which misses features that enter and leave), Tang et al. 2014 (signs
//! of Bernstein coefficients, in general position), Wang et al. 2021 (inclusion boxes in time and space, conservative).
//! Cost: 16 to 64 ns on average over candidates of meshes, where f64 decides nearly all; 1 to 30 µs on the
//! exact stage, which is reached by contact in exactly special position: at a vertex or an edge, at the start or the
//! end, within a plane.
//! Held by: `tests/exactness/impacts`, the unit tests here, `cargo xtask verify` (3,324 published queries).

mod bisect;
mod crossing;
mod filter;
mod forms;
mod in_plane;
mod integers;
pub(crate) mod lanes;
mod planar;
mod roots;
#[cfg(test)]
mod tests;
mod whole;

pub(in crate::exact) use integers::Short;
pub(in crate::exact) use whole::Binary;

use bisect::Verdict;
use filter::Offsets;
pub(super) use integers::Int;

use super::Point;

/// The first time at which two features meet, between two multiples of 2^-32 of the step.
///
/// The exact time t lies between `lo` and `hi`: `lo` is t rounded down and `hi` is t rounded up to a multiple of 2^-32,
/// so they are equal if t is one.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ImpactTime {
    /// The largest multiple of 2^-32 that is not after the impact.
    pub lo: f64,
    /// The smallest multiple of 2^-32 that is not before the impact.
    pub hi: f64,
}

impl ImpactTime {
    /// The time of the grid's line `part`, or strictly between it and the next line.
    fn of_cell(part: u64, between: bool) -> Self {
        const UNIT: f64 = filter::pow2(-(roots::GRID_LEVEL as i64));
        Self { lo: part as f64 * UNIT, hi: (part + u64::from(between)) as f64 * UNIT }
    }
}

/// When a moving vertex first meets a moving face, exactly.
///
/// The points are the vertex, then the three corners of the face. Each moves linearly from `start` (time 0) to `end`
/// (time 1). The face is closed: its edges and corners belong to it, and touching counts. A face without area is the
/// segment or point it is. Returns `None` if they share no point at any time of the step; if they touch at the start,
/// `lo = hi = 0`.
///
/// A coordinate that is not finite describes no motion, and nothing can be excluded: the answer is then `lo = 0`, `hi =
/// 1`, the only one with more than 2^-32 between the two.
///
/// # Examples
///
/// A vertex falls from height 1 to −2, through a face that rests at height 0; it meets the face at a third of the step:
///
/// ```
/// use crumple::exact::vertex_face_impact;
///
/// let face = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let with_vertex = |vertex: [f64; 3]| [vertex, face[0], face[1], face[2]];
///
/// let start = with_vertex([0.25, 0.25, 1.0]);
/// let impact = vertex_face_impact(&start, &with_vertex([0.25, 0.25, -2.0])).expect("it passes through the face");
/// assert!(impact.lo <= 1.0 / 3.0 && 1.0 / 3.0 <= impact.hi);
/// assert!(impact.hi - impact.lo <= 2f64.powi(-32));
///
/// // Beside the face.
/// assert_eq!(vertex_face_impact(&with_vertex([0.75, 0.75, 1.0]), &with_vertex([0.75, 0.75, -2.0])), None);
/// ```
pub fn vertex_face_impact(start: &[[f64; 3]; 4], end: &[[f64; 3]; 4]) -> Option<ImpactTime> {
    impact_or_unknown(Features::VertexFace, start, end)
}

/// When two moving edges first meet, exactly.
///
/// The points are the two ends of the first edge, then those of the second. Each moves linearly from `start` (time 0)
/// to `end` (time 1). Edges are closed: their ends belong to them, and touching counts. An edge without length is a point.
/// Returns `None` if they share no point at any time of the step; if they touch at the start, `lo = hi = 0`.
///
/// A coordinate that is not finite describes no motion, and nothing can be excluded: the answer is then `lo = 0`, `hi =
/// 1`, the only one with more than 2^-32 between the two.
///
/// # Examples
///
/// An edge along x falls onto an edge along y, which rests, and touches it at the end of the step:
///
/// ```
/// use crumple::exact::edge_edge_impact;
///
/// let along_y = [[0.0, -1.0, 0.0], [0.0, 1.0, 0.0]];
/// let at_height = |z: f64| [[-1.0, 0.0, z], [1.0, 0.0, z], along_y[0], along_y[1]];
///
/// let impact = edge_edge_impact(&at_height(1.0), &at_height(0.0)).expect("touching counts");
/// assert_eq!((impact.lo, impact.hi), (1.0, 1.0));
///
/// assert_eq!(edge_edge_impact(&at_height(1.0), &at_height(f64::MIN_POSITIVE)), None);
/// ```
pub fn edge_edge_impact(start: &[[f64; 3]; 4], end: &[[f64; 3]; 4]) -> Option<ImpactTime> {
    impact_or_unknown(Features::EdgeEdge, start, end)
}

/// Which of four points form the one feature and which the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Features {
    VertexFace,
    EdgeEdge,
}

impl Features {
    #[inline]
    fn groups(self) -> [&'static [usize]; 2] {
        match self {
            Self::VertexFace => [&[0], &[1, 2, 3]],
            Self::EdgeEdge => [&[0, 1], &[2, 3]],
        }
    }
}

#[inline]
fn impact_or_unknown(features: Features, start: &[Point; 4], end: &[Point; 4]) -> Option<ImpactTime> {
    if are_finite(start, end) { impact(features, start, end) } else { Some(ImpactTime { lo: 0.0, hi: 1.0 }) }
}

#[inline]
fn are_finite(start: &[Point; 4], end: &[Point; 4]) -> bool {
    // 0 times a number that is not finite is NaN, and a sum with NaN is NaN. Four sums, which lanes can form.
    let mut sums = [0.0; 4];
    for (four, others) in start.as_flattened().chunks_exact(4).zip(end.as_flattened().chunks_exact(4)) {
        for lane in 0..4 {
            sums[lane] += four[lane] * 0.0 + others[lane] * 0.0;
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) == 0.0
}

/// The first impact of features whose points are finite.
#[inline]
fn impact(features: Features, start: &[Point; 4], end: &[Point; 4]) -> Option<ImpactTime> {
    if filter::features_stay_apart(features, start, end) { None } else { candidate_impact(features, start, end) }
}

/// The first impact of features whose points are finite and whose boxes have been compared.
#[inline]
pub(crate) fn candidate_impact(features: Features, start: &[Point; 4], end: &[Point; 4]) -> Option<ImpactTime> {
    match by_signs(features, start, end, filter::CUBIC, filter::AREA) {
        Verdict::Apart => None,
        Verdict::Meet(time) => Some(time),
        Verdict::Unsure => whole::impact(features, start, end),
    }
}

/// What f64 can tell, by error bounds with the given factors.
#[cfg(test)]
fn by_filters(
    features: Features,
    start: &[Point; 4],
    end: &[Point; 4],
    cubic_factor: f64,
    area_factor: f64,
) -> Verdict {
    if filter::features_stay_apart(features, start, end) {
        return Verdict::Apart;
    }
    by_signs(features, start, end, cubic_factor, area_factor)
}

/// The same without a comparison of boxes.
#[inline]
fn by_signs(features: Features, start: &[Point; 4], end: &[Point; 4], cubic_factor: f64, area_factor: f64) -> Verdict {
    let Some(offsets) = Offsets::new(start, end) else { return Verdict::Unsure };
    if let Some(axis) = offsets.extent.iter().position(|&extent| extent == 0.0) {
        return in_plane::decide(features, start, end, &offsets, axis, area_factor);
    }
    let (cubic, error) = (offsets.cubic(), offsets.cubic_error(cubic_factor));
    if filter::have_one_sign(&cubic, error) {
        return Verdict::Apart;
    }
    bisect::decide(features, &offsets, cubic, error, area_factor)
}
