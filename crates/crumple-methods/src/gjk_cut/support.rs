//! How far a list of triangles reaches along a direction, and the cut there.
//!
//! Paper: Hatab & Kheddar 2006, section IV: the dot products of the support search are made for the vertices that the
//! triangles share, each once, and kept for the cut. That is [`Support::SharedVertices`]; by default they are made for the
//! three corners of each triangle at once, and made again for the cut, since three at a time they cost less than to be
//! written and read.

use glam::{DVec3, Vec4};

use super::Support;
use super::corners::{Corners, Direction};
use super::lists::{ListStack, Memory};
use crumple::narrow::Boxed;
use crumple::{Body, VertexId};

/// The dot products of vertices that have been looked at, by stamps, so that nothing has to be cleared.
#[derive(Debug, Default)]
pub(super) struct Kept {
    products: Vec<(u32, f32)>,
    stamp: u32,
}

impl Kept {
    /// Starts again with no vertex looked at, of so many.
    fn forget(&mut self, vertex_count: usize) {
        if self.products.len() < vertex_count {
            self.products.resize(vertex_count, (0, 0.0));
        }
        self.stamp = self.stamp.checked_add(1).unwrap_or_else(|| {
            self.products.fill((0, 0.0));
            1
        });
    }

    /// The products of the corners of a triangle whose vertices have all been looked at; the last comes twice.
    #[inline]
    fn of(&self, [p, q, r]: [u32; 3]) -> Vec4 {
        let product = |vertex: u32| self.products[vertex as usize].1;
        Vec4::new(product(p), product(q), product(r), product(r))
    }
}

/// How many triangles of a list are samples of it.
pub(super) const SAMPLES: usize = 32;

/// One of the two ends of a list along a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Low,
    High,
}

/// The vertex of a list that reaches least far, or farthest, along a direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extreme {
    pub(super) along: f32,
    pub(super) vertex: DVec3,
}

impl ListStack<'_> {
    /// The extreme vertex of the list from `start` on, which is not empty.
    pub(super) fn extreme(&mut self, start: usize, direction: &Direction, end: End) -> Extreme {
        match self.support {
            Support::Corners => self.extreme_corner(start, direction, end),
            Support::SharedVertices => self.extreme_vertex(start, direction, end),
        }
    }

    fn extreme_corner(&mut self, start: usize, direction: &Direction, end: End) -> Extreme {
        let list = self.list(start);
        // Towards the low end, both are measured the other way round.
        let sign = if end == End::High { 1.0 } else { -1.0 };
        let (mut farthest, mut at) = (f32::NEG_INFINITY, list[0].triangle);
        for item in list {
            let along = sign * self.corners(item).along(direction);
            // Seldom so: the extreme of n numbers in random order changes about ln n times.
            if along.cmpgt(Vec4::splat(farthest)).any() {
                (farthest, at) = (along.max_element(), item.triangle);
            }
        }
        let corners = self.corners(&Boxed { triangle: at, ..list[0] });
        let lane = (sign * corners.along(direction)).max_position();
        self.dot_products += 3 * (self.top - start) as u64;
        Extreme { along: sign * farthest, vertex: corners.corner(lane) }
    }

    fn extreme_vertex(&mut self, start: usize, direction: &Direction, end: End) -> Extreme {
        let (body, triangles) = (self.body, self.body.mesh().indices());
        let Memory { items, kept, .. } = &mut *self.memory;
        kept.forget(body.positions().len());
        let list = &items[start..self.top];
        let sign = if end == End::High { 1.0 } else { -1.0 };
        let (mut farthest, mut at) = (f32::NEG_INFINITY, triangles[list[0].triangle.index()][0]);
        for vertex in list.iter().flat_map(|item| triangles[item.triangle.index()]) {
            let (stamp, product) = &mut kept.products[vertex as usize];
            if *stamp != kept.stamp {
                (*stamp, *product) = (kept.stamp, direction.along(self.local.corner(four(body, vertex))));
                self.dot_products += 1;
                if sign * *product > farthest {
                    (farthest, at) = (sign * *product, vertex);
                }
            }
        }
        let vertex = self.local.corner(four(body, at)).truncate().as_dvec3();
        Extreme { along: sign * farthest, vertex }
    }

    /// From where to where some triangles of the list from `start` on, which is not empty, reach along a direction.
    pub(super) fn samples(&mut self, start: usize, direction: &Direction) -> [(f32, f32); SAMPLES] {
        self.dot_products += 3 * SAMPLES as u64;
        let list = self.list(start);
        std::array::from_fn(|at| {
            let along = self.corners(&list[at * list.len() / SAMPLES]).along(direction);
            (along.min_element(), along.max_element())
        })
    }

    /// Drops the triangles of the list from `start` on that lie before `limit` (towards the low end) or after it; whether any
    /// went. Comes after the search for the other end along the same direction.
    pub(super) fn cut(&mut self, start: usize, direction: &Direction, limit: f32, side: End) -> bool {
        let limit = Vec4::splat(limit);
        let stays = |along: Vec4| match side {
            End::Low => along.cmpge(limit).any(),
            End::High => along.cmple(limit).any(),
        };
        let (body, local) = (self.body, self.local);
        let triangles = body.mesh().indices();
        match self.support {
            Support::Corners => self.retain(start, |item, _| {
                let corners = triangles[item.triangle.index()].map(|vertex| local.corner(four(body, vertex)));
                stays(Corners::new(corners).along(direction))
            }),
            Support::SharedVertices => {
                self.retain(start, |item, kept| stays(kept.of(triangles[item.triangle.index()])))
            }
        }
    }

    /// A vertex of the list from `start` on: the first corner of its first triangle.
    pub(super) fn any_vertex(&self, start: usize) -> DVec3 {
        self.corners(&self.list(start)[0]).corner(0)
    }

    #[inline]
    fn corners(&self, item: &Boxed) -> Corners {
        // The fourth coordinate is anything, and no lane of the corners by axis.
        Corners::new(
            self.body.mesh().indices()[item.triangle.index()].map(|vertex| self.local.corner(four(self.body, vertex))),
        )
    }
}

/// A vertex, with anything for a fourth coordinate.
#[inline]
fn four(body: &Body, vertex: u32) -> Vec4 {
    Vec4::from_array(body.position_in_lanes(VertexId(vertex)))
}
