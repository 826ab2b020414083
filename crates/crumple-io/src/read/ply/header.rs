//! The header of a PLY file: what records follow and how they are laid out.

use crate::error::Fault;
use crate::foreign::{has_carriage_returns_alone, without_mark};
use crate::mesh_file::{Encoding, check_count};
use crate::text::{Cursor, show};

#[derive(Debug)]
pub(super) struct Header {
    pub(super) encoding: Encoding,
    pub(super) elements: Vec<Element>,
    /// How many vertices the header announces.
    pub(super) vertices: usize,
}

/// One kind of record.
#[derive(Debug)]
pub(super) struct Element {
    pub(super) role: Role,
    pub(super) name: String,
    pub(super) count: usize,
    pub(super) properties: Vec<Property>,
}

/// What a kind of record is to us, with the properties we want of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Role {
    /// The properties `x`, `y`, `z`.
    Vertices([usize; 3]),
    /// The property with the corners.
    Faces(usize),
    Other,
}

impl Header {
    /// Whether there are positions that f32 numbers may not hold.
    pub(super) fn needs_f64(&self) -> bool {
        self.elements.iter().any(|element| match element.role {
            Role::Vertices(axes) => axes.iter().any(|&axis| {
                matches!(element.properties[axis].kind, Kind::One(Scalar::F64 | Scalar::I32 | Scalar::U32))
            }),
            _ => false,
        })
    }

    /// Makes the readers take a scalar property of the vertices for all three coordinates; `false` if there is none of that name.
    pub(super) fn read_in_place_of_positions(&mut self, name: &str) -> bool {
        let vertices = self.elements.iter_mut().find(|element| matches!(element.role, Role::Vertices(_)));
        let Some(vertices) = vertices else { return false };
        let is_meant = |property: &Property| property.name == name && matches!(property.kind, Kind::One(_));
        let found = vertices.properties.iter().position(is_meant);
        if let Some(property) = found {
            vertices.role = Role::Vertices([property; 3]);
        }
        found.is_some()
    }
}

#[derive(Debug)]
pub(super) struct Property {
    pub(super) name: String,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    One(Scalar),
    List { count: Scalar, item: Scalar },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    fn named(word: &[u8]) -> Option<Self> {
        Some(match word {
            b"char" | b"int8" => Scalar::I8,
            b"uchar" | b"uint8" => Scalar::U8,
            b"short" | b"int16" => Scalar::I16,
            b"ushort" | b"uint16" => Scalar::U16,
            b"int" | b"int32" => Scalar::I32,
            b"uint" | b"uint32" => Scalar::U32,
            b"float" | b"float32" => Scalar::F32,
            b"double" | b"float64" => Scalar::F64,
            _ => return None,
        })
    }

    pub(super) fn size(self) -> usize {
        match self {
            Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::F64 => 8,
        }
    }

    pub(super) fn is_whole(self) -> bool {
        !matches!(self, Scalar::F32 | Scalar::F64)
    }
}

/// Reads the header; gives it and the byte at which the records begin.
pub(super) fn parse(bytes: &[u8]) -> Result<(Header, usize), Fault> {
    if bytes.is_empty() {
        return Err(Fault::file("the file is empty"));
    }
    let text = without_mark(bytes);
    let mut cursor = Cursor::new(bytes, bytes.len() - text.len());
    // The records may begin with a byte that looks like a line end, so how lines end is found out from the first.
    let line = if has_carriage_returns_alone(text) { Cursor::line_before_return } else { Cursor::line };
    if line(&mut cursor).trim_ascii() != b"ply" {
        return Err(Fault::line(bytes, 0, "a PLY file begins with the line `ply`").with_hint("is it another format?"));
    }
    let mut encoding = None;
    let mut elements: Vec<Element> = Vec::new();
    loop {
        let start = cursor.at;
        let fault = |what: String| Fault::line(bytes, start, what);
        if start == bytes.len() {
            return Err(fault("the header has no `end_header` line".into()));
        }
        let line = line(&mut cursor);
        let mut words = line.split(u8::is_ascii_whitespace).filter(|w| !w.is_empty());
        match words.next().unwrap_or_default() {
            b"comment" | b"obj_info" | b"" => {}
            b"end_header" => break,
            b"format" => {
                encoding = Some(match words.next().unwrap_or_default() {
                    b"ascii" => Encoding::Ascii,
                    b"binary_little_endian" => Encoding::LittleEndian,
                    b"binary_big_endian" => Encoding::BigEndian,
                    other => {
                        return Err(fault(format!(
                            "the format is {}, not ascii, binary_little_endian or binary_big_endian",
                            shown(other)
                        )));
                    }
                });
            }
            b"element" => {
                let name = words.next().unwrap_or_default();
                let count = words.next().unwrap_or_default();
                let announced = std::str::from_utf8(count).ok().and_then(|c| c.parse::<u64>().ok());
                let Some(announced) = announced else {
                    return Err(fault(format!(
                        "an element needs a name and a count, found {} and {}",
                        shown(name),
                        shown(count)
                    )));
                };
                let name = String::from_utf8_lossy(name).into_owned();
                if elements.iter().any(|e| e.name == name) {
                    return Err(fault(format!("element `{}` is there twice", name.escape_debug())));
                }
                elements.push(Element {
                    role: Role::Other,
                    count: check_count(announced, "records", fault)?,
                    name,
                    properties: Vec::new(),
                });
            }
            b"property" => {
                let Some(element) = elements.last_mut() else {
                    return Err(fault("a property comes before any element".into()));
                };
                let kind = kind(&mut words).map_err(fault)?;
                let name = String::from_utf8_lossy(words.next().unwrap_or_default()).into_owned();
                element.properties.push(Property { name, kind });
            }
            // Programs add lines of their own, such as the name of a texture, and readers step over them.
            _ => {}
        }
    }
    let Some(encoding) = encoding else {
        return Err(Fault::file("the header has no `format` line"));
    };
    let mut vertices = None;
    for element in &mut elements {
        element.role = role(element)?;
        if let Role::Vertices(_) = element.role {
            vertices = Some(element.count);
        }
    }
    let Some(vertices) = vertices else {
        return Err(Fault::file("the header announces no element `vertex`"));
    };
    let header = Header { encoding, elements, vertices };
    Ok((header, cursor.at))
}

fn kind<'a>(words: &mut impl Iterator<Item = &'a [u8]>) -> Result<Kind, String> {
    let scalar =
        |word: &[u8]| Scalar::named(word).ok_or_else(|| format!("{} is not a type of PLY properties", shown(word)));
    let first = words.next().unwrap_or_default();
    if first != b"list" {
        return Ok(Kind::One(scalar(first)?));
    }
    let count = scalar(words.next().unwrap_or_default())?;
    let item = scalar(words.next().unwrap_or_default())?;
    if !count.is_whole() {
        return Err("the length of a list must have a whole-number type".into());
    }
    Ok(Kind::List { count, item })
}

fn role(element: &Element) -> Result<Role, Fault> {
    let find = |name: &str| element.properties.iter().position(|p| p.name == name);
    match element.name.as_str() {
        "vertex" => {
            let mut axes = [0; 3];
            for (axis, name) in axes.iter_mut().zip(["x", "y", "z"]) {
                let found = find(name).filter(|&p| matches!(element.properties[p].kind, Kind::One(_)));
                *axis = found.ok_or_else(|| Fault::file(format!("its vertices have no property `{name}`")))?;
            }
            Ok(Role::Vertices(axes))
        }
        "face" => {
            let found = find("vertex_indices").or_else(|| find("vertex_index"));
            let Some(corners) = found else {
                return Err(Fault::file("its faces have no list `vertex_indices`"));
            };
            match element.properties[corners].kind {
                Kind::List { item, .. } if item.is_whole() => Ok(Role::Faces(corners)),
                _ => Err(Fault::file("the corners of its faces are not a list of whole numbers")),
            }
        }
        "tristrips" if element.count > 0 => {
            Err(Fault::file("it holds triangle strips, which are not read").with_hint("convert it to a PLY with faces"))
        }
        _ => Ok(Role::Other),
    }
}

/// A word of the header for a message, or that it is missing.
fn shown(word: &[u8]) -> String {
    if word.is_empty() { "nothing".into() } else { show(word) }
}
