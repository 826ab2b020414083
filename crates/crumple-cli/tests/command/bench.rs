//! `bench`: records, tables and files; no figure is asserted, since figures are the machine's.

use crumple_io::report::{BenchRow, Record};

use crate::run::{Ended, Folder, redacted};

const FEW: [&str; 6] = ["bench", "LE2-1280", "--frames", "63..66", "--repeat", "1"];

/// Runs each frame of an experiment once; it has to succeed without a word beside its answer.
#[track_caller]
fn once(name: &str, frames: &str, more: &[&str]) -> Ended {
    let ended = Folder::new().crumple(&[&["bench", name, "--frames", frames, "--repeat", "1"], more].concat());
    assert_eq!((ended.code, &*ended.stderr), (Some(0), ""));
    ended
}

/// As [`once`], for an experiment whose answer has these words.
#[track_caller]
fn once_says(name: &str, frames: &str, words: &[&str]) {
    let ended = once(name, frames, &["--quiet"]);
    for words in words {
        assert!(ended.stdout.contains(words), "{words}\nis not in\n{}", ended.stdout);
    }
}

/// The rows of an experiment that is printed as records.
fn rows(ended: &Ended) -> Vec<BenchRow> {
    let mut records = ended.records().into_iter();
    assert!(matches!(records.next(), Some(Record::BenchHeader(_))), "{}", ended.stdout);
    records.map(|record| if let Record::BenchRow(row) = record { row } else { panic!("{record:?}") }).collect()
}

#[test]
fn records_are_one_a_method_and_frame_and_a_summary_a_method() {
    let folder = Folder::new();
    let ended = folder.crumple(&[&FEW[..], &["--json", "--method", "hybrid-tree"]].concat());
    assert_eq!((ended.code, &*ended.stderr), (Some(0), ""));
    let records = ended.records();
    let [Record::BenchHeader(header), rest @ ..] = &records[..] else { panic!("{records:?}") };
    assert_eq!(
        (header.schema.as_str(), &header.experiments[..]),
        ("crumple.report/1", &["LE2-same-bumps".to_owned()][..])
    );
    assert!(header.machine.is_some() && header.commit.is_some() && header.threads == Some(1));
    let (frames, summaries) = rest.split_at(9);
    for (at, record) in frames.iter().enumerate() {
        let Record::BenchFrame(frame) = record else { panic!("{record:?}") };
        assert_eq!((frame.experiment.as_str(), frame.frame), ("LE2-1280", 63 + at as u64 % 3));
        assert_eq!(frame.method, ["hybrid-tree", "local-tree", "floor"][at / 3]);
        assert!(frame.update_us > 0.0);
    }
    assert_eq!(summaries.len(), 3);
    for record in summaries {
        let Record::BenchSummary(summary) = record else { panic!("{record:?}") };
        let summary = &summary.summary;
        assert_eq!((summary.frames, summary.scene_digest.as_deref()), (3, Some("5b822bc01796ce5e")));
        assert!(summary.ratio_to_local_tree.is_some() && summary.ratio_to_floor.is_some());
        assert!(summary.median_us <= summary.worst_us && summary.pairs_digest.is_some());
    }
}

#[test]
fn the_table_names_every_size_and_method() {
    let folder = Folder::new();
    let ended = folder.crumple(&[&FEW[..], &["--method", "hybrid-tree"]].concat());
    let expected = "\
LE2-same-bumps: the spheres of LE1 from 1,280 to 65,536 triangles, the same bumps at every size: first contact and worst frame

triangles per body most pairs method first contact worst frame local-tree / it it / floor
1,280 14 hybrid-tree # # # #
local-tree # # # #
floor # # # #

paper: the figures of its table 1 grow as triangles^0.87 and ^1.15 (\"roughly linear\")

";
    assert_eq!(ended.code, Some(0));
    assert_eq!(redacted(&ended.stdout) + "\n", expected);
}

#[test]
fn remarks_stand_beside_the_papers_figures() {
    let ended = Folder::new().crumple(&["bench", "LE1", "--frames", "60..63", "--repeat", "1", "--quiet"]);
    assert_eq!((ended.code, &*ended.stderr), (Some(0), ""));
    let text = redacted(&ended.stdout);
    for words in [
        "LE1: all pairs, 3 frames, first contact in frame 60, ",
        "LE1-first: first pair, 3 frames, first contact in frame 60, 3 pairs in all",
        "all pairs: hybrid-tree is # as fast as local-tree at the median, # at first contact, # in the last frame (paper: about 5x)",
        "first pair: bottom-up takes # the time of hybrid-tree at the median",
        "(paper: 10 to 20 % faster)",
    ] {
        assert!(text.contains(words), "{words}\nis not in\n{text}");
    }
}

#[test]
fn files_hold_every_frame_and_name_machine_commit_and_scene() {
    let folder = Folder::new();
    let files = ["--csv", "out.csv", "--svg", "out.svg"];
    let ended = folder.crumple(&[&FEW[..], &files, &["--method", "local-tree"]].concat());
    assert_eq!((ended.code, &*ended.stderr), (Some(0), "wrote out.csv\nwrote out.svg\n"));
    let csv = std::fs::read_to_string(folder.path().join("out.csv")).unwrap();
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "machine,commit,threads,scene,scene_digest,experiment,method,frame,pairs,update_us,query_us");
    assert_eq!(lines.len(), 1 + 2 * 3);
    assert!(lines[1].contains(",1,LE2-1280,5b822bc01796ce5e,LE2-1280,local-tree,63,0,"), "{}", lines[1]);
    assert!(lines[4].contains(",floor,63,0,"), "{}", lines[4]);
    let svg = std::fs::read_to_string(folder.path().join("out.svg")).unwrap();
    assert!(svg.contains("local-tree") && svg.contains("floor"));
}

#[test]
fn an_experiment_of_its_own_kind_has_tables_records_rows_and_lines_as_the_others() {
    let folder = Folder::new();
    let few = ["bench", "BE3", "--frames", "0..1", "--repeat", "1", "--quiet"];
    let ended = folder.crumple(&[&few[..], &["--csv", "out.csv", "--svg", "out.svg"]].concat());
    assert_eq!((ended.code, &*ended.stderr), (Some(0), ""));
    let text = redacted(&ended.stdout);
    for words in ["BE3: time to find", "levels opened pairs of buckets", "(paper: "] {
        assert!(text.contains(words), "{words}\nis not in\n{text}");
    }
    let csv = std::fs::read_to_string(folder.path().join("out.csv")).unwrap();
    assert!(csv.starts_with("machine,commit,threads,experiment,table,levels,opened,bucket_pairs,"), "{csv}");
    assert_eq!(csv.lines().count(), 1 + 6);
    let svg = std::fs::read_to_string(folder.path().join("out.svg")).unwrap();
    assert!(svg.contains("the smaller") && svg.contains("the bigger"));

    let rows = rows(&folder.crumple(&[&few[..], &["--json"]].concat()));
    assert_eq!(rows.len(), 6);
    for row in rows {
        assert_eq!((row.experiment.as_str(), row.table.as_str(), row.row.len()), ("BE3", "traversal", 7));
    }
}

#[test]
fn every_method_finds_the_same_while_triangles_vanish_and_come_back() {
    // From the last removals to the first additions.
    once_says("GE2", "98..104", &["every method finds the same pairs after every removal and every addition"]);
}

#[test]
fn every_method_finds_what_brute_force_finds_while_a_sheet_is_cut() {
    // Up to the frame in which it parts.
    once_says("CR5", "52..56", &["every method finds what brute-force finds"]);
}

#[test]
fn pairs_of_the_papers_sizes_stand_beside_its_own() {
    let ended = once("LE2-paper-1280", "195..198", &["--method", "hybrid-tree", "--quiet"]);
    let words = "1,280 triangles: 140 pairs in the worst frame (paper: 138)\n";
    assert!(ended.stdout.contains(words), "{}", ended.stdout);
}

#[test]
fn bodies_that_are_pushed_apart_are_measured_with_and_without_their_poses() {
    let words =
        ["\nlocal-tree:no-poses ", "\nlocal-tree:degree-8 ", "\nhybrid-tree:connectivity ", "\narms: hybrid-tree is "];
    once_says("LE3-arms-apart", "120..122", &words);
}

#[test]
fn first_contact_is_found_by_refitting_as_by_building() {
    let rows = rows(&once("FC1", "36..61", &["--method", "hybrid-tree", "--json"]));
    // One row per scene.
    assert_eq!(rows.len(), 2);
    for (row, searches) in rows.iter().zip(["1", "20"]) {
        assert_eq!(row.row["searches"].to_string(), searches, "{row:?}");
        assert!(["refit_us", "built_once_us", "built_us"].iter().all(|key| row.row.contains_key(*key)), "{row:?}");
    }
}

#[test]
fn every_method_finds_in_two_resolutions_what_it_finds_where_all_is_fine() {
    // Around the frame of the deepest contact.
    let words = "every list is that of brute force, and that of bodies which are fine everywhere\n";
    once_says("MR1", "58..60", &[words]);
}

#[test]
fn a_trial_on_a_real_mesh_says_what_it_needs() {
    let ended = Folder::new().crumple(&["bench", "GE3-cow"]);
    ended.refused("GE3-cow needs the mesh spot_23k.ply", Some("--data names the folder that holds it"));
}

#[test]
fn a_folder_of_meshes_that_is_not_there_or_lacks_one_is_named() {
    let folder = Folder::new();
    let ended = folder.crumple(&["bench", "GE2", "--data", "nowhere"]);
    ended.refused("nowhere: there is no such folder", Some("--data names a folder of meshes"));
    let ended = folder.crumple(&["bench", "GE2", "--data", "."]);
    let hint = "--data names the folder that holds spot_23k.ply";
    ended.refused("./spot_23k.ply: there is no such file", Some(hint));
}

#[test]
fn a_method_the_experiment_does_not_have_is_refused() {
    let ended = Folder::new().crumple(&["bench", "LE2", "--method", "hybrid-tree:connectivity"]);
    let start = "error: there is no method hybrid-tree:connectivity in this experiment\nhint: there are ";
    assert!(ended.stderr.starts_with(start) && ended.stderr.contains("local-tree"), "{}", ended.stderr);
    assert_eq!(ended.code, Some(2));
}

#[test]
fn experiments_are_listed() {
    let ended = Folder::new().crumple(&["bench", "--list"]);
    assert_eq!(ended.code, Some(0));
    for name in ["LE1", "LE2", "LE2-same-bumps", "LE3", "LE3-deep", "FC1", "MR1"] {
        assert!(ended.stdout.lines().any(|line| line.starts_with(&format!("{name} "))), "{name}");
    }
}

#[test]
fn overlaps_stand_beside_the_papers_table() {
    let ended = Folder::new().crumple(&["bench", "HE1", "--repeat", "1", "--json"]);
    assert_eq!((ended.code, &*ended.stderr), (Some(0), ""));
    let rows = rows(&ended);
    // Eight pairs, and five in poses with the layers of the paper.
    assert_eq!(rows.len(), 8 + 5);
    for row in rows {
        let volume: f64 = row.row["volume"].to_string().parse().unwrap();
        assert!((1e-5..0.1).contains(&volume), "{row:?}");
        assert!(row.row.contains_key("stage12_us") && row.row.contains_key("ratio_to_floor"), "{row:?}");
    }
}

#[test]
fn particles_are_counted_and_drawn() {
    let folder = Folder::new();
    let words = ["bench", "HE3", "--frames", "..60", "--repeat", "1", "--picture", "rain.png"];
    let ended = folder.crumple(&words);
    assert_eq!((ended.code, &*ended.stderr), (Some(0), "wrote rain.png\n"));
    assert!(ended.stdout.contains("\n20,000 particles on a body of 10,368 triangles, 60 frames: "), "{}", ended.stdout);
    assert!(ended.stdout.contains(" bounces; after each frame no particle was left deeper in the body than 0.0"));
    assert!(std::fs::read(folder.path().join("rain.png")).unwrap().starts_with(b"\x89PNG\r\n\x1a\n"));
    folder
        .crumple(&["bench", "LE1", "--picture", "rain.png"])
        .refused("only HE3 has something to draw a picture of", Some("--svg draws the times of every experiment"));
}

#[test]
fn impacts_of_every_step_are_timed_beside_the_floor() {
    once_says("CD1", "58..61", &[": 2 steps, ", ", first impact between frames 59 and 60\n"]);
    let rows = rows(&once("CD1", "58..61", &["--quiet", "--json"]));
    // Two questions and their floors, then two steps for each question.
    assert_eq!(rows.len(), 4 + 4);
    for row in &rows[4..] {
        assert_eq!((row.table.as_str(), row.row.len()), ("steps", 8));
        let impacts: u64 = row.row["impacts"].to_string().parse().unwrap();
        assert_eq!(impacts > 0, row.row["frame"].to_string() == "60", "{row:?}");
    }
    Folder::new().crumple(&["bench", "CD1", "--frames", "58"]).refused("a step needs two frames", None);
}

#[test]
fn exact_overlaps_stand_beside_sampled_ones() {
    let rows = rows(&once("VE1", "150..152", &["--json"]));
    // One frame that is shown and the mean, then both frames.
    assert_eq!(rows.len(), 2 + 2);
    for row in rows {
        let number = |key: &str| -> f64 { row.row[key].to_string().parse().unwrap() };
        assert!(number("volume") > 0.1 && number("regions") == 1.0, "{row:?}");
        assert!(number("error_128") < 1e-3 && number("error_256") < 1e-3, "{row:?}");
        assert!(["exact_us", "regions_us", "image128_us", "image256_us"].iter().all(|key| number(key) > 0.0));
    }
    Folder::new()
        .crumple(&["bench", "VE3"])
        .refused("VE3 needs the mesh knot_12k.ply", Some("--data names the folder that holds it"));
}
