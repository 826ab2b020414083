//! `distance` and `check --clearance`: how far apart bodies are.

use crumple_io::report::{NearRecord, Record};

use crate::run::{Folder, redacted};

/// A wall, and a tetrahedron that comes down on it, tip first, and stands with its tip in it in the last frame.
fn falling() -> Folder {
    Folder::wall_and_tip("tip", [2.0, 0.5, 0.25, -0.5])
}

const FALLING: [&str; 2] = ["wall.obj", "tip.obj@tip.pc2"];

#[test]
fn one_frame_is_reported_in_two_lines_and_many_in_a_table() {
    let folder = falling();
    let one = folder.crumple(&["distance", "wall.obj", "tip.obj"]);
    assert_eq!((one.code, &*one.stderr), (Some(0), ""));
    assert_eq!(
        redacted(&one.stdout),
        "wall and tip: 2.00000 apart in frame 0 (#)\nfrom (1.00000, 0.500000, 0) on triangle 0 to (1.00000, 0.500000, \
         2.00000) on triangle 0"
    );
    let many = folder.crumple(&["distance", FALLING[0], FALLING[1], "--quiet"]);
    assert_eq!((many.code, &*many.stderr), (Some(0), ""));
    let lines: Vec<&str> = many.stdout.lines().collect();
    assert_eq!(lines[1], "    0   2.00000  (1.00000, 0.500000, 0) on 0   (1.00000, 0.500000, 2.00000) on 0");
    assert_eq!(lines[3], "    2  0.250000  (1.00000, 0.500000, 0) on 0   (1.00000, 0.500000, 0.250000) on 0");
    assert_eq!(lines.last(), Some(&"wall and tip touch in 1 of 4 frames, first in frame 3"));
    let apart = folder.crumple(&["distance", FALLING[0], FALLING[1], "--frames", "0..3", "--quiet"]);
    let last = "wall and tip: at least 0.250000 apart in 3 frames, nearest in frame 2\n";
    assert!(apart.stdout.ends_with(last), "{}", apart.stdout);
}

#[test]
fn records_hold_bounds_points_and_triangles() {
    let ended = falling().crumple(&["distance", FALLING[0], FALLING[1], "--json"]);
    assert_eq!((ended.code, &*ended.stderr), (Some(0), ""));
    let records = ended.records();
    assert_eq!(records.len(), 6);
    for (record, expected) in records[1..5].iter().zip([2.0, 0.5, 0.25, 0.0]) {
        let Record::DistanceFrame(frame) = record else { panic!("{record:?}") };
        let [lo, hi] = frame.distance;
        assert!(lo <= expected && expected <= hi && hi - lo < 1e-9, "{frame:?}");
        assert_eq!(frame.distance == [0.0; 2], expected == 0.0);
        let away: f64 = (0..3).map(|axis| (frame.points[0][axis] - frame.points[1][axis]).powi(2)).sum();
        assert!((away.sqrt() - expected).abs() < 1e-9);
    }
    let Record::DistanceSummary(last) = &records[5] else { panic!("{records:?}") };
    let summary = &last.summary;
    assert_eq!((summary.frames, summary.frames_touching, summary.nearest.unwrap().frame), (4, 1, 3));
}

#[test]
fn the_page_has_a_bar_between_the_nearest_points() {
    let folder = falling();
    let ended = folder.crumple(&["distance", FALLING[0], FALLING[1], "--html", "page.html"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stderr.contains("page.html: a page to open in a browser"), "{}", ended.stderr);
    let page = std::fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(page.contains("\"name\":\"shortest distance\""));
    assert!(page.contains("wall and tip touch in 1 of 4 frames."));
}

#[test]
fn what_cannot_be_measured_is_refused() {
    let folder = falling();
    folder.crumple(&["distance", "wall.obj"]).refused("there is only one body, wall", Some("name another file"));
    folder.crumple(&["distance", "wall.obj", "tip.obj", "--bodies", "tip", "tip"]).refused(
        "tip is at no distance from itself",
        Some("`crumple check --self --clearance D` finds where it comes close to itself"),
    );
    std::fs::write(folder.path().join("dust.obj"), "v 0 0 0\nv 1 0 0\n").unwrap();
    let ended = folder.crumple(&["distance", "wall.obj", "dust.obj"]);
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("dust has no triangles") || ended.stderr.contains("no"), "{}", ended.stderr);
    for bad in ["0", "-1", "nan", "inf", "near"] {
        let ended = folder.crumple(&["check", "wall.obj", "--clearance", bad]);
        assert_eq!(ended.code, Some(2));
        assert!(ended.stderr.contains("write a finite number greater than 0"), "{}", ended.stderr);
    }
}

#[test]
fn bodies_closer_than_the_clearance_are_findings() {
    let folder = falling();
    let check = |more: &[&str]| folder.crumple(&[&["check", FALLING[0], FALLING[1], "--quiet"], more].concat());
    let before_contact = ["--frames", "0..3"];
    let clear = check(&[&before_contact[..], &["--clearance", "0.2"]].concat());
    assert_eq!(
        (clear.code, &*clear.stdout),
        (Some(0), "nothing collides in 3 frames\nnothing is closer than 0.2 in 3 frames\n")
    );
    let close = check(&[&before_contact[..], &["--clearance", "0.75"]].concat());
    assert_eq!(close.code, Some(1));
    assert_eq!(
        close.stdout,
        "\
nothing collides in 3 frames
bodies      frames too close  nearest frame  distance
wall × tip  1–2 (2 of 3)                  2  0.250000
"
    );
    let records = check(&["--clearance", "0.75", "--json"]).records();
    let near: Vec<Option<Vec<NearRecord>>> = records
        .iter()
        .filter_map(|record| if let Record::Frame(frame) = record { Some(frame.near.clone()) } else { None })
        .collect();
    let distances: Vec<Vec<f64>> =
        near.into_iter().map(|near| near.unwrap().iter().map(|near| near.distance).collect()).collect();
    assert_eq!(distances.iter().map(Vec::len).collect::<Vec<_>>(), [0, 1, 1, 1]);
    assert!((distances[1][0] - 0.5).abs() < 1e-9 && distances[3] == [0.0]);
    folder.cuboid("other.ply", [50.0; 3], 1.0);
    assert_eq!(check(&["--frames", "0..3", "--clearance", "0.75", "other.ply", "--ignore", "wall,tip"]).code, Some(0));
    assert_eq!(check(&["--clearance", "0.75", "--html", "near.html"]).code, Some(1));
    let page = std::fs::read_to_string(folder.path().join("near.html")).unwrap();
    assert!(page.contains("wall × tip: closer than 0.75 in frames 1–3 (3 of 4), nearest 0 in frame 3"));
    assert!(page.contains("\"clearance\":0.75"));
    assert_eq!(check(&["--frames", "0..3", "--clearance", "0.75", "--csv", "near.csv"]).code, Some(1));
    let table = std::fs::read_to_string(folder.path().join("near.csv")).unwrap();
    // The same numbers as in the records.
    let row = |frame: usize| format!("{frame},0,1,,,near,{},wall,tip\n", distances[frame][0]);
    assert_eq!(table, format!("frame,a,b,i,j,kind,distance,name_a,name_b\n{}{}", row(1), row(2)));
}

#[test]
fn with_self_parts_of_one_body_are_findings_too() {
    let folder = Folder::new();
    // Two sheets of one body, a tenth apart.
    let sheets = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 0.1\nv 1 0 0.1\nv 0 1 0.1\nf 1 2 3\nf 4 5 6\n";
    std::fs::write(folder.path().join("sheets.obj"), sheets).unwrap();
    let check =
        |clearance: &str| folder.crumple(&["check", "sheets.obj", "--self", "--clearance", clearance, "--quiet"]);
    assert_eq!(check("0.05").code, Some(0));
    let close = check("0.2");
    assert_eq!(close.code, Some(1));
    assert!(close.stdout.contains("sheets × itself  0 (1 of 1)                    0  0.100000"), "{}", close.stdout);
}
