//! Published scenes never change: each is pinned by its digest.
//!
//! A digest that moved means that results measured before and after cannot be compared. Give the new scene a new name.

use crumple_scenes::{PointSoup, by_name, catalogue};

const DIGESTS: &[(&str, &str)] = &[
    ("LE1", "97f0479d1301a1ee"),
    ("LE2-1280", "5b822bc01796ce5e"),
    ("LE2-5120", "0f5408a4769c28ae"),
    ("LE2-8192", "68f2a4b436856d94"),
    ("LE2-16384", "ed90fb471ee2f791"),
    ("LE2-20480", "97f0479d1301a1ee"),
    ("LE2-32768", "efa3bd4e78502601"),
    ("LE2-65536", "f15833af1c8485da"),
    ("LE2-paper-1280", "9f3d8df775ea3868"),
    ("LE2-paper-5120", "666c480efe501c9c"),
    ("LE2-paper-8192", "7681709028f6b7ca"),
    ("LE2-paper-16384", "09c3ac16ad8f4d5c"),
    ("LE2-paper-20480", "97f0479d1301a1ee"),
    ("LE2-paper-32768", "ce06eb56a0109c4c"),
    ("LE2-paper-65536", "0b29e048a46b82ba"),
    ("LE3-spheres-apart", "0a604ab11959c918"),
    ("LE3-arms-apart", "a868f9e6084218ea"),
    ("LE3-spheres", "0b0fad97539a202d"),
    ("LE3-arms", "a5b6e0e02a7b61b0"),
    ("GE2", "0b424790d0765683"),
    ("GE3-1500", "070c3677c1e04d6c"),
    ("GE3-13000", "e983055ff0a2a6da"),
    ("CR1", "1ce44e8012ae4da6"),
    ("CR2", "cb810a31dd0ac16d"),
    ("CR3", "42bd3325c0cfc2fb"),
    ("CR4-twist", "ee38239c49ef9d85"),
    ("CR4-scatter", "2c9ffedc7044fcf0"),
    ("CR4-inside-out", "554a7faefa0a9ba7"),
    ("CR6-1000", "4ead3602aea73698"),
    ("CR6-10000", "8583f55c6d9e0cf7"),
    ("MR1", "425a5b0d55ed4491"),
    ("HE1-knot-rabbit-simple", "14268bc1b7b01c1a"),
    ("HE1-knot-rabbit-complex", "00d2baa823fda85c"),
    ("HE1-rabbit-reptile-simple", "31f71cbef2e3b37f"),
    ("HE1-rabbit-reptile-complex", "a19e3d79c6608b73"),
    ("HE1-reptile-santa-simple", "3ab7355a8155011b"),
    ("HE1-reptile-santa-complex", "034aa13558bc3a7d"),
    ("HE1-knot-dragon-simple", "9740c12fb3beee07"),
    ("HE1-knot-dragon-complex", "a18bb0712302b1ec"),
    ("HE1-knot-rabbit-3-1", "619fdeeffa746b93"),
    ("HE1-knot-rabbit-4-6", "8e18c29e2d7295db"),
    ("HE1-rabbit-reptile-7-5", "6578c3e69099a56f"),
    ("HE1-rabbit-reptile-4-2", "dc70b99de71f3af1"),
    ("HE1-reptile-santa-8-6", "c003d95b28bb2281"),
    ("HE3", "e2bde3c22fe18050"),
    ("HE4", "a342367bcfff0acc"),
    ("HE5", "b8d9287b9961c0a4"),
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

#[test]
fn points_in_a_soup_go_where_they_went_when_it_was_published() {
    let after_five = |degrees: f64| {
        let mut soup = PointSoup::new(1_000, degrees, 1);
        (0..5).for_each(|_| soup.advance());
        soup
    };
    assert_eq!(after_five(10.0).digest().to_string(), "094a8eeddfcf17be");
    // At no angle at all, points keep their places in the whole but for rounding.
    let (start, moved) = (PointSoup::new(1_000, 0.0, 1), after_five(0.0));
    let apart =
        |soup: &PointSoup, i: usize| [0, 1, 2].map(|axis| soup.positions()[i][axis] - soup.positions()[0][axis]);
    for i in 0..1_000 {
        for (then, now) in apart(&start, i).into_iter().zip(apart(&moved, i)) {
            assert!((then - now).abs() < 1e-6, "point {i}");
        }
    }
}
