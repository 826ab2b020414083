//! STL: triangles without vertices in common, as text or binary.
//!
//! The file repeats a vertex in every triangle that uses it; here equal positions become one vertex, numbered in the
//! order they first appear, so that the mesh has the topology its maker meant. Triangles keep their order; normals,
//! attributes and the names of solids are stepped over.
//! Whether a file is binary shows in its size, since some binary files begin with `solid` too. What follows the last
//! triangle of a binary file is left out, and a text may lack its last line; both are noted.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crumple::mesh::DistinctPositions;

use crate::error::{Fault, ReadError, check_finite};
use crate::foreign::plain;
use crate::mesh_file::MeshFile;
use crate::text::{Cursor, show};
use crate::words::counted;

use super::{bytes_of, named};

/// Before the triangles of a binary file: 80 bytes of anything and their number.
const HEADER: usize = 84;

/// A binary triangle: normal, three corners, two bytes of attributes.
const TRIANGLE: usize = 50;

/// Reads an STL file, text or binary; equal positions become one vertex.
///
/// # Errors
/// When the file cannot be opened, is neither kind of STL, has another size than its number of triangles says, or has a
/// coordinate that is not finite.
pub fn read_stl(file: impl AsRef<Path>) -> Result<MeshFile, ReadError> {
    read_as::<Joined>(file.as_ref())
}

/// Reads STL from memory; `file` is what errors call it.
///
/// # Errors
/// As [`read_stl`].
pub fn parse_stl(bytes: &[u8], file: impl AsRef<Path>) -> Result<MeshFile, ReadError> {
    named(parse::<Joined>(bytes), bytes, file.as_ref())
}

/// Reads an STL file with three vertices a triangle: what a sequence needs, whose vertices may part later.
pub(crate) fn read_stl_apart(file: &Path) -> Result<MeshFile, ReadError> {
    read_as::<Apart>(file)
}

/// Binary triangles go through a small buffer: filling fresh memory with the whole file would take half of the time.
fn read_as<C: Corners>(file: &Path) -> Result<MeshFile, ReadError> {
    let io = |source| ReadError::Io { file: file.into(), source };
    let mut reader = File::open(file).map_err(io)?;
    let len = reader.metadata().map_err(io)?.len();
    let mut header = Vec::with_capacity(HEADER);
    reader.by_ref().take(HEADER as u64).read_to_end(&mut header).map_err(io)?;
    let Some(count) = announced(&header).filter(|&count| size_of(count) == len) else {
        let bytes = bytes_of(file)?;
        return named(parse::<C>(&bytes), &bytes, file);
    };
    let mut corners = C::default();
    corners.expect(count as usize);
    let mut block = vec![0; TRIANGLE * count.min(1024) as usize];
    for first in (0..count as usize).step_by(1024) {
        let here = TRIANGLE * (count as usize - first).min(1024);
        reader.read_exact(&mut block[..here]).map_err(io)?;
        let read = binary_triangles(&block[..here], first, &mut corners);
        read.map_err(|fault| fault.in_file(file))?;
    }
    named(Ok(corners.into_mesh()), &[], file)
}

/// What is done with the corners of a triangle.
trait Corners: Default {
    fn expect(&mut self, triangles: usize);
    fn push(&mut self, corners: [[f32; 3]; 3]);
    fn into_mesh(self) -> MeshFile;
}

/// Every corner a vertex.
#[derive(Default)]
struct Apart(Vec<[f32; 3]>);

impl Corners for Apart {
    fn expect(&mut self, triangles: usize) {
        self.0.reserve_exact(triangles * 3);
    }

    fn push(&mut self, corners: [[f32; 3]; 3]) {
        self.0.extend(corners);
    }

    fn into_mesh(self) -> MeshFile {
        MeshFile {
            triangles: (0..self.0.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect(),
            positions: self.0,
            ..MeshFile::default()
        }
    }
}

/// One vertex per distinct position; corners wait until there are enough to look them up together.
struct Joined {
    distinct: DistinctPositions,
    waiting: Vec<[f32; 3]>,
    vertices: Vec<u32>,
    triangles: Vec<[u32; 3]>,
}

/// A few kilobytes of corners.
const WAITING: usize = 3 * 256;

impl Joined {
    fn join(&mut self) {
        self.vertices.clear();
        self.distinct.number(&self.waiting, &mut self.vertices);
        self.triangles.extend(self.vertices.as_chunks::<3>().0);
        self.waiting.clear();
    }
}

impl Default for Joined {
    fn default() -> Self {
        Joined {
            distinct: DistinctPositions::with_capacity(0),
            waiting: Vec::with_capacity(WAITING),
            vertices: Vec::with_capacity(WAITING),
            triangles: Vec::new(),
        }
    }
}

impl Corners for Joined {
    fn expect(&mut self, triangles: usize) {
        // A closed surface has half as many vertices as triangles.
        self.distinct = DistinctPositions::with_capacity(triangles / 2);
        self.triangles.reserve_exact(triangles);
    }

    fn push(&mut self, corners: [[f32; 3]; 3]) {
        self.waiting.extend(corners);
        if self.waiting.len() == WAITING {
            self.join();
        }
    }

    fn into_mesh(mut self) -> MeshFile {
        self.join();
        MeshFile { positions: self.distinct.into_positions(), triangles: self.triangles, ..MeshFile::default() }
    }
}

/// How many triangles the header of a binary file announces, if as many corners can be numbered.
fn announced(bytes: &[u8]) -> Option<u32> {
    let count = bytes.get(80..HEADER)?;
    let count = u32::from_le_bytes([count[0], count[1], count[2], count[3]]);
    (count < u32::MAX / 3).then_some(count)
}

/// The size of a binary file.
fn size_of(triangles: u32) -> u64 {
    HEADER as u64 + u64::from(triangles) * TRIANGLE as u64
}

fn parse<C: Corners>(bytes: &[u8]) -> Result<MeshFile, Fault> {
    if bytes.is_empty() {
        return Err(Fault::file("the file is empty"));
    }
    let len = bytes.len() as u64;
    let text = plain(bytes);
    match announced(bytes) {
        Some(count) if size_of(count) == len => binary::<C>(bytes, count),
        // Text has letters where a binary file has its count, which then is far larger than any file.
        Some(count) if count > 0 && size_of(count) < len => {
            let mut mesh = binary::<C>(bytes, count)?;
            mesh.notes.push(format!("{} bytes after its last triangle are left out", len - size_of(count)));
            Ok(mesh)
        }
        _ if begins_as_text(&text) => parse_text::<C>(&text),
        Some(count) => {
            let size = size_of(count);
            let what = format!("{count} triangles need {size} bytes, but the file has {len}");
            Err(Fault::byte(80, what).with_hint("it may be truncated"))
        }
        None => {
            let what = "a text STL begins with `solid`, a binary one with 80 bytes and the number of its triangles";
            Err(Fault::byte(bytes.len().min(80), what).with_hint("is it another format?"))
        }
    }
}

/// The mesh of a binary file that has as many triangles.
fn binary<C: Corners>(bytes: &[u8], count: u32) -> Result<MeshFile, Fault> {
    let mut corners = C::default();
    corners.expect(count as usize);
    binary_triangles(&bytes[HEADER..size_of(count) as usize], 0, &mut corners)?;
    Ok(corners.into_mesh())
}

/// Takes in whole binary triangles, of which `first` have come before.
fn binary_triangles(bytes: &[u8], first: usize, corners: &mut impl Corners) -> Result<(), Fault> {
    for (t, triangle) in bytes.chunks_exact(TRIANGLE).enumerate() {
        let corner = |c: usize| {
            [0, 4, 8].map(|axis| {
                let at = 12 + 12 * c + axis;
                f32::from_le_bytes([triangle[at], triangle[at + 1], triangle[at + 2], triangle[at + 3]])
            })
        };
        let three = [corner(0), corner(1), corner(2)];
        if !three.as_flattened().iter().fold(true, |all, x| all & x.is_finite()) {
            check_finite(&three).map_err(|fault| later(fault, 3 * (first + t)))?;
        }
        corners.push(three);
    }
    Ok(())
}

fn parse_text<C: Corners>(text: &[u8]) -> Result<MeshFile, Fault> {
    let mut corners = C::default();
    let mut cursor = Cursor::new(text, 0);
    let mut three = [[0.0; 3]; 3];
    let mut filled = 0;
    let mut triangles = 0;
    let mut inside_facet = false;
    let mut ended = false;
    loop {
        cursor.skip_space();
        let start = cursor.at;
        // Some programs shout.
        let word = cursor.word();
        let shouted = word.first().is_some_and(u8::is_ascii_uppercase);
        let lower = if shouted { word.to_ascii_lowercase() } else { Vec::new() };
        match if shouted { &lower } else { word } {
            b"vertex" => {
                if filled == 3 {
                    return Err(Fault::line(text, start, "a facet with more than three corners"));
                }
                for x in &mut three[filled] {
                    let Some(value) = cursor.float::<f32>() else {
                        cursor.skip_space();
                        let what = format!("expected a number in triangle {triangles}, found {}", cursor.show_word());
                        return Err(Fault::line(text, cursor.at, what));
                    };
                    *x = value;
                }
                check_finite(&three[filled..=filled]).map_err(|fault| later(fault, 3 * triangles + filled))?;
                filled += 1;
            }
            b"endfacet" => {
                if filled != 3 {
                    let what = format!("triangle {triangles} has {filled} corners");
                    return Err(Fault::line(text, start, what));
                }
                corners.push(three);
                triangles += 1;
                filled = 0;
                inside_facet = false;
            }
            // The name behind these may be anything, also a word of ours.
            b"solid" => {
                cursor.line();
                ended = false;
            }
            b"endsolid" => {
                cursor.line();
                ended = true;
            }
            b"facet" => inside_facet = true,
            b"outer" | b"loop" | b"endloop" => {}
            b"normal" => {
                for _ in 0..3 {
                    cursor.word();
                }
            }
            b"" if inside_facet || filled > 0 || (triangles == 0 && !ended) => {
                let what = format!("the file ends in triangle {triangles}");
                return Err(Fault::line(text, start, what).with_hint("it may be truncated"));
            }
            b"" => {
                let mut mesh = corners.into_mesh();
                if !ended {
                    let triangles = counted(mesh.triangles.len() as u64, "triangle");
                    mesh.notes.push(format!("it ends without `endsolid`, after {triangles}"));
                }
                return Ok(mesh);
            }
            _ => {
                let what = format!("{} is not a word of a text STL", show(word));
                return Err(Fault::line(text, start, what));
            }
        }
    }
}

fn begins_as_text(bytes: &[u8]) -> bool {
    let first = bytes.trim_ascii_start().get(..5);
    first.is_some_and(|word| word.eq_ignore_ascii_case(b"solid"))
}

/// A fault in one of three corners, reported by the number of the corner in the file.
fn later(fault: Fault, first: usize) -> Fault {
    match fault {
        Fault::NotFinite { vertex, axis, value, precision } => {
            Fault::NotFinite { vertex: first + vertex, axis, value, precision }
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TENT: &str = "solid a tent\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n   vertex 0 1 1e0\n\
        endloop\nendfacet\nfacet normal nan nan nan\nouter loop\nvertex 1 0 0\nvertex 1 1 0\nvertex -0 1 1\nendloop\nendfacet\nendsolid a tent\n";

    fn binary() -> Vec<u8> {
        let mut file = b"solid binary files may say so too".to_vec();
        file.resize(80, b' ');
        file.extend(2_u32.to_le_bytes());
        for three in
            [[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 1.0]], [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [-0.0, 1.0, 1.0]]]
        {
            file.extend([0; 12]);
            file.extend(three.as_flattened().iter().flat_map(|x: &f32| x.to_le_bytes()));
            file.extend([7, 7]);
        }
        file
    }

    #[test]
    fn text_and_binary_files_share_vertices_at_equal_positions() {
        for file in [TENT.as_bytes().to_vec(), TENT.to_uppercase().into_bytes(), binary()] {
            let mesh = parse_stl(&file, "tent.stl").unwrap();
            assert_eq!(mesh.positions, [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 1.0], [1.0, 1.0, 0.0]]);
            assert_eq!(mesh.triangles, [[0, 1, 2], [1, 3, 2]]);
            assert_eq!(mesh.face_of_triangle, None);
            let apart = super::parse::<Apart>(&file).unwrap();
            assert_eq!(apart.positions.len(), 6);
            assert_eq!(apart.triangles, [[0, 1, 2], [3, 4, 5]]);
        }
    }

    #[test]
    fn every_truncation_of_a_file_is_refused() {
        let binary = binary();
        for len in 0..binary.len() {
            assert!(parse_stl(&binary[..len], "tent.stl").is_err(), "{len} bytes");
        }
        // A text that ends between two facets may be whole: it is read, and noted.
        let between: Vec<usize> = TENT.match_indices("endfacet").map(|(at, word)| at + word.len()).collect();
        for len in 0..TENT.len() - "endsolid a tent\n".len() {
            let read = parse_stl(&TENT.as_bytes()[..len], "tent.stl");
            match between.iter().position(|&at| len == at || len == at + 1) {
                None => assert!(read.is_err(), "{len} bytes"),
                Some(facet) => {
                    let what = format!("it ends without `endsolid`, after {}", counted(facet as u64 + 1, "triangle"));
                    assert_eq!(read.unwrap().notes, [what], "{len} bytes");
                }
            }
        }
    }

    #[test]
    fn bytes_behind_the_triangles_are_left_out_and_noted() {
        let mut file = binary();
        let whole = parse_stl(&file, "tent.stl").unwrap();
        file.extend(b"made by hand");
        let read = parse_stl(&file, "tent.stl").unwrap();
        assert_eq!((read.positions, read.triangles), (whole.positions, whole.triangles));
        assert_eq!(read.notes, ["12 bytes after its last triangle are left out"]);
        assert_eq!(whole.notes, [""; 0]);
    }
}
