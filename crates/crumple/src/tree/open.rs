//! Opens pairs of nodes into the pairs of their children whose boxes overlap, from the roots down to clusters.
//!
//! Breadth first, a level at a time, on lists of pairs of nodes. Opening a pair compares eight boxes with eight: a row
//! of the first against all of the second in a few instructions without a branch, giving one bit per pair. The boxes
//! are the anchored ones of the trees.

use super::build::WIDTH;
use super::hubs::ClearNodes;
use super::{Tree, TreeSide};
use crate::body::Body;
use crate::geom::Aabb;
use crate::geom::lanes::{Bounds, Boxes8, Simd, Widening, bits};
use crate::work::spend;

/// Pairs of nodes after which work is counted; fewer are not worth it.
const PIECE: usize = 1 << 10;
/// Sixty-four comparisons, and as many new pairs.
const STEPS_PER_PAIR_OF_NODES: usize = 8;

/// What boxes are to hold: the vertices in this frame, or at all times from the last frame to this one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Span {
    ///
    /// What is within a distance of each other, which may be 0, is to be found.
    Now { distance: f64 },
    /// Bodies must keep a distance, which may be 0.
    Step { distance: f64 },
}

impl Span {
    /// How far anchored boxes of `a` have to be widened to be compared with anchored boxes of `b`.
    ///
    /// Over a step two boxes can be told apart if, along an axis, one lies beyond the other in this frame and did so in
    /// the last: vertices move linearly. With displacements between d and D, a box [min, max] of this frame came from
    /// within [min − D, max − d], so a lies above b in both frames if
    ///
    /// ```text
    /// min_a > max_b  and  min_a − D_a > max_b − d_b,     that is     min_a − max(0, D_a − d_b) > max_b.
    /// ```
    ///
    /// So a step takes the comparison of one frame with a wider box. The sum is rounded up twice, and 2^-20 of what is
    /// added covers the rounding of the comparison itself, which is at most 2^-24 of all numbers in it.
    pub(super) fn widening(self, a: TreeSide<'_>, b: TreeSide<'_>) -> Widening {
        let now = a.tree.anchor.widening(&b.tree.anchor);
        let distance = match self {
            Self::Now { distance } => {
                return Widening {
                    below: now.below.map(|by| wider(by, distance)),
                    above: now.above.map(|by| wider(by, distance)),
                };
            }
            Self::Step { distance } => distance,
        };
        let ([least_a, most_a], [least_b, most_b]) = (a.body.step_displacement(), b.body.step_displacement());
        Widening {
            below: std::array::from_fn(|axis| {
                wider(now.below[axis], distance + (most_a[axis] - least_b[axis]).max(0.0))
            }),
            above: std::array::from_fn(|axis| {
                wider(now.above[axis], distance + (most_b[axis] - least_a[axis]).max(0.0))
            }),
        }
    }

    /// How far boxes that are right at one moment have to be widened to keep their distance; `None` if that is 0.
    ///
    /// Widening rounds a sum of a coordinate and the distance, within 2^-24 of both; so does the comparison not. 2^-22 of
    /// the largest coordinate and 2^-20 of the distance are more than that.
    pub(super) fn keeping_apart(self, a: &Body, b: &Body) -> Option<Widening> {
        let Self::Step { distance } = self else { return None };
        if distance <= 0.0 {
            return None;
        }
        let largest = |bounds: Aabb| f64::from(bounds.low().abs().max(bounds.high().abs()).max_element());
        let boxes = [a.bounds(), a.previous_bounds(), b.bounds(), b.previous_bounds()];
        let largest = boxes.map(largest).into_iter().fold(0.0, f64::max);
        let by = wider(0.0, distance + largest * 2f64.powi(-22));
        Some(Widening { below: [by; 3], above: [by; 3] })
    }

    /// A box that holds a whole body, to be compared with anchored boxes of `other`.
    fn whole(self, body: &Body, other: TreeSide<'_>) -> Bounds {
        let bounds = match self {
            Self::Now { .. } => body.bounds(),
            Self::Step { .. } => body.bounds().union(&body.previous_bounds()),
        };
        let mut widening = other.tree.anchor.widening_of_box(&bounds);
        let (distance, [least, most]) = match self {
            Self::Now { distance } => (distance, [[0.0; 3]; 2]),
            Self::Step { distance } => (distance, other.body.step_displacement()),
        };
        for axis in 0..3 {
            widening.below[axis] = wider(widening.below[axis], distance + (-least[axis]).max(0.0));
            widening.above[axis] = wider(widening.above[axis], distance + most[axis].max(0.0));
        }
        Bounds::of(&bounds).widened(&widening)
    }
}

/// A widening enlarged by `more`, if that is positive; see [`Span::widening`].
fn wider(widening: f32, more: f64) -> f32 {
    if more > 0.0 {
        (widening + (more * (1.0 + 2f64.powi(-20))) as f32 * (1.0 + 2f32.powi(-20))).next_up()
    } else {
        widening
    }
}

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
    pub(super) fn reach<S: Simd>(&mut self, simd: S, side_a: TreeSide<'_>, side_b: TreeSide<'_>, span: Span) {
        self.now.clear();
        self.box_tests = 0;
        let (a, b) = (side_a.tree, side_b.tree);
        let (mut level_a, mut level_b) = (a.levels.len() - 1, b.levels.len() - 1);
        if a.arrangement.leaf_count() > 0 && b.arrangement.leaf_count() > 0 {
            self.now.push((0, 0));
        }
        // The deeper tree goes down alone, against the other's whole body, until both stand at the same level.
        while level_a > level_b {
            let whole = span.whole(side_b.body, side_a);
            self.open_one(simd, a.level(level_a), &whole, |pair| pair.0, |node, pair| (node, pair.1));
            level_a -= 1;
        }
        while level_b > level_a {
            let whole = span.whole(side_a.body, side_b);
            self.open_one(simd, b.level(level_b), &whole, |pair| pair.1, |node, pair| (pair.0, node));
            level_b -= 1;
        }
        let widening = span.widening(side_a, side_b);
        for level in (1..=level_a).rev() {
            self.open_both(simd, level, (a, b), widening);
        }
    }

    /// The pairs of clusters last found.
    pub(super) fn reached(&self) -> &[(u32, u32)] {
        &self.now
    }

    /// Finds the pairs of clusters of one tree whose boxes overlap, each once, a cluster and itself included; those that are
    /// clear are left out.
    #[inline(always)]
    pub(super) fn reach_self<S: Simd>(
        &mut self,
        simd: S,
        side: TreeSide<'_>,
        span: Span,
        clear: Option<ClearNodes<'_>>,
    ) {
        self.now.clear();
        self.box_tests = 0;
        let tree = side.tree;
        if tree.arrangement.leaf_count() > 0 {
            self.now.push((0, 0));
        }
        if let Some(clear) = clear {
            clear.remove_from(tree.levels.len(), &mut self.now, |pair| pair);
        }
        let widening = span.widening(side, side);
        for level in (1..tree.levels.len()).rev() {
            self.open_both(simd, level, (tree, tree), widening);
            // A node against itself finds every pair twice; keep the ones in order.
            self.now.retain(|&(a, b)| a <= b);
            if let Some(clear) = clear {
                clear.remove_from(level, &mut self.now, |pair| pair);
            }
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
    fn open_both<S: Simd>(&mut self, simd: S, level: usize, (a, b): (&Tree, &Tree), widening: Widening) {
        self.next.clear();
        self.box_tests += (WIDTH * WIDTH * self.now.len()) as u64;
        let opening = Opening::new(level, (a, b), widening);
        let (groups_a, groups_b) = (a.level(level).0, b.level(level).0);
        // In pieces: a list can be 64 times as long as the one before, and is to be given up before it fills the memory.
        for piece in self.now.chunks(PIECE) {
            for &(a, b) in piece {
                opening.open(simd, (a, b), (&groups_a[a as usize], &groups_b[b as usize]), &mut self.next);
            }
            if piece.len() == PIECE {
                spend(STEPS_PER_PAIR_OF_NODES * PIECE);
            }
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
    pub(super) fn new(level: usize, (a, b): (&Tree, &Tree), widening: Widening) -> Self {
        Self { widening, in_use: [InUse::of(a.level(level).1), InUse::of(b.level(level).1)] }
    }

    /// Which pairs of the lanes of two groups are in use: bit 8 · row + lane.
    #[inline(always)]
    pub(super) fn in_use(&self, (a, b): (u32, u32)) -> u64 {
        squared(self.in_use[0].in_group(a), self.in_use[1].in_group(b))
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
        for bit in bits(found & self.in_use((a, b))) {
            opened.push((a * WIDTH as u32 + bit as u32 / 8, b * WIDTH as u32 + bit as u32 % 8));
        }
    }
}

/// The pairs of rows and lanes in use, one bit each: bit 8 · row + lane.
#[inline(always)]
pub(super) fn squared(rows: u32, lanes: u32) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    // In each byte the bit of its row; 0x7f added to a byte with a bit carries into the highest one.
    let bit_of_row = (u64::from(rows) * EACH) & 0x8040_2010_0804_0201;
    let is_in_use = (((bit_of_row & (0x7f * EACH)) + 0x7f * EACH) | bit_of_row) >> 7 & EACH;
    is_in_use * u64::from(lanes)
}

/// Which lanes of groups of eight are in use: only the last group has others. Empty boxes overlap nothing by themselves,
/// but a widening without bound would make everything overlap everything.
pub(super) struct InUse {
    last: u32,
    of_last: u32,
}

impl InUse {
    /// For `count` nodes.
    pub(super) fn of(count: usize) -> Self {
        let groups = count.div_ceil(WIDTH);
        Self { last: groups.saturating_sub(1) as u32, of_last: 0xff >> (WIDTH * groups - count) }
    }

    /// One bit per lane.
    #[inline(always)]
    pub(super) fn in_group(&self, group: u32) -> u32 {
        if group == self.last { self.of_last } else { 0xff }
    }
}
