//! Bodies of files, read one frame at a time.

use std::sync::{Arc, Mutex, PoisonError};

use crumple::Precision;
use crumple_io::{AnimatedBody, ObjBodies, ReadOptions, Source, read_source};
use numpy::{PyArray1, PyArrayDescr};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;

use crate::arrays;
use crate::errors::Refusal;
use crate::mesh::Mesh;

/// A body of a file: a mesh and a sequence of frames, each read from the file when it is asked for.
///
/// `len(body)` is the number of frames, `body[t]` the positions of one: (n, 3) float32, or float64 if they were loaded as such.
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
    precision: Precision,
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

    /// The type of its numbers, "float32" or "float64".
    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> Bound<'py, PyArrayDescr> {
        match self.precision {
            Precision::F32 => numpy::dtype::<f32>(py),
            Precision::F64 => numpy::dtype::<f64>(py),
        }
    }

    fn __len__(&self) -> usize {
        self.frames
    }

    fn __getitem__<'py>(&self, py: Python<'py>, frame: isize) -> PyResult<Bound<'py, PyAny>> {
        let counted = if frame < 0 { frame + self.frames as isize } else { frame };
        if !(0..self.frames as isize).contains(&counted) {
            let message = format!("there is no frame {frame}: {} has {}, counted from 0", self.name, self.frames);
            return Err(Refusal::new("NoSuchFrameError", message).into());
        }
        let mut body = self.body.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let body = &mut *body;
        if self.precision == Precision::F64 {
            // Numbers that are not finite are refused where a body takes them in.
            let mut positions = vec![[0.0; 3]; self.vertices];
            py.detach(|| body.frame_f64(counted as usize, &mut positions)).map_err(Refusal::from)?;
            return Ok(arrays::rows(py, positions)?.into_any());
        }
        let mut positions = vec![[0.0; 3]; self.vertices];
        py.detach(|| {
            body.frame(counted as usize, &mut positions)?;
            body.check(counted as usize, &positions)
        })
        .map_err(Refusal::from)?;
        Ok(arrays::rows(py, positions)?.into_any())
    }

    fn __repr__(&self) -> String {
        format!("LoadedBody({:?}, {} frames, {} vertices)", self.name, self.frames, self.vertices)
    }
}

/// Reads the bodies of a file; see `crumple.load`.
#[pyfunction]
#[pyo3(signature = (path, *, fps, animation, obj_bodies, f64))]
pub(crate) fn load_files(
    py: Python<'_>,
    path: &str,
    fps: f64,
    animation: Option<String>,
    obj_bodies: &str,
    f64: bool,
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
    options.precision = if f64 { Precision::F64 } else { Precision::F32 };
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
        precision: body.precision(),
        faces: body.face_of_triangle().map(Arc::from),
        body: Mutex::new(body),
    })
}
