//! Where a body meets itself.
//!
//! Strangers — triangles without a common vertex — are found as between two bodies, by walking the tree against itself;
//! neighbours are kept out of the walk and decided by themselves ([`super::fans`]).

use fearless_simd::{Level, dispatch};

use super::fans::{self, Fans, Settled};
use super::leaf::LeafCache;
use super::neighbours::Neighbours;
use super::traverse::Candidates;
use super::workers::{self, Asked};
use super::{Scratch, Side, Tree, Wanted};
use crate::body::Body;
use crate::contact::{Stats, TrianglePair};
use crate::exact::has_no_area;

/// What self-collision needs to know about a body's connectivity; made when it is first asked for.
#[derive(Debug)]
pub(super) struct Connectivity {
    neighbours: Neighbours,
    fans: Fans,
}

impl Connectivity {
    pub(super) fn of(tree: &Tree, vertex_count: usize) -> Self {
        let neighbours = Neighbours::of(&tree.arrangement, vertex_count);
        let fans = Fans::of(&tree.arrangement, &neighbours, vertex_count);
        Self { neighbours, fans }
    }

    /// Which pairs of two leaves are none of the walk's business: bit 8 · row + lane.
    #[inline(always)]
    pub(super) fn left_out(&self, leaf: u32, other: u32) -> u64 {
        self.neighbours.mask(leaf, other) | if leaf == other { NOT_LATER } else { 0 }
    }
}

/// Of a leaf with itself, the pairs of which the second triangle does not come after the first.
const NOT_LATER: u64 = 0xff7f_3f1f_0f07_0301;

pub(super) fn find(
    level: Level,
    side: Side<'_, Tree>,
    wanted: Wanted,
    scratch: &mut Scratch,
    found: &mut Vec<TrianglePair>,
) -> Stats {
    let Side { tree, body } = side;
    let connectivity = tree.connectivity(body.mesh().vertex_count());
    let Scratch { front, workers, doubtful, neighbours } = scratch;
    let start = found.len();
    let mut strangers = || {
        dispatch!(level, simd => front.reach_self(simd, tree));
        let asked = Asked { a: side, b: side, own: Some(connectivity) };
        let mut work = workers::find_pairs(level, asked, front.reached(), wanted, workers, found);
        work.stats.box_tests += front.box_tests;
        work
    };
    let parts = (&tree.arrangement, &connectivity.neighbours);
    let mut decide_neighbours = || {
        neighbours.clear();
        dispatch!(level, simd => connectivity.fans.find_pairs(simd, parts, body, wanted, doubtful, neighbours))
    };
    let (mut work, settled) = match wanted {
        Wanted::All => side_by_side(tree.arrangement.triangles.len(), strangers, decide_neighbours),
        // Neighbours hardly ever collide: they come last.
        Wanted::First => match strangers() {
            work if work.found > 0 => (work, Settled::default()),
            work => (work, decide_neighbours()),
        },
    };
    found.append(neighbours);
    if wanted == Wanted::First {
        found.truncate(start + 1);
    }
    tree.wear.note(work.leaf_pairs, work.stats.candidates);
    work.stats.exact_tests += settled.exactly;
    work.stats.degenerate += settled.without_area;
    work.stats.builds += tree.wear.untold_builds();
    work.stats
}

/// Does two things about a body of so many triangles, by two threads if it is worth it.
fn side_by_side<A: Send, B: Send>(
    triangles: usize,
    first: impl FnOnce() -> A + Send,
    second: impl FnOnce() -> B + Send,
) -> (A, B) {
    #[cfg(feature = "parallel")]
    if triangles >= 8_192 && rayon::current_num_threads() > 1 {
        return rayon::join(first, second);
    }
    let _ = triangles;
    (first(), second())
}

/// Decides the candidates of a body that still share a vertex, because it is only welded or has too many triangles, by
/// the rule one by one; leaves the others. Returns how many.
pub(super) fn decide_sharing(
    side: Side<'_, Tree>,
    leaves: &LeafCache,
    candidates: &mut Candidates,
    found: &mut Vec<TrianglePair>,
) -> u64 {
    let mut decided = 0;
    let (arrangement, body) = (&side.tree.arrangement, side.body);
    let welded = body.mesh().welded_triangles();
    candidates.retain(|a, b| {
        let (a, b) = (leaves.in_tree(a), leaves.in_tree(b));
        let vertices = |place: u32| welded[arrangement.triangles[place as usize] as usize];
        let (of_a, of_b) = (vertices(a), vertices(b));
        let shares = of_a.iter().any(|vertex| of_b.contains(vertex));
        if shares {
            decided += 1;
            found.extend(fans::decide(arrangement, body, a, b));
        }
        !shares
    });
    decided
}

/// Puts the triangles of the pairs from `start` on in order, and leaves out pairs with a triangle that has no area.
pub(super) fn keep_with_area(body: &Body, start: usize, found: &mut Vec<TrianglePair>) {
    let triangles = body.mesh().triangles();
    let mut kept = start;
    for at in start..found.len() {
        let (i, j) = (found[at].a.0.min(found[at].b.0), found[at].a.0.max(found[at].b.0));
        let flat = |triangle: u32| has_no_area(&body.corners(triangles[triangle as usize]));
        if !flat(i) && !flat(j) {
            found[kept] = TrianglePair::new(i, j);
            kept += 1;
        }
    }
    found.truncate(kept);
}
