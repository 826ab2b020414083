//! `check` and `info` on files.

use crumple_io::report::Record;
use crumple_io::{CacheFormat, PointCacheWriter};
use crumple_methods::Method;

use crate::run::{Folder, cube, redacted};

/// A tetrahedron that stands still, and one that passes through it and touches it last in frame 4 of 6.
fn passing() -> Folder {
    let folder = Folder::new();
    folder.tetrahedron("still.ply", 0.0);
    folder.tetrahedron("moving.ply", 0.0);
    let path = folder.path().join("moving.pc2");
    assert_eq!(CacheFormat::of(&path), Some(CacheFormat::Pc2));
    let mut cache = PointCacheWriter::create(&path, 4, 6).unwrap();
    for frame in 0..6 {
        let x = 2.0 - 0.75 * frame as f32;
        cache.write_frame(&[[x, 0.1, 0.1], [x + 1.0, 0.1, 0.1], [x, 1.1, 0.1], [x, 0.1, 1.1]]).unwrap();
    }
    cache.finish().unwrap();
    folder
}

#[test]
fn bodies_apart_exit_with_0_and_bodies_that_meet_with_1() {
    let folder = Folder::new();
    folder.tetrahedron("a.ply", 0.0);
    folder.tetrahedron("b.ply", 0.5);
    folder.tetrahedron("c.ply", 9.0);
    let apart = folder.crumple(&["check", "a.ply", "c.ply"]);
    assert_eq!((apart.code, &*apart.stdout), (Some(0), "nothing collides in 1 frame\n"));
    let talk = format!(
        "1 frame of 2 bodies by {}, # per frame\n\
         1 pair of bodies checked; bodies were not checked against themselves: --self",
        Method::default()
    );
    assert_eq!(redacted(&apart.stderr), talk);
    let meeting = folder.crumple(&["check", "a.ply", "b.ply", "c.ply", "--quiet"]);
    assert_eq!((meeting.code, &*meeting.stderr), (Some(1), ""));
    assert!(
        meeting.stdout.starts_with("a × b: ") && meeting.stdout.contains(" pairs in frame 0 ("),
        "{}",
        meeting.stdout
    );
}

#[test]
fn frames_in_contact_are_told_as_ranges() {
    let ended = passing().crumple(&["check", "still.ply", "moving.ply@moving.pc2"]);
    assert_eq!(ended.code, Some(1));
    let expected = "\
bodies frames in contact worst frame its pairs all pairs
still × moving 2–4 (3 of 6) 2 3 9";
    assert_eq!(redacted(&ended.stdout), expected);
}

#[test]
fn records_carry_the_pairs_only_when_asked() {
    let folder = passing();
    let words = ["check", "still.ply", "moving.ply@moving.pc2", "--json", "--frames", "1..=3"];
    let plain = folder.crumple(&words);
    assert_eq!((plain.code, &*plain.stderr), (Some(1), ""));
    let records = plain.records();
    let [Record::Header(header), frames @ .., Record::Summary(summary)] = &records[..] else { panic!("{records:?}") };
    assert_eq!(
        (header.schema.as_str(), header.method.as_str(), header.frames),
        ("crumple.report/1", Method::default().name(), 3)
    );
    let body = |id: usize| (header.bodies[id].name.as_str(), header.bodies[id].triangles, header.bodies[id].closed);
    assert_eq!([body(0), body(1)], [("still", 4, true), ("moving", 4, true)]);
    assert_eq!((summary.summary.frames, summary.summary.first, summary.summary.last), (3, Some(2), Some(3)));
    let counts: Vec<(u64, u64)> = frames.iter().map(|record| count(record, false)).collect();

    let with_pairs = folder.crumple(&[&words[..], &["--pairs", "--method", "brute-force", "--threads", "1"]].concat());
    let records = with_pairs.records();
    let listed: Vec<(u64, u64)> = records[1..4].iter().map(|record| count(record, true)).collect();
    assert_eq!(counts, listed);
    assert_eq!(counts.iter().map(|&(frame, _)| frame).collect::<Vec<_>>(), [1, 2, 3]);
}

/// The number of a frame and of its pairs, and whether the pairs are listed.
fn count(record: &Record, listed: bool) -> (u64, u64) {
    let Record::Frame(frame) = record else { panic!("{record:?}") };
    for contact in &frame.contacts {
        assert_eq!((contact.a, contact.b), (0, 1));
        assert_eq!(contact.pairs.as_ref().map(|pairs| pairs.len() as u64), listed.then_some(contact.count));
    }
    (frame.frame, frame.contacts.iter().map(|contact| contact.count).sum())
}

#[test]
fn the_first_pair_is_one_pair_for_each_two_bodies() {
    let folder = Folder::new();
    for (name, x) in [("a.ply", 0.0), ("b.ply", 0.25), ("c.ply", 0.5)] {
        folder.tetrahedron(name, x);
    }
    let ended = folder.crumple(&["check", "a.ply", "b.ply", "c.ply", "--first", "--pairs"]);
    assert_eq!(ended.code, Some(1));
    let pairs: Vec<&str> = ended.stdout.lines().filter(|line| line.starts_with("frame 0: ")).collect();
    assert_eq!(pairs.len(), 3, "{}", ended.stdout);
}

#[test]
fn a_body_meets_itself_only_when_asked_unless_it_is_alone() {
    let folder = Folder::new();
    folder.fold("fold.ply");
    folder.cuboid("other.ply", [50.0; 3], 1.0);
    let beside = folder.crumple(&["check", "fold.ply", "other.ply"]);
    assert_eq!((beside.code, &*beside.stdout), (Some(0), "nothing collides in 1 frame\n"));
    let alone = folder.crumple(&["check", "fold.ply"]);
    assert_eq!((alone.code, &*redacted(&alone.stdout)), (Some(1), "fold × itself: 1 pair in frame 0 (#)"));
    assert!(alone.stderr.ends_with("there is only one body: it was checked against itself\n"), "{}", alone.stderr);
    let ended = folder.crumple(&["check", "fold.ply", "--self", "--pairs"]);
    assert_eq!(ended.code, Some(1));
    assert_eq!(redacted(&ended.stdout), "frame 0: fold 0 × fold 1\nfold × itself: 1 pair in frame 0 (#)");
}

#[test]
fn files_of_different_formats_form_one_scene() {
    let folder = Folder::new();
    folder.tetrahedron("a.ply", 0.0);
    std::fs::write(folder.path().join("quad.obj"), "v -1 -1 0.2\nv 1 -1 0.2\nv 1 1 0.2\nv -1 1 0.2\nf 1 2 3 4\n")
        .unwrap();
    let ended = folder.crumple(&["check", "a.ply", "quad.obj", "--json"]);
    assert_eq!(ended.code, Some(1));
    let Record::Header(header) = &ended.records()[0] else { panic!("{}", ended.stdout) };
    assert_eq!(header.bodies[1].face_of_triangle, Some(vec![0, 0]));
    assert!(!header.bodies[1].closed);
}

#[test]
fn files_of_one_name_are_told_apart() {
    let folder = Folder::new();
    folder.tetrahedron("a.ply", 0.0);
    let ended = folder.crumple(&["check", "a.ply", "a.ply"]);
    assert!(ended.stdout.starts_with("a × a#2: "), "{}", ended.stdout);
}

#[test]
fn bodies_must_have_the_same_number_of_frames_unless_the_shorter_holds() {
    let folder = passing();
    let mut cache = PointCacheWriter::create(folder.path().join("short.pc2"), 4, 2).unwrap();
    for _ in 0..2 {
        cache.write_frame(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]).unwrap();
    }
    cache.finish().unwrap();
    let files = ["check", "moving.ply@moving.pc2", "still.ply@short.pc2"];
    folder
        .crumple(&files)
        .refused("moving has 6 frames, but still has 2", Some("--hold lets the shorter keep its last frame"));
    let held = folder.crumple(&[&files[..], &["--hold"]].concat());
    assert_eq!(held.code, Some(1));
    assert!(redacted(&held.stdout).contains("moving × still 2–4 (3 of 6)"), "{}", held.stdout);
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = passing();
    folder.crumple(&["check", "missing.ply"]).refused("missing.ply: cannot be read: no such file or directory", None);
    folder
        .crumple(&["check", "moving.pc2"])
        .refused("moving.pc2: a point cache has no triangles", Some("give its mesh too, as in `body.ply@motion.pc2`"));
    std::fs::write(folder.path().join("bad.ply"), "ply\nformat ascii 1.0\n").unwrap();
    let ended = folder.crumple(&["info", "bad.ply"]);
    assert_eq!((ended.code, ended.stderr.lines().count()), (Some(2), 1));
    assert!(ended.stderr.starts_with("error: bad.ply: "), "{}", ended.stderr);
}

#[test]
fn info_tells_what_is_in_a_file_and_where_it_is_open() {
    let folder = passing();
    let open = crumple_io::MeshFile {
        positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        triangles: vec![[0, 1, 3], [1, 2, 3], [2, 0, 3]],
        ..Default::default()
    };
    crumple_io::write::write_ply(folder.path().join("open.ply"), &open, crumple_io::Encoding::Ascii).unwrap();
    let files = ["info", "moving.ply@moving.pc2", "open.ply"];
    let ended = folder.crumple(&files);
    let expected = "\
body    triangles  vertices  frames  size                   surface
moving          4         4       6  1.000 × 1.000 × 1.000  closed
open            3         4       1  1.000 × 1.000 × 1.000  open along 3 edges, first 0-1 of triangle 0
";
    assert_eq!((ended.code, &*ended.stdout, &*ended.stderr), (Some(0), expected, ""));
    let records = folder.crumple(&[&files[..], &["--json"]].concat()).records();
    let [Record::Info(info)] = &records[..] else { panic!("{records:?}") };
    assert_eq!((info.bodies[0].frames, info.bodies[0].open), (6, None));
    assert_eq!(info.bodies[1].open.map(|open| open.count), Some(3));
}

#[test]
fn info_tells_sizes_units_and_the_numbers_of_frames() {
    let folder = Folder::new();
    folder.character();
    folder.cuboid("box.ply", [5.0, 0.0, 0.0], 1.5);
    let mut cache = PointCacheWriter::create_timed(folder.path().join("box.pc2"), 8, 3, 1001.0, 1.0).unwrap();
    for half in [2.0, 1.5, 1.0] {
        cache.write_frame(&cube([0.0; 3], half)).unwrap();
    }
    cache.finish().unwrap();
    for number in [7, 9] {
        folder.tetrahedron(&format!("part_{number}.ply"), 0.0);
    }
    std::fs::write(folder.path().join("far.obj"), "v 100000000 0 0\nv 100000000.5 0 0\nv 100000000 1 0\nf 1 2 3\n")
        .unwrap();
    let files = ["info", "character.gltf", "box.ply@box.pc2", "part_#.ply", "far.obj", "--f64"];
    let printed = folder.crumple(&files).stdout;
    let rows: Vec<Vec<&str>> =
        printed.lines().map(|line| line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect()).collect();
    assert_eq!(rows[0], ["body", "triangles", "vertices", "frames", "numbers", "positions", "size", "surface"]);
    assert_eq!(rows[2][..7], ["arm", "12", "8", "2", "-", "f32", "0.6000 × 0.6000 × 0.6000 m"], "{printed}");
    assert_eq!(rows[5][..7], ["box", "12", "8", "3", "1001–1003", "f32", "4.000 × 4.000 × 4.000"], "{printed}");
    assert_eq!(rows[6][..5], ["part", "4", "4", "2", "7–9"], "{printed}");
    assert_eq!(rows[7][4..7], ["-", "f64", "0.5000 × 1.000 × 0"], "{printed}");
    let records = folder.crumple(&[&files[..], &["--json"]].concat()).records();
    let [Record::Info(info)] = &records[..] else { panic!("{records:?}") };
    let about = |at: usize| (info.bodies[at].numbers, info.bodies[at].size, info.bodies[at].unit.as_deref());
    let arm = f64::from(0.3_f32) * 2.0;
    assert_eq!(about(4), (Some([1001, 1003]), Some([4.0; 3]), None));
    assert_eq!((about(1).0, about(1).2), (None, Some("m")));
    assert!(about(1).1.unwrap().iter().all(|side| (side - arm).abs() < 1e-6));
    assert_eq!(about(5), (Some([7, 9]), Some([1.0; 3]), None));
    assert_eq!(about(6), (None, Some([0.5, 1.0, 0.0]), None));
}

#[cfg(unix)]
#[test]
fn an_interrupted_check_tells_what_it_found_so_far() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    let folder = Folder::new();
    let [a, b] = &folder.scene(&["LE2-5120"])[..] else { panic!("a scene of two bodies") };
    let words = ["check", a, b, "--json", "--pairs", "--html", "out.html", "--csv", "pairs.csv"];
    let mut child = folder.command(&words).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    // Once pairs are found there is more to say than a pipe holds: the command waits for us in the middle.
    while !lines.next().unwrap().contains("\"pairs\":[[") {}
    let interrupt = format!("kill -INT {}", child.id());
    assert!(Command::new("sh").args(["-c", &interrupt]).status().unwrap().success());
    let last = lines.last().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let Ok(Record::Summary(summary)) = serde_json::from_str(&last) else { panic!("{last}") };
    assert!(summary.summary.frames < 200 && summary.summary.frames_in_contact > 0, "{summary:?}");
    assert_eq!((summary.summary.complete, summary.summary.reached), (Some(false), Some(summary.summary.frames - 1)));
    let page = std::fs::read_to_string(folder.path().join("out.html")).unwrap();
    assert!(page.contains(&format!("of {} frames", summary.summary.frames)) && page.trim_end().ends_with("</html>"));
    let pairs = std::fs::read_to_string(folder.path().join("pairs.csv")).unwrap();
    assert_eq!(pairs.lines().count() as u64, 1 + summary.summary.pairs);
}

#[cfg(unix)]
#[test]
fn an_interrupted_check_tells_people_what_it_found_so_far() {
    use std::process::{Command, Stdio};

    let folder = Folder::new();
    let [a, b] = &folder.scene(&["LE2-20480", "--frames", "150.."])[..] else { panic!("a scene of two bodies") };
    let mut command = folder.command(&["check", a, b, "--method", "brute-force", "--export", "marked", "--quiet"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A mesh is there once the first frame is done; brute force has far more than a moment to go then.
    while std::fs::read_dir(folder.path().join("marked")).map_or(0, Iterator::count) == 0 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(
        said.starts_with("incomplete: interrupted: frames ") && said.ends_with(" to 49 were not checked\n"),
        "{said}"
    );
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.contains("sphere-a × sphere-b"), "{printed}");
}

#[test]
fn a_pipe_that_closes_after_the_first_record_ends_the_check_quietly() {
    let folder = Folder::new();
    let [a, b] = &folder.scene(&["LE2-1280"])[..] else { panic!("a scene of two bodies") };
    let ended = folder.first_line_of(&["check", a, b, "--json", "--pairs"]);
    assert!(ended.stdout.contains("crumple.report/1"), "{}", ended.stdout);
    assert_eq!((ended.code, &*ended.stderr), (Some(1), ""));
}

#[test]
fn only_what_passes_through_counts_if_that_is_asked() {
    let folder = Folder::new();
    folder.tetrahedron("a.ply", 0.0);
    folder.tetrahedron("beside.ply", 1.0);
    folder.tetrahedron("through.ply", 0.5);
    let counted =
        |files: [&str; 2], more: &[&str]| folder.crumple(&[&["check", files[0], files[1], "--quiet"], more].concat());
    assert_eq!(counted(["a.ply", "beside.ply"], &[]).code, Some(1));
    assert_eq!(counted(["a.ply", "beside.ply"], &["--proper"]).code, Some(0));
    assert_eq!(counted(["a.ply", "beside.ply"], &["--proper", "--first"]).code, Some(0));
    assert_eq!(counted(["a.ply", "through.ply"], &["--proper"]).code, Some(1));
    let refused = counted(["a.ply", "beside.ply"], &["--proper", "--containment"]);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
}
