//! `check --first-contact`: when bodies came into contact.

use crumple_io::report::Record;

use crate::run::{Ended, Folder};

/// A wall at height 0, which a tip reaches 0.625 of the way from frame 1 to frame 2 and has left again in frame 3.
fn shot() -> Folder {
    Folder::wall_and_tip("bullet", [2.0, 1.0, -0.6, -3.0])
}

fn check(folder: &Folder, more: &[&str]) -> Ended {
    folder.crumple(&[&["check", "wall.obj", "bullet.obj@bullet.pc2", "--first-contact"], more].concat())
}

#[test]
fn the_time_at_which_contact_began_is_printed_in_frames() {
    let folder = shot();
    for method in ["wide-tree", "hybrid-tree", "local-tree", "bucket-tree", "gjk-cut", "brute-force"] {
        let ended = check(&folder, &["--quiet", "--method", method]);
        assert_eq!((ended.code, &*ended.stderr), (Some(1), ""));
        let first = ended.stdout.lines().next().unwrap();
        let start = "wall × bullet: contact began between frames 1.62499";
        assert!(first.starts_with(start) && first.contains(" and 1.62500"), "{method}: {first}");
        assert_eq!(ended.stdout.matches("contact began").count(), 1, "{}", ended.stdout);
    }
}

#[test]
fn records_have_the_bracket_as_fractions_of_the_step_and_two_triangles() {
    let ended = check(&shot(), &["--json"]);
    let onsets: Vec<_> = (ended.records().into_iter())
        .filter_map(|record| if let Record::Frame(frame) = record { Some(frame.onsets) } else { None })
        .collect();
    let [None, Some(second), Some(third), Some(fourth)] = &onsets[..] else { panic!("{onsets:?}") };
    assert!(second.is_empty() && fourth.is_empty());
    let [onset] = third[..] else { panic!("{third:?}") };
    let [free, contact] = onset.t;
    assert_eq!((onset.a, onset.b), (0, 1));
    assert!(free < 0.625 + 1e-6 && 0.625 - 1e-6 < contact && contact - free <= 1e-6, "{onset:?}");
    assert!(onset.triangles[0] < 2 && onset.triangles[1] < 3, "the tip is in three triangles: {onset:?}");
}

#[test]
fn bodies_in_contact_in_the_first_frame_are_refused_with_what_to_do() {
    let folder = shot();
    check(&folder, &["--frames", "2.."]).refused(
        "wall × bullet: in contact in frame 2 already, the first: when contact began is not known",
        Some(
            "begin with a frame in which they are apart (--frames), leave them out (--ignore), or name the pose in which \
             they may touch (--rest)",
        ),
    );
    assert_eq!(check(&folder, &["--frames", "2..", "--rest", "2", "--self", "--quiet"]).code, Some(0));
}

#[test]
fn what_is_apart_in_both_frames_is_left_to_continuous() {
    let folder = shot();
    let none = check(&folder, &["--frames", "..2"]);
    assert_eq!((none.code, &*none.stdout), (Some(0), "nothing collides in 2 frames\n"));
    let one = check(&folder, &["--frames", "0"]);
    assert!(one.stderr.ends_with("there is only one frame; --first-contact looks between frames\n"), "{}", one.stderr);
}
