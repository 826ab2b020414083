//! GJK with the cut against brute force.

use crate::support::counts::drawn;
use crate::support::soups::{Truth, bumpy, pairs, random_pair, self_pairs};
use crumple::narrow::{Wanted, brute::BruteForce};
use crumple_methods::gjk_cut::{Cuts, GjkCut, GjkCutOptions, GjkError, Split, Support};

/// For every threshold, options that share as few values as possible with each other.
fn all_options() -> impl Iterator<Item = GjkCutOptions> {
    let (default, paper) = (GjkCutOptions::default(), GjkCutOptions::of_the_paper());
    [40, 55, 70, 85, 100].into_iter().flat_map(move |percent| {
        [
            default,
            paper,
            default.with_leaf_size(1).with_halvings(1).with_support(Support::SharedVertices).with_cut_above(0),
            default.with_leaf_size(2).with_halvings(4).with_cut_above(8).with_split(Split::MedianAcross),
            default.with_leaf_size(4).with_halvings(2).with_cuts(Cuts::DirectionsOnly),
            paper.with_leaf_size(16).with_halvings(3).with_support(Support::Corners),
            paper.with_cuts(Cuts::BoxesFirst),
        ]
        .map(|options| options.with_cut_threshold(percent))
    })
}

#[test]
fn finds_what_brute_force_finds_with_every_option() {
    let truths = Truth::everything();
    for options in all_options() {
        let method = GjkCut::new(options).unwrap();
        for truth in &truths {
            truth.check(&method);
        }
    }
}

#[test]
fn finds_what_brute_force_finds_in_random_soups() {
    for (seed, options) in (0..drawn(3000) as u32).zip(all_options().collect::<Vec<_>>().into_iter().cycle()) {
        Truth::of(random_pair(seed)).check(&GjkCut::new(options).unwrap());
    }
}

#[test]
fn finds_the_pairs_of_larger_spheres_with_a_fraction_of_the_work() {
    for [a, b] in bumpy(3, &[60, 199]) {
        let method = GjkCut::default();
        let (found, stats) = pairs(&method, &a, &b, Wanted::All);
        let (truth, brute) = pairs(&BruteForce, &a, &b, Wanted::All);
        assert_eq!(found, truth);
        println!("{} pairs: {stats:?}", truth.len());
        assert!(5 * (stats.box_tests + stats.vertices_visited) < brute.box_tests, "{stats:?} of {brute:?}");
        let (found, stats) = self_pairs(&method, &a, Wanted::All);
        let (truth, brute) = self_pairs(&BruteForce, &a, Wanted::All);
        assert_eq!(found, truth);
        assert!(2 * stats.box_tests < brute.box_tests, "{stats:?} of {brute:?}");
    }
}

#[test]
fn a_threshold_costs_the_papers_search_dot_products_that_always_cutting_saves() {
    let [[a, b]] = &bumpy(3, &[199])[..] else { unreachable!() };
    let products = |percent: u32| {
        let options = GjkCutOptions::of_the_paper().with_cut_threshold(percent);
        pairs(&GjkCut::new(options).unwrap(), a, b, Wanted::All).1.vertices_visited
    };
    let always = products(100);
    for percent in [40, 55, 70, 85] {
        assert!(products(percent) > always, "{percent} %: {} of {always}", products(percent));
    }
}

#[test]
fn options_out_of_range_are_refused() {
    for percent in [0, 39, 101, u32::MAX] {
        let error = GjkCut::new(GjkCutOptions::default().with_cut_threshold(percent)).unwrap_err();
        assert_eq!(error, GjkError::ThresholdOutOfRange { percent });
        let message = format!("a cut threshold of {percent} % is out of range: use 40 to 100, where 100 always cuts");
        assert_eq!(error.to_string(), message);
    }
    for halvings in [0, 5, u32::MAX] {
        let error = GjkCut::new(GjkCutOptions::default().with_halvings(halvings)).unwrap_err();
        assert_eq!(error, GjkError::HalvingsOutOfRange { halvings });
        assert!(error.to_string().ends_with("use 1 to 4, where 1 is as in the paper"), "{error}");
    }
    let error = GjkCut::new(GjkCutOptions::default().with_leaf_size(0)).unwrap_err();
    assert_eq!(error.to_string(), "lists cannot be split down to 0 triangles: keep at least 1 in a leaf");
}
