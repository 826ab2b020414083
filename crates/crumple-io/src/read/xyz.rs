//! XYZ: points alone, one per line, three numbers with blanks between them.
//!
//! What follows the three numbers on a line (a colour, a normal) is stepped over, and so are empty lines and those that
//! begin with `#`. A mesh without triangles comes out.

use std::path::Path;

use crate::error::{Fault, ReadError};
use crate::foreign::plain;
use crate::mesh_file::{FaceList, MeshFile};
use crate::text::{Cursor, Real};

use super::{bytes_of, named};

/// Reads an XYZ file.
///
/// # Errors
/// When the file cannot be opened, a line does not begin with three numbers or a coordinate is not finite.
pub fn read_xyz(file: impl AsRef<Path>) -> Result<MeshFile, ReadError> {
    let file = file.as_ref();
    parse_xyz(&bytes_of(file)?, file)
}

/// Reads XYZ from memory; `file` is what errors call it.
///
/// # Errors
/// As [`read_xyz`].
pub fn parse_xyz(bytes: &[u8], file: impl AsRef<Path>) -> Result<MeshFile, ReadError> {
    parse_xyz_as(bytes, file.as_ref())
}

/// As [`parse_xyz`], in the precision wanted.
pub(crate) fn parse_xyz_as<C: Real>(bytes: &[u8], file: &Path) -> Result<MeshFile<C>, ReadError> {
    named(parse(&plain(bytes)), bytes, file)
}

fn parse<C: Real>(text: &[u8]) -> Result<MeshFile<C>, Fault> {
    let mut cursor = Cursor::new(text, 0);
    let mut positions = Vec::new();
    loop {
        cursor.skip_space();
        match cursor.rest().first() {
            None => return Ok(FaceList::default().into_mesh(positions)),
            Some(b'#') => {}
            Some(_) => positions.push(point(&mut cursor, positions.len())?),
        }
        cursor.line();
    }
}

fn point<C: Real>(cursor: &mut Cursor<'_>, vertex: usize) -> Result<[C; 3], Fault> {
    let start = cursor.at;
    let mut position = [C::default(); 3];
    for (axis, x) in position.iter_mut().enumerate() {
        cursor.skip_blanks();
        // A number on the next line belongs to the next point.
        let line_goes_on = cursor.rest().first().is_some_and(|&byte| byte != b'\n');
        let Some(value) = line_goes_on.then(|| cursor.float_here::<C>()).flatten() else {
            let what = "a line has three numbers, as in `0.5 1 -2.25`";
            return Err(Fault::line(cursor.text, start, what).with_hint("is it another format?"));
        };
        if !value.is_finite() {
            return Err(Fault::NotFinite { vertex, axis, value: value.into(), precision: C::PRECISION });
        }
        *x = value;
    }
    Ok(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_stand_a_line_each_with_whatever_behind_them() {
        let text = b"# x y z\n0 0.5 -1e-3\r\n\n  1\t2 3 255 0 0\n4 5 6";
        let mesh = parse_xyz(text, "folder/points.xyz").unwrap();
        assert_eq!(mesh.positions, [[0.0, 0.5, -1e-3], [1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
        assert_eq!((mesh.name.as_str(), mesh.triangles.len()), ("points", 0));
        assert_eq!(parse_xyz(b"", "none.xyz").unwrap().positions.len(), 0);
    }

    #[test]
    fn a_line_without_three_numbers_is_named() {
        let refused = |text: &[u8]| parse_xyz(text, "p.xyz").unwrap_err().with_hint_in_words();
        let what = "a line has three numbers, as in `0.5 1 -2.25`; hint: is it another format?";
        for text in ["0 0 0\n1 2\n3 4 5\n", "0 0 0\n1 2", "0 0 0\n1,2,3\n", "0 0 0\nx y z"] {
            assert_eq!(refused(text.as_bytes()), format!("p.xyz: line 2: {what}"), "{text}");
        }
        assert_eq!(refused(b"\xff\x00\n"), format!("p.xyz: line 1: {what}"));
        let not_finite = "p.xyz: vertex 1 has z = inf, which is not a finite single-precision number";
        assert_eq!(refused(b"0 0 0\n0 0 1e99\n"), not_finite);
    }
}
