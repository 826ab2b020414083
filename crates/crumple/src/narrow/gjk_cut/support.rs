//! The triangles of one side that are still in question, and how far they reach along a direction.
//!
//! Paper: Hatab & Kheddar 2006, section IV: the support search runs over a list of the vertices that the triangles
//! share, not over three a triangle, and its dot products are kept, since the cut needs the same ones.
//!
//! Lists live on one stack: a call of the search copies its lists to the top, cuts and splits them there, and takes them
//! off again. Halves are half as long, so the stack stays at about twice the body, and nothing is allocated once the
//! deepest search has been seen.

use glam::{DVec3, Vec4};

use crate::body::Body;
use crate::mesh::Mesh;

/// Working memory of one side, reused from query to query.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// The stack of triangle lists.
    triangles: Vec<u32>,
    /// The vertices of the list on top.
    vertices: Vec<u32>,
    /// How far each vertex reaches along the last direction; right for the vertices of the list on top.
    along: Vec<f64>,
    /// Which list a vertex was last put into.
    seen: Vec<u32>,
    stamp: u32,
    keys: Vec<(f64, u32)>,
}

/// How far a list reaches along a direction, and the vertices at its ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) low_vertex: u32,
    pub(super) high_vertex: u32,
}

/// A body and the stack of its triangle lists.
pub(super) struct Half<'a> {
    mesh: &'a Mesh,
    positions: &'a [Vec4],
    triangles: &'a [[u32; 3]],
    memory: &'a mut Memory,
    pub(super) dot_products: u64,
}

impl<'a> Half<'a> {
    /// An empty stack for a body.
    pub(super) fn new(body: &'a Body, memory: &'a mut Memory) -> Self {
        let (positions, triangles) = (body.vertices(), body.mesh().triangles());
        memory.triangles.clear();
        memory.along.resize(positions.len(), 0.0);
        memory.seen.resize(positions.len(), 0);
        Self { mesh: body.mesh(), positions, triangles, memory, dot_products: 0 }
    }

    /// Puts all triangles of the body on the stack.
    pub(super) fn push_all(&mut self) {
        self.memory.triangles.extend(self.mesh.live_numbers());
    }

    /// Where the next list will start.
    pub(super) fn top(&self) -> usize {
        self.memory.triangles.len()
    }

    /// Puts a copy of a part of the stack on top of it.
    pub(super) fn push_copy(&mut self, of: std::ops::Range<usize>) {
        self.memory.triangles.extend_from_within(of);
    }

    /// Puts a part of another stack on top of this one.
    pub(super) fn push_from(&mut self, other: &Half<'_>, of: std::ops::Range<usize>) {
        self.memory.triangles.extend_from_slice(&other.memory.triangles[of]);
    }

    /// Takes everything from `start` on off the stack.
    pub(super) fn pop(&mut self, start: usize) {
        self.memory.triangles.truncate(start);
    }

    /// The list from `start` on.
    pub(super) fn list(&self, start: usize) -> &[u32] {
        &self.memory.triangles[start..]
    }

    pub(super) fn position(&self, vertex: u32) -> DVec3 {
        widened(self.positions[vertex as usize])
    }

    /// The mean of the gathered vertices, of which there are some.
    pub(super) fn mean(&self) -> DVec3 {
        let vertices = &self.memory.vertices;
        vertices.iter().map(|&vertex| self.position(vertex)).sum::<DVec3>() / vertices.len() as f64
    }

    /// Lists the vertices of the list from `start` on, each once.
    pub(super) fn gather_vertices(&mut self, start: usize) {
        let Memory { triangles, vertices, seen, stamp, .. } = &mut *self.memory;
        *stamp = stamp.checked_add(1).unwrap_or_else(|| {
            seen.fill(0);
            1
        });
        vertices.clear();
        for &triangle in &triangles[start..] {
            for vertex in self.triangles[triangle as usize] {
                if std::mem::replace(&mut seen[vertex as usize], *stamp) != *stamp {
                    vertices.push(vertex);
                }
            }
        }
    }

    /// How far the gathered vertices reach along a direction.
    pub(super) fn reach(&mut self, direction: DVec3) -> Reach {
        let Memory { vertices, along, .. } = &mut *self.memory;
        let mut reach = Reach { low: f64::INFINITY, high: f64::NEG_INFINITY, low_vertex: 0, high_vertex: 0 };
        for &vertex in vertices.iter() {
            let dot = widened(self.positions[vertex as usize]).dot(direction);
            along[vertex as usize] = dot;
            if dot < reach.low {
                (reach.low, reach.low_vertex) = (dot, vertex);
            }
            if dot > reach.high {
                (reach.high, reach.high_vertex) = (dot, vertex);
            }
        }
        self.dot_products += vertices.len() as u64;
        reach
    }

    /// Drops the triangles of which `keep` says so, given how far their corners reach; whether any went.
    pub(super) fn retain(&mut self, start: usize, keep: impl Fn([f64; 3]) -> bool) -> bool {
        let Memory { triangles, along, .. } = &mut *self.memory;
        let mut kept = start;
        for i in start..triangles.len() {
            let triangle = triangles[i];
            if keep(self.triangles[triangle as usize].map(|vertex| along[vertex as usize])) {
                triangles[kept] = triangle;
                kept += 1;
            }
        }
        let any_went = kept < triangles.len();
        triangles.truncate(kept);
        any_went
    }

    /// Splits the list from `start` on at its median along the one of some directions along which its gathered vertices
    /// reach farthest: returns where the second half starts.
    ///
    /// The halves are equal whatever the numbers are, so splitting ends even if all triangles lie in one place.
    pub(super) fn split(&mut self, start: usize, directions: &[DVec3]) -> usize {
        let mut farthest = (f64::NEG_INFINITY, DVec3::X);
        for &direction in directions {
            let Reach { low, high, .. } = self.reach(direction);
            if high - low > farthest.0 {
                farthest = (high - low, direction);
            }
        }
        if directions.last() != Some(&farthest.1) {
            self.reach(farthest.1);
        }
        let Memory { triangles, along, keys, .. } = &mut *self.memory;
        let list = &mut triangles[start..];
        keys.clear();
        // Three times the barycentre orders triangles as the barycentre does.
        keys.extend(list.iter().map(|&triangle| {
            let [p, q, r] = self.triangles[triangle as usize].map(|vertex| along[vertex as usize]);
            (p + q + r, triangle)
        }));
        let middle = list.len() / 2;
        keys.select_nth_unstable_by(middle, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (entry, &(_, triangle)) in list.iter_mut().zip(keys.iter()) {
            *entry = triangle;
        }
        start + middle
    }
}

fn widened(position: Vec4) -> DVec3 {
    position.truncate().as_dvec3()
}
