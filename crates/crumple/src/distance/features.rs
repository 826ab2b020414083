//! The distance of a vertex and a face, and of two edges, in f64.
//!
//! One formula each, which everything that reports the distance of two features uses, so that the same features have the
//! same distance, bit for bit, whoever asks. The nearest points are sought where they can lie, in the interior and on
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
//! `triangles` computes the other bound. The foot on a face that is almost a segment loses half its digits; the second
//! solution, of what is left of the vector along the face, gets them back.
//!
//! Formulas are written over [`Real`]: for one pair of features, or for four side by side; both come to the same bits.
//!
//! Cost: about 20 ns for a pair alone, a third of that in lanes.
//! Held by: `tests/behaviour/distance/formulas.rs`, in exact arithmetic; lanes by the test below.

use fearless_simd::f64x4;
use fearless_simd::prelude::*;

use super::real::{LANES, LanePoints, Real, Vector, cross, dot, loaded, minus, negative, plus, select, times};

/// How far apart two features are, and where they are nearest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FeatureDistance {
    /// The square of the distance.
    pub squared: f64,
    /// Where the nearest points are. Of a vertex and a face: the weights of the corners of the face. Of two edges: how far
    /// along the first and along the second, from 0 to 1, and 0.
    pub barycentric: [f64; 3],
    /// From the nearest point of the second feature to that of the first; the second is the face, or the second edge.
    pub vector: [f64; 3],
}

impl FeatureDistance {
    /// The distance.
    pub fn distance(&self) -> f64 {
        self.squared.sqrt()
    }
}

/// The distance of a vertex and a face, given as the vertex and the corners of the face. It is that of the point and the
/// closed triangle: the nearest point may lie on an edge or be a corner.
pub fn vertex_face_distance(points: &[[f64; 3]; 4]) -> FeatureDistance {
    vertex_face(*points).into()
}

/// The distance of two edges, given as the ends of the first and of the second. It is that of the closed segments.
pub fn edge_edge_distance(points: &[[f64; 3]; 4]) -> FeatureDistance {
    edge_edge(*points).into()
}

/// A [`FeatureDistance`], or one in each lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Apart<R> {
    pub(super) squared: R,
    pub(super) weights: Vector<R>,
    pub(super) vector: Vector<R>,
}

impl<R: Real> Apart<R> {
    #[inline(always)]
    fn new(vector: Vector<R>, weights: Vector<R>) -> Self {
        Self { squared: dot(vector, vector), weights, vector }
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

impl From<Apart<f64>> for FeatureDistance {
    fn from(Apart { squared, weights, vector }: Apart<f64>) -> Self {
        Self { squared, barycentric: weights, vector }
    }
}

impl<S: Simd> Apart<f64x4<S>> {
    /// The lanes one by one.
    #[inline(always)]
    pub(super) fn split(self) -> [FeatureDistance; LANES] {
        let (squared, weights, vector): ([f64; LANES], [[f64; LANES]; 3], [[f64; LANES]; 3]) = (
            self.squared.into(),
            [self.weights[0].into(), self.weights[1].into(), self.weights[2].into()],
            [self.vector[0].into(), self.vector[1].into(), self.vector[2].into()],
        );
        let mut split = [FeatureDistance { squared: 0.0, barycentric: [0.0; 3], vector: [0.0; 3] }; LANES];
        for lane in 0..LANES {
            split[lane] = FeatureDistance {
                squared: squared[lane],
                barycentric: [weights[0][lane], weights[1][lane], weights[2][lane]],
                vector: [vector[0][lane], vector[1][lane], vector[2][lane]],
            };
        }
        split
    }
}

/// [`vertex_face_distance`] in lanes.
#[inline(always)]
pub(super) fn vertex_face_lanes<S: Simd>(simd: S, points: &LanePoints) -> Apart<f64x4<S>> {
    vertex_face(loaded(simd, points))
}

/// [`edge_edge_distance`] in lanes.
#[inline(always)]
pub(super) fn edge_edge_lanes<S: Simd>(simd: S, points: &LanePoints) -> Apart<f64x4<S>> {
    edge_edge(loaded(simd, points))
}

/// A number from 0 to 1: the nearest, or 0 for what is no number.
#[inline(always)]
fn clamped<R: Real>(t: R) -> R {
    let (zero, one) = (t.everywhere(0.0), t.everywhere(1.0));
    R::select(zero.is_less(t), R::select(one.is_less(t), one, t), zero)
}

/// How far along `edge` the point nearest to `to` lies, both from the start of the edge.
#[inline(always)]
fn along<R: Real>(to: Vector<R>, edge: Vector<R>) -> R {
    // An edge without length makes this no number.
    clamped(dot(to, edge) / dot(edge, edge))
}

#[inline(always)]
pub(super) fn vertex_face<R: Real>([v, p, q, r]: [Vector<R>; 4]) -> Apart<R> {
    let (zero, one) = (v[0].everywhere(0.0), v[0].everywhere(1.0));
    let (e, f, g) = (minus(q, p), minus(r, p), minus(v, p));
    let (opposite, from_q) = (minus(r, q), minus(v, q));
    let (t_e, t_f, t_o) = (along(g, e), along(g, f), along(from_q, opposite));
    let border = Apart::new(minus(g, times(e, t_e)), [one - t_e, t_e, zero])
        .or(Apart::new(minus(from_q, times(opposite, t_o)), [zero, one - t_o, t_o]))
        .or(Apart::new(minus(g, times(f, t_f)), [one - t_f, zero, t_f]));
    let (foot, is_inside) = foot(e, f, g);
    border.unless(is_inside & !border.squared.is_less(foot.squared), foot)
}

/// The foot of a point on the plane of a face, and whether it is in the face: not if the face has no area.
#[inline(always)]
fn foot<R: Real>(e: Vector<R>, f: Vector<R>, g: Vector<R>) -> (Apart<R>, R::Mask) {
    let (zero, one) = (e[0].everywhere(0.0), e[0].everywhere(1.0));
    let normal = cross(e, f);
    let by_square = one / dot(normal, normal);
    let (first_e, first_f) = in_plane(e, f, normal, by_square, g);
    let rest = minus(minus(g, times(e, first_e)), times(f, first_f));
    let (more_e, more_f) = in_plane(e, f, normal, by_square, rest);
    let (w_e, w_f) = (first_e + more_e, first_f + more_f);
    let is_inside = zero.is_at_most(w_e) & zero.is_at_most(w_f) & (w_e + w_f).is_at_most(one);
    (Apart::new(minus(minus(g, times(e, w_e)), times(f, w_f)), [one - w_e - w_f, w_e, w_f]), is_inside)
}

/// A vector's part in the plane of e and f, as multiples of these.
#[inline(always)]
fn in_plane<R: Real>(e: Vector<R>, f: Vector<R>, normal: Vector<R>, by_square: R, of: Vector<R>) -> (R, R) {
    (dot(normal, cross(of, f)) * by_square, dot(normal, cross(e, of)) * by_square)
}

#[inline(always)]
pub(super) fn edge_edge<R: Real>([p, q, r, s]: [Vector<R>; 4]) -> Apart<R> {
    let (zero, one) = (p[0].everywhere(0.0), p[0].everywhere(1.0));
    let (d, e) = (minus(q, p), minus(s, r));
    let (p_r, q_r, p_s) = (minus(p, r), minus(q, r), minus(p, s));
    let (t_p, t_q) = (along(p_r, e), along(q_r, e));
    let (s_r, s_s) = (along(negative(p_r), d), along(negative(p_s), d));
    perpendicular(d, e, p_r)
        .or(Apart::new(minus(p_r, times(e, t_p)), [zero, t_p, zero]))
        .or(Apart::new(minus(q_r, times(e, t_q)), [one, t_q, zero]))
        .or(Apart::new(plus(p_r, times(d, s_r)), [s_r, zero, zero]))
        .or(Apart::new(plus(p_s, times(d, s_s)), [s_s, one, zero]))
}

/// The points of two edges that their common perpendicular joins, moved into the edges; `offset` is from the start of the
/// second to that of the first.
#[inline(always)]
pub(super) fn perpendicular<R: Real>(d: Vector<R>, e: Vector<R>, offset: Vector<R>) -> Apart<R> {
    let normal = cross(d, e);
    // Of edges that are almost parallel s is uncertain, but then it matters little, as long as the others fit it.
    let s = clamped(-dot(cross(offset, e), normal) / dot(normal, normal));
    let t = along(plus(offset, times(d, s)), e);
    let s = along(minus(times(e, t), offset), d);
    Apart::new(minus(plus(offset, times(d, s)), times(e, t)), [s, t, s.everywhere(0.0)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::lanes::{all_levels, dispatch};

    #[test]
    fn lanes_come_to_the_same_bits_as_single_numbers() {
        let mut random = crumple_scenes::Random::new(3);
        for round in 0..20_000 {
            let mut points: LanePoints = Default::default();
            let scale = [1.0, 1e-30, 1e30, 1.0][round % 4];
            for number in points.as_flattened_mut().as_flattened_mut() {
                // Half on a grid, where features are degenerate and parallel.
                *number = scale * if round % 2 == 0 { random.between(-1.0, 1.0) } else { random.integer(-2, 2) as f64 };
            }
            for level in all_levels() {
                let (faces, edges) = dispatch!(level, simd => {
                    (vertex_face_lanes(simd, &points).split(), edge_edge_lanes(simd, &points).split())
                });
                for lane in 0..LANES {
                    let of_lane = points.map(|point| point.map(|axis| axis[lane]));
                    assert_eq!(faces[lane], vertex_face_distance(&of_lane));
                    assert_eq!(edges[lane], edge_edge_distance(&of_lane));
                }
            }
        }
    }
}
