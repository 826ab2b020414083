//! What the triangles of each part add to its integrals as a whole, four triangles at a time.
//!
//! A triangle p q r adds as often as the other body winds around its corner 1. With s = p + q + r, the integral of x over it
//! is s/3 times its area, and that of x xᵀ is (s sᵀ + p pᵀ + q qᵀ + r rᵀ)/12 times its area. Triangles come in the order of
//! the mesh; as long as they are of one part, sums stay in the lanes.

use crate::geom::lanes::vectors::*;

use super::Given;
use super::connect::Connections;
use super::measure::{AXES, Sums};
use crate::geom::lanes::{Simd, Vec3Ops, in_lanes};

/// How many triangles are added at a time.
const LANES: usize = 4;

/// Adds the triangles of a body to the sums of their parts.
#[inline(always)]
pub(super) fn add<S: Simd>(simd: S, given: Given<'_>, connections: &Connections, side: usize, sums: &mut [Sums]) {
    let (body, numbers) = (given.bodies[side], given.winding[side]);
    let mut four = Four::default();
    let mut part = 0;
    let mut lanes = nothing(simd);
    for (_, vertices) in body.mesh().live_indices() {
        let number = numbers[vertices[1] as usize];
        if number == 0 {
            continue;
        }
        let of = connections.of_vertex(side, vertices[1]);
        if of != part {
            four.flush(simd, side, &mut lanes);
            reduce(&lanes, &mut sums[part]);
            lanes = nothing(simd);
            part = of;
        }
        for k in 0..3 {
            let p = body.exact_position(vertices[k]);
            for axis in 0..3 {
                four.corners[k][axis][four.count] = p[axis] - given.origin[axis];
            }
        }
        four.numbers[four.count] = f64::from(number);
        four.count += 1;
        if four.count == LANES {
            four.flush(simd, side, &mut lanes);
        }
    }
    if part < sums.len() {
        four.flush(simd, side, &mut lanes);
        reduce(&lanes, &mut sums[part]);
    }
}

/// Up to four triangles, coordinate by coordinate.
#[derive(Default)]
struct Four {
    count: usize,
    corners: [[[f64; LANES]; 3]; 3],
    numbers: [f64; LANES],
}

impl Four {
    /// Adds the triangles and starts over.
    #[inline(always)]
    fn flush<S: Simd>(&mut self, simd: S, side: usize, sums: &mut Sums<f64x4<S>>) {
        if self.count == 0 {
            return;
        }
        // Lanes that are not in use count 0 times.
        for lane in self.count..LANES {
            self.numbers[lane] = 0.0;
        }
        self.count = 0;
        let [p, q, r] =
            [in_lanes(simd, &self.corners[0]), in_lanes(simd, &self.corners[1]), in_lanes(simd, &self.corners[2])];
        let number = f64x4::from_slice(simd, &self.numbers);
        let normal = q.minus(p).cross(r.minus(p)).times(number);
        let height = p.dot(normal);
        // The number keeps its sign in the area.
        let size = normal.dot(normal).sqrt().copysign(number);
        sums.volume += height;
        sums.area += size;
        let s = p.plus(q).plus(r);
        let (third, twelfth) = (f64x4::splat(simd, 1.0 / 3.0), f64x4::splat(simd, 1.0 / 12.0));
        let (height, size_3, size_12) = (height * third, size * third, size * twelfth);
        for k in 0..3 {
            sums.moment[k] += height * s[k];
            sums.first[k] += size_3 * s[k];
            if side == 0 {
                sums.gradient[k] += normal[k];
            }
        }
        for index in 0..6 {
            let (i, j) = AXES[index];
            let product = s[i] * s[j] + p[i] * p[j] + (q[i] * q[j] + r[i] * r[j]);
            sums.second[index] += size_12 * product;
        }
    }
}

#[inline(always)]
fn nothing<S: Simd>(simd: S) -> Sums<f64x4<S>> {
    let zero = f64x4::splat(simd, 0.0);
    Sums {
        volume: zero,
        moment: [zero; 3],
        area: zero,
        first: [zero; 3],
        second: [zero; 6],
        gradient: [zero; 3],
        scale: zero,
        reach: zero,
    }
}

/// Adds what is in the lanes, in their order.
#[inline(always)]
fn reduce<S: Simd>(lanes: &Sums<f64x4<S>>, into: &mut Sums) {
    for lane in 0..LANES {
        into.volume += lanes.volume.as_slice()[lane];
        into.area += lanes.area.as_slice()[lane];
        for k in 0..3 {
            into.moment[k] += lanes.moment[k].as_slice()[lane];
            into.first[k] += lanes.first[k].as_slice()[lane];
            into.gradient[k] += lanes.gradient[k].as_slice()[lane];
        }
        for k in 0..6 {
            into.second[k] += lanes.second[k].as_slice()[lane];
        }
    }
}
