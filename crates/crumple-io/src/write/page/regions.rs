//! The regions of exact overlaps and the intersection curves of a frame, packed behind its impacts.
//!
//! ```text
//! a frame        … count regions; a region: count a, count b, count id, f32 × 7 volume, centroid, normal,
//!                for a and for b: count triangles, one step per triangle (from the one before)
//!                count curves, and if there are any: corners of their common box;
//!                a curve: u8 1 if it is closed, count points, step × 3 per point (from the point before)
//! ```
//!
//! Curves are drawn, not measured: their points are rounded to 65,535 steps of their common box. A region of which very
//! many triangles are inside is packed with all of them: they are what is tinted.

use crumple::Frame;

use super::bytes::{Bounds, put_count, put_floats, put_step};

/// Steps of the box of all curves of a frame.
const CURVE_STEPS: u16 = 65535;

/// Appends the regions and curves of a frame of a scene; without one, none.
pub(super) fn put_regions(out: &mut Vec<u8>, frame: Option<Frame<'_>>) {
    let Some(frame) = frame else {
        put_count(out, 0);
        put_count(out, 0);
        return;
    };
    put_count(out, frame.regions().count() as u64);
    for found in frame.regions() {
        let region = found.of;
        put_count(out, found.a.index() as u64);
        put_count(out, found.b.index() as u64);
        put_count(out, region.id.0);
        put_floats(out, &[region.volume as f32]);
        put_floats(out, &region.centroid.map(|x| x as f32));
        put_floats(out, &region.normal.map(|x| x as f32));
        for triangles in [region.triangles_a, region.triangles_b] {
            put_count(out, triangles.len() as u64);
            let mut before = 0;
            for triangle in triangles {
                put_step(out, before, triangle.0);
                before = triangle.0;
            }
        }
    }
    put_curves(out, frame);
}

fn put_curves(out: &mut Vec<u8>, frame: Frame<'_>) {
    let curves = || frame.curves().flat_map(|of_bodies| of_bodies.iter());
    let count = curves().count();
    put_count(out, count as u64);
    if count == 0 {
        return;
    }
    let mut bounds = Bounds::EMPTY;
    for curve in curves() {
        for point in curve.points {
            bounds.add(&[point.position.map(|x| x as f32)]);
        }
    }
    bounds.put(out);
    for curve in curves() {
        out.push(u8::from(curve.is_closed));
        put_count(out, curve.points.len() as u64);
        let mut before = [0; 3];
        for point in curve.points {
            let steps = [0, 1, 2].map(|axis| bounds.steps(axis, point.position[axis] as f32, CURVE_STEPS).into());
            for axis in 0..3 {
                put_step(out, before[axis], steps[axis]);
            }
            before = steps;
        }
    }
}
