//! GJK with the cut against brute force.

use crate::support::soups::{Truth, bumpy, pairs, random_pair, self_pairs};
use crumple::narrow::gjk_cut::{GjkCut, GjkCutOptions, GjkError, Support};
use crumple::narrow::{Wanted, brute::BruteForce};

fn all_options() -> impl Iterator<Item = GjkCutOptions> {
    [40, 55, 70, 85, 100].into_iter().flat_map(|percent| {
        [
            (1, 1, Support::SharedVertices),
            (2, 4, Support::Corners),
            (4, 2, Support::SharedVertices),
            (16, 3, Support::Corners),
        ]
        .map(|(leaf, halvings, support)| {
            let options = GjkCutOptions::default().with_cut_threshold(percent).with_leaf_size(leaf);
            options.with_halvings(halvings).with_support(support)
        })
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
    for (seed, options) in (0..3000).zip(all_options().collect::<Vec<_>>().into_iter().cycle()) {
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
        assert!(5 * (stats.box_tests + stats.dot_products) < brute.box_tests, "{stats:?} of {brute:?}");
        let (found, stats) = self_pairs(&method, &a, Wanted::All);
        let (truth, brute) = self_pairs(&BruteForce, &a, Wanted::All);
        assert_eq!(found, truth);
        assert!(2 * stats.box_tests < brute.box_tests, "{stats:?} of {brute:?}");
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
