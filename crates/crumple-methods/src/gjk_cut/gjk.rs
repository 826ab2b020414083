//! The distance between the convex hulls of two point sets, with a proof.
//!
//! Papers: Gilbert, Johnson & Keerthi 1988; the separating-axis form and its early exit, van den Bergen 1999; the
//! direction update, Chung & Wang 1996. The hulls are never built: each step looks for the extreme points of both sets
//! along one direction, O(m + n).
//!
//! Every answer is an interval with a witness for each end. The distance is at most that of two points of the hulls,
//! given with their weights on the sets' own points; it is at least the gap between the two sets along an axis, given
//! too. Both ends allow for every rounding, so the interval always holds the true distance.
//!
//! How wide it can be. Let S be the largest extent of the box of all points, u = 2^-53. The nearest point v is a sum of
//! weighted points of size S, so it carries an error of a few u·S, and the gap along v comes out too small by about
//! u·S²/|v|. So a step that no longer helps leaves an interval no wider than about √u·S; with |v| above √u·S or hulls
//! that meet, far less. Stated, and held by `tests/exactness/gjk_distance.rs` on 100,000 hulls: at most 2^-24 · S, half a unit in
//! the last place of an f32 of the size of the scene.
//!
//! The slacks. Points are measured from the centre of the box, so their coordinates are at most S/2 in size, with a
//! relative rounding u. A dot product with d has error at most 4u · S/2 · |d|₁ (one for the coordinate, one for the
//! product, two for the sums), the gap of two of them 5u · S · |d|₁, and |d|₁ ≤ √3 |d|; dividing by |d| adds 3u of at
//! most √3 · S. That is below 16u·S. A point with weights that add up to 1 within 4u, of points with relative rounding
//! u, by four products and sums, is within 12u · √3 · S of a point of the hull. Both are covered by 32u·S = 2^-48 · S.

use glam::DVec3;

use super::direction::{reflected, unit};
use super::simplex::{Corner, Simplex};
use super::{GjkError, PointSet};

/// Covers every rounding in a gap or a witness, as a part of the size of the scene: see the module's derivation.
const SLACK: f64 = 1.0 / (1u64 << 48) as f64;

/// Four weights that give the origin up to this part of the size of the scene are taken for an overlap.
const OVERLAP: f64 = 1.0 / (1u64 << 40) as f64;

/// Far more steps than the hulls of the tests need (10); if they run out, the interval is wider, not wrong.
const MOST_STEPS: u32 = 200;

/// Reflections tried before the search for the distance takes over: they cost less a step, and need not ever end.
const REFLECTIONS: usize = 8;

/// What is known about the distance of two convex hulls, and why.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct GjkResult {
    /// The distance between the two witness points.
    pub distance: f64,
    /// The true distance is at least this.
    pub lower_bound: f64,
    /// The true distance is at most this; wider than [`Self::lower_bound`] by at most 2^-24 of the largest extent of the
    /// box of all points.
    pub upper_bound: f64,
    /// The point of hull A nearest to hull B.
    pub point_a: [f64; 3],
    /// The point of hull B nearest to hull A.
    pub point_b: [f64; 3],
    /// How the search ended.
    pub outcome: GjkOutcome,
    /// How many directions were looked along.
    pub steps: u32,
    weights: [GjkWeight; 4],
    weight_count: usize,
}

impl GjkResult {
    /// The witness points as weighted sums of points of the two sets, up to four of each; the weights add up to 1.
    pub fn weights(&self) -> &[GjkWeight] {
        &self.weights[..self.weight_count]
    }
}

/// A point of each set and the weight that both have in the witness points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GjkWeight {
    /// A point of the first set.
    pub index_a: usize,
    /// A point of the second set.
    pub index_b: usize,
    /// Their weight.
    pub weight: f64,
}

/// How a search for the distance of two hulls ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GjkOutcome {
    /// The hulls are apart, beyond doubt: along `axis`, of length one, all of A lies before all of B.
    Apart {
        /// The direction from A to B along which the gap is at least the lower bound.
        axis: [f64; 3],
    },
    /// The hulls overlap or touch, or are apart by no more than the upper bound, which is within the stated bound.
    Touching,
}

/// The distance between the convex hulls of two point sets.
///
/// ```
/// use crumple_methods::gjk_cut::{GjkOutcome, gjk_distance};
///
/// let square = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [2.0, 2.0, 0.0]];
/// let above = gjk_distance(&square, &[[1.0, 0.5, 3.0]])?;
/// assert!(above.lower_bound <= 3.0 && 3.0 <= above.upper_bound && above.upper_bound - above.lower_bound < 1e-12);
/// assert!(matches!(above.outcome, GjkOutcome::Apart { axis } if axis[2] > 0.999));
/// # Ok::<(), crumple_methods::gjk_cut::GjkError>(())
/// ```
///
/// # Errors
/// If a set is empty or a point is not finite.
pub fn gjk_distance(points_a: &[[f32; 3]], points_b: &[[f32; 3]]) -> Result<GjkResult, GjkError> {
    let hulls = Hulls::new(points_a, points_b)?;
    Ok(hulls.search(None))
}

/// An axis of length one along which all of A lies before all of B, beyond doubt; `None` if the hulls touch, overlap or
/// are so close that rounding hides the gap (within 2^-24 of the largest extent of the box of all points).
///
/// Stops as soon as there is such an axis, and so earlier than the distance.
///
/// # Errors
/// If a set is empty or a point is not finite.
pub fn gjk_separating_axis(points_a: &[[f32; 3]], points_b: &[[f32; 3]]) -> Result<Option<[f64; 3]>, GjkError> {
    let hulls = Hulls::new(points_a, points_b)?;
    if let Some(axis) = hulls.reflect_until_apart() {
        return Ok(Some(axis.to_array()));
    }
    Ok(match hulls.search(Some(0.0)).outcome {
        GjkOutcome::Apart { axis } => Some(axis),
        GjkOutcome::Touching => None,
    })
}

/// Two point sets, measured from the centre of their common box.
struct Hulls<'a> {
    points_a: &'a [[f32; 3]],
    points_b: &'a [[f32; 3]],
    centre: DVec3,
    size: f64,
}

/// The extreme points along a direction from A to B, and the gap between them, rounded down.
struct Support {
    corner: Corner,
    gap: f64,
}

impl<'a> Hulls<'a> {
    fn new(points_a: &'a [[f32; 3]], points_b: &'a [[f32; 3]]) -> Result<Self, GjkError> {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for (set, points) in [(PointSet::A, points_a), (PointSet::B, points_b)] {
            if points.is_empty() {
                return Err(GjkError::NoPoints { set });
            }
            for (index, &point) in points.iter().enumerate() {
                if !point.iter().all(|x| x.is_finite()) {
                    return Err(GjkError::NotFinite { set, index, point });
                }
                (low, high) = (low.min(widened(point)), high.max(widened(point)));
            }
        }
        Ok(Self { points_a, points_b, centre: 0.5 * (low + high), size: (high - low).max_element() })
    }

    /// Looks along a direction from A to B, of length about one.
    fn support(&self, direction: DVec3) -> Support {
        let farthest = |points: &[[f32; 3]], direction: DVec3| {
            let mut best = (0, f64::NEG_INFINITY);
            for (index, &point) in points.iter().enumerate() {
                let along = (widened(point) - self.centre).dot(direction);
                if along > best.1 {
                    best = (index, along);
                }
            }
            best
        };
        let (index_a, end_of_a) = farthest(self.points_a, direction);
        let (index_b, start_of_b) = farthest(self.points_b, -direction);
        let gap = (-start_of_b - end_of_a) / direction.length() - SLACK * self.size;
        Support { corner: self.corner(index_a, index_b), gap }
    }

    fn corner(&self, index_a: usize, index_b: usize) -> Corner {
        let point = widened(self.points_a[index_a]) - widened(self.points_b[index_b]);
        Corner { point, index_a, index_b }
    }

    /// Chung & Wang's search: quick where the hulls are apart, without an answer where they are not.
    fn reflect_until_apart(&self) -> Option<DVec3> {
        let mut direction = unit(-self.corner(0, 0).point)?;
        for _ in 0..REFLECTIONS {
            let support = self.support(direction);
            if support.gap > 0.0 {
                return Some(direction);
            }
            direction = reflected(direction, support.corner.point)?;
        }
        None
    }

    /// Brings the two ends of the interval together; stops early once the lower one is above `enough`.
    fn search(&self, enough: Option<f64>) -> GjkResult {
        let mut simplex = Simplex::new(self.corner(0, 0));
        let (mut lower_bound, mut axis) = (0.0, None);
        let mut steps = 0;
        // The plane of a triangle is tried first; where it does not help, the nearest point itself.
        let mut by_plane = true;
        while steps < MOST_STEPS {
            let nearest = simplex.nearest();
            let length = nearest.length();
            let plane = if by_plane { simplex.normal().and_then(unit) } else { None };
            // The nearest point of A − B seen from the origin is the direction from B to A.
            let Some(direction) = plane.or_else(|| unit(nearest)).map(|direction| -direction) else {
                break;
            };
            let support = self.support(direction);
            steps += 1;
            if support.gap > lower_bound {
                (lower_bound, axis) = (support.gap, Some(direction));
            }
            let done = length - lower_bound <= 2.0 * SLACK * self.size || simplex.is_full();
            if done || enough.is_some_and(|enough| lower_bound > enough) {
                break;
            }
            let Corner { index_a, index_b, .. } = support.corner;
            let next = (!simplex.contains(index_a, index_b))
                .then(|| simplex.joined(support.corner, OVERLAP * self.size))
                .filter(|next| next.nearest().length() < length);
            match next {
                Some(next) => (simplex, by_plane) = (next, true),
                None if plane.is_some() => by_plane = false,
                None => break,
            }
        }
        self.result(&simplex, lower_bound, axis, steps)
    }

    fn result(&self, simplex: &Simplex, lower_bound: f64, axis: Option<DVec3>, steps: u32) -> GjkResult {
        let (mut point_a, mut point_b) = (self.centre, self.centre);
        let mut weights = [GjkWeight::default(); 4];
        let mut weight_count = 0;
        for (&Corner { index_a, index_b, .. }, weight) in simplex.corners() {
            point_a += weight * (widened(self.points_a[index_a]) - self.centre);
            point_b += weight * (widened(self.points_b[index_b]) - self.centre);
            weights[weight_count] = GjkWeight { index_a, index_b, weight };
            weight_count += 1;
        }
        let distance = simplex.nearest().length();
        GjkResult {
            distance,
            lower_bound,
            upper_bound: distance + SLACK * self.size,
            point_a: point_a.to_array(),
            point_b: point_b.to_array(),
            outcome: axis.map_or(GjkOutcome::Touching, |axis| GjkOutcome::Apart { axis: axis.to_array() }),
            steps,
            weights,
            weight_count,
        }
    }
}

fn widened(point: [f32; 3]) -> DVec3 {
    DVec3::from_array(point.map(f64::from))
}
