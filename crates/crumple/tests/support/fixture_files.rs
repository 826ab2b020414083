//! Reads the meshes and point caches of `fixtures`, which all have the one layout that `fixtures/README.md` names.
//!
//! The readers of `crumple-io` are not used here: that crate has examples that need this one, and two crates that need
//! each other, even for tests only, cannot be published one after the other.

use std::fs;
use std::path::{Path, PathBuf};

/// One position per vertex.
pub(crate) type Positions = Vec<[f32; 3]>;

/// Where a fixture is.
pub(crate) fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name)
}

/// Positions and triangles of a binary little-endian PLY file with `float x y z` and `uchar int` lists of three.
pub(crate) fn read_ply(name: &str) -> (Positions, Vec<[u32; 3]>) {
    const END: &[u8] = b"end_header\n";
    let bytes = fs::read(fixture(name)).unwrap();
    let end = bytes.windows(END.len()).position(|window| window == END).unwrap() + END.len();
    let header = std::str::from_utf8(&bytes[..end]).unwrap();
    let layout: Vec<&str> =
        header.lines().filter(|line| line.starts_with("format") || line.starts_with("prop")).collect();
    let expected = ["format binary_little_endian 1.0", "property float x", "property float y", "property float z"];
    assert_eq!(layout[..4], expected, "{name}");
    assert_eq!(layout[4..], ["property list uchar int vertex_indices"], "{name}");
    let count = |element: &str| -> usize {
        let found = header.lines().find_map(|line| line.strip_prefix("element ")?.strip_prefix(element));
        found.unwrap().trim().parse().unwrap()
    };
    let (vertices, faces) = bytes[end..].split_at(12 * count("vertex"));
    assert_eq!(faces.len(), 13 * count("face"), "{name}");
    let triangle = |face: &[u8]| {
        assert_eq!(face[0], 3, "{name}: a face that is no triangle");
        words(&face[1..], u32::from_le_bytes)[0]
    };
    (words(vertices, f32::from_le_bytes), faces.chunks_exact(13).map(triangle).collect())
}

/// Every frame of a PC2 file.
pub(crate) fn read_pc2(name: &str) -> Vec<Positions> {
    const HEADER: usize = 32;
    let bytes = fs::read(fixture(name)).unwrap();
    assert!(bytes.starts_with(b"POINTCACHE2\0\x01\0\0\0"), "{name}");
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let (points, frames) = (number(16), number(28));
    assert_eq!(bytes.len(), HEADER + 12 * points * frames, "{name}");
    bytes[HEADER..].chunks_exact(12 * points).map(|frame| words(frame, f32::from_le_bytes)).collect()
}

/// Numbers of four bytes, in threes.
fn words<T>(bytes: &[u8], number: fn([u8; 4]) -> T) -> Vec<[T; 3]> {
    bytes.as_chunks::<4>().0.as_chunks::<3>().0.iter().map(|three| three.map(number)).collect()
}
