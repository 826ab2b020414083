//! The hybrid tree against brute force: every update, at several numbers of threads, frame after frame and on soups.

use crate::support::methods::hybrid_trees;
use crate::support::soups::{Truth, body, bumpy, moved, pairs, self_pairs};
use crumple::narrow::brute::BruteForce;
use crumple::narrow::hybrid_tree::{HybridTree, HybridTreeOptions, Update};
use crumple::narrow::{Degree, PairMethod, Side, Wanted};
use crumple::{Body, TrianglePair};
use crumple_scenes::Random;

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
                let mut scratch = Default::default();
                for (number, ([a, b], truth)) in frames.iter().zip(&truths).enumerate() {
                    method.update(&mut trees[0], a);
                    method.update(&mut trees[1], b);
                    let (a, b) = (Side { body: a, tree: &trees[0] }, Side { body: b, tree: &trees[1] });
                    let mut found = [Vec::new(), Vec::new()];
                    method.find_pairs(a, b, Wanted::All, &mut scratch, &mut found[0]);
                    method.find_self_pairs(a, Wanted::All, &mut scratch, &mut found[1]);
                    found.iter_mut().for_each(|list| list.sort_unstable());
                    assert!(found == *truth, "{method:?} by {threads} threads in frame {number}");
                }
            });
        }
    }
    truths.iter().map(|[pairs, _]| pairs.len()).sum()
}

/// A body every triangle of which has its corners anywhere in a cube.
fn scattered(of: &Body, half: f32) -> Body {
    let mut random = Random::new(7);
    let positions: Vec<[f32; 3]> =
        of.positions().iter().map(|_| [0; 3].map(|_| random.between(f64::from(-half), f64::from(half)) as f32)).collect();
    body(of.mesh().triangles().to_vec(), &positions)
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
    let wide = scattered(&a, 30.0);
    let frames = [[a.clone(), b.clone()], [wide.clone(), b.clone()], [wide, flat], [a, b]];
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
    let wide = scattered(&a, 30.0);
    let method = HybridTree::default();
    let mut trees = [method.build(&a), method.build(&b)];
    method.update(&mut trees[0], &wide);
    let (wide, b) = (Side { body: &wide, tree: &trees[0] }, Side { body: &b, tree: &trees[1] });
    let mut count = |a, b| method.find_pairs(a, b, Wanted::All, &mut Default::default(), &mut Vec::new()).box_tests;
    let product = (a.mesh().triangles().len() * b.body.mesh().triangles().len()) as u64;
    for tests in [count(wide, b), count(b, wide)] {
        assert!(tests < product / 4, "{tests} box tests of {product}");
    }
}
