//! Every method with every option against the pair lists in `fixtures`, which come from CGAL.

use std::sync::Arc;

use crate::support::fixture_files::{Positions, fixture, read_pc2, read_ply};
use crate::support::methods;
use crumple::narrow::brute::BruteForce;
use crumple::narrow::wide_tree::{WideTree, WideTreeOptions};
use crumple::narrow::{PairMethod, Search, Side, Wanted};
use crumple::{Body, Mesh, Pose, TrianglePair};
use crumple_methods::bucket_tree::{BucketTree, BucketTreeOptions, Filing};
use crumple_methods::gjk_cut::{GjkCut, GjkCutOptions};
use crumple_methods::hybrid_tree::{HybridTree, HybridTreeOptions};
use crumple_methods::local_tree::LocalTree;

/// A mesh and all its frames.
struct Sequence {
    mesh: Arc<Mesh>,
    frames: Vec<Positions>,
}

impl Sequence {
    fn read(name: &str) -> Self {
        let (positions, triangles) = read_ply(&format!("{name}.ply"));
        let frames = read_pc2(&format!("{name}.pc2"));
        assert_eq!(frames[0], positions, "{name}: the mesh file is frame 0 of the cache");
        Self { mesh: Arc::new(Mesh::new(positions.len(), triangles).unwrap()), frames }
    }

    fn body(&self, frame: usize) -> Body {
        Body::new(self.mesh.clone(), &self.frames[frame]).unwrap()
    }
}

/// The pairs of each frame, sorted.
fn pair_list(name: &str, frames: usize) -> Vec<Vec<TrianglePair>> {
    let mut pairs = vec![Vec::new(); frames];
    for line in std::fs::read_to_string(fixture(name)).unwrap().lines() {
        let mut numbers = line.split(' ').map(|number| number.parse::<u32>().unwrap());
        let [frame, a, b] = std::array::from_fn(|_| numbers.next().unwrap());
        pairs[frame as usize].push(TrianglePair::new(a, b));
    }
    pairs.iter_mut().for_each(|list| list.sort_unstable());
    pairs
}

fn lengths(pairs: &[Vec<TrianglePair>]) -> Vec<usize> {
    pairs.iter().map(Vec::len).collect()
}

/// Some rigid placement that has nothing to do with how the body moves: it must not change any answer.
fn some_pose(number: usize) -> Pose {
    let x = number as f64;
    Pose::new([0.3 + x, -0.2 * x, 0.7, 1.0], [0.25 - x, 3.0, 0.1 * x]).unwrap()
}

fn assert_is_witness(first: &[TrianglePair], all: &[TrianglePair], what: &str) {
    assert_eq!(first.len(), all.len().min(1), "{what}: first pair");
    assert!(first.iter().all(|pair| all.binary_search(pair).is_ok()), "{what}: {first:?} is no pair");
}

/// Plays two sequences through a method and compares the pairs of every frame.
fn check_pairs<M: PairMethod>(method: &M, [a, b]: [&Sequence; 2], truth: &[Vec<TrianglePair>], with_poses: bool) {
    let (mut body_a, mut body_b) = (a.body(0), b.body(0));
    let (mut tree_a, mut tree_b) = (method.build(&body_a), method.build(&body_b));
    let (mut search, mut found, mut first) = (Search::default(), Vec::new(), Vec::new());
    for (frame, truth) in truth.iter().enumerate() {
        body_a.set_positions(&a.frames[frame]).unwrap();
        body_b.set_positions(&b.frames[frame]).unwrap();
        if with_poses {
            body_a.set_pose(some_pose(frame));
            body_b.set_pose(some_pose(frame + 7));
        }
        method.update(&mut tree_a, &body_a);
        method.update(&mut tree_b, &body_b);
        let (side_a, side_b) = (Side { body: &body_a, tree: &tree_a }, Side { body: &body_b, tree: &tree_b });
        let what = format!("{method:?}, frame {frame}");
        // The first pair before all of them, so that a tree that is fitted on demand is asked in its freshest state.
        first.clear();
        search.pairs(method, (side_a, side_b), Wanted::First, &mut first);
        assert_is_witness(&first, truth, &what);
        found.clear();
        search.pairs(method, (side_a, side_b), Wanted::All, &mut found);
        found.sort_unstable();
        assert!(found == *truth, "{what}: {} pairs instead of {}, or other ones", found.len(), truth.len());
    }
}

/// Plays a sequence through a method and compares the self-collisions of every frame.
fn check_self_pairs<M: PairMethod>(method: &M, sequence: &Sequence, truth: &[Vec<TrianglePair>], with_poses: bool) {
    let mut body = sequence.body(0);
    let mut tree = method.build(&body);
    let (mut search, mut found, mut first) = (Search::default(), Vec::new(), Vec::new());
    for (frame, truth) in truth.iter().enumerate() {
        body.set_positions(&sequence.frames[frame]).unwrap();
        if with_poses {
            body.set_pose(some_pose(frame));
        }
        method.update(&mut tree, &body);
        let side = Side { body: &body, tree: &tree };
        let what = format!("{method:?}, frame {frame}");
        first.clear();
        search.self_pairs(method, side, Wanted::First, &mut first);
        assert_is_witness(&first, truth, &what);
        found.clear();
        search.self_pairs(method, side, Wanted::All, &mut found);
        found.sort_unstable();
        assert!(found == *truth, "{what}: {} pairs instead of {}, or other ones", found.len(), truth.len());
    }
}

fn hybrid_trees() -> impl Iterator<Item = HybridTree> {
    methods::hybrid_trees().map(|options| HybridTree { options })
}

fn local_trees() -> impl Iterator<Item = LocalTree> {
    methods::local_trees().map(|options| LocalTree { options })
}

fn bucket_trees() -> impl Iterator<Item = BucketTree> {
    let default = BucketTreeOptions::default();
    std::iter::once(default).chain(methods::bucket_trees()).map(|options| BucketTree::new(options).unwrap())
}

fn gjk_cuts() -> impl Iterator<Item = GjkCut> {
    let default = GjkCutOptions::default();
    std::iter::once(default).chain(methods::gjk_cuts()).map(|options| GjkCut::new(options).unwrap())
}

fn wide_trees() -> impl Iterator<Item = WideTree> {
    let default = WideTreeOptions::default();
    std::iter::once(default).chain(methods::wide_trees()).map(|options| WideTree { options })
}

fn spheres() -> ([Sequence; 2], Vec<Vec<TrianglePair>>) {
    let truth = pair_list("spheres_pairs.txt", 6);
    assert_eq!(lengths(&truth), [0, 24, 50, 592, 1075, 3761]);
    ([Sequence::read("spheres_a"), Sequence::read("spheres_b")], truth)
}

#[test]
fn hybrid_trees_with_every_option_find_the_pairs_of_the_spheres() {
    let ([a, b], truth) = spheres();
    for method in hybrid_trees() {
        check_pairs(&method, [&a, &b], &truth, false);
    }
}

#[test]
fn local_trees_of_every_degree_find_the_pairs_of_the_spheres_with_and_without_a_pose() {
    let ([a, b], truth) = spheres();
    for method in local_trees() {
        check_pairs(&method, [&a, &b], &truth, false);
        check_pairs(&method, [&a, &b], &truth, true);
    }
}

#[test]
fn bucket_trees_gjk_with_the_cut_and_wide_trees_with_every_option_find_the_pairs_of_the_spheres() {
    let ([a, b], truth) = spheres();
    for method in bucket_trees() {
        check_pairs(&method, [&a, &b], &truth, false);
    }
    for method in gjk_cuts() {
        check_pairs(&method, [&a, &b], &truth, false);
    }
    for method in wide_trees() {
        check_pairs(&method, [&a, &b], &truth, false);
    }
}

#[test]
fn brute_force_finds_the_pairs_of_the_spheres_in_the_last_frame() {
    let ([mut a, mut b], truth) = spheres();
    (a.frames, b.frames) = (vec![a.frames.remove(5)], vec![b.frames.remove(5)]);
    check_pairs(&BruteForce, [&a, &b], &truth[5..], false);
}

#[test]
fn every_method_finds_the_self_collisions_of_the_fox_in_every_frame() {
    let fox = Sequence::read("fox_run");
    let text = std::fs::read_to_string(fixture("fox_run_self_pairs.csv")).unwrap();
    let counts: Vec<usize> =
        text.lines().skip(1).map(|line| line.split_once(',').unwrap().1.parse().unwrap()).collect();
    assert_eq!((fox.frames.len(), counts.len()), (70, 70));
    // The outside truth holds counts; brute force supplies the lists, and its counts must be those.
    let truth: Vec<Vec<TrianglePair>> = (0..70)
        .map(|frame| {
            let (body, mut found) = (fox.body(frame), Vec::new());
            let side = Side { body: &body, tree: &() };
            Search::default().self_pairs(&BruteForce, side, Wanted::All, &mut found);
            found
        })
        .collect();
    assert_eq!(lengths(&truth), counts);
    check_self_pairs(&BruteForce, &fox, &truth, false);
    for method in hybrid_trees() {
        check_self_pairs(&method, &fox, &truth, false);
    }
    for method in local_trees() {
        check_self_pairs(&method, &fox, &truth, false);
        check_self_pairs(&method, &fox, &truth, true);
    }
    for method in bucket_trees() {
        check_self_pairs(&method, &fox, &truth, false);
    }
    for method in gjk_cuts() {
        check_self_pairs(&method, &fox, &truth, false);
    }
    for method in wide_trees() {
        check_self_pairs(&method, &fox, &truth, false);
    }
}

fn cloth() -> (Sequence, Vec<Vec<TrianglePair>>) {
    let truth = pair_list("cloth_self_pairs.txt", 4);
    assert_eq!(lengths(&truth), [0, 221, 3716, 13159]);
    (Sequence::read("cloth"), truth)
}

#[test]
fn hybrid_trees_of_every_shape_and_with_every_update_find_the_self_collisions_of_the_cloth() {
    let (cloth, truth) = cloth();
    // Not every combination: the sheet takes one second per method.
    let default = HybridTreeOptions::default();
    let is_chosen =
        |options: HybridTreeOptions| options.update == default.update || options == default.with_update(options.update);
    for method in hybrid_trees().filter(|method| is_chosen(method.options)) {
        check_self_pairs(&method, &cloth, &truth, false);
    }
}

#[test]
fn local_trees_of_every_degree_find_the_self_collisions_of_the_cloth() {
    let (cloth, truth) = cloth();
    for method in local_trees() {
        check_self_pairs(&method, &cloth, &truth, false);
        check_self_pairs(&method, &cloth, &truth, true);
    }
}

#[test]
fn bucket_trees_gjk_with_the_cut_and_wide_trees_find_the_self_collisions_of_the_cloth() {
    let (cloth, truth) = cloth();
    // With one level, or without splits, buckets of the rolled cloth hold thousands of triangles: those take too long.
    for options in [BucketTreeOptions::default(), BucketTreeOptions::default().with_filing(Filing::BySorting)] {
        check_self_pairs(&BucketTree::new(options).unwrap(), &cloth, &truth, false);
    }
    check_self_pairs(&GjkCut::default(), &cloth, &truth, false);
    for method in wide_trees() {
        check_self_pairs(&method, &cloth, &truth, false);
    }
}
