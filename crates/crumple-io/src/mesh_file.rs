//! A mesh as a file gives it, and the list of faces every mesh reader fills.

use crate::error::Fault;
use crate::text::Real;

/// A mesh read from a file or to be written: plain arrays in the file's own order. Positions are f32 numbers, unless a
/// reader is asked for f64 ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshFile<C = f32> {
    /// The file's name without folder and extension, or the name the file gives this part.
    pub name: String,
    /// The vertices.
    pub positions: Vec<[C; 3]>,
    /// The triangles, in the file's order. A polygon is a fan around its first corner where that covers it, as it does
    /// if the polygon is convex; another polygon of n corners has other n - 2 triangles.
    pub triangles: Vec<[u32; 3]>,
    /// The file's face each triangle was cut from; `None` when every face was a triangle.
    pub face_of_triangle: Option<Vec<u32>>,
    /// What is odd about the file or was left out, if anything: one sentence each.
    pub notes: Vec<String>,
}

/// How numbers are stored in a PLY file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// As text; the numbers come back with the same bits.
    Ascii,
    /// Binary, least significant byte first: the usual choice.
    #[default]
    LittleEndian,
    /// Binary, most significant byte first.
    BigEndian,
}

/// Triangles cut from faces, with the way back to the faces once it is not the identity.
#[derive(Debug, Default)]
pub(crate) struct FaceList {
    pub(crate) triangles: Vec<[u32; 3]>,
    face_of_triangle: Option<Vec<u32>>,
    faces: u32,
}

impl FaceList {
    /// How many faces the file has given so far.
    pub(crate) fn faces(&self) -> u32 {
        self.faces
    }

    /// Takes in one face. Fewer than three corners make no triangle but still count as a face.
    pub(crate) fn push(&mut self, corners: &[u32]) {
        if let &[a, b, c] = corners {
            self.triangles.push([a, b, c]);
            if let Some(map) = &mut self.face_of_triangle {
                map.push(self.faces);
            }
        } else {
            let map = self.face_of_triangle.get_or_insert_with(|| (0..self.triangles.len() as u32).collect());
            for pair in corners.windows(2).skip(1) {
                self.triangles.push([corners[0], pair[0], pair[1]]);
                map.push(self.faces);
            }
        }
        // Four billion faces are refused where counts are announced, and elsewhere need a file of many gigabytes.
        self.faces = self.faces.saturating_add(1);
    }

    /// Takes in triangles in bulk, probably `likely` of them.
    pub(crate) fn extend(&mut self, likely: usize, triangles: impl Iterator<Item = [u32; 3]>) {
        let before = self.triangles.len();
        self.triangles.reserve(likely);
        self.triangles.extend(triangles);
        let added = (self.triangles.len() - before) as u32;
        if let Some(map) = &mut self.face_of_triangle {
            map.extend(self.faces..self.faces + added);
        }
        self.faces += added;
    }

    /// Forgets the faces from `faces` on; they must all have been triangles.
    pub(crate) fn truncate(&mut self, faces: u32) {
        let dropped = (self.faces - faces) as usize;
        self.triangles.truncate(self.triangles.len() - dropped);
        if let Some(map) = &mut self.face_of_triangle {
            map.truncate(self.triangles.len());
        }
        self.faces = faces;
    }

    pub(crate) fn into_mesh<C: Real>(self, positions: Vec<[C; 3]>) -> MeshFile<C> {
        MeshFile {
            positions,
            triangles: self.triangles,
            face_of_triangle: self.face_of_triangle,
            ..MeshFile::default()
        }
    }
}

/// The message for a face that names a vertex the file does not have.
pub(crate) fn no_such_vertex(face: u32, vertex: i64, vertices: usize) -> String {
    format!("face {face} uses vertex {vertex}, but the file has {vertices} vertices")
}

/// Vertices and faces are numbered in 32 bits everywhere behind the readers.
pub(crate) fn check_count(count: u64, of: &str, fault: impl Fn(String) -> Fault) -> Result<usize, Fault> {
    if count > u64::from(u32::MAX) {
        return Err(fault(format!("{count} {of} are announced, but at most {} can be numbered", u32::MAX)));
    }
    Ok(count as usize)
}
