//! Runs the built command in a folder of its own.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use crumple_io::report::{CheckSummary, Record};
use crumple_io::{Encoding, MeshFile, PointCacheWriter, write::write_ply};
use serde_json::{Value, json};

/// A check of what [`Folder::still_and_moving`] writes.
pub(crate) const STILL_AND_MOVING: [&str; 3] = ["check", "still.ply", "moving.ply@moving.pc2"];

/// What the command printed and how it exited.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ended {
    /// The records of `--json`, of which every line must be one.
    pub(crate) fn records(&self) -> Vec<Record> {
        let record = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        self.stdout.lines().map(record).collect()
    }

    /// The summary of a check, its last record.
    pub(crate) fn summary(&self) -> CheckSummary {
        match self.records().pop() {
            Some(Record::Summary(last)) => last.summary,
            other => panic!("{other:?}: {}", self.stderr),
        }
    }

    /// Makes sure the command complained in one line, perhaps with a hint in another, and exited with 2.
    #[track_caller]
    pub(crate) fn refused(&self, error: &str, hint: Option<&str>) {
        let expected = match hint {
            Some(hint) => format!("error: {error}\nhint: {hint}\n"),
            None => format!("error: {error}\n"),
        };
        assert_eq!((self.code, &*self.stderr, &*self.stdout), (Some(2), &*expected, ""));
    }
}

/// A folder that goes away with the test.
#[derive(Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("crumple-command-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// The command, ready to be run here, with its words.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_crumple"));
        command.current_dir(&self.0).args(words).stdin(Stdio::null()).env_remove("NO_COLOR");
        command
    }

    /// Runs the command here to its end.
    pub(crate) fn crumple(&self, words: &[&str]) -> Ended {
        let output = self.command(words).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ended { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// Runs the command until its first line is read, which is all that is kept of its answer; then closes the pipe.
    pub(crate) fn first_line_of(&self, words: &[&str]) -> Ended {
        let mut child = self.command(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdout = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut stdout).unwrap();
        let ended = child.wait_with_output().unwrap();
        Ended { code: ended.status.code(), stdout, stderr: String::from_utf8(ended.stderr).unwrap() }
    }

    /// Writes the files of a scene here; returns what they are called.
    pub(crate) fn scene(&self, words: &[&str]) -> Vec<String> {
        let written = self.crumple(&[&["scene", "--out", "."], words].concat());
        written.stdout.lines().map(str::to_owned).collect()
    }

    /// Writes a cube that stands still, and one of half the side `half` that is at these places along the first axis, frame by
    /// frame: [`STILL_AND_MOVING`].
    pub(crate) fn still_and_moving(half: f32, xs: &[f32], [y, z]: [f32; 2]) -> Self {
        let folder = Self::new();
        folder.cuboid("still.ply", [0.0; 3], 1.0);
        folder.cuboid("moving.ply", [xs[0], y, z], half);
        let path: Vec<[f32; 3]> = xs.iter().map(|&x| [x, y, z]).collect();
        folder.moving_cuboid("moving.pc2", half, &path);
        folder
    }

    /// Writes a wall at height 0, and a tetrahedron of height 1, with its tip below, that is at these heights frame by frame.
    pub(crate) fn wall_and_tip(name: &str, heights: [f32; 4]) -> Self {
        let folder = Self::new();
        std::fs::write(folder.path().join("wall.obj"), "v -3 -3 0\nv 3 -3 0\nv 3 3 0\nv -3 3 0\nf 1 2 3 4\n").unwrap();
        let tip = |z: f32| [[1.0, 0.5, z], [0.5, 0.75, z + 1.0], [1.5, 0.75, z + 1.0], [1.0, 0.25, z + 1.0]];
        let vertices: String = tip(heights[0]).iter().map(|[x, y, z]| format!("v {x} {y} {z}\n")).collect();
        let tetrahedron = format!("{vertices}f 1 2 3\nf 1 3 4\nf 1 4 2\nf 2 4 3\n");
        std::fs::write(folder.path().join(format!("{name}.obj")), tetrahedron).unwrap();
        let mut cache = PointCacheWriter::create(folder.path().join(format!("{name}.pc2")), 4, 4).unwrap();
        heights.iter().for_each(|&z| cache.write_frame(&tip(z)).unwrap());
        cache.finish().unwrap();
        folder
    }

    /// Writes a tetrahedron with one corner at `x` on the first axis.
    pub(crate) fn tetrahedron(&self, name: &str, x: f32) {
        let mesh = MeshFile {
            positions: vec![[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], [x, 1.0, 0.0], [x, 0.0, 1.0]],
            triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
            ..MeshFile::default()
        };
        write_ply(self.0.join(name), &mesh, Encoding::Ascii).unwrap();
    }

    /// Writes a cube of half the side `half` around `centre`.
    pub(crate) fn cuboid(&self, name: &str, centre: [f32; 3], half: f32) {
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let mesh = MeshFile {
            positions: cube(centre, half),
            triangles: quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
            ..MeshFile::default()
        };
        write_ply(self.0.join(name), &mesh, Encoding::LittleEndian).unwrap();
    }

    /// Writes a point cache of such a cube, one centre per frame.
    pub(crate) fn moving_cuboid(&self, name: &str, half: f32, centres: &[[f32; 3]]) {
        let mut cache = PointCacheWriter::create(self.0.join(name), 8, centres.len()).unwrap();
        for &centre in centres {
            cache.write_frame(&cube(centre, half)).unwrap();
        }
        cache.finish().unwrap();
    }

    /// Writes two triangles without a common vertex, one through the other.
    pub(crate) fn fold(&self, name: &str) {
        let mesh = MeshFile {
            positions: vec![[0., 0., 0.], [2., 0., 0.], [0., 2., 0.], [0.5, 0.5, -1.], [0.5, 0.5, 1.], [0.6, 0.7, 1.]],
            triangles: vec![[0, 1, 2], [3, 4, 5]],
            ..MeshFile::default()
        };
        write_ply(self.0.join(name), &mesh, Encoding::LittleEndian).unwrap();
    }
}

impl Folder {
    /// Writes an OBJ file.
    pub(crate) fn obj(&self, name: &str, positions: &[[f32; 3]], triangles: &[[u32; 3]]) {
        let vertices = positions.iter().map(|[x, y, z]| format!("v {x} {y} {z}\n"));
        let faces = triangles.iter().map(|[a, b, c]| format!("f {} {} {}\n", a + 1, b + 1, c + 1));
        std::fs::write(self.0.join(name), vertices.chain(faces).collect::<String>()).unwrap();
    }
}

/// A glTF file being made: what its accessors read stands in a file beside it.
#[derive(Default)]
pub(crate) struct Gltf {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Gltf {
    /// Adds numbers; returns the accessor that reads them.
    pub(crate) fn put(&mut self, data: Vec<u8>, component: u32, count: usize, kind: &str) -> usize {
        self.views.push(json!({"buffer": 0, "byteOffset": self.bytes.len(), "byteLength": data.len()}));
        self.bytes.extend(data);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let accessor =
            json!({"bufferView": self.accessors.len(), "componentType": component, "count": count, "type": kind});
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    pub(crate) fn floats(&mut self, values: &[f32], count: usize, kind: &str) -> usize {
        self.put(values.iter().flat_map(|x| x.to_le_bytes()).collect(), 5126, count, kind)
    }

    pub(crate) fn indices(&mut self, values: &[u16]) -> usize {
        self.put(values.iter().flat_map(|x| x.to_le_bytes()).collect(), 5123, values.len(), "SCALAR")
    }

    /// Writes the file with this document, which says nothing of buffers.
    pub(crate) fn write(self, folder: &Folder, name: &str, mut document: Value) {
        document["asset"] = json!({"version": "2.0"});
        document["bufferViews"] = self.views.into();
        document["accessors"] = self.accessors.into();
        document["buffers"] = json!([{"byteLength": self.bytes.len(), "uri": format!("{name}.bin")}]);
        std::fs::write(folder.path().join(format!("{name}.bin")), self.bytes).unwrap();
        std::fs::write(folder.path().join(format!("{name}.gltf")), document.to_string()).unwrap();
    }
}

pub(crate) fn cube([x, y, z]: [f32; 3], half: f32) -> Vec<[f32; 3]> {
    let side = |bit: u32, corner: u32| if corner >> bit & 1 == 1 { half } else { -half };
    (0..8).map(|corner| [x + side(0, corner), y + side(1, corner), z + side(2, corner)]).collect()
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Text in which every time and ratio is a `#`, and columns stand one space apart.
pub(crate) fn redacted(text: &str) -> String {
    let is_number = |word: &str| word.trim_start_matches('(').parse::<f64>().is_ok();
    let is_unit = |word: &str| ["us", "ms", "s"].contains(&word.trim_end_matches([')', ',']));
    let is_ratio = |word: &str| word.strip_suffix('x').is_some_and(is_number);
    let mut lines = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let mut kept = Vec::new();
        for (at, word) in words.iter().enumerate() {
            let before_unit = is_number(word) && words.get(at + 1).is_some_and(|next| is_unit(next));
            let after_number = is_unit(word) && at > 0 && is_number(words[at - 1]);
            match (before_unit || is_ratio(word), after_number) {
                (true, _) if word.starts_with('(') => kept.push("(#"),
                (true, _) => kept.push("#"),
                (_, true) => kept.push(word.trim_start_matches(['u', 'm', 's'])),
                _ => kept.push(word),
            }
        }
        lines.push(kept.join(" ").replace("# )", "#)").replace("# ,", "#,").replace("  ", " ").trim_end().to_owned());
    }
    lines.join("\n")
}

/// Records of `--json` in which every time is a `#`.
pub(crate) fn redacted_records(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text.trim_end();
    while let Some(at) = rest.find("_us\":") {
        let (before, after) = rest.split_at(at + "_us\":".len());
        kept += before;
        kept.push('#');
        rest = after.trim_start_matches(|c: char| c.is_ascii_digit() || ".e-".contains(c));
    }
    kept + rest
}
