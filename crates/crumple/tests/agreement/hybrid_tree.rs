//! The hybrid tree against brute force: every update, at several numbers of threads, frame after frame and on soups.

use crate::support::methods::hybrid_trees;
use crate::support::soups::{Truth, body, bumpy, moved, pairs, self_pairs};
use crumple::narrow::brute::BruteForce;
use crumple::narrow::{PairMethod, Search, Side, Wanted};
use crumple::{Body, TrianglePair};
use crumple_methods::Degree;
use crumple_methods::hybrid_tree::{HybridTree, HybridTreeOptions, Update};

const THREADS: [usize; 3] = [1, 2, 5];

/// One method per update and degree.
fn methods() -> impl Iterator<Item = HybridTree> {
    let updates = [
        Update::BottomUp,
        Update::TopDown,
        Update::Hybrid { levels_below: 1 },
        Update::Hybrid { levels_below: 2 },
        Update::Hybrid { levels_below: 3 },
        Update::Coherent,
    ];
    updates.into_iter().flat_map(|update| {
        [Degree::Two, Degree::Eight].map(|degree| {
            let options = HybridTreeOptions::default().with_update(update).with_degree(degree);
            HybridTree { options }
        })
    })
}

fn in_pool<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

/// What brute force finds in a frame: the pairs of both bodies, and those within the first.
fn truth([a, b]: &[Body; 2]) -> [Vec<TrianglePair>; 2] {
    [pairs(&BruteForce, a, b, Wanted::All).0, self_pairs(&BruteForce, a, Wanted::All).0]
}

/// Goes through frames with trees that are built in the first and updated in every one.
fn check(frames: &[[Body; 2]]) -> usize {
    let truths: Vec<_> = frames.iter().map(truth).collect();
    for method in methods() {
        for threads in THREADS {
            in_pool(threads, || {
                let mut trees = frames[0].each_ref().map(|body| method.build(body));
                let mut search = Search::default();
                for (number, ([a, b], truth)) in frames.iter().zip(&truths).enumerate() {
                    method.update(&mut trees[0], a);
                    method.update(&mut trees[1], b);
                    let (a, b) = (Side { body: a, tree: &trees[0] }, Side { body: b, tree: &trees[1] });
                    let mut found = [Vec::new(), Vec::new()];
                    search.pairs(&method, (a, b), Wanted::All, &mut found[0]);
                    search.self_pairs(&method, a, Wanted::All, &mut found[1]);
                    found.iter_mut().for_each(|list| list.sort_unstable());
                    assert!(found == *truth, "{method:?} by {threads} threads in frame {number}");
                }
            });
        }
    }
    truths.iter().map(|[pairs, _]| pairs.len()).sum()
}

/// The triangles of a body, none of which share a vertex, each where another one was: `by` must be coprime to their number.
fn shuffled(of: &Body, by: usize) -> Body {
    let triangles = of.mesh().indices();
    let count = triangles.len();
    let positions: Vec<[f32; 3]> =
        (0..count).flat_map(|i| triangles[i * by % count].map(|vertex| of.positions()[vertex as usize])).collect();
    body((0..count as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect(), &positions)
}

#[test]
fn every_update_finds_what_brute_force_finds_frame_after_frame_by_any_number_of_threads() {
    // Steps small and large, deep and apart again: what the last frame reached is right, too little and too much.
    let frames = bumpy(3, &[100, 101, 199, 198, 60, 0, 199]);
    assert!(check(&frames) > 1_000);
}

#[test]
fn bodies_that_scatter_and_crumple_are_found_by_any_number_of_threads() {
    let [[a, b]]: [[Body; 2]; 1] = bumpy(2, &[150]).try_into().unwrap();
    let flat = moved(&b, |[x, y, _]| [x, y, 0.0]);
    let (a, scattered) = (shuffled(&a, 1), shuffled(&a, 67));
    let frames = [[a.clone(), b.clone()], [scattered.clone(), b.clone()], [scattered, flat], [a, b]];
    assert!(check(&frames) > 100);
}

#[test]
fn every_option_finds_what_brute_force_finds_on_soups_by_several_threads() {
    in_pool(3, || {
        for truth in Truth::everything() {
            hybrid_trees().for_each(|options| truth.check(&HybridTree { options }));
        }
    });
}

#[test]
fn a_tree_whose_boxes_all_span_the_scene_does_not_cost_the_product_of_both() {
    let [[a, b]]: [[Body; 2]; 1] = bumpy(3, &[150]).try_into().unwrap();
    let (a, scattered) = (shuffled(&a, 1), shuffled(&a, 619));
    let method = HybridTree::default();
    let mut trees = [method.build(&a), method.build(&b)];
    method.update(&mut trees[0], &scattered);
    let (a, b) = (Side { body: &scattered, tree: &trees[0] }, Side { body: &b, tree: &trees[1] });
    let count = |a, b| Search::default().pairs(&method, (a, b), Wanted::All, &mut Vec::new()).box_tests;
    let product = (a.body.mesh().triangles().len() * b.body.mesh().triangles().len()) as u64;
    for tests in [count(a, b), count(b, a)] {
        assert!(tests < product / 8, "{tests} box tests of {product}");
    }
}
