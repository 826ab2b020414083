//! Chosen frames of LE1 at its full size.

use crate::support::methods::{brute_force, methods};
use crate::support::playback::{Playback, assert_first_pairs, bodies, move_bodies, truth};

#[test]
fn every_method_agrees_on_le1_at_full_size() {
    let scene = crumple_scenes::by_name("LE1").unwrap();
    let mut bodies = bodies(&scene);
    // Before, at and after first contact, deeply in contact, at the end.
    let frames = [59, 60, 61, 100, 199].map(|number| (number, scene.frame(number)));
    let mut expected: Vec<Option<_>> = frames.iter().map(|_| None).collect();
    // Brute force takes as long as everything else here together, so it looks at one frame.
    let by_brute_force = 3;
    move_bodies(&mut bodies, &frames[by_brute_force].1);
    expected[by_brute_force] = Some(truth(&bodies));
    move_bodies(&mut bodies, &scene.frame(0));
    for method in methods().iter().filter(|method| method.name() != brute_force().name()) {
        let mut playback = Playback::new(&**method, &bodies);
        for ((number, frame), expected) in frames.iter().zip(&mut expected) {
            let context = || format!("{method} in frame {number}");
            playback.move_bodies(frame);
            let found = playback.contacts();
            let expected = expected.get_or_insert_with(|| found.clone());
            assert!(found == *expected, "{}", context());
            assert_first_pairs(&playback.witnesses(), expected, &context);
        }
    }
    let counts: Vec<usize> = expected.iter().flatten().map(|found| found.iter().map(|(.., p)| p.len()).sum()).collect();
    assert!(counts[3] > 100 && counts[4] > counts[3], "{counts:?}");
}
