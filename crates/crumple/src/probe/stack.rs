//! Nodes still to be visited, the nearest on top of those of its group.

use crate::geom::lanes::{WIDTH, bits};
use crate::tree::Node;
use crate::work::spend;

/// Eight boxes or eight triangles in f32.
const STEPS_PER_NODE: usize = 4;
/// One in f64.
const STEPS_PER_TRIANGLE: usize = 18;

/// A tree of 2^32 triangles has 11 levels; opening one of its nodes replaces it by at most 8.
const MOST_NODES: usize = 96;

/// A fixed piece of memory: a walk allocates nothing.
#[derive(Debug)]
pub(super) struct Stack {
    entries: [(f32, Node); MOST_NODES],
    len: usize,
    /// Nodes taken off since work was last counted.
    taken: usize,
    /// Triangles looked at in f64 since then.
    pub(super) examined: usize,
}

impl Stack {
    pub(super) fn new() -> Self {
        Self { entries: [(0.0, Node::default()); MOST_NODES], len: 0, taken: 0, examined: 0 }
    }

    /// Counts the work of the walks so far.
    pub(super) fn spend(&mut self) {
        let (taken, examined) = (std::mem::take(&mut self.taken), std::mem::take(&mut self.examined));
        spend(STEPS_PER_NODE * taken + STEPS_PER_TRIANGLE * examined);
    }

    /// Starts a walk; what is left of the last one is dropped.
    #[inline(always)]
    pub(super) fn start(&mut self, root: Node) {
        (self.entries[0], self.len) = ((0.0, root), 1);
    }

    /// Adds the nodes of a group in the lanes of a mask, by their distances.
    #[inline(always)]
    pub(super) fn push(&mut self, group: Node, mask: u32, distances: &[f32; WIDTH]) {
        let start = self.len;
        for lane in bits(mask) {
            let distance = distances[lane];
            let mut at = self.len;
            while at > start && self.entries[at - 1].0 < distance {
                self.entries[at] = self.entries[at - 1];
                at -= 1;
            }
            self.entries[at] = (distance, group.below(lane));
            self.len += 1;
        }
    }

    /// Takes the top node off, if it is no farther than `most`, or else the first one below it that is not.
    #[inline(always)]
    pub(super) fn pop(&mut self, most: f32) -> Option<Node> {
        while self.len > 0 {
            self.len -= 1;
            let (distance, node) = self.entries[self.len];
            if distance <= most {
                self.taken += 1;
                return Some(node);
            }
        }
        None
    }
}
