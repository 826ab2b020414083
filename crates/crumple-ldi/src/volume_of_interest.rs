//! The box in which two bodies can overlap, and the two opposite sides from which to look at them.
//!
//! Paper: Heidelberger, Teschner & Gross 2003, section 3.1 and figure 2.
//!
//! Each body is seen from *outside itself*: from a plane before which it has no part, so that the first crossing of
//! every ray is an entry. The two planes are opposite sides of the box. Along one axis, with a from `a0` to `a1` and b
//! from `b0` to `b1`, there are two ways to do that:
//!
//! ```text
//!   a seen upwards from its own low end, b downwards from its own high end:   [a0, b1]
//!   b seen upwards from its own low end, a downwards from its own high end:   [b0, a1]
//!
//!   a      ├───────────┤             [a0, b1] ⊇ the common part [b0, a1]: both its ends would be extended
//!   b            ├──────────────┤    [b0, a1] = the common part: both ends are sides of the intersection already
//! ```
//!
//! Either interval contains the common part, because a0 <= min(a1, b1) and b1 >= max(a0, b0) and so on. It *is* the
//! common part exactly if the intervals are staggered that way. If one contains the other, each way extends one end,
//! which is the paper's extension (its figure 2b). So there are two candidates per axis, whatever the boxes; those that
//! need no extension come first, and among equals the one with the smallest distance.
//!
//! Cost: a few comparisons. Held by: the property tests below, over every configuration of two boxes.

use super::options::Direction;
use crumple::{Aabb, Axis};

/// Where two bodies can overlap, and from which sides each is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VolumeOfInterest {
    bounds: Aabb,
    direction_a: Direction,
}

impl VolumeOfInterest {
    /// The volume of interest of two boxes; `None` if they share no point.
    pub fn new(a: &Aabb, b: &Aabb) -> Option<Self> {
        let common = a.intersection(b);
        if common.is_empty() {
            return None;
        }
        // The boxes overlap, so every candidate's interval is one; compare the unextended first, then by length.
        let key = |voi: &Self| (voi.bounds != common, voi.distance());
        let better = |left: Self, right: Self| if key(&right) < key(&left) { right } else { left };
        let candidates = Axis::ALL.into_iter().flat_map(|axis| {
            let k = axis as usize;
            [
                Self::between(&common, Direction::along(axis), a.min()[k], b.max()[k]),
                Self::between(&common, Direction::along(axis).opposite(), b.min()[k], a.max()[k]),
            ]
        });
        candidates.reduce(better)
    }

    /// The columns over the sides of `across`, as deep as `deep`, along the axis on which that is shortest: for what is
    /// not an intersection. Both bodies must lie within `deep`.
    pub(super) fn over(across: &Aabb, deep: &Aabb) -> Self {
        let shorter = |left: Self, right: Self| if right.distance() < left.distance() { right } else { left };
        let [x, y, z] = Axis::ALL.map(|axis| Self::along(axis, across, deep));
        shorter(shorter(x, y), z)
    }

    /// The columns over the sides of `across`, as deep as `deep`, along a given axis.
    pub(super) fn along(axis: Axis, across: &Aabb, deep: &Aabb) -> Self {
        let k = axis as usize;
        Self::between(across, Direction::along(axis), deep.min()[k], deep.max()[k])
    }

    fn between(common: &Aabb, direction_a: Direction, low: f32, high: f32) -> Self {
        let (mut min, mut max) = (common.min(), common.max());
        let k = direction_a.axis() as usize;
        (min[k], max[k]) = (low, high);
        Self { bounds: Aabb::new(min, max), direction_a }
    }

    /// The box.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// The axis along which both bodies are seen.
    pub fn axis(&self) -> Axis {
        self.direction_a.axis()
    }

    /// The direction in which `a` is seen; its near plane is the side of the box where this direction enters.
    pub fn direction_a(&self) -> Direction {
        self.direction_a
    }

    /// The direction in which `b` is seen: the opposite one.
    pub fn direction_b(&self) -> Direction {
        self.direction_a.opposite()
    }

    /// How far the two planes are apart.
    pub fn distance(&self) -> f64 {
        let k = self.axis() as usize;
        f64::from(self.bounds.max()[k]) - f64::from(self.bounds.min()[k])
    }

    /// The volume of the box.
    pub fn volume(&self) -> f64 {
        self.bounds.volume()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The coordinate of the near plane of a direction on its axis.
    fn near(bounds: &Aabb, direction: Direction) -> f32 {
        let k = direction.axis() as usize;
        if direction.is_positive() { bounds.min()[k] } else { bounds.max()[k] }
    }

    fn has_no_part_before(body: &Aabb, direction: Direction, plane: f32) -> bool {
        let k = direction.axis() as usize;
        if direction.is_positive() { body.min()[k] >= plane } else { body.max()[k] <= plane }
    }

    fn check(a: &Aabb, b: &Aabb) {
        let common = a.intersection(b);
        let Some(voi) = VolumeOfInterest::new(a, b) else {
            assert!(common.is_empty());
            return;
        };
        let bounds = voi.bounds();
        assert!(has_no_part_before(a, voi.direction_a(), near(&bounds, voi.direction_a())), "{a:?} {b:?} {voi:?}");
        assert!(has_no_part_before(b, voi.direction_b(), near(&bounds, voi.direction_b())), "{a:?} {b:?} {voi:?}");
        assert!(bounds.contains(common.min()) && bounds.contains(common.max()));
        // Across, the box is the common part and no more; in depth it ends on sides of the two boxes.
        for axis in voi.axis().others() {
            let k = axis as usize;
            assert_eq!((bounds.min()[k], bounds.max()[k]), (common.min()[k], common.max()[k]));
        }
        // No other pair of outside faces does better: the paper's rule, tried out face by face.
        let mut best: Option<(bool, f64)> = None;
        for direction in Direction::ALL {
            let k = direction.axis() as usize;
            let (from, to) = if direction.is_positive() { (a.min()[k], b.max()[k]) } else { (b.min()[k], a.max()[k]) };
            let extended = (from, to) != (common.min()[k], common.max()[k]);
            let candidate = (extended, f64::from(to) - f64::from(from));
            best = Some(best.map_or(candidate, |best| if candidate < best { candidate } else { best }));
        }
        assert_eq!(best, Some((bounds != common, voi.distance())));
    }

    /// All 26 · 26 · … orders of two intervals' ends fit on four grid points: every configuration of two boxes occurs.
    #[test]
    fn every_configuration_of_two_boxes_is_seen_from_outside() {
        let intervals: Vec<(f32, f32)> =
            (0..4).flat_map(|low| (low..4).map(move |high| (low as f32, high as f32))).collect();
        let pairs: Vec<_> = intervals.iter().flat_map(|&a| intervals.iter().map(move |&b| (a, b))).collect();
        // 100 pairs of intervals per axis; all of x and y, and z from a stride that meets each of its pairs.
        for (i, &x) in pairs.iter().enumerate() {
            for (j, &y) in pairs.iter().enumerate() {
                for step in 0..4 {
                    let z = pairs[(i * 7 + j * 13 + step * 29) % pairs.len()];
                    let a = Aabb::new([x.0.0, y.0.0, z.0.0], [x.0.1, y.0.1, z.0.1]);
                    let b = Aabb::new([x.1.0, y.1.0, z.1.0], [x.1.1, y.1.1, z.1.1]);
                    check(&a, &b);
                }
            }
        }
    }

    proptest! {
        #[test]
        fn any_two_boxes_are_seen_from_outside(corners in prop::array::uniform4(prop::array::uniform3(-9.0f32..9.0))) {
            let [p, q, r, s] = corners;
            check(&Aabb::of_points(&[p, q]), &Aabb::of_points(&[r, s]));
        }
    }

    #[test]
    fn a_box_inside_another_extends_one_end_along_the_shorter_way_out() {
        let outer = Aabb::new([0.0; 3], [10.0, 10.0, 10.0]);
        let inner = Aabb::new([4.0, 4.0, 1.0], [6.0, 6.0, 3.0]);
        let voi = VolumeOfInterest::new(&inner, &outer).unwrap();
        // Seen downwards the inner box is 3 from the outer one's lower side.
        assert_eq!(voi.direction_a(), Direction::NegativeZ);
        assert_eq!(voi.bounds(), Aabb::new([4.0, 4.0, 0.0], [6.0, 6.0, 3.0]));
        let swapped = VolumeOfInterest::new(&outer, &inner).unwrap();
        assert_eq!((swapped.bounds(), swapped.direction_a()), (voi.bounds(), Direction::PositiveZ));
    }

    #[test]
    fn boxes_apart_have_none_and_touching_ones_a_flat_one() {
        let unit = Aabb::new([0.0; 3], [1.0; 3]);
        assert_eq!(VolumeOfInterest::new(&unit, &Aabb::new([2.0; 3], [3.0; 3])), None);
        let touching = VolumeOfInterest::new(&unit, &Aabb::new([1.0, 0.0, 0.0], [2.0, 1.0, 1.0])).unwrap();
        assert_eq!((touching.volume(), touching.distance()), (0.0, 0.0));
    }
}
