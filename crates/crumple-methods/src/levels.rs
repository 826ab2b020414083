//! The shape of a tree over triangles: levels one after another in flat arrays, siblings side by side.
//!
//! ```text
//! node          0 | 1 2 3 | 4 5 6 7 8 …          a level is a range of nodes, the root is node 0
//! first_child   1 | 4 6 6 | 9 …                  the children of node n are first_child[n]..first_child[n + 1],
//!                                                so a leaf is an empty range
//! ```
//!
//! Walking the nodes backwards meets every child before its parent; nothing recurses and nothing points.

use std::ops::Range;

/// A tree with one triangle a leaf.
#[derive(Clone, Debug, Default)]
pub(crate) struct Levels {
    first_child: Vec<u32>,
    /// The triangles below each node, as a range of `order`.
    below: Vec<Range<u32>>,
    order: Vec<u32>,
    /// Where each level starts, and one entry more where the last one ends.
    starts: Vec<u32>,
}

impl Levels {
    /// Builds the tree over some triangles. `split` reorders the triangles of a node so that those of a child
    /// stand together, and pushes the end of each child; at least two children, none of them empty.
    pub(crate) fn build(
        triangles: impl Iterator<Item = u32>,
        mut split: impl FnMut(&mut [u32], &mut Vec<usize>),
    ) -> Self {
        let mut levels = Self { order: triangles.collect(), ..Self::default() };
        let count = levels.order.len();
        if count == 0 {
            levels.first_child.push(0);
            levels.starts.push(0);
            return levels;
        }
        levels.below.push(0..count as u32);
        let mut ends = Vec::new();
        let mut next_level = 0;
        for node in 0.. {
            let Some(range) = levels.below.get(node).cloned() else {
                break;
            };
            if node == next_level {
                levels.starts.push(node as u32);
                next_level = levels.below.len();
            }
            levels.first_child.push(levels.below.len() as u32);
            if range.len() > 1 {
                ends.clear();
                split(&mut levels.order[range.start as usize..range.end as usize], &mut ends);
                debug_assert!(ends.len() > 1 && ends.last() == Some(&range.len()), "a split must make progress");
                let mut start = range.start;
                for end in ends.drain(..) {
                    levels.below.push(start..range.start + end as u32);
                    start = range.start + end as u32;
                }
            }
        }
        levels.first_child.push(levels.below.len() as u32);
        levels.starts.push(levels.below.len() as u32);
        levels
    }

    pub(crate) fn node_count(&self) -> usize {
        self.below.len()
    }

    pub(crate) fn level_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The nodes of a level.
    pub(crate) fn level(&self, level: usize) -> Range<usize> {
        self.starts[level] as usize..self.starts[level + 1] as usize
    }

    /// The children of a node; none for a leaf.
    pub(crate) fn children(&self, node: usize) -> Range<usize> {
        self.first_child[node] as usize..self.first_child[node + 1] as usize
    }

    /// The triangles in the order in which those below any node stand together.
    pub(crate) fn order(&self) -> &[u32] {
        &self.order
    }

    /// Which part of the order is below a node.
    pub(crate) fn below(&self, node: usize) -> Range<u32> {
        self.below[node].clone()
    }

    /// The triangles below a node.
    pub(crate) fn triangles(&self, node: usize) -> &[u32] {
        let range = &self.below[node];
        &self.order[range.start as usize..range.end as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_partition_their_parent_and_leaves_hold_one_triangle() {
        // Thirds, rounded so that levels are of unequal length.
        let levels = Levels::build(0..100, |triangles, ends| {
            let third = triangles.len().div_ceil(3);
            ends.extend([third, (2 * third).min(triangles.len()), triangles.len()]);
            ends.dedup();
        });
        let mut leaves: Vec<u32> = Vec::new();
        for node in 0..levels.node_count() {
            let children = levels.children(node);
            let joined: Vec<u32> = children.clone().flat_map(|child| levels.triangles(child)).copied().collect();
            if children.is_empty() {
                assert_eq!(levels.triangles(node).len(), 1);
                leaves.extend(levels.triangles(node));
            } else {
                assert_eq!(joined, levels.triangles(node));
                assert!(children.start > node);
            }
        }
        leaves.sort_unstable();
        assert_eq!(leaves, (0..100).collect::<Vec<u32>>());
        let nodes: usize = (0..levels.level_count()).map(|level| levels.level(level).len()).sum();
        assert_eq!((levels.level(0), nodes), (0..1, levels.node_count()));
    }

    #[test]
    fn no_triangles_make_no_nodes_and_one_makes_a_root_that_is_a_leaf() {
        assert_eq!(Levels::build(0..0, |_, _| unreachable!()).node_count(), 0);
        let one = Levels::build(0..1, |_, _| unreachable!());
        assert_eq!((one.node_count(), one.level_count(), one.children(0)), (1, 1, 1..1));
    }
}
