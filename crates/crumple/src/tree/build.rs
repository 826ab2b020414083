//! Arranges the triangles of a body once, so that the tree over them needs no pointers.
//!
//! The triangles are put into an order in which every block of 8, 64, 512, … that starts at a multiple of its size is
//! compact in space. Node i of a level then has the children 8i to 8i + 7 of the level below; only the last node of a
//! level may have fewer. A block is made by splitting a range across the longest axis of its midpoints, at the multiple
//! of the next smaller block size nearest to its middle.
//!
//! Cost: O(n log n), once; about 0.1 µs per triangle.

use crate::body::Body;
use crate::geom::lanes::bits;
use crate::mesh::Live;

/// Triangles a leaf holds, and leaves a cluster holds: the width of the lanes.
pub(crate) use crate::geom::lanes::WIDTH;

/// The triangles in the order of the tree: eight lanes per leaf, one triangle in each.
///
/// A lane is not *in use* if its triangle has been removed, or if it never had one and repeats what is in the lane before.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arrangement {
    /// Working memory of the arranging.
    pub(super) midpoints: Vec<Midpoint>,
    distinct: Vec<u32>,
    /// The number in its mesh of the triangle in each lane.
    pub(super) triangles: Vec<u32>,
    /// The vertices of the triangle in each lane.
    vertices: Vec<[u32; 3]>,
    /// Which lanes of each leaf are in use: one bit each.
    pub(super) in_use: Vec<u8>,
    /// For each triangle of the mesh its lane, or [`NO_LANE`].
    pub(super) lanes: Vec<u32>,
    /// How many lanes are in use, and how many others have a triangle that was removed.
    pub(super) used: usize,
    pub(super) removed: usize,
    /// Which triangles of the mesh there were when it was last looked at, and where the clusters of those added since the
    /// arranging start (see [`super::edit`]).
    pub(super) live: Live,
    pub(super) runs: Vec<usize>,
    /// The distinct vertices of the leaves of each cluster, and of each cluster as a whole.
    leaves: LeafSteps,
    clusters: VertexLists,
}

/// Marks a triangle that has no lane.
pub(super) const NO_LANE: u32 = u32::MAX;

/// The distinct vertices of the leaves of clusters, in steps: one vertex of each of the eight leaves, so that all eight are
/// fitted side by side and in equally many steps. A leaf with fewer vertices repeats its last one; lanes without a leaf, in
/// the last cluster, repeat the last leaf.
#[derive(Clone, Debug, Default)]
struct LeafSteps {
    steps: Vec<[u32; WIDTH]>,
    /// Where the steps of each cluster start; one entry more than there are clusters.
    starts: Vec<u32>,
}

impl LeafSteps {
    /// Keeps the first clusters only.
    fn truncate(&mut self, clusters: usize) {
        let kept = self.starts.get(clusters).copied().unwrap_or(0);
        self.steps.truncate(kept as usize);
        self.starts.truncate(clusters);
        self.starts.resize(clusters + 1, kept);
    }

    /// Appends clusters of triangles in the order of the tree; `distinct` is working memory.
    fn append(&mut self, triangles: &[[u32; 3]], distinct: &mut Vec<u32>) {
        let Self { steps, starts } = self;
        // As many as there can be, so that another order needs no more room.
        steps.reserve(3 * WIDTH * triangles.len().div_ceil(WIDTH * WIDTH));
        for cluster in triangles.chunks(WIDTH * WIDTH) {
            let first = steps.len();
            for lane in 0..WIDTH {
                let leaf = lane.min(cluster.len().div_ceil(WIDTH) - 1);
                distinct_vertices(&cluster[leaf * WIDTH..cluster.len().min((leaf + 1) * WIDTH)], distinct);
                if steps.len() - first < distinct.len() {
                    // What the leaves before have listed goes on with their last vertices.
                    let last = steps[first..].last().copied().unwrap_or_default();
                    steps.resize(first + distinct.len(), last);
                }
                for (at, step) in steps[first..].iter_mut().enumerate() {
                    step[lane] = distinct[at.min(distinct.len() - 1)];
                }
            }
            starts.push(steps.len() as u32);
        }
    }

    fn of(&self, cluster: usize) -> &[[u32; WIDTH]] {
        &self.steps[self.starts[cluster] as usize..self.starts[cluster + 1] as usize]
    }
}

/// The vertices of some triangles, each once.
fn distinct_vertices(triangles: &[[u32; 3]], distinct: &mut Vec<u32>) {
    distinct.clear();
    distinct.extend_from_slice(triangles.as_flattened());
    distinct.sort_unstable();
    distinct.dedup();
}

/// Lists of distinct vertices, one after another; the last of a list is repeated to make its length a multiple of four.
#[derive(Clone, Debug, Default)]
struct VertexLists {
    vertices: Vec<u32>,
    /// Where each list starts; one entry more than there are lists.
    starts: Vec<u32>,
}

impl VertexLists {
    /// Keeps the first lists only.
    fn truncate(&mut self, lists: usize) {
        let kept = self.starts.get(lists).copied().unwrap_or(0);
        self.vertices.truncate(kept as usize);
        self.starts.truncate(lists);
        self.starts.resize(lists + 1, kept);
    }

    /// Appends a list for each cluster; `distinct` is working memory.
    fn append(&mut self, triangles: &[[u32; 3]], distinct: &mut Vec<u32>) {
        let Self { vertices, starts } = self;
        // As many as there can be, so that another order needs no more room.
        vertices.reserve(triangles.len().next_multiple_of(WIDTH * WIDTH) * 3);
        for cluster in triangles.chunks(WIDTH * WIDTH) {
            distinct_vertices(cluster, distinct);
            vertices.extend_from_slice(distinct);
            // Whole fours, so that they can be read without a remainder.
            while !vertices.len().is_multiple_of(4) {
                vertices.push(vertices[vertices.len() - 1]);
            }
            starts.push(vertices.len() as u32);
        }
    }

    fn of(&self, cluster: usize) -> &[[u32; 4]] {
        self.vertices[self.starts[cluster] as usize..self.starts[cluster + 1] as usize].as_chunks().0
    }
}

impl Arrangement {
    /// Puts the triangles in the order that fits the body as it is now, in the memory there is.
    pub(super) fn arrange_anew(&mut self, body: &Body) {
        self.truncate(0);
        self.lanes.clear();
        self.lanes.resize(body.mesh().triangles().len(), NO_LANE);
        (self.used, self.removed) = (0, 0);
        self.live.clone_from(body.mesh().live());
        self.runs.clear();
        self.midpoints.clear();
        self.midpoints.extend(body.mesh().live_numbers().map(|triangle| Midpoint::of(body, triangle)));
        self.append(body);
    }

    /// Keeps the first clusters only.
    pub(super) fn truncate(&mut self, clusters: usize) {
        let leaves = clusters * WIDTH;
        self.triangles.truncate(leaves * WIDTH);
        self.vertices.truncate(leaves * WIDTH);
        self.in_use.truncate(leaves);
        self.leaves.truncate(clusters);
        self.clusters.truncate(clusters);
    }

    /// Appends the triangles of `midpoints`, in clusters of their own.
    pub(super) fn append(&mut self, body: &Body) {
        self.fill_last_cluster();
        let Self { midpoints, triangles, vertices, in_use, lanes, .. } = self;
        arrange(midpoints);
        let first = triangles.len();
        for leaf in midpoints.chunks(WIDTH) {
            for (lane, midpoint) in (triangles.len() as u32..).zip(leaf) {
                lanes[midpoint.triangle as usize] = lane;
            }
            let lane = |at: usize| leaf[at.min(leaf.len() - 1)].triangle;
            triangles.extend((0..WIDTH).map(lane));
            in_use.push(0xff >> (WIDTH - leaf.len()));
        }
        vertices.extend(triangles[first..].iter().map(|&triangle| body.mesh().indices()[triangle as usize]));
        self.used += midpoints.len();
        self.leaves.append(&vertices[first..], &mut self.distinct);
        self.clusters.append(&vertices[first..], &mut self.distinct);
    }

    /// Makes the last cluster one of eight leaves, the last of which repeat what is in the one before and have no lane in use.
    fn fill_last_cluster(&mut self) {
        let leaves = self.leaf_count();
        let missing = leaves.next_multiple_of(WIDTH) - leaves;
        if let (Some(&triangle), Some(&vertices)) = (self.triangles.last(), self.vertices.last()) {
            self.triangles.resize((leaves + missing) * WIDTH, triangle);
            self.vertices.resize((leaves + missing) * WIDTH, vertices);
            self.in_use.resize(leaves + missing, 0);
        }
    }

    pub(crate) fn leaf_count(&self) -> usize {
        self.in_use.len()
    }

    pub(super) fn cluster_count(&self) -> usize {
        self.leaf_count().div_ceil(WIDTH)
    }

    /// The numbers of the triangles in the lanes of a leaf.
    #[inline(always)]
    pub(super) fn numbers(&self, leaf: usize) -> &[u32; WIDTH] {
        &self.triangles.as_chunks().0[leaf]
    }

    /// The vertices of the triangles in the lanes of a leaf.
    #[inline(always)]
    pub(super) fn leaf(&self, leaf: usize) -> &[[u32; 3]; WIDTH] {
        &self.vertices.as_chunks().0[leaf]
    }

    /// The vertices of the triangle in a lane.
    pub(super) fn vertices_of_lane(&self, lane: u32) -> [u32; 3] {
        self.vertices[lane as usize]
    }

    /// Which lanes of a leaf are in use, and the vertices of their triangles.
    pub(super) fn leaf_in_use(&self, leaf: usize) -> impl Iterator<Item = (usize, [u32; 3])> + Clone {
        bits(self.in_use[leaf]).map(move |lane| (lane, self.leaf(leaf)[lane]))
    }

    /// The distinct vertices of the leaves of a cluster: in each step one vertex of each leaf.
    pub(super) fn leaf_steps(&self, cluster: usize) -> &[[u32; WIDTH]] {
        self.leaves.of(cluster)
    }

    /// The distinct vertices of a cluster, and its last again up to a multiple of four.
    pub(super) fn cluster_vertices(&self, cluster: usize) -> &[[u32; 4]] {
        self.clusters.of(cluster)
    }
}

/// Where a triangle is, and which it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Midpoint {
    at: [f32; 3],
    pub(super) triangle: u32,
}

impl Midpoint {
    pub(super) fn of(body: &Body, triangle: u32) -> Self {
        let [i, j, k] = body.padded_corners(body.mesh().indices()[triangle as usize]);
        // Thirds before the sum: the sum of three finite numbers may overflow.
        let third = 1.0 / 3.0;
        Self { at: (i * third + j * third + k * third).truncate().to_array(), triangle }
    }
}

/// Orders a range into compact blocks of every size.
fn arrange(range: &mut [Midpoint]) {
    if range.len() <= WIDTH {
        return;
    }
    let mut block = WIDTH;
    while block * WIDTH < range.len() {
        block *= WIDTH;
    }
    let middle = range.len().div_ceil(block).div_ceil(2) * block;
    let axis = longest_axis(range);
    range.select_nth_unstable_by(middle, |a, b| a.at[axis].total_cmp(&b.at[axis]).then(a.triangle.cmp(&b.triangle)));
    let (left, right) = range.split_at_mut(middle);
    arrange(left);
    arrange(right);
}

fn longest_axis(range: &[Midpoint]) -> usize {
    let (mut min, mut max) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for midpoint in range {
        for axis in 0..3 {
            min[axis] = min[axis].min(midpoint.at[axis]);
            max[axis] = max[axis].max(midpoint.at[axis]);
        }
    }
    let extent = |axis: usize| max[axis] - min[axis];
    (1..3).fold(0, |longest, axis| if extent(axis) > extent(longest) { axis } else { longest })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Mesh;

    #[test]
    fn every_triangle_is_in_the_order_once_and_blocks_of_a_row_are_consecutive() {
        for count in [1usize, 7, 8, 9, 63, 64, 65, 500, 513, 1000] {
            // Triangles in a row along x, numbered from the far end.
            let positions: Vec<[f32; 3]> =
                (0..3 * count).map(|v| [(count - v / 3) as f32 + 0.1 * (v % 3) as f32, (v % 2) as f32, 0.0]).collect();
            let triangles = (0..count as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
            let body = Body::new(Mesh::new(3 * count, triangles).unwrap(), &positions).unwrap();
            let mut arrangement = Arrangement::default();
            arrangement.arrange_anew(&body);
            let mut seen = arrangement.triangles.clone();
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(seen, (0..count as u32).collect::<Vec<_>>());
            assert_eq!(arrangement.cluster_count(), count.div_ceil(WIDTH * WIDTH));
            for leaf in 0..arrangement.leaf_count() {
                let mut stepped: Vec<u32> =
                    arrangement.leaf_steps(leaf / WIDTH).iter().map(|step| step[leaf % WIDTH]).collect();
                stepped.sort_unstable();
                stepped.dedup();
                let mut vertices = arrangement.leaf(leaf).as_flattened().to_vec();
                vertices.sort_unstable();
                vertices.dedup();
                assert_eq!(stepped, vertices, "the vertices of leaf {leaf} of {count} triangles");
            }
            for block in [WIDTH, WIDTH.pow(2), WIDTH.pow(3)] {
                for part in arrangement.triangles[..count].chunks(block) {
                    let (low, high) = (part.iter().min().unwrap(), part.iter().max().unwrap());
                    assert_eq!((high - low) as usize, part.len() - 1, "{count} triangles, blocks of {block}");
                }
            }
        }
    }
}
