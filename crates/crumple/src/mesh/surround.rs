//! What surrounds each vertex: the vertices around it in order, and the triangles between them.
//!
//! A sum over triangles that is wanted per vertex, such as the gradient of a volume, can be gathered vertex by vertex from
//! these lists: nothing is written but the result, in order. Around a vertex whose triangles form one closed fan every
//! neighbour is listed once; elsewhere (where solids touch in a vertex, or the surface ends) triangles are listed one by
//! one.
//!
//! Vertices count by their own numbers, not as welded. Cost: O(vertices + triangles) once per mesh, 28 bytes per triangle.

use super::Mesh;
use super::lists::Lists;

/// The triangles at each vertex.
#[derive(Clone, Debug, Default)]
pub(crate) struct Surround {
    /// Per vertex where its list starts in `neighbours`; one entry more than there are vertices.
    starts: Vec<u32>,
    /// Per vertex whether its triangles form one closed fan.
    is_fan: Vec<bool>,
    /// Of a fan the neighbours in order, one per triangle; else the other two corners of each triangle, in its order.
    neighbours: Vec<u32>,
    /// Per entry of `neighbours` the triangle: of a fan the one between that neighbour and the next.
    triangles: Vec<u32>,
}

/// The triangles at one vertex.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Around<'a> {
    pub(crate) is_fan: bool,
    pub(crate) neighbours: &'a [u32],
    triangles: &'a [u32],
}

impl Around<'_> {
    /// The triangles one by one: the number of each, and its other two corners in its order.
    pub(crate) fn triangles(&self) -> impl Iterator<Item = (u32, u32, u32)> {
        let Self { is_fan, neighbours, triangles } = *self;
        let step = if is_fan { 1 } else { 2 };
        (0..neighbours.len()).step_by(step).map(move |at| {
            let next = if at + 1 < neighbours.len() { at + 1 } else { 0 };
            (triangles[at], neighbours[at], neighbours[next])
        })
    }
}

impl Surround {
    pub(super) fn of(mesh: &Mesh) -> Self {
        let count = mesh.vertex_count;
        // The triangles at each vertex, with their other corners.
        let at_vertices = mesh.live_indices().flat_map(|(triangle, [p, q, r])| {
            [(p, (triangle.0, q, r)), (q, (triangle.0, r, p)), (r, (triangle.0, p, q))]
        });
        let mut lists = Lists::of(count, at_vertices);
        let mut surround = Self { starts: vec![0], ..Self::default() };
        for vertex in 0..count {
            let at_vertex = lists.at_mut(vertex);
            let is_fan = order(at_vertex);
            surround.is_fan.push(is_fan);
            for &(triangle, next, last) in at_vertex.iter() {
                surround.neighbours.push(next);
                surround.triangles.push(triangle);
                if !is_fan {
                    surround.neighbours.push(last);
                    surround.triangles.push(triangle);
                }
            }
            surround.starts.push(surround.neighbours.len() as u32);
        }
        surround
    }

    /// What is around a vertex.
    #[inline]
    pub(crate) fn at(&self, vertex: usize) -> Around<'_> {
        let range = self.starts[vertex] as usize..self.starts[vertex + 1] as usize;
        Around {
            is_fan: self.is_fan[vertex],
            neighbours: &self.neighbours[range.clone()],
            triangles: &self.triangles[range],
        }
    }
}

/// Puts triangles at a vertex in order around it: each starts where the one before ends, and the last ends where the first
/// starts. Says whether that is possible; they are all there in any case.
fn order(triangles: &mut [(u32, u32, u32)]) -> bool {
    for at in 1..triangles.len() {
        let (_, _, last) = triangles[at - 1];
        let Some(next) = (at..triangles.len()).find(|&k| triangles[k].1 == last) else { return false };
        triangles.swap(at, next);
    }
    match triangles {
        [(_, first, _), .., (_, _, last)] => first == last,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_triangle_is_at_its_three_corners() {
        // A tetrahedron, two of which touch in vertex 3, and a vertex of nothing.
        let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
        let moved = |[a, b, c]: [u32; 3]| [a, b, c].map(|vertex| if vertex == 3 { 3 } else { vertex + 4 });
        let mesh = Mesh::new(8, faces.into_iter().chain(faces.map(moved)).collect()).unwrap();
        let surround = mesh.surround();
        for vertex in 0..8 {
            let around = surround.at(vertex as usize);
            assert_eq!(around.is_fan, ![3, 7].contains(&vertex), "{vertex}");
            let mut found: Vec<_> = around.triangles().collect();
            found.sort_unstable();
            let mut expected = Vec::new();
            for (triangle, corners) in mesh.live_indices() {
                for k in (0..3).filter(|&k| corners[k] == vertex) {
                    expected.push((triangle.0, corners[(k + 1) % 3], corners[(k + 2) % 3]));
                }
            }
            assert_eq!(found, expected, "{vertex}");
        }
    }
}
