//! The next direction to look along.
//!
//! Paper: Chung & Wang 1996, as given by Hatab & Kheddar 2006, line 15 of algorithm 4.2. If the supports of two hulls
//! along a direction overlap, the next direction is the old one reflected at the plane orthogonal to their difference:
//! it turns away from the side on which they overlap, without solving for a simplex.

use glam::DVec3;

/// The direction reflected at the plane orthogonal to `between`; `None` if that is nothing, since the two supports are
/// one point and no direction separates them.
pub(super) fn reflected(direction: DVec3, between: DVec3) -> Option<DVec3> {
    let between = unit(between)?;
    // Brought to length one again, or roundings would add up over many reflections.
    unit(direction - 2.0 * direction.dot(between) * between)
}

/// A vector of length one, whatever the size of the numbers; `None` for zero and what is not finite.
pub(super) fn unit(vector: DVec3) -> Option<DVec3> {
    let largest = vector.abs().max_element();
    if largest > 0.0 && largest.is_finite() { (vector / largest).try_normalize() } else { None }
}
