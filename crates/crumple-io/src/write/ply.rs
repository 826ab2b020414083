//! PLY in each of its three encodings.

use std::io::{self, Write};
use std::path::Path;

use crate::error::WriteError;
use crate::mesh_file::{Encoding, MeshFile};

use super::{check_triangles, create, marks, write_float};

/// Writes the vertices and triangles of a mesh. Reading the file gives the same bits in every encoding.
///
/// # Errors
/// When the file cannot be written or a triangle names a vertex that is not there.
pub fn write_ply(file: impl AsRef<Path>, mesh: &MeshFile, encoding: Encoding) -> Result<(), WriteError> {
    let file = file.as_ref();
    check_triangles(mesh, file)?;
    create(file, |out| write(out, mesh, encoding, None))
}

/// As [`write_ply`], with a colour for each face: red for the triangles in `colliding`, grey for the others.
///
/// # Errors
/// As [`write_ply`], and when there is no such triangle.
pub fn write_ply_marked(
    file: impl AsRef<Path>,
    mesh: &MeshFile,
    colliding: &[u32],
    encoding: Encoding,
) -> Result<(), WriteError> {
    let file = file.as_ref();
    check_triangles(mesh, file)?;
    let marks = marks(mesh, colliding, file)?;
    create(file, |out| write(out, mesh, encoding, Some(&marks)))
}

/// They differ in lightness too.
const RED: [u8; 3] = [200, 30, 30];
const GREY: [u8; 3] = [210, 210, 210];

fn write(out: &mut impl Write, mesh: &MeshFile, encoding: Encoding, marks: Option<&[bool]>) -> io::Result<()> {
    let format = match encoding {
        Encoding::Ascii => "ascii",
        Encoding::LittleEndian => "binary_little_endian",
        Encoding::BigEndian => "binary_big_endian",
    };
    writeln!(out, "ply\nformat {format} 1.0")?;
    writeln!(out, "element vertex {}", mesh.positions.len())?;
    writeln!(out, "property float x\nproperty float y\nproperty float z")?;
    writeln!(out, "element face {}", mesh.triangles.len())?;
    writeln!(out, "property list uchar int vertex_indices")?;
    if marks.is_some() {
        writeln!(out, "property uchar red\nproperty uchar green\nproperty uchar blue")?;
    }
    writeln!(out, "end_header")?;
    for position in &mesh.positions {
        match encoding {
            Encoding::Ascii => {
                for (axis, &x) in position.iter().enumerate() {
                    write_float(out, x)?;
                    out.write_all(if axis == 2 { b"\n" } else { b" " })?;
                }
            }
            _ => out.write_all(bytemuck::bytes_of(&position.map(|x| stored(x.to_bits(), encoding))))?,
        }
    }
    for (t, triangle) in mesh.triangles.iter().enumerate() {
        let [a, b, c] = *triangle;
        let colour = marks.map(|marks| if marks[t] { RED } else { GREY });
        match encoding {
            Encoding::Ascii => {
                write!(out, "3 {a} {b} {c}")?;
                if let Some([red, green, blue]) = colour {
                    write!(out, " {red} {green} {blue}")?;
                }
                writeln!(out)?;
            }
            _ => {
                out.write_all(&[3])?;
                out.write_all(bytemuck::bytes_of(&triangle.map(|v| stored(v, encoding))))?;
                out.write_all(colour.as_ref().map_or(&[][..], |colour| colour))?;
            }
        }
    }
    Ok(())
}

/// A number whose bytes in memory are the bytes in the file.
fn stored(bits: u32, encoding: Encoding) -> u32 {
    match encoding {
        Encoding::BigEndian => bits.to_be(),
        _ => bits.to_le(),
    }
}
