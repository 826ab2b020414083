//! `check --continuous`: what meets between two frames.

use crumple_io::report::{FeaturesRecord, Record};

use crate::run::{Ended, Folder, redacted, redacted_records};

/// A small tetrahedron, tip first, that is above a wall without thickness in the first two frames and below it from the
/// third on.
fn shot() -> Folder {
    Folder::wall_and_tip("bullet", [2.0, 1.0, -3.0, -4.0])
}

const FILES: [&str; 3] = ["check", "wall.obj", "bullet.obj@bullet.pc2"];

fn check(folder: &Folder, more: &[&str]) -> Ended {
    folder.crumple(&[&FILES[..], more].concat())
}

#[test]
fn a_bullet_through_a_wall_is_found_between_frames_only() {
    let folder = shot();
    let at_frames = check(&folder, &[]);
    assert_eq!((at_frames.code, &*at_frames.stdout), (Some(0), "nothing collides in 4 frames\n"));
    let between = check(&folder, &["--continuous"]);
    assert_eq!(between.code, Some(1));
    assert_eq!(
        redacted(&between.stdout),
        "\
frames 1 to 2: 7 impacts, the first at 0.25 of the step, where vertex 0 of bullet meets triangle 0 of wall
bodies frames in contact worst frame its pairs all pairs impacts
wall × bullet none (0 of 4) - - 0 7"
    );
    let first = check(&folder, &["--continuous", "--first", "--quiet"]);
    assert_eq!((first.code, &*first.stderr), (Some(1), ""));
    let printed =
        "frames 1 to 2: first impact at 0.25 of the step, where vertex 0 of bullet meets triangle 0 of wall\n";
    assert!(first.stdout.starts_with(printed), "{}", first.stdout);
}

#[test]
fn the_example_of_the_guide_does_what_it_says() {
    let fixture = |name: &str| format!("{}/../../fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
    let (wall, bullet) = (fixture("wall.obj"), fixture("bullet_#.obj"));
    let folder = Folder::new();
    assert_eq!(folder.crumple(&["check", &wall, &bullet]).code, Some(0));
    let ended = folder.crumple(&["check", &wall, &bullet, "--continuous", "--quiet"]);
    assert_eq!(ended.code, Some(1));
    let guide = include_str!("../../../../docs/guide/check-in-ci.md");
    assert!(guide.contains(&ended.stdout), "{}", ended.stdout);
}

#[test]
fn steps_are_those_within_the_range_of_frames() {
    let folder = shot();
    for (range, code, printed) in [
        ("0..2", 0, "nothing collides in 2 frames, nor between them\n"),
        // The step that passes through leads to frame 2, which is the first one here.
        ("2..", 0, "nothing collides in 2 frames, nor between them\n"),
        ("2", 0, "nothing collides in 1 frame\n"),
    ] {
        for weld in [&[][..], &["--no-weld"]] {
            let ended = check(&folder, &[&["--continuous", "--frames", range][..], weld].concat());
            assert_eq!((ended.code, &*ended.stdout), (Some(code), printed), "{range}");
        }
    }
    let one = check(&folder, &["--continuous", "--frames", "2"]);
    assert!(one.stderr.ends_with("there is only one frame; --continuous looks between frames\n"), "{}", one.stderr);
    assert_eq!(check(&folder, &["--continuous", "--frames", "1..3"]).code, Some(1));
}

#[test]
fn bodies_that_may_touch_may_pass_through() {
    let folder = shot();
    folder.cuboid("other.ply", [50.0; 3], 1.0);
    assert_eq!(check(&folder, &["other.ply", "--continuous", "--ignore", "wall,bullet"]).code, Some(0));
}

#[test]
fn records_carry_impacts_with_the_body_of_the_vertex_first() {
    let ended = check(&shot(), &["--continuous", "--json"]);
    assert_eq!((ended.code, &*ended.stderr), (Some(1), ""));
    let text = redacted_records(&ended.stdout);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[1], r##"{"frame":0,"contacts":[],"update_us":#,"query_us":#}"##);
    assert_eq!(lines[2], r##"{"frame":1,"contacts":[],"impacts":[],"update_us":#,"query_us":#,"impacts_us":#}"##);
    let first = r##"{"frame":2,"contacts":[],"impacts":[{"t":[0.25,0.25],"a":1,"b":0,"kind":"vertex-face","vertex":0,"triangle":0},"##;
    assert!(lines[3].starts_with(first), "{}", lines[3]);
    let summary = r#"{"summary":{"frames":4,"frames_in_contact":0,"pairs":0,"impacts":7,"tested":{"body_pairs":1,"self":0},"findings":[{"kind":"impact","a":0,"b":1,"first":2,"last":2,"#;
    assert!(lines[5].starts_with(summary), "{}", lines[5]);

    let records = ended.records();
    let Record::Frame(frame) = &records[3] else { panic!("{records:?}") };
    let impacts = frame.impacts.as_deref().unwrap();
    assert!(impacts.is_sorted_by(|one, next| one.t[0] <= next.t[0]));
    let of_edges = impacts.iter().filter(|impact| matches!(impact.features, FeaturesRecord::EdgeEdge { .. }));
    for impact in of_edges.clone() {
        assert_eq!((impact.a, impact.b), (0, 1));
    }
    // One vertex of the bullet is on the other side of the wall's diagonal, and three edges lead to it.
    assert_eq!(of_edges.count(), 3, "{impacts:?}");
}

#[test]
fn surfaces_that_meet_when_a_step_starts_are_said_to_meet_already() {
    let folder = Folder::new();
    folder.cuboid("still.ply", [0.0; 3], 1.0);
    folder.cuboid("moving.ply", [3.0, 0.1, 0.2], 1.0);
    folder.moving_cuboid("moving.pc2", 1.0, &[[3.0, 0.1, 0.2], [1.7, 0.1, 0.2], [3.0, 0.1, 0.2]]);
    let files = ["check", "still.ply", "moving.ply@moving.pc2", "--continuous"];
    let records = folder.crumple(&[&files[..], &["--json"]].concat()).records();
    let first = |frame: usize| {
        let Record::Frame(found) = &records[1 + frame] else { panic!("{records:?}") };
        found.impacts.as_deref().unwrap()[0]
    };
    assert!(first(1).t[0] > 0.0 && first(1).features.kind() != "already", "{:?}", first(1));
    assert_eq!((first(2).t, first(2).features.kind()), ([0.0, 0.0], "already"));
    let printed = folder.crumple(&files).stdout;
    assert!(printed.contains(" impacts, the first at the start, where triangle "), "{printed}");
}

#[test]
fn a_body_passes_through_itself_only_when_asked() {
    let folder = Folder::new();
    let mesh = crumple_io::MeshFile {
        positions: vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.], [0.25, 0.5, 1.], [0.25, 1.5, 1.5], [1.25, 0.5, 1.5]],
        triangles: vec![[0, 1, 2], [3, 4, 5]],
        ..Default::default()
    };
    crumple_io::write::write_ply(folder.path().join("two.ply"), &mesh, crumple_io::Encoding::LittleEndian).unwrap();
    let mut cache = crumple_io::PointCacheWriter::create(folder.path().join("two.pc2"), 6, 2).unwrap();
    for z in [0.0, 3.0] {
        let moved = mesh.positions.iter().enumerate();
        let moved: Vec<_> =
            moved.map(|(at, &[x, y, height])| [x, y, if at < 3 { height } else { height - z }]).collect();
        cache.write_frame(&moved).unwrap();
    }
    cache.finish().unwrap();
    let files = ["check", "two.ply@two.pc2", "--continuous"];
    // Beside another body it is tested against that one only.
    folder.cuboid("other.ply", [50.0; 3], 1.0);
    assert_eq!(folder.crumple(&[&files[..], &["other.ply"]].concat()).code, Some(0));
    let asked = folder.crumple(&[&files[..], &["--self"]].concat());
    assert_eq!(asked.code, Some(1));
    assert!(asked.stdout.contains("vertex 3 of two meets triangle 0 of two\n"), "{}", asked.stdout);
    assert!(asked.stdout.contains("\ntwo × itself  none (0 of 2)"), "{}", asked.stdout);
}

#[test]
fn the_table_has_columns_for_impacts_only_when_they_are_asked_for() {
    let folder = shot();
    let table = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    check(&folder, &["--csv", "pairs.csv"]);
    assert_eq!(table("pairs.csv"), "frame,a,b,i,j,name_a,name_b\n");
    let ended = check(&folder, &["--continuous", "--csv", "both.csv"]);
    assert!(ended.stderr.ends_with("both.csv: 0 pairs, 7 impacts\n"), "{}", ended.stderr);
    let both = table("both.csv");
    let lines: Vec<&str> = both.lines().collect();
    let head = "frame,a,b,i,j,kind,t_lo,t_hi,vertex,triangle,edge_a0,edge_a1,edge_b0,edge_b1,name_a,name_b";
    assert_eq!(lines[..2], [head, "2,1,0,,,vertex-face,0.25,0.25,0,0,,,,,bullet,wall"]);
    assert!(lines.iter().all(|line| line.split(',').count() == head.split(',').count()), "{both}");
    assert!(lines[2..].iter().any(|line| line.starts_with("2,0,1,,,edge-edge,0.")), "{both}");

    folder.cuboid("one.ply", [0.0; 3], 1.0);
    folder.cuboid("two.ply", [0.5; 3], 1.0);
    folder.moving_cuboid("two.pc2", 1.0, &[[0.5; 3], [0.25; 3]]);
    folder.crumple(&["check", "one.ply", "two.ply@two.pc2", "--continuous", "--csv", "pairs.csv"]);
    let pairs = table("pairs.csv");
    assert!(pairs.lines().all(|line| line.split(',').count() == head.split(',').count()), "{pairs}");
    assert!(pairs.lines().nth(1).unwrap().ends_with(",pair,,,,,,,,,one,two"), "{pairs}");
    assert!(pairs.lines().any(|line| line.ends_with(",already,0,0,,,,,,,one,two")), "{pairs}");
}

#[test]
fn the_page_tells_of_impacts() {
    let folder = shot();
    let ended = check(&folder, &["--continuous", "--html", "out.html"]);
    assert_eq!(ended.code, Some(1));
    let page = std::fs::read_to_string(folder.path().join("out.html")).unwrap();
    assert!(
        page.contains("<p class=\"answer\">No triangles meet in 4 frames. Between frames there are 7 impacts.</p>")
    );
}

#[test]
fn a_thickness_is_a_finite_number_that_is_not_negative() {
    let folder = shot();
    for bad in ["-1", "nan", "inf", "thin", "1e999"] {
        let ended = check(&folder, &["--continuous", "--thickness", bad]);
        let expected = format!("error: invalid value '{bad}' for '--thickness <D>': write a finite number, 0 or more");
        assert_eq!((ended.code, &*ended.stdout), (Some(2), ""));
        assert!(ended.stderr.starts_with(&expected), "{}", ended.stderr);
    }
    let alone = check(&folder, &["--thickness", "0.1"]);
    assert_eq!(alone.code, Some(2));
    assert!(alone.stderr.contains("--continuous"), "{}", alone.stderr);
    assert_eq!(check(&folder, &["--continuous", "--thickness", "0"]).code, Some(1));
    check(&folder, &["--continuous", "--thickness", "5"]).refused(
        "the thickness is 5, but the longest side of bullet is 1",
        Some("--thickness is in the unit of the file and at most the size of the smallest body"),
    );
}

#[test]
fn with_a_thickness_the_bullet_meets_the_wall_earlier() {
    let folder = shot();
    let ended = check(&folder, &["--continuous", "--first", "--thickness", "0.5"]);
    assert_eq!(ended.code, Some(1));
    // It must keep 0.5 and comes from 1 to -3: after an eighth of the step.
    let time = ended.stdout.split("first impact at ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
    let time: f64 = time.parse().unwrap();
    assert!(time <= 0.125 && time > 0.124, "{}", ended.stdout);
}
