//! What `check` tests, what it accepts, and how it exits.

use crumple_io::report::{CheckSummary, FindingKind, Frame, Header, Record, Status};

use crate::character::{IDLE, WAVE};
use crate::run::{Ended, Folder, STILL_AND_MOVING, redacted};

/// Two cubes, of which one moves into the other in frames 2 and 3 of 5: by 0.1 and by 0.3.
fn passing() -> Folder {
    Folder::still_and_moving(0.5, &[9.0, 5.0, 1.4, 1.2, 7.0], [0.1, 0.1])
}

fn check(folder: &Folder, more: &[&str]) -> Ended {
    folder.crumple(&[&STILL_AND_MOVING[..], more].concat())
}

fn parts(ended: &Ended) -> (Header, Vec<Frame<'static>>, CheckSummary) {
    let mut records = ended.records();
    let Some(Record::Summary(summary)) = records.pop() else { panic!("{}", ended.stdout) };
    let mut records = records.into_iter();
    let Some(Record::Header(header)) = records.next() else { panic!("{}", ended.stdout) };
    let frames = records.map(|record| if let Record::Frame(frame) = record { frame } else { panic!("{record:?}") });
    (header, frames.collect(), summary.summary)
}

/// Kinds, names and frames of the findings.
fn findings(ended: &Ended) -> Vec<(FindingKind, String, String, u64, u64)> {
    let (header, _, summary) = parts(ended);
    let name = |id: u32| header.bodies[id as usize].name.clone();
    let found = summary.findings.unwrap();
    found.iter().map(|f| (f.kind, name(f.a), name(f.b), f.first, f.last)).collect()
}

fn contact(a: &str, b: &str, first: u64, last: u64) -> (FindingKind, String, String, u64, u64) {
    (FindingKind::Contact, a.to_owned(), b.to_owned(), first, last)
}

#[test]
fn the_summary_says_what_was_tested() {
    let folder = passing();
    folder.cuboid("other.ply", [50.0; 3], 1.0);
    let tested = |more: &[&str]| {
        let (_, _, summary) = parts(&check(&folder, &[more, &["--json"]].concat()));
        summary.tested.map(|tested| (tested.body_pairs, tested.own)).unwrap()
    };
    assert_eq!(tested(&[]), (1, 0));
    assert_eq!(tested(&["--self"]), (1, 2));
    assert_eq!(tested(&["other.ply", "--self", "--ignore", "moving,moving", "--ignore", "still,other"]), (2, 2));
    assert_eq!(tested(&["other.ply", "--only", "o*"]), (2, 0));
    let alone = folder.crumple(&["check", "still.ply", "--json"]);
    assert_eq!(alone.code, Some(0));
    assert!(alone.stdout.contains(r#""tested":{"body_pairs":0,"self":1}"#), "{}", alone.stdout);
}

#[test]
fn a_run_that_would_test_nothing_is_refused() {
    let folder = passing();
    let nothing = "there is nothing to check: --ignore and --only leave out every pair of bodies";
    check(&folder, &["--ignore", "still,moving"])
        .refused(nothing, Some("leave some pair of bodies to check, or add --self"));
    check(&folder, &["--ignore", "*", "--self", "--json"]).refused(nothing, Some("leave some pair of bodies to check"));
    assert_eq!(check(&folder, &["--only", "still,still"]).code, Some(2));
    std::fs::write(folder.path().join("points.obj"), "v 0 0 0\nv 1 0 0\n").unwrap();
    let empty = folder.crumple(&["check", "points.obj"]);
    assert_eq!((empty.code, &*empty.stdout), (Some(2), ""));
    assert!(!folder.path().join("page.html").exists());
    check(&folder, &["--ignore", "*,*", "--html", "page.html"]);
    assert!(!folder.path().join("page.html").exists());
}

#[test]
fn patterns_choose_bodies() {
    let folder = Folder::new();
    for (name, x) in [("arm.L.ply", 0.0), ("arm.R.ply", 0.25), ("leg.ply", 0.5)] {
        folder.tetrahedron(name, x);
    }
    let found = |more: &[&str]| {
        let files = ["check", "arm.L.ply", "arm.R.ply", "leg.ply", "--json"];
        let mut found = findings(&folder.crumple(&[&files[..], more].concat()));
        found.sort_by(|one, other| (&one.1, &one.2).cmp(&(&other.1, &other.2)));
        found.into_iter().map(|(_, a, b, ..)| format!("{a} {b}")).collect::<Vec<_>>()
    };
    assert_eq!(found(&[]), ["arm.L arm.R", "arm.L leg", "arm.R leg"]);
    assert_eq!(found(&["--ignore", "arm.?,leg"]), ["arm.L arm.R"]);
    assert_eq!(found(&["--only", "arm*,leg"]), ["arm.L leg", "arm.R leg"]);
    assert_eq!(found(&["--only", "*.L"]), ["arm.L arm.R", "arm.L leg"]);
    assert_eq!(found(&["--only", "*.L", "--ignore", "leg"]), ["arm.L arm.R"]);
    let unknown = folder.crumple(&["check", "arm.L.ply", "leg.ply", "--only", "hand*"]);
    unknown.refused("--only hand*: there is no body hand*", Some("there are arm.L, leg"));
}

#[test]
fn a_pipe_that_closes_early_does_not_hide_a_collision() {
    let folder = Folder::new();
    let [a, b] = &folder.scene(&["LE2-1280"])[..] else { panic!("a scene of two bodies") };
    for format in
        [&["--pairs"][..], &["--json", "--pairs"], &["--csv", "-"], &["--quiet"], &["--output-format", "junit"]]
    {
        assert_eq!(folder.first_line_of(&[&["check", a, b], format].concat()).code, Some(1), "{format:?}");
    }
}

#[test]
fn of_several_animations_one_is_checked_and_said_so() {
    let folder = Folder::new();
    folder.character();
    let first = folder.crumple(&["check", "character.gltf"]);
    assert_eq!(first.code, Some(1));
    let said = "character.gltf has 2 animations: idle is checked; --animation all checks all of them\n";
    assert!(first.stderr.starts_with(said), "{}", first.stderr);
    let (header, frames, _) = parts(&folder.crumple(&["check", "character.gltf", "--json", "--animation", "wave"]));
    assert_eq!((header.animation.as_deref(), frames.len()), (Some("wave"), 4));
    assert!(folder.crumple(&["check", "character.gltf", "--quiet"]).stderr.is_empty());
}

#[test]
fn all_animations_are_checked_one_after_another() {
    let folder = Folder::new();
    folder.character();
    let ended = folder.crumple(&["check", "character.gltf", "--json", "--animation", "all"]);
    let (header, frames, _) = parts(&ended);
    assert_eq!((ended.code, header.frames), (Some(1), 6));
    let labels: Vec<_> =
        frames.iter().map(|frame| (frame.frame, frame.animation.clone().unwrap(), frame.number)).collect();
    let expected = [("idle", 0), ("idle", 1), ("wave", 0), ("wave", 1), ("wave", 2), ("wave", 3)];
    let expected = (0..).zip(expected).map(|(frame, (name, number))| (frame, name.to_owned(), Some(number)));
    assert_eq!(labels, expected.collect::<Vec<_>>());
    let mut found = findings(&ended);
    found.sort_by_key(|(.., first, _)| *first);
    // The arm meets the torso at the end of one animation and at the start of the next: two episodes.
    assert_eq!(found, [contact("torso", "arm", 0, 1), contact("torso", "arm", 2, 3), contact("arm", "head", 4, 5)]);
    let text = folder.crumple(&["check", "character.gltf", "--animation", "all"]);
    assert!(text.stdout.starts_with("bodies       animation  frames in contact"), "{}", text.stdout);
    assert!(redacted(&text.stdout).contains("\narm × head wave 2–3 (2 of 4) 2 "), "{}", text.stdout);
    // No step leads from one animation to the next.
    let between = folder.crumple(&["check", "character.gltf", "--animation", "all", "--continuous", "--json"]);
    let has_step: Vec<bool> = parts(&between).1.iter().map(|frame| frame.impacts.is_some()).collect();
    assert_eq!(has_step, [false, true, false, true, true, true]);
}

#[test]
fn what_touches_in_the_rest_pose_is_no_finding() {
    let folder = Folder::new();
    folder.character();
    let wave =
        |more: &[&str]| folder.crumple(&[&["check", "character.gltf", "--animation", "wave", "--json"], more].concat());
    let strict = wave(&[]);
    let mut found = findings(&strict);
    found.sort_by_key(|(.., first, _)| *first);
    assert_eq!((strict.code, found), (Some(1), vec![contact("torso", "arm", 0, 1), contact("arm", "head", 2, 3)]));
    for pose in ["0", "idle", "idle:1", "wave:1"] {
        let rested = wave(&["--rest", pose]);
        assert_eq!((rested.code, findings(&rested)), (Some(1), vec![contact("arm", "head", 2, 3)]), "{pose}");
    }
    // In the last pose the arm is at the head, away from the torso.
    assert_eq!(findings(&wave(&["--rest", "wave:3"])), [contact("torso", "arm", 0, 1)]);
    let fine = folder.crumple(&["check", "character.gltf", "--rest", "0"]);
    assert_eq!((fine.code, &*fine.stdout), (Some(0), "nothing collides in 2 frames\n"));
    assert!(fine.stderr.contains("the rest pose leaves out 1 pair of bodies\n"), "{}", fine.stderr);
    wave(&["--rest", "9"]).refused("--rest 9: there is no frame 9", Some("there are 4 frames, 0 to 3"));
    wave(&["--rest", "idle:7"]).refused("--rest idle:7: there is no frame 7", Some("there are 2 frames, 0 to 1"));
    let unknown = wave(&["--rest", "sleep"]);
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.stderr.contains("no animation `sleep`: it has `idle`, `wave`"), "{}", unknown.stderr);
}

#[test]
fn of_one_body_the_pairs_of_triangles_that_meet_at_rest_are_no_findings() {
    let folder = Folder::new();
    // Triangles 0 and 1 cross in both frames; triangle 2 comes down into triangle 0 in the second.
    let mesh = crumple_io::MeshFile {
        positions: vec![
            [0., 0., 0.],
            [2., 0., 0.],
            [0., 2., 0.],
            [0.5, 0.5, -1.],
            [0.5, 0.5, 1.],
            [0.6, 0.7, 1.],
            [0.2, 0.2, 5.],
            [0.3, 0.2, 6.],
            [0.2, 0.3, 6.],
        ],
        triangles: vec![[0, 1, 2], [3, 4, 5], [6, 7, 8]],
        ..Default::default()
    };
    crumple_io::write::write_ply(folder.path().join("cape.ply"), &mesh, crumple_io::Encoding::LittleEndian).unwrap();
    let mut cache = crumple_io::PointCacheWriter::create(folder.path().join("cape.pc2"), 9, 2).unwrap();
    for down in [0.0, 5.5] {
        let moved: Vec<_> = mesh
            .positions
            .iter()
            .enumerate()
            .map(|(at, &[x, y, z])| [x, y, if at < 6 { z } else { z - down }])
            .collect();
        cache.write_frame(&moved).unwrap();
    }
    cache.finish().unwrap();
    let check = |more: &[&str]| folder.crumple(&[&["check", "cape.ply@cape.pc2"], more].concat());
    let counts =
        |ended: &Ended| parts(ended).1.iter().map(|f| f.contacts.iter().map(|c| c.count).sum()).collect::<Vec<u64>>();
    assert_eq!(counts(&check(&["--json"])), [1, 2]);
    let rested = check(&["--json", "--pairs", "--rest", "0"]);
    assert_eq!((rested.code, counts(&rested)), (Some(1), vec![0, 1]));
    assert_eq!(parts(&rested).1[1].contacts[0].listed(), [[0, 2]]);
    assert_eq!(counts(&check(&["--json", "--rest", "0", "--first"])), [0, 1]);
    assert_eq!(check(&["--rest", "0", "--frames", "0"]).code, Some(0));
    assert_eq!(check(&["--rest", "1"]).code, Some(0));
}

#[test]
fn a_baseline_accepts_what_it_knows_and_nothing_worse() {
    let folder = passing();
    let written = check(&folder, &["--write-baseline", "known.json", "--depth"]);
    assert_eq!(written.code, Some(0));
    assert!(written.stderr.ends_with("known.json: a baseline of 1 finding\n"), "{}", written.stderr);
    let text = std::fs::read_to_string(folder.path().join("known.json")).unwrap();
    assert!(text.starts_with("{\"schema\":\"crumple.baseline/1\",\"findings\":[\n  {\"kind\":\"contact\",\"a\":\"moving\",\"b\":\"still\","), "{text}");
    let known = check(&folder, &["--baseline", "known.json"]);
    let expected = "nothing new collides in 5 frames; the baseline knows 1 finding\n";
    assert_eq!((known.code, &*known.stdout), (Some(0), expected));
    // The bodies and the frames in another order.
    let along = [1.2, 9.0, 1.4, 7.0, 5.0].map(|x| [x, 0.1, 0.1]);
    folder.moving_cuboid("moving.pc2", 0.5, &along);
    let reordered = ["check", "moving.ply@moving.pc2", "still.ply", "--baseline", "known.json", "--depth"];
    assert_eq!(folder.crumple(&reordered).code, Some(0));
    // Deeper, longer, and another body.
    for (along, more, status) in [
        ([9.0, 9.0, 0.9, 9.0, 9.0], &[][..], Status::Worse),
        ([1.2, 1.2, 1.2, 9.0, 9.0], &[], Status::Worse),
        ([1.2, 1.4, 9.0, 9.0, 9.0], &["other.ply"], Status::New),
    ] {
        folder.cuboid("other.ply", [9.2, 0.1, 0.1], 0.5);
        folder.moving_cuboid("moving.pc2", 0.5, &along.map(|x| [x, 0.1, 0.1]));
        let ended = check(&folder, &[more, &["--baseline", "known.json", "--depth", "--json"]].concat());
        let (_, _, summary) = parts(&ended);
        let found = summary.findings.unwrap();
        assert_eq!((ended.code, found[0].status), (Some(1), Some(status)), "{along:?}");
        assert_eq!(summary.known, u64::from(status == Status::New));
    }
}

/// The entries of a baseline: kind, bodies and animation.
fn entries(folder: &Folder, file: &str) -> Vec<(String, String, String)> {
    let text = std::fs::read_to_string(folder.path().join(file)).unwrap();
    let baseline: serde_json::Value = serde_json::from_str(&text).unwrap();
    let word = |entry: &serde_json::Value, key: &str| entry[key].as_str().unwrap_or("-").to_owned();
    let entries = baseline["findings"].as_array().unwrap().iter();
    entries.map(|entry| (word(entry, "a"), word(entry, "b"), word(entry, "animation"))).collect()
}

fn entry(a: &str, b: &str, animation: &str) -> (String, String, String) {
    (a.to_owned(), b.to_owned(), animation.to_owned())
}

#[test]
fn one_baseline_serves_all_animations_and_none_excuses_another() {
    let folder = Folder::new();
    folder.character();
    let check = |more: &[&str]| folder.crumple(&[&["check", "character.gltf"], more].concat());
    assert_eq!(check(&["--animation", "all", "--write-baseline", "all.json"]).code, Some(0));
    let all = [entry("arm", "head", "wave"), entry("arm", "torso", "idle"), entry("arm", "torso", "wave")];
    assert_eq!(entries(&folder, "all.json"), all);
    for animation in ["idle", "wave", "all"] {
        let known = check(&["--animation", animation, "--baseline", "all.json"]);
        assert_eq!((known.code, known.stderr.contains("for which nothing")), (Some(0), false), "{animation}");
    }
    // Also if only one is played.
    assert_eq!(check(&["--write-baseline", "idle.json"]).code, Some(0));
    assert_eq!(entries(&folder, "idle.json"), [entry("arm", "torso", "idle")]);
    assert_eq!(check(&["--baseline", "idle.json"]).code, Some(0));
    assert_eq!(check(&["--animation", "wave", "--baseline", "idle.json"]).code, Some(1));
    let (_, _, summary) = parts(&check(&["--animation", "all", "--baseline", "idle.json", "--json"]));
    assert_eq!((summary.known, summary.findings.unwrap().len()), (1, 2));
    // An entry of a time when there was one animation.
    let old = std::fs::read_to_string(folder.path().join("idle.json")).unwrap().replace(",\"animation\":\"idle\"", "");
    std::fs::write(folder.path().join("old.json"), old).unwrap();
    assert_eq!(entries(&folder, "old.json"), [entry("arm", "torso", "-")]);
    let stale = check(&["--baseline", "old.json"]);
    assert_eq!(stale.code, Some(1));
    let said = "the baseline has 1 entry for which nothing was found; --write-baseline writes it anew\n";
    assert!(stale.stderr.contains(said), "{}", stale.stderr);
}

#[test]
fn a_baseline_may_be_written_anew_in_its_place() {
    let folder = Folder::new();
    folder.character();
    let toml = "[check]\nbaseline = \"known.json\"\n";
    let check = |more: &[&str]| folder.crumple(&[&["check", "character.gltf"], more].concat());
    assert_eq!(check(&["--animation", "all", "--write-baseline", "known.json"]).code, Some(0));
    std::fs::write(folder.path().join("crumple.toml"), toml).unwrap();
    // The arm no longer meets the head, and what is known of the animation that was not checked stays.
    folder.character_with("character", &["torso", "arm", "head", "ball"], &[("idle", &IDLE), ("wave", &WAVE[..2])]);
    let stale = check(&["--animation", "all"]);
    assert_eq!(stale.code, Some(0));
    assert!(stale.stderr.contains("has 1 entry for which nothing was found"), "{}", stale.stderr);
    assert!(!check(&["--animation", "wave", "--only", "torso"]).stderr.contains("for which nothing"));
    assert!(!check(&["--animation", "wave", "--frames", "0"]).stderr.contains("for which nothing"));
    let written = check(&["--animation", "wave", "--write-baseline", "known.json"]);
    assert_eq!(written.code, Some(0), "{}", written.stderr);
    assert_eq!(entries(&folder, "known.json"), [entry("arm", "torso", "idle"), entry("arm", "torso", "wave")]);
    assert_eq!(check(&["--animation", "all"]).code, Some(0));
    let over = check(&["--html", "known.json"]);
    assert!(over.stderr.contains("--html known.json would overwrite the input known.json"), "{}", over.stderr);
}

#[test]
fn a_baseline_counts_findings_as_the_check_does() {
    let folder = passing();
    folder.moving_cuboid("moving.pc2", 0.5, &[1.4, 9.0, 1.4, 9.0, 1.4].map(|x| [x, 0.1, 0.1]));
    let written = check(&folder, &["--write-baseline", "known.json"]);
    assert!(written.stderr.ends_with("known.json: a baseline of 3 findings, in 1 entry\n"), "{}", written.stderr);
    let known = check(&folder, &["--baseline", "known.json"]);
    assert_eq!(known.stdout, "nothing new collides in 5 frames; the baseline knows 3 findings\n");
}

#[test]
fn a_file_that_is_no_baseline_is_refused() {
    let folder = passing();
    for (text, error) in [
        ("{", "known.json: it is not a baseline"),
        ("{\"schema\":\"crumple.report/1\"}", "known.json: its schema is crumple.report/1, not crumple.baseline/1"),
    ] {
        std::fs::write(folder.path().join("known.json"), text).unwrap();
        let ended = check(&folder, &["--baseline", "known.json"]);
        assert_eq!(ended.code, Some(2));
        assert!(ended.stderr.starts_with(&format!("error: {error}")), "{}", ended.stderr);
    }
    assert_eq!(check(&folder, &["--baseline", "nowhere.json"]).code, Some(2));
    std::fs::write(folder.path().join("known.json"), "{}").unwrap();
    let over = check(&folder, &["--write-baseline", "still.ply"]);
    assert!(over.stderr.contains("would overwrite the input still.ply"), "{}", over.stderr);
}

#[test]
fn contacts_up_to_a_depth_are_accepted() {
    let folder = passing();
    for (most, code) in [("0.05", 1), ("0.2", 1), ("0.31", 0), ("9", 0)] {
        assert_eq!(check(&folder, &["--max-depth", most]).code, Some(code), "{most}");
    }
    let ended = check(&folder, &["--max-depth", "0.2", "--json"]);
    let (_, frames, summary) = parts(&ended);
    // All contacts are reported with their depth, the deep ones are findings.
    assert_eq!(summary.frames_in_contact, 2);
    let depths: Vec<f64> =
        frames.iter().flat_map(|frame| &frame.contacts).map(|contact| contact.depth.unwrap()).collect();
    assert!((depths[0] - 0.1).abs() < 1e-6 && (depths[1] - 0.3).abs() < 1e-6, "{depths:?}");
    assert_eq!(findings(&ended), [contact("still", "moving", 3, 3)]);
    assert_eq!(check(&folder, &["--max-depth", "-1"]).code, Some(2));
    // Also of an open body that meets itself.
    folder.fold("fold.ply");
    for (most, code) in [("0", 1), ("9", 0)] {
        assert_eq!(folder.crumple(&["check", "fold.ply", "--max-depth", most]).code, Some(code), "{most}");
    }
    // Without a depth nothing is shallow: of two sheets that slit each other nothing is cut off.
    let sheet = "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3\nf 1 3 4\n";
    let across = "v 0 0 -1\nv 2 0 -1\nv 2 0.1 1\nv 0 0.1 1\nf 1 2 3\nf 1 3 4\n";
    std::fs::write(folder.path().join("sheet.obj"), sheet).unwrap();
    std::fs::write(folder.path().join("across.obj"), across).unwrap();
    assert_eq!(folder.crumple(&["check", "sheet.obj", "across.obj", "--max-depth", "9"]).code, Some(1));
}

#[test]
fn an_edge_that_passes_through_without_a_vertex_inside_is_deep_too() {
    let folder = Folder::new();
    folder.cuboid("block.ply", [0.0; 3], 1.0);
    folder.cuboid("rod.ply", [0.0; 3], 0.1);
    // The rod is made ten long.
    let mut rod = crumple_io::read::read_ply(folder.path().join("rod.ply")).unwrap();
    rod.positions.iter_mut().for_each(|position| position[0] *= 50.0);
    crumple_io::write::write_ply(folder.path().join("rod.ply"), &rod, crumple_io::Encoding::Ascii).unwrap();
    for (most, code) in [("0", 1), ("0.5", 1), ("0.89", 1), ("0.91", 0)] {
        let ended = folder.crumple(&["check", "block.ply", "rod.ply", "--max-depth", most, "--max-pairs", "1"]);
        assert_eq!(ended.code, Some(code), "{most}: {}", ended.stdout);
    }
}

#[test]
fn the_table_begins_with_the_most_severe_and_fits_one_screen() {
    let folder = passing();
    folder.cuboid("deep.ply", [1.2, 0.1, 0.1], 0.5);
    let ended = check(&folder, &["deep.ply", "--depth"]);
    let rows: Vec<String> = redacted(&ended.stdout).lines().map(str::to_owned).collect();
    assert!(rows[0].starts_with("bodies frames in contact depth in frame area inside"), "{rows:?}");
    let bodies: Vec<&str> = rows[1..].iter().map(|row| row.split_once(char::is_numeric).unwrap().0.trim()).collect();
    // The first two are as deep as each other, but one lasts longer.
    assert_eq!(bodies, ["still × deep", "still × moving", "moving × deep"]);
    let names: Vec<String> = (0..9).map(|number| format!("b{number}.ply")).collect();
    for (number, name) in names.iter().enumerate() {
        folder.tetrahedron(name, 0.05 * number as f32);
    }
    let words: Vec<&str> = ["check"].into_iter().chain(names.iter().map(String::as_str)).collect();
    let many = folder.crumple(&words);
    assert_eq!(many.stdout.lines().count(), 21, "{}", many.stdout);
    assert!(many.stdout.ends_with("and 16 more; --output-format csv lists all findings\n"));
}

#[test]
fn findings_of_characters_are_known_by_animation() {
    let folder = Folder::new();
    folder.character();
    let words = ["check", "character.gltf", "--animation", "all"];
    assert_eq!(folder.crumple(&[&words[..], &["--write-baseline", "known.json"]].concat()).code, Some(0));
    // Bodies and animations in another order.
    folder.character_with("character", &["ball", "head", "arm", "torso"], &[("wave", &WAVE), ("idle", &IDLE)]);
    assert_eq!(folder.crumple(&[&words[..], &["--baseline", "known.json"]].concat()).code, Some(0));
    let worse: Vec<[f32; 3]> = WAVE.iter().map(|&[x, y, z]| [x, y, if z == 2.0 { 1.9 } else { z }]).collect();
    let longer = [worse, vec![[0.6, 0.0, 2.0]]].concat();
    folder.character_with("character", &["torso", "arm", "head", "ball"], &[("wave", &longer), ("idle", &IDLE)]);
    let ended = folder.crumple(&[&words[..], &["--baseline", "known.json", "--json"]].concat());
    assert_eq!((ended.code, findings(&ended)), (Some(1), vec![contact("arm", "head", 2, 4)]));
}
