//! What frames are called: by the numbers of their files, within their animation where several are played, in every format.

use crumple_io::PointCacheWriter;
use crumple_io::report::{FindingNumbers, Record};
use serde_json::{Value, json};

use crate::run::{Ended, Folder, cube};

/// The arm meets the torso in both frames of `idle` and in the first two of `wave`, and the head in the last two of `wave`,
/// which are frames 4 and 5 of all.
fn check(folder: &Folder, more: &[&str]) -> Ended {
    folder.character();
    folder.crumple(&[&["check", "character.gltf", "--animation", "all"], more].concat())
}

/// The cells of a line of a table on a terminal.
fn cells(line: &str) -> Vec<&str> {
    line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect()
}

#[test]
fn text_has_a_row_per_animation() {
    let text = check(&Folder::new(), &["--pairs", "--continuous", "--clearance", "0.1", "--depth"]).stdout;
    let table = text.split_once("bodies").unwrap().1;
    let rows: Vec<Vec<&str>> = table.lines().map(cells).filter(|row| row.len() > 3).collect();
    let named = |name: &str, animation: &str| -> Vec<&str> {
        let row = rows.iter().find(|row| row[0] == name && row[1] == animation);
        row.unwrap_or_else(|| panic!("{name} in {animation}: {text}")).clone()
    };
    assert_eq!(rows[0][..2], ["animation", "frames in contact"], "{text}");
    assert_eq!(named("torso × arm", "idle")[2], "0–1 (2 of 2)", "{text}");
    assert_eq!(named("torso × arm", "wave")[2], "0–1 (2 of 4)", "{text}");
    assert_eq!(named("arm × head", "wave")[2], "2–3 (2 of 4)", "{text}");
    assert!(text.contains("\nframe 3 of animation wave: arm "), "{text}");
    assert!(text.contains("\nframes 1 to 2 of animation wave: "), "{text}");
    let near = text.split_once("frames too close").unwrap().1;
    assert!(near.lines().any(|line| cells(line).starts_with(&["arm × head", "wave", "2–3 (2 of 4)"])), "{text}");
}

#[test]
fn json_counts_all_frames_and_gives_their_numbers() {
    let ended = check(&Folder::new(), &["--json"]);
    let frames = ended.records().into_iter().filter_map(|record| match record {
        Record::Frame(frame) => Some((frame.frame, frame.number.unwrap(), frame.animation.unwrap())),
        _ => None,
    });
    let expected = [(0, 0, "idle"), (1, 1, "idle"), (2, 0, "wave"), (3, 1, "wave"), (4, 2, "wave"), (5, 3, "wave")];
    assert_eq!(frames.collect::<Vec<_>>(), expected.map(|(frame, number, name)| (frame, number, name.to_owned())));
    let findings = ended.summary().findings.unwrap();
    let mut numbers: Vec<_> =
        findings.iter().map(|found| (found.first, found.numbers.map(|own| [own.first, own.last]))).collect();
    numbers.sort();
    assert_eq!(numbers, [(0, None), (2, Some([0, 1])), (4, Some([2, 3]))]);
    let worst = findings.iter().find(|found| found.first == 4).unwrap();
    assert_eq!(worst.numbers.unwrap().worst + 2, worst.worst.frame);
}

#[test]
fn csv_has_the_numbers_and_the_animation() {
    let csv = check(&Folder::new(), &["--output-format", "csv"]).stdout;
    let mut rows: Vec<Vec<&str>> = csv.lines().skip(1).map(|line| line.split(',').collect()).collect();
    rows.sort();
    let rows: Vec<[&str; 5]> = rows.iter().map(|row| [row[1], row[2], row[3], row[4], row[5]]).collect();
    let expected =
        [["arm", "head", "wave", "2", "3"], ["torso", "arm", "idle", "0", "1"], ["torso", "arm", "wave", "0", "1"]];
    assert_eq!(rows, expected, "{csv}");
    assert!(
        csv.lines().all(|line| !line.contains("arm,head") || ["2", "3"].contains(&line.split(',').nth(7).unwrap()))
    );
}

#[test]
fn the_table_of_pairs_has_a_column_for_the_animation_if_there_are_several() {
    let folder = Folder::new();
    let table = check(&folder, &["--csv", "-"]).stdout;
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("frame,a,b,i,j,name_a,name_b,animation"));
    let mut frames: Vec<(&str, &str)> =
        lines.map(|line| (line.rsplit(',').next().unwrap(), line.split(',').next().unwrap())).collect();
    frames.dedup();
    assert_eq!(frames, [("idle", "0"), ("idle", "1"), ("wave", "0"), ("wave", "1"), ("wave", "2"), ("wave", "3")]);
    let all = check(&folder, &["--csv", "-", "--continuous", "--clearance", "0.1"]).stdout;
    let columns = all.lines().next().unwrap().matches(',').count();
    assert!(all.lines().all(|line| line.matches(',').count() == columns), "{all}");
    assert!(all.lines().skip(1).all(|line| line.ends_with(",idle") || line.ends_with(",wave")), "{all}");
    let one = folder.crumple(&["check", "character.gltf", "--csv", "-"]).stdout;
    assert!(one.starts_with("frame,a,b,i,j,name_a,name_b\n0,"), "{one}");
}

#[test]
fn sentences_of_junit_sarif_and_github_name_the_animation() {
    let folder = Folder::new();
    for format in ["junit", "sarif", "github"] {
        let text = check(&folder, &["--output-format", format]).stdout;
        assert!(text.contains("torso × arm collide in frames 0 to 1 of animation idle; worst in frame 0: "), "{text}");
        assert!(text.contains("torso × arm collide in frames 0 to 1 of animation wave; worst in frame "), "{text}");
        assert!(text.contains("arm × head collide in frames 2 to 3 of animation wave; worst in frame "), "{text}");
    }
    let sarif: Value = serde_json::from_str(&check(&folder, &["--output-format", "sarif"]).stdout).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let head = results.iter().find(|result| result["message"]["text"].as_str().unwrap().contains("head")).unwrap();
    assert_eq!([&head["properties"]["first"], &head["properties"]["last"]], [2, 3]);
    assert_eq!(head["properties"]["animation"], "wave");
}

#[test]
fn the_page_has_a_row_per_animation_and_the_numbers_of_its_frames() {
    let folder = Folder::new();
    check(&folder, &["--html", "page.html"]);
    let page = std::fs::read_to_string(folder.path().join("page.html")).unwrap();
    let wave = "<bdi>arm</bdi> × <bdi>head</bdi></th><td class=\"name\"><bdi>wave</bdi></td><td>2</td><td>3</td>";
    assert!(page.contains(wave) && page.contains("<tr data-frames=\"4 5 "), "{page}");
    let said = "first in frame 0 of animation <bdi>idle</bdi>, last in frame 3 of animation <bdi>wave</bdi>.";
    assert!(page.contains(said));
    let (_, head) = page.split_once("id=\"head\">").unwrap();
    let head: Value = serde_json::from_str(head.split_once("</script>").unwrap().0).unwrap();
    assert_eq!(head["frames"]["frame"], json!([0, 1, 2, 3, 4, 5]));
    assert_eq!(head["frames"]["number"], json!([0, 1, 0, 1, 2, 3]));
    assert_eq!(head["animations"], json!([{"name": "idle", "start": 0}, {"name": "wave", "start": 2}]));
}

/// A cube that is over another one in two of six frames, which start at number 1001; the last but one is not finite.
fn shot(folder: &Folder) {
    folder.cuboid("still.ply", [0.0; 3], 1.0);
    folder.cuboid("body.ply", [9.0, 0.0, 0.0], 1.0);
    let mut cache = PointCacheWriter::create_timed(folder.path().join("body.pc2"), 8, 6, 1001.0, 1.0).unwrap();
    for x in [9.0, 1.3, 1.2, 9.0, f32::NAN, 9.0] {
        cache.write_frame(&cube([x, 0.1, 0.2], 1.0)).unwrap();
    }
    cache.finish().unwrap();
}

#[test]
fn frames_of_a_cache_have_its_numbers_in_every_format() {
    let folder = Folder::new();
    shot(&folder);
    let check = |more: &[&str]| {
        folder.crumple(&[&["check", "still.ply", "body.ply@body.pc2", "--frames", "1001..=1004"], more].concat()).stdout
    };
    let numbers = FindingNumbers { first: 1002, last: 1003, worst: 1002 };
    let json = folder.crumple(&["check", "still.ply", "body.ply@body.pc2", "--frames", "1001..=1004", "--json"]);
    assert_eq!(json.summary().findings.unwrap()[0].numbers, Some(numbers));
    assert!(check(&[]).contains("1002–1003 (2 of 4)"), "{}", check(&[]));
    assert!(check(&["--output-format", "csv"]).contains(",,1002,1003,2,1002,"));
    assert!(check(&["--csv", "-"]).contains("\n1003,0,1,"));
    for format in ["junit", "sarif", "github"] {
        let text = check(&["--output-format", format]);
        assert!(text.contains("collide in frames 1002 to 1003; worst in frame 1002: "), "{text}");
    }
    check(&["--html", "page.html"]);
    let page = std::fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(page.contains("<td>1002</td><td>1003</td><td>1002</td>"));
    assert!(page.contains("first in frame 1002, last in frame 1003. The worst is frame 1002 "));
}

#[test]
fn a_run_that_ends_early_names_the_last_frame_by_its_number() {
    let folder = Folder::new();
    shot(&folder);
    let ended = |format| folder.crumple(&["check", "still.ply", "body.ply@body.pc2", "--output-format", format]);
    let said = "incomplete: stopped by an error after frame 1004: 2 frames were not checked\n";
    assert!(ended("json").stderr.contains(said), "{}", ended("json").stderr);
    assert!(ended("csv").stdout.ends_with("\nincomplete,,,,,1004,4,,,,,,,,,,,,,,,,,,,,,\n"), "{}", ended("csv").stdout);
}

#[test]
fn merge_joins_numbers_and_names_what_is_missing_by_its_neighbours() {
    let folder = Folder::new();
    let part = |frames: &str, file: &str| {
        let ended = check(&folder, &["--json", "--frames", frames]);
        std::fs::write(folder.path().join(file), ended.stdout).unwrap();
    };
    part("0..3", "a.json");
    part("3..6", "b.json");
    part("4..6", "c.json");
    part("0..1", "d.json");
    let whole = check(&folder, &["--json"]).summary();
    assert_eq!(folder.crumple(&["merge", "a.json", "b.json"]).summary().findings, whole.findings);
    let missing = |files: &[&str]| folder.crumple(&[&["merge"], files].concat()).stderr;
    let one = "1 frame between frame 0 of animation wave and frame 2 of animation wave is missing\n";
    assert_eq!(missing(&["a.json", "c.json"]), one);
    let two = "3 frames between frame 0 of animation idle and frame 2 of animation wave are missing\n";
    assert_eq!(missing(&["d.json", "c.json"]), two);
    assert_eq!(missing(&["a.json"]), "3 frames after frame 0 of animation wave are missing\n");
    assert_eq!(missing(&["b.json"]), "3 frames before frame 1 of animation wave are missing\n");
}

#[test]
fn diff_names_the_animation() {
    let folder = Folder::new();
    for (file, more) in [("old.json", &["--ignore", "arm,head"][..]), ("new.json", &[])] {
        std::fs::write(folder.path().join(file), check(&folder, &[&["--json"], more].concat()).stdout).unwrap();
    }
    let text = folder.crumple(&["diff", "old.json", "new.json"]).stdout;
    assert!(text.contains("arm × head, wave"), "{text}");
}

#[test]
fn other_commands_name_frames_the_same_way() {
    let folder = Folder::new();
    folder.character();
    let run = |words: &[&str]| {
        let named = ["character.gltf", "--bodies", "arm", "head", "--animation", "all"];
        folder.crumple(&[words, &named].concat()).stdout
    };
    for words in [&["volume"][..], &["volume", "--exact"]] {
        let text = run(words);
        assert!(text.contains("0–1 of animation idle") && text.contains("0–1 of animation wave"), "{text}");
        assert!(text.contains("2 of animation wave") && text.contains("most in frame 2 of animation wave: "), "{text}");
    }
    let distance = run(&["distance"]);
    assert!(distance.contains("first in frame 2 of animation wave"), "{distance}");
    let regions = run(&["volume", "--exact", "--csv", "-"]);
    assert!(regions.starts_with("frame,region,") && regions.lines().next().unwrap().ends_with(",animation"));
    assert!(
        regions
            .lines()
            .skip(1)
            .all(|line| line.ends_with(",wave") && ['2', '3'].contains(&line.chars().next().unwrap()))
    );
    let json = run(&["distance", "--json"]);
    assert!(json.contains("{\"frame\":5,\"number\":3,\"animation\":\"wave\","), "{json}");
}
