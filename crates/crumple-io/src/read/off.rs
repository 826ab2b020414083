//! OFF: counts, one line per vertex, one line per face; `#` begins a comment.
//!
//! The keyword may be missing or run into the first count (`OFF8 6 12`), and may be `COFF`, `NOFF` or `STOFF` and their
//! like, which put colours, normals or texture coordinates behind the position: what follows three coordinates or the
//! corners of a face is stepped over to the end of the line. Four-dimensional and binary files are refused.

use std::path::Path;

use crate::error::{Fault, ReadError};
use crate::foreign::plain;
use crate::mesh_file::{FaceList, MeshFile, check_count, no_such_vertex};
use crate::text::{Cursor, Real, show};

use super::{bytes_of, cut, named};

/// Reads an OFF file.
///
/// # Errors
/// When the file cannot be opened, is not text of this format, ends early, names a vertex it does not have or has a
/// coordinate that is not finite.
pub fn read_off(file: impl AsRef<Path>) -> Result<MeshFile, ReadError> {
    let file = file.as_ref();
    parse_off(&bytes_of(file)?, file)
}

/// Reads OFF from memory; `file` is what errors call it.
///
/// # Errors
/// As [`read_off`].
pub fn parse_off(bytes: &[u8], file: impl AsRef<Path>) -> Result<MeshFile, ReadError> {
    cut(parse_off_fans(bytes, file.as_ref()))
}

/// As [`parse_off`], with every polygon a fan.
pub(crate) fn parse_off_fans<C: Real>(bytes: &[u8], file: &Path) -> Result<MeshFile<C>, ReadError> {
    named(parse(&plain(bytes)), bytes, file)
}

fn parse<C: Real>(text: &[u8]) -> Result<MeshFile<C>, Fault> {
    if text.is_empty() {
        return Err(Fault::file("the file is empty"));
    }
    let mut cursor = Cursor::new(text, 0);
    keyword(&mut cursor)?;
    let vertices = count(&mut cursor, "vertices")?;
    let count_of_faces = count(&mut cursor, "faces")?;
    skip_line(&mut cursor);

    // A vertex takes at least six bytes and a triangle eight: digits and the spaces between them.
    let mut positions = Vec::with_capacity(vertices.min(cursor.rest().len() / 6 + 1));
    for vertex in 0..vertices {
        let mut position = [C::default(); 3];
        skip_comments(&mut cursor);
        for (axis, x) in position.iter_mut().enumerate() {
            let Some(value) = cursor.float::<C>() else {
                let what = format!("a number in vertex {vertex} of {vertices}");
                return Err(expected(&what, &mut cursor));
            };
            if !value.is_finite() {
                return Err(Fault::NotFinite { vertex, axis, value: value.into(), precision: C::PRECISION });
            }
            *x = value;
        }
        positions.push(position);
        skip_line(&mut cursor);
    }

    let mut faces = FaceList::default();
    faces.triangles.reserve(count_of_faces.min(cursor.rest().len() / 8 + 1));
    let mut polygon = Vec::new();
    for face in 0..count_of_faces {
        polygon.clear();
        skip_comments(&mut cursor);
        let Some(corners) = count_here(&mut cursor) else {
            let what = format!("the number of corners of face {face} of {count_of_faces}");
            return Err(expected(&what, &mut cursor));
        };
        for _ in 0..corners {
            let Some(index) = cursor.integer() else {
                let what = format!("the number of a vertex in face {face} of {count_of_faces}");
                return Err(expected(&what, &mut cursor));
            };
            if index < 0 || index >= vertices as i64 {
                let what = no_such_vertex(face as u32, index, vertices);
                return Err(Fault::line(text, cursor.at, what));
            }
            polygon.push(index as u32);
        }
        faces.push(&polygon);
        skip_line(&mut cursor);
    }
    Ok(faces.into_mesh(positions))
}

/// Passes over the keyword, if there is one.
fn keyword(cursor: &mut Cursor<'_>) -> Result<(), Fault> {
    skip_comments(cursor);
    let mut ahead = cursor.clone();
    let start = ahead.at;
    let word = ahead.word();
    let end = word.windows(3).position(|three| three == b"OFF").map(|at| at + 3);
    if word.first().is_some_and(u8::is_ascii_digit) && end.is_none() {
        return Ok(());
    }
    // The first count may follow without a space.
    let word = match end {
        Some(end) if word[end..].iter().all(u8::is_ascii_digit) => &word[..end],
        _ => word,
    };
    ahead.at = start + word.len();
    match word.strip_suffix(b"OFF") {
        Some(b"" | b"C" | b"N" | b"CN" | b"ST" | b"STC" | b"STN" | b"STCN") => {}
        Some(b"4" | b"n" | b"4n" | b"C4" | b"Cn" | b"N4" | b"Nn") => {
            return Err(Fault::line(
                cursor.text,
                start,
                format!("{} has points of other than three dimensions", show(word)),
            ));
        }
        _ => {
            let what = format!("an OFF file begins with `OFF` or its counts, found {}", show(word));
            return Err(Fault::line(cursor.text, start, what).with_hint("is it another format?"));
        }
    }
    *cursor = ahead.clone();
    if ahead.word() == b"BINARY" {
        let fault = Fault::line(cursor.text, start, "binary OFF is not read");
        return Err(fault.with_hint("convert it to text or to PLY"));
    }
    Ok(())
}

fn count(cursor: &mut Cursor<'_>, of: &str) -> Result<usize, Fault> {
    skip_comments(cursor);
    match count_here(cursor) {
        Some(count) => check_count(count, of, |what| Fault::line(cursor.text, cursor.at, what)),
        None => Err(expected(&format!("the number of {of}"), cursor)),
    }
}

/// A number that is not negative; otherwise the cursor stays before it.
fn count_here(cursor: &mut Cursor<'_>) -> Option<u64> {
    let mut ahead = cursor.clone();
    let count = u64::try_from(ahead.integer()?).ok()?;
    *cursor = ahead;
    Some(count)
}

/// Passes over spaces, empty lines and comments.
fn skip_comments(cursor: &mut Cursor<'_>) {
    cursor.skip_space();
    while cursor.rest().first() == Some(&b'#') {
        cursor.line();
        cursor.skip_space();
    }
}

/// Passes over what follows on this line, which is nothing in most files.
fn skip_line(cursor: &mut Cursor<'_>) {
    cursor.line();
}

fn expected(what: &str, cursor: &mut Cursor<'_>) -> Fault {
    cursor.skip_space();
    Fault::line(cursor.text, cursor.at, format!("expected {what}, found {}", cursor.show_word()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<MeshFile, String> {
        parse_off(text.as_bytes(), "body.off").map_err(|error| error.with_hint_in_words())
    }

    #[test]
    fn comments_colours_and_polygons_are_read_past() {
        let mesh = parse(
            "# a square\nCOFF # with colours\n# counts\n4 2 0\n\n0 0 0 255 0 0 255\n1 0 0 1 1 1 1 # corner\n# between\n\
             1 1 0\n0 1 0 0\n4 0 1 2 3 0.5 0.5 0.5\n3 0 1 3",
        )
        .unwrap();
        assert_eq!(mesh.positions[2], [1.0, 1.0, 0.0]);
        assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3], [0, 1, 3]]);
        assert_eq!(mesh.face_of_triangle, Some(vec![0, 0, 1]));
    }

    #[test]
    fn the_keyword_and_the_number_of_edges_may_be_missing_or_on_one_line() {
        for text in [
            "3 1\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
            "OFF3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
            "\u{feff}OFF\r3 1 0\r0 0 0\r1 0 0\r0 1 0\r3 0 1 2\r",
            "OFF 3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
            "OFF\r\n3 1 0\r\n0 0 0\r\n1 0 0\r\n0 1 0\r\n3 0 1 2\r\n",
        ] {
            let mesh = parse(text).unwrap();
            assert_eq!((mesh.positions.len(), mesh.triangles.len()), (3, 1), "{text}");
            assert_eq!(mesh.face_of_triangle, None);
        }
    }

    #[test]
    fn other_kinds_of_off_are_refused_by_name() {
        assert_eq!(
            parse("OFF BINARY\n").unwrap_err(),
            "body.off: line 1: binary OFF is not read; hint: convert it to text or to PLY"
        );
        assert_eq!(
            parse("4OFF\n1 0 0\n0 0 0 1\n").unwrap_err(),
            "body.off: line 1: `4OFF` has points of other than three dimensions"
        );
    }

    #[test]
    fn a_missing_vertex_is_named_with_its_face_and_line() {
        assert_eq!(
            parse("OFF\n1 1 0\n0 0 0\n3 0 0 1\n").unwrap_err(),
            "body.off: line 4: face 0 uses vertex 1, but the file has 1 vertices"
        );
    }
}
