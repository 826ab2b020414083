//! Arranges the triangles of a body once, so that the tree over them needs no pointers.
//!
//! The triangles are put into an order in which every block of 8, 64, 512, … that starts at a multiple of its size is
//! compact in space. Node i of a level then has the children 8i to 8i + 7 of the level below; only the last node of a
//! level may have fewer. A block is made by splitting a range across the longest axis of its midpoints, at the multiple
//! of the next smaller block size nearest to its middle.
//!
//! Cost: O(n log n), once; about 0.1 µs per triangle.

use crate::body::Body;
use crate::geom::TriangleId;

/// Triangles a leaf holds, and leaves a cluster holds: the width of the lanes.
pub(crate) use crate::geom::lanes::WIDTH;

/// The triangles in the order of the tree.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arrangement {
    /// Working memory of the arranging.
    midpoints: Vec<Midpoint>,
    distinct: Vec<u32>,
    /// The number of each triangle in its mesh.
    pub(crate) triangles: Vec<u32>,
    /// The vertices of each triangle.
    pub(super) vertices: Vec<[u32; 3]>,
    /// The distinct vertices of the leaves of each cluster, and of each cluster as a whole.
    leaves: LeafSteps,
    clusters: VertexLists,
}

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
    /// Lists the vertices of triangles in the order of the tree; `distinct` is working memory.
    fn list(&mut self, triangles: &[[u32; 3]], distinct: &mut Vec<u32>) {
        let Self { steps, starts } = self;
        steps.clear();
        // As many as there can be, so that another order needs no more room.
        steps.reserve(3 * WIDTH * triangles.len().div_ceil(WIDTH * WIDTH));
        starts.clear();
        starts.push(0);
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
    /// Makes a list for each cluster; `distinct` is working memory.
    fn list(&mut self, triangles: &[[u32; 3]], distinct: &mut Vec<u32>) {
        let Self { vertices, starts } = self;
        vertices.clear();
        // As many as there can be, so that another order needs no more room.
        vertices.reserve(triangles.len().next_multiple_of(WIDTH * WIDTH) * 3);
        starts.clear();
        starts.push(0);
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
    pub(super) fn of(body: &Body) -> Self {
        let mut arrangement = Self::default();
        arrangement.arrange_anew(body);
        arrangement
    }

    /// Puts the triangles in the order that fits the body as it is now, in the memory there is.
    pub(super) fn arrange_anew(&mut self, body: &Body) {
        let mesh = body.mesh();
        let Self { midpoints, triangles, vertices, leaves, clusters, distinct } = self;
        midpoints.clear();
        midpoints.extend(mesh.live_indices().map(|(TriangleId(triangle), its_vertices)| {
            let [i, j, k] = body.padded_corners(its_vertices);
            // Thirds before the sum: the sum of three finite numbers may overflow.
            let third = 1.0 / 3.0;
            Midpoint { at: (i * third + j * third + k * third).truncate().to_array(), triangle }
        }));
        arrange(midpoints);
        triangles.clear();
        triangles.extend(midpoints.iter().map(|midpoint| midpoint.triangle));
        vertices.clear();
        vertices.extend(triangles.iter().map(|&triangle| mesh.indices()[triangle as usize]));
        leaves.list(vertices, distinct);
        clusters.list(vertices, distinct);
    }

    pub(crate) fn leaf_count(&self) -> usize {
        self.vertices.len().div_ceil(WIDTH)
    }

    pub(super) fn cluster_count(&self) -> usize {
        self.leaf_count().div_ceil(WIDTH)
    }

    /// The vertices of the triangles of a leaf.
    pub(super) fn leaf(&self, leaf: usize) -> &[[u32; 3]] {
        &self.vertices[leaf * WIDTH..self.vertices.len().min((leaf + 1) * WIDTH)]
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
struct Midpoint {
    at: [f32; 3],
    triangle: u32,
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
            let arrangement = Arrangement::of(&body);
            let mut seen = arrangement.triangles.clone();
            seen.sort_unstable();
            assert_eq!(seen, (0..count as u32).collect::<Vec<_>>());
            assert_eq!(arrangement.cluster_count(), count.div_ceil(WIDTH * WIDTH));
            for leaf in 0..arrangement.leaf_count() {
                let mut stepped: Vec<u32> =
                    arrangement.leaf_steps(leaf / WIDTH).iter().map(|step| step[leaf % WIDTH]).collect();
                stepped.sort_unstable();
                stepped.dedup();
                let mut vertices = arrangement.leaf(leaf).as_flattened().to_vec();
                vertices.sort_unstable();
                assert_eq!(stepped, vertices, "the vertices of leaf {leaf} of {count} triangles");
            }
            for block in [WIDTH, WIDTH.pow(2), WIDTH.pow(3)] {
                for part in arrangement.triangles.chunks(block) {
                    let (low, high) = (part.iter().min().unwrap(), part.iter().max().unwrap());
                    assert_eq!((high - low) as usize, part.len() - 1, "{count} triangles, blocks of {block}");
                }
            }
        }
    }
}
