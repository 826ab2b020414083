//! The winding number just outside a surface, at the beginning of each of its edges: a *germ*.
//!
//! A half-edge h starts at a vertex. Let g(h) be the winding number outside the surface near the vertex, along h. Then
//!
//! ```text
//! g(twin of h) = g(h) + crossings along h            g(twin of the edge before h) = g(h) + turns at the corner where h starts
//! ```
//!
//! where a crossing counts +1 if the edge enters the body there and −1 if it leaves it, and the turns of a corner count +1 for
//! each segment that starts in it and −1 for each that ends in it, seen from the triangle. Only where two triangles at a vertex cross
//! are there turns: all other vertices have one number for all their edges. So there is one number per vertex, found along the
//! spanning tree as for two bodies (`overlap::winding`), and a short list of edges whose germ differs from it.
//!
//! Held by: `tests/behaviour/self_overlap`.

use super::super::overlap::{Ends, Segment, above_root, note_crossings, offset, spread};
use super::seed::SeedFinder;
use crate::body::Body;
use crate::mesh::{Mesh, around};

/// The numbers of all germs of a plain mesh.
#[derive(Clone, Debug, Default)]
pub(super) struct Germs {
    /// Per vertex.
    numbers: Vec<i32>,
    /// Half-edges whose number is not that of their vertex, and by how much it is larger; sorted.
    offsets: Vec<(u32, i32)>,
    is_inside_out: bool,
}

/// Working memory.
#[derive(Clone, Debug, Default)]
pub(super) struct GermMemory {
    /// The corners with turns, by the half-edges that start there; sorted, then one entry per corner.
    turns: Vec<(u32, i32)>,
    is_done: Vec<bool>,
    /// See `spread`; the steps are all 0 between uses.
    steps: Vec<i32>,
    in_order: Vec<i32>,
    crossed: Vec<u32>,
    seeds: SeedFinder,
}

impl Germs {
    /// Per vertex a number that those of its edges are measured by.
    pub(super) fn numbers(&self) -> &[i32] {
        &self.numbers
    }

    /// By how much the numbers of edges differ from those of the vertices where they start; sorted, the others by nothing.
    pub(super) fn offsets(&self) -> &[(u32, i32)] {
        &self.offsets
    }

    /// Whether the number is negative at the highest vertex of a component.
    pub(super) fn is_inside_out(&self) -> bool {
        self.is_inside_out
    }

    /// The number of a half-edge, given the vertex it starts at.
    #[inline]
    pub(super) fn at(&self, half_edge: u32, vertex: u32) -> i32 {
        self.numbers[vertex as usize] + offset(&self.offsets, half_edge)
    }

    /// Overwrites them with those of a body, given the segments in which its triangles cross.
    pub(super) fn find(&mut self, body: &Body, segments: &[Segment], memory: &mut GermMemory) {
        let mesh = body.mesh();
        let GermMemory { turns, is_done, steps, in_order, crossed, seeds } = memory;
        list_turns(segments, turns);
        self.find_offsets(mesh, turns, is_done);
        steps.resize(mesh.vertex_count(), 0);
        crossed.clear();
        for side in 0..2 {
            note_crossings(mesh, side, segments, steps, crossed);
        }
        self.add_offsets(mesh, steps, crossed);
        let tree = mesh.spanning_tree();
        self.is_inside_out = false;
        for seed in seeds.find(body) {
            self.is_inside_out |= seed.number < 0;
            let number = seed.number - offset(&self.offsets, seed.half_edge);
            let index = tree.index_of(seed.vertex) as usize;
            steps[seed.root] = number - above_root(tree, steps, index);
        }
        spread(mesh, steps, in_order, &mut self.numbers);
        tree.components().for_each(|component| steps[component.start] = 0);
        crossed.iter().for_each(|&index| steps[index as usize] = 0);
    }

    /// Walks once round every vertex with turns.
    fn find_offsets(&mut self, mesh: &Mesh, turns: &[(u32, i32)], is_done: &mut Vec<bool>) {
        self.offsets.clear();
        is_done.clear();
        is_done.resize(turns.len(), false);
        for first in 0..turns.len() {
            if is_done[first] {
                continue;
            }
            let mut sum = 0;
            around(mesh, turns[first].0, |half_edge| {
                if sum != 0 {
                    self.offsets.push((half_edge, sum));
                }
                if let Ok(at) = turns.binary_search_by_key(&half_edge, |&(half_edge, _)| half_edge) {
                    is_done[at] = true;
                    sum += turns[at].1;
                }
            });
            debug_assert_eq!(sum, 0, "once round a vertex nothing has changed");
        }
        self.offsets.sort_unstable();
    }

    /// Along an edge of the tree the numbers of its ends differ by the crossings, and by what its germs differ from the numbers.
    fn add_offsets(&self, mesh: &Mesh, steps: &mut [i32], crossed: &mut Vec<u32>) {
        let (tree, edges, welded) = (mesh.spanning_tree(), mesh.welded_half_edges(), mesh.welded_indices());
        for &(half_edge, by) in &self.offsets {
            let (triangle, corner) = (half_edge / 3, (half_edge % 3) as u8);
            let mut direction = tree.edge(triangle, corner);
            if direction == 0
                && let Some((triangle, corner)) = edges.twin(triangle, corner)
            {
                direction = -tree.edge(triangle, corner);
            }
            if direction == 0 {
                continue;
            }
            // Towards the child if it starts at the parent.
            let child = if direction > 0 { (corner + 1) % 3 } else { corner };
            let index = tree.index_of(welded[triangle as usize][child as usize]);
            steps[index as usize] += direction * by;
            crossed.push(index);
        }
    }
}

/// Lists the turns of segments that start or end in a vertex, for both triangles.
fn list_turns(segments: &[Segment], turns: &mut Vec<(u32, i32)>) {
    turns.clear();
    for Segment { triangles: [a, b], cut } in segments {
        for (end, turn) in [(cut.ends.start, 1), (cut.ends.end, -1)] {
            if let Some([i, j]) = Ends::corners_of(end) {
                // B sees the segment the other way round.
                turns.extend([(3 * a + i, turn), (3 * b + j, -turn)]);
            }
        }
    }
    turns.sort_unstable();
    let mut kept = 0;
    for at in 0..turns.len() {
        let (half_edge, turn) = turns[at];
        if kept > 0 && turns[kept - 1].0 == half_edge {
            turns[kept - 1].1 += turn;
        } else {
            turns[kept] = (half_edge, turn);
            kept += 1;
        }
    }
    turns.truncate(kept);
}
