//! The pairs of the scenes are those they have always been: counts and digests are in `fixtures/pair_digests.txt`.
//!
//! One line per frame: scene, frame, number of pairs, digest. The digest is that of the contacts in order, each as its
//! two bodies, the number of its pairs and the pairs, all little-endian `u32`. In the small scenes bodies are asked
//! about themselves too.
//!
//! A published scene does not change and its pairs are exact, so these lines change only if a scene is added or an
//! error is found. Then write the file anew and look at the difference:
//!
//! ```text
//! CRUMPLE_WRITE_DIGESTS=1 cargo test -p crumple --test agreement determinism
//! ```
//!
//! which fails on purpose after writing, so that nothing is ever written unnoticed.

use std::collections::BTreeMap;
use std::path::Path;

use crate::support::methods::{AnyMethod, brute_force, default_methods, fast, methods};
use crate::support::playback::{Found, Playback, assert_first_pairs, bodies, move_bodies, truth};
use crumple_scenes::Digest;

const WRITE: &str = "CRUMPLE_WRITE_DIGESTS";
const COMMITTED: &str = include_str!("../../../../fixtures/pair_digests.txt");
const HEADER: &str = "\
# scene, frame, pairs, digest of the pairs; see crates/crumple/tests/agreement/determinism.rs for what it means and how it is made
";

/// A scene with the frames that are looked at.
struct Case {
    scene: crumple_scenes::Scene,
    frames: Vec<usize>,
    is_small: bool,
}

impl Case {
    fn small(scene: crumple_scenes::Scene) -> Self {
        let last = scene.frame_count() - 1;
        let frames = (0..last).step_by(20).chain([last]).collect();
        Self { scene, frames, is_small: true }
    }

    fn full(name: &str, frames: &[usize]) -> Self {
        let scene = crumple_scenes::by_name(name).unwrap();
        Self { scene, frames: frames.to_vec(), is_small: false }
    }

    /// The line of each frame, as one method finds it.
    fn lines(&self, method: &dyn AnyMethod) -> Vec<String> {
        let mut playback = Playback::new(method, &bodies(&self.scene));
        if self.is_small {
            playback = playback.with_self_collision();
        }
        let line = |&frame: &usize| {
            playback.move_bodies(&self.scene.frame(frame));
            let found = playback.contacts();
            let count: usize = found.iter().map(|(_, _, pairs)| pairs.len()).sum();
            format!("{} {frame} {count} {}", self.scene.name(), digest(&found))
        };
        self.frames.iter().map(line).collect()
    }
}

fn digest(found: &Found) -> Digest {
    let mut digest = Digest::new();
    for (a, b, pairs) in found {
        for number in [*a, *b, pairs.len()] {
            digest.bytes(&(number as u32).to_le_bytes());
        }
        for pair in pairs {
            digest.bytes(&pair.a.0.to_le_bytes());
            digest.bytes(&pair.b.0.to_le_bytes());
        }
    }
    digest
}

fn small_cases() -> Vec<Case> {
    crumple_scenes::small().into_iter().map(Case::small).collect()
}

fn full_cases() -> Vec<Case> {
    vec![
        Case::full("LE1", &[60, 99, 149, 199]),
        Case::full("LE3-spheres", &[40, 100, 199]),
        Case::full("LE3-arms", &[50, 100, 199]),
    ]
}

/// The committed lines by scene.
fn committed() -> BTreeMap<&'static str, Vec<&'static str>> {
    let mut by_scene: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for line in COMMITTED.lines().filter(|line| !line.starts_with('#')) {
        by_scene.entry(line.split(' ').next().unwrap_or(line)).or_default().push(line);
    }
    by_scene
}

fn check(case: &Case, methods: &[Box<dyn AnyMethod>]) {
    if std::env::var_os(WRITE).is_some() {
        return; // The test that writes says what happened.
    }
    let committed = committed();
    let expected = committed.get(case.scene.name()).unwrap_or_else(|| panic!("no digests of {}", case.scene.name()));
    for method in methods {
        assert_eq!(&case.lines(&**method), expected, "{method} on {}", case.scene.name());
    }
}

#[test]
fn every_method_finds_the_committed_pairs_of_the_small_scenes() {
    let methods = default_methods();
    small_cases().iter().for_each(|case| check(case, &methods));
}

#[test]
fn every_method_finds_the_committed_pairs_of_the_full_scenes() {
    // Brute force is held to them where it is quick enough: on the small scenes, and on one frame below.
    let methods: Vec<_> = default_methods().into_iter().filter(|m| m.name() != brute_force().name()).collect();
    full_cases().iter().for_each(|case| check(case, &methods));
}

/// The committed line of a frame.
fn line_of(scene: &str, frame: usize) -> &'static str {
    let start = format!("{scene} {frame} ");
    let line = COMMITTED.lines().find(|line| line.starts_with(&start));
    line.unwrap_or_else(|| panic!("no digest of {scene} in frame {frame}"))
}

#[test]
fn brute_force_finds_the_committed_pairs_of_a_full_frame() {
    let scene = crumple_scenes::by_name("LE1").unwrap();
    let mut bodies = bodies(&scene);
    move_bodies(&mut bodies, &scene.frame(99));
    assert_eq!(line_of("LE1", 99), format!("LE1 99 520 {}", digest(&truth(&bodies))));
}

#[test]
fn every_option_finds_the_committed_pairs_of_le1() {
    let scene = crumple_scenes::by_name("LE1").unwrap();
    let bodies = bodies(&scene);
    // Just in contact, and deeply.
    let frames = [60, 99, 199].map(|number| (number, scene.frame(number)));
    for method in methods().iter().filter(|method| method.name() != brute_force().name()) {
        let mut playback = Playback::new(&**method, &bodies);
        for (number, frame) in &frames {
            playback.move_bodies(frame);
            let found = playback.contacts();
            let count: usize = found.iter().map(|(_, _, pairs)| pairs.len()).sum();
            assert_eq!(format!("LE1 {number} {count} {}", digest(&found)), line_of("LE1", *number), "{method}");
            assert_first_pairs(&playback.witnesses(), &found, &|| format!("{method} in frame {number}"));
        }
    }
}

#[test]
fn the_committed_file_holds_these_scenes_and_no_others() {
    if std::env::var_os(WRITE).is_some() {
        write();
    }
    let mut names: Vec<String> = small_cases().iter().map(|case| case.scene.name().to_owned()).collect();
    names.extend(full_cases().iter().map(|case| case.scene.name().to_owned()));
    names.sort();
    assert_eq!(committed().into_keys().collect::<Vec<_>>(), names);
}

/// Writes the file anew, the small scenes by brute force, and fails: what was written wants to be looked at.
fn write() -> ! {
    let mut text = HEADER.to_owned();
    for (cases, method) in [(small_cases(), brute_force()), (full_cases(), fast())] {
        for line in cases.iter().flat_map(|case| case.lines(&*method)) {
            text.push_str(&line);
            text.push('\n');
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/pair_digests.txt");
    std::fs::write(&path, text).unwrap();
    panic!("{} was written anew because {WRITE} is set: look at the difference, then run without it", path.display());
}
