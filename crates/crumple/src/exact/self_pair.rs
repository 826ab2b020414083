//! Whether two triangles of one mesh meet beyond what they share by construction.
//!
//! Neighbours always touch in the vertices they share; a self-collision is what goes beyond that:
//!
//! | shared vertices | they meet if |
//! |---|---|
//! | 0 | the closed triangles share a point |
//! | 1 | the edge opposite the shared vertex, in either triangle, meets the other triangle |
//! | 2 | they are coplanar and lie on the same side of the shared edge |
//! | 3 | always |
//!
//! Triangles without area take no part. Vertices count as shared if they are one vertex (or welded to one) *and* still
//! have equal positions: a weld that the motion has torn open joins nothing.
//!
//! Signs are those of `filter`: in f64 where that is beyond doubt, exact otherwise.

use super::filter::Filter;
use super::predicates::orient2d;
use super::triangle_pair::common_extents;
use super::{Point, Sign, has_no_area, segment_meets_triangle, simplex_pair};
use super::{triangles_meet, triangles_meet_f64, widened};
use crate::geom::{Axis, Triangle};

/// Which corners two triangles of one mesh have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedVertices {
    /// For each corner of the first triangle, the corner of the second that is the same vertex.
    partner: [Option<usize>; 3],
}

impl SharedVertices {
    /// Compares the vertices of two triangles by number and by position, which may be in f32 or f64.
    pub fn between<P: PartialEq, V: PartialEq>(a: &[P; 3], vertices_a: [V; 3], b: &[P; 3], vertices_b: [V; 3]) -> Self {
        let same = |i: usize, j: usize| vertices_a[i] == vertices_b[j] && a[i] == b[j];
        Self { partner: std::array::from_fn(|i| (0..3).find(|&j| same(i, j))) }
    }

    /// How many vertices are shared, 0 to 3.
    pub fn count(&self) -> usize {
        self.partner.iter().flatten().count()
    }
}

/// Whether triangles `a` and `b` of one mesh collide, by the rule above; `false` if either has no area.
pub fn self_pair_meets(a: &Triangle, b: &Triangle, shared: SharedVertices) -> bool {
    let meets = match shared.count() {
        0 => triangles_meet(a, b),
        count => sharing_meets(count, &widened(&a.0), &widened(&b.0), shared),
    };
    meets && !has_no_area(&a.0) && !has_no_area(&b.0)
}

/// [`self_pair_meets`] for f64 corners, in the range of [`triangles_meet_f64`].
pub fn self_pair_meets_f64(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3], shared: SharedVertices) -> bool {
    let meets = match shared.count() {
        0 => triangles_meet_f64(a, b),
        count => sharing_meets(count, a, b, shared),
    };
    meets && !has_no_area(a) && !has_no_area(b)
}

fn sharing_meets(count: usize, a: &[Point; 3], b: &[Point; 3], shared: SharedVertices) -> bool {
    match count {
        1 => opposite_edge_meets(a, b, shared),
        2 => overlap_beyond_shared_edge(a, b, shared),
        _ => true,
    }
}

/// One shared vertex v. Nearly all such pairs are decided by the planes: if both other corners of b lie strictly on one
/// side of the plane of a, b has only v in common with that plane. Then a, which lies in it and has an area (or the plane
/// would have no sides), can meet b only in v, which lies on neither opposite edge.
fn opposite_edge_meets(a: &[Point; 3], b: &[Point; 3], shared: SharedVertices) -> bool {
    let Some((corner_a, corner_b)) = shared.partner.iter().enumerate().find_map(|(i, j)| Some((i, (*j)?))) else {
        return false;
    };
    let filter = Filter::new(common_extents(a, b));
    let opposite = |t: &[Point; 3], corner: usize| [t[(corner + 1) % 3], t[(corner + 2) % 3]];
    let (edge_a, edge_b) = (opposite(a, corner_a), opposite(b, corner_b));
    let sides = |&[p, q, r]: &[Point; 3], edge: [Point; 2]| edge.map(|end| filter.orient3d(p, q, r, end));
    let (sides_a, sides_b) = (sides(b, edge_a), sides(a, edge_b));
    let is_apart = |[from, to]: [Sign; 2]| from == to && from != Sign::Zero;
    if is_apart(sides_a) || is_apart(sides_b) {
        return false;
    }
    let meets = |[from, to]: [Point; 2], sides: [Sign; 2], t: &[Point; 3]| {
        if sides.contains(&Sign::Zero) {
            segment_meets_triangle(from, to, t)
        } else {
            // Its ends lie on either side of the plane.
            simplex_pair::line_passes_through(&filter, [from, to], t)
        }
    };
    meets(edge_a, sides_a, b) || meets(edge_b, sides_b, a)
}

/// Two shared vertices.
fn overlap_beyond_shared_edge(a: &[Point; 3], b: &[Point; 3], shared: SharedVertices) -> bool {
    let (Some(lone_a), Some(lone_b)) =
        ((0..3).find(|&i| shared.partner[i].is_none()), (0..3).find(|j| !shared.partner.contains(&Some(*j))))
    else {
        return false;
    };
    let filter = Filter::new(common_extents(a, b));
    let [from, to] = [a[(lone_a + 1) % 3], a[(lone_a + 2) % 3]];
    let (apex_a, apex_b) = (a[lone_a], b[lone_b]);
    let same_side = |axis: Axis| {
        let side = orient2d(axis, from, to, apex_a);
        side != Sign::Zero && side == orient2d(axis, from, to, apex_b)
    };
    filter.orient3d(from, to, apex_a, apex_b) == Sign::Zero && simplex_pair::projection(a).is_some_and(same_side)
}
