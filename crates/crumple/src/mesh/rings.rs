//! Which vertices are few edges apart.
//!
//! Cost: O(vertices × those in the rings), once per mesh and number of rings; 4 bytes for each.

use super::Mesh;
use super::lists::Lists;

/// For each vertex the others that are at most so many edges away. Welded vertices count as one.
#[derive(Debug)]
pub(crate) struct Rings {
    near: Lists<u32>,
    /// What each vertex is welded to.
    welded: Vec<u32>,
}

impl Rings {
    pub(crate) fn new(mesh: &Mesh, rings: u32) -> Self {
        let count = mesh.vertex_count();
        let mut welded: Vec<u32> = (0..count as u32).collect();
        for (corners, stand_ins) in mesh.indices().iter().zip(mesh.welded_indices()) {
            corners.iter().zip(stand_ins).for_each(|(&corner, &stand_in)| welded[corner as usize] = stand_in);
        }
        let edges = mesh.live_numbers().flat_map(|triangle| {
            let [p, q, r] = mesh.welded_indices()[triangle as usize];
            [(p, q), (q, p), (q, r), (r, q), (r, p), (p, r)]
        });
        let beside = Lists::of(count, edges);
        let mut near = Lists::default();
        // The vertex around which each was last seen, and those of the vertex at hand.
        let (mut seen_around, mut around) = (vec![u32::MAX; count], Vec::new());
        for vertex in 0..count as u32 {
            around.clear();
            around.push(vertex);
            seen_around[vertex as usize] = vertex;
            let mut ring = 0;
            for _ in 0..rings {
                let end = around.len();
                for at in ring..end {
                    for &next in beside.at(around[at] as usize) {
                        if std::mem::replace(&mut seen_around[next as usize], vertex) != vertex {
                            around.push(next);
                        }
                    }
                }
                ring = end;
            }
            around.sort_unstable();
            near.push(around.iter().copied());
        }
        Self { near, welded }
    }

    /// Whether one of the first vertices is near one of the second.
    pub(crate) fn join(&self, some: &[u32], others: &[u32]) -> bool {
        some.iter().any(|&vertex| {
            let near = self.near.at(self.welded[vertex as usize] as usize);
            others.iter().any(|&other| near.binary_search(&self.welded[other as usize]).is_ok())
        })
    }
}
