//! The corners of a triangle, laid out for looking along a direction.
//!
//! Departs from Hatab & Kheddar 2006, section IV, for speed: the paper looks along a direction at the vertices a list of
//! triangles shares, to save dot products ([`Support::SharedVertices`](super::Support) does). By default all corners are
//! looked at: those of a triangle lie in one vector register by axis, and their three dot products take the five
//! instructions of one:
//!
//! ```text
//! x  x₀ x₁ x₂ x₂     along  =  x · dx + y · dy + z · dz     (the last corner comes twice: it changes no extreme)
//! y  y₀ y₁ y₂ y₂
//! z  z₀ z₁ z₂ z₂
//! ```
//!
//! Corners are taken relative to the centre of the region in which the bodies may meet, scaled by a power of two to a
//! size of about one, so that neither far-away nor huge nor tiny bodies cost digits. The scaling rounds nothing but what
//! underflows; the difference rounds once.

use glam::{DVec3, Vec4};

use crumple::Aabb;

/// Where the corners of both bodies are measured from, and in which unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocalCoordinates {
    /// A power of two.
    scale: f32,
    /// The centre, scaled; the padding is 0.
    centre: Vec4,
    /// No coordinate is larger in size, once it is relative and scaled.
    pub(super) largest: f32,
    /// How far a coordinate may be off because it was rounded to f32, in the same unit.
    pub(super) rounding: f32,
}

impl LocalCoordinates {
    /// Coordinates for all points of `everything`, around the centre of `region`; they may be off by `rounding`.
    pub(super) fn new(everything: &Aabb, region: &Aabb, rounding: f32) -> Self {
        let wide = |corner: [f32; 3]| DVec3::from_array(corner.map(f64::from));
        let (low, high) = (wide(everything.min()), wide(everything.max()));
        let centre = 0.5 * (wide(region.min()) + wide(region.max()));
        let reach = (high - centre).max(centre - low).max_element();
        // 2^-exponent brings the reach to between 1/2 and 1; where that is no f32 number, as near as there is one.
        let exponent = if reach > 0.0 { reach.log2().ceil().clamp(-126.0, 127.0) as i32 } else { 0 };
        let scale = 2.0f32.powi(-exponent);
        let centre = (centre * f64::from(scale)).as_vec3();
        // The centre, the reach and the scaled corners are rounded, each by far less than this adds.
        let largest = (reach * f64::from(scale) * (1.0 + 1e-6)) as f32 + f32::MIN_POSITIVE;
        Self { scale, centre: centre.extend(0.0), largest, rounding: rounding * scale }
    }

    /// A vertex in these coordinates.
    #[inline]
    pub(super) fn corner(&self, vertex: Vec4) -> Vec4 {
        vertex * self.scale - self.centre
    }
}

/// A direction, each coordinate in all lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Direction {
    by_axis: [Vec4; 3],
}

impl Direction {
    pub(super) fn new(direction: DVec3) -> Self {
        Self { by_axis: direction.as_vec3().to_array().map(Vec4::splat) }
    }

    /// The sum of its coordinates' sizes.
    pub(super) fn taxicab_length(&self) -> f32 {
        self.by_axis.iter().map(|axis| axis.x.abs()).sum()
    }

    /// How far one corner reaches along it: the same number that [`Corners::along`] gives.
    #[inline]
    pub(super) fn along(&self, corner: Vec4) -> f32 {
        let [dx, dy, dz] = self.by_axis;
        (corner.x * dx.x + corner.y * dy.x) + corner.z * dz.x
    }
}

/// The corners of a triangle, by axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corners {
    by_axis: [Vec4; 3],
}

impl Corners {
    #[inline]
    pub(super) fn new([p, q, r]: [Vec4; 3]) -> Self {
        let along = |axis: usize| Vec4::new(p[axis], q[axis], r[axis], r[axis]);
        Self { by_axis: [along(0), along(1), along(2)] }
    }

    /// How far each corner reaches along a direction.
    #[inline]
    pub(super) fn along(&self, direction: &Direction) -> Vec4 {
        let ([x, y, z], [dx, dy, dz]) = (self.by_axis, direction.by_axis);
        (x * dx + y * dy) + z * dz
    }

    /// A corner by the number of its lane.
    pub(super) fn corner(&self, lane: usize) -> DVec3 {
        DVec3::from_array(self.by_axis.map(|axis| f64::from(axis[lane])))
    }
}
