//! Decides in f32 pairs that lie nearly in one plane, where no side of a plane is sure: seen along an axis.
//!
//! Triangles that are apart when seen along an axis are apart. Triangles in one plane across that axis, all six corners
//! at the same coordinate, meet exactly if they do when seen along it. Seen so, they are apart if the line through an
//! edge of one has that triangle on one side and all corners of the other strictly beyond; and if no such line even has the
//! other triangle on it or beyond, their insides overlap, since lines through edges are all that can separate two convex
//! polygons. Two triangles that only touch are neither, and left undecided. The axis is that along which the first triangle
//! is seen largest.
//!
//! Error bound. The turn (q − p) × (x − p) is a difference of two products of differences along u and v. With E the
//! extents of the common box and ε = 2^-24, a difference carries a relative error of ε, a product of two 3ε, the last difference
//! 2ε EuEv: at most (6 + 2)ε EuEv up to terms in ε². The bound has 16ε EuEv, which also covers the roundings of E and of
//! the bound itself. What underflows is off by less than 2^-148; the smallest normal number covers it. Extents of 2^40 and
//! more are left undecided, so nothing overflows. Corners that are rounded copies, each coordinate off by at most r, change a
//! difference by 2r and, with E' = E + 2r, the turn by at most 2 · 2r (E'u + E'v): the bound grows by 5r (E'u + E'v).
//!
//! Held by: the tests below, `tests/exactness/triangles`, `tests/agreement`.

use super::quick::Verdict;
use crate::geom::lanes::{Corners, Number, Vector};

/// Where corners are seen along an axis.
#[derive(Clone, Copy)]
struct Seen<N> {
    u: N,
    v: N,
}

impl<N: Number> Seen<N> {
    /// The turn to `x` of someone who goes from `self` to `q`: positive to the left.
    #[inline(always)]
    fn turn(self, q: Self, x: Self) -> N {
        (q.u - self.u).mul_sub(x.v - self.v, (q.v - self.v) * (x.u - self.u))
    }
}

/// Decides what is undecided, as far as that can be seen along one axis.
#[inline(always)]
pub(crate) fn seen_along_an_axis<N: Number>(
    a: &Corners<N>,
    b: &Corners<N>,
    rounding: f32,
    verdict: Verdict,
) -> Verdict {
    let normal = a.q.minus(a.p).cross(a.r.minus(a.p));
    let (x, y, z) = (normal.x.abs(), normal.y.abs(), normal.z.abs());
    let along_x = !(y.exceeds(x) | z.exceeds(x));
    let along_y = !along_x & !z.exceeds(y);
    let along = |of: Vector<N>| N::select(along_x, of.x, N::select(along_y, of.y, of.z));
    let across = |of: Vector<N>| Seen {
        u: N::select(along_x, of.y, N::select(along_y, of.z, of.x)),
        v: N::select(along_x, of.z, N::select(along_y, of.x, of.y)),
    };
    let extent = a.max().max(b.max()).minus(a.min().min(b.min()));
    let size = across(extent);
    let number = |x: f32| size.u.everywhere(x);
    let is_usable = !(size.u.exceeds(number(2.0f32.powi(40))) | size.v.exceeds(number(2.0f32.powi(40))));
    let factor = number(16.0 * (f32::EPSILON / 2.0));
    let mut bound = factor * size.u * size.v + number(f32::MIN_POSITIVE);
    if rounding > 0.0 {
        bound = bound + number(5.0 * rounding) * (size.u + size.v + number(4.0 * rounding));
    }
    let seen = |of: &Corners<N>| [across(of.p), across(of.q), across(of.r)];
    let (a, b) = (seen(a), seen(b));
    let (apart_a, overlaps_a) = lines(a, b, bound);
    let (apart_b, overlaps_b) = lines(b, a, bound);
    let apart = N::bits((apart_a | apart_b) & is_usable);
    let in_one_plane = if rounding > 0.0 { 0 } else { N::bits(!number(0.0).is_less(along(extent)) & is_usable) };
    let meets = N::bits(overlaps_a & overlaps_b) & in_one_plane & verdict.undecided;
    Verdict { meets: verdict.meets | meets, undecided: verdict.undecided & !(apart | meets) }
}

/// Where a line through an edge of a triangle surely separates it from another, and where surely none does.
#[inline(always)]
fn lines<N: Number>([p, q, r]: [Seen<N>; 3], other: [Seen<N>; 3], bound: N) -> (N::Mask, N::Mask) {
    let area = p.turn(q, r);
    let (to_the_left, to_the_right) = (area.exceeds(bound), (-bound).exceeds(area));
    let (least_0, most_0) = turns(p, q, other);
    let (least_1, most_1) = turns(q, r, other);
    let (least_2, most_2) = turns(r, p, other);
    // Of a triangle that lies to the left of its edges, and of one to the right.
    let left_apart = (-bound).exceeds(most_0.min(most_1).min(most_2));
    let left_overlaps = most_0.min(most_1).min(most_2).exceeds(bound);
    let right_apart = least_0.max(least_1).max(least_2).exceeds(bound);
    let right_overlaps = (-bound).exceeds(least_0.max(least_1).max(least_2));
    let apart = (to_the_left & left_apart) | (to_the_right & right_apart);
    (apart, (to_the_left & left_overlaps) | (to_the_right & right_overlaps))
}

/// The least and the greatest turn to the corners of a triangle.
#[inline(always)]
fn turns<N: Number>(from: Seen<N>, to: Seen<N>, [x, y, z]: [Seen<N>; 3]) -> (N, N) {
    let (x, y, z) = (from.turn(to, x), from.turn(to, y), from.turn(to, z));
    (x.min(y).min(z), x.max(y).max(z))
}

#[cfg(test)]
mod tests {
    use super::super::quick::meet;
    use super::super::triangle_pair::decide;
    use super::*;
    use crumple_scenes::Random;
    use glam::Vec4;

    /// One pair, as eight are decided (`narrow::wide_tree`).
    fn decided(a: &[Vec4; 3], b: &[Vec4; 3], rounding: f32) -> Verdict {
        let (a, b) = (Corners::one(a), Corners::one(b));
        seen_along_an_axis(&a, &b, rounding, meet(&a, &b, rounding))
    }

    /// A triangle in a plane across an axis, of any numbers or with corners on a grid.
    fn flat(random: &mut Random, axis: usize, on_grid: bool) -> [Vec4; 3] {
        [0, 1, 2].map(|_| {
            let mut corner =
                [0, 1, 2].map(|_| if on_grid { random.integer(0, 3) as f32 } else { random.between(0.0, 3.0) as f32 });
            corner[axis] = 0.7;
            Vec4::new(corner[0], corner[1], corner[2], 0.0)
        })
    }

    #[test]
    fn triangles_in_one_plane_are_decided_unless_they_only_touch() {
        let mut random = Random::new(36);
        let (mut meeting, mut apart, mut left) = (0, 0, 0);
        for round in 0..30_000 {
            let (axis, on_grid) = (round % 3, round % 2 == 0);
            let [a, b] = [(); 2].map(|()| flat(&mut random, axis, on_grid));
            let truth = decide(&a, &b);
            let verdict = decided(&a, &b, 0.0);
            if verdict.undecided != 0 {
                left += usize::from(!on_grid);
                continue;
            }
            assert_eq!(verdict.meets != 0, truth, "{a:?} {b:?}");
            meeting += usize::from(truth);
            apart += usize::from(!truth);
        }
        assert!(meeting > 5_000 && apart > 5_000 && left < 30, "{meeting} meet, {apart} are apart, {left} are left");
    }

    #[test]
    fn rounded_copies_are_decided_only_where_every_original_agrees() {
        // Edges that are closer to each other than what coordinates may be off by.
        let a = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let verdict = |gap: f32, rounding: f32| {
            let b = [[0.0, -gap, 0.0], [1.0, -gap, 0.0], [0.0, -1.0, 0.0]];
            let [a, b] = [a, b].map(|t: [[f32; 3]; 3]| t.map(|[x, y, z]| Vec4::new(x, y, z, 0.0)));
            decided(&a, &b, rounding)
        };
        assert_eq!((verdict(1e-3, 0.0).meets, verdict(1e-3, 0.0).undecided), (0, 0));
        assert_eq!(verdict(1e-3, 1e-3).undecided, 1);
        assert_eq!(verdict(0.5, 1e-3).undecided, 0);
        assert_eq!(verdict(0.0, 0.0).undecided, 1);
    }
}
