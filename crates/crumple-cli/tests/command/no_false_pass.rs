//! Runs that looked at less than they seem to: each is refused, or says so in every format.

use crumple_io::PointCacheWriter;
use crumple_io::report::Record;

use crate::run::{Ended, Folder, cube};

/// Two cubes with caches of ten frames, which start at frames 1001 and 1004 and meet in frame 1006 alone.
fn shot() -> Folder {
    let folder = Folder::new();
    for (name, start, x) in [("body", 1001, 0.0), ("shirt", 1004, 9.0)] {
        folder.cuboid(&format!("{name}.ply"), [x, 0.0, 0.0], 1.0);
        let file = folder.path().join(format!("{name}.pc2"));
        let mut cache = PointCacheWriter::create_timed(file, 8, 10, start as f32, 1.0).unwrap();
        for number in start..start + 10 {
            let x = if number == 1006 { 5.0 } else { x };
            cache.write_frame(&cube([x, 0.1, 0.1], 1.0)).unwrap();
        }
        cache.finish().unwrap();
    }
    folder
}

fn check(folder: &Folder, more: &[&str]) -> Ended {
    folder.crumple(&[&["check", "body.ply@body.pc2", "shirt.ply@shirt.pc2"][..], more].concat())
}

#[test]
fn caches_with_other_start_frames_are_matched_by_number_or_refused() {
    let folder = shot();
    let what = "frames do not match: body has frames 1001 to 1010, but shirt has frames 1004 to 1013";
    let hint = "--frames 1004..=1010 takes those that all have; --by-position matches first frame with first frame";
    check(&folder, &[]).refused(what, Some(hint));
    check(&folder, &["--frames", "1003..1010"])
        .refused("frames do not match: shirt has frames 1004 to 1013, but body has frames 1001 to 1010", Some(hint));
    let matched = check(&folder, &["--frames", "1004..1010", "--json"]);
    assert_eq!(matched.code, Some(1));
    let numbers = matched.records().into_iter().filter_map(|record| match record {
        Record::Frame(frame) => Some((frame.number, !frame.contacts.is_empty())),
        _ => None,
    });
    let expected: Vec<_> = (1004..1010).map(|number| (Some(number), number == 1006)).collect();
    assert_eq!(numbers.collect::<Vec<_>>(), expected);
    assert_eq!(check(&folder, &["--by-position", "--quiet"]).code, Some(0));
    let other = check(&folder, &["--frames", "0..3"]);
    other.refused("there are no frames 0..3", Some("the files number their frames from 1001 to 1013"));
    for words in [&["distance"][..], &["volume"], &["volume", "--exact"]] {
        let files = ["body.ply@body.pc2", "shirt.ply@shirt.pc2"];
        folder.crumple(&[words, &files].concat()).refused(what, Some(hint));
    }
}

#[test]
fn a_body_that_ends_earlier_by_number_keeps_its_last_frame_with_hold() {
    let folder = shot();
    // Before its first frame a body is nowhere, so frames before 1004 stay refused.
    assert_eq!(check(&folder, &["--hold"]).code, Some(2));
    let held = check(&folder, &["--hold", "--frames", "1004..", "--json"]);
    assert_eq!((held.code, held.records().len()), (Some(1), 12));
}

#[test]
fn a_rest_pose_that_excuses_all_there_is_to_test_is_refused() {
    let folder = shot();
    let words = ["--frames", "1004..=1010", "--rest", "1006"];
    check(&folder, &words).refused(
        "there is nothing to check: --rest excuses every pair of bodies",
        Some("choose a pose in which bodies are apart, or add --self to check them against themselves"),
    );
    let own = check(&folder, &[&words[..], &["--self", "--json"]].concat());
    assert_eq!(own.code, Some(0));
    assert!(own.stdout.contains("\"tested\":{\"body_pairs\":0,\"self\":2}"), "{}", own.stdout);
}

#[test]
fn a_run_that_ends_early_is_marked_in_every_format() {
    let folder = Folder::new();
    folder.cuboid("a.ply", [0.0; 3], 1.0);
    folder.cuboid("b.ply", [9.0, 0.0, 0.0], 1.0);
    folder.moving_cuboid("b.pc2", 1.0, &[[9.0, 0.1, 0.2], [9.0, 0.1, 0.2], [f32::NAN, 0.1, 0.2], [1.3, 0.1, 0.2]]);
    let check = |format: &str| {
        let ended = folder.crumple(&["check", "a.ply", "b.ply@b.pc2", "--output-format", format]);
        assert_eq!(ended.code, Some(2), "{format}");
        assert!(ended.stderr.contains("error: b.pc2: frame 2: vertex 0 has x = NaN"), "{}", ended.stderr);
        ended
    };
    let sentence = "stopped by an error: frames 2 to 3 were not checked";
    let text = check("text");
    assert_eq!(text.stdout, "");
    let json = check("json");
    assert!(json.stdout.contains("\"frames\":2,\"complete\":false,\"reached\":1,"), "{}", json.stdout);
    assert!(json.stderr.starts_with(&format!("incomplete: {sentence}\n")), "{}", json.stderr);
    assert!(check("csv").stdout.ends_with("\nincomplete,,,,,1,2,,,,,,,,,,,,,,,,,,,,,\n"));
    let junit = check("junit").stdout;
    assert!(junit.contains("tests=\"2\" failures=\"0\" errors=\"1\""), "{junit}");
    assert!(junit.contains(&format!("<error type=\"incomplete\" message=\"{sentence}\">")), "{junit}");
    let sarif: serde_json::Value = serde_json::from_str(&check("sarif").stdout).unwrap();
    let invocation = &sarif["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    assert_eq!(invocation["toolExecutionNotifications"][0]["message"]["text"], sentence);
    let github = check("github").stdout;
    assert!(github.contains(&format!("::warning title=crumple%3A incomplete::{sentence}\n")), "{github}");
}

#[test]
fn sizes_that_suggest_a_mistake_are_noted() {
    let folder = Folder::new();
    folder.cuboid("metres.ply", [0.0; 3], 1.0);
    folder.cuboid("millimetres.ply", [9000.0, 0.0, 0.0], 1000.0);
    let units = folder.crumple(&["check", "metres.ply", "millimetres.ply"]);
    let note = "note: millimetres is 1000 times as large as metres: are both in the same unit?\n";
    assert!(units.stderr.starts_with(note), "{}", units.stderr);
    let mut cache = PointCacheWriter::create_timed(folder.path().join("b.pc2"), 8, 4, 7.0, 1.0).unwrap();
    for half in [1.0, 0.0, 0.0, 2e6] {
        cache.write_frame(&cube([0.0; 3], half)).unwrap();
    }
    cache.finish().unwrap();
    let moving = folder.crumple(&["check", "metres.ply@b.pc2"]);
    assert!(moving.stderr.starts_with("note: metres collapses to a point in frame 8\n"), "{}", moving.stderr);
    let exploded = folder.crumple(&["check", "metres.ply@b.pc2", "--frames", "7", "--json"]);
    assert!(!exploded.stderr.contains("note"), "{}", exploded.stderr);
}
