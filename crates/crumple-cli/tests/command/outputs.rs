//! The files `check` writes, and what else can be asked of it.

use crumple_io::read::read_ply;
use crumple_io::report::Record;

use crate::run::{Ended, Folder, STILL_AND_MOVING, redacted};

/// A cube that moves through another; they meet in frames 1 to 3 of 5.
fn passing() -> Folder {
    Folder::still_and_moving(1.0, &[3.0, 1.7, 0.6, -1.5, -3.0], [0.1, 0.2])
}

fn check(folder: &Folder, more: &[&str]) -> Ended {
    folder.crumple(&[&STILL_AND_MOVING[..], more].concat())
}

#[test]
fn a_page_is_written_and_named() {
    let folder = passing();
    let ended = check(&folder, &["--html", "out.html"]);
    assert_eq!(ended.code, Some(1));
    let printed = redacted(&ended.stderr);
    assert!(printed.ends_with("\nout.html: a page to open in a browser"), "{printed}");
    let page = std::fs::read_to_string(folder.path().join("out.html")).unwrap();
    assert!(page.contains("<title>still and moving</title>"));
    assert!(page.contains("Triangles meet in 3 of 5 frames: first in frame 1, last in frame 3."));
    assert!(page.trim_end().ends_with("</html>"));
    assert!(!page.contains("class=\"note\""));
    for (more, note) in [
        (&["--max-pairs", "7"][..], "At most 7 pairs per two bodies are listed and drawn."),
        (&["--first"], "At most one pair per two bodies was searched for."),
    ] {
        check(&folder, &[&["--html", "out.html"][..], more].concat());
        let page = std::fs::read_to_string(folder.path().join("out.html")).unwrap();
        assert!(page.contains(&format!("<pre class=\"note\">{note}</pre>")), "{note}");
    }
}

#[test]
fn a_page_shades_depths_only_if_they_are_asked_for() {
    let folder = passing();
    let deepest = |more: &[&str]| {
        check(&folder, &[&["--html", "out.html"][..], more].concat());
        let page = std::fs::read_to_string(folder.path().join("out.html")).unwrap();
        let (_, head) = page.split_once("id=\"head\">").unwrap();
        let (_, depth) = head[..head.find("</script>").unwrap()].split_once("\"deepest\":")?;
        depth.split([',', '}']).next().unwrap().parse::<f64>().ok()
    };
    assert_eq!(deepest(&[]), None);
    assert_eq!(deepest(&["--clearance", "0.5"]), None);
    // The moving cube is off by 0.1 along y, so that its corners are never deeper.
    for asked in [&["--depth"][..], &["--max-depth", "0.01"], &["--depth", "--clearance", "0.5"]] {
        let depth = deepest(asked).expect("a depth");
        assert!((depth - 0.1).abs() < 1e-6, "{depth}");
    }
}

#[test]
fn pairs_are_written_as_a_table_also_where_they_are_not_listed() {
    let folder = passing();
    let ended = check(&folder, &["--csv", "pairs.csv", "--json", "--quiet"]);
    assert_eq!((ended.code, &*ended.stderr), (Some(1), ""));
    assert!(!ended.stdout.contains("\"pairs\":["), "{}", ended.stdout);
    let records = ended.records();
    let Some(Record::Summary(summary)) = records.last() else { panic!("{records:?}") };
    let table = std::fs::read_to_string(folder.path().join("pairs.csv")).unwrap();
    assert!(table.starts_with("frame,a,b,i,j,name_a,name_b\n1,0,1,"), "{table}");
    assert_eq!(table.lines().count() as u64, 1 + summary.summary.pairs);

    let few = check(&folder, &["--csv", "few.csv", "--max-pairs", "2"]);
    assert!(few.stderr.ends_with("few.csv: 6 pairs\n"), "{}", few.stderr);
    assert_eq!(std::fs::read_to_string(folder.path().join("few.csv")).unwrap().lines().count(), 7);
}

#[test]
fn meshes_are_written_for_the_frames_in_contact_and_read_again() {
    let folder = passing();
    // However few pairs are listed, every triangle that collides is marked.
    let ended = check(&folder, &["--export", "marked/here", "--max-pairs", "1"]);
    assert!(ended.stderr.ends_with("marked/here: 6 meshes with what collides marked\n"), "{}", ended.stderr);
    let mut names: Vec<String> = std::fs::read_dir(folder.path().join("marked/here"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let expected = ["moving_0001", "moving_0002", "moving_0003", "still_0001", "still_0002", "still_0003"];
    assert_eq!(names, expected.map(|name| format!("{name}.ply")));
    let original = read_ply(folder.path().join("still.ply")).unwrap();
    let marked = read_ply(folder.path().join("marked/here/still_0002.ply")).unwrap();
    assert_eq!((marked.positions, marked.triangles), (original.positions, original.triangles));
    let info = folder.crumple(&["info", "marked/here/moving_####.ply"]);
    assert!(redacted(&info.stdout).ends_with("\nmoving 12 8 3 1–3 2.000 × 2.000 × 2.000 closed"), "{}", info.stdout);

    let ended = check(&folder, &["--export", "groups", "--export-format", "obj", "--frames", "2"]);
    assert!(ended.stderr.ends_with("groups: 2 meshes with what collides marked\n"), "{}", ended.stderr);
    let text = std::fs::read_to_string(folder.path().join("groups/moving_0002.obj")).unwrap();
    assert!(text.contains("\ng colliding\n") && text.contains("\ng clear\n"), "{text}");
    let quiet = check(&folder, &["--export", "none", "--frames", "0"]);
    assert!(quiet.stderr.ends_with("none: no meshes, since nothing collides\n"), "{}", quiet.stderr);
}

#[test]
fn bodies_that_may_touch_are_left_out() {
    let folder = passing();
    folder.cuboid("other.ply", [50.0; 3], 1.0);
    let apart = check(&folder, &["other.ply", "--ignore", "moving,still"]);
    assert_eq!((apart.code, &*apart.stdout), (Some(0), "nothing collides in 5 frames\n"));
    let others =
        folder.crumple(&["check", "still.ply", "moving.ply@moving.pc2", "still.ply", "--ignore", "still,moving"]);
    let printed = redacted(&others.stdout);
    assert!(!printed.contains("still × moving ") && printed.contains("moving × still#2 1–3 (3 of 5)"), "{printed}");
    check(&folder, &["--ignore", "still,moved"])
        .refused("--ignore still,moved: there is no body moved", Some("there are still, moving"));
    let alone = check(&folder, &["other.ply", "--ignore", "still", "--json"]);
    assert_eq!(alone.code, Some(0));
    assert!(alone.stdout.contains(r#""tested":{"body_pairs":1,"self":0}"#), "{}", alone.stdout);
}

#[test]
fn a_body_may_be_let_touch_itself() {
    let folder = Folder::new();
    folder.fold("fold.ply");
    assert_eq!(folder.crumple(&["check", "fold.ply", "--self"]).code, Some(1));
    folder.cuboid("other.ply", [50.0; 3], 1.0);
    let files = ["check", "fold.ply", "other.ply", "--self", "--ignore", "fold,fold"];
    assert_eq!(folder.crumple(&files).code, Some(0));
}

#[test]
fn a_body_inside_another_collides_only_when_asked() {
    let folder = Folder::new();
    folder.cuboid("shell.ply", [0.0; 3], 2.0);
    folder.cuboid("nut.ply", [0.1; 3], 0.5);
    folder.cuboid("outside.ply", [9.0; 3], 0.5);
    let files = ["check", "nut.ply", "outside.ply", "shell.ply"];
    assert_eq!(folder.crumple(&files).code, Some(0));
    let asked = folder.crumple(&[&files[..], &["--containment"]].concat());
    assert_eq!((asked.code, &*asked.stdout), (Some(1), "nut inside shell in frame 0\n"));
    let ignored = folder.crumple(&[&files[..], &["--containment", "--ignore", "shell,nut"]].concat());
    assert_eq!(ignored.code, Some(0));
}

#[test]
fn groups_and_objects_of_an_obj_file_are_bodies_when_asked() {
    let folder = Folder::new();
    let text = "\
o front
v -1 -1 0
v 1 -1 0
v 0 1 0
g left
f 1 2 3
o back
v 0 0 -1
v 0 0 1
v 0.1 0.5 1
g right
f 4 5 6
";
    std::fs::write(folder.path().join("two.obj"), text).unwrap();
    let whole = folder.crumple(&["check", "two.obj"]);
    assert_eq!(redacted(&whole.stdout), "two × itself: 1 pair in frame 0 (#)");
    for (what, printed) in
        [("objects", "front × back: 1 pair in frame 0 (#)"), ("groups", "left × right: 1 pair in frame 0 (#)")]
    {
        let ended = folder.crumple(&["check", "two.obj", "--obj-bodies", what]);
        assert_eq!((ended.code, &*redacted(&ended.stdout)), (Some(1), printed));
    }
}

#[test]
fn an_animation_is_played_by_name_and_at_a_speed() {
    let folder = Folder::new();
    let fox = concat!(env!("CARGO_MANIFEST_DIR"), "/../crumple-io/tests/assets/fox.glb");
    std::fs::copy(fox, folder.path().join("fox.glb")).unwrap();
    let frames = |more: &[&str]| {
        let ended = folder.crumple(&[&["info", "fox.glb", "--json"], more].concat());
        let records = ended.records();
        let [Record::Info(info)] = &records[..] else { panic!("{records:?}") };
        let names: Vec<&str> = info.animations.iter().map(|animation| animation.name.as_str()).collect();
        assert_eq!(names, ["Survey", "Walk", "Run"]);
        info.bodies[0].frames
    };
    let printed = folder.crumple(&["info", "fox.glb"]).stdout;
    assert!(printed.ends_with("\nfox.glb has the animation Run, 1.16 s\n"), "{printed}");
    let [survey, run] = ["Survey", "Run"].map(|name| frames(&["--animation", name, "--fps", "60"]));
    assert!(run > 1 && survey > run, "{survey} and {run}");
    assert_eq!(frames(&["--animation", "Run"]), run.div_ceil(2));
    let ended = folder.crumple(&["check", "fox.glb", "--animation", "Fly"]);
    assert_eq!((ended.code, ended.stderr.lines().count()), (Some(2), 1), "{}", ended.stderr);
    assert!(ended.stderr.starts_with("error: fox.glb: no animation `Fly`: it has `Survey`"), "{}", ended.stderr);
    let ended = folder.crumple(&["check", "fox.glb", "--fps", "0"]);
    assert!(ended.stderr.starts_with("error: invalid value '0' for '--fps <N>': write a number above 0"));
}

#[test]
fn outputs_that_cannot_be_written_are_refused_before_the_work_starts() {
    let folder = passing();
    let refused = check(&folder, &["--html", "nowhere/out.html"]);
    assert_eq!((refused.code, refused.stderr.lines().count()), (Some(2), 1));
    assert!(refused.stderr.starts_with("error: nowhere/out.html: cannot be written: "), "{}", refused.stderr);
    check(&folder, &["--csv", "nowhere/out.csv"])
        .refused("nowhere/out.csv: cannot be written: no such file or directory", None);
    let refused = check(&folder, &["--export", "still.ply"]);
    assert_eq!((refused.code, refused.stderr.lines().count()), (Some(2), 1));
    assert!(refused.stderr.starts_with("error: still.ply: cannot be made a folder: "), "{}", refused.stderr);
    let refused = check(&folder, &["--export-format", "obj"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("--export <DIR>"), "{}", refused.stderr);
}
