//! Signs of determinants in plain f64, where they are beyond doubt.
//!
//! For six points let E be the extents of their common box. Every difference of two of their coordinates along x is at
//! most Ex in size, likewise y and z. The determinant n·w, n = u × v, is evaluated as
//!
//! ```text
//! n.x = u.y v.z − u.z v.y   (and cyclic)        d = n.x w.x + n.y w.y + n.z w.z
//! ```
//!
//! with u, v, w differences of coordinates. Let ε = 2^-53. A rounded difference has relative error ε; a product of two
//! of them 3ε; n.x is a difference of two such, at most 2 EyEz in size, with absolute error at most 4ε · 2 EyEz. Each
//! product n.x w.x adds ε for w.x and ε for the product: 6ε · 2 ExEyEz; the two sums add at most 2ε of the total, which
//! is at most 6 ExEyEz. So the error is at most (6 + 2)ε · 6 ExEyEz = 48ε ExEyEz up to terms in ε², and
//!
//! ```text
//! |d| > 64ε · ExEyEz = 2^-47 · ExEyEz   implies that d has the sign of the determinant,
//! ```
//!
//! where the slack of 16ε also covers the ε² terms and the roundings of E and of the bound itself (5ε of its size).
//! Underflow and overflow: by the range of coordinates (see `predicates`) every number that is computed here, rounded or
//! not, is a multiple of 2^-1056 and below 2^390, so nothing is lost at either end, save that the bound may be rounded to
//! a multiple of 2^-1074. The error, a difference of two multiples of 2^-1056, is at most the largest such multiple not
//! above the bound, and rounding does not take the bound below that. Where E has a zero the bound is 0, and d is computed
//! from zeros and is 0 exactly: in doubt, as it should be.

use super::{Point, Sign, predicates};
use crate::geom::lanes::Vec3Ops;

/// Decides signs for one group of points by their common extents.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filter {
    bound: f64,
}

impl Filter {
    /// The filter for points whose coordinates differ by at most `extents`.
    #[inline]
    pub(super) fn new(extents: Point) -> Self {
        const FACTOR: f64 = 64.0 * (f64::EPSILON / 2.0);
        Self { bound: FACTOR * (extents[0] * extents[1] * extents[2]) }
    }

    /// The side of the plane of `triangle` on which each of `points` lies.
    #[inline]
    pub(super) fn sides(&self, triangle: &[Point; 3], points: &[Point; 3]) -> [Sign; 3] {
        let [a, b, c] = *triangle;
        let normal = b.minus(a).cross(c.minus(a));
        points.map(|d| self.sign(normal.dot(d.minus(a)), a, b, c, d))
    }

    /// The side of the plane through `a`, `b`, `c` on which `d` lies.
    #[inline]
    pub(super) fn orient3d(&self, a: Point, b: Point, c: Point, d: Point) -> Sign {
        self.sign(b.minus(a).cross(c.minus(a)).dot(d.minus(a)), a, b, c, d)
    }

    #[inline]
    fn sign(&self, value: f64, a: Point, b: Point, c: Point, d: Point) -> Sign {
        if value > self.bound {
            Sign::Positive
        } else if value < -self.bound {
            Sign::Negative
        } else {
            predicates::orient3d(a, b, c, d)
        }
    }
}
