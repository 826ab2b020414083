//! Opens pairs of nodes into the pairs of their children whose boxes overlap, from the roots down to clusters.
//!
//! Breadth first, a level at a time, on lists of pairs of nodes. Opening a pair compares eight boxes with eight: a row
//! of the first against all of the second in a few instructions without a branch, giving one bit per pair. The boxes
//! are the anchored ones of the trees.

use super::Tree;
use super::build::WIDTH;
use crate::geom::Aabb;
use crate::geom::lanes::{Bounds, Boxes8, Simd, Widening, bits};

/// Pairs of nodes: this level's and the next one's.
#[derive(Debug, Default)]
pub(super) struct Front {
    now: Vec<(u32, u32)>,
    next: Vec<(u32, u32)>,
    pub(super) box_tests: u64,
}

impl Front {
    /// Finds the pairs of clusters of two trees whose boxes overlap.
    #[inline(always)]
    pub(super) fn reach<S: Simd>(&mut self, simd: S, (a, bounds_a): (&Tree, &Aabb), (b, bounds_b): (&Tree, &Aabb)) {
        self.now.clear();
        self.box_tests = 0;
        let (mut level_a, mut level_b) = (a.levels.len() - 1, b.levels.len() - 1);
        if a.arrangement.leaf_count() > 0 && b.arrangement.leaf_count() > 0 {
            self.now.push((0, 0));
        }
        // The deeper tree goes down alone, against the other's whole body, until both stand at the same level.
        while level_a > level_b {
            let whole = Bounds::of(bounds_b).widened(&a.anchor.widening_of_box(bounds_b));
            self.open_one(simd, a.level(level_a), &whole, |pair| pair.0, |node, pair| (node, pair.1));
            level_a -= 1;
        }
        while level_b > level_a {
            let whole = Bounds::of(bounds_a).widened(&b.anchor.widening_of_box(bounds_a));
            self.open_one(simd, b.level(level_b), &whole, |pair| pair.1, |node, pair| (pair.0, node));
            level_b -= 1;
        }
        for level in (1..=level_a).rev() {
            self.open_both(simd, level, a, b);
        }
    }

    /// The pairs of clusters last found.
    pub(super) fn reached(&self) -> &[(u32, u32)] {
        &self.now
    }

    /// Finds the pairs of clusters of one tree whose boxes overlap, each once, a cluster and itself included.
    #[inline(always)]
    pub(super) fn reach_self<S: Simd>(&mut self, simd: S, tree: &Tree) {
        self.now.clear();
        self.box_tests = 0;
        if tree.arrangement.leaf_count() > 0 {
            self.now.push((0, 0));
        }
        for level in (1..tree.levels.len()).rev() {
            self.open_both(simd, level, tree, tree);
            // A node against itself finds every pair twice; keep the ones in order.
            self.now.retain(|&(a, b)| a <= b);
        }
    }

    #[inline(always)]
    fn open_one<S: Simd>(
        &mut self,
        simd: S,
        (groups, count): (&[Boxes8], usize),
        whole: &Bounds,
        opened: impl Fn(&(u32, u32)) -> u32,
        paired: impl Fn(u32, &(u32, u32)) -> (u32, u32),
    ) {
        self.next.clear();
        let in_use = InUse::of(count);
        for pair in &self.now {
            let group = opened(pair);
            self.box_tests += WIDTH as u64;
            for lane in bits(groups[group as usize].overlapping(simd, whole) & in_use.in_group(group)) {
                self.next.push(paired(group * WIDTH as u32 + lane as u32, pair));
            }
        }
        std::mem::swap(&mut self.now, &mut self.next);
    }

    #[inline(always)]
    fn open_both<S: Simd>(&mut self, simd: S, level: usize, a: &Tree, b: &Tree) {
        self.next.clear();
        self.box_tests += (WIDTH * WIDTH * self.now.len()) as u64;
        let opening = Opening::new(level, a, b);
        let (groups_a, groups_b) = (a.level(level).0, b.level(level).0);
        for &(a, b) in &self.now {
            opening.open(simd, (a, b), (&groups_a[a as usize], &groups_b[b as usize]), &mut self.next);
        }
        std::mem::swap(&mut self.now, &mut self.next);
    }
}

/// How pairs of nodes of two trees are opened into the pairs of their children, which are the nodes of `level`.
pub(super) struct Opening {
    widening: Widening,
    in_use: [InUse; 2],
}

impl Opening {
    pub(super) fn new(level: usize, a: &Tree, b: &Tree) -> Self {
        Self {
            widening: a.anchor.widening(&b.anchor),
            in_use: [InUse::of(a.level(level).1), InUse::of(b.level(level).1)],
        }
    }

    /// Appends the pairs of children, whose boxes are given, that overlap.
    #[inline(always)]
    pub(super) fn open<S: Simd>(
        &self,
        simd: S,
        (a, b): (u32, u32),
        (boxes_a, boxes_b): (&Boxes8, &Boxes8),
        opened: &mut Vec<(u32, u32)>,
    ) {
        let found = boxes_a.widened(simd, &self.widening).overlaps(simd, boxes_b);
        let in_use = squared(self.in_use[0].in_group(a), self.in_use[1].in_group(b));
        for bit in bits(found & in_use) {
            opened.push((a * WIDTH as u32 + bit as u32 / 8, b * WIDTH as u32 + bit as u32 % 8));
        }
    }
}

/// The pairs of lanes in use: bit 8 · row + lane. Lanes in use are the first ones of a group, and so are rows.
#[inline(always)]
fn squared(rows: u32, lanes: u32) -> u64 {
    let all_rows = u64::MAX >> (8 * rows.leading_zeros().wrapping_sub(24));
    all_rows & (u64::from(lanes) * 0x0101_0101_0101_0101)
}

/// Which lanes of groups of eight are in use: only the last group has others. Empty boxes overlap nothing by themselves,
/// but a widening without bound would make everything overlap everything.
struct InUse {
    last: u32,
    of_last: u32,
}

impl InUse {
    /// For `count` nodes.
    fn of(count: usize) -> Self {
        let groups = count.div_ceil(WIDTH);
        Self { last: groups.saturating_sub(1) as u32, of_last: 0xff >> (WIDTH * groups - count) }
    }

    /// One bit per lane.
    #[inline(always)]
    fn in_group(&self, group: u32) -> u32 {
        if group == self.last { self.of_last } else { 0xff }
    }
}
