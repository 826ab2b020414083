//! Many points or rays of one body, divided among threads.
//!
//! Points are answered in the order of a space-filling curve, so that each search can start at the leaf where the one
//! before it ended; that changes neither the answers nor where they are put.

use super::QueryError;
use super::points::{ClosestPoint, Search, Which};
use super::rays::{Ray, RayHit, Walk};
use super::stack::Stack;
use crate::body::Body;
use crate::geom::Coordinate;
use crate::geom::lanes::{Instructions, Simd, dispatch};
use crate::threads;
use crate::tree::View;

/// Fewer points than these are answered in the order in which they are given.
const WORTH_ORDERING: usize = 64;

/// Whether distances are negative inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signed {
    No,
    Yes,
}

/// Checks that points can be asked about, and that the body can answer.
pub(crate) fn check_points<C: Coordinate>(body: &Body, points: &[[C; 3]], signed: Signed) -> Result<(), QueryError> {
    for (index, &point) in points.iter().enumerate() {
        let point = C::exact(point);
        if !point.iter().all(|x| x.is_finite()) {
            return Err(QueryError::PointNotFinite { index, point });
        }
        if !point.iter().all(|&x| is_in_range(x)) {
            return Err(QueryError::PointOutOfRange { index, point });
        }
    }
    if body.mesh().live_count() == 0 {
        return Err(QueryError::NoTriangles);
    }
    if signed == Signed::Yes {
        let topology = body.mesh().topology();
        if let Some(fault) = topology.open {
            return Err(QueryError::Open { fault });
        }
        if let Some(fault) = topology.unbalanced {
            return Err(QueryError::Unbalanced { fault });
        }
    }
    Ok(())
}

/// Whether a coordinate can be kept by an f64 body; every f32 number can.
fn is_in_range(x: f64) -> bool {
    let size = x.abs();
    size == 0.0 || (2f64.powi(-300)..=f64::from(f32::MAX)).contains(&size)
}

/// Checks that rays can be cast.
pub(crate) fn check_rays(rays: &[Ray]) -> Result<(), QueryError> {
    for (index, &Ray { origin, direction }) in rays.iter().enumerate() {
        if !origin.iter().chain(&direction).all(|x| x.is_finite()) {
            return Err(QueryError::RayNotFinite { index, origin, direction });
        }
        if direction == [0.0; 3] {
            return Err(QueryError::NoDirection { index });
        }
    }
    Ok(())
}

/// Writes the closest point of a body for each of `points`; `found` is as long. `order` is working memory.
pub(crate) fn closest_into<C: Coordinate>(
    simd: Instructions,
    view: &View<'_>,
    sign: Signed,
    points: &[[C; 3]],
    found: &mut [ClosestPoint],
    order: &mut Vec<u64>,
) {
    let threads = threads::for_items(points.len());
    order.clear();
    order.resize(points.len(), 0);
    // More stretches than threads, for those that take longer than others.
    let parts = if threads > 1 { 4 * threads } else { 1 };
    stretches(parts, (points, found, order), &|points, found, order| {
        put_in_order(points, order);
        dispatch!(simd, simd => closest_in_order(simd, view, sign, points, found, order));
    });
}

/// How far the farthest of `points` is from the triangles that are asked about; 0 if there are none.
pub(crate) fn farthest_from(simd: Instructions, view: &View<'_>, points: &[[f64; 3]], of: &impl Which) -> f64 {
    let mut farthest: f64 = 0.0;
    dispatch!(simd, simd => {
        let mut search = Search::new();
        for &point in points {
            // The bound of a search is no less than the distance: below what was found it may stop.
            let found = search.closest_of(simd, view, point, of, (farthest as f32).next_down());
            farthest = found.map_or(farthest, |found| farthest.max(found.distance));
            search.spend();
        }
    });
    farthest
}

/// Calls `work` with so many stretches of equal length.
fn stretches<C: Coordinate>(
    parts: usize,
    (points, found, order): (&[[C; 3]], &mut [ClosestPoint], &mut [u64]),
    work: &(impl Fn(&[[C; 3]], &mut [ClosestPoint], &mut [u64]) + Sync),
) {
    if parts <= 1 || points.len() < 2 {
        return work(points, found, order);
    }
    let middle = points.len() / 2;
    let (points, points_right) = points.split_at(middle);
    let (found, found_right) = found.split_at_mut(middle);
    let (order, order_right) = order.split_at_mut(middle);
    let left = || stretches(parts / 2, (points, found, order), work);
    threads::join(2, left, || stretches(parts / 2, (points_right, found_right, order_right), work));
}

#[inline(always)]
fn closest_in_order<S: Simd, C: Coordinate>(
    simd: S,
    view: &View<'_>,
    sign: Signed,
    points: &[[C; 3]],
    found: &mut [ClosestPoint],
    order: &[u64],
) {
    let mut search = Search::new();
    for &key in order {
        let at = key as u32 as usize;
        found[at] = match sign {
            Signed::No => search.closest(simd, view, C::exact(points[at])),
            Signed::Yes => search.signed(simd, view, C::exact(points[at])),
        };
        search.spend();
    }
}

/// The indices of points in the order of a Morton curve through their box, each in the lower half of a key.
fn put_in_order<C: Coordinate>(points: &[[C; 3]], order: &mut [u64]) {
    let rounded = |point: &[C; 3]| C::exact(*point).map(|x| x as f32);
    let (mut min, mut max) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for point in points.iter().map(rounded) {
        for axis in 0..3 {
            (min[axis], max[axis]) = (min[axis].min(point[axis]), max[axis].max(point[axis]));
        }
    }
    let per_unit: [f32; 3] = std::array::from_fn(|axis| 1023.0 / (max[axis] - min[axis]).max(f32::MIN_POSITIVE));
    for (index, (key, point)) in (0..).zip(order.iter_mut().zip(points.iter().map(rounded))) {
        let cell = |axis: usize| spread(((point[axis] - min[axis]) * per_unit[axis]) as u32 & 1023);
        *key = u64::from(cell(0) << 2 | cell(1) << 1 | cell(2)) << 32 | index;
    }
    if points.len() >= WORTH_ORDERING {
        order.sort_unstable();
    }
}

/// Ten bits with two zeros after each.
fn spread(x: u32) -> u32 {
    let x = (x | x << 16) & 0x0300_00ff;
    let x = (x | x << 8) & 0x0300_f00f;
    let x = (x | x << 4) & 0x030c_30c3;
    (x | x << 2) & 0x0924_9249
}

/// Casts rays through a body: where it is hit before `hits` says, or there is none there yet, the hit is handed to `put`.
pub(crate) fn cast_into<H: Send>(
    simd: Instructions,
    view: &View<'_>,
    rays: &[Ray],
    hits: &mut [H],
    before: impl Fn(&H) -> f64 + Sync,
    put: impl Fn(&mut H, RayHit) + Sync,
) {
    let threads = threads::for_items(rays.len());
    threads::each_stretch(threads, rays, hits, &|rays, hits| {
        dispatch!(simd, simd => {
            let mut stack = Stack::new();
            for (ray, hit) in rays.iter().zip(hits) {
                let most = before(hit);
                let mut walk = Walk::new(*ray, most);
                walk.through(simd, view, &mut stack);
                stack.spend();
                if let Some(found) = walk.hit() && found.t < most {
                    put(hit, found);
                }
            }
        });
    });
}
