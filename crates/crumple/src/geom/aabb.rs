//! Axis-aligned boxes.
//!
//! Both corners are padded to four lanes with a fourth coordinate of 0 (infinite in the empty box), so that joining two
//! boxes or testing them for overlap is two vector instructions. Boxes are minima and maxima of f32 numbers: nothing is
//! rounded, so a box made of parts equals the box made of everything.

use glam::Vec4;

use super::Axis;

/// An axis-aligned box; closed, so boxes that touch overlap.
#[doc(alias = "bounding box")]
#[derive(Clone, Copy, PartialEq)]
pub struct Aabb {
    min: Vec4,
    max: Vec4,
}

impl Aabb {
    /// The box of nothing: it overlaps no box, and joining it to a box changes nothing.
    // The padding is turned inside out too: along the other three axes a box without bounds would seem to overlap it.
    pub const EMPTY: Self = Self { min: Vec4::INFINITY, max: Vec4::NEG_INFINITY };

    /// The box between two corners; empty if `min` exceeds `max` on any axis.
    pub fn new(min: [f32; 3], max: [f32; 3]) -> Self {
        Self { min: padded(min), max: padded(max) }
    }

    /// The smallest box that holds all `points`.
    pub fn of_points(points: &[[f32; 3]]) -> Self {
        points.iter().fold(Self::EMPTY, |grown, &point| grown.with_vertex(padded(point)))
    }

    /// The lower corner.
    pub fn min(&self) -> [f32; 3] {
        self.min.truncate().to_array()
    }

    /// The upper corner.
    pub fn max(&self) -> [f32; 3] {
        self.max.truncate().to_array()
    }

    /// Whether the box holds no point at all.
    pub fn is_empty(&self) -> bool {
        !self.min.cmple(self.max).all()
    }

    /// Whether the two boxes share a point; touching counts.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        (self.min.cmple(other.max) & other.min.cmple(self.max)).all()
    }

    /// Which of at most 64 boxes share a point with this one: one bit per box. No branch, since the answers are hard to
    /// predict where many boxes of a neighbourhood are compared.
    #[inline]
    pub(crate) fn overlap_mask<'a>(&self, others: impl IntoIterator<Item = &'a Self>) -> u64 {
        let mut mask = 0;
        for (bit, other) in others.into_iter().enumerate() {
            mask |= u64::from(self.overlaps(other)) << (bit % 64);
        }
        mask
    }

    /// Whether `point` lies in the box or on its border.
    pub fn contains(&self, point: [f32; 3]) -> bool {
        self.holds(padded(point))
    }

    /// The smallest box that holds both.
    #[inline]
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// What the two boxes share; empty if they are apart.
    pub fn intersection(&self, other: &Self) -> Self {
        Self { min: self.min.max(other.min), max: self.max.min(other.max) }
    }

    /// Length along each axis; negative or infinite numbers for an empty box.
    pub fn extent(&self) -> [f32; 3] {
        (self.max - self.min).truncate().to_array()
    }

    /// The middle of the box, without overflow.
    #[inline]
    pub fn centre(&self) -> [f32; 3] {
        self.middle().truncate().to_array()
    }

    /// The middle of the box with its padding.
    #[inline]
    pub(crate) fn middle(&self) -> Vec4 {
        0.5 * self.min + 0.5 * self.max
    }

    /// The volume of the box; meaningless for an empty one.
    #[inline]
    pub fn volume(&self) -> f64 {
        let [x, y, z] = (self.max.as_dvec4() - self.min.as_dvec4()).truncate().to_array();
        x * y * z
    }

    /// The axis along which the box is longest; the first of equals.
    pub fn longest_axis(&self) -> Axis {
        let extent = self.extent();
        let mut longest = Axis::X;
        for axis in [Axis::Y, Axis::Z] {
            if extent[axis as usize] > extent[longest as usize] {
                longest = axis;
            }
        }
        longest
    }

    /// The lower and the upper corner, padded to four numbers with 0 (infinities in the empty box): what a vector register loads at
    /// once.
    #[inline]
    pub fn in_lanes(&self) -> [[f32; 4]; 2] {
        [self.min, self.max].map(|corner| corner.to_array())
    }

    /// The lower corner with its padding.
    #[inline]
    pub(crate) fn low(&self) -> Vec4 {
        self.min
    }

    /// The upper corner with its padding.
    #[inline]
    pub(crate) fn high(&self) -> Vec4 {
        self.max
    }

    /// The box from two padded corners, whose fourth coordinates must be 0.
    #[inline]
    pub(crate) fn from_corners(min: Vec4, max: Vec4) -> Self {
        Self { min, max }
    }

    /// The smallest box that holds this one and a padded vertex.
    #[inline]
    pub(crate) fn with_vertex(self, vertex: Vec4) -> Self {
        Self { min: self.min.min(vertex), max: self.max.max(vertex) }
    }

    /// Whether a padded vertex lies in the box or on its border.
    #[inline]
    pub(crate) fn holds(&self, vertex: Vec4) -> bool {
        (self.min.cmple(vertex) & vertex.cmple(self.max)).all()
    }
}

impl std::fmt::Debug for Aabb {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}..{:?}", self.min(), self.max())
    }
}

fn padded(point: [f32; 3]) -> Vec4 {
    Vec4::new(point[0], point[1], point[2], 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touching_boxes_overlap_and_the_empty_box_overlaps_nothing() {
        let unit = Aabb::new([0.0; 3], [1.0; 3]);
        let right = Aabb::new([1.0, 0.0, 0.0], [2.0, 1.0, 1.0]);
        assert!(unit.overlaps(&right));
        let everything = Aabb::new([f32::NEG_INFINITY; 3], [f32::INFINITY; 3]);
        for bounds in [unit, everything, Aabb::EMPTY] {
            assert!(!Aabb::EMPTY.overlaps(&bounds) && !bounds.overlaps(&Aabb::EMPTY));
            assert_eq!((Aabb::EMPTY.union(&bounds), bounds.union(&Aabb::EMPTY)), (bounds, bounds));
        }
        assert!(Aabb::EMPTY.is_empty() && !unit.is_empty());
        assert!(unit.intersection(&Aabb::new([3.0; 3], [4.0; 3])).is_empty());
    }

    #[test]
    fn the_box_of_points_holds_them_and_nothing_more() {
        let bounds = Aabb::of_points(&[[0.0, 5.0, -1.0], [2.0, 4.0, 3.0]]);
        assert_eq!((bounds.min(), bounds.max()), ([0.0, 4.0, -1.0], [2.0, 5.0, 3.0]));
        assert!(bounds.contains([0.0, 4.5, 3.0]) && !bounds.contains([0.0, 5.1, 0.0]));
        assert_eq!(bounds.longest_axis(), Axis::Z);
    }
}
