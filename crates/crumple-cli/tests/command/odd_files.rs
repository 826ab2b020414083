//! Files that look odd and are checked all the same, and what is said about them.

use crate::run::Folder;

#[test]
fn a_concave_polygon_does_not_collide_and_lines_that_end_in_returns_are_read() {
    let folder = Folder::new();
    let l = "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nf 2 3 4 5 6 1\n";
    std::fs::write(folder.path().join("l.obj"), l).unwrap();
    std::fs::write(folder.path().join("returns.obj"), l.replace('\n', "\r")).unwrap();
    for file in ["l.obj", "returns.obj"] {
        let ended = folder.crumple(&["check", "--self", file]);
        assert_eq!(ended.code, Some(0), "{file}: {}{}", ended.stdout, ended.stderr);
        let info = folder.crumple(&["info", "--json", file]);
        assert!(info.stdout.contains("\"triangles\":4"), "{file}: {}", info.stdout);
    }
}

#[test]
fn notes_are_on_stderr_and_names_stay_unlike_each_other() {
    let folder = Folder::new();
    for number in [1, 2, 5] {
        folder.tetrahedron(&format!("cloth_{number}.ply"), number as f32);
    }
    folder.tetrahedron("cloth.ply", 100.0);
    folder.tetrahedron("cloth#2.ply", 200.0);
    let ended = folder.crumple(&["check", "cloth_#.ply", "cloth.ply", "./cloth#2.ply", "--json"]);
    let said = "note: cloth_1.ply: 2 numbers are missing, first between cloth_2.ply and cloth_5.ply; frames count the files that are there";
    assert!(ended.stderr.contains(said), "{}", ended.stderr);
    for name in ["\"cloth\"", "\"cloth#2\"", "\"cloth#2#2\""] {
        assert_eq!(ended.stdout.matches(&format!("\"name\":{name}")).count(), 1, "{}", ended.stdout);
    }
}

#[test]
fn frames_of_a_sequence_carry_the_numbers_of_their_files() {
    let folder = Folder::new();
    for number in [101, 102, 104] {
        folder.tetrahedron(&format!("a_{number}.ply"), 0.0);
        folder.tetrahedron(&format!("b_{number}.ply"), 0.1);
        folder.tetrahedron(&format!("c_{}.ply", number + 1), 0.1);
    }
    let numbers_of = |words: &[&str]| -> Vec<String> {
        let ended = folder.crumple(words);
        let records = ended.stdout.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        records.filter_map(|record| Some(format!("{} {}", record.get("frame")?, record["number"]))).collect()
    };
    let numbered = ["0 101", "1 102", "2 104"];
    for command in ["check", "volume", "inside"] {
        assert_eq!(numbers_of(&[command, "a_###.ply", "b_###.ply", "--json"]), numbered, "{command}");
        // By position, files that disagree give a frame no number.
        let by_position = numbers_of(&[command, "a_###.ply", "c_###.ply", "--json", "--by-position"]);
        assert_eq!(by_position, ["0 null", "1 null", "2 null"]);
    }
    // A body that stands still has no say.
    std::fs::copy(folder.path().join("b_101.ply"), folder.path().join("still.ply")).unwrap();
    assert_eq!(numbers_of(&["check", "a_###.ply", "still.ply", "--json"]), numbered);
    let text = |words: &[&str]| folder.crumple(words).stdout;
    let check = text(&["check", "a_###.ply", "b_###.ply", "--pairs"]);
    assert!(check.contains("\nframe 104: a "), "{check}");
    let table: Vec<Vec<&str>> = check.lines().rev().take(2).map(|line| line.split("  ").collect()).collect();
    let cells: Vec<Vec<&str>> = table
        .iter()
        .rev()
        .map(|row| row.iter().map(|cell| cell.trim()).filter(|cell| !cell.is_empty()).collect())
        .collect();
    let columns = ["bodies", "frames in contact", "worst frame", "its pairs", "all pairs"];
    assert_eq!(cells[0], columns, "{check}");
    assert_eq!(cells[1][..3], ["a × b", "101–104 (3 of 3)", "101"], "{check}");
    let one = text(&["check", "a_###.ply", "b_###.ply", "--frames", "104"]);
    assert!(one.contains("in frame 104"), "{one}");
    let volume = text(&["volume", "a_###.ply", "b_###.ply"]);
    assert!(volume.contains("101–104"), "{volume}");
}

#[test]
fn copies_of_a_mesh_are_described_each_by_its_own_surface() {
    let folder = Folder::new();
    // The second is open, although it has the same triangles: its last corner lies apart.
    let tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 5\n";
    for (name, last) in [("a", "0 0 1"), ("b", "0 0 2"), ("c", "0 0 1")] {
        let text = tetrahedron.replacen("v 0 0 1\n", &format!("v 0 0 1\nv {last}\n"), 1);
        std::fs::write(folder.path().join(format!("{name}.obj")), text).unwrap();
    }
    let info = folder.crumple(&["info", "a.obj", "a.obj", "b.obj", "c.obj", "--json"]).stdout;
    let record: serde_json::Value = serde_json::from_str(&info).unwrap();
    let closed: Vec<_> = record["bodies"].as_array().unwrap().iter().map(|body| body["closed"].as_bool()).collect();
    assert_eq!(closed, [true, true, false, true].map(Some), "{info}");
}

#[test]
fn files_that_are_not_read_each_get_a_way_out() {
    let folder = Folder::new();
    let ways = [
        ("shot.fbx", "export glTF"),
        ("shot.abc", "point cache"),
        ("shot.usdc", "Python package reads it"),
        ("shot.blend", "in Blender"),
        ("shot.vtu", "PyVista"),
        ("shot.txt", ".vrm are read"),
    ];
    for (file, way) in ways {
        std::fs::write(folder.path().join(file), "x").unwrap();
        let ended = folder.crumple(&["check", file]);
        let (_, hint) = ended.stderr.split_once("\nhint: ").unwrap_or_default();
        assert!(ended.code == Some(2) && hint.contains(way), "{}", ended.stderr);
    }
}

#[test]
fn an_animation_is_refused_where_no_file_has_one() {
    let folder = Folder::new();
    folder.tetrahedron("a@v2.ply", 0.0);
    folder.crumple(&["check", "a@v2.ply", "--animation", "Run"]).refused(
        "--animation does nothing here: none of the files is glTF",
        Some("leave it out; only glTF files have animations"),
    );
}

#[test]
fn a_name_with_an_at_sign_may_have_a_cache_and_a_cache_too_long_is_said_to_be() {
    let folder = Folder::new();
    folder.cuboid("a@v2.ply", [0.0; 3], 1.0);
    folder.moving_cuboid("x.pc2", 1.0, &[[0.0; 3], [1.0; 3]]);
    let read = folder.crumple(&["check", "a@v2.ply@x.pc2", "--quiet"]);
    assert_eq!((read.code, &*read.stdout), (Some(0), "nothing collides in 2 frames\n"));
    let mut bytes = std::fs::read(folder.path().join("x.pc2")).unwrap();
    bytes.extend([0; 12]);
    std::fs::write(folder.path().join("x.pc2"), bytes).unwrap();
    let long = folder.crumple(&["check", "a@v2.ply@x.pc2"]);
    assert!(
        long.stderr.ends_with("\nhint: it holds more than its header announces; write it again\n"),
        "{}",
        long.stderr
    );
}
