//! Published scenes never change: each is pinned by its digest.
//!
//! A digest that moved means that results measured before and after cannot be compared. Give the new scene a new name.

use crumple_scenes::{by_name, catalogue};

const DIGESTS: &[(&str, &str)] = &[
    ("LE1", "97f0479d1301a1ee"),
    ("LE2-1280", "5b822bc01796ce5e"),
    ("LE2-5120", "0f5408a4769c28ae"),
    ("LE2-8192", "68f2a4b436856d94"),
    ("LE2-16384", "ed90fb471ee2f791"),
    ("LE2-20480", "97f0479d1301a1ee"),
    ("LE2-32768", "efa3bd4e78502601"),
    ("LE2-65536", "f15833af1c8485da"),
    ("LE3-spheres", "0b0fad97539a202d"),
    ("LE3-arms", "a5b6e0e02a7b61b0"),
    ("CR2", "cb810a31dd0ac16d"),
];

#[test]
fn every_published_scene_has_the_bits_it_was_published_with() {
    let now: Vec<(&str, String)> =
        catalogue().iter().map(|entry| (entry.name, entry.scene().digest().to_string())).collect();
    let pinned: Vec<(&str, String)> = DIGESTS.iter().map(|&(name, digest)| (name, digest.to_owned())).collect();
    assert_eq!(now, pinned);
}

#[test]
fn a_scene_made_twice_has_the_same_bits_in_any_order_of_frames() {
    for entry in catalogue() {
        let (first, second) = (entry.scene(), entry.scene());
        let last = first.frame_count() - 1;
        for (a, b) in [(0, last), (last / 2, 0), (last, last / 2)] {
            let forward = (first.frame(a), first.frame(b));
            let backward = (second.frame(b), second.frame(a));
            assert!(forward == (backward.1, backward.0), "{} at {a}, {b}", entry.name);
        }
    }
}

#[test]
fn a_name_is_found_in_upper_and_lower_case() {
    assert_eq!(by_name("le1").unwrap().name(), "LE1");
}

#[test]
fn an_unknown_name_is_refused_with_the_names_there_are() {
    let message = by_name("NOPE").unwrap_err().to_string();
    assert!(message.starts_with("there is no scene called NOPE; there are LE1, LE2-1280"), "{message}");
}
