//! Integrals over the surface of each connected part of an overlap.

use super::connect::Connections;
use super::{Data, Given, whole};
use crate::contact::overlap::{ROUNDING, scale_of};
use crate::geom::lanes::{Instructions, Vec3, Vec3Ops, dispatch};

/// Integrals over a triangle as fractions of its area: of 1, and of the coordinates along its first two edges and their
/// products.
#[derive(Clone, Copy, Debug, Default)]
struct Fractions {
    whole: f64,
    first: [f64; 2],
    second: [f64; 3],
    /// What the error of `whole` is measured by: c = β_P γ_Q − γ_P β_Q is off by as much as the coordinates are, which have errors
    /// of some 2^-53 each however small they are, times the coordinates they are multiplied by.
    size: f64,
}

impl Fractions {
    /// Adds a multiple of the triangle between corner 0 and a segment; see `overlap` for why this is all there is.
    fn add(&mut self, times: f64, [p, q]: [[f64; 2]; 2]) {
        let c = times * (p[0] * q[1] - p[1] * q[0]);
        self.whole += c;
        self.size += p[0].abs() + p[1].abs() + q[0].abs() + q[1].abs();
        (0..2).for_each(|k| self.first[k] += c * (p[k] + q[k]) / 3.0);
        self.second[0] += c * (p[0] * p[0] + p[0] * q[0] + q[0] * q[0]) / 6.0;
        self.second[1] += c * (2.0 * (p[0] * p[1] + q[0] * q[1]) + p[0] * q[1] + q[0] * p[1]) / 12.0;
        self.second[2] += c * (p[1] * p[1] + p[1] * q[1] + q[1] * q[1]) / 6.0;
    }
}

/// Corner 2 of a triangle in its own coordinates.
const CORNER_2: [f64; 2] = [0.0, 1.0];

/// A triangle that is cut, the part its first segment is in, and what the segments of that part add to its integrals.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CutTriangle {
    triangle: u32,
    part: usize,
    fractions: Fractions,
}

impl CutTriangle {
    fn add(&mut self, triangle: u32, part: usize, more: &Fractions) {
        (self.triangle, self.part) = (triangle, part);
        self.fractions.whole += more.whole;
        self.fractions.size += more.size;
        (0..2).for_each(|k| self.fractions.first[k] += more.first[k]);
        (0..3).for_each(|k| self.fractions.second[k] += more.second[k]);
    }
}

/// Integrals over the surface of a part, from the origin of the sums: numbers, or one in each lane.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums<R = f64> {
    /// Six times the volume, and eight times its first moment.
    pub(super) volume: R,
    pub(super) moment: [R; 3],
    /// Twice the area, its first and second moments: xx, xy, xz, yy, yz, zz.
    pub(super) area: R,
    pub(super) first: [R; 3],
    pub(super) second: [R; 6],
    /// Twice the gradient by a translation of body a.
    pub(super) gradient: [R; 3],
    /// What the errors of cut triangles are measured by (`overlap::ROUNDING`), and how far their corners are from the origin at
    /// most. Not used in lanes.
    pub(super) scale: R,
    pub(super) reach: R,
}

/// The axes of the second moments.
pub(super) const AXES: [(usize, usize); 6] = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];

impl Sums {
    pub(super) fn volume(&self) -> f64 {
        self.volume / 6.0
    }

    pub(super) fn area(&self) -> f64 {
        self.area / 2.0
    }

    /// Whether there is a volume, given the longest side of the common box. A part may have segments and no volume where bodies
    /// touch: then its volume is made of rounding, and so are its area and its moments.
    pub(super) fn has_volume(&self, size: f64) -> bool {
        self.volume.abs() > ROUNDING * (size.max(self.reach) * self.area.abs() + self.scale)
    }

    /// Notes that a triangle is cut, with fractions of this size.
    fn note_cut(&mut self, corners: &[Vec3<f64>; 3], size: f64) {
        let [p, q, r] = corners;
        self.scale += scale_of(corners, q.minus(*p).cross(r.minus(*p))) * size;
        self.reach = self.reach.max(p.dot(*p).sqrt());
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.volume += other.volume;
        self.scale += other.scale;
        self.reach = self.reach.max(other.reach);
        self.area += other.area;
        for k in 0..3 {
            self.moment[k] += other.moment[k];
            self.first[k] += other.first[k];
            self.gradient[k] += other.gradient[k];
        }
        (0..6).for_each(|k| self.second[k] += other.second[k]);
    }

    /// Adds part of a triangle, given by its corners less the origin.
    fn add_triangle(&mut self, side: usize, [p, q, r]: [Vec3<f64>; 3], of: &Fractions) {
        let (u, v) = (q.minus(p), r.minus(p));
        let normal = u.cross(v);
        let (height, size) = (p.dot(normal), normal.dot(normal).sqrt());
        self.volume += height * of.whole;
        self.area += size * of.whole;
        let [u1, v1] = of.first;
        let [uu, uv, vv] = of.second;
        let at = |k: usize| of.whole * p[k] + u1 * u[k] + v1 * v[k];
        for k in 0..3 {
            self.moment[k] += height * at(k);
            self.first[k] += size * at(k);
            if side == 0 {
                self.gradient[k] += normal[k] * of.whole;
            }
        }
        for (index, (i, j)) in AXES.into_iter().enumerate() {
            let product = of.whole * p[i] * p[j]
                + u1 * (p[i] * u[j] + u[i] * p[j])
                + v1 * (p[i] * v[j] + v[i] * p[j])
                + uu * u[i] * u[j]
                + uv * (u[i] * v[j] + v[i] * u[j])
                + vv * v[i] * v[j];
            self.second[index] += size * product;
        }
    }

    /// The region with these sums.
    pub(super) fn region(&self, origin: [f64; 3]) -> Data {
        let (volume, area) = (self.volume(), self.area());
        let gradient = self.gradient.map(|x| x / 2.0);
        let contact_area = gradient.iter().map(|x| x * x).sum::<f64>().sqrt();
        // A gradient that is all rounding has no direction.
        let has_normal = contact_area > 1e-12 * area.abs();
        let centroid = self.moment.map(|x| x / 8.0 / volume);
        // No surface around a volume has less area than a sphere, 4.8 V^(2/3). Where the winding number has both signs, areas may
        // cancel all the same; then they have no centre.
        let has_area = area.abs() > volume.abs().cbrt().powi(2);
        let centre = if has_area { self.first.map(|x| x / 2.0 / area) } else { centroid };
        let moment = |i: usize, j: usize| {
            let (i, j) = (i.min(j), i.max(j));
            let index = [0, 1, 2, 0, 3, 4, 0, 0, 5][3 * i + j];
            self.second[index] / 2.0 - area * centre[i] * centre[j]
        };
        Data {
            volume,
            area,
            centroid: std::array::from_fn(|k| origin[k] + centroid[k]),
            normal: gradient.map(|x| if has_normal { -x / contact_area } else { 0.0 }),
            contact_area,
            surface_centroid: std::array::from_fn(|k| origin[k] + centre[k]),
            surface_moments: std::array::from_fn(|i| std::array::from_fn(|j| moment(i, j))),
            ..Data::default()
        }
    }
}

/// Sums up each part; `sums` is overwritten, one entry per part.
pub(super) fn sum_up(
    simd: Instructions,
    given: Given<'_>,
    connections: &Connections,
    cut: &mut Vec<CutTriangle>,
    sums: &mut Vec<Sums>,
) {
    sums.clear();
    sums.resize(connections.part_count(), Sums::default());
    for side in 0..2 {
        let body = given.bodies[side];
        let corners = |triangle: u32| {
            body.mesh().indices()[triangle as usize].map(|vertex| {
                let p = body.exact_position(vertex);
                [0, 1, 2].map(|k| p[k] - given.origin[k])
            })
        };
        cut.clear();
        cut.resize(connections.cut_count(side), CutTriangle::default());
        for (segment, &curve) in given.segments.iter().zip(&given.links.curve_of) {
            let (ends, first_edge) = (segment.cut.ends, 3 * side as u8);
            let ([p, q], sign) = if side == 0 { (segment.cut.in_a, 1.0) } else { (segment.cut.in_b, -1.0) };
            let mut fractions = Fractions::default();
            fractions.add(sign, [p, q]);
            // Along a's border the start leaves b and the end enters it; along b's it is the other way round.
            if ends.start == first_edge + 1 {
                fractions.add(-sign, [p, CORNER_2]);
            }
            if ends.end == first_edge + 1 {
                fractions.add(sign, [q, CORNER_2]);
            }
            let (triangle, part) = (segment.triangles[side], connections.of_curve(curve));
            match connections.cut_triangle(side, triangle) {
                // Most triangles are in one part: what their segments add is put together first.
                Some((index, of)) if of == part => cut[index].add(triangle, part, &fractions),
                _ => {
                    sums[part].add_triangle(side, corners(triangle), &fractions);
                    sums[part].note_cut(&corners(triangle), fractions.size);
                }
            }
        }
        for CutTriangle { triangle, part, fractions } in cut.iter() {
            let corners = corners(*triangle);
            sums[*part].add_triangle(side, corners, fractions);
            sums[*part].note_cut(&corners, fractions.size);
            // Below, it is added as a whole for its corner 1.
            let corner = body.mesh().indices()[*triangle as usize][1];
            let number = given.winding[side][corner as usize];
            if number != 0 {
                sums[connections.of_vertex(side, corner)].note_cut(&corners, f64::from(number.abs()));
            }
        }
        dispatch!(simd, simd => whole::add(simd, given, connections, side, sums));
    }
}
