//! Where a body meets itself.
//!
//! Strangers — triangles without a common vertex — are found as between two bodies, by walking the tree against itself;
//! neighbours are kept out of the walk and decided by themselves ([`super::fans`]).

use fearless_simd::prelude::*;

use super::fans::{self, Fans};
use super::leaf::LeafCache;
use super::neighbours::Neighbours;
use super::traverse::{self, Candidates};
use super::workers::{self, Worker};
use super::{Scratch, Side, Tree, Wanted, build, triangle_lanes};
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
}

#[inline(always)]
pub(super) fn find<S: Simd>(
    simd: S,
    side: Side<'_, Tree>,
    wanted: Wanted,
    scratch: &mut Scratch,
    found: &mut Vec<TrianglePair>,
) -> Stats {
    let Side { tree, body } = side;
    let connectivity = tree.connectivity(body.mesh().vertex_count());
    let Scratch { front, workers, doubtful } = scratch;
    let Worker { leaves_a: leaves, candidates, .. } = workers::own(workers);
    leaves.clear(tree.arrangement.leaf_count());
    candidates.clear();
    let start = found.len();
    let mut stats = Stats::default();
    let parts = (&tree.arrangement, &connectivity.neighbours);
    stats.exact_tests += connectivity.fans.find_pairs(simd, parts, body, doubtful, found);
    front.reach_self(simd, tree);
    for &(first, second) in front.reached() {
        if wanted == Wanted::First && found.len() > start {
            break;
        }
        let (a, b) = (leaves.fetch(simd, side, first), leaves.fetch(simd, side, second));
        let mut left_out = connectivity.neighbours.mask(first, second);
        if first == second {
            left_out |= NOT_LATER;
        }
        traverse::candidates(simd, (a, leaves.boxes(a)), (b, leaves.boxes(b)), left_out, candidates);
        if candidates.is_full() || wanted == Wanted::First {
            stats += test(simd, side, leaves, candidates, found);
        }
    }
    stats += test(simd, side, leaves, candidates, found);
    if wanted == Wanted::First {
        found.truncate(start + 1);
    }
    tree.wear.note(front.reached().len(), stats.candidates);
    stats.builds += tree.wear.untold_builds();
    stats.box_tests += front.box_tests;
    stats.boxes_fitted += (build::WIDTH * leaves.len()) as u64;
    stats
}

/// Of a leaf with itself, the pairs of which the second triangle does not come after the first.
const NOT_LATER: u64 = 0xff7f_3f1f_0f07_0301;

/// Tests the candidates so far and starts a new list.
#[inline(always)]
fn test<S: Simd>(
    simd: S,
    side: Side<'_, Tree>,
    leaves: &LeafCache,
    candidates: &mut Candidates,
    found: &mut Vec<TrianglePair>,
) -> Stats {
    let mut stats = Stats { candidates: candidates.as_slice().len() as u64, ..Stats::default() };
    let (arrangement, body) = (&side.tree.arrangement, side.body);
    let welded = body.mesh().welded_triangles();
    let start = found.len();
    // What still shares a vertex, because it is only welded or has too many triangles, goes by the rule one by one.
    candidates.retain(|a, b| {
        let (a, b) = (leaves.in_tree(a), leaves.in_tree(b));
        let vertices = |place: u32| welded[arrangement.triangles[place as usize] as usize];
        let (of_a, of_b) = (vertices(a), vertices(b));
        let shares = of_a.iter().any(|vertex| of_b.contains(vertex));
        if shares {
            stats.exact_tests += 1;
            found.extend(fans::decide(arrangement, body, a, b));
        }
        !shares
    });
    let strangers_from = found.len();
    let own = (side.tree, leaves);
    stats.exact_tests += triangle_lanes::test(simd, own, own, candidates.as_slice(), found);
    candidates.clear();
    // In order within the pair, and without triangles that have no area.
    let triangles = body.mesh().triangles();
    let mut kept = strangers_from;
    for at in strangers_from..found.len() {
        let (i, j) = (found[at].a.0.min(found[at].b.0), found[at].a.0.max(found[at].b.0));
        let flat = |triangle: u32| has_no_area(&body.corners(triangles[triangle as usize]));
        if !flat(i) && !flat(j) {
            found[kept] = TrianglePair::new(i, j);
            kept += 1;
        }
    }
    found.truncate(kept);
    debug_assert!(start <= kept);
    stats
}
