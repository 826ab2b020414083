//! The point of a closed triangle that is closest to another point, in f64.
//!
//! The candidates are the foot of the perpendicular, if it falls into the triangle, and the closest points of the three
//! edges. Each is a point of the triangle, so that no distance comes out too small; the least of them is the answer also
//! for triangles without area, and where it is in doubt whether the foot falls inside.
//!
//! Not the formula of `geom::closest`, which always measures the border: a point that is well above the inside of a triangle,
//! as most are, is done with after the foot.

use crate::exact::segment_meets_triangle;
use crate::geom::lanes::Vec3Ops;

/// The closest point of a triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct OnTriangle {
    /// From the point asked about to it.
    pub(super) offset: [f64; 3],
    pub(super) distance: f64,
    pub(super) barycentric: [f64; 3],
}

/// The point of a closed triangle that is closest to `point`; the distance is 0 exactly if the point lies on it.
pub(super) fn closest(point: [f64; 3], corners: &[[f64; 3]; 3]) -> OnTriangle {
    let p = corners.map(|corner| corner.minus(point));
    let mut best = closest_to_origin(&p);
    let reach = p.as_flattened().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    // Rounding may leave a little where there is nothing, or nothing where there is a little.
    if best.distance <= 2f64.powi(-40) * reach {
        if segment_meets_triangle(point, point, corners) {
            (best.distance, best.offset) = (0.0, [0.0; 3]);
        } else {
            best.distance = best.distance.max(f64::MIN_POSITIVE);
        }
    }
    best
}

/// The point of a triangle that is closest to the origin.
pub(super) fn closest_to_origin(p: &[[f64; 3]; 3]) -> OnTriangle {
    let mut best = ([0.0; 3], f64::INFINITY, [0.0; 3]);
    let mut offer = |weights: [f64; 3]| {
        let offset: [f64; 3] =
            std::array::from_fn(|axis| weights[0] * p[0][axis] + weights[1] * p[1][axis] + weights[2] * p[2][axis]);
        let squared = offset.dot(offset);
        if squared < best.1 {
            best = (offset, squared, weights);
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
    let (offset, squared, barycentric) = best;
    OnTriangle { offset, distance: squared.sqrt(), barycentric }
}
