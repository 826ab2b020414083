//! `diff` and `merge`: reports that are read back.

use crate::run::{Folder, STILL_AND_MOVING, redacted_records};

/// Two cubes of which one comes, in frames 2 to 5 of 8.
fn coming() -> Folder {
    Folder::still_and_moving(0.5, &[9.0, 5.0, 1.4, 1.2, 1.1, 1.3, 7.0, 8.0], [0.1, 0.1])
}

/// Runs `check` and keeps its report.
fn report(folder: &Folder, name: &str, more: &[&str]) {
    let ended = folder.crumple(&[&STILL_AND_MOVING[..], &["--json"], more].concat());
    std::fs::write(folder.path().join(name), ended.stdout).unwrap();
}

/// Makes sure that `merge` of three parts prints what one run did.
#[track_caller]
fn merged_as_one_run(folder: &Folder) -> String {
    let whole = std::fs::read_to_string(folder.path().join("whole.json")).unwrap();
    let merged = folder.crumple(&["merge", "2.json", "3.json", "1.json"]);
    assert_eq!((merged.code, &*merged.stderr), (Some(0), ""));
    assert_eq!(redacted_records(&merged.stdout), redacted_records(&whole));
    merged.stdout
}

#[test]
fn parts_become_the_report_that_one_run_would_have_printed() {
    let folder = coming();
    report(&folder, "whole.json", &["--pairs", "--depth"]);
    for (name, frames) in [("1.json", "0..3"), ("2.json", "3..5"), ("3.json", "5..8")] {
        report(&folder, name, &["--pairs", "--depth", "--frames", frames]);
    }
    let merged = merged_as_one_run(&folder);
    let written = folder.crumple(&["merge", "2.json", "3.json", "1.json", "--out", "all.json"]);
    assert_eq!((written.code, &*written.stdout), (Some(0), ""));
    assert_eq!(std::fs::read_to_string(folder.path().join("all.json")).unwrap(), merged);
    let over = folder.crumple(&["merge", "1.json", "--out", "1.json"]);
    assert!(over.code == Some(2) && over.stderr.contains("would overwrite the input 1.json"), "{}", over.stderr);
}

#[test]
fn parts_of_a_continuous_check_overlap_by_one_frame() {
    let folder = coming();
    let more = ["--pairs", "--continuous"];
    report(&folder, "whole.json", &more);
    // Contacts last from frame 2 to 5, and impacts too: findings go on across both joints.
    for (name, frames) in [("1.json", "0..3"), ("2.json", "2..5"), ("3.json", "4..8")] {
        report(&folder, name, &[&more[..], &["--frames", frames]].concat());
    }
    merged_as_one_run(&folder);
    // Without the overlap a step is missing, and that is said.
    report(&folder, "2.json", &[&more[..], &["--frames", "3..5"]].concat());
    let merged = folder.crumple(&["merge", "2.json", "3.json", "1.json"]);
    let missing = "the step that leads to frame 3 is missing: parts made with --continuous or --first-contact must overlap by one frame\n";
    assert_eq!((merged.code, &*merged.stderr), (Some(0), missing));
    // A part that begins before the last frame of the one before is no neighbour of it.
    report(&folder, "2.json", &[&more[..], &["--frames", "1..5"]].concat());
    let ended = folder.crumple(&["merge", "1.json", "2.json", "3.json"]);
    assert!(ended.code == Some(2) && ended.stderr.contains("is in another report too"), "{}", ended.stderr);
}

#[test]
fn what_is_missing_is_said() {
    let folder = coming();
    report(&folder, "1.json", &["--frames", "1..3"]);
    report(&folder, "2.json", &["--frames", "5..6"]);
    let merged = folder.crumple(&["merge", "2.json", "1.json"]);
    assert_eq!(merged.code, Some(0));
    assert_eq!(merged.stderr, "frame 0 is missing\nframes 3 to 4 are missing\nframes 6 to 7 are missing\n");
    let summary = merged.summary();
    assert_eq!(summary.missing, [[0, 0], [3, 4], [6, 7]]);
    assert_eq!((summary.frames, summary.findings.unwrap().len()), (3, 2));
    // An interrupted part has no summary; its frames still count.
    let text = std::fs::read_to_string(folder.path().join("1.json")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    std::fs::write(folder.path().join("1.json"), lines[..2].join("\n")).unwrap();
    let refused = folder.crumple(&["merge", "1.json", "2.json"]);
    let what = "error: 1.json: this run ended before its last frame, so findings may be missing\n\
                hint: run it again, or accept what there is with --allow-partial\n";
    assert_eq!((refused.code, &*refused.stderr), (Some(2), what));
    let refused = folder.crumple(&["diff", "2.json", "1.json"]);
    assert_eq!((refused.code, &*refused.stderr), (Some(2), what));
    let merged = folder.crumple(&["merge", "1.json", "2.json", "--allow-partial"]);
    assert_eq!(merged.stderr, "frame 0 is missing\nframes 2 to 4 are missing\nframes 6 to 7 are missing\n");
}

#[test]
fn what_a_part_accepts_stays_accepted() {
    let folder = coming();
    for (name, frames) in [("1.json", "0..4"), ("2.json", "4..8")] {
        report(&folder, name, &["--max-depth", "0.35", "--frames", frames]);
    }
    let found = folder.crumple(&["merge", "1.json", "2.json"]).summary().findings.unwrap();
    assert_eq!(found.iter().map(|finding| (finding.first, finding.last)).collect::<Vec<_>>(), [(4, 4)]);
}

#[test]
fn reports_that_do_not_belong_together_are_refused() {
    let folder = coming();
    report(&folder, "1.json", &["--frames", "0..3"]);
    report(&folder, "2.json", &["--frames", "2..4"]);
    folder
        .crumple(&["merge", "1.json", "2.json", "--out", "x.json"])
        .refused("2.json: frame 2 is in another report too", None);
    assert!(!folder.path().join("x.json").exists());
    let other = folder.crumple(&["check", "still.ply", "--json"]);
    std::fs::write(folder.path().join("other.json"), other.stdout).unwrap();
    let ended = folder.crumple(&["merge", "1.json", "other.json"]);
    assert!(ended.stderr.contains("are about different bodies"), "{}", ended.stderr);
    folder
        .crumple(&["merge", "still.ply"])
        .refused("still.ply: it is not a report", Some("`crumple check --json` prints one"));
    std::fs::write(
        folder.path().join("cut.json"),
        std::fs::read(folder.path().join("1.json")).unwrap().split_last_chunk::<40>().unwrap().0,
    )
    .unwrap();
    let cut = folder.crumple(&["merge", "cut.json"]);
    assert!(cut.code == Some(2) && cut.stderr.contains("cut.json: line "), "{}", cut.stderr);
}

#[test]
fn volumes_inside_and_distances_are_merged_too() {
    let folder = coming();
    std::fs::write(folder.path().join("points.xyz"), "0 0 0\n1.3 0.1 0.1\n").unwrap();
    for words in [
        &["volume", "still.ply", "moving.ply@moving.pc2"][..],
        &["volume", "still.ply", "moving.ply@moving.pc2", "--exact"],
        &["inside", "moving.ply@moving.pc2", "points.xyz"],
        &["distance", "still.ply", "moving.ply@moving.pc2"],
    ] {
        let run = |name: &str, more: &[&str]| {
            let ended = folder.crumple(&[words, &["--json"], more].concat());
            std::fs::write(folder.path().join(name), &ended.stdout).unwrap();
            ended.stdout
        };
        let whole = run("whole.json", &[]);
        run("1.json", &["--frames", "0..4"]);
        run("2.json", &["--frames", "4.."]);
        let merged = folder.crumple(&["merge", "1.json", "2.json"]);
        assert_eq!(redacted_records(&merged.stdout), redacted_records(&whole), "{words:?}: {}", merged.stderr);
    }
}

#[test]
fn a_difference_says_what_is_new_worse_better_and_gone() {
    let folder = coming();
    folder.cuboid("other.ply", [7.5, 0.1, 0.1], 0.2);
    report(&folder, "old.json", &["--depth", "other.ply"]);
    let same = folder.crumple(&["diff", "old.json", "old.json"]);
    assert_eq!((same.code, &*same.stdout), (Some(0), "nothing has changed: 2 findings in both reports\n"));
    let along = [9.0, 5.0, 1.4, 1.2, 1.0, 1.3, 9.5, 8.5].map(|x| [x, 0.1, 0.1]);
    folder.moving_cuboid("moving.pc2", 0.5, &along);
    report(&folder, "new.json", &["--depth", "other.ply"]);
    let worse = folder.crumple(&["diff", "old.json", "new.json"]);
    assert_eq!(worse.code, Some(1));
    let rows: Vec<&str> = worse.stdout.lines().collect();
    assert!(rows[1].starts_with("worse  moving × still ") && rows[1].ends_with("0.4000 -> 0.5000"), "{rows:?}");
    assert!(rows[2].starts_with("gone   moving × other"), "{rows:?}");
    let better = folder.crumple(&["diff", "new.json", "old.json", "--json"]);
    assert_eq!(better.code, Some(1));
    let record: serde_json::Value = serde_json::from_str(&better.stdout).unwrap();
    assert_eq!(record["schema"], "crumple.diff/1");
    let changes = record["changes"].as_array().unwrap();
    assert_eq!([&changes[0]["change"], &changes[1]["change"]], ["new", "better"]);
    assert_eq!(changes[1]["old"]["depth"], 0.5);
    report(&folder, "none.json", &["--frames", "0..2"]);
    assert_eq!(folder.crumple(&["diff", "old.json", "none.json"]).code, Some(0));
}

#[test]
fn volumes_and_points_above_a_limit_fail() {
    let folder = coming();
    std::fs::write(folder.path().join("points.xyz"), "0 0 0\n1.3 0.1 0.1\n1.2 0.1 0.1\n").unwrap();
    let volume = ["volume", "still.ply", "moving.ply@moving.pc2"];
    let inside = ["inside", "moving.ply@moving.pc2", "points.xyz"];
    for (words, limits) in [
        (&volume[..], [("9", 0), ("0.01", 1)]),
        (&[&volume[..], &["--exact"]].concat(), [("0.41", 0), ("0.39", 1)]),
        (&inside, [("2", 0), ("1", 1)]),
    ] {
        assert_eq!(folder.crumple(words).code, Some(0));
        for (most, code) in limits {
            let ended = folder.crumple(&[words, &["--fail-above", most]].concat());
            assert_eq!(ended.code, Some(code), "{words:?} {most}: {}", ended.stdout);
            // Nor does a pipe that is closed at once hide it.
            let words = [words, &["--fail-above", most, "--json"]].concat();
            let mut child = folder.command(&words).stdout(std::process::Stdio::piped()).spawn().unwrap();
            drop(child.stdout.take());
            assert_eq!(child.wait().unwrap().code(), Some(code), "{words:?}");
        }
        assert_eq!(folder.crumple(&[words, &["--fail-above", "-1"]].concat()).code, Some(2));
    }
}
