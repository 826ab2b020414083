//! The wide tree against brute force, on soups full of triangles that touch, lie in one plane or have no area.

use crate::support::soups::{Truth, random_pair};
use crumple::narrow::wide_tree::{Lanes, WideTree, WideTreeOptions};

fn all_lanes() -> [WideTree; 2] {
    [Lanes::Best, Lanes::Baseline].map(|lanes| WideTree { options: WideTreeOptions::default().with_lanes(lanes) })
}

#[test]
fn finds_what_brute_force_finds_at_every_simd_level() {
    for truth in Truth::everything() {
        all_lanes().iter().for_each(|method| truth.check(method));
    }
}

#[test]
fn finds_what_brute_force_finds_in_random_soups() {
    for seed in 0..3000 {
        let truth = Truth::of(random_pair(seed));
        all_lanes().iter().for_each(|method| truth.check(method));
    }
}
