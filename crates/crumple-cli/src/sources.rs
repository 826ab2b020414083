//! Bodies with their motion, from the files a user named.
//!
//! Everything else in the command sees files only through [`read`] and [`FileBody`].

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use crumple::Mesh;
use crumple_io::report::BodyRecord;
use crumple_io::{MeshFile, PointCache, read::read_ply};

/// A body of a file: triangles that stay, and vertices for every frame, read when they are asked for.
#[derive(Debug)]
pub(crate) struct FileBody {
    name: String,
    file: PathBuf,
    triangles: Vec<[u32; 3]>,
    face_of_triangle: Option<Vec<u32>>,
    motion: Motion,
}

#[derive(Debug)]
enum Motion {
    Still(Vec<[f32; 3]>),
    Cache(PointCache),
}

impl FileBody {
    /// What the body is called.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The file it came from.
    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    /// How many frames there are; 1 for a body that stands still.
    pub(crate) fn frame_count(&self) -> usize {
        match &self.motion {
            Motion::Still(_) => 1,
            Motion::Cache(cache) => cache.frame_count(),
        }
    }

    /// Fills `positions` with the vertices of a frame, counted from 0; its memory is reused.
    pub(crate) fn frame(&mut self, frame: usize, positions: &mut Vec<[f32; 3]>) -> Result<()> {
        match &mut self.motion {
            Motion::Still(vertices) => positions.clone_from(vertices),
            Motion::Cache(cache) => cache.read_frame(frame, positions)?,
        }
        Ok(())
    }

    /// The mesh, with vertices joined that lie in one place in the first frame unless `weld` is off.
    pub(crate) fn mesh(&mut self, weld: bool) -> Result<Arc<Mesh>> {
        let mut positions = Vec::new();
        self.frame(0, &mut positions)?;
        let mesh = Mesh::new(positions.len(), self.triangles.clone());
        let mesh = mesh.and_then(|mesh| if weld { mesh.welded(&positions) } else { Ok(mesh) });
        Ok(Arc::new(mesh.with_context(|| self.file.display().to_string())?))
    }

    /// What reports tell of the body.
    pub(crate) fn record(&self, id: usize, mesh: &Mesh) -> BodyRecord {
        BodyRecord {
            id: id as u32,
            name: self.name.clone(),
            triangles: mesh.triangles().len() as u64,
            vertices: mesh.vertex_count() as u64,
            closed: mesh.topology().is_closed(),
            face_of_triangle: self.face_of_triangle.clone(),
        }
    }
}

/// All bodies of all files, in the order named. Names that come twice are told apart by a number.
pub(crate) fn read(files: &[String]) -> Result<Vec<FileBody>> {
    let mut bodies = Vec::new();
    for file in files {
        bodies.extend(read_one(file)?);
    }
    let names: Vec<String> = bodies.iter().map(|body| body.name.clone()).collect();
    for (at, body) in bodies.iter_mut().enumerate() {
        let before = names[..at].iter().filter(|&name| *name == body.name).count();
        if before > 0 {
            body.name = format!("{}#{}", body.name, before + 1);
        }
    }
    Ok(bodies)
}

fn read_one(source: &str) -> Result<Vec<FileBody>> {
    let (file, cache) = match source.rsplit_once('@') {
        Some((mesh, cache)) if is_ply(mesh) => (mesh, Some(cache)),
        _ => (source, None),
    };
    if !is_ply(file) && !Path::new(file).is_dir() {
        bail!("{file}: not a format that is read; hint: give a .ply mesh, or body.ply@motion.pc2");
    }
    let MeshFile { name, positions, triangles, face_of_triangle, .. } = read_ply(file)?;
    let motion = match cache {
        None => Motion::Still(positions),
        Some(cache) => {
            let cache = PointCache::open(cache)?;
            let (points, path) = (cache.vertex_count(), cache.file().display());
            if points != positions.len() {
                bail!("{path}: its frames have {points} vertices, but {file} has {}", positions.len());
            }
            if cache.frame_count() == 0 {
                bail!("{path}: the point cache has no frames");
            }
            Motion::Cache(cache)
        }
    };
    Ok(vec![FileBody { name, file: file.into(), triangles, face_of_triangle, motion }])
}

fn is_ply(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ply"))
}

/// How many frames the bodies have together: a body with one frame stands still, the others must agree. With `hold`
/// the longest counts.
pub(crate) fn frame_count(bodies: &[FileBody], hold: bool) -> Result<usize> {
    let mut longest: Option<&FileBody> = None;
    for body in bodies.iter().filter(|body| body.frame_count() > 1) {
        if let Some(other) = longest
            && !hold
            && other.frame_count() != body.frame_count()
        {
            bail!(
                "{} has {} frames, but {} has {}; hint: --hold lets the shorter keep its last frame",
                other.name,
                other.frame_count(),
                body.name,
                body.frame_count()
            );
        }
        if longest.is_none_or(|other| other.frame_count() < body.frame_count()) {
            longest = Some(body);
        }
    }
    Ok(longest.map_or(1, FileBody::frame_count))
}
