//! The records of a binary PLY file.
//!
//! Two speeds: records of one size, and faces laid out as most programs write them, are copied in bulk; everything else
//! is walked value by value. The walk alone knows how to complain: a bulk copy that meets something unusual stops before
//! it and leaves the rest to the walk, which names the byte.

use crate::error::{Fault, check_finite};
use crate::mesh_file::{FaceList, MeshFile, no_such_vertex};
use crate::text::Real;

use super::super::Vertices;
use super::header::{Element, Header, Kind, Property, Role, Scalar};

pub(super) fn parse<const BIG: bool, C: Real>(
    header: &Header,
    bytes: &[u8],
    body: usize,
    wanted: Vertices,
) -> Result<MeshFile<C>, Fault> {
    let mut at = body;
    let mut positions = Vec::new();
    let mut faces = FaceList::default();
    for element in &header.elements {
        let mut walk = Walk::<BIG> { bytes, at, element, record: 0 };
        match element.role {
            Role::Vertices(_) if wanted == Vertices::Skipped => walk.others()?,
            Role::Vertices(axes) => walk.vertices(axes, wanted, &mut positions)?,
            Role::Faces(corners) => walk.faces(corners, header.vertices, &mut faces)?,
            Role::Other => walk.others()?,
        }
        at = walk.at;
    }
    Ok(faces.into_mesh(positions))
}

/// How many bytes of a face lie before the number of its corners and behind the corners.
#[derive(Clone, Copy)]
struct Usual {
    before: usize,
    after: usize,
}

/// Steps through the records of one element.
struct Walk<'a, const BIG: bool> {
    bytes: &'a [u8],
    at: usize,
    element: &'a Element,
    record: usize,
}

impl<'a, const BIG: bool> Walk<'a, BIG> {
    fn vertices<C: Real>(
        &mut self,
        axes: [usize; 3],
        wanted: Vertices,
        positions: &mut Vec<[C; 3]>,
    ) -> Result<(), Fault> {
        let Some((stride, offsets)) = self.fixed_layout() else {
            return self.walked_vertices(axes, positions);
        };
        let records = self.take(stride)?;
        let offset = axes.map(|axis| offsets[axis]);
        let scalar = axes.map(|axis| match self.element.properties[axis].kind {
            Kind::One(scalar) => scalar,
            Kind::List { count, .. } => count,
        });
        if scalar == [Scalar::F32; 3] && offset == [0, 4, 8] && stride == 12 {
            positions.extend(records.chunks_exact(12).map(|r| [0, 4, 8].map(|o| C::from_f32(float::<BIG>(r, o)))));
        } else if scalar == [Scalar::F32; 3] {
            positions.extend(records.chunks_exact(stride).map(|r| offset.map(|o| C::from_f32(float::<BIG>(r, o)))));
        } else {
            for record in records.chunks_exact(stride) {
                let wide = [0, 1, 2].map(|axis| value::<BIG>(scalar[axis], &record[offset[axis]..]));
                positions.push(narrow(wide, positions.len())?);
            }
        }
        if wanted == Vertices::Checked { check_finite(positions) } else { Ok(()) }
    }

    /// Vertices that carry lists.
    fn walked_vertices<C: Real>(&mut self, axes: [usize; 3], positions: &mut Vec<[C; 3]>) -> Result<(), Fault> {
        while self.record < self.element.count {
            let mut wide = [0.0; 3];
            for (p, property) in self.element.properties.iter().enumerate() {
                match (property.kind, axes.iter().position(|&axis| axis == p)) {
                    (Kind::One(scalar), Some(axis)) => wide[axis] = self.one(scalar)?,
                    (kind, _) => self.skip(kind)?,
                }
            }
            positions.push(narrow(wide, positions.len())?);
            self.record += 1;
        }
        Ok(())
    }

    fn faces(&mut self, corners: usize, vertices: usize, faces: &mut FaceList) -> Result<(), Fault> {
        let mut polygon: Vec<u32> = Vec::new();
        if let Some(usual) = self.usual_faces(corners) {
            while self.triangles(usual, vertices, faces) || self.polygons(usual, vertices, faces, &mut polygon) {}
        }
        while self.record < self.element.count {
            for (p, property) in self.element.properties.iter().enumerate() {
                match property.kind {
                    Kind::List { count, item } if p == corners => {
                        let (len, start) = (self.list_len(count, item)?, self.at);
                        polygon.clear();
                        for corner in 0..len {
                            let index = self.one(item)? as i64;
                            if index < 0 || index >= vertices as i64 {
                                return Err(Fault::byte(
                                    start + corner * item.size(),
                                    no_such_vertex(faces.faces(), index, vertices),
                                ));
                            }
                            polygon.push(index as u32);
                        }
                    }
                    kind => self.skip(kind)?,
                }
            }
            faces.push(&polygon);
            self.record += 1;
        }
        Ok(())
    }

    /// The bytes before and behind the corners of a face, if faces are laid out as most programs write them.
    fn usual_faces(&self, corners: usize) -> Option<Usual> {
        let properties = &self.element.properties;
        let size_of = |part: &[Property]| {
            part.iter().try_fold(0, |sum, p| match p.kind {
                Kind::One(scalar) => Some(sum + scalar.size()),
                Kind::List { .. } => None,
            })
        };
        match properties[corners].kind {
            Kind::List { count, item: Scalar::I32 | Scalar::U32 } if count.size() == 1 => {
                Some(Usual { before: size_of(&properties[..corners])?, after: size_of(&properties[corners + 1..])? })
            }
            _ => None,
        }
    }

    /// Copies triangles until a face that is none, or that is wrong in some way; says whether there were any.
    fn triangles(&mut self, usual: Usual, vertices: usize, faces: &mut FaceList) -> bool {
        let stride = usual.before + 1 + 12 + usual.after;
        let rest = &self.bytes[self.at..];
        let fit = (self.element.count - self.record).min(rest.len() / stride);
        let first = faces.faces();
        let mut largest = 0;
        let triangles = rest.chunks_exact(stride).take(fit).map_while(|record| {
            let corner = [1, 5, 9].map(|at| whole::<BIG>(record, usual.before + at));
            (record[usual.before] == 3).then(|| {
                largest = largest.max(corner[0]).max(corner[1]).max(corner[2]);
                corner
            })
        });
        faces.extend(fit, triangles);
        let run = (faces.faces() - first) as usize;
        if run > 0 && largest as usize >= vertices {
            faces.truncate(first);
            return false;
        }
        self.record += run;
        self.at += run * stride;
        run > 0
    }

    /// Copies polygons until a triangle, or a face that is wrong in some way; says whether there were any.
    fn polygons(&mut self, usual: Usual, vertices: usize, faces: &mut FaceList, polygon: &mut Vec<u32>) -> bool {
        let first = self.record;
        while self.record < self.element.count {
            let rest = &self.bytes[self.at..];
            // More than 127 would be negative in a signed byte.
            let corners = rest.get(usual.before).map_or(usize::MAX, |&corners| usize::from(corners));
            let size = usual.before + 1 + (4 * corners.min(128)) + usual.after;
            if corners == 3 || corners > 127 || rest.len() < size {
                break;
            }
            polygon.clear();
            let bytes = &rest[usual.before + 1..usual.before + 1 + 4 * corners];
            polygon.extend(bytes.chunks_exact(4).map(|four| whole::<BIG>(four, 0)));
            if polygon.iter().any(|&vertex| vertex as usize >= vertices) {
                break;
            }
            faces.push(polygon);
            self.record += 1;
            self.at += size;
        }
        self.record > first
    }

    fn others(&mut self) -> Result<(), Fault> {
        if let Some((stride, _)) = self.fixed_layout() {
            self.take(stride)?;
            return Ok(());
        }
        while self.record < self.element.count {
            for property in &self.element.properties {
                self.skip(property.kind)?;
            }
            self.record += 1;
        }
        Ok(())
    }

    /// The size of a record and where its properties lie, if every record has the same.
    fn fixed_layout(&self) -> Option<(usize, Vec<usize>)> {
        let mut offsets = Vec::with_capacity(self.element.properties.len());
        let mut size = 0;
        for property in &self.element.properties {
            let Kind::One(scalar) = property.kind else {
                return None;
            };
            offsets.push(size);
            size += scalar.size();
        }
        Some((size, offsets))
    }

    /// All records of the element, each of `stride` bytes.
    fn take(&mut self, stride: usize) -> Result<&'a [u8], Fault> {
        let rest = &self.bytes[self.at..];
        let need = (self.element.count as u64).saturating_mul(stride as u64);
        if need > rest.len() as u64 {
            self.record = rest.len() / stride;
            return Err(self.ends_early());
        }
        self.at += need as usize;
        Ok(&rest[..need as usize])
    }

    fn one(&mut self, scalar: Scalar) -> Result<f64, Fault> {
        let rest = &self.bytes[self.at..];
        if rest.len() < scalar.size() {
            return Err(self.ends_early());
        }
        self.at += scalar.size();
        Ok(value::<BIG>(scalar, rest))
    }

    /// The length of a list, whose items are all there.
    fn list_len(&mut self, count: Scalar, item: Scalar) -> Result<usize, Fault> {
        let start = self.at;
        let len = self.one(count)?;
        if len < 0.0 {
            return Err(Fault::byte(start, format!("{} {} has a list of {len} items", self.element.name, self.record)));
        }
        if len as u64 * item.size() as u64 > (self.bytes.len() - self.at) as u64 {
            return Err(self.ends_early());
        }
        Ok(len as usize)
    }

    fn skip(&mut self, kind: Kind) -> Result<(), Fault> {
        match kind {
            Kind::One(scalar) => {
                self.one(scalar)?;
            }
            Kind::List { count, item } => self.at += self.list_len(count, item)? * item.size(),
        }
        Ok(())
    }

    fn ends_early(&self) -> Fault {
        Fault::byte(
            self.bytes.len(),
            format!("the file ends in {} {} of {}", self.element.name.escape_debug(), self.record, self.element.count),
        )
        .with_hint("it may be truncated")
    }
}

/// A vertex from numbers of any type, refused if it does not fit in the precision wanted.
fn narrow<C: Real>(wide: [f64; 3], vertex: usize) -> Result<[C; 3], Fault> {
    let position = wide.map(C::nearest);
    match position.iter().position(|x| !x.is_finite()) {
        None => Ok(position),
        Some(axis) => Err(Fault::NotFinite { vertex, axis, value: wide[axis], precision: C::PRECISION }),
    }
}

fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut array = [0; N];
    array.copy_from_slice(&bytes[..N]);
    array
}

#[inline]
fn whole<const BIG: bool>(record: &[u8], offset: usize) -> u32 {
    let four = array(&record[offset..]);
    if BIG { u32::from_be_bytes(four) } else { u32::from_le_bytes(four) }
}

#[inline]
fn float<const BIG: bool>(record: &[u8], offset: usize) -> f32 {
    f32::from_bits(whole::<BIG>(record, offset))
}

/// Any number as f64, which holds every one of them exactly.
#[inline]
fn value<const BIG: bool>(scalar: Scalar, bytes: &[u8]) -> f64 {
    let short = || {
        let two = array(bytes);
        if BIG { u16::from_be_bytes(two) } else { u16::from_le_bytes(two) }
    };
    match scalar {
        Scalar::I8 => f64::from(bytes[0] as i8),
        Scalar::U8 => f64::from(bytes[0]),
        Scalar::I16 => f64::from(short() as i16),
        Scalar::U16 => f64::from(short()),
        Scalar::I32 => f64::from(whole::<BIG>(bytes, 0) as i32),
        Scalar::U32 => f64::from(whole::<BIG>(bytes, 0)),
        Scalar::F32 => f64::from(float::<BIG>(bytes, 0)),
        Scalar::F64 => {
            let eight = array(bytes);
            if BIG { f64::from_be_bytes(eight) } else { f64::from_le_bytes(eight) }
        }
    }
}
