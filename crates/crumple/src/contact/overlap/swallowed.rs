//! How much of the surface of one body lies inside another, closed one: also of an open surface, such as cloth.
//!
//! The area is that of one side of an overlap (`side`): Σ F |n| / 2 over the triangles of the body, F being the integral of the
//! other body's winding number over a triangle. Only the other body has to be closed for that: nothing is asked about the inside
//! of the body itself.
//!
//! Cost: that of an overlap.
//! Held by: `tests/behaviour/overlap/swallowed.rs`.

use super::side::Asked;
use super::{CompletePairs, OverlapError, OverlapFinder, SIDES, check_triangles};
use crate::body::Body;
use crate::geom::lanes::chosen_simd;

impl OverlapFinder {
    /// The area of the surface of `a` inside `b`, and of that of `b` inside `a`, given all pairs of triangles at which they
    /// meet, as for [`find`](Self::find). `None` where the outer body does not enclose a volume; the inner one may be open.
    ///
    /// What an outer body winds around twice counts twice.
    ///
    /// # Errors
    /// If a pair names a triangle that is not there.
    pub fn swallowed(
        &mut self,
        a: &Body,
        b: &Body,
        pairs: CompletePairs<'_>,
    ) -> Result<[Option<f64>; 2], OverlapError> {
        check_triangles(a, b, pairs)?;
        let encloses = |body: &Body| body.mesh().topology().unbalanced.is_none();
        let mut areas = [encloses(b), encloses(a)].map(|is_closed| is_closed.then_some(0.0));
        if areas == [None, None] {
            return Ok(areas);
        }
        let Self { cuts, windings, winding_memory, sums, found } = self;
        let bodies = [a, b];
        cuts.find(bodies, pairs);
        let Some(common) = cuts.common else { return Ok(areas) };
        windings.find(bodies, cuts, winding_memory);
        for (side, area) in areas.iter_mut().enumerate() {
            if let Some(area) = area {
                let (body, segments, numbers) = (bodies[side], &cuts.segments, &windings.0[side].numbers);
                let (sides, offsets, origin) = (SIDES[side], &[][..], common.origin);
                let asked = Asked { body, points: body, sides, segments, numbers, offsets, origin };
                // An outer body that is inside out winds around its inside −1 times.
                *area = sums.sides[side].compute(chosen_simd(), asked, &mut found.gradients[side]).area().abs();
            }
        }
        found.clear();
        Ok(areas)
    }
}
