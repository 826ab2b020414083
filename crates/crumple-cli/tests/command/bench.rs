//! `bench`: records, tables and files; no figure is asserted, since figures are the machine's.

use crumple_io::report::Record;

use crate::run::{Folder, redacted};

const FEW: [&str; 6] = ["bench", "LE2-1280", "--frames", "63..66", "--repeat", "1"];

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

    let records = folder.crumple(&[&few[..], &["--json"]].concat()).records();
    let [Record::BenchHeader(_), rows @ ..] = &records[..] else { panic!("{records:?}") };
    assert_eq!(rows.len(), 6);
    for record in rows {
        let Record::BenchRow(row) = record else { panic!("{record:?}") };
        assert_eq!((row.experiment.as_str(), row.table.as_str(), row.row.len()), ("BE3", "traversal", 7));
    }
}

#[test]
fn every_method_finds_the_same_while_triangles_vanish_and_come_back() {
    // From the last removals to the first additions.
    let few = ["bench", "GE2", "--frames", "98..104", "--repeat", "1", "--quiet"];
    let ended = Folder::new().crumple(&few);
    assert_eq!((ended.code, &*ended.stderr), (Some(0), ""));
    assert!(
        ended.stdout.contains("every method finds the same pairs after every removal and every addition"),
        "{}",
        ended.stdout
    );
}

#[test]
fn every_method_finds_what_brute_force_finds_while_a_sheet_is_cut() {
    // Up to the frame in which it parts.
    let ended = Folder::new().crumple(&["bench", "CR5", "--frames", "52..56", "--repeat", "1", "--quiet"]);
    assert_eq!((ended.code, &*ended.stderr), (Some(0), ""));
    assert!(ended.stdout.contains("every method finds what brute-force finds"), "{}", ended.stdout);
}

#[test]
fn pairs_of_the_papers_sizes_stand_beside_its_own() {
    let few =
        ["bench", "LE2-paper-1280", "--frames", "195..198", "--repeat", "1", "--method", "hybrid-tree", "--quiet"];
    let ended = Folder::new().crumple(&few);
    assert_eq!((ended.code, &*ended.stderr), (Some(0), ""));
    let words = "1,280 triangles: 140 pairs in the worst frame (paper: 138)\n";
    assert!(ended.stdout.contains(words), "{}", ended.stdout);
}

#[test]
fn bodies_that_are_pushed_apart_are_measured_with_and_without_their_poses() {
    let few = ["bench", "LE3-arms-apart", "--frames", "120..122", "--repeat", "1", "--quiet"];
    let ended = Folder::new().crumple(&few);
    assert_eq!((ended.code, &*ended.stderr), (Some(0), ""));
    for words in
        ["\nlocal-tree:no-poses ", "\nlocal-tree:degree-8 ", "\nhybrid-tree:connectivity ", "\narms: hybrid-tree is "]
    {
        assert!(ended.stdout.contains(words), "{words}\nis not in\n{}", ended.stdout);
    }
}

#[test]
fn first_contact_is_found_by_refitting_as_by_building() {
    let few = ["bench", "FC1", "--frames", "36..61", "--repeat", "1", "--method", "hybrid-tree", "--json"];
    let ended = Folder::new().crumple(&few);
    assert_eq!((ended.code, &*ended.stderr), (Some(0), ""));
    let records = ended.records();
    let [Record::BenchHeader(_), rows @ ..] = &records[..] else { panic!("{records:?}") };
    // One row per scene.
    assert_eq!(rows.len(), 2);
    for (record, searches) in rows.iter().zip(["1", "20"]) {
        let Record::BenchRow(row) = record else { panic!("{record:?}") };
        assert_eq!(row.row["searches"].to_string(), searches, "{row:?}");
        assert!(["refit_us", "built_once_us", "built_us"].iter().all(|key| row.row.contains_key(*key)), "{row:?}");
    }
}

#[test]
fn every_method_finds_in_two_resolutions_what_it_finds_where_all_is_fine() {
    // Around the frame of the deepest contact.
    let ended = Folder::new().crumple(&["bench", "MR1", "--frames", "58..60", "--repeat", "1", "--quiet"]);
    assert_eq!((ended.code, &*ended.stderr), (Some(0), ""));
    let words = "every list is that of brute force, and that of bodies which are fine everywhere\n";
    assert!(ended.stdout.contains(words), "{}", ended.stdout);
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
    let records = ended.records();
    let [Record::BenchHeader(_), rows @ ..] = &records[..] else { panic!("{records:?}") };
    // Eight pairs, and five in poses with the layers of the paper.
    assert_eq!(rows.len(), 8 + 5);
    for record in rows {
        let Record::BenchRow(row) = record else { panic!("{record:?}") };
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
    let few = ["bench", "CD1", "--frames", "58..61", "--repeat", "1", "--quiet"];
    let folder = Folder::new();
    let ended = folder.crumple(&few);
    assert_eq!((ended.code, &*ended.stderr), (Some(0), ""));
    assert!(ended.stdout.contains(": 2 steps, "), "{}", ended.stdout);
    assert!(ended.stdout.contains(", first impact between frames 59 and 60\n"), "{}", ended.stdout);
    let records = folder.crumple(&[&few[..], &["--json"]].concat()).records();
    let [Record::BenchHeader(_), rows @ ..] = &records[..] else { panic!("{records:?}") };
    // Two questions and their floors, then two steps for each question.
    assert_eq!(rows.len(), 4 + 4);
    for record in &rows[4..] {
        let Record::BenchRow(row) = record else { panic!("{record:?}") };
        assert_eq!((row.table.as_str(), row.row.len()), ("steps", 8));
        let impacts: u64 = row.row["impacts"].to_string().parse().unwrap();
        assert_eq!(impacts > 0, row.row["frame"].to_string() == "60", "{row:?}");
    }
    folder.crumple(&["bench", "CD1", "--frames", "58"]).refused("a step needs two frames", None);
}

#[test]
fn exact_overlaps_stand_beside_sampled_ones() {
    let ended = Folder::new().crumple(&["bench", "VE1", "--frames", "150..152", "--repeat", "1", "--json"]);
    assert_eq!((ended.code, &*ended.stderr), (Some(0), ""));
    let records = ended.records();
    let [Record::BenchHeader(_), rows @ ..] = &records[..] else { panic!("{records:?}") };
    // One frame that is shown and the mean, then both frames.
    assert_eq!(rows.len(), 2 + 2);
    for record in rows {
        let Record::BenchRow(row) = record else { panic!("{record:?}") };
        let number = |key: &str| -> f64 { row.row[key].to_string().parse().unwrap() };
        assert!(number("volume") > 0.1 && number("regions") == 1.0, "{row:?}");
        assert!(number("error_128") < 1e-3 && number("error_256") < 1e-3, "{row:?}");
        assert!(["exact_us", "regions_us", "image128_us", "image256_us"].iter().all(|key| number(key) > 0.0));
    }
    Folder::new()
        .crumple(&["bench", "VE3"])
        .refused("VE3 needs the mesh knot_12k.ply", Some("--data names the folder that holds it"));
}
