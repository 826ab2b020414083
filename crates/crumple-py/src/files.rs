//! Bodies of files, read one frame at a time.

use std::sync::{Arc, Mutex, PoisonError};

use crumple_io::{AnimatedBody, ObjBodies, ReadOptions, Source, read_source};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;

use crate::arrays;
use crate::errors::Refusal;
use crate::mesh::Mesh;

/// A body of a file: a mesh and a sequence of frames, each read from the file when it is asked for.
///
/// `len(body)` is the number of frames, `body[t]` the positions of one: (n, 3) float32.
#[pyclass(frozen, sequence, module = "crumple")]
#[derive(Debug)]
pub(crate) struct LoadedBody {
    /// What its file calls it.
    #[pyo3(get)]
    name: String,
    /// Its triangles.
    #[pyo3(get)]
    mesh: Py<Mesh>,
    frames: usize,
    vertices: usize,
    faces: Option<Arc<[u32]>>,
    body: Mutex<AnimatedBody>,
}

#[pymethods]
impl LoadedBody {
    /// The shape of all frames together: (frames, vertices, 3).
    #[getter]
    fn shape(&self) -> (usize, usize, usize) {
        (self.frames, self.vertices, 3)
    }

    /// The face of the file that each triangle was cut from; None where every face was a triangle.
    #[getter]
    fn face_of_triangle<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<u32>>> {
        self.faces.as_ref().map(|faces| PyArray1::from_slice(py, faces))
    }

    fn __len__(&self) -> usize {
        self.frames
    }

    fn __getitem__<'py>(&self, py: Python<'py>, frame: isize) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let counted = if frame < 0 { frame + self.frames as isize } else { frame };
        if !(0..self.frames as isize).contains(&counted) {
            let message = format!("there is no frame {frame}: {} has {}, counted from 0", self.name, self.frames);
            return Err(Refusal::new("NoSuchFrameError", message).into());
        }
        let mut positions = vec![[0.0; 3]; self.vertices];
        let mut body = self.body.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let body = &mut *body;
        py.detach(|| {
            body.frame(counted as usize, &mut positions)?;
            body.check(counted as usize, &positions)
        })
        .map_err(Refusal::from)?;
        arrays::rows(py, positions)
    }

    fn __repr__(&self) -> String {
        format!("LoadedBody({:?}, {} frames, {} vertices)", self.name, self.frames, self.vertices)
    }
}

/// Reads the bodies of a file; see `crumple.load`.
#[pyfunction]
#[pyo3(signature = (path, *, fps, animation, obj_bodies))]
pub(crate) fn load_files(
    py: Python<'_>,
    path: &str,
    fps: f64,
    animation: Option<String>,
    obj_bodies: &str,
) -> PyResult<Vec<LoadedBody>> {
    let obj_bodies = match obj_bodies {
        "file" => ObjBodies::File,
        "objects" => ObjBodies::Objects,
        "groups" => ObjBodies::Groups,
        other => {
            let message = format!("obj_bodies is {other:?}, but it must be \"file\", \"objects\" or \"groups\"");
            return Err(Refusal::new("OptionError", message).into());
        }
    };
    if !(fps.is_finite() && fps > 0.0) {
        return Err(Refusal::new("OptionError", format!("fps is {fps}, but it must be a number above 0")).into());
    }
    let mut options = ReadOptions::default().with_fps(fps).with_obj_bodies(obj_bodies);
    options.animation = animation;
    let bodies = py.detach(|| read_source(&Source::parse(path), &options)).map_err(Refusal::from)?;
    bodies.into_iter().map(|body| loaded(py, body)).collect()
}

fn loaded(py: Python<'_>, body: AnimatedBody) -> PyResult<LoadedBody> {
    let mesh = Mesh::with_vertex_count(body.triangles().to_vec(), body.vertex_count())?;
    Ok(LoadedBody {
        name: body.name().to_owned(),
        mesh: Py::new(py, mesh)?,
        frames: body.frame_count(),
        vertices: body.vertex_count(),
        faces: body.face_of_triangle().map(Arc::from),
        body: Mutex::new(body),
    })
}
