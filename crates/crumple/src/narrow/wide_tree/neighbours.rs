//! Which triangles of a body share a vertex, arranged so that a traversal can leave them out.
//!
//! Neighbours always overlap in their boxes: on a sheet there are six such pairs for every triangle, and they would be
//! most of what a traversal finds. They are known beforehand, so each pair of leaves gets a mask of the pairs of
//! triangles that share a vertex; the traversal takes them out of what it finds with one instruction. They are decided
//! by themselves, see [`super::fans`].
//!
//! A vertex of very many triangles would have pairs without number; those of more than [`MOST`] are left to the
//! traversal. So are vertices that are only welded: whether they still lie in one place is for each frame to tell.
//!
//! Cost: O(n log n) when a body is first asked about itself; about 20 bytes a triangle.

use super::build::{Arrangement, WIDTH};

/// The most triangles at a vertex whose pairs are written down.
const MOST: usize = 32;

/// The neighbours of all triangles of one body; triangles are named by their place in the order of the tree.
#[derive(Debug, Default)]
pub(super) struct Neighbours {
    /// The triangles at each tracked vertex, one list after another.
    triangles: Vec<u32>,
    /// Where the list of each vertex starts; one entry more than there are vertices.
    starts: Vec<u32>,
    /// For each leaf, where its masks start; one entry more than there are leaves.
    mask_starts: Vec<u32>,
    /// The other leaf, which is not before this one, and the mask: bit 8 · row + lane.
    masks: Vec<(u32, u64)>,
}

impl Neighbours {
    pub(super) fn of(arrangement: &Arrangement, vertex_count: usize) -> Self {
        let (starts, triangles) = incidence(arrangement, vertex_count);
        let mut found = Self { starts, triangles, ..Self::default() };
        let mut bits = Vec::new();
        for vertex in 0..vertex_count {
            let at = found.triangles(vertex);
            for (i, &a) in at.iter().enumerate() {
                bits.extend(at[i + 1..].iter().map(|&b| {
                    let (row, lane) = (a as usize % WIDTH, b as usize % WIDTH);
                    (a / WIDTH as u32, b / WIDTH as u32, (WIDTH * row + lane) as u8)
                }));
            }
        }
        bits.sort_unstable();
        let leaves = arrangement.triangles.len().div_ceil(WIDTH);
        found.mask_starts.resize(leaves + 1, 0);
        for pairs in bits.chunk_by(|p, q| (p.0, p.1) == (q.0, q.1)) {
            let mask = pairs.iter().fold(0, |mask, pair| mask | 1u64 << pair.2);
            found.masks.push((pairs[0].1, mask));
            found.mask_starts[pairs[0].0 as usize + 1] += 1;
        }
        for leaf in 0..leaves {
            found.mask_starts[leaf + 1] += found.mask_starts[leaf];
        }
        found
    }

    /// The triangles at a vertex, in order; none if there are too many to be tracked.
    pub(super) fn triangles(&self, vertex: usize) -> &[u32] {
        &self.triangles[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }

    /// The pairs of neighbours between a leaf and one that is not before it: bit 8 · row + lane.
    #[inline]
    pub(super) fn mask(&self, leaf: u32, other: u32) -> u64 {
        let range = self.mask_starts[leaf as usize] as usize..self.mask_starts[leaf as usize + 1] as usize;
        self.masks[range].iter().find(|(to, _)| *to == other).map_or(0, |(_, mask)| *mask)
    }
}

/// The triangles at each vertex, leaving out vertices of too many; a triangle with a repeated vertex is listed once.
fn incidence(arrangement: &Arrangement, vertex_count: usize) -> (Vec<u32>, Vec<u32>) {
    let distinct = |corners: &[u32; 3]| {
        let [a, b, c] = *corners;
        [Some(a), (b != a).then_some(b), (c != a && c != b).then_some(c)].into_iter().flatten()
    };
    let mut counts = vec![0u32; vertex_count];
    for corners in &arrangement.corners {
        distinct(corners).for_each(|vertex| counts[vertex as usize] += 1);
    }
    let tracked = |count: u32| if count as usize <= MOST { count } else { 0 };
    let mut starts = Vec::with_capacity(vertex_count + 1);
    let mut end = 0;
    starts.push(0);
    for &count in &counts {
        end += tracked(count);
        starts.push(end);
    }
    let mut next = starts.clone();
    let mut triangles = vec![0; end as usize];
    for (place, corners) in (0..).zip(&arrangement.corners) {
        for vertex in distinct(corners) {
            if counts[vertex as usize] as usize <= MOST {
                triangles[next[vertex as usize] as usize] = place;
                next[vertex as usize] += 1;
            }
        }
    }
    (starts, triangles)
}
