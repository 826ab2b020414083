//! Findings by region: what they are called, which are left out, and what is new about them.

use std::collections::BTreeSet;

use crumple_io::report::{Finding, Status};
use serde_json::Value;

use crate::run::{Ended, Folder};
use crate::skinned::{FRAMES, Moves};

const HAND: Moves = Moves { hand_in_hip: true, ..Moves::CALM };

/// What carries the regions of the findings, each once.
fn names(ended: &Ended) -> BTreeSet<String> {
    findings(ended).iter().map(name).collect()
}

fn name(finding: &Finding) -> String {
    let carriers = finding.region.as_ref().and_then(|region| region.carriers.clone());
    carriers.map_or_else(|| "?".to_owned(), |[a, b]| format!("{a} × {b}"))
}

fn findings(ended: &Ended) -> Vec<Finding> {
    ended.summary().findings.unwrap()
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

const JOINED: [&str; 3] = ["LeftArm × Spine", "RightArm × Spine", "LeftLeg × LeftUpLeg"];

#[test]
fn the_hand_in_the_hip_is_the_first_row_and_has_the_name_of_its_bones() {
    let folder = Folder::new();
    folder.skinned("figure", HAND);
    let ended = folder.crumple(&["check", "figure.gltf"]);
    assert_eq!(ended.code, Some(1));
    let rows: Vec<&str> = ended.stdout.lines().collect();
    assert!(rows[1].starts_with("LeftHand × Hips") && rows[1].contains("10–15 (6 of 30)"), "{}", ended.stdout);
    assert_eq!(rows.len(), 5, "{}", ended.stdout);
    for joined in JOINED {
        assert!(
            rows[2..].iter().any(|row| row.starts_with(joined) && row.contains("0–29 (30 of 30)")),
            "{}",
            ended.stdout
        );
    }
    assert!(rows.iter().all(|row| row.chars().count() <= 80), "{}", ended.stdout);
    let suggestion = "nearly every frame has contact: try --rest 0, --joint-distance 2 or --html FILE\n";
    assert!(ended.stderr.contains(suggestion), "{}", ended.stderr);
    let first = &findings(&folder.crumple(&["check", "figure.gltf", "--json"]))[0];
    let region = first.region.as_ref().unwrap();
    assert_eq!((first.first, first.last, first.frames, region.apart), (10, 15, 6, Some(4)));
    // Between the hand and the hips, in the frame and in the rest pose.
    assert!((region.centroid[0] - 0.2).abs() < 0.05 && (region.centroid[1] - 0.95).abs() < 0.05, "{region:?}");
    let [hand, hips] = region.place.rest;
    assert!((hand[1] - 0.72).abs() < 0.05 && (hips[1] - 0.95).abs() < 0.1, "{region:?}");
}

#[test]
fn joint_distance_leaves_out_what_the_skeleton_joins_and_says_so() {
    let folder = Folder::new();
    folder.skinned("figure", HAND);
    let check = |more: &[&str]| folder.crumple(&[&["check", "figure.gltf"], more].concat());
    assert_eq!(names(&check(&["--json"])).len(), 4);
    let far = check(&["--joint-distance", "2"]);
    assert!(far.stdout.starts_with("bodies"), "{}", far.stdout);
    assert_eq!(far.stdout.lines().count(), 2, "{}", far.stdout);
    assert!(far.stderr.contains("--joint-distance 2 leaves out 90 regions of contacts in 30 frames"), "{}", far.stderr);
    let summary = check(&["--joint-distance", "2", "--json"]).summary();
    assert_eq!((summary.joined_regions, summary.frames_in_contact), (90, 6));
    assert_eq!(names(&check(&["--joint-distance", "0", "--json"])).len(), 4);
    assert_eq!(names(&check(&["--joint-distance", "3", "--json"])), set(&["LeftHand × Hips"]));
    let none = check(&["--joint-distance", "4"]);
    assert_eq!((none.code, none.stdout.as_str()), (Some(0), "nothing collides in 30 frames\n"));
    let first = check(&["--joint-distance", "4", "--first"]);
    assert_eq!(first.code, Some(0), "{}", first.stdout);
}

#[test]
fn rest_excuses_what_slides_where_surfaces_meet_at_rest_and_nothing_else() {
    let folder = Folder::new();
    folder.skinned("figure", HAND);
    let check = |more: &[&str]| folder.crumple(&[&["check", "figure.gltf", "--json"], more].concat());
    // An arm or the knee slides by more than a triangle.
    assert!(names(&check(&["--rest", "0", "--rest-rings", "0"])).len() > 1);
    let rested = check(&["--rest", "0"]);
    assert_eq!((names(&rested), rested.summary().frames_in_contact), (set(&["LeftHand × Hips"]), 6));
    assert_eq!(names(&check(&["--rest", "0", "--joint-distance", "2"])), set(&["LeftHand × Hips"]));
    assert_eq!(check(&["--rest", "12"]).code, Some(0));
}

#[test]
fn two_bodies_that_touch_at_rest_are_still_tested_elsewhere() {
    let folder = Folder::new();
    // A shirt of a long strip over a column: its upper end touches at rest, and in the second frame the lower one does too.
    let strip = |bottom: f32| -> Vec<[f32; 3]> {
        let at = |k: usize| {
            [
                if k == 0 {
                    0.9
                } else if k == 20 {
                    bottom
                } else {
                    1.5
                },
                -0.4 * k as f32,
                0.0,
            ]
        };
        (0..21).flat_map(|k| [at(k), [at(k)[0], at(k)[1] - 0.1, 0.3]]).collect()
    };
    let faces: Vec<[u32; 3]> =
        (0..20).flat_map(|k| [[2 * k, 2 * k + 1, 2 * k + 2], [2 * k + 2, 2 * k + 1, 2 * k + 3]]).collect();
    let column: Vec<[f32; 3]> = (0..41).flat_map(|k| [-1.0, 1.0].map(|z| [1.0, 1.0 - 0.25 * k as f32, z])).collect();
    let sides: Vec<[u32; 3]> =
        (0..40).flat_map(|k| [[2 * k, 2 * k + 1, 2 * k + 2], [2 * k + 2, 2 * k + 1, 2 * k + 3]]).collect();
    for (frame, bottom) in [(0, 1.5), (1, 0.8)] {
        folder.obj(&format!("shirt_{frame}.obj"), &strip(bottom), &faces);
    }
    folder.obj("column.obj", &column, &sides);
    let check = |more: &[&str]| folder.crumple(&[&["check", "shirt_#.obj", "column.obj"], more].concat());
    assert_eq!(check(&["--json"]).summary().frames_in_contact, 2);
    let rested = check(&["--rest", "0", "--json"]);
    let found = findings(&rested);
    assert_eq!(found.iter().map(|of| (of.first, of.last)).collect::<Vec<_>>(), [(1, 1)]);
    assert!(found[0].region.as_ref().unwrap().centroid[1] < -7.0, "{found:?}");
    let said = "the rest pose leaves out 0 pairs of bodies and 1 region in which surfaces meet there";
    assert!(check(&["--rest", "0"]).stderr.contains(said));
}

#[test]
fn regions_are_ignored_and_chosen_by_their_bones() {
    let folder = Folder::new();
    folder.skinned("figure", HAND);
    let check = |more: &[&str]| folder.crumple(&[&["check", "figure.gltf", "--json"], more].concat());
    assert_eq!(names(&check(&["--ignore", "LeftHand,Hips"])), set(&JOINED));
    assert_eq!(names(&check(&["--ignore", "*Arm,Spine"])), set(&["LeftHand × Hips", "LeftLeg × LeftUpLeg"]));
    assert_eq!(names(&check(&["--only", "Hips,LeftHand"])), set(&["LeftHand × Hips"]));
    assert_eq!(
        names(&check(&["--only", "RightArm", "--only", "*Hand"])),
        set(&["LeftHand × Hips", "RightArm × Spine"])
    );
    let wrong = check(&["--ignore", "LeftHand,Hip"]);
    let hint = "bodies: figure; bones and materials: Hips, LeftArm, LeftForeArm, LeftHand, LeftLeg, LeftUpLeg, RightArm, Spine";
    wrong.refused("--ignore LeftHand,Hip: there is no body, bone or material Hip", Some(hint));
}

#[test]
fn a_limb_through_another_part_is_the_only_new_finding_and_a_nudge_is_none() {
    let folder = Folder::new();
    folder.skinned("before", Moves::CALM);
    folder.skinned("after", Moves { arm_through_hips: true, ..Moves::CALM });
    folder.skinned("nudged", Moves { nudge: 0.3, ..Moves::CALM });
    let written = folder.crumple(&["check", "before.gltf", "--write-baseline", "known.json"]);
    assert_eq!(written.code, Some(0), "{}", written.stderr);
    let against = |file: &str| folder.crumple(&["check", file, "--baseline", "known.json", "--json"]);
    assert_eq!(against("before.gltf").code, Some(0));
    let new = against("after.gltf");
    assert_eq!(new.code, Some(1));
    let found = findings(&new);
    let told: Vec<_> = found.iter().map(|of| (name(of), of.first, of.last, of.status)).collect();
    assert_eq!(told, [("LeftForeArm × Hips".to_owned(), 20, 25, Some(Status::New))]);
    let nudged = against("nudged.gltf");
    assert_eq!((nudged.code, findings(&nudged)), (Some(0), Vec::new()));
    for file in ["before", "after", "nudged"] {
        let report = folder.crumple(&["check", &format!("{file}.gltf"), "--json"]);
        std::fs::write(folder.path().join(format!("{file}.jsonl")), report.stdout).unwrap();
    }
    let diff = folder.crumple(&["diff", "before.jsonl", "after.jsonl"]);
    assert_eq!(diff.code, Some(1));
    let rows: Vec<&str> = diff.stdout.lines().collect();
    assert!(rows[1].starts_with("new") && rows[1].contains("LeftForeArm × Hips"), "{}", diff.stdout);
    assert!(rows[2].ends_with("the same in both") && rows.len() == 3, "{}", diff.stdout);
    let diff = folder.crumple(&["diff", "before.jsonl", "nudged.jsonl"]);
    assert_eq!(diff.code, Some(0), "{}", diff.stdout);
}

#[test]
fn episodes_are_the_same_for_any_thread_count_and_from_merged_pieces() {
    let folder = Folder::new();
    folder.skinned("figure", Moves { arm_through_hips: true, ..HAND });
    let check = |more: &[&str]| folder.crumple(&[&["check", "figure.gltf", "--depth", "--json"], more].concat());
    let whole = check(&["--threads", "1"]).summary();
    assert!(whole.findings.as_ref().unwrap().len() >= 5);
    assert_eq!(check(&["--threads", "4"]).summary(), whole);
    for cuts in [vec![0, 12, FRAMES], vec![0, 7, 11, 22, 23, FRAMES]] {
        let mut parts = Vec::new();
        for (number, ends) in cuts.windows(2).enumerate() {
            let frames = format!("{}..{}", ends[0], ends[1]);
            let part = format!("part{number}.jsonl");
            std::fs::write(folder.path().join(&part), check(&["--frames", &frames]).stdout).unwrap();
            parts.push(part);
        }
        let words: Vec<&str> = std::iter::once("merge").chain(parts.iter().map(String::as_str)).collect();
        assert_eq!(folder.crumple(&words).summary(), whole, "{cuts:?}");
    }
}

#[test]
fn every_region_of_a_body_with_itself_has_a_depth_and_max_depth_accepts_the_shallow_ones() {
    let folder = Folder::new();
    folder.skinned("figure", HAND);
    let check = |more: &[&str]| folder.crumple(&[&["check", "figure.gltf"], more].concat());
    let all = findings(&check(&["--depth", "--json"]));
    assert_eq!(all.iter().map(name).collect::<BTreeSet<_>>().len(), 4);
    let depth = |of: &Finding| of.depth.unwrap();
    assert!(all.iter().all(|of| depth(of) > 0.0 && of.area.unwrap() > 0.0), "{all:?}");
    assert!(all.is_sorted_by(|one, other| depth(one) >= depth(other)));
    for most in all.iter().map(depth).chain([0.0]) {
        let deeper: BTreeSet<_> = all.iter().filter(|of| depth(of) > most).map(name).collect();
        let ended = check(&["--max-depth", &most.to_string(), "--json"]);
        assert_eq!((names(&ended), ended.code), (deeper.clone(), Some(i32::from(!deeper.is_empty()))), "{most}");
    }
    // Files in metres: people read millimetres, programs the unit of the file.
    let (deepest, header) = (depth(&all[0]), check(&["--depth", "--json"]).stdout);
    assert!(header.lines().next().unwrap().contains(r#""unit":"m""#), "{header}");
    let sentence = check(&["--depth", "--output-format", "junit"]).stdout;
    let millimetres = crumple_io::words::length(deepest, 6, Some("m"));
    assert!(
        millimetres.ends_with(" mm") && sentence.contains(&format!(", {millimetres} deep, an area of ")),
        "{sentence}"
    );
    assert!(sentence.contains("in the rest pose (") && sentence.contains(" mm²"), "{sentence}");
    let table = check(&["--depth"]).stdout;
    assert!(table.contains(&crumple_io::words::length(deepest, 4, Some("m"))), "{table}");
    assert!(table.lines().all(|row| row.chars().count() <= 80), "{table}");
}

#[test]
fn every_format_names_the_region() {
    let folder = Folder::new();
    folder.skinned("figure", HAND);
    let output = |format: &str| {
        let words = ["check", "figure.gltf", "--joint-distance", "2", "--output-format", format];
        folder.crumple(&words).stdout
    };
    let csv = output("csv");
    let mut lines = csv.lines();
    let head: Vec<&str> = lines.next().unwrap().split(',').collect();
    let row: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!(head.len(), row.len());
    let cell = |name: &str| row[head.iter().position(|column| *column == name).unwrap()];
    assert_eq!([cell("carrier_a"), cell("carrier_b"), cell("bones_apart")], ["LeftHand", "Hips", "4"]);
    let sentence = "LeftHand × Hips collide in frames 10 to 15";
    assert!(output("junit").contains(sentence) && output("github").contains(sentence));
    let sarif: Value = serde_json::from_str(&output("sarif")).unwrap();
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["partialFingerprints"]["crumple/key/v1"], "contact//figure/figure/LeftHand × Hips");
    assert_eq!(result["properties"]["region"]["carriers"], serde_json::json!(["LeftHand", "Hips"]));
}

#[test]
fn long_names_are_shortened_in_rows_of_80_characters_and_whole_in_other_formats() {
    let folder = Folder::new();
    let fox = concat!(env!("CARGO_MANIFEST_DIR"), "/../crumple-io/tests/assets/fox.glb");
    std::fs::copy(fox, folder.path().join("fox.glb")).unwrap();
    let check = |more: &[&str]| {
        folder.crumple(&[&["check", "fox.glb", "--animation", "Run", "--fps", "60", "--quiet"], more].concat())
    };
    let ended = check(&[]);
    let widest = ended.stdout.lines().map(|row| row.chars().count()).max();
    assert!(widest <= Some(80), "{}", ended.stdout);
    assert!(ended.stdout.contains("\nb_LeftHa…011 × b_LeftF…010  0…69 (24 of 70) "), "{}", ended.stdout);
    for format in ["json", "csv", "sarif"] {
        let whole = check(&["--output-format", format]).stdout;
        assert!(whole.contains("b_LeftHand_011") && whole.contains("b_LeftForeArm_010") && !whole.contains('…'));
    }
    let report = |more: &[&str], name: &str| {
        std::fs::write(folder.path().join(name), check(&[more, &["--json"]].concat()).stdout).unwrap();
    };
    report(&["--ignore", "b_LeftHand_011,b_LeftForeArm_010"], "old.jsonl");
    report(&[], "new.jsonl");
    let diff = folder.crumple(&["diff", "old.jsonl", "new.jsonl"]).stdout;
    assert!(diff.contains("  fox × itself: ") && diff.contains('…'), "{diff}");
    assert!(diff.lines().all(|row| row.chars().count() <= 80), "{diff}");
}

#[test]
fn a_region_without_bones_has_the_name_of_its_bodies_and_a_number_that_stays() {
    let folder = Folder::new();
    // Two triangles that share nothing, each with a corner in the block.
    folder.cuboid("block.ply", [0.0; 3], 1.0);
    let legs = ["v -3 0 0", "v -3 1 0", "v -0.9 0.2 0.1", "v 3 0 0", "v 3 1 0", "v 0.9 0.2 0.1", "f 1 2 3", "f 4 5 6"];
    std::fs::write(folder.path().join("legs.obj"), legs.join("\n")).unwrap();
    let ended = folder.crumple(&["check", "legs.obj", "block.ply", "--json"]);
    let found = findings(&ended);
    let told: BTreeSet<_> = found.iter().map(|of| (of.region.as_ref().unwrap().number, of.pairs)).collect();
    assert_eq!(told.len(), 2, "{found:?}");
    let text = folder.crumple(&["check", "legs.obj", "block.ply"]).stdout;
    assert!(text.contains("legs × block (region 1): ") && text.contains("legs × block (region 2): "), "{text}");
}
