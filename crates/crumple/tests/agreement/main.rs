//! Every method and option finds what brute force finds: lists compared, not lengths.
//!
//! A new method takes part everywhere by its line in `support::methods::default_methods`.

#[path = "../support/mod.rs"]
mod support;

mod bucket_tree;
mod changing;
mod cutting;
mod determinism;
mod edits;
mod fixtures;
mod gjk_cut;
mod hubs;
mod hybrid_tree;
mod in_f64;
mod levels;
mod long_motions;
mod paper_scenes;
mod patches;
mod poses;
mod self_pairs;
mod small_scenes;
mod soups;
mod wide_tree;

use crate::support::methods::methods;
use crumple_methods::Method;

#[test]
fn no_method_is_left_out_of_these_tests() {
    let tested = methods();
    for method in Method::all() {
        let is_it = |name: &str| name.split(' ').next() == Some(method.name());
        assert!(tested.iter().any(|other| is_it(other.name())), "{method} is not among the methods tested");
    }
}
