//! The readers, one file per format.

mod gltf;
mod obj;
mod off;
mod ply;
mod point_cache;
mod stl;
mod xyz;

use std::path::Path;

use crumple::Precision;

use crate::error::{Fault, ReadError};
use crate::foreign::explained;
use crate::mesh_file::MeshFile;
use crate::polygon::cut_concave;
use crate::text::Real;

pub use gltf::{AnimationInfo, gltf_animations, parse_gltf, read_gltf};
pub(crate) use gltf::{Motion as GltfMotion, Skeleton};
pub use obj::{ObjBodies, parse_obj, parse_obj_bodies, read_obj, read_obj_bodies};
pub(crate) use obj::{obj_groups, obj_materials};
pub use off::{parse_off, read_off};
pub(crate) use ply::ply_weights;
pub use ply::{parse_ply, read_ply};
pub(crate) use point_cache::{Bytes, PC2_MAGIC};
pub use point_cache::{CacheFormat, PointCache};
pub use stl::{parse_stl, read_stl};
pub(crate) use xyz::parse_xyz_as;
pub use xyz::{parse_xyz, read_xyz};

/// The formats that hold one mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum MeshFormat {
    Obj,
    Ply,
    Stl,
    Off,
}

impl MeshFormat {
    /// The format a file's extension names, if it names one.
    pub fn of(file: &Path) -> Option<Self> {
        let extension = file.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "obj" => Some(MeshFormat::Obj),
            "ply" => Some(MeshFormat::Ply),
            "stl" => Some(MeshFormat::Stl),
            "off" => Some(MeshFormat::Off),
            _ => None,
        }
    }
}

/// Reads a file with one mesh, of the format its extension names.
///
/// # Errors
/// When the extension is not known, or as the reader of the format.
pub fn read_mesh(file: impl AsRef<Path>) -> Result<MeshFile, ReadError> {
    let file = file.as_ref();
    match MeshFormat::of(file) {
        Some(MeshFormat::Obj) => read_obj(file),
        Some(MeshFormat::Ply) => read_ply(file),
        Some(MeshFormat::Stl) => read_stl(file),
        Some(MeshFormat::Off) => read_off(file),
        None => Err(unknown_format(file)),
    }
}

/// What is done about the vertices of a mesh whose triangles are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vertices {
    /// They are read, and refused if one is not finite.
    Checked,
    /// They are read as they are; the caller checks them. Formats whose numbers must be converted to f32 still notice
    /// those that do not fit.
    AsTheyAre,
    /// They are only counted, where the format allows it: their positions come from elsewhere.
    Skipped,
}

/// As [`read_mesh`], for a mesh whose positions come from elsewhere; also how many vertices there are. The positions of
/// the file decide how polygons are cut, and need not be finite.
pub(crate) fn read_triangles(file: &Path) -> Result<(MeshFile, usize), ReadError> {
    if MeshFormat::of(file) != Some(MeshFormat::Ply) {
        let mesh = read_mesh(file)?;
        let vertices = mesh.positions.len();
        return Ok((mesh, vertices));
    }
    let (mesh, vertices) = ply::read_ply_fans(file, Vertices::Skipped)?;
    if mesh.face_of_triangle.is_none() {
        return Ok((mesh, vertices));
    }
    let (mut mesh, vertices) = ply::read_ply_fans(file, Vertices::AsTheyAre)?;
    cut_concave(&mut mesh);
    Ok((mesh, vertices))
}

/// The meshes of one file of a sequence, with every polygon a fan: those of the first frame are cut, and the others must
/// have the same ones, wherever their vertices are. Corners of an STL that meet in one frame may part in another, so there
/// they are not joined.
pub(crate) fn read_fans(file: &Path, obj_bodies: ObjBodies, precision: Precision) -> Result<Vec<AnyMesh>, ReadError> {
    match MeshFormat::of(file) {
        Some(MeshFormat::Stl) => Ok(vec![AnyMesh::F32(stl::read_stl_apart(file)?)]),
        Some(MeshFormat::Ply) => Ok(vec![ply::read_ply_as(file, precision, Vertices::AsTheyAre)?]),
        Some(MeshFormat::Off | MeshFormat::Obj) => read_decimals(file, obj_bodies, precision),
        None => Err(unknown_format(file)),
    }
}

/// The meshes of one file, of any format but glTF.
pub(crate) fn read_parts(file: &Path, obj_bodies: ObjBodies, precision: Precision) -> Result<Vec<AnyMesh>, ReadError> {
    let mut parts = match MeshFormat::of(file) {
        Some(MeshFormat::Stl) => vec![AnyMesh::F32(read_stl(file)?)],
        Some(MeshFormat::Ply) => vec![ply::read_ply_as(file, precision, Vertices::Checked)?],
        _ => read_fans(file, obj_bodies, precision)?,
    };
    for part in &mut parts {
        part.cut_concave();
    }
    Ok(parts)
}

/// The meshes of a file whose numbers are decimal and have no precision of their own, with every polygon a fan.
fn read_decimals(file: &Path, obj_bodies: ObjBodies, precision: Precision) -> Result<Vec<AnyMesh>, ReadError> {
    fn parts<C: Real>(file: &Path, obj_bodies: ObjBodies) -> Result<Vec<MeshFile<C>>, ReadError> {
        let bytes = bytes_of(file)?;
        match MeshFormat::of(file) {
            Some(MeshFormat::Obj) => obj::parse_obj_parts(&bytes, file, obj_bodies),
            _ => Ok(vec![off::parse_off_fans(&bytes, file)?]),
        }
    }
    Ok(match precision {
        Precision::F32 => parts(file, obj_bodies)?.into_iter().map(AnyMesh::F32).collect(),
        Precision::F64 => parts(file, obj_bodies)?.into_iter().map(AnyMesh::F64).collect(),
    })
}

/// A mesh whose numbers are f32 or f64.
#[derive(Debug)]
pub(crate) enum AnyMesh {
    F32(MeshFile),
    F64(MeshFile<f64>),
}

impl AnyMesh {
    /// The triangles, if they were cut from polygons.
    pub(crate) fn polygons(&self) -> Option<&[[u32; 3]]> {
        match self {
            Self::F32(mesh) => mesh.face_of_triangle.is_some().then_some(&mesh.triangles),
            Self::F64(mesh) => mesh.face_of_triangle.is_some().then_some(&mesh.triangles),
        }
    }

    /// Cuts polygons anew whose fans do not cover them; returns whether there were any.
    pub(crate) fn cut_concave(&mut self) -> bool {
        match self {
            Self::F32(mesh) => cut_concave(mesh),
            Self::F64(mesh) => cut_concave(mesh),
        }
    }
}

fn unknown_format(file: &Path) -> ReadError {
    // A name that is not there may be a mistyped folder: that it is missing says more than what it lacks.
    if let Err(source) = std::fs::metadata(file) {
        return ReadError::Io { file: file.into(), source };
    }
    let extension = file.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    let known = match extension.as_deref() {
        Some("fbx") => "export glTF (.glb) instead, as Blender, Maya and Unity do",
        Some("abc") => "export a mesh with a point cache (.pc2 or .mdd) or glTF (.glb) instead",
        Some("usd" | "usda" | "usdc" | "usdz") => {
            "the Python package reads it with usd-core: `crumple.check(\"shot.usd\")`"
        }
        Some("blend") => "check it in Blender with the extension of crumple, or export glTF (.glb)",
        Some("vtk" | "vtp" | "vtu" | "pvd" | "xdmf") => {
            "the Python package takes meshes of PyVista and meshio: `crumple.check({\"body\": pyvista.read(..)})`"
        }
        _ => ".obj, .ply, .stl, .off, .gltf, .glb and .vrm are read, and `body.ply@motion.pc2` (or .mdd)",
    };
    let what = match file.extension() {
        Some(extension) => format!("`.{}` is not a format that is read", extension.display()),
        None => "the name has no extension, so its format is unknown".to_owned(),
    };
    Fault::file(what).with_hint(known).in_file(file)
}

/// The whole file in memory.
pub(crate) fn bytes_of(file: &Path) -> Result<Vec<u8>, ReadError> {
    std::fs::read(file).map_err(|source| ReadError::Io { file: file.into(), source })
}

/// What a mesh is called when its file does not say: the file's name without folder and extension.
pub(crate) fn name_of(file: &Path) -> String {
    file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Gives a mesh parsed from `bytes` its name, or a parser's complaint its file. Polygons stay fans.
pub(crate) fn named<C>(mesh: Result<MeshFile<C>, Fault>, bytes: &[u8], file: &Path) -> Result<MeshFile<C>, ReadError> {
    let mesh = mesh.map_err(|fault| explained(fault, bytes).in_file(file))?;
    Ok(MeshFile { name: name_of(file), ..mesh })
}

/// A mesh whose polygons were cut as fans, with those cut anew that need it.
pub(crate) fn cut(mesh: Result<MeshFile, ReadError>) -> Result<MeshFile, ReadError> {
    let mut mesh = mesh?;
    cut_concave(&mut mesh);
    Ok(mesh)
}
