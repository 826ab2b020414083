//! Where a body meets itself.
//!
//! Strangers — triangles without a common vertex — are found as between two bodies, by walking the tree against itself;
//! neighbours are kept out of the walk and decided by themselves ([`super::fans`]).

use fearless_simd::prelude::*;

use super::boxes8::bits;
use super::build::{CLUSTER, WIDTH};
use super::cluster::ClusterBoxes;
use super::fans::{self, Fans};
use super::neighbours::Neighbours;
use super::traverse::Candidates;
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
    let Worker { clusters_a: clusters, candidates, .. } = workers::own(workers);
    clusters.clear(tree.arrangement.cluster_count());
    candidates.clear();
    let start = found.len();
    let mut stats = Stats::default();
    let parts = (&tree.arrangement, &connectivity.neighbours);
    stats.exact_tests += connectivity.fans.find_pairs(simd, parts, body, doubtful, found);
    for &(first, second) in front.reach_self(simd, tree) {
        if wanted == Wanted::First && found.len() > start {
            break;
        }
        tree.note_reached(first as usize);
        tree.note_reached(second as usize);
        let (a, b) = (clusters.fit(simd, tree, body, first), clusters.fit(simd, tree, body, second));
        let (a, b) = ((first, clusters.at(a)), (second, clusters.at(b)));
        strangers(simd, a, b, &connectivity.neighbours, candidates);
        if candidates.is_full() || wanted == Wanted::First {
            stats += test(simd, side, candidates, found);
        }
    }
    stats += test(simd, side, candidates, found);
    if wanted == Wanted::First {
        found.truncate(start + 1);
    }
    stats.box_tests += front.box_tests;
    stats.boxes_fitted += (build::CLUSTER * clusters.len()) as u64;
    stats
}

/// Appends the candidates of two clusters of one body, or of one cluster with itself, leaving out neighbours.
#[inline(always)]
fn strangers<S: Simd>(
    simd: S,
    (cluster_a, a): (u32, &ClusterBoxes),
    (cluster_b, b): (u32, &ClusterBoxes),
    neighbours: &Neighbours,
    found: &mut Candidates,
) {
    let same = cluster_a == cluster_b;
    for row in bits(a.leaves.overlapping(simd, &b.bounds)) {
        let leaf_a = cluster_a * WIDTH as u32 + row as u32;
        // Of one cluster with itself, only leaves from this one on.
        let later = if same { 0xff << row } else { 0xff };
        for lane in bits(b.leaves.overlapping(simd, &a.leaves.get(row)) & later) {
            let leaf_b = cluster_b * WIDTH as u32 + lane as u32;
            let left_out = neighbours.mask(leaf_a, leaf_b);
            let (rows, lanes) = (&a.triangles[row], &b.triangles[lane]);
            for i in bits(rows.overlapping(simd, &b.leaves.get(lane))) {
                let later = if leaf_a == leaf_b { 0xfe << i } else { 0xff };
                let left_out = (left_out >> (WIDTH * i)) as u32;
                for j in bits(lanes.overlapping(simd, &rows.get(i)) & later & !left_out) {
                    found.push(leaf_a * WIDTH as u32 + i as u32, leaf_b * WIDTH as u32 + j as u32);
                }
            }
        }
    }
    debug_assert_eq!(CLUSTER, WIDTH * WIDTH);
}

/// Tests the candidates so far and starts a new list.
#[inline(always)]
fn test<S: Simd>(simd: S, side: Side<'_, Tree>, candidates: &mut Candidates, found: &mut Vec<TrianglePair>) -> Stats {
    let mut stats = Stats { candidates: candidates.as_slice().len() as u64, ..Stats::default() };
    let (arrangement, body) = (&side.tree.arrangement, side.body);
    let welded = body.mesh().welded_triangles();
    let start = found.len();
    // What still shares a vertex, because it is only welded or has too many triangles, goes by the rule one by one.
    candidates.retain(|a, b| {
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
    let own = (side.tree, body);
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
