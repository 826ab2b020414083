//! The bucket tree against brute force, its counted work, and its engine for other primitives.

use std::ops::ControlFlow::{self, Break, Continue};

use crate::support::counts::drawn;
use crate::support::soups::{self, Truth, bumpy, grid_point, pairs, random_pair};
use crumple::narrow::{PairMethod, Search, Side, Wanted, brute::BruteForce};
use crumple::{Aabb, Body, Triangle};
use crumple_methods::bucket_tree::{
    Bucket, BucketScratch, BucketTree, BucketTreeError, BucketTreeOptions, Filing, LevelChoice, NodeBoxes, Opening,
    Primitive, PrimitiveId, Soup,
};
use crumple_scenes::Random;

const FILINGS: [Filing; 3] = [Filing::ByEquation, Filing::BySorting, Filing::ByExchange];

/// Every combination of the options.
fn all_options() -> Vec<BucketTreeOptions> {
    let mut all = Vec::new();
    for levels in [LevelChoice::FromData].into_iter().chain((1..=6).map(LevelChoice::Fixed)) {
        for filing in FILINGS {
            for opening in [Opening::Smaller, Opening::Bigger] {
                for split_above in [None, Some(1), Some(8)] {
                    let options = BucketTreeOptions::default().with_levels(levels).with_filing(filing);
                    all.push(options.with_opening(opening).with_split_above(split_above));
                }
            }
        }
    }
    all
}

#[test]
fn finds_what_brute_force_finds_with_every_option() {
    let truths = Truth::everything();
    for options in all_options() {
        let method = BucketTree::new(options).unwrap();
        for truth in &truths {
            truth.check(&method);
        }
    }
}

#[test]
fn finds_what_brute_force_finds_in_random_soups() {
    // Six levels of buckets for twenty triangles are mostly memory: fewer will do here.
    let shallow = |options: &BucketTreeOptions| !matches!(options.levels, LevelChoice::Fixed(5..));
    let options: Vec<BucketTreeOptions> = all_options().into_iter().filter(shallow).collect();
    for (seed, &options) in (0..drawn(3000) as u32).zip(options.iter().cycle()) {
        Truth::of(random_pair(seed)).check(&BucketTree::new(options).unwrap());
    }
}

#[test]
fn stays_right_while_a_body_moves_and_its_arrays_stay_sorted() {
    for filing in FILINGS {
        let method = BucketTree::new(BucketTreeOptions::default().with_filing(filing)).unwrap();
        let frames: Vec<usize> = (40..200).step_by(8).collect();
        let bodies = bumpy(2, &frames);
        let mut trees = bodies[0].each_ref().map(|body| method.build(body));
        let mut search = Search::default();
        for [a, b] in &bodies {
            method.update(&mut trees[0], a);
            method.update(&mut trees[1], b);
            let mut found = Vec::new();
            let (side_a, side_b) = (Side { body: a, tree: &trees[0] }, Side { body: b, tree: &trees[1] });
            search.pairs(&method, (side_a, side_b), Wanted::All, &mut found);
            found.sort_unstable();
            assert_eq!(found, pairs(&BruteForce, a, b, Wanted::All).0);
        }
    }
}

#[test]
fn triangles_far_from_the_other_body_are_not_filed_and_one_octree_serves_several_partners() {
    let [[a, b]] = &bumpy(3, &[80])[..] else { unreachable!() };
    for filing in FILINGS {
        let method = BucketTree::new(BucketTreeOptions::default().with_filing(filing)).unwrap();
        let tree = method.build(a);
        let mut search = Search::default();
        // The other body from several sides, one query after another.
        for axis in 0..3 {
            for direction in [1.0, -1.0] {
                let turned = |position: &[f32; 3]| {
                    let apart: [f32; 3] = std::array::from_fn(|i| direction * position[(i + axis) % 3]);
                    let centre = a.bounds().centre();
                    std::array::from_fn(|i| centre[i] + apart[i])
                };
                let positions: Vec<[f32; 3]> = b.positions().iter().map(turned).collect();
                let other = soups::body(b.mesh().indices().to_vec(), &positions);
                let mut found = Vec::new();
                let (side_a, side_b) =
                    (Side { body: a, tree: &tree }, Side { body: &other, tree: &method.build(&other) });
                let stats = search.pairs(&method, (side_a, side_b), Wanted::All, &mut found);
                found.sort_unstable();
                assert_eq!(found, pairs(&BruteForce, a, &other, Wanted::All).0);
                println!("{} pairs, {} boxes fitted", found.len(), stats.boxes_fitted);
            }
        }
        let (found, stats) = pairs(&method, a, b, Wanted::All);
        assert!(!found.is_empty());
        let triangles = [a, b].iter().map(|body| body.mesh().triangles().len() as u64).sum::<u64>();
        assert!(stats.boxes_fitted < triangles / 2, "{stats:?}");
    }
}

#[test]
fn opening_the_bigger_node_takes_fewer_box_tests_on_bumpy_spheres() {
    let bodies = bumpy(4, &[60, 120, 180, 199]);
    let work = |opening: Opening| -> u64 {
        let method = BucketTree::new(BucketTreeOptions::default().with_opening(opening)).unwrap();
        bodies.iter().map(|[a, b]| pairs(&method, a, b, Wanted::All).1.box_tests).sum()
    };
    let (smaller, bigger) = (work(Opening::Smaller), work(Opening::Bigger));
    println!("box tests: {smaller} opening the smaller node, {bigger} opening the bigger");
    assert!(bigger < smaller, "{bigger} of {smaller}");
}

#[test]
fn an_outlier_that_crowds_all_others_into_one_bucket_costs_less_than_three_times_the_work() {
    for [a, b] in bumpy(4, &[120, 199]) {
        let crowded = |of: &Body, at: f32| {
            let mut positions: Vec<[f32; 3]> = of.positions().to_vec();
            let mut triangles = of.mesh().indices().to_vec();
            let first = positions.len() as u32;
            triangles.push([first, first + 1, first + 2]);
            positions.extend([[at, at, at], [at + 1.0, at, at], [at, at + 1.0, at]]);
            soups::body(triangles, &positions)
        };
        for filing in FILINGS {
            let method = BucketTree::new(BucketTreeOptions::default().with_filing(filing)).unwrap();
            let (found, plain) = pairs(&method, &a, &b, Wanted::All);
            assert!(method.build(&a).stats().largest_bucket < 100);
            for at in [1.0e4, -1.0e30] {
                let (crowded_a, crowded_b) = (crowded(&a, at), crowded(&b, -at));
                let (found_crowded, stats) = pairs(&method, &crowded_a, &crowded_b, Wanted::All);
                assert_eq!(found_crowded, found);
                // All but the outlier in one bucket, and the statistics say so.
                assert_eq!(method.build(&crowded_a).stats().largest_bucket as usize, a.mesh().triangles().len());
                println!("{} box tests, {} with the outlier", plain.box_tests, stats.box_tests);
                assert!(stats.box_tests <= 3 * plain.box_tests, "{stats:?} {plain:?}");
                assert!(stats.candidates <= 3 * plain.candidates, "{stats:?} {plain:?}");
            }
        }
    }
}

#[test]
fn levels_out_of_range_and_buckets_split_to_nothing_are_refused() {
    for given in [0, 7, u32::MAX] {
        let options = BucketTreeOptions::default().with_levels(LevelChoice::Fixed(given));
        let error = BucketTree::new(options).unwrap_err();
        assert_eq!(error, Soup::<[f32; 3]>::new(options).unwrap_err());
        assert_eq!(error, BucketTreeError::LevelsOutOfRange { given });
        let message =
            format!("{given} levels are out of range: an octree of buckets has 1 to 6, or lets the data choose");
        assert_eq!(error.to_string(), message);
    }
    let error = BucketTree::new(BucketTreeOptions::default().with_split_above(Some(0))).unwrap_err();
    assert_eq!(error.to_string(), "buckets cannot be split down to 0 primitives: keep at least 1, or never split");
}

/// A ball: something the library knows nothing of.
#[derive(Clone, Debug)]
struct Ball {
    centre: [f32; 3],
    radius: f32,
}

impl Primitive for Ball {
    fn bounds(&self) -> Aabb {
        Aabb::new(self.centre.map(|x| x - self.radius), self.centre.map(|x| x + self.radius))
    }
}

fn candidates<P: Primitive, Q: Primitive>(a: &Soup<P>, b: &Soup<Q>) -> Vec<(PrimitiveId, PrimitiveId)> {
    let mut found = Vec::new();
    let visit = |(i, _): (PrimitiveId, &P), (j, _): (PrimitiveId, &Q)| -> ControlFlow<()> {
        found.push((i, j));
        Continue(())
    };
    a.candidates(b, &mut BucketScratch::default(), visit).unwrap();
    found.sort_unstable();
    found
}

#[test]
fn a_soup_of_balls_points_and_triangles_that_come_move_and_go_yields_every_candidate() {
    for options in all_options().into_iter().step_by(3) {
        let mut random = Random::new(11);
        let mut balls = Soup::new(options).unwrap();
        let mut points: Soup<[f32; 3]> = Soup::new(options).unwrap();
        let mut triangles = Soup::new(options).unwrap();
        let mut removed = Vec::new();
        for _ in 0..25 {
            for _ in 0..random.below(8) {
                let (centre, radius) = (grid_point(&mut random, 10), random.below(4) as f32);
                balls.insert(Ball { centre, radius }).unwrap();
                points.insert(grid_point(&mut random, 10)).unwrap();
                let corner = grid_point(&mut random, 10);
                triangles.insert(Triangle([corner, corner.map(|x| x + 2.0), grid_point(&mut random, 10)])).unwrap();
            }
            let gone: Vec<PrimitiveId> = balls.iter().map(|(id, _)| id).filter(|_| random.below(8) == 0).collect();
            for &id in &gone {
                balls.remove(id).unwrap();
            }
            removed.extend(gone);
            for (_, ball) in balls.iter_mut() {
                ball.centre[0] += random.below(3) as f32 - 1.0;
            }
            balls.update().unwrap();
            points.update().unwrap();
            triangles.update().unwrap();

            assert_eq!(candidates(&balls, &points), expected(&balls, &points));
            assert_eq!(candidates(&triangles, &balls), expected(&triangles, &balls));
            let mut within = Vec::new();
            let visit = |(i, _): (PrimitiveId, &Ball), (j, _): (PrimitiveId, &Ball)| {
                within.push((i.min(j), i.max(j)));
                Continue(())
            };
            balls.self_candidates(&mut BucketScratch::default(), visit).unwrap();
            within.sort_unstable();
            let mut all = expected(&balls, &balls);
            all.retain(|(i, j)| i < j);
            assert_eq!(within, all);
        }
        for id in removed {
            assert_eq!(balls.remove(id).unwrap_err(), BucketTreeError::NoSuchPrimitive { primitive: id });
            assert!(balls.get(id).is_none() && balls.get_mut(id).is_none());
        }
    }
}

fn expected<P: Primitive, Q: Primitive>(a: &Soup<P>, b: &Soup<Q>) -> Vec<(PrimitiveId, PrimitiveId)> {
    let overlapping = |(i, p): (PrimitiveId, &P)| -> Vec<(PrimitiveId, PrimitiveId)> {
        b.iter().filter(|(_, q)| p.bounds().overlaps(&q.bounds())).map(|(j, _)| (i, j)).collect()
    };
    let mut all: Vec<_> = a.iter().flat_map(overlapping).collect();
    all.sort_unstable();
    all
}

#[test]
fn a_soup_that_changed_refuses_to_answer_until_it_is_updated() {
    let mut soup = Soup::new(BucketTreeOptions::default()).unwrap();
    let scratch = &mut BucketScratch::default();
    soup.self_candidates(scratch, |_, _| Break(())).unwrap();
    let id = soup.insert([0.0; 3]).unwrap();
    assert_eq!(soup.self_candidates(scratch, |_, _| Break(())).unwrap_err(), BucketTreeError::NotUpdated);
    soup.update().unwrap();
    *soup.get_mut(id).unwrap() = [f32::NAN, 0.0, 0.0];
    assert_eq!(soup.update().unwrap_err(), BucketTreeError::NotFinite { primitive: id });
    assert_eq!(soup.candidates(&soup, scratch, |_, _| Break(())).unwrap_err(), BucketTreeError::NotUpdated);
    assert!(soup.remove(id).unwrap()[0].is_nan());
    let error = soup.remove(id).unwrap_err().to_string();
    assert!(error.contains("it was removed, or was never inserted here"), "{error}");
    soup.update().unwrap();
    assert!(soup.is_empty() && soup.stats().primitives == 0);
}

#[test]
fn cells_hold_points_as_tight_boxes_do_and_find_at_least_their_bucket_pairs() {
    for levels in 3..=5 {
        let options = BucketTreeOptions::of_the_paper(levels);
        let mut random = Random::new(5);
        let [mut a, mut b] = [Soup::new(options).unwrap(), Soup::new(options).unwrap()];
        for _ in 0..1000 {
            a.insert(grid_point(&mut random, 1000)).unwrap();
            b.insert(grid_point(&mut random, 1000).map(|x| x + 500.0)).unwrap();
        }
        a.update().unwrap();
        b.update().unwrap();
        let scratch = &mut BucketScratch::default();
        let mut count = |boxes: NodeBoxes| {
            let mut count = 0;
            let visit = |in_a: Bucket, in_b: Bucket| {
                assert!(in_a.primitives > 0 && in_b.primitives > 0 && in_a.bounds.overlaps(&in_b.bounds));
                count += 1;
                Continue(())
            };
            a.bucket_pairs(&b, boxes, scratch, visit).unwrap();
            count
        };
        let (cells, tight) = (count(NodeBoxes::Cells), count(NodeBoxes::Tight));
        assert!(cells > 0 && cells >= tight, "{cells} of cells, {tight} of tight boxes");
    }
}
