//! Files that cannot be checked: one line with the file and what is wrong with it, and exit code 2.

use crate::run::Folder;

/// The only line of complaint, without `error: `, and what to try where that is said.
fn complaint(folder: &Folder, file: &str) -> (String, Option<String>) {
    let ended = folder.crumple(&["check", file]);
    assert_eq!((ended.code, &*ended.stdout), (Some(2), ""), "{file}: {}", ended.stderr);
    let lines: Vec<&str> = ended.stderr.lines().collect();
    let what = lines[0].strip_prefix("error: ").unwrap_or_else(|| panic!("{file}: {}", ended.stderr)).to_owned();
    let hint = lines.get(1).map(|line| line.strip_prefix("hint: ").unwrap().to_owned());
    assert!(lines.len() <= 2, "{file}: {}", ended.stderr);
    (what, hint)
}

#[test]
fn whatever_is_wrong_with_a_file_is_said_in_one_line() {
    let folder = Folder::new();
    folder.tetrahedron("whole.ply", 0.0);
    let whole = std::fs::read(folder.path().join("whole.ply")).unwrap();
    let put = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    put("truncated.ply", &whole[..whole.len() - 9]);
    put("empty.ply", b"");
    put("empty.obj", b"");
    put("huge.stl", &[&[0; 80][..], &u32::MAX.to_le_bytes(), &[0; 50]].concat());
    put("nan.obj", b"v 0 0 0\nv 1 0 nan\nv 0 1 0\nf 1 2 3\n");
    put("missing-vertex.off", b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 7\n");
    put("binary.obj", &[0xff, 0xfe, 0x00, 0x80, 0x0a]);
    put("notes.txt", b"hello");
    put("noextension", b"hello");
    put("short.pc2", b"POINTCACHE2\0\x01");
    put("broken.glb", b"glTF\x02\0\0\0");
    std::fs::create_dir(folder.path().join("folder")).unwrap();
    std::fs::create_dir(folder.path().join("folder.ply")).unwrap();
    let files = [
        ("truncated.ply", "truncated.ply: "),
        ("empty.ply", "empty.ply: "),
        ("huge.stl", "huge.stl: "),
        ("nan.obj", "nan.obj: "),
        ("missing-vertex.off", "missing-vertex.off: line 6: "),
        ("binary.obj", "binary.obj: line 1: "),
        ("notes.txt", "notes.txt: `.txt` is not a format that is read"),
        ("noextension", "noextension: the name has no extension"),
        ("whole.ply@short.pc2", "short.pc2: "),
        ("whole.ply@gone.pc2", "gone.pc2: cannot be read: no such file or directory"),
        ("broken.glb", "broken.glb: "),
        ("folder", "folder: the folder holds no meshes"),
        ("folder.ply", "folder.ply: the folder holds no meshes"),
        ("gone_####.ply", "gone_####.ply: no file has a name like this"),
        ("gone.ply", "gone.ply: cannot be read: no such file or directory"),
    ];
    for (file, start) in files {
        let (what, _) = complaint(&folder, file);
        assert!(what.starts_with(start), "{file}: {what}");
        assert!(what.len() > start.len() || !start.ends_with(": "), "{file}: {what}");
    }
    let (_, hint) = complaint(&folder, "notes.txt");
    assert!(hint.is_some_and(|hint| hint.contains(".obj, .ply, .stl, .off, .gltf, .glb and .vrm are read")));
}

#[test]
fn a_frame_that_is_wrong_ends_the_check_and_leaves_the_page_of_those_before() {
    let folder = Folder::new();
    folder.cuboid("a.ply", [0.0; 3], 1.0);
    folder.cuboid("b.ply", [1.5, 0.1, 0.2], 1.0);
    folder.moving_cuboid("b.pc2", 1.0, &[[1.5, 0.1, 0.2], [1.4, 0.1, 0.2], [1.3, 0.1, 0.2]]);
    let cache = folder.path().join("b.pc2");
    let mut bytes = std::fs::read(&cache).unwrap();
    let third = 32 + 2 * 8 * 12;
    bytes[third..third + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    std::fs::write(&cache, bytes).unwrap();
    let ended = folder.crumple(&["check", "a.ply", "b.ply@b.pc2", "--html", "out.html"]);
    assert_eq!(ended.code, Some(2));
    assert!(ended.stdout.contains("a × b   0–1 (2 of 2)"), "{}", ended.stdout);
    let said = "incomplete: stopped by an error: frame 2 was not checked\nerror: b.pc2: frame 2: vertex 0 has x = NaN";
    assert!(ended.stderr.starts_with(said), "{}", ended.stderr);
    let page = std::fs::read_to_string(folder.path().join("out.html")).unwrap();
    assert!(page.contains("Triangles meet in 2 of 2 frames") && page.trim_end().ends_with("</html>"));
}
