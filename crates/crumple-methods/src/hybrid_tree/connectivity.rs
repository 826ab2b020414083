//! Splits a node into connected patches of the surface.
//!
//! Paper: Larsson & Akenine-Möller 2001, section 3.2 (mesh connectivity tree), which asks for connected sub-meshes and
//! does not say how to find them. Here: seeds far from one another over the edges, then the patches grow from them,
//! the smallest first, so that they come out connected and of about equal size. Where a node holds several components
//! of the surface these are shared out first; only such nodes are not connected.
//!
//! Cost: O(degree · n) a level, so O(degree · n log n) in all, once a tree.

use std::collections::VecDeque;

use crate::Degree;
use crumple::{Mesh, TriangleId};

/// No patch, or not in this node.
const NONE: u32 = u32::MAX;

/// Splits nodes by the edges their triangles share.
pub(super) struct PatchSplit<'a> {
    mesh: &'a Mesh,
    parts: usize,
    /// Which split a triangle was last part of: tells the triangles of this node from all others.
    member_of: Vec<u32>,
    split: u32,
    /// The patch or component a triangle has been given to in this split.
    patch: Vec<u32>,
    queue: VecDeque<u32>,
}

impl<'a> PatchSplit<'a> {
    pub(super) fn new(mesh: &'a Mesh, degree: Degree) -> Self {
        let count = mesh.triangles().len();
        let (member_of, patch) = (vec![0; count], vec![NONE; count]);
        Self { mesh, parts: degree.count(), member_of, split: 0, patch, queue: VecDeque::new() }
    }

    /// Groups the triangles of a node by patch and pushes the end of each patch.
    pub(super) fn split(&mut self, triangles: &mut [u32], ends: &mut Vec<usize>) {
        self.split += 1;
        for &t in triangles.iter() {
            self.member_of[t as usize] = self.split;
        }
        let components = self.find_components(triangles);
        if components.len() > 1 {
            self.share_out(triangles, &components);
        } else {
            self.grow_patches(triangles);
        }
        triangles.sort_by_key(|&t| self.patch[t as usize]);
        ends.extend(
            (1..triangles.len())
                .filter(|&i| self.patch[triangles[i] as usize] != self.patch[triangles[i - 1] as usize]),
        );
        ends.push(triangles.len());
    }

    /// Numbers the components of a node in `patch`; returns their sizes.
    fn find_components(&mut self, triangles: &[u32]) -> Vec<usize> {
        self.clear(triangles);
        let mut sizes = Vec::new();
        for &seed in triangles {
            if self.patch[seed as usize] == NONE {
                let size = self.spread(&[seed], sizes.len() as u32).1;
                sizes.push(size);
            }
        }
        sizes
    }

    /// Gives whole components to parts, the largest first, always to the smallest part.
    fn share_out(&mut self, triangles: &[u32], sizes: &[usize]) {
        let mut by_size: Vec<usize> = (0..sizes.len()).collect();
        by_size.sort_by_key(|&component| std::cmp::Reverse(sizes[component]));
        let mut filled = vec![0; self.parts.min(sizes.len())];
        let mut part_of = vec![0; sizes.len()];
        for component in by_size {
            let part = (0..filled.len()).min_by_key(|&part| filled[part]).unwrap_or(0);
            filled[part] += sizes[component];
            part_of[component] = part as u32;
        }
        for &t in triangles {
            self.patch[t as usize] = part_of[self.patch[t as usize] as usize];
        }
    }

    /// Grows up to `parts` patches over one component.
    fn grow_patches(&mut self, triangles: &[u32]) {
        let seeds = self.far_seeds(triangles);
        self.clear(triangles);
        let mut fronts: Vec<VecDeque<u32>> = seeds.iter().map(|&seed| VecDeque::from([seed])).collect();
        let mut sizes = vec![0usize; seeds.len()];
        while let Some(smallest) = (0..seeds.len()).filter(|&p| !fronts[p].is_empty()).min_by_key(|&p| sizes[p]) {
            let Some(t) = fronts[smallest].pop_front() else {
                continue;
            };
            if self.patch[t as usize] != NONE {
                continue;
            }
            self.patch[t as usize] = smallest as u32;
            sizes[smallest] += 1;
            let neighbours = self.mesh.neighbours(TriangleId(t));
            fronts[smallest].extend(neighbours.iter().map(|n| n.0).filter(|&n| self.is_free(n)));
        }
    }

    /// Triangles far from one another over the edges: each the last reached from all before it.
    fn far_seeds(&mut self, triangles: &[u32]) -> Vec<u32> {
        self.clear(triangles);
        let mut seeds = vec![self.spread(&triangles[..1], 0).0];
        while seeds.len() < self.parts.min(triangles.len()) {
            self.clear(triangles);
            let farthest = self.spread(&seeds, 0).0;
            seeds.push(farthest);
        }
        seeds
    }

    fn clear(&mut self, triangles: &[u32]) {
        for &t in triangles {
            self.patch[t as usize] = NONE;
        }
    }

    fn is_free(&self, t: u32) -> bool {
        self.member_of[t as usize] == self.split && self.patch[t as usize] == NONE
    }

    /// Marks everything reached over the edges from `seeds`; returns the last triangle reached and how many were.
    fn spread(&mut self, seeds: &[u32], mark: u32) -> (u32, usize) {
        self.queue.clear();
        for &seed in seeds {
            self.patch[seed as usize] = mark;
            self.queue.push_back(seed);
        }
        let (mut last, mut size) = (seeds[0], 0);
        while let Some(t) = self.queue.pop_front() {
            (last, size) = (t, size + 1);
            for n in self.mesh.neighbours(TriangleId(t)) {
                if self.is_free(n.0) {
                    self.patch[n.0 as usize] = mark;
                    self.queue.push_back(n.0);
                }
            }
        }
        (last, size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levels::Levels;

    /// A strip of `n` triangles, and a second one that does not touch it.
    fn two_strips(n: u32) -> Mesh {
        let strip = |start: u32| (0..n).map(move |i| [start + i, start + i + 1, start + i + 2]);
        Mesh::new(2 * (n as usize + 2), strip(0).chain(strip(n + 2)).collect()).unwrap()
    }

    #[test]
    fn every_subtree_of_a_component_is_one_connected_patch() {
        let mesh = two_strips(50);
        for degree in [Degree::Two, Degree::Four, Degree::Eight] {
            let mut split = PatchSplit::new(&mesh, degree);
            let levels = Levels::build(0..100, |triangles, ends| split.split(triangles, ends));
            for node in 0..levels.node_count() {
                let mut below = levels.triangles(node).to_vec();
                below.sort_unstable();
                // In a strip, connected means consecutive; only the root holds both strips.
                let connected = below.windows(2).all(|pair| pair[1] == pair[0] + 1 && pair[1] != 50);
                assert!(connected || node == 0, "{degree:?}: {below:?}");
            }
        }
    }

    #[test]
    fn triangles_without_any_neighbour_still_make_a_tree() {
        let mesh = Mesh::new(300, (0..100).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect()).unwrap();
        let mut split = PatchSplit::new(&mesh, Degree::Eight);
        let levels = Levels::build(0..100, |triangles, ends| split.split(triangles, ends));
        assert!((0..levels.node_count()).filter(|&node| levels.children(node).is_empty()).count() == 100);
    }
}
