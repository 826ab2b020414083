//! Triangles that are inside as a whole, gathered vertex by vertex (`mesh::Surround`), eight vertices at a time.
//!
//! The triangles at a vertex p with the neighbours q0 … qk around it add up to Σ (qi − p) × (qi+1 − p). Eight vertices with
//! closed fans, none of them cut, lie in the lanes; a fan with fewer neighbours than the others repeats its last one, and
//! the triangles this makes have no area: they add 0, exactly. So the sums at a vertex do not depend on the vertices beside
//! it, and nothing branches on how many neighbours there are. All other vertices are summed up one by one.

use std::ops::Range;

use crate::geom::lanes::vectors::*;

use super::VertexGradient;
use super::side::{Asked, Sums};
use crate::body::PointSource;
use crate::geom::VertexId;
use crate::geom::lanes::{Instructions, Simd, Vec3, Vec3Ops, WIDTH, dispatch};

/// What is known before whole triangles are added.
#[derive(Clone, Copy)]
pub(super) struct Inside<'a, P> {
    pub(super) asked: Asked<'a, P>,
    /// Per triangle 0 if it is not cut.
    pub(super) cut_of: &'a [u32],
    /// The corners of cut triangles, and what these add to the gradient there.
    pub(super) touched: &'a [VertexGradient],
    /// Per vertex its index in `touched` plus 1; 0 if no triangle at it is cut.
    pub(super) touched_of: &'a [u32],
}

impl<P: PointSource> Inside<'_, P> {
    /// How many of a range of vertices have a gradient.
    pub(super) fn count(&self, vertices: Range<usize>) -> usize {
        let touched_of = &self.touched_of[vertices.clone()];
        self.asked.numbers[vertices]
            .iter()
            .zip(touched_of)
            .filter(|&(&number, &index)| number != 0 || index != 0)
            .count()
    }
}

/// A part of the vertices: what whole triangles add to the sums, and where the gradient of all triangles is written.
#[derive(Debug)]
pub(super) struct Part<'a> {
    pub(super) sums: &'a mut Sums,
    /// One entry for each vertex that has a gradient.
    pub(super) gradient: &'a mut [VertexGradient],
}

impl Part<'_> {
    /// Computes the part of a range of vertices.
    pub(super) fn compute(&mut self, simd: Instructions, inside: Inside<'_, impl PointSource>, vertices: Range<usize>) {
        *self.sums = Sums::default();
        dispatch!(simd, simd => self.compute_in_lanes(simd, inside, vertices));
    }

    #[inline(always)]
    fn compute_in_lanes<S: Simd>(&mut self, simd: S, inside: Inside<'_, impl PointSource>, vertices: Range<usize>) {
        let surround = inside.asked.body.mesh().surround();
        let first = vertices.start;
        let (numbers, touched_of) = (&inside.asked.numbers[vertices.clone()], &inside.touched_of[vertices]);
        let mut fans = Fans::default();
        let mut place = 0;
        for (vertex, (&number, &index)) in (first..).zip(numbers.iter().zip(touched_of)) {
            if number == 0 && index == 0 {
                continue;
            }
            place += 1;
            let mut gradient = [0.0; 3];
            if index == 0 {
                let around = surround.at(vertex);
                if around.is_fan {
                    fans.add(vertex as u32, number, place - 1, around.neighbours);
                    if fans.count == WIDTH {
                        fans.sum_up(simd, inside.asked, self);
                    }
                    continue;
                }
            } else {
                gradient = inside.touched[index as usize - 1].gradient;
            }
            if number != 0 || !inside.asked.offsets.is_empty() {
                self.add_vertex(inside, vertex as u32, number, &mut gradient);
            }
            self.gradient[place - 1] = VertexGradient { vertex: VertexId(vertex as u32), gradient };
        }
        if fans.count > 0 {
            fans.sum_up(simd, inside.asked, self);
        }
    }

    /// Adds the triangles at one vertex that are not cut.
    fn add_vertex(&mut self, inside: Inside<'_, impl PointSource>, vertex: u32, number: i32, gradient: &mut [f64; 3]) {
        let asked = inside.asked;
        let at = |vertex: u32| asked.points.at(vertex);
        let p = at(vertex);
        let (mut normals, mut area) = ([0.0; 3], 0.0);
        // Where a surface crosses itself, the triangles at a vertex may have different numbers.
        let differ = !asked.offsets.is_empty();
        for (triangle, next, last) in asked.body.mesh().surround().at(vertex as usize).triangles() {
            if inside.cut_of[triangle as usize] == 0 {
                let mut normal = at(next).minus(p).cross(at(last).minus(p));
                let mut size = normal.dot(normal).sqrt();
                if differ {
                    let corners = asked.body.mesh().indices()[triangle as usize];
                    let corner = (0..3).find(|&k| corners[k as usize] == vertex).unwrap_or(0);
                    let own = f64::from(number + asked.offset(triangle, corner));
                    (normal, size) = (normal.times(own), size * own);
                }
                normals = normals.plus(normal);
                area += size;
            }
        }
        let number = if differ { 1.0 } else { f64::from(number) };
        self.add(asked.position(vertex), normals, area, number, gradient);
    }

    /// Adds what the triangles at a vertex at `p` add up to. For a triangle p q r with normal n, p·n = q·n = r·n: sums over
    /// corners are sums over triangles.
    #[inline(always)]
    fn add(&mut self, p: Vec3<f64>, normals: Vec3<f64>, area: f64, number: f64, gradient: &mut [f64; 3]) {
        let height = p.dot(normals) * number * (1.0 / 3.0);
        self.sums.volume += height;
        self.sums.area += area * number * (1.0 / 3.0);
        for k in 0..3 {
            self.sums.moment[k] += height * p[k];
            gradient[k] += number * (1.0 / 6.0) * normals[k];
        }
    }
}

/// Up to eight vertices with closed fans.
#[derive(Default)]
struct Fans<'a> {
    count: usize,
    vertices: [u32; WIDTH],
    numbers: [i32; WIDTH],
    /// Where their gradients are to be written.
    places: [usize; WIDTH],
    neighbours: [&'a [u32]; WIDTH],
}

impl<'a> Fans<'a> {
    #[inline(always)]
    fn add(&mut self, vertex: u32, number: i32, place: usize, neighbours: &'a [u32]) {
        let lane = self.count;
        self.vertices[lane] = vertex;
        self.numbers[lane] = number;
        self.places[lane] = place;
        self.neighbours[lane] = neighbours;
        self.count += 1;
    }

    /// Adds all triangles of the fans, and starts over.
    #[inline(always)]
    fn sum_up<S: Simd>(&mut self, simd: S, asked: Asked<'_, impl PointSource>, part: &mut Part<'_>) {
        // Lanes that are not in use repeat the first; what they find is not looked at.
        for lane in self.count..WIDTH {
            self.vertices[lane] = self.vertices[0];
            self.neighbours[lane] = self.neighbours[0];
        }
        let mut ends = [0; WIDTH];
        let mut most = 0;
        let mut at = [0; WIDTH];
        for lane in 0..WIDTH {
            ends[lane] = self.neighbours[lane].len() - 1;
            most = most.max(ends[lane]);
            at[lane] = self.neighbours[lane][ends[lane]];
        }
        let centre = asked.points.eight(simd, self.vertices);
        let first = asked.points.eight(simd, at);
        let mut last = [first[0].minus(centre[0]), first[1].minus(centre[1])];
        let zero = f64x4::splat(simd, 0.0);
        let mut normals = [[zero; 3]; 2];
        let mut areas = [zero; 2];
        for k in 0..=most {
            for lane in 0..WIDTH {
                at[lane] = self.neighbours[lane][k.min(ends[lane])];
            }
            let next = asked.points.eight(simd, at);
            for half in 0..2 {
                let next = next[half].minus(centre[half]);
                let normal = last[half].cross(next);
                normals[half] = normals[half].plus(normal);
                areas[half] += normal.dot(normal).sqrt();
                last[half] = next;
            }
        }
        for lane in 0..self.count {
            let (half, within) = (lane / 4, lane % 4);
            let p = one(&centre[half], within).minus(asked.origin);
            let area = areas[half].as_slice()[within];
            let mut gradient = [0.0; 3];
            part.add(p, one(&normals[half], within), area, f64::from(self.numbers[lane]), &mut gradient);
            part.gradient[self.places[lane]] = VertexGradient { vertex: VertexId(self.vertices[lane]), gradient };
        }
        self.count = 0;
    }
}

/// The vector in a lane.
#[inline(always)]
fn one<S: Simd>([x, y, z]: &Vec3<f64x4<S>>, lane: usize) -> Vec3<f64> {
    [x.as_slice()[lane], y.as_slice()[lane], z.as_slice()[lane]]
}
