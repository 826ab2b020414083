//! Motions within a plane across an axis, decided in f64: a box that slides on level ground, a drawing that moves.
//!
//! If the four points agree on one axis at the start, and again at the end, they are coplanar at all times, exactly.
//! What `planar` proves then holds in the plane of the other two axes:
//!
//! - Features whose areas μ at the start are surely of one sign meet at the start, which is time 0 exactly. If one is
//!   surely positive and another surely negative they do not.
//! - Otherwise the first impact is the first time at which a vertex is on an edge of the other feature: w₁ × w₂ = 0
//!   along the axis, a quadratic, while w₁ and w₂, from the vertex to the ends of the edge, have opposite signs on the
//!   axis on which the edge is longer. `bisect` finds that time, with the quadratic instead of the cubic and the two
//!   linear functions instead of the areas.
//!
//! *Errors.* The quadratic written as a cubic has the coefficients q₀, (q₀ + 2 q₁) / 3, (2 q₁ + q₂) / 3, q₂; with qᵢ of
//! size 2 Mu Mv and error 10 Mu Mv (in units of ε, see `filter`) these have an error of at most 10 + 6 / 3 + 2·2 = 16
//! Mu Mv. A linear function of size Mu written as a quadratic has the coefficients a, (a + b) / 2, b of error at most 2
//! Mu. Both are within [`AREA`](super::filter::AREA) = 48 times the extents.
//!
//! Cost: 0.1 to 2 µs.

use super::super::Point;
use super::bisect::{Areas, Inside, Piece, Verdict, first_impact, signed_areas};
use super::filter::{EPSILON, Offsets, boxes_stay_apart};
use super::{Features, ImpactTime, planar};

/// Decides for points that agree on an axis; `area_factor` is [`AREA`](super::filter::AREA).
#[inline(never)]
pub(super) fn decide(
    features: Features,
    start: &[Point; 4],
    end: &[Point; 4],
    offsets: &Offsets,
    axis: usize,
    area_factor: f64,
) -> Verdict {
    let error = offsets.area_error(axis, area_factor);
    let areas = Areas { coefficients: signed_areas(features, offsets, axis), error };
    let at_start = Areas { coefficients: areas.coefficients.map(|c| [c[0]; 3]), error };
    match (areas.inside(), at_start.inside()) {
        (Inside::Never, _) => return Verdict::Apart,
        (_, Inside::Always) => return Verdict::Meet(ImpactTime::of_cell(0, false)),
        (_, Inside::Unsure) => return Verdict::Unsure,
        (_, Inside::Never) => {}
    }
    let mut first = None;
    for &[point, one, other] in planar::pairs(features) {
        if boxes_stay_apart(&[point], &[one, other], start, end) {
            continue;
        }
        let [from, to] = [start, end].map(|points| [point, one, other, other].map(|i| points[i]));
        let Some(offsets) = Offsets::new(&from, &to) else { return Verdict::Unsure };
        match point_meets_segment(&offsets, axis, area_factor) {
            Verdict::Apart => {}
            Verdict::Meet(time) => first = planar::earlier(first, Some(time)),
            Verdict::Unsure => return Verdict::Unsure,
        }
    }
    first.map_or(Verdict::Apart, Verdict::Meet)
}

/// When the first of the points is on the segment between the next two.
fn point_meets_segment(offsets: &Offsets, axis: usize, area_factor: f64) -> Verdict {
    const THIRD: f64 = 1.0 / 3.0;
    let [_, _, [q0, q1, q2]] = offsets.areas(axis);
    let cubic = [q0, (q0 + 2.0 * q1) * THIRD, (2.0 * q1 + q2) * THIRD, q2];
    let piece = Piece::new(cubic, offsets.area_error(axis, area_factor));
    // The axis on which the edge is longer half-way; any axis would be right.
    let ([one, other, _], [one_t1, other_t1, _]) = (&offsets.start, &offsets.end);
    let length = |u: usize| ((one[u] + one_t1[u]) - (other[u] + other_t1[u])).abs();
    let along = if length((axis + 1) % 3) > length((axis + 2) % 3) { (axis + 1) % 3 } else { (axis + 2) % 3 };
    let linear = |a: f64, b: f64| [a, 0.5 * (a + b), b];
    let (to_one, from_other) = (linear(one[along], one_t1[along]), linear(-other[along], -other_t1[along]));
    let error = area_factor * EPSILON * offsets.extent[along];
    first_impact(&piece, &Areas { coefficients: [to_one, from_other, to_one, from_other], error })
}
