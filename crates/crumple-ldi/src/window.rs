//! The box an image is taken of: where its samples lie and from where depth counts.
//!
//! Coordinates inside a window are *sample units* across and plain lengths in depth. Sample `i` of a side sits in the
//! middle of its pixel, at `low + (i + ½) · step`; in sample units
//!
//! ```text
//! x = (u − low) / step + ½        so that sample i is at x = i + 1
//! cell(x) = ⌊x⌋ within 0..=n      so that the samples below cell(x) are those at or before x
//! ```
//!
//! Truncation is all a cell needs, and everything that must agree (culling, scanning, two triangles at one edge) agrees
//! because it compares these integers.

use super::{Direction, Resolution, VolumeError, error::WhichBody};
use crumple::Aabb;
use crumple::Body;

/// How the far side of the window lies to the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Far {
    /// Behind it: the window holds the whole depth of the body.
    HoldsBody,
    /// Perhaps across it: crossings beyond the far side are dropped.
    Cuts,
}

/// A box with a direction to look through it and a number of samples across.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Window {
    pub(super) direction: Direction,
    pub(super) resolution: Resolution,
    pub(super) far: Far,
    low: [f64; 3],
    high: [f64; 3],
    samples_per_unit: [f64; 2],
}

/// A box that holds a body: its own, and for f64 positions with room for what their copies are off by, rounded outwards.
pub(super) fn held_box(body: &Body) -> Aabb {
    let (bounds, rounding) = (body.bounds(), f64::from(body.rounding()));
    if rounding == 0.0 || bounds.is_empty() {
        return bounds;
    }
    // No coordinate is beyond the largest f32 number.
    Aabb::new(
        bounds.min().map(|x| ((f64::from(x) - rounding) as f32).next_down().max(f32::MIN)),
        bounds.max().map(|x| ((f64::from(x) + rounding) as f32).next_up().min(f32::MAX)),
    )
}

/// A vertex in a window: sample units across, depth from the near plane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) z: f64,
}

impl Window {
    /// The window over `bounds`, which must have volume.
    pub(super) fn new(bounds: &Aabb, direction: Direction, resolution: Resolution, far: Far) -> Self {
        let (low, high) = (bounds.min().map(f64::from), bounds.max().map(f64::from));
        let [u, v] = direction.axis().others().map(|axis| axis as usize);
        let samples_per_unit =
            [f64::from(resolution.columns) / (high[u] - low[u]), f64::from(resolution.rows) / (high[v] - low[v])];
        Self { direction, resolution, far, low, high, samples_per_unit }
    }

    /// Refuses boxes that have no volume.
    pub(super) fn check(bounds: &Aabb, body: WhichBody) -> Result<(), VolumeError> {
        let (min, max) = (bounds.min(), bounds.max());
        if (0..3).all(|k| min[k] < max[k]) { Ok(()) } else { Err(VolumeError::Flat { body, min, max }) }
    }

    /// The numbers of the coordinates across and in depth.
    pub(super) fn axes(&self) -> [usize; 3] {
        let axis = self.direction.axis();
        let [u, v] = axis.others();
        [u as usize, v as usize, axis as usize]
    }

    /// The box; its corners were f32 numbers, so nothing is lost.
    pub(super) fn bounds(&self) -> Aabb {
        Aabb::new(self.low.map(|x| x as f32), self.high.map(|x| x as f32))
    }

    /// How far the far plane is from the near plane.
    pub(super) fn depth(&self) -> f64 {
        let w = self.direction.axis() as usize;
        self.high[w] - self.low[w]
    }

    /// Distance between neighbouring samples along both sides.
    pub(super) fn step(&self) -> [f64; 2] {
        let [u, v, _] = self.axes();
        [
            (self.high[u] - self.low[u]) / f64::from(self.resolution.columns),
            (self.high[v] - self.low[v]) / f64::from(self.resolution.rows),
        ]
    }

    /// Where a sample lies across the window, in world coordinates along its two sides.
    pub(super) fn sample(&self, [column, row]: [u32; 2]) -> [f64; 2] {
        let ([u, v, _], step) = (self.axes(), self.step());
        [self.low[u] + (f64::from(column) + 0.5) * step[0], self.low[v] + (f64::from(row) + 0.5) * step[1]]
    }

    /// Depth as a world coordinate along the axis.
    pub(super) fn world(&self, depth: f64) -> f64 {
        let w = self.direction.axis() as usize;
        if self.direction.is_positive() { self.low[w] + depth } else { self.high[w] - depth }
    }

    /// The function that places vertices; one formula for everybody, so equal positions get equal numbers.
    #[inline]
    pub(super) fn placer(&self) -> impl Fn([f64; 3]) -> Placed + Copy + Sync + use<> {
        let [u, v, w] = self.axes();
        let (low_u, low_v) = (self.low[u], self.low[v]);
        let [scale_u, scale_v] = self.samples_per_unit;
        // Depth 0 must be +0, which a product with −1 would not give.
        let (near, sign) = if self.direction.is_positive() { (self.low[w], 1.0) } else { (-self.high[w], -1.0) };
        move |vertex| Placed {
            x: (vertex[u] - low_u) * scale_u + 0.5,
            y: (vertex[v] - low_v) * scale_v + 0.5,
            z: sign * vertex[w] - near,
        }
    }

    /// The pixel a point across the window falls into; `None` outside, and for what is not finite.
    #[inline]
    pub(super) fn pixel(&self, point: [f64; 3]) -> Option<usize> {
        let [u, v, _] = self.axes();
        let (at_u, at_v) = (point[u], point[v]);
        let within = at_u >= self.low[u] && at_u <= self.high[u] && at_v >= self.low[v] && at_v <= self.high[v];
        if !within {
            return None;
        }
        // The upper border belongs to the last pixel.
        let column = (((at_u - self.low[u]) * self.samples_per_unit[0]) as u32).min(self.resolution.columns - 1);
        let row = (((at_v - self.low[v]) * self.samples_per_unit[1]) as u32).min(self.resolution.rows - 1);
        Some(row as usize * self.resolution.columns as usize + column as usize)
    }

    /// The depth of a point, which may lie before or beyond the window.
    #[inline]
    pub(super) fn depth_of(&self, point: [f64; 3]) -> f64 {
        let w = self.direction.axis() as usize;
        let at = point[w];
        if self.direction.is_positive() { at - self.low[w] } else { self.high[w] - at }
    }
}
