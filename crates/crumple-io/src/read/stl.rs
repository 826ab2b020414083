//! STL: triangles without vertices in common, as text or binary.
//!
//! The file repeats a vertex in every triangle that uses it; here equal positions become one vertex, numbered in the
//! order they first appear, so that the mesh has the topology its maker meant. Triangles keep their order; normals,
//! attributes and the names of solids are stepped over.
//! Whether a file is binary shows in its size, since some binary files begin with `solid` too.

use std::path::Path;

use crate::error::{Fault, ReadError, check_finite};
use crate::mesh_file::MeshFile;
use crate::text::{Cursor, show};
use crate::weld::Places;

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
    let file = file.as_ref();
    parse_stl(&bytes_of(file)?, file)
}

/// Reads STL from memory; `file` is what errors call it.
///
/// # Errors
/// As [`read_stl`].
pub fn parse_stl(bytes: &[u8], file: impl AsRef<Path>) -> Result<MeshFile, ReadError> {
    named(parse(bytes, Joined::default()).map(Joined::into_mesh), file.as_ref())
}

/// Reads an STL file with three vertices a triangle: what a sequence needs, whose vertices may part later.
pub(crate) fn read_stl_apart(file: &Path) -> Result<MeshFile, ReadError> {
    parse_stl_apart(&bytes_of(file)?, file)
}

fn parse_stl_apart(bytes: &[u8], file: &Path) -> Result<MeshFile, ReadError> {
    named(parse(bytes, Apart::default()).map(Apart::into_mesh), file)
}

/// What is done with the corners of a triangle.
trait Corners {
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

/// Every place a vertex.
struct Joined {
    places: Places,
    mesh: MeshFile,
}

impl Default for Joined {
    fn default() -> Self {
        Joined { places: Places::for_about(0), mesh: MeshFile::default() }
    }
}

impl Corners for Joined {
    fn expect(&mut self, triangles: usize) {
        // A closed surface has half as many vertices as triangles.
        self.places = Places::for_about(triangles / 2);
        self.mesh.positions.reserve(triangles / 2 + 2);
        self.mesh.triangles.reserve_exact(triangles);
    }

    fn push(&mut self, corners: [[f32; 3]; 3]) {
        let positions = &mut self.mesh.positions;
        self.mesh.triangles.push(corners.map(|corner| {
            let next = positions.len() as u32;
            let vertex = self.places.find_or_insert(corner, positions, next);
            if vertex == next {
                positions.push(corner);
            }
            vertex
        }));
    }

    fn into_mesh(self) -> MeshFile {
        self.mesh
    }
}

fn parse<C: Corners>(bytes: &[u8], mut corners: C) -> Result<C, Fault> {
    if bytes.is_empty() {
        return Err(Fault::file("the file is empty"));
    }
    let announced = bytes.get(80..HEADER).map(|count| {
        let count = u32::from_le_bytes([count[0], count[1], count[2], count[3]]);
        (count, HEADER as u64 + u64::from(count) * TRIANGLE as u64)
    });
    let len = bytes.len() as u64;
    if announced.is_some_and(|(_, size)| size == len) {
        parse_binary(bytes, &mut corners)?;
    } else if begins_as_text(bytes) {
        parse_text(bytes, &mut corners)?;
    } else if let Some((count, size)) = announced {
        return Err(Fault::byte(
            80,
            format!("{count} triangles need {size} bytes, but the file has {len}; hint: it may be truncated"),
        ));
    } else {
        return Err(Fault::byte(
            bytes.len(),
            "a text STL begins with `solid` and a binary one has at least 84 bytes; hint: is it another format?",
        ));
    }
    Ok(corners)
}

fn parse_binary(bytes: &[u8], corners: &mut impl Corners) -> Result<(), Fault> {
    let triangles = &bytes[HEADER..];
    // Three times as many vertices at most, and a vertex is numbered in 32 bits.
    if triangles.len() / TRIANGLE > (u32::MAX / 3) as usize {
        return Err(Fault::byte(80, "more triangles than can be numbered"));
    }
    corners.expect(triangles.len() / TRIANGLE);
    for (t, triangle) in triangles.chunks_exact(TRIANGLE).enumerate() {
        let corner = |c: usize| {
            [0, 4, 8].map(|axis| {
                let at = 12 + 12 * c + axis;
                f32::from_le_bytes([triangle[at], triangle[at + 1], triangle[at + 2], triangle[at + 3]])
            })
        };
        let three = [corner(0), corner(1), corner(2)];
        if !three.as_flattened().iter().fold(true, |all, x| all & x.is_finite()) {
            check_finite(&three).map_err(|fault| later(fault, 3 * t))?;
        }
        corners.push(three);
    }
    Ok(())
}

fn parse_text(text: &[u8], corners: &mut impl Corners) -> Result<(), Fault> {
    let mut cursor = Cursor::new(text, 0);
    let mut three = [[0.0; 3]; 3];
    let mut filled = 0;
    let mut triangles = 0;
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
                    let Some(value) = cursor.float() else {
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
            b"facet" | b"outer" | b"loop" | b"endloop" => {}
            b"normal" => {
                for _ in 0..3 {
                    cursor.word();
                }
            }
            b"" if ended => return Ok(()),
            b"" => {
                let what =
                    format!("the file ends in triangle {triangles}, without `endsolid`; hint: it may be truncated");
                return Err(Fault::line(text, start, what));
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

/// A fault in one of three corners, told by the number of the corner in the file.
fn later(fault: Fault, first: usize) -> Fault {
    match fault {
        Fault::NotFinite { vertex, axis, value } => Fault::NotFinite { vertex: first + vertex, axis, value },
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
            let apart = parse_stl_apart(&file, Path::new("tent.stl")).unwrap();
            assert_eq!(apart.positions.len(), 6);
            assert_eq!(apart.triangles, [[0, 1, 2], [3, 4, 5]]);
        }
    }

    #[test]
    fn every_truncation_of_a_file_is_refused() {
        for file in [TENT.as_bytes().to_vec(), binary()] {
            // The last line's name and end are not needed.
            for len in 0..file.len() - "a tent\n".len() - 1 {
                assert!(parse_stl(&file[..len], "tent.stl").is_err(), "{len} bytes");
            }
        }
    }
}
