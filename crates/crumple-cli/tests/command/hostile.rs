//! Inputs made to do harm: names that a terminal would obey, names without end, lists and threads without number.

use std::ffi::OsString;

use crumple_io::report::Record;

use crate::run::{Folder, redacted};

/// A glTF document of tetrahedra, one per name, each at half the distance of the one before, around the origin.
fn named(folder: &Folder, file: &str, names: &[&str]) {
    let mut buffer = Vec::new();
    for corner in [[-1., -1., -1.], [3., 0., 0.], [0., 3., 0.], [0., 0., 3.]] as [[f32; 3]; 4] {
        buffer.extend(corner.iter().flat_map(|x| x.to_le_bytes()));
    }
    buffer.extend([0_u16, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3].iter().flat_map(|corner| corner.to_le_bytes()));
    std::fs::write(folder.path().join("data.bin"), &buffer).unwrap();
    let nodes: Vec<_> = names
        .iter()
        .enumerate()
        .map(|(at, name)| serde_json::json!({"mesh": 0, "name": name, "scale": vec![0.3_f64.powi(at as i32); 3]}))
        .collect();
    let document = serde_json::json!({
        "asset": {"version": "2.0"}, "scene": 0,
        "scenes": [{"nodes": (0..names.len()).collect::<Vec<_>>()}], "nodes": nodes,
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"}
        ],
        "bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 24}],
        "buffers": [{"byteLength": 72, "uri": "data.bin"}]
    });
    std::fs::write(folder.path().join(file), document.to_string()).unwrap();
}

const EVIL: &str = "\u{1b}[2Jred\nnothing collides\u{202e}";
const SAFE: &str = r"\u{1b}[2Jred\nnothing collides\u{202e}";

#[test]
fn names_do_not_reach_a_terminal_as_anything_but_text() {
    let folder = Folder::new();
    named(&folder, "evil.gltf", &[EVIL, "nut"]);
    std::fs::write(folder.path().join("points.xyz"), "0 0 0\n").unwrap();
    folder.cuboid("big.ply", [0.0; 3], 0.5);
    for words in [
        &["info", "evil.gltf"][..],
        &["check", "evil.gltf", "--containment"],
        &["check", "evil.gltf", "big.ply", "--pairs"],
        &["check", "evil.gltf", "big.ply", "--csv", "-"],
        &["check", "evil.gltf", "--ignore", "nut,who"],
        &["check", "evil.gltf", "--only", "EVIL"],
        &["volume", "evil.gltf"],
        &["volume", "evil.gltf", "big.ply"],
        &["inside", "evil.gltf", "points.xyz", "--body", EVIL],
        &["inside", "evil.gltf", "points.xyz"],
        &["check", "\u{1b}[31mmissing.obj"],
    ] {
        let ended = folder.crumple(words);
        let printed = format!("{}{}", ended.stdout, ended.stderr);
        assert!(!printed.contains(['\u{1b}', '\u{202e}']), "{words:?}: {printed}");
        assert!(!printed.lines().any(|line| line.starts_with("nothing collides")), "{words:?}: {printed}");
        assert!(printed.contains(SAFE) || words.contains(&"\u{1b}[31mmissing.obj"), "{words:?}: {printed}");
    }
    // Records carry names as they are.
    let records = folder.crumple(&["info", "evil.gltf", "--json"]).records();
    let [Record::Info(info)] = &records[..] else { panic!("{records:?}") };
    assert_eq!(info.bodies[0].body.name, EVIL);
}

#[test]
fn a_name_of_65536_letters_is_shortened() {
    let folder = Folder::new();
    named(&folder, "long.gltf", &["x".repeat(65_536).as_str(), "nut"]);
    for words in [&["info", "long.gltf"][..], &["check", "long.gltf", "--containment"], &["volume", "long.gltf"]] {
        let ended = folder.crumple(words);
        assert!(ended.code.is_some_and(|code| code < 2), "{}", ended.stderr);
        assert!(ended.stdout.contains("xxx…xxx"), "{}", ended.stdout);
        assert!(ended.stdout.lines().all(|line| line.chars().count() < 200), "{words:?}");
    }
}

#[test]
fn a_table_goes_to_standard_output_with_names_and_the_answer_elsewhere() {
    let folder = Folder::new();
    folder.tetrahedron("a,b.ply", 0.0);
    folder.tetrahedron("c.ply", 0.5);
    let files = ["check", "a,b.ply", "c.ply", "--csv"];
    let ended = folder.crumple(&[&files[..], &["-"]].concat());
    assert_eq!(ended.code, Some(1));
    assert!(ended.stdout.starts_with("frame,a,b,i,j,name_a,name_b\n0,0,1,"), "{}", ended.stdout);
    assert!(ended.stdout.lines().skip(1).all(|line| line.ends_with(",\"a,b\",c")), "{}", ended.stdout);
    let rows = ended.stdout.lines().count() - 1;
    assert!(redacted(&ended.stderr).starts_with(&format!("a,b × c: {rows} pairs in frame 0 (#)")), "{}", ended.stderr);
    assert!(ended.stderr.ends_with(&format!("standard output: {rows} pairs\n")), "{}", ended.stderr);
    folder.crumple(&[&files[..], &["pairs.csv"]].concat());
    assert_eq!(std::fs::read_to_string(folder.path().join("pairs.csv")).unwrap(), ended.stdout);
    assert!(!folder.path().join("-").exists());
    for more in ["--json", "--pairs"] {
        folder.crumple(&[&files[..], &["-", more]].concat()).refused(
            "--csv - leaves no room for --json or --pairs on standard output",
            Some("name a file for the table"),
        );
    }
}

#[test]
fn thousands_of_threads_are_refused_with_the_most_there_may_be() {
    let folder = Folder::new();
    folder.tetrahedron("a.ply", 0.0);
    let ended = folder.crumple(&["check", "--self", "a.ply", "--threads", "5000"]);
    let cores = std::thread::available_parallelism().map_or(1, usize::from).max(256);
    let words = format!("error: invalid value '5000' for '--threads <N>': write a number from 1 to {cores}\n");
    assert_eq!((ended.code, ended.stderr.starts_with(&words)), (Some(2), true), "{}", ended.stderr);
    assert_eq!(folder.crumple(&["check", "--self", "a.ply", "--threads", "0"]).code, Some(2));
    assert_eq!(folder.crumple(&["check", "--self", "a.ply", "--threads", "256"]).code, Some(0));
    assert_eq!(folder.crumple(&["bench", "LE1", "--threads", "5000"]).code, Some(2));
}

/// Writes triangles that all pass through one point; two such files meet in every pair.
fn soup(folder: &Folder, name: &str, triangles: usize, turned: f32) {
    let mut text = String::new();
    for at in 0..triangles {
        let (sin, cos) = (turned + at as f32 * 0.01).sin_cos();
        text += &format!("v {cos} {sin} -1\nv {cos} {sin} 1\nv {} {} {}\n", -cos, -sin, at as f32 * 1e-4);
    }
    for at in 0..triangles {
        text += &format!("f {} {} {}\n", 3 * at + 1, 3 * at + 2, 3 * at + 3);
    }
    std::fs::write(folder.path().join(name), text).unwrap();
}

#[test]
fn few_pairs_are_listed_and_all_are_counted() {
    let folder = Folder::new();
    soup(&folder, "a.obj", 150, 0.0);
    soup(&folder, "b.obj", 120, 0.005);
    let run = |more: &[&str]| {
        let records = folder.crumple(&[&["check", "a.obj", "b.obj", "--json", "--pairs"], more].concat()).records();
        let [_, Record::Frame(frame), Record::Summary(summary)] = &records[..] else { panic!("{records:?}") };
        (frame.contacts[0].listed().to_vec(), frame.contacts[0].count, summary.summary.pairs)
    };
    let (all, count, _) = run(&[]);
    assert_eq!((all.len() as u64, count > 10_000), (count, true));
    for most in [0, 1, 7, 5000] {
        for method in ["wide-tree", "hybrid-tree", "bucket-tree", "gjk-cut", "brute-force"] {
            for threads in ["1", "2"] {
                let found = run(&["--max-pairs", &most.to_string(), "--method", method, "--threads", threads]);
                assert!(found == (all[..most].to_vec(), count, count), "{most} by {method} with {threads} threads");
            }
        }
    }
}

#[test]
fn work_that_needs_more_memory_than_allowed_is_refused_with_the_number() {
    let folder = Folder::new();
    soup(&folder, "a.obj", 150, 0.0);
    soup(&folder, "b.obj", 120, 0.005);
    let files = ["check", "a.obj", "b.obj", "--max-memory"];
    let with = |more: &[&'static str]| folder.crumple(&[&files[..], more].concat());
    let needs = 270 * (3 * 64 + 236) + 16;
    assert_eq!(needs, 115_576);
    with(&["100k"]).refused(
        "2 bodies of 270 triangles in 1 frame need about 113 kB, more than the 100 kB of --max-memory",
        Some("check fewer bodies at a time, or allow more"),
    );
    // The bodies fit, but not all their pairs.
    let ended = with(&["400k"]);
    assert_eq!(ended.code, Some(2), "{}", ended.stdout);
    assert!(ended.stderr.starts_with("error: frame 0: a and b meet in "), "{}", ended.stderr);
    assert!(ended.stderr.contains(" pairs of triangles, which need about "), "{}", ended.stderr);
    assert_eq!(with(&["400k", "--max-pairs", "10"]).code, Some(1));
    assert_eq!(with(&["10M"]).code, Some(1));
    assert_eq!(with(&["much"]).code, Some(2));
    let frames = folder.crumple(&["volume", "a.obj", "b.obj", "--max-memory", "1k"]);
    assert!(frames.stderr.contains("more than the 1.00 kB of --max-memory"), "{}", frames.stderr);
}

#[test]
fn a_frame_that_takes_more_work_than_allowed_is_refused_with_its_number() {
    let folder = Folder::new();
    soup(&folder, "a.obj", 150, 0.0);
    soup(&folder, "b.obj", 120, 0.005);
    let refused = "frame 0: this takes more than 20 steps of work (--max-work), each about 10 ns: triangles that overlap by the \
                   thousand, such as long thin ones or copies in one place, are compared each with each";
    let hint = Some("remove such triangles, or allow more: --max-work 1e10, or none for any amount");
    folder.crumple(&["check", "a.obj", "b.obj", "--max-work", "20"]).refused(refused, hint);
    folder.crumple(&["distance", "a.obj", "b.obj", "--max-work", "20"]).refused(refused, hint);
    folder.crumple(&["check", "a.obj", "--rest", "0", "--max-work", "20"]).refused(refused, hint);
    for enough in ["1e6", "none"] {
        assert_eq!(folder.crumple(&["check", "a.obj", "b.obj", "--max-work", enough]).code, Some(1));
    }
    assert_eq!(folder.crumple(&["check", "a.obj", "b.obj", "--max-work", "0"]).code, Some(2));
}

/// A short file may place a large mesh very often: 600 nodes of 10,000 triangles.
#[test]
fn surfaces_of_very_many_copies_are_taken_from_the_first_with_a_note() {
    let folder = Folder::new();
    let (nodes, triangles) = (600, 10_000);
    let mut buffer: Vec<u8> = [0_f32, 0., 0., 1., 0., 0., 0., 1., 0.].iter().flat_map(|x| x.to_le_bytes()).collect();
    buffer.extend((0..triangles).flat_map(|_| [0, 0, 1, 0, 2, 0]));
    std::fs::write(folder.path().join("data.bin"), &buffer).unwrap();
    let document = serde_json::json!({
        "asset": {"version": "2.0"},
        "nodes": (0..nodes).map(|n| serde_json::json!({"mesh": 0, "translation": [n, 0, 0]})).collect::<Vec<_>>(),
        "meshes": [{"name": "leaf", "primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 3 * triangles, "type": "SCALAR"}
        ],
        "bufferViews": [
            {"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 6 * triangles}
        ],
        "buffers": [{"byteLength": buffer.len(), "uri": "data.bin"}]
    });
    std::fs::write(folder.path().join("many.gltf"), document.to_string()).unwrap();
    let ended = folder.crumple(&["info", "many.gltf", "--json"]);
    let note = "note: too many triangles: the surfaces of 99 copies are taken from the first body of their mesh\n";
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), note));
    let Record::Info(info) = serde_json::from_str(&ended.stdout).unwrap() else { panic!("{}", ended.stdout) };
    for (id, body) in info.bodies.iter().enumerate() {
        let name = if id == 0 { "leaf".to_owned() } else { format!("leaf#{}", id + 1) };
        assert_eq!((body.body.id, &body.body.name, body.body.triangles), (id as u32, &name, triangles as u64));
        assert_eq!(body.non_manifold, info.bodies[0].non_manifold);
    }
    assert_eq!(info.bodies.len(), nodes);
    folder.crumple(&["check", "many.gltf", "--max-memory", "1G"]).refused(
        "600 bodies of 6,000,000 triangles in 1 frame need about 1.32 GB, more than the 1.00 GB of --max-memory",
        Some("check fewer bodies at a time, or allow more"),
    );
}

#[cfg(target_os = "linux")]
#[test]
fn paths_need_not_be_valid_text() {
    use std::os::unix::ffi::OsStringExt;
    let folder = Folder::new();
    let odd =
        |text: &str| OsString::from_vec(text.bytes().map(|byte| if byte == b'?' { 0xff } else { byte }).collect());
    let at = |text: &str| folder.path().join(odd(text));
    std::fs::create_dir(at("d?")).unwrap();
    folder.fold("fold.ply");
    folder.cuboid("cube.ply", [0.0; 3], 1.0);
    folder.moving_cuboid("cube.pc2", 1.0, &[[0.0; 3], [1.0; 3]]);
    for (from, to) in [
        ("fold.ply", "d?/f?.ply"),
        ("fold.ply", "d?/s?_1.ply"),
        ("fold.ply", "d?/s?_2.ply"),
        ("cube.ply", "d?/c?.ply"),
        ("cube.pc2", "d?/m?.pc2"),
    ] {
        std::fs::copy(folder.path().join(from), at(to)).unwrap();
    }
    let run = |words: &[&str]| {
        let output = folder.command(&[]).args(words.iter().map(|word| odd(word))).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for source in ["d?/f?.ply", "d?/s?_#.ply"] {
        let outputs = ["--html", "d?/o?.html", "--csv", "d?/o?.csv", "--export", "d?/e?"];
        let (code, complaint) = run(&[&["check", "--self", source][..], &outputs].concat());
        assert_eq!(code, Some(1), "{complaint}");
    }
    assert!(at("d?/o?.html").exists() && at("d?/o?.csv").exists() && at("d?/e?").is_dir());
    assert_eq!(run(&["check", "d?/c?.ply@d?/m?.pc2", "d?/c?.ply"]).0, Some(1));
    assert_eq!(run(&["info", "d?/c?.ply@d?/m?.pc2"]).0, Some(0));
    assert_eq!(run(&["volume", "d?/c?.ply", "d?/c?.ply"]).0, Some(0));
    assert_eq!(run(&["inside", "d?/c?.ply", "d?/m?.pc2"]).0, Some(0));
    assert_eq!(run(&["scene", "LE2-1280", "--frames", "0..2", "--out", "d?/scene?"]).0, Some(0));
    assert!(at("d?/scene?/sphere-a.pc2").exists());
    let (code, complaint) = run(&["check", "--self", "d?/f?.ply", "--html", "d?/f?.ply"]);
    assert_eq!((code, complaint.contains("would overwrite the input")), (Some(2), true), "{complaint}");
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_does_not_hide_a_collision() {
    let folder = Folder::new();
    let [a, b] = &folder.scene(&["LE2-1280"])[..] else { panic!("a scene of two bodies") };
    for (more, first) in [(&["--json"][..], "crumple.report/1"), (&["--csv", "-"], "frame,a,b,i,j,name_a,name_b")] {
        for page in [None, Some("out.html")] {
            let page = page.map_or(Vec::new(), |page| vec!["--html", page]);
            let ended = folder.first_line_of(&[&["check", "--quiet", a, b], more, &page].concat());
            assert!(ended.stdout.contains(first), "{}", ended.stdout);
            assert_eq!((ended.code, &*ended.stderr), (Some(1), ""), "{more:?}");
        }
        let page = std::fs::read_to_string(folder.path().join("out.html")).unwrap();
        assert!(page.contains("Triangles meet in 136 of 200 frames"), "the page stops where the pipe was closed");
    }
}
