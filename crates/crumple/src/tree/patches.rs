//! Which parts of a tree are pieces of surface with one contour, *patches*, and which of them lie side by side in this frame: then
//! no two of their triangles collide, and a walk of the body against itself need not open pairs of nodes within one.
//!
//! **Theorem.** Let every edge of a set T of triangles be used by one triangle of T, or by two that run along it in opposite
//! directions, and let the edges used once form a single closed polygon, the *contour*, that passes each of its vertices once.
//! Seen along some direction, let every triangle of T turn to the left and the contour be simple. Then two triangles of T have
//! nothing in common but a vertex or an edge that they share in the mesh; so by the rule of
//! [`self_pair_meets`](crate::exact::self_pair_meets) none of their pairs collides.
//!
//! *Proof.* All is seen along the direction; what is apart when seen is apart.
//! (1) For a point p on no edge, the number of triangles over p is the sum of the winding numbers of their borders around p,
//! since each turns to the left. Edges used twice cancel, so the sum is the winding number of the contour, and at most 1, since
//! the contour is simple. So the interiors of two triangles are disjoint: what they had in common would be open, and
//! have points on no edge.
//! (2) Let x and y be different points of the surface T (points of a shared edge or vertex being one point) over the same p.
//! The triangles at x fill sectors around p, each of which begins at the edge where the one before it ends, or at an edge of the
//! contour. By (1), no two of the sectors, of x and of y, have an interior in common. If those of x closed up around p there
//! would be no room for one of y, and the other way round. So both x and y are on edges of the contour. But there, different
//! points are seen apart, since the contour is simple and passes each vertex once. ∎
//! (Volino & Magnenat-Thalmann 1994 ask for the same two things of a surface in their criterion for self-collision.)
//!
//! The signs are those of `exact::contour`, which are sure. Directions are those of the axes: a cone of normals that opens by less
//! than 35° to each side of any direction is seen from its front along one of them.
//!
//! A triangle that is removed takes nothing from what was shown of the others. Where triangles were added since, there is no patch.
//!
//! Triangles at a vertex lie side by side as well where all are in such a patch: their fan is not looked at
//! (`narrow::neighbours`).
//!
//! Cost: O(n) when a body is first asked about itself; per frame about 80 instructions for eight triangles, and less for the
//! contours. What has failed is tried again after 1, 3, 7, then 15 frames.
//! Held by: `tests/agreement/patches.rs`, experiment CR1.

use std::sync::atomic::{AtomicU8, Ordering};

use super::build::{Arrangement, NO_LANE, WIDTH};
use super::{Tree, TreeSide};
use crate::body::Body;
use crate::exact::{Contour, Look, all_turn_left};
use crate::geom::Axis;
use crate::geom::lanes::{Instructions, Simd, Vec8, dispatch};
use crate::mesh::Fans;
use crate::work::spend;

/// Patches of level k are 2^k clusters, from a multiple of it on: nodes, halves and quarters of nodes, which are compact too. This is
/// the lowest level that is looked at, of 512 triangles: below it, the contour costs as much as it saves.
const LOWEST: usize = 3;

/// Bits of a home that hold a level.
const LEVEL_BITS: u32 = 5;

/// A vertex at which triangles of several patches meet, at every level.
const NO_HOME: u32 = u32::MAX;

/// The contours of the patches of a tree.
#[derive(Clone, Debug, Default)]
pub(crate) struct Patches {
    /// By level, from [`LOWEST`] on; the last is that of a single patch, the whole body.
    levels: Vec<Contours>,
    /// For each vertex a cluster of its triangles and the lowest level, from [`LOWEST`] on, of a patch that has all of them: the
    /// level in the last bits.
    homes: Vec<u32>,
}

/// The contours of the patches of one level.
#[derive(Clone, Debug, Default)]
struct Contours {
    /// Where the contour of each patch ends; that of one without a contour is empty.
    ends: Vec<u32>,
    vertices: Vec<u32>,
    tries: Vec<Try>,
}

impl Contours {
    fn of(&self, patch: usize) -> &[u32] {
        let Some(&end) = self.ends.get(patch) else { return &[] };
        let start = patch.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.vertices[start as usize..end as usize]
    }
}

/// For how many frames a patch that failed is left alone, in the lower four bits; above them, how often it failed in a row.
#[derive(Debug, Default)]
struct Try(AtomicU8);

impl Clone for Try {
    fn clone(&self) -> Self {
        Self(AtomicU8::new(self.0.load(Ordering::Relaxed)))
    }
}

impl Try {
    /// Whether it is due. Threads that ask about one body at a time may each count a frame: that only costs time.
    fn is_due(&self) -> bool {
        let state = self.0.load(Ordering::Relaxed);
        if state & 15 > 0 {
            self.0.store(state - 1, Ordering::Relaxed);
        }
        state & 15 == 0
    }

    fn note(&self, success: bool) {
        let failures = if success { 0 } else { (self.0.load(Ordering::Relaxed) >> 4).saturating_add(1).min(4) };
        self.0.store(failures << 4 | ((1 << failures) - 1), Ordering::Relaxed);
    }
}

/// Triangles, in powers of two, that a cluster has.
const CLUSTER: u32 = (WIDTH * WIDTH).ilog2();

/// The patch of a level that a lane is in.
fn patch_of(lane: u32, level: usize) -> usize {
    lane as usize >> CLUSTER >> level
}

/// The lowest level at which two lanes are in one patch.
fn common_level(a: u32, b: u32) -> usize {
    let differing = u32::BITS - (a ^ b).leading_zeros();
    differing.saturating_sub(CLUSTER) as usize
}

impl Patches {
    pub(super) fn of(tree: &Tree, vertex_count: usize, fans: &Fans) -> Self {
        let arrangement = &tree.arrangement;
        if arrangement.cluster_count() < 2 {
            return Self::default();
        }
        let top = LOWEST.max(arrangement.cluster_count().next_power_of_two().ilog2() as usize);
        let mut border = vec![Vec::new(); top + 1 - LOWEST];
        let mut is_odd = vec![Vec::new(); border.len()];
        for (level, odd) in (LOWEST..).zip(&mut is_odd) {
            odd.resize(arrangement.cluster_count().div_ceil(1 << level), false);
        }
        for leaf in 0..arrangement.leaf_count() {
            for (lane, [a, b, c]) in arrangement.leaf_in_use(leaf) {
                let lane = (WIDTH * leaf + lane) as u32;
                for (from, to) in [(a, b), (b, c), (c, a)] {
                    let beyond = across(arrangement, fans, lane, (from, to));
                    for (level, (border, odd)) in (LOWEST..).zip(border.iter_mut().zip(&mut is_odd)) {
                        let patch = patch_of(lane, level);
                        match beyond {
                            Beyond::Lane(other) if common_level(lane, other) <= level => break,
                            Beyond::Odd => odd[patch] = true,
                            _ => border.push((patch as u32, from, to)),
                        }
                    }
                }
            }
        }
        let mut levels = Vec::new();
        for (level, (border, odd)) in (LOWEST..).zip(border.iter_mut().zip(&is_odd)) {
            border.sort_unstable();
            let mut contours = Contours::default();
            contours.tries.resize_with(odd.len(), Try::default);
            let mut edges = border.chunk_by(|one, other| one.0 == other.0).peekable();
            for (patch, &is_odd) in odd.iter().enumerate() {
                if let Some(edges) = edges.next_if(|edges| edges[0].0 as usize == patch)
                    && !is_odd
                    && edges.len() <= most_edges(level)
                {
                    follow_contour(edges, &mut contours.vertices);
                }
                contours.ends.push(contours.vertices.len() as u32);
            }
            levels.push(contours);
        }
        let home = |vertex: u32| {
            let lanes = fans.triangles_at(vertex).iter().map(|&triangle| arrangement.lanes[triangle as usize]);
            let (Some(first), Some(last)) = (lanes.clone().min(), lanes.max()) else { return NO_HOME };
            let level = common_level(first, last).max(LOWEST);
            if last == NO_LANE { NO_HOME } else { (patch_of(first, 0) as u32) << LEVEL_BITS | level as u32 }
        };
        Self { levels, homes: (0..vertex_count as u32).map(home).collect() }
    }

    /// Takes in an edit, of which all clusters from a number on are new.
    pub(super) fn follow(&mut self, arrangement: &Arrangement, vertex_count: usize, first_new: usize) {
        for (level, contours) in (LOWEST..).zip(&mut self.levels) {
            // What ends behind the first new cluster.
            contours.ends.truncate(first_new >> level);
        }
        self.homes.resize(vertex_count, NO_HOME);
        for leaf in first_new * WIDTH..arrangement.leaf_count() {
            for vertex in arrangement.leaf(leaf).as_flattened() {
                self.homes[*vertex as usize] = NO_HOME;
            }
        }
    }
}

/// Longer contours take longer than they save, and long strips have no others.
fn most_edges(level: usize) -> usize {
    16 * (((WIDTH * WIDTH) << level) as f64).sqrt() as usize
}

/// What is on the other side of an edge.
#[derive(Clone, Copy)]
enum Beyond {
    Nothing,
    Lane(u32),
    /// More than one triangle, one that runs the same way, or too many to look at.
    Odd,
}

fn across(arrangement: &Arrangement, fans: &Fans, lane: u32, (from, to): (u32, u32)) -> Beyond {
    let at_start = fans.triangles_at(from);
    let mut beyond = Beyond::Nothing;
    for &triangle in at_start {
        let other = arrangement.lanes[triangle as usize];
        if other == NO_LANE {
            return Beyond::Odd;
        }
        let [a, b, c] = arrangement.vertices_of_lane(other);
        if other == lane || ![a, b, c].contains(&to) {
            continue;
        }
        let is_reverse =
            [(b, a), (c, b), (a, c)].contains(&(from, to)) && ![(a, b), (b, c), (c, a)].contains(&(from, to));
        beyond = if is_reverse && matches!(beyond, Beyond::Nothing) { Beyond::Lane(other) } else { Beyond::Odd };
        if matches!(beyond, Beyond::Odd) {
            break;
        }
    }
    if at_start.is_empty() || from == to { Beyond::Odd } else { beyond }
}

/// Appends the vertices of the one closed polygon that edges form which are sorted by where they start, if they do.
fn follow_contour(edges: &[(u32, u32, u32)], vertices: &mut Vec<u32>) {
    let start = vertices.len();
    if edges.windows(2).any(|pair| pair[0].1 == pair[1].1) {
        return;
    }
    let mut at = 0;
    for _ in edges {
        vertices.push(edges[at].1);
        match edges.binary_search_by_key(&edges[at].2, |edge| edge.1) {
            Ok(0) => {
                at = 0;
                break;
            }
            Ok(next) => at = next,
            Err(_) => break,
        }
    }
    if at != 0 || vertices.len() - start != edges.len() || edges.len() < 3 {
        vertices.truncate(start);
    }
}

/// Which patches of a body lie side by side in this frame; working memory.
#[derive(Debug, Default)]
pub(crate) struct FlatPatches {
    /// For each cluster the level of the largest patch with it that does, or 0. Empty if there are none to look at.
    levels: Vec<u8>,
    contour: Contour,
    /// What is taken for granted, to show that answers are then wrong.
    #[cfg(test)]
    granted: Option<tests::Condition>,
}

impl FlatPatches {
    /// Looks at the patches of a tree in this frame.
    pub(crate) fn find(&mut self, simd: Instructions, side: TreeSide<'_>, patches: &Patches) {
        self.levels.clear();
        // What is shown of rounded copies need not hold for what they are copies of.
        if patches.levels.is_empty() || side.body.rounding() > 0.0 {
            return;
        }
        self.levels.resize(side.tree.arrangement.cluster_count(), 0);
        let top = LOWEST + patches.levels.len() - 1;
        let roots = self.levels.len().div_ceil(1 << top);
        dispatch!(simd, simd => {
            for root in 0..roots {
                self.look_at(simd, side, patches, (top, root));
            }
        });
    }

    /// Looks at a patch, and at its halves if it cannot be shown to lie side by side.
    #[inline(always)]
    fn look_at<S: Simd>(&mut self, simd: S, side: TreeSide<'_>, patches: &Patches, root: (usize, usize)) {
        // Depth first; each level leaves one behind.
        let mut left = [(0, 0); 1 + usize::BITS as usize];
        left[0] = root;
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let (level, patch) = left[count];
            let contours = &patches.levels[level - LOWEST];
            let vertices = contours.of(patch);
            if !vertices.is_empty() && contours.tries[patch].is_due() {
                let is_flat = self.lies_side_by_side(simd, side, (level, patch), vertices);
                contours.tries[patch].note(is_flat);
                if is_flat {
                    let end = self.levels.len().min((patch + 1) << level);
                    self.levels[patch << level..end].fill(level as u8);
                    continue;
                }
            }
            if level > LOWEST {
                for half in [2 * patch, 2 * patch + 1] {
                    if half << (level - 1) < self.levels.len() {
                        left[count] = (level - 1, half);
                        count += 1;
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn lies_side_by_side<S: Simd>(
        &mut self,
        simd: S,
        side: TreeSide<'_>,
        (level, patch): (usize, usize),
        contour: &[u32],
    ) -> bool {
        let size = WIDTH << level;
        let leaves = patch * size..side.tree.arrangement.leaf_count().min((patch + 1) * size);
        let Some(look) = seen_from_the_front(simd, side, leaves.clone()) else { return false };
        let [u, v] = look.across();
        self.contour.set(contour.iter().map(|&vertex| {
            let at = side.body.vertices().four(vertex);
            [at[u], at[v]]
        }));
        spend(contour.len() + leaves.len());
        #[cfg(test)]
        match self.granted {
            Some(tests::Condition::SimpleContour) => self.contour.set([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]].into_iter()),
            Some(tests::Condition::LeftTurns) => return self.contour.is_simple(simd),
            None => {}
        }
        if !self.contour.is_simple(simd) {
            return false;
        }
        for leaf in leaves {
            if !all_turn_left(look, corners(simd, side.body, side.tree.arrangement.leaf(leaf))) {
                return false;
            }
        }
        true
    }

    /// What has been found out.
    pub(crate) fn found<'a>(&'a self, patches: &'a Patches) -> Flat<'a> {
        Flat { levels: &self.levels, homes: &patches.homes }
    }
}

/// Along which axis eight triangles out of some leaves are seen from their front, if there is one; of several, that along which
/// they are seen largest.
#[inline(always)]
fn seen_from_the_front<S: Simd>(simd: S, side: TreeSide<'_>, leaves: std::ops::Range<usize>) -> Option<Look> {
    let of = |part: usize| side.tree.arrangement.leaf(leaves.start + part * leaves.len() / WIDTH)[part];
    let [p, q, r] = corners(simd, side.body, &std::array::from_fn(of));
    let normals = q.minus(p).cross(r.minus(p)).store();
    let mut best = (0.0, None);
    for (axis, along) in Axis::ALL.into_iter().zip(normals) {
        let mirrored = along[0] < 0.0;
        let (least, sum) = along.iter().fold((f32::INFINITY, 0.0), |(least, sum), &x| {
            let x = if mirrored { -x } else { x };
            (least.min(x), sum + x)
        });
        if least > 0.0 && sum > best.0 {
            best = (sum, Some(Look { axis, mirrored }));
        }
    }
    best.1
}

/// The corners of eight triangles, in lanes.
#[inline(always)]
fn corners<S: Simd>(simd: S, body: &Body, triangles: &[[u32; 3]; WIDTH]) -> [Vec8<S>; 3] {
    [gather(simd, body, triangles, 0), gather(simd, body, triangles, 1), gather(simd, body, triangles, 2)]
}

/// One corner of each of eight triangles, in lanes.
#[inline(always)]
fn gather<S: Simd>(simd: S, body: &Body, triangles: &[[u32; 3]; WIDTH], corner: usize) -> Vec8<S> {
    let [a, b, c, d, e, f, g, h] = triangles.map(|triangle| body.vertices().four(triangle[corner]));
    Vec8::gather(simd, [&a, &b, &c, &d, &e, &f, &g, &h])
}

/// Which patches of a body lie side by side.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Flat<'a> {
    levels: &'a [u8],
    homes: &'a [u32],
}

impl Flat<'_> {
    /// Whether no triangle of a node collides with one of another, or of the same.
    #[inline]
    pub(super) fn clears_nodes(&self, level: usize, (a, b): (u32, u32)) -> bool {
        // Leaves are asked about where their clusters were not cleared.
        let Some(size) = level.checked_sub(1).map(|above| above * WIDTH.ilog2() as usize) else { return false };
        let (a, b) = ((a as usize) << size, (b as usize) << size);
        self.levels.get(a).is_some_and(|&found| found as usize >= size.max(LOWEST) && a >> found == b >> found)
    }

    /// Whether no triangles at a vertex collide with one another.
    #[inline(always)]
    pub(crate) fn clears_vertex(&self, vertex: u32) -> bool {
        let home = self.homes.get(vertex as usize).copied().unwrap_or(NO_HOME);
        let (cluster, level) = ((home >> LEVEL_BITS) as usize, home & ((1 << LEVEL_BITS) - 1));
        self.levels.get(cluster).is_some_and(|&found| u32::from(found) >= level)
    }

    /// Whether nothing is known.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.levels.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::lanes::all_simd;
    use crate::mesh::Mesh;
    use crate::narrow::self_pairs;

    /// What a patch is held to.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum Condition {
        LeftTurns,
        SimpleContour,
    }

    const COLUMNS: u32 = 48;
    const ROWS: u32 = 12;

    fn strip(place: impl Fn(f32, f32) -> [f32; 3]) -> Body {
        let up = COLUMNS + 1;
        let vertices =
            (0..up * (ROWS + 1)).map(|at| place((at % up) as f32 / COLUMNS as f32, (at / up) as f32 / ROWS as f32));
        let quads = (0..COLUMNS * ROWS).map(|at| at / COLUMNS * up + at % COLUMNS);
        let triangles = quads.flat_map(|at| [[at, at + 1, at + up], [at + 1, at + up + 1, at + up]]).collect();
        let positions: Vec<[f32; 3]> = vertices.collect();
        Body::new(Mesh::new(positions.len(), triangles).unwrap(), &positions).unwrap()
    }

    /// What a walk leaves out if a condition is taken for granted.
    fn levels(simd: Instructions, body: &Body, granted: Option<Condition>) -> Vec<u8> {
        let tree = Tree::new(body, simd);
        let mut flat = FlatPatches { granted, ..FlatPatches::default() };
        flat.find(simd, TreeSide { body, tree: &tree }, tree.patches(body.mesh()));
        flat.levels
    }

    #[test]
    fn either_condition_taken_for_granted_leaves_out_pairs_that_collide() {
        // One and a half times round in one plane; and a vertex drawn over its neighbours, of which the contour knows nothing.
        let curl = strip(|u, v| {
            let (sin, cos) = (9.4 * u).sin_cos();
            [(2.0 - v) * cos, (2.0 - v) * sin, 0.3]
        });
        let drawn = strip(|u, v| if (u, v) == (0.5, 0.5) { [0.7, 0.6, 0.0] } else { [u, v, 0.0] });
        for (body, condition) in [(curl, Condition::SimpleContour), (drawn, Condition::LeftTurns)] {
            assert!(!self_pairs(&body).is_empty(), "{condition:?}");
            for simd in all_simd() {
                let is_all = |levels: Vec<u8>| levels.iter().all(|&level| level > 0);
                assert!(!is_all(levels(simd, &body, None)), "{condition:?}");
                // All of the body is then left out, with every pair.
                assert!(is_all(levels(simd, &body, Some(condition))), "{condition:?}");
            }
        }
    }
}
