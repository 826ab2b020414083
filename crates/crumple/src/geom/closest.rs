//! The closest points of a vertex and a face, and of two edges, in f64.
//!
//! One formula each, which everything that measures features uses, so that the same features have the
//! same distance, bit for bit, whoever asks; and one for points that are asked about, [`triangle_to_origin`]. The nearest points are sought where they can lie, in the interior and on
//! the border, and the nearest of these is the answer: there is no case distinction that rounding could get wrong, and
//! whatever the interior comes to for features that are degenerate, the border is always right.
//!
//! ```text
//! vertex, face   the foot on the plane, if it is in the face; the nearest point of each edge
//! edge, edge     the points that the common perpendicular joins, moved into the edges; each end against the other edge
//! ```
//!
//! Error. Weights are computed from differences of corners and are only good to a few units; but the distance is computed
//! from the weights as they are, so it belongs to two points that lie on the features, except for the rounding of the
//! difference of these points. With X the largest extent along an axis of the box of both features and u = 2^-53, a
//! difference is within u X, a weight times a difference within 2u X, the two sums within 2u · 3X of the exact value, per
//! axis; three axes make 21u X. Weights that add up to 1 + 2u at most move a point by at most 7u X. The length of the
//! vector is rounded by 4u of itself. So, with d the distance computed,
//!
//! ```text
//! there are points on the features whose distance is at most   d + 4u d + 28u X.
//! ```
//!
//! `distance::triangles` computes the other bound. The foot on a face that is almost a segment loses half its digits; the second
//! solution, of what is left of the vector along the face, gets them back.
//!
//! Formulas are written over [`Real`]: for one pair of features, or for four side by side; both come to the same bits.
//!
//! Cost: about 20 ns for a pair alone, a third of that in lanes.
//! Held by: `tests/behaviour/distance/formulas.rs`, in exact arithmetic; lanes by the test in `distance/features.rs`.

use super::lanes::{Real, Vec3, Vec3Ops, select};

/// How far apart two features are and where they are nearest, as [`FeatureDistance`](crate::distance::FeatureDistance) has
/// it; or one in each lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Apart<R> {
    pub(crate) squared: R,
    pub(crate) weights: Vec3<R>,
    pub(crate) vector: Vec3<R>,
}

impl<R: Real> Apart<R> {
    #[inline(always)]
    fn new(vector: Vec3<R>, weights: Vec3<R>) -> Self {
        Self { squared: vector.dot(vector), weights, vector }
    }

    /// The nearer of two; the first if they are equally near.
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.unless(other.squared.is_less(self.squared), other)
    }

    /// This one, or the other where the mask is set.
    #[inline(always)]
    fn unless(self, mask: R::Mask, other: Self) -> Self {
        Self {
            squared: R::select(mask, other.squared, self.squared),
            weights: select(mask, other.weights, self.weights),
            vector: select(mask, other.vector, self.vector),
        }
    }
}

/// A number from 0 to 1: the nearest, or 0 for what is no number.
#[inline(always)]
fn clamped<R: Real>(t: R) -> R {
    let (zero, one) = (t.everywhere(0.0), t.everywhere(1.0));
    R::select(zero.is_less(t), R::select(one.is_less(t), one, t), zero)
}

/// How far along `edge` the point nearest to `to` lies, both from the start of the edge.
#[inline(always)]
fn along<R: Real>(to: Vec3<R>, edge: Vec3<R>) -> R {
    // An edge without length makes this no number.
    clamped(to.dot(edge) / edge.dot(edge))
}

#[inline(always)]
pub(crate) fn vertex_face<R: Real>([v, p, q, r]: [Vec3<R>; 4]) -> Apart<R> {
    let (zero, one) = (v[0].everywhere(0.0), v[0].everywhere(1.0));
    let (e, f, g) = (q.minus(p), r.minus(p), v.minus(p));
    let (opposite, from_q) = (r.minus(q), v.minus(q));
    let (t_e, t_f, t_o) = (along(g, e), along(g, f), along(from_q, opposite));
    let border = Apart::new(g.minus(e.times(t_e)), [one - t_e, t_e, zero])
        .or(Apart::new(from_q.minus(opposite.times(t_o)), [zero, one - t_o, t_o]))
        .or(Apart::new(g.minus(f.times(t_f)), [one - t_f, zero, t_f]));
    let (foot, is_inside) = foot(e, f, g);
    border.unless(is_inside & !border.squared.is_less(foot.squared), foot)
}

/// The foot of a point on the plane of a face, and whether it is in the face: not if the face has no area.
#[inline(always)]
fn foot<R: Real>(e: Vec3<R>, f: Vec3<R>, g: Vec3<R>) -> (Apart<R>, R::Mask) {
    let (zero, one) = (e[0].everywhere(0.0), e[0].everywhere(1.0));
    let normal = e.cross(f);
    let by_square = one / normal.dot(normal);
    let (first_e, first_f) = in_plane(e, f, normal, by_square, g);
    let rest = g.minus(e.times(first_e)).minus(f.times(first_f));
    let (more_e, more_f) = in_plane(e, f, normal, by_square, rest);
    let (w_e, w_f) = (first_e + more_e, first_f + more_f);
    let is_inside = zero.is_at_most(w_e) & zero.is_at_most(w_f) & (w_e + w_f).is_at_most(one);
    (Apart::new(g.minus(e.times(w_e)).minus(f.times(w_f)), [one - w_e - w_f, w_e, w_f]), is_inside)
}

/// A vector's part in the plane of e and f, as multiples of these.
#[inline(always)]
fn in_plane<R: Real>(e: Vec3<R>, f: Vec3<R>, normal: Vec3<R>, by_square: R, of: Vec3<R>) -> (R, R) {
    (normal.dot(of.cross(f)) * by_square, normal.dot(e.cross(of)) * by_square)
}

#[inline(always)]
pub(crate) fn edge_edge<R: Real>([p, q, r, s]: [Vec3<R>; 4]) -> Apart<R> {
    let (zero, one) = (p[0].everywhere(0.0), p[0].everywhere(1.0));
    let (d, e) = (q.minus(p), s.minus(r));
    let (p_r, q_r, p_s) = (p.minus(r), q.minus(r), p.minus(s));
    let (t_p, t_q) = (along(p_r, e), along(q_r, e));
    let (s_r, s_s) = (along(p_r.negative(), d), along(p_s.negative(), d));
    perpendicular(d, e, p_r)
        .or(Apart::new(p_r.minus(e.times(t_p)), [zero, t_p, zero]))
        .or(Apart::new(q_r.minus(e.times(t_q)), [one, t_q, zero]))
        .or(Apart::new(p_r.plus(d.times(s_r)), [s_r, zero, zero]))
        .or(Apart::new(p_s.plus(d.times(s_s)), [s_s, one, zero]))
}

/// The points of two edges that their common perpendicular joins, moved into the edges; `offset` is from the start of the
/// second to that of the first.
#[inline(always)]
pub(crate) fn perpendicular<R: Real>(d: Vec3<R>, e: Vec3<R>, offset: Vec3<R>) -> Apart<R> {
    let normal = d.cross(e);
    // Of edges that are almost parallel s is uncertain, but then it matters little, as long as the others fit it.
    let s = clamped(-offset.cross(e).dot(normal) / normal.dot(normal));
    let t = along(offset.plus(d.times(s)), e);
    let s = along(e.times(t).minus(offset), d);
    Apart::new(offset.plus(d.times(s)).minus(e.times(t)), [s, t, s.everywhere(0.0)])
}

/// The point of a triangle that is closest to the origin: the vector to it, and its barycentric coordinates.
///
/// Of the foot of the perpendicular, if it falls into the triangle, and the closest points of the three edges the closest one.
/// Each is a point of the triangle, so that no distance comes out too small, also for triangles without area, and where it is
/// in doubt whether the foot falls inside. Not [`vertex_face`], which always measures the border: most points that are asked
/// about are well above the inside of a triangle, and done with after the foot. Last bits differ.
pub(crate) fn triangle_to_origin(p: &[Vec3<f64>; 3]) -> Apart<f64> {
    let mut best = Apart { squared: f64::INFINITY, weights: [0.0; 3], vector: [0.0; 3] };
    let mut offer = |weights: [f64; 3]| {
        let at = |axis: usize| weights[0] * p[0][axis] + weights[1] * p[1][axis] + weights[2] * p[2][axis];
        let other = Apart::new(std::array::from_fn(at), weights);
        if other.squared < best.squared {
            best = other;
        }
    };
    // Edge k lies opposite corner k.
    let edges = [0, 1, 2].map(|k| p[(k + 2) % 3].minus(p[(k + 1) % 3]));
    let lengths = edges.map(|edge| edge.dot(edge));
    let normal = edges[2].cross(edges[0]);
    // Twice the areas that the foot spans with the edges, times |normal|.
    let areas = [0, 1, 2].map(|k| normal.dot(p[(k + 1) % 3].cross(edges[k])));
    let whole = areas[0] + areas[1] + areas[2];
    let is_inside = areas.iter().all(|&area| area > 0.0) && whole > 0.0;
    if is_inside {
        offer(areas.map(|area| area / whole));
    }
    // Well inside a triangle that is no sliver no edge is closer, whatever was rounded.
    let longest = lengths[0].max(lengths[1]).max(lengths[2]);
    let is_sure = areas.iter().all(|&area| area > 2f64.powi(-20) * whole) && whole > 2f64.powi(-16) * longest * longest;
    if !(is_inside && is_sure) {
        for k in 0..3 {
            let (from, to) = ((k + 1) % 3, (k + 2) % 3);
            let along = -p[from].dot(edges[k]);
            let part = if lengths[k] > 0.0 { (along / lengths[k]).clamp(0.0, 1.0) } else { 0.0 };
            let mut weights = [0.0; 3];
            (weights[from], weights[to]) = (1.0 - part, part);
            offer(weights);
        }
    }
    best
}
