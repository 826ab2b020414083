//! Walks two trees at once, or one against itself, down to the pairs of nodes that are tested.
//!
//! Departs: the paper leaves open which of two overlapping nodes is opened. Here both are while their boxes are of like
//! size: the children of `b` that reach the box of `a` are listed once, then each child of `a` that reaches the box of `b`
//! is held against that list. At degree eight this needs far fewer box tests than opening one side at a time, whose every
//! step repeats the other. Where one box is much larger, it alone is opened: if every box of a tree spans the scene, then
//! to open both would compare each of its nodes with each node of the other tree (CR4-scatter: 5 ms against 360).
//! Whether two boxes overlap is nearly random here, so nothing branches on it: every pair is written to the end of
//! the list, and the end moves on by 0 or 1.

use super::late::{Late, number};
use super::{Side, Tree};
use crate::lanes::BoxLanes;
use crumple::Aabb;

/// The most children of a node.
const MOST: usize = 8;

/// The most pairs of nodes that are written at once, and more; a power of two, so that a remainder is cheap.
const ROOM: usize = 128;

/// How many times as large as the other, in squared diagonals, a box may be for both to be opened. At 16, CR4-scatter
/// takes more than twice as long; at 1, LE1 takes a third longer.
const ALIKE: f32 = 4.0;

/// The two sides of a walk, or one side twice, with the boxes that the walk has fitted.
#[derive(Debug)]
pub(super) struct Walk<'a, const WITHIN: bool> {
    pub(super) a: Side<'a, Tree>,
    pub(super) b: Side<'a, Tree>,
    pub(super) late: &'a mut [Late; 2],
    pub(super) reached: &'a mut Reached,
}

impl<const WITHIN: bool> Walk<'_, WITHIN> {
    /// Which of the two memories is that of `b`.
    const OF_B: usize = if WITHIN { 0 } else { 1 };

    /// Forgets the boxes that an earlier walk has fitted.
    pub(super) fn begin(&mut self) {
        self.late[0].begin(self.a.tree);
        self.late[Self::OF_B].begin(self.b.tree);
    }

    /// Puts the roots where the walk starts, if they meet.
    pub(super) fn start(&self, open: &mut Open) {
        let roots = self.a.tree.boxes.root().zip(self.b.tree.boxes.root());
        open.clear();
        if let Some((root_a, root_b)) = roots {
            open.box_tests += u64::from(!WITHIN);
            if root_a.overlaps(&root_b) {
                open.push(0, 0);
            }
        }
    }

    /// Whether a node is not opened: a leaf, or within one body a group of few triangles.
    #[inline]
    fn ends(side: Side<'_, Tree>, node: u32) -> bool {
        if WITHIN { side.tree.boxes.group(number(node)).is_some() } else { side.tree.boxes.is_leaf(number(node)) }
    }

    /// Whether two nodes are to be tested and not opened.
    #[inline]
    pub(super) fn is_end(&self, (at_a, at_b): (u32, u32)) -> bool {
        Self::ends(self.a, at_a) && Self::ends(self.b, at_b)
    }

    /// Whether two nodes can be opened without a box being fitted.
    pub(super) fn can_open(&self, (at_a, at_b): (u32, u32)) -> bool {
        let can =
            |side: Side<'_, Tree>, node| Self::ends(side, node) || side.tree.boxes.are_children_fitted(number(node));
        !self.is_end((at_a, at_b)) && can(self.a, at_a) && can(self.b, at_b)
    }

    /// Opens two nodes that are no end, or the larger of them, and pushes what overlaps below.
    ///
    /// A node against itself opens into its children against themselves and against their later siblings, so that no
    /// pair of nodes is met twice.
    #[inline(always)]
    pub(super) fn open(&mut self, (at_a, at_b): (u32, u32), open: &mut Open) {
        let (a, b) = (self.a, self.b);
        if WITHIN && at_a == at_b {
            let children = self.late[0].open(a, at_a);
            open.push_within(self.late[0].boxes_of(a.tree, children.clone()), children.start);
            return;
        }
        let bounds_a = self.late[0].bounds(a.tree, at_a);
        let bounds_b = self.late[Self::OF_B].bounds(b.tree, at_b);
        let (size_a, size_b) = (size(&bounds_a), size(&bounds_b));
        let (ends_a, ends_b) = (Self::ends(a, at_a), Self::ends(b, at_b));
        let keeps_a = ends_a || !ends_b && size_b > ALIKE * size_a;
        let keeps_b = ends_b || !ends_a && size_a > ALIKE * size_b;
        // Of a node that is kept it is known that it overlaps the other.
        if keeps_a {
            let opened = self.late[Self::OF_B].open(b, at_b);
            let siblings = self.late[Self::OF_B].boxes_of(b.tree, opened.clone());
            return open.push_reaching(&bounds_a, siblings, opened.start, |node| (at_a, node));
        }
        let opened_a = self.late[0].open(a, at_a);
        if keeps_b {
            let siblings = self.late[0].boxes_of(a.tree, opened_a.clone());
            return open.push_reaching(&bounds_b, siblings, opened_a.start, |node| (node, at_b));
        }
        let opened_b = self.late[Self::OF_B].open(b, at_b);
        let first_b = opened_b.start;
        self.reached.fill(&bounds_a, self.late[Self::OF_B].boxes_of(b.tree, opened_b), first_b);
        let first_a = opened_a.start;
        open.push_overlapping(&bounds_b, self.late[0].boxes_of(a.tree, opened_a), first_a, self.reached);
    }

    /// Boxes fitted by this walk.
    pub(super) fn fitted(&self) -> u64 {
        self.late[0].fitted + if WITHIN { 0 } else { self.late[1].fitted }
    }
}

/// The squared diagonal of a box: how large it is, even if it is flat. Where it overflows, boxes are taken to be alike.
#[inline]
fn size(bounds: &Aabb) -> f32 {
    (bounds.high() - bounds.low()).length_squared()
}

/// The nodes among some siblings that reach a box, with their boxes; what lies beyond `len` is unspecified.
#[derive(Debug)]
pub(super) struct Reached {
    nodes: [u32; MOST],
    boxes: [Aabb; MOST],
    len: usize,
    tested: u64,
}

impl Default for Reached {
    fn default() -> Self {
        Self { nodes: [0; MOST], boxes: [Aabb::EMPTY; MOST], len: 0, tested: 0 }
    }
}

impl Reached {
    #[inline]
    fn fill(&mut self, bounds: &Aabb, siblings: &[Aabb], first: u32) {
        let mut end = 0;
        for (nth, its) in siblings.iter().enumerate() {
            // At most eight siblings; the remainder tells the compiler so.
            (self.nodes[end % MOST], self.boxes[end % MOST]) = (first + nth as u32, *its);
            end += usize::from(its.overlaps(bounds));
        }
        (self.len, self.tested) = (end, siblings.len() as u64);
    }
}

/// The pairs of nodes still to be opened; memory beyond `top` is unspecified.
#[derive(Debug, Default)]
pub(super) struct Open {
    pairs: Vec<(u32, u32)>,
    top: usize,
    pub(super) box_tests: u64,
}

impl Open {
    pub(super) fn clear(&mut self) {
        (self.top, self.box_tests) = (0, 0);
    }

    /// Empties the list, but goes on counting.
    pub(super) fn restart(&mut self) {
        self.top = 0;
    }

    pub(super) fn pairs(&self) -> &[(u32, u32)] {
        &self.pairs[..self.top]
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<(u32, u32)> {
        self.top = self.top.checked_sub(1)?;
        Some(self.pairs[self.top])
    }

    pub(super) fn push(&mut self, a: u32, b: u32) {
        self.room()[0] = (a, b);
        self.top += 1;
    }

    /// Pushes each of some siblings with itself and with each later one that it overlaps.
    #[inline]
    fn push_within(&mut self, siblings: &[Aabb], first: u32) {
        let room = self.room();
        let mut pushed = 0;
        for sibling in (first..).take(siblings.len()) {
            room[pushed % ROOM] = (sibling, sibling);
            pushed += 1;
        }
        for (nth, its) in siblings.iter().enumerate() {
            for (later, other) in siblings.iter().enumerate().skip(nth + 1) {
                room[pushed % ROOM] = (first + nth as u32, first + later as u32);
                pushed += usize::from(its.overlaps(other));
            }
        }
        self.top += pushed;
        self.box_tests += (siblings.len() * (siblings.len() - 1) / 2) as u64;
    }

    /// Pushes the pair of each of some siblings that reaches `bounds`.
    #[inline]
    fn push_reaching(&mut self, bounds: &Aabb, siblings: &[Aabb], first: u32, pair: impl Fn(u32) -> (u32, u32)) {
        let room = self.room();
        let mut pushed = 0;
        for (node, its) in (first..).zip(siblings) {
            room[pushed % ROOM] = pair(node);
            pushed += usize::from(its.overlaps(bounds));
        }
        self.top += pushed;
        self.box_tests += siblings.len() as u64;
    }

    /// Pushes each of some siblings that reaches `bounds` with each node of `reached` that it overlaps.
    #[inline]
    fn push_overlapping(&mut self, bounds: &Aabb, siblings: &[Aabb], first: u32, reached: &Reached) {
        let room = self.room();
        let (nodes, their_boxes) = (&reached.nodes[..reached.len], &reached.boxes[..reached.len]);
        let (mut pushed, mut reaching) = (0, 0);
        for (nth, its) in siblings.iter().enumerate() {
            if !its.overlaps(bounds) {
                continue;
            }
            reaching += 1;
            for (&node, other) in nodes.iter().zip(their_boxes) {
                room[pushed % ROOM] = (first + nth as u32, node);
                pushed += usize::from(its.overlaps(other));
            }
        }
        self.top += pushed;
        self.box_tests += reached.tested + (siblings.len() + reaching * nodes.len()) as u64;
    }

    /// The memory from the top on: enough for every pair that opening two nodes can give, and one to write to in vain.
    #[inline]
    fn room(&mut self) -> &mut [(u32, u32); ROOM] {
        if self.pairs.len() < self.top + ROOM {
            self.pairs.resize(2 * self.top + ROOM, (0, 0));
        }
        let room = self.pairs[self.top..].first_chunk_mut();
        room.unwrap_or_else(|| unreachable!("room has just been made"))
    }
}
