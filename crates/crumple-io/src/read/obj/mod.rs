//! OBJ: one statement per line, in any order; vertices are counted from 1, or backwards from the last one.
//!
//! Our own reader: faces must keep the file's order and numbers, and files in the wild bend the rules. Read: `v` (a
//! weight or colour behind the coordinates is stepped over), `f` in all four forms, `o` and `g` where bodies are asked
//! for, `\` at the end of a line, numbers alone on a line before the first statement (some programs put their counts
//! there). Every other statement that begins with a letter is stepped over; anything else is refused.

use std::collections::HashMap;
use std::path::Path;

use crate::error::{Fault, ReadError};
use crate::foreign::{explained, plain};
use crate::mesh_file::{FaceList, MeshFile, no_such_vertex};
use crate::polygon::cut_concave;
use crate::text::{Cursor, Real, show};

use super::{bytes_of, cut, name_of, named};

/// What becomes a body of its own in an OBJ file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ObjBodies {
    /// The whole file.
    #[default]
    File,
    /// Every object (`o`).
    Objects,
    /// Every group (`g`).
    Groups,
}

/// Reads an OBJ file as one mesh.
///
/// # Errors
/// When the file cannot be opened, is not OBJ, names a vertex it does not have or has a coordinate that is not finite.
pub fn read_obj(file: impl AsRef<Path>) -> Result<MeshFile, ReadError> {
    let file = file.as_ref();
    parse_obj(&bytes_of(file)?, file)
}

/// Reads an OBJ file as one mesh for each of its objects or groups.
///
/// The vertices of a part are those its faces use, in the file's order; `face_of_triangle` gives the faces of the file.
/// Parts of the same name are one.
///
/// # Errors
/// As [`read_obj`].
pub fn read_obj_bodies(file: impl AsRef<Path>, bodies: ObjBodies) -> Result<Vec<MeshFile>, ReadError> {
    let file = file.as_ref();
    parse_obj_bodies(&bytes_of(file)?, file, bodies)
}

/// Reads OBJ from memory; `file` is what errors call it.
///
/// # Errors
/// As [`read_obj`].
pub fn parse_obj(bytes: &[u8], file: impl AsRef<Path>) -> Result<MeshFile, ReadError> {
    cut(parse_obj_fans(bytes, file.as_ref()))
}

fn parse_obj_fans<C: Real>(bytes: &[u8], file: &Path) -> Result<MeshFile<C>, ReadError> {
    named(parse(&plain(bytes), Named::Nothing).map(Parsed::whole), bytes, file)
}

/// Reads OBJ from memory as one mesh for each of its objects or groups; `file` is what errors call it.
///
/// # Errors
/// As [`read_obj`].
pub fn parse_obj_bodies(bytes: &[u8], file: impl AsRef<Path>, bodies: ObjBodies) -> Result<Vec<MeshFile>, ReadError> {
    let mut parts = parse_obj_parts(bytes, file.as_ref(), bodies)?;
    for part in &mut parts {
        cut_concave(part);
    }
    Ok(parts)
}

/// As [`parse_obj_bodies`], with every polygon a fan.
pub(crate) fn parse_obj_parts<C: Real>(
    bytes: &[u8],
    file: &Path,
    bodies: ObjBodies,
) -> Result<Vec<MeshFile<C>>, ReadError> {
    if bodies == ObjBodies::File {
        return Ok(vec![parse_obj_fans(bytes, file)?]);
    }
    let text = plain(bytes);
    let parsed = parse(&text, bodies.into()).map_err(|fault| explained(fault, bytes).in_file(file))?;
    Ok(parsed.parts(&name_of(file)))
}

/// From which face on a material holds, in order; an empty name is none.
pub(crate) fn obj_materials(bytes: &[u8], file: &Path) -> Result<Vec<(u32, String)>, ReadError> {
    runs(bytes, file, Named::Materials)
}

/// From which face on groups hold, in order: their names, separated by blanks.
pub(crate) fn obj_groups(bytes: &[u8], file: &Path) -> Result<Vec<(u32, String)>, ReadError> {
    runs(bytes, file, Named::Groups)
}

fn runs(bytes: &[u8], file: &Path, named: Named) -> Result<Vec<(u32, String)>, ReadError> {
    let text = plain(bytes);
    let parsed = parse::<f32>(&text, named).map_err(|fault| explained(fault, bytes).in_file(file))?;
    Ok(parsed.names.into_iter().map(|(face, name)| (face, String::from_utf8_lossy(name).into_owned())).collect())
}

/// The statements that give the faces after them a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    Nothing,
    /// `o`
    Objects,
    /// `g`
    Groups,
    /// `usemtl`
    Materials,
}

impl From<ObjBodies> for Named {
    fn from(bodies: ObjBodies) -> Self {
        match bodies {
            ObjBodies::File => Named::Nothing,
            ObjBodies::Objects => Named::Objects,
            ObjBodies::Groups => Named::Groups,
        }
    }
}

/// What a file says.
struct Parsed<'a, C> {
    positions: Vec<[C; 3]>,
    faces: FaceList,
    /// From which face on a part of this name is meant.
    names: Vec<(u32, &'a [u8])>,
}

/// The largest vertex any face names, and where.
struct Largest {
    vertex: u32,
    face: u32,
    at: usize,
}

fn parse<C: Real>(text: &[u8], named: Named) -> Result<Parsed<'_, C>, Fault> {
    if text.is_empty() {
        return Err(Fault::file("the file is empty"));
    }
    let mut cursor = Cursor::new(text, 0);
    let mut parsed = Parsed { positions: Vec::new(), faces: FaceList::default(), names: Vec::new() };
    let mut largest = Largest { vertex: 0, face: 0, at: 0 };
    let mut polygon = Vec::new();
    let mut begun = false;
    loop {
        cursor.skip_space();
        let start = cursor.at;
        match cursor.rest() {
            [] => break,
            [b'v', b' ' | b'\t', ..] => {
                cursor.at += 2;
                let position = vertex(&mut cursor, parsed.positions.len())?;
                parsed.positions.push(position);
            }
            [b'f', b' ' | b'\t', ..] => {
                cursor.at += 2;
                polygon.clear();
                face(&mut cursor, &parsed, &mut polygon)?;
                let most = polygon.iter().copied().max().unwrap_or(0);
                if most > largest.vertex {
                    largest = Largest { vertex: most, face: parsed.faces.faces(), at: start };
                }
                parsed.faces.push(&polygon);
            }
            [b'o', b' ' | b'\t', ..] if named == Named::Objects => {
                let name = cursor.line()[1..].trim_ascii();
                parsed.names.push((parsed.faces.faces(), name));
                begun = true;
                continue;
            }
            [b'g', end, ..] if end.is_ascii_whitespace() && named == Named::Groups => {
                let name = cursor.line()[1..].trim_ascii();
                parsed.names.push((parsed.faces.faces(), name));
                begun = true;
                continue;
            }
            [b'u', b's', b'e', b'm', b't', b'l', end, ..] if named == Named::Materials && end.is_ascii_whitespace() => {
                let name = cursor.line()[6..].trim_ascii();
                parsed.names.push((parsed.faces.faces(), name));
                begun = true;
                continue;
            }
            [b'#', ..] => {
                cursor.line();
                continue;
            }
            [first, ..] if first.is_ascii_alphabetic() => {}
            [first, ..] if !begun && only_numbers(cursor.clone().line()) && first.is_ascii_digit() => {}
            _ => {
                let what = format!("{} is not a statement of an OBJ file", cursor.show_word());
                return Err(Fault::line(text, start, what).with_hint("is it another format?"));
            }
        }
        begun |= text[start].is_ascii_alphabetic();
        rest_of_statement(&mut cursor);
    }
    if parsed.positions.is_empty() {
        return Err(Fault::file("it has no vertices (`v` lines)").with_hint("is it another format?"));
    }
    // A face may come before its vertices, so this is known only now.
    if largest.vertex as usize >= parsed.positions.len() && parsed.faces.faces() > 0 {
        let what = no_such_vertex(largest.face, i64::from(largest.vertex) + 1, parsed.positions.len());
        return Err(Fault::line(text, largest.at, what + ", counted from 1"));
    }
    Ok(parsed)
}

fn vertex<C: Real>(cursor: &mut Cursor<'_>, vertex: usize) -> Result<[C; 3], Fault> {
    let mut position = [C::default(); 3];
    for (axis, x) in position.iter_mut().enumerate() {
        skip_blanks(cursor);
        let Some(value) = cursor.float_here::<C>() else {
            let what = format!("expected a number in vertex {}, found {}", vertex + 1, word_here(cursor));
            return Err(Fault::line(cursor.text, cursor.at, what));
        };
        if !value.is_finite() {
            return Err(Fault::NotFinite { vertex, axis, value: value.into(), precision: C::PRECISION });
        }
        *x = value;
    }
    Ok(position)
}

/// The corners of a face, counted from 0. Those past the last vertex so far may still come.
fn face<C: Real>(cursor: &mut Cursor<'_>, parsed: &Parsed<'_, C>, polygon: &mut Vec<u32>) -> Result<(), Fault> {
    loop {
        skip_blanks(cursor);
        let text = cursor.text;
        let start = cursor.at;
        if matches!(text.get(start), None | Some(b'\n' | b'#')) {
            return Ok(());
        }
        let negative = text[start] == b'-';
        let mut at = start + usize::from(negative);
        let digits = at;
        let mut index = 0_u64;
        while let Some(digit) = text.get(at).map(|b| b.wrapping_sub(b'0')).filter(|&d| d < 10) {
            index = index.saturating_mul(10).saturating_add(u64::from(digit));
            at += 1;
        }
        let ended = matches!(text.get(at), None | Some(b'/' | b'\\')) || text[at].is_ascii_whitespace();
        if at == digits || !ended {
            let what = format!(
                "expected the number of a vertex in face {}, found {}",
                parsed.faces.faces(),
                word_here(cursor)
            );
            return Err(Fault::line(text, start, what));
        }
        let so_far = parsed.positions.len() as u64;
        let vertex = if negative { so_far.checked_sub(index) } else { index.checked_sub(1) };
        let vertex = vertex.filter(|_| index != 0).and_then(|v| u32::try_from(v).ok());
        let Some(vertex) = vertex else {
            let what = format!(
                "face {} uses vertex {}, but vertices count from 1 or backwards from -1, and there are {so_far} so far",
                parsed.faces.faces(),
                show(&text[start..at])
            );
            return Err(Fault::line(text, start, what));
        };
        polygon.push(vertex);
        // Texture and normal do not matter here.
        while text.get(at).is_some_and(|&b| !b.is_ascii_whitespace() && b != b'\\') {
            at += 1;
        }
        cursor.at = at;
    }
}

/// Passes over spaces and over line ends with a `\` before them.
fn skip_blanks(cursor: &mut Cursor<'_>) {
    loop {
        cursor.skip_blanks();
        match cursor.rest() {
            [b'\\', b'\n', ..] => cursor.at += 2,
            [b'\\', b'\r', b'\n', ..] => cursor.at += 3,
            _ => return,
        }
    }
}

/// Passes over the rest of a statement, which goes on where a line ends in `\`.
fn rest_of_statement(cursor: &mut Cursor<'_>) {
    while cursor.line().ends_with(b"\\") {}
}

fn only_numbers(line: &[u8]) -> bool {
    line.iter().all(|b| b.is_ascii_digit() || b.is_ascii_whitespace())
}

/// The next word of this line, for a message.
fn word_here(cursor: &Cursor<'_>) -> String {
    match cursor.rest().first() {
        None | Some(b'\n') => "the end of the line".into(),
        _ => show(cursor.clone().word()),
    }
}

impl<C: Real> Parsed<'_, C> {
    fn whole(self) -> MeshFile<C> {
        self.faces.into_mesh(self.positions)
    }

    /// The parts that have triangles, in the order their names first appear; faces before any name belong to `unnamed`.
    fn parts(self, unnamed: &str) -> Vec<MeshFile<C>> {
        let positions = self.positions;
        let mesh = self.faces.into_mesh::<C>(Vec::new());
        let mut parts: Vec<MeshFile<C>> = Vec::new();
        let mut part_of_name = HashMap::new();
        let mut names = self.names.into_iter().peekable();
        let mut name: &[u8] = unnamed.as_bytes();
        for (t, &triangle) in mesh.triangles.iter().enumerate() {
            let face = mesh.face_of_triangle.as_ref().map_or(t as u32, |map| map[t]);
            while let Some((_, next)) = names.next_if(|&(first, _)| first <= face) {
                name = if next.is_empty() { unnamed.as_bytes() } else { next };
            }
            let part = *part_of_name.entry(name).or_insert_with(|| {
                parts.push(MeshFile {
                    name: String::from_utf8_lossy(name).into_owned(),
                    face_of_triangle: Some(Vec::new()),
                    ..MeshFile::default()
                });
                parts.len() - 1
            });
            parts[part].triangles.push(triangle);
            parts[part].face_of_triangle.get_or_insert_default().push(face);
        }
        for part in &mut parts {
            let mut used: Vec<u32> = part.triangles.as_flattened().to_vec();
            used.sort_unstable();
            used.dedup();
            for corner in part.triangles.as_flattened_mut() {
                // Every corner is among those used.
                *corner = used.partition_point(|&v| v < *corner) as u32;
            }
            part.positions = used.iter().map(|&v| positions[v as usize]).collect();
        }
        parts
    }
}

#[cfg(test)]
mod tests;
