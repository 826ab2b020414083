//! Where vertices are, packed: three numbers each, one vertex after another.
//!
//! ```text
//! x y z │ x y z │ … │ x y z │ 0 0 0        one entry more than there are vertices
//! ```
//!
//! A vertex can be read as four numbers at once: its own three and the first of the next entry. Whoever computes in lanes
//! leaves the fourth unlooked at; everybody else gets it as 0. Packed and not padded to four, since taking them in
//! ([`take_in`](super::positions::take_in)) is bound by memory: a fifth less has to be moved there.

use glam::{BVec4A, Vec4};

use crate::geom::{Aabb, VertexId};

/// The positions of some vertices.
#[derive(Debug, Default)]
pub(crate) struct Vertices {
    /// One entry per vertex and one more; nothing at all before the first use.
    packed: Vec<[f32; 3]>,
}

impl Vertices {
    /// So many vertices, all at the origin.
    pub(super) fn at_origin(len: usize) -> Self {
        Self { packed: vec![[0.0; 3]; len + 1] }
    }

    pub(crate) fn len(&self) -> usize {
        self.packed.len().saturating_sub(1)
    }

    /// A vertex, with 0 for a fourth coordinate.
    #[inline(always)]
    pub(crate) fn get(&self, vertex: u32) -> Vec4 {
        cleared(self.four(vertex))
    }

    /// The coordinates of a vertex.
    #[inline(always)]
    pub(crate) fn position(&self, vertex: u32) -> [f32; 3] {
        self.packed[vertex as usize]
    }

    /// A vertex, with a fourth coordinate that is finite and not to be looked at: a load, where [`get`](Self::get) is more.
    #[inline(always)]
    pub(crate) fn four(&self, vertex: u32) -> Vec4 {
        // In this order, and by an entry and not by numbers: one comparison for both and one load come of it.
        let [next, ..] = self.packed[1..][vertex as usize];
        let [x, y, z] = self.packed[vertex as usize];
        Vec4::new(x, y, z, next)
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[[f32; 3]] {
        &self.packed[..self.len()]
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [[f32; 3]] {
        let len = self.len();
        &mut self.packed[..len]
    }

    /// The smallest box that holds the vertices that `chosen` names.
    ///
    /// Four boxes at a time: the updates of a single one would depend on each other, at four cycles per vertex.
    #[inline]
    pub(crate) fn box_of(&self, chosen: &[VertexId]) -> Aabb {
        if chosen.is_empty() {
            return Aabb::EMPTY;
        }
        let (mut low, mut high) = ([Vec4::INFINITY; 4], [Vec4::NEG_INFINITY; 4]);
        let (fours, rest) = chosen.as_chunks::<4>();
        for four in fours {
            let vertices = four.map(|vertex| self.four(vertex.0));
            low = std::array::from_fn(|i| low[i].min(vertices[i]));
            high = std::array::from_fn(|i| high[i].max(vertices[i]));
        }
        for vertex in rest {
            let vertex = self.four(vertex.0);
            (low[0], high[0]) = (low[0].min(vertex), high[0].max(vertex));
        }
        let (low, high) = (low[0].min(low[1]).min(low[2].min(low[3])), high[0].max(high[1]).max(high[2].max(high[3])));
        Aabb::from_corners(cleared(low), cleared(high))
    }

    /// The box of a triangle between these vertices.
    #[inline]
    pub(crate) fn triangle_box(&self, vertices: [u32; 3]) -> Aabb {
        let [p, q, r] = vertices.map(|vertex| self.four(vertex));
        Aabb::from_corners(cleared(p.min(q).min(r)), cleared(p.max(q).max(r)))
    }

    /// Makes room for so many vertices; where they are is then to be written.
    pub(super) fn resize(&mut self, len: usize) {
        // What stands at the end is 0 also if there were more vertices before.
        self.packed.truncate(len);
        self.packed.resize(len + 1, [0.0; 3]);
    }

    pub(super) fn push(&mut self, position: [f32; 3]) {
        self.extend([position]);
    }

    /// The vertices of both, one after another.
    pub(super) fn joined(&self, other: &Self) -> Self {
        self.as_slice().iter().chain(other.as_slice()).copied().collect()
    }
}

/// A vector with 0 for a fourth coordinate: one instruction, where to put the three together takes several.
#[inline(always)]
fn cleared(vector: Vec4) -> Vec4 {
    Vec4::select(BVec4A::new(true, true, true, false), vector, Vec4::ZERO)
}

impl Clone for Vertices {
    fn clone(&self) -> Self {
        Self { packed: self.packed.clone() }
    }

    /// Keeps its memory, which the derived one would not.
    fn clone_from(&mut self, other: &Self) {
        self.packed.clone_from(&other.packed);
    }
}

impl Extend<[f32; 3]> for Vertices {
    fn extend<I: IntoIterator<Item = [f32; 3]>>(&mut self, positions: I) {
        self.packed.pop();
        self.packed.extend(positions.into_iter().chain([[0.0; 3]]));
    }
}

impl FromIterator<[f32; 3]> for Vertices {
    fn from_iter<I: IntoIterator<Item = [f32; 3]>>(positions: I) -> Self {
        let mut vertices = Self::default();
        vertices.extend(positions);
        vertices
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_vertex_can_be_read_as_four_numbers_whatever_was_done_before() {
        let triple = |i: u32| [i as f32, 0.5, -1.0];
        let mut vertices: Vertices = (0..4).map(triple).collect();
        vertices.push(triple(4));
        vertices.extend((5..7).map(triple));
        let both = vertices.joined(&Vertices::default());
        let mut fewer = both.clone();
        fewer.resize(2);
        for (vertices, len) in [(vertices, 7), (both, 7), (fewer, 2), (Vertices::at_origin(0), 0)] {
            assert_eq!((vertices.len(), vertices.as_slice().len()), (len, len));
            for i in 0..len as u32 {
                let [x, y, z] = triple(i);
                assert_eq!(vertices.get(i), Vec4::new(x, y, z, 0.0));
                assert_eq!(vertices.position(i), triple(i));
                let beyond = if i + 1 < len as u32 { (i + 1) as f32 } else { 0.0 };
                assert_eq!(vertices.four(i), Vec4::new(x, y, z, beyond));
            }
        }
        assert_eq!(Vertices::default().len(), 0);
    }

    #[test]
    fn the_box_of_chosen_vertices_holds_them_and_no_other() {
        let vertices: Vertices = (0..9).map(|i| [i as f32, -(i as f32), 1.0]).collect();
        assert_eq!(vertices.box_of(&[5, 2, 7, 3, 3, 6].map(VertexId)), Aabb::new([2.0, -7.0, 1.0], [7.0, -2.0, 1.0]));
        assert!(vertices.box_of(&[]).is_empty());
    }
}
