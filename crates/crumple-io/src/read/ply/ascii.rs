//! The records of an ASCII PLY file: words between spaces and line ends, wherever those fall.

use crate::error::Fault;
use crate::mesh_file::{FaceList, MeshFile, no_such_vertex};
use crate::text::{Cursor, Real};

use super::super::Vertices;
use super::header::{Element, Header, Kind, Role};

pub(super) fn parse<C: Real>(
    header: &Header,
    text: &[u8],
    body: usize,
    wanted: Vertices,
) -> Result<MeshFile<C>, Fault> {
    let mut cursor = Cursor::new(text, body);
    let mut positions = Vec::new();
    let mut faces = FaceList::default();
    for element in &header.elements {
        match element.role {
            Role::Vertices(axes) if wanted != Vertices::Skipped => {
                vertices(element, axes, &mut cursor, &mut positions)?;
            }
            Role::Faces(corners) => read_faces(element, corners, header.vertices, &mut cursor, &mut faces)?,
            Role::Other | Role::Vertices(_) if element.properties.is_empty() => {}
            Role::Other | Role::Vertices(_) => {
                for record in 0..element.count {
                    for property in &element.properties {
                        skip(element, record, property.kind, &mut cursor)?;
                    }
                }
            }
        }
    }
    Ok(faces.into_mesh(positions))
}

fn vertices<C: Real>(
    element: &Element,
    axes: [usize; 3],
    cursor: &mut Cursor<'_>,
    positions: &mut Vec<[C; 3]>,
) -> Result<(), Fault> {
    // A vertex takes at least six bytes: three digits and the spaces between them.
    positions.reserve_exact(element.count.min(cursor.rest().len() / 6 + 1));
    for record in 0..element.count {
        let mut position = [C::default(); 3];
        for (p, property) in element.properties.iter().enumerate() {
            let Some(axis) = axes.iter().position(|&axis| axis == p) else {
                skip(element, record, property.kind, cursor)?;
                continue;
            };
            let Some(value) = cursor.float::<C>() else {
                return Err(expected("a number", element, record, cursor));
            };
            if !value.is_finite() {
                return Err(Fault::NotFinite { vertex: record, axis, value: value.into(), precision: C::PRECISION });
            }
            position[axis] = value;
        }
        positions.push(position);
    }
    Ok(())
}

fn read_faces(
    element: &Element,
    corners: usize,
    vertices: usize,
    cursor: &mut Cursor<'_>,
    faces: &mut FaceList,
) -> Result<(), Fault> {
    let mut polygon: Vec<u32> = Vec::new();
    for record in 0..element.count {
        for (p, property) in element.properties.iter().enumerate() {
            if p != corners {
                skip(element, record, property.kind, cursor)?;
                continue;
            }
            polygon.clear();
            for _ in 0..list_len(element, record, cursor)? {
                let Some(index) = cursor.integer() else {
                    return Err(expected("the number of a vertex", element, record, cursor));
                };
                if index < 0 || index >= vertices as i64 {
                    return Err(Fault::line(cursor.text, cursor.at, no_such_vertex(faces.faces(), index, vertices)));
                }
                polygon.push(index as u32);
            }
        }
        faces.push(&polygon);
    }
    Ok(())
}

fn skip(element: &Element, record: usize, kind: Kind, cursor: &mut Cursor<'_>) -> Result<(), Fault> {
    let words = match kind {
        Kind::One(_) => 1,
        Kind::List { .. } => list_len(element, record, cursor)?,
    };
    for _ in 0..words {
        if cursor.word().is_empty() {
            return Err(expected("a value", element, record, cursor));
        }
    }
    Ok(())
}

fn list_len(element: &Element, record: usize, cursor: &mut Cursor<'_>) -> Result<u64, Fault> {
    let before = cursor.clone();
    cursor
        .integer()
        .and_then(|len| u64::try_from(len).ok())
        .ok_or_else(|| expected("the length of a list", element, record, &before))
}

fn expected(what: &str, element: &Element, record: usize, cursor: &Cursor<'_>) -> Fault {
    let mut at = cursor.clone();
    at.skip_space();
    Fault::line(
        at.text,
        at.at,
        format!(
            "expected {what} in {} {record} of {}, found {}",
            element.name.escape_debug(),
            element.count,
            at.show_word()
        ),
    )
}
