//! Whether a surface lies side by side when seen along an axis: its triangles turn to the left, and its contour is simple.
//!
//! A closed polygon is *simple* if no two of its edges have anything in common but the vertex between two that follow one
//! another. Two edges that do not are apart if their boxes are, or if one has both its ends strictly on one side of the line
//! through the other. Two that do have only that vertex in common if they are not on one line, or if the second does not turn
//! back: their scalar product is positive.
//!
//! Signs. A turn is the difference of two products of differences; so is, but for a sign, a scalar product. With ε = 2^-24 a
//! difference is off by ε of its size, a product by 3ε, the whole by 4ε(|p| + |q|) for products p and q, up to terms in
//! ε², and by 2^-148 from underflow: beyond 8ε(|p| + |q|) + 2^-126 its sign is sure. Overflow makes infinities or NaN, which
//! are never beyond. Comparisons of coordinates are exact.
//!
//! `false` means that it cannot be shown. Cost: for a contour of n edges, (n/8)²/2 comparisons of boxes of eight edges, and 20
//! instructions for an edge against the eight of a box that is near.
//! Held by: the tests below, `tests/agreement/patches.rs`.

use crate::geom::Axis;
use crate::geom::lanes::vectors::*;
use crate::geom::lanes::{Simd, Vec8, WIDTH};

/// A direction to look along: an axis, and which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    pub(crate) axis: Axis,
    /// Whether what turns to the left seen from the upper end of the axis turns to the right here.
    pub(crate) mirrored: bool,
}

impl Look {
    /// The two coordinates that are seen.
    pub(crate) fn across(self) -> [usize; 2] {
        let [u, v] = self.axis.others().map(|axis| axis as usize);
        if self.mirrored { [v, u] } else { [u, v] }
    }

    /// The same in lanes.
    #[inline(always)]
    fn across8<S: Simd>(self, of: Vec8<S>) -> [f32x8<S>; 2] {
        let [u, v] = match self.axis {
            Axis::X => [of.y, of.z],
            Axis::Y => [of.z, of.x],
            Axis::Z => [of.x, of.y],
        };
        if self.mirrored { [v, u] } else { [u, v] }
    }
}

/// The products whose difference is the turn to `x` of who goes from `p` to `q`: positive to the left.
#[inline(always)]
fn turn<S: Simd>([p, q, x]: [[f32x8<S>; 2]; 3]) -> [f32x8<S>; 2] {
    [(q[0] - p[0]) * (x[1] - p[1]), (q[1] - p[1]) * (x[0] - p[0])]
}

/// What a difference of two products must exceed for its sign to be sure.
#[inline(always)]
fn bound<S: Simd>([plus, minus]: [f32x8<S>; 2]) -> f32x8<S> {
    (plus.abs() + minus.abs()) * (8.0 * (f32::EPSILON / 2.0)) + f32::MIN_POSITIVE
}

/// Whether all of eight triangles surely turn to the left.
#[inline(always)]
pub(crate) fn all_turn_left<S: Simd>(look: Look, corners: [Vec8<S>; 3]) -> bool {
    let [p, q, r] = corners;
    let products = turn([look.across8(p), look.across8(q), look.across8(r)]);
    (products[0] - products[1]).simd_gt(bound(products)).to_bitmask() == 0xff
}

/// A closed polygon in the plane; working memory.
#[derive(Debug, Default)]
pub(crate) struct Contour {
    /// The vertices; behind them the first ones again, to a whole number of lanes and more.
    u: Vec<f32>,
    v: Vec<f32>,
    /// The least and the greatest coordinates of eight edges each.
    boxes: Vec<[[f32; 2]; 2]>,
    edges: usize,
}

impl Contour {
    /// Takes another polygon, of three vertices or more.
    pub(crate) fn set(&mut self, vertices: impl ExactSizeIterator<Item = [f32; 2]> + Clone) {
        // Edges and the next ones of the last eight are loaded whole.
        let room = vertices.len().next_multiple_of(WIDTH) + 2;
        self.edges = vertices.len();
        self.u.clear();
        self.v.clear();
        self.u.extend(vertices.clone().map(|[u, _]| u).cycle().take(room));
        self.v.extend(vertices.clone().map(|[_, v]| v).cycle().take(room));
        self.boxes.clear();
        for first in (0..self.edges).step_by(WIDTH) {
            let extremes = |of: &[f32]| {
                let ends = &of[first..=first + WIDTH];
                (
                    ends.iter().copied().fold(f32::INFINITY, f32::min),
                    ends.iter().copied().fold(f32::NEG_INFINITY, f32::max),
                )
            };
            let (u, v) = (extremes(&self.u), extremes(&self.v));
            self.boxes.push([[u.0, v.0], [u.1, v.1]]);
        }
    }

    /// Whether it is surely simple.
    #[inline(always)]
    pub(crate) fn is_simple<S: Simd>(&self, simd: S) -> bool {
        for (at, of_some) in self.boxes.iter().enumerate() {
            if !self.goes_on(simd, at) {
                return false;
            }
            for (other, of_others) in self.boxes.iter().enumerate().skip(at) {
                let is_apart =
                    |axis: usize| of_some[0][axis] > of_others[1][axis] || of_others[0][axis] > of_some[1][axis];
                if !is_apart(0) && !is_apart(1) && !self.are_apart(simd, (at, other)) {
                    return false;
                }
            }
        }
        true
    }

    /// Eight points from one on.
    #[inline(always)]
    fn points<S: Simd>(&self, simd: S, from: usize) -> [f32x8<S>; 2] {
        [f32x8::from_slice(simd, &self.u[from..from + WIDTH]), f32x8::from_slice(simd, &self.v[from..from + WIDTH])]
    }

    /// Whether none of eight edges surely turns back on the one before it. Lanes behind the last edge repeat others.
    #[inline(always)]
    fn goes_on<S: Simd>(&self, simd: S, at: usize) -> bool {
        let at = WIDTH * at;
        let [p, q, r] = [self.points(simd, at), self.points(simd, at + 1), self.points(simd, at + 2)];
        let turns = turn([p, q, r]);
        let (e, f) = ([q[0] - p[0], q[1] - p[1]], [r[0] - q[0], r[1] - q[1]]);
        let along = [e[0] * f[0], e[1] * f[1]];
        let is_bent = (turns[0] - turns[1]).abs().simd_gt(bound(turns));
        let is_onward = (along[0] + along[1]).simd_gt(bound(along));
        (is_bent | is_onward).to_bitmask() == 0xff
    }

    /// Whether of two times eight edges each is surely apart from those after it that it shares no vertex with.
    #[inline(always)]
    fn are_apart<S: Simd>(&self, simd: S, (at, other): (usize, usize)) -> bool {
        let (from, to) = (self.points(simd, WIDTH * other), self.points(simd, WIDTH * other + 1));
        let (min, max) = ([from[0].min(to[0]), from[1].min(to[1])], [from[0].max(to[0]), from[1].max(to[1])]);
        for edge in WIDTH * at..self.edges.min(WIDTH * (at + 1)) {
            // The next edge shares a vertex with this one, and so does the last with the first.
            let end = if edge == 0 { self.edges - 1 } else { self.edges };
            let (first, end) = ((edge + 2).saturating_sub(WIDTH * other), end.saturating_sub(WIDTH * other));
            let asked = (0xff << first.min(WIDTH)) & (0xff >> (WIDTH - end.min(WIDTH)));
            let p = [f32x8::splat(simd, self.u[edge]), f32x8::splat(simd, self.v[edge])];
            let q = [f32x8::splat(simd, self.u[edge + 1]), f32x8::splat(simd, self.v[edge + 1])];
            let near = min[0].simd_le(p[0].max(q[0]))
                & max[0].simd_ge(p[0].min(q[0]))
                & min[1].simd_le(p[1].max(q[1]))
                & max[1].simd_ge(p[1].min(q[1]));
            let near = near.to_bitmask() & asked;
            if near != 0 {
                let is_beside = has_on_one_side([p, q], [from, to]) | has_on_one_side([from, to], [p, q]);
                if near & !is_beside.to_bitmask() != 0 {
                    return false;
                }
            }
        }
        true
    }
}

/// Whether both points surely are on one side of the line through two others.
#[inline(always)]
fn has_on_one_side<S: Simd>([p, q]: [[f32x8<S>; 2]; 2], [x, y]: [[f32x8<S>; 2]; 2]) -> mask32x8<S> {
    let (to_x, to_y) = (turn([p, q, x]), turn([p, q, y]));
    let (of_x, of_y) = (to_x[0] - to_x[1], to_y[0] - to_y[1]);
    let (bound_x, bound_y) = (bound(to_x), bound(to_y));
    (of_x.simd_gt(bound_x) & of_y.simd_gt(bound_y)) | ((-of_x).simd_gt(bound_x) & (-of_y).simd_gt(bound_y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::{SharedVertices, self_pair_meets};
    use crate::geom::Triangle;
    use crate::geom::lanes::{Instructions, all_simd, dispatch};
    use crumple_scenes::Random;

    /// A piece of 4 x 3 quads: its triangles, three groups of eight, and its contour.
    fn piece() -> (Vec<[usize; 3]>, Vec<usize>) {
        let quads = (0..12).map(|at| at / 4 * 5 + at % 4);
        let triangles = quads.flat_map(|at| [[at, at + 1, at + 5], [at + 1, at + 6, at + 5]]).collect();
        (triangles, vec![0, 1, 2, 3, 4, 9, 14, 19, 18, 17, 16, 15, 10, 5])
    }

    /// A piece that is bent around an axis, curled in its plane, and moved by chance; sometimes onto a grid, where much is equal.
    fn folded(random: &mut Random) -> Vec<[f32; 3]> {
        let (bend, curl) = (random.between(0.0, 1.2), random.between(0.0, 1.5));
        let noise = [0.0, 0.2, 0.5, 1.0][random.below(4) as usize];
        let on_grid = random.once_in(4);
        (0..20)
            .map(|at| {
                let (u, v) = (f64::from(at % 5), f64::from(at / 5));
                let (angle, radius) = (curl * u, 4.0 - v);
                let flat = if curl > 0.7 { [radius * angle.cos(), radius * angle.sin()] } else { [u, v] };
                let z = (bend * (flat[0] + 0.5 * v)).sin();
                let moved =
                    [flat[0] * (bend * u * 0.5).cos(), flat[1], z].map(|x| x + noise * random.between(-1.0, 1.0));
                moved.map(|x| if on_grid { x.round() as f32 } else { x as f32 })
            })
            .collect()
    }

    /// Whether a piece is shown to lie side by side at a level.
    fn is_shown(simd: Instructions, positions: &[[f32; 3]], look: Look) -> bool {
        let (triangles, contour) = piece();
        let [u, v] = look.across();
        let mut polygon = Contour::default();
        polygon.set(contour.iter().map(|&vertex| [positions[vertex][u], positions[vertex][v]]));
        dispatch!(simd, simd => {
            let mut all = polygon.is_simple(simd);
            for eight in triangles.chunks(WIDTH) {
                let mut corners = [[[0.0; WIDTH]; 3]; 3];
                for (lane, triangle) in eight.iter().enumerate() {
                    for k in 0..3 {
                        for axis in 0..3 {
                            corners[k][axis][lane] = positions[triangle[k]][axis];
                        }
                    }
                }
                let [p, q, r] = &corners;
                all &= all_turn_left(look, [Vec8::load(simd, p), Vec8::load(simd, q), Vec8::load(simd, r)]);
            }
            all
        })
    }

    fn collides(positions: &[[f32; 3]]) -> bool {
        let (triangles, _) = piece();
        let corners = |t: [usize; 3]| Triangle(t.map(|vertex| positions[vertex]));
        (0..triangles.len()).any(|j| {
            (0..j).any(|i| {
                let (a, b) = (corners(triangles[i]), corners(triangles[j]));
                self_pair_meets(&a, &b, SharedVertices::between(&a.0, triangles[i], &b.0, triangles[j]))
            })
        })
    }

    /// A fifth of a million by default, as the tests in `tests` draw (`CRUMPLE_FULL_COUNTS`).
    fn rounds() -> usize {
        if std::env::var_os("CRUMPLE_FULL_COUNTS").is_some_and(|value| value == "1") { 1_000_000 } else { 200_000 }
    }

    #[test]
    fn no_folded_piece_that_is_shown_to_lie_side_by_side_collides() {
        let mut random = Random::new(20);
        let (mut shown, mut left) = (0, 0);
        for _ in 0..rounds() {
            let positions = folded(&mut random);
            let look = Look { axis: Axis::ALL[random.below(3) as usize], mirrored: random.once_in(2) };
            // Most are seen as they were made, from above.
            let look = if random.once_in(8) { look } else { Look { axis: Axis::Z, mirrored: false } };
            let verdicts: Vec<bool> = all_simd().into_iter().map(|simd| is_shown(simd, &positions, look)).collect();
            assert!(verdicts.iter().all(|verdict| *verdict == verdicts[0]), "{positions:?}");
            if verdicts[0] {
                assert!(!collides(&positions), "{positions:?} {look:?}");
                shown += 1;
            } else {
                left += 1;
            }
        }
        assert!(shown > rounds() / 20 && left > rounds() / 4, "{shown} shown, {left} left");
    }

    #[test]
    fn a_contour_that_touches_or_turns_back_on_itself_is_not_simple() {
        let is_simple = |vertices: &[[f32; 2]]| {
            let mut contour = Contour::default();
            contour.set(vertices.iter().copied());
            let verdicts = all_simd().into_iter().map(|simd| dispatch!(simd, simd => contour.is_simple(simd)));
            let verdicts: Vec<bool> = verdicts.collect();
            assert!(verdicts.iter().all(|verdict| *verdict == verdicts[0]));
            verdicts[0]
        };
        let square = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];
        assert!(is_simple(&square) && is_simple(&square[..3]));
        // Vertices on a side, which goes on; a spike; a side on another; a corner on a side; two corners in one place.
        assert!(is_simple(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]]));
        assert!(!is_simple(&[[0.0, 0.0], [2.0, 0.0], [1.0, 0.0], [2.0, 2.0], [0.0, 2.0]]));
        assert!(!is_simple(&[[0.0, 0.0], [4.0, 0.0], [4.0, 2.0], [2.0, 0.0], [0.0, 2.0]]));
        assert!(!is_simple(&[[0.0, 0.0], [4.0, 0.0], [4.0, 2.0], [3.0, 0.0], [1.0, 0.0], [0.0, 2.0]]));
        assert!(!is_simple(&[[0.0, 0.0], [2.0, 2.0], [4.0, 0.0], [4.0, 4.0], [2.0, 2.0], [0.0, 4.0]]));
        assert!(!is_simple(&[[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0]]));
        // Of every length, so that the last lanes are filled in every way: a circle, and the same with two vertices exchanged.
        for count in 5..40 {
            let at = |k: usize| (std::f32::consts::TAU * k as f32 / count as f32).sin_cos().into();
            let mut circle: Vec<[f32; 2]> = (0..count).map(at).collect();
            assert!(is_simple(&circle), "{count}");
            for k in 0..count {
                circle.swap(k, (k + 2) % count);
                assert!(!is_simple(&circle), "{count}, {k}");
                circle.swap(k, (k + 2) % count);
            }
        }
    }
}
