//! OBJ, plain or with the colliding triangles in a group of their own.

use std::io::{self, Write};
use std::path::Path;

use crate::error::WriteError;
use crate::mesh_file::MeshFile;

use super::{check_triangles, create, marks, write_float};

/// Writes the vertices and triangles of a mesh. Reading the file gives the same bits.
///
/// # Errors
/// When the file cannot be written or a triangle names a vertex that is not there.
pub fn write_obj(file: impl AsRef<Path>, mesh: &MeshFile) -> Result<(), WriteError> {
    let file = file.as_ref();
    check_triangles(mesh, file)?;
    create(file, |out| write(out, mesh, None))
}

/// As [`write_obj`], with the triangles in `colliding` in the group `colliding` and the others in `clear`. Triangles keep
/// their order, so a group is taken up as often as it is needed.
///
/// # Errors
/// As [`write_obj`], and when there is no such triangle.
pub fn write_obj_marked(file: impl AsRef<Path>, mesh: &MeshFile, colliding: &[u32]) -> Result<(), WriteError> {
    let file = file.as_ref();
    check_triangles(mesh, file)?;
    let marks = marks(mesh, colliding, file)?;
    create(file, |out| write(out, mesh, Some(&marks)))
}

fn write(out: &mut impl Write, mesh: &MeshFile, marks: Option<&[bool]>) -> io::Result<()> {
    for position in &mesh.positions {
        out.write_all(b"v")?;
        for &x in position {
            out.write_all(b" ")?;
            write_float(out, x)?;
        }
        out.write_all(b"\n")?;
    }
    let mut group = None;
    for (t, &[a, b, c]) in mesh.triangles.iter().enumerate() {
        let mark = marks.map(|marks| marks[t]);
        if mark != group {
            group = mark;
            writeln!(out, "g {}", if mark == Some(true) { "colliding" } else { "clear" })?;
        }
        let [a, b, c] = [a, b, c].map(|v| u64::from(v) + 1);
        writeln!(out, "f {a} {b} {c}")?;
    }
    Ok(())
}
