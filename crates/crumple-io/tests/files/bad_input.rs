//! Every way a file can be wrong is said in one line, with the file and the byte or line.

use crate::common::glb::Builder;
use crate::common::{Folder, frame_of, message};
use crumple_io::read;
use serde_json::json;

/// Writes a file and reads it to its last frame; gives what is said, without the folder.
fn complaint(folder: &Folder, name: &str, content: &[u8]) -> String {
    std::fs::write(folder.join(name), content).unwrap();
    complaint_of(folder, name)
}

fn complaint_of(folder: &Folder, source: &str) -> String {
    let said = read(folder.join(source)).and_then(|mut bodies| {
        for body in &mut bodies {
            for frame in 0..body.frame_count() {
                frame_of(body, frame)?;
            }
        }
        Ok(())
    });
    match said {
        Ok(()) => "read".into(),
        Err(error) => message(&error).replace(&format!("{}/", folder.path().display()), ""),
    }
}

fn check(folder: &str, name: &str, cases: &[(&[u8], &str)]) {
    let folder = Folder::new(folder);
    // All of them at once: a changed wording shows everywhere it appears.
    let wanted: Vec<String> = cases.iter().map(|(_, want)| format!("{name}: {want}")).collect();
    let said: Vec<String> = cases.iter().map(|(content, _)| complaint(&folder, name, content)).collect();
    for (said, want) in said.iter().zip(&wanted).filter(|(said, want)| said != want) {
        eprintln!("said:   {said}\nwanted: {want}");
    }
    assert!(said == wanted);
}

#[test]
fn ply() {
    let header = |format: &str, vertices: &str| {
        format!(
            "ply\nformat {format} 1.0\nelement vertex {vertices}\nproperty float x\nproperty float y\nproperty float z\n\
             element face 1\nproperty list uchar int vertex_indices\nend_header\n"
        )
    };
    let ascii = |vertices: &str, rest: &str| (header("ascii", vertices) + rest).into_bytes();
    let binary = |vertices: &str, floats: &[f32], rest: &[u8]| {
        let mut file = header("binary_little_endian", vertices).into_bytes();
        file.extend(floats.iter().flat_map(|x| x.to_le_bytes()));
        file.extend(rest);
        file
    };
    check(
        "bad-ply",
        "body.ply",
        &[
            (b"", "the file is empty"),
            (b"PK\x03\x04", "line 1: a PLY file begins with the line `ply`; hint: is it another format?"),
            (b"\xff\xfe\x00ply", "line 1: a PLY file begins with the line `ply`; hint: is it another format?"),
            (b"ply\nformat ascii 1.0\n", "line 3: the header has no `end_header` line"),
            (b"ply\nend_header\n", "the header has no `format` line"),
            (b"ply\nformat ascii 1.0\nend_header\n", "the header announces no element `vertex`"),
            (b"ply\nformat zip 1.0\n", "line 2: the format is `zip`, not ascii, binary_little_endian or binary_big_endian"),
            (b"ply\nformat\n", "line 2: the format is nothing, not ascii, binary_little_endian or binary_big_endian"),
            (b"ply\nelement vertex -3\n", "line 2: an element needs a name and a count, found `vertex` and `-3`"),
            (b"ply\nelement \xff\xff many\n", "line 2: an element needs a name and a count, found `\u{fffd}\u{fffd}` and `many`"),
            (b"ply\nelement a 1\nelement a 1\n", "line 3: element `a` is there twice"),
            (b"ply\nproperty int x\n", "line 2: a property comes before any element"),
            (b"ply\nelement a 1\nproperty half x\n", "line 3: `half` is not a type of PLY properties"),
            (b"ply\nelement a 1\nproperty list float int x\n", "line 3: the length of a list must have a whole-number type"),
            (b"ply\nhello there\n", "line 3: the header has no `end_header` line"),
            (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 12\n",
             "it is a Git LFS pointer; the file itself has not been downloaded; hint: run `git lfs pull` in its repository"),
            (b"\n<!DOCTYPE html>\n<html>", "it is an HTML page, not a mesh; hint: download the file itself, not the page that shows it"),
            (b"\xff\xfep\0l\0y\0\n\0", "its text is in UTF-16; hint: save it as UTF-8"),
            (b"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n", "its vertices have no property `y`"),
            (b"ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nend_header\n",
             "its faces have no list `vertex_indices`"),
            (b"ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar float vertex_index\nend_header\n",
             "the corners of its faces are not a list of whole numbers"),
            (b"ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\nproperty float z\nelement tristrips 1\nproperty list int int vertex_indices\nend_header\n",
             "it holds triangle strips, which are not read; hint: convert it to a PLY with faces"),
            // Truncated, and a count that is not true.
            (&ascii("3", "0 0 0\n1 0 0\n"), "line 12: expected a number in vertex 2 of 3, found the end of the file"),
            (&ascii("1", "0 0 0\n"), "line 11: expected the length of a list in face 0 of 1, found the end of the file"),
            (&ascii("1", "0 0 0\n3 0 0"), "line 11: expected the number of a vertex in face 0 of 1, found the end of the file"),
            (&ascii("1", "0 0 0\n-3 0 0"), "line 11: expected the length of a list in face 0 of 1, found `-3`"),
            (&ascii("2", "0 0 0\n1 é 0\n"), "line 11: expected a number in vertex 1 of 2, found `é`"),
            (&binary("3", &[0.0; 6], b""), "byte 193: the file ends in vertex 2 of 3; hint: it may be truncated"),
            (&binary("1", &[0.0; 3], b"\x03\0\0"), "byte 184: the file ends in face 0 of 1; hint: it may be truncated"),
            (&binary("1", &[0.0; 3], b"\x01\x09\0\0\0"), "byte 182: face 0 uses vertex 9, but the file has 1 vertices"),
            // Huge.
            (&ascii("4000000000", "0 0 0\n"), "line 11: expected a number in vertex 1 of 4000000000, found the end of the file"),
            (&binary("4000000000", &[0.0; 3], b""), "byte 190: the file ends in vertex 1 of 4000000000; hint: it may be truncated"),
            (&ascii("5000000000", ""), "line 3: 5000000000 records are announced, but at most 4294967295 can be numbered"),
            (&ascii("99999999999999999999", ""), "line 3: an element needs a name and a count, found `vertex` and `99999999999999999999`"),
            // Not finite.
            (&ascii("2", "0 0 0\n1 nan 0\n"), "vertex 1 has y = NaN, which is not a finite single-precision number"),
            (&ascii("1", "0 0 -1e39\n"), "vertex 0 has z = -inf, which is not a finite single-precision number"),
            (&binary("1", &[0.0, 0.0, f32::INFINITY], b"\0"), "vertex 0 has z = inf, which is not a finite single-precision number"),
        ],
    );
}

#[test]
fn obj() {
    check(
        "bad-obj",
        "body.obj",
        &[
            (b"", "the file is empty"),
            (b"# nothing\n", "it has no vertices (`v` lines); hint: is it another format?"),
            (
                b"\xff\xfe\x00\x01",
                "line 1: `\u{fffd}\u{fffd}\\0\\u{1}` is not a statement of an OBJ file; hint: is it another format?",
            ),
            (b"v 0 0 0\nv 1 0\n", "line 2: expected a number in vertex 2, found the end of the line"),
            (b"v 0 0 0\nv 1 0", "line 2: expected a number in vertex 2, found the end of the line"),
            (b"v 0 0 zero\n", "line 1: expected a number in vertex 1, found `zero`"),
            (b"v 0 0 \xe9\n", "line 1: expected a number in vertex 1, found `\u{fffd}`"),
            (
                b"v 0 0 0\nf 1 1 4000000000\n",
                "line 2: face 0 uses vertex 4000000000, but the file has 1 vertices, counted from 1",
            ),
            (b"v 0 0 0\nv 0 inf 0\n", "vertex 1 has y = inf, which is not a finite single-precision number"),
            // Names need not be UTF-8.
            (
                b"v 0 0 0\ng \xe9\nf 1 1 2\n",
                "line 3: face 0 uses vertex 2, but the file has 1 vertices, counted from 1",
            ),
        ],
    );
}

#[test]
fn stl() {
    let facet = "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";
    let text = |rest: &str| format!("solid s\n{facet}{rest}").into_bytes();
    let binary = |count: u32, triangles: usize, x: f32| {
        let mut file = vec![b' '; 80];
        file.extend(count.to_le_bytes());
        for _ in 0..triangles {
            file.extend([0; 12]);
            file.extend(x.to_le_bytes());
            file.extend([0; 34]);
        }
        file
    };
    check(
        "bad-stl",
        "body.stl",
        &[
            (b"", "the file is empty"),
            (
                b"hello",
                "byte 5: a text STL begins with `solid`, a binary one with 80 bytes and the number of its triangles; hint: is it another format?",
            ),
            (&text("facet"), "line 9: the file ends in triangle 1; hint: it may be truncated"),
            (b"solid s\n", "line 2: the file ends in triangle 0; hint: it may be truncated"),
            (&text("facet\nvertex 0 0\n"), "line 11: expected a number in triangle 1, found the end of the file"),
            (&text("facet\nvertex 0 0 é\n"), "line 10: expected a number in triangle 1, found `é`"),
            (&text("facet\nvertex 0 0 0\nendfacet\n"), "line 11: triangle 1 has 1 corners"),
            (
                &text("vertex 0 0 0\nvertex 0 0 0\nvertex 0 0 0\nvertex 0 0 0\n"),
                "line 12: a facet with more than three corners",
            ),
            (&text("facet\nvertex 0 0 NaN\n"), "vertex 3 has z = NaN, which is not a finite single-precision number"),
            (b"solid \xff\xfe\nfacet \xff\n", "line 2: `\u{fffd}` is not a word of a text STL"),
            (
                &binary(2, 1, 0.0),
                "byte 80: 2 triangles need 184 bytes, but the file has 134; hint: it may be truncated",
            ),
            (&binary(0, 1, 0.0), "byte 80: 0 triangles need 84 bytes, but the file has 134; hint: it may be truncated"),
            (
                &binary(1_000_000_000, 1, 0.0),
                "byte 80: 1000000000 triangles need 50000000084 bytes, but the file has 134; hint: it may be truncated",
            ),
            (&binary(2, 2, f32::NAN), "vertex 0 has x = NaN, which is not a finite single-precision number"),
        ],
    );
}

#[test]
fn off() {
    check(
        "bad-off",
        "body.off",
        &[
            (b"", "the file is empty"),
            (
                b"hello",
                "line 1: an OFF file begins with `OFF` or its counts, found `hello`; hint: is it another format?",
            ),
            (
                b"\xff\xfe",
                "line 1: an OFF file begins with `OFF` or its counts, found `\u{fffd}\u{fffd}`; hint: is it another format?",
            ),
            (b"OFF\n", "line 2: expected the number of vertices, found the end of the file"),
            (b"OFF\n3 x 0\n", "line 2: expected the number of faces, found `x`"),
            (b"OFF\n-1 0 0\n", "line 2: expected the number of vertices, found `-1`"),
            (b"OFF\n2 0 0\n0 0 0\n", "line 4: expected a number in vertex 1 of 2, found the end of the file"),
            (
                b"OFF\n1 1 0\n0 0 0\n",
                "line 4: expected the number of corners of face 0 of 1, found the end of the file",
            ),
            (b"OFF\n1 1 0\n0 0 0\n-3 0 0", "line 4: expected the number of corners of face 0 of 1, found `-3`"),
            (
                b"OFF\n1 1 0\n0 0 0\n3 0 0",
                "line 4: expected the number of a vertex in face 0 of 1, found the end of the file",
            ),
            (
                b"OFF\n4000000000 1 0\n0 0 0\n",
                "line 4: expected a number in vertex 1 of 4000000000, found the end of the file",
            ),
            (
                b"OFF\n5000000000 1 0\n",
                "line 2: 5000000000 vertices are announced, but at most 4294967295 can be numbered",
            ),
            (b"OFF\n1 0 0\n0 \xe9 0\n", "line 3: expected a number in vertex 0 of 1, found `\u{fffd}`"),
            (b"OFF\n1 0 0\n0 nan 0\n", "vertex 0 has y = NaN, which is not a finite single-precision number"),
        ],
    );
}

#[test]
fn point_caches() {
    let folder = Folder::new("bad-caches");
    let pc2 = |version: i32, points: i32, frames: i32, floats: &[f32]| {
        let mut file = b"POINTCACHE2\0".to_vec();
        for word in [version, points, 0, 0, frames] {
            file.extend(word.to_le_bytes());
        }
        file.extend(floats.iter().flat_map(|x| x.to_le_bytes()));
        file
    };
    let mdd = |frames: i32, points: i32, floats: &[f32]| {
        let mut file = [frames.to_be_bytes(), points.to_be_bytes()].concat();
        file.extend(floats.iter().flat_map(|x| x.to_be_bytes()));
        file
    };
    std::fs::write(folder.join("body.obj"), "v 0 0 0\n").unwrap();
    let short = "the file ends in its header; hint: it may be truncated";
    for (name, content, want) in [
        ("m.pc2", vec![], "the file is empty"),
        (
            "m.pc2",
            b"hello".to_vec(),
            "byte 0: a PC2 point cache begins with `POINTCACHE2`; hint: is it another format?",
        ),
        ("m.pc2", pc2(1, 1, 1, &[])[..20].to_vec(), &format!("byte 20: {short}")),
        ("m.pc2", pc2(2, 1, 1, &[0.0; 3]), "byte 12: version 2 of PC2 is not read, only 1"),
        ("m.pc2", pc2(1, -1, 1, &[]), "byte 16: the header announces -1 points"),
        ("m.pc2", pc2(1, 1, -7, &[]), "byte 28: the header announces -7 frames"),
        ("m.pc2", pc2(1, 0, i32::MAX, &[]), "byte 28: 2147483647 frames of 0 points"),
        (
            "m.pc2",
            pc2(1, 1, 2, &[0.0; 5]),
            "byte 28: 2 frames of 1 points need 56 bytes, but the file has 52; hint: it may be truncated",
        ),
        (
            "m.pc2",
            pc2(1, 1, 1, &[0.0; 6]),
            "byte 28: 1 frames of 1 points need 44 bytes, but the file has 56; hint: it holds more than its header announces; write it again",
        ),
        (
            "m.pc2",
            pc2(1, i32::MAX, i32::MAX, &[]),
            "byte 28: 2147483647 frames of 2147483647 points need more bytes than can be counted, but the file has 32; hint: it may be truncated",
        ),
        (
            "m.pc2",
            pc2(1, 1, 2, &[0.0, 0.0, 0.0, 0.0, f32::NAN, 0.0]),
            "frame 1: vertex 0 has y = NaN, which is not a finite single-precision number",
        ),
        ("m.mdd", vec![], "the file is empty"),
        ("m.mdd", vec![0; 7], &format!("byte 7: {short}")),
        ("m.mdd", mdd(-1, 1, &[]), "byte 0: the header announces -1 frames"),
        ("m.mdd", mdd(1, -1, &[]), "byte 4: the header announces -1 points"),
        (
            "m.mdd",
            mdd(1, 1, &[0.0; 3]),
            "byte 0: 1 frames of 1 points need 24 bytes, but the file has 20; hint: it may be truncated",
        ),
        (
            "m.mdd",
            mdd(1 << 30, 1 << 30, &[]),
            "byte 0: 1073741824 frames of 1073741824 points need 13835058059577131016 bytes, but the file has 8; hint: it may be truncated",
        ),
        (
            "m.mdd",
            mdd(1, 1, &[0.0, f32::NEG_INFINITY, 0.0, 0.0]),
            "frame 0: vertex 0 has x = -inf, which is not a finite single-precision number",
        ),
    ] {
        std::fs::write(folder.join(name), content).unwrap();
        let source = format!("body.obj@{}", folder.join(name).display());
        assert_eq!(complaint_of(&folder, &source), format!("{name}: {want}"));
    }
}

#[test]
fn gltf() {
    let mut builder = Builder::default();
    let position = builder.floats("VEC3", &[[0.0; 3], [1.0, 0.0, 0.0], [0.0, f32::NAN, 0.0]]);
    let good = builder.glb(json!({
        "meshes": [{"primitives": [{"attributes": {"POSITION": position}}]}], "nodes": [{"mesh": 0}]
    }));
    let (truncated, mut version, mut length) = (&good[..good.len() - 1], good.clone(), good.clone());
    version[4] = 1;
    length[8..12].copy_from_slice(&4_u32.to_le_bytes());
    let size = good.len();
    check(
        "bad-glb",
        "body.glb",
        &[
            (b"", "the file is empty"),
            (b"glTF", "byte 4: the file ends in its header; hint: it may be truncated"),
            (b"hello", "line 1: expected value"),
            (
                truncated,
                &format!(
                    "byte 8: the header says {size} bytes, but the file has {}; hint: it may be truncated",
                    size - 1
                ),
            ),
            (&version, "it is glTF 1.0, and only 2.0 is read; hint: convert it, for example with `gltf-pipeline`"),
            (&length, "byte 4: the file ends in its header; hint: it may be truncated"),
            (&good, "vertex 2 has y = NaN, which is not a finite single-precision number"),
        ],
    );
    check(
        "bad-gltf",
        "body.gltf",
        &[
            (b"{}", "line 1: missing field `asset`"),
            (b"{\"asset\":{\"version\":\"1.0\"}}", "it is glTF 1.0, and only 2.0 is read; hint: convert it, for example with `gltf-pipeline`"),
            (b"{\"asset\":\n{\"version\":\"2.0\"},\n\"nodes\": 7}", "line 3: invalid type: integer `7`, expected a sequence"),
            (b"{\"asset\":{\"version\":\"2.0\xff\"}}", "line 1: invalid unicode code point"),
            (b"{\"asset\":{\"version\":\"2.0\"},\n\"buffers\":[{\"byteLength\":3}]}", "buffer 0: it has no URI, and the file no bytes of its own for it"),
            (b"{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":3,\"uri\":\"data:x,y\"}]}", "buffer 0: its data URI is not in base64"),
            (b"{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":4000000000,\"uri\":\"data:;base64,AAAA\"}]}",
             "buffer 0: 4000000000 bytes are announced, but there are 3; hint: it may be truncated"),
            (b"{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":1,\"uri\":\"ftp://a/b\"}]}",
             "buffer 0: its bytes are on another machine; hint: download them and name them by a relative path"),
        ],
    );
}

#[test]
fn what_is_not_a_file_of_a_known_kind() {
    let folder = Folder::new("bad-names");
    for name in ["a.ply", "a.obj", "a.stl", "a.off", "a.glb", "a.gltf"] {
        assert_eq!(complaint_of(&folder, name), format!("{name}: cannot be read: entity not found"));
    }
    let formats = "hint: .obj, .ply, .stl, .off, .gltf, .glb and .vrm are read, and `body.ply@motion.pc2` (or .mdd)";
    assert_eq!(
        complaint(&folder, "notes.txt", b"hello"),
        format!("notes.txt: `.txt` is not a format that is read; {formats}")
    );
    assert_eq!(
        complaint(&folder, "notes", b"hello"),
        format!("notes: the name has no extension, so its format is unknown; {formats}")
    );
    assert_eq!(complaint_of(&folder, "mistyped"), "mistyped: cannot be read: entity not found");
    // A folder is a sequence of meshes; where only a file will do, it is said to be a folder.
    std::fs::create_dir(folder.join("dir.ply")).unwrap();
    assert_eq!(complaint_of(&folder, "dir.ply"), "dir.ply: the folder holds no meshes (.obj, .ply, .stl or .off)");
    for extension in ["ply", "obj", "stl", "off"] {
        let name = format!("dir.{extension}");
        let _ = std::fs::create_dir(folder.join(&name));
        let error = message(&crumple_io::read_mesh(folder.join(&name)).unwrap_err());
        assert!(error.ends_with(&format!("{name}: cannot be read: is a directory")), "{error}");
    }
    std::fs::create_dir(folder.join("dir.pc2")).unwrap();
    std::fs::write(folder.join("body.obj"), "v 0 0 0\n").unwrap();
    let source = format!("body.obj@{}", folder.join("dir.pc2").display());
    assert_eq!(complaint_of(&folder, &source), "dir.pc2: cannot be read: is a directory");
    let source = format!("body.obj@{}", folder.join("none.mdd").display());
    assert_eq!(complaint_of(&folder, &source), "none.mdd: cannot be read: entity not found");
}
