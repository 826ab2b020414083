//! What is settled about two bodies before their pairs are looked at: where sums are measured from, how large they can be,
//! and which body is moved where surfaces touch.
//!
//! Sums are measured from the centre of the common box, so that their rounding is that of what the bodies have in common and not
//! of where they are. For f64 bodies it is the common box of their f64 positions: f32 boxes far from the origin are larger than
//! the bodies by many times.
//!
//! Where surfaces touch, one of the bodies is moved by an infinitesimal (`exact::NudgedPair`). It must be the same one in
//! whichever order the two are given, or parts that hang together in coinciding faces alone would be one region in one order
//! and two in the other. So the bodies themselves decide: the one with fewer vertices or triangles is moved, which stays the same
//! while they deform; of two like ones, the one with the smaller coordinates.

use std::cmp::Ordering;

use crate::body::{Body, Points};
use crate::exact::Moved;

/// What two bodies whose boxes overlap have in common.
#[derive(Clone, Copy, Debug)]
pub(in crate::contact) struct Common {
    /// The middle of the common box.
    pub(in crate::contact) origin: [f64; 3],
    /// Its longest side.
    pub(in crate::contact) size: f64,
    pub(in crate::contact) moved: Moved,
}

impl Common {
    /// `None` if the boxes do not overlap.
    pub(in crate::contact) fn of(a: &Body, b: &Body) -> Option<Self> {
        if a.bounds().intersection(&b.bounds()).is_empty() {
            return None;
        }
        let ([min_a, max_a], [min_b, max_b]) = (exact_bounds(a), exact_bounds(b));
        let min: [f64; 3] = std::array::from_fn(|k| min_a[k].max(min_b[k]));
        let max: [f64; 3] = std::array::from_fn(|k| max_a[k].min(max_b[k]));
        if (0..3).any(|k| min[k] > max[k]) {
            return None;
        }
        let moved = if order(a, b) == Ordering::Greater { Moved::B } else { Moved::A };
        let size = (0..3).fold(0.0, |size: f64, k| size.max(max[k] - min[k]));
        Some(Self { origin: std::array::from_fn(|k| 0.5 * (min[k] + max[k])), size, moved })
    }
}

/// The smallest and the largest coordinates of a body, without rounding.
fn exact_bounds(body: &Body) -> [[f64; 3]; 2] {
    let bounds = body.bounds();
    let Points::F64(points) = body.points() else { return [bounds.min(), bounds.max()].map(|p| p.map(f64::from)) };
    let (mut min, mut max) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for p in points {
        for k in 0..3 {
            min[k] = min[k].min(p[k]);
            max[k] = max[k].max(p[k]);
        }
    }
    [min, max]
}

/// An order of bodies that depends on nothing but themselves; equal ones are exchanged without a difference.
fn order(a: &Body, b: &Body) -> Ordering {
    let (mesh_a, mesh_b) = (a.mesh(), b.mesh());
    let counts = |body: &Body| (body.mesh().vertex_count(), body.mesh().triangles().len());
    let by_position = |vertex: u32| {
        let (p, q) = (a.exact_position(vertex), b.exact_position(vertex));
        (0..3).map(|k| p[k].total_cmp(&q[k])).find(|order| order.is_ne())
    };
    counts(a)
        .cmp(&counts(b))
        .then_with(|| (0..mesh_a.vertex_count() as u32).find_map(by_position).unwrap_or(Ordering::Equal))
        .then_with(|| mesh_a.indices().cmp(mesh_b.indices()))
}
