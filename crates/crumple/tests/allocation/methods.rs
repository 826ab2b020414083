//! Methods allocate nothing in a second identical pass over a sequence.

use crate::support::soups::bumpy;
use allocation_counter::measure;
use crumple::narrow::{PairMethod, Search, Side, Wanted};
use crumple::{Body, Triangle, TrianglePair};
use crumple_methods::bucket_tree::{BucketScratch, BucketTree, BucketTreeOptions, Filing, LevelChoice, Soup};
use crumple_methods::gjk_cut::{GjkCut, GjkCutOptions, gjk_distance};
use crumple_methods::hybrid_tree::{HybridTree, HybridTreeOptions, Update};

/// Allocations of the second of two passes over a sequence.
fn second_pass<M: PairMethod>(method: &M, frames: &[[Body; 2]]) -> u64 {
    let mut trees = frames[0].each_ref().map(|body| method.build(body));
    let (mut search, mut found) = (Search::default(), Vec::<TrianglePair>::new());
    let mut pass = || {
        for [a, b] in frames {
            method.update(&mut trees[0], a);
            method.update(&mut trees[1], b);
            let (a, b) = (Side { body: a, tree: &trees[0] }, Side { body: b, tree: &trees[1] });
            found.clear();
            search.pairs(method, (a, b), Wanted::All, &mut found);
            search.self_pairs(method, a, Wanted::All, &mut found);
        }
    };
    pass();
    measure(pass).count_total
}

#[test]
fn a_second_identical_pass_allocates_nothing() {
    let frames = bumpy(3, &(0..200).step_by(20).collect::<Vec<usize>>());
    for filing in [Filing::ByEquation, Filing::BySorting, Filing::ByExchange] {
        for levels in [LevelChoice::FromData, LevelChoice::Fixed(2), LevelChoice::Fixed(5)] {
            for split_above in [None, Some(3), Some(16)] {
                let options = BucketTreeOptions::default().with_filing(filing).with_levels(levels);
                let method = BucketTree::new(options.with_split_above(split_above)).unwrap();
                assert_eq!(second_pass(&method, &frames), 0, "{method:?}");
            }
        }
    }
    for percent in [40, 100] {
        for options in [GjkCutOptions::default(), GjkCutOptions::of_the_paper()] {
            let method = GjkCut::new(options.with_cut_threshold(percent)).unwrap();
            assert_eq!(second_pass(&method, &frames), 0, "{method:?}");
        }
    }
}

#[test]
fn a_second_identical_pass_of_hybrid_trees_allocates_nothing_by_any_update() {
    let frames = bumpy(3, &(0..200).step_by(20).collect::<Vec<usize>>());
    for update in [Update::BottomUp, Update::TopDown, Update::Hybrid { levels_below: 2 }, Update::Coherent] {
        let method = HybridTree { options: HybridTreeOptions::default().with_update(update) };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert_eq!(pool.install(|| second_pass(&method, &frames)), 0, "{method:?}");
    }
}

#[test]
fn a_soup_whose_primitives_are_replaced_one_by_one_allocates_nothing_after_the_first_round() {
    let frames = bumpy(2, &[150, 199]);
    let triangles: Vec<Triangle> = {
        let of = |body: &Body| (0..320).map(|t| body.triangle(crumple::TriangleId(t)).unwrap()).collect::<Vec<_>>();
        frames.iter().flat_map(|[a, _]| of(a)).collect()
    };
    let mut soup = Soup::new(BucketTreeOptions::default().with_filing(Filing::BySorting)).unwrap();
    let mut ids: Vec<_> = triangles[..320].iter().map(|&triangle| soup.insert(triangle).unwrap()).collect();
    let mut scratch = BucketScratch::default();
    let mut replace_all = |round: usize| {
        for i in 0..320 {
            soup.remove(ids[i]).unwrap();
            ids[i] = soup.insert(triangles[(round % 2) * 320 + i]).unwrap();
            if i % 40 == 0 {
                soup.update().unwrap();
                soup.self_candidates(&mut scratch, |_, _| std::ops::ControlFlow::Continue(())).unwrap();
            }
        }
    };
    (0..2).for_each(&mut replace_all);
    assert_eq!(measure(|| (2..4).for_each(replace_all)).count_total, 0);
}

#[test]
fn the_distance_of_two_hulls_allocates_nothing() {
    let [[a, b]] = &bumpy(2, &[10])[..] else { unreachable!() };
    let (a, b): (Vec<[f32; 3]>, Vec<[f32; 3]>) = (a.positions().to_vec(), b.positions().to_vec());
    let mut result = None;
    assert_eq!(measure(|| result = Some(gjk_distance(&a, &b).unwrap())).count_total, 0);
    assert!(result.unwrap().lower_bound > 0.0);
}
