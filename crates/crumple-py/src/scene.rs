//! Scenes: bodies that move, and the frames they go through.
//!
//! Python knows a body by its number, counted from 0 in the order of adding and never used again, or by its name. A scene counts
//! its changes; a frame remembers the count it was made at, and answers while that is the count. Whoever needs a scene
//! locks it, waiting without the interpreter, and works without the interpreter, too: two scenes work side by side.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crumple::{BodyId, SceneError, WorkLimit};
use crumple_methods::Method;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyString, PyTuple};

use crate::arrays::{self, Given};
use crate::errors::Refusal;
use crate::frame::Frame;
use crate::mesh::Mesh;
use crate::pool::{self, Pool};
use crate::writer::PositionsWriter;

/// Bodies that deform and collide.
///
/// `threads` limits how many threads a question may use; as many as the machine has if omitted. Answers are the same for
/// any number, and for every method.
///
/// >>> import numpy as np, crumple as cr
/// >>> scene = cr.Scene()
/// >>> floor = scene.add(cr.Mesh([[0, 1, 2]]), np.float32([[-9, 0, -9], [9, 0, -9], [0, 0, 9]]), name="floor")
/// >>> leaf = scene.add(cr.Mesh([[0, 1, 2]]), np.float32([[0, 2, 0], [1, 3, 0], [0, 3, 1]]), name="leaf")
/// >>> len(scene.update().contacts)
/// 0
/// >>> scene.set_positions(leaf, np.float32([[0, -1, 0], [1, 1, 0], [0, 1, 1]]))
/// >>> for contact in scene.update().contacts:
/// ...     print(contact.a, contact.b, contact.pairs)
/// floor leaf [[0 0]]
#[pyclass(frozen, module = "crumple")]
#[derive(Debug)]
pub(crate) struct Scene {
    inner: Mutex<Inner>,
    /// Of this scene's own; the one shared by all if none was asked for.
    pool: Option<Pool>,
    /// How many steps of work a question may take.
    max_work: Option<u64>,
    method: Method,
}

/// What a scene holds.
#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) scene: crumple::Scene,
    /// By number; none where a body was removed.
    bodies: Vec<Option<Entry>>,
    numbers: HashMap<BodyId, u32>,
    names: HashMap<String, u32>,
    /// Grows with every change.
    changes: u64,
}

/// A body, as Python knows it.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) id: BodyId,
    /// Its name, or its number if it has none.
    pub(crate) label: Py<PyAny>,
    name: Option<String>,
    /// The array that `positions` lends, kept for the next time.
    pub(crate) lent: Option<Py<PyAny>>,
    pub(crate) is_lent: bool,
}

impl Inner {
    /// The number of a body that Python names.
    pub(crate) fn find(&self, body: &Bound<'_, PyAny>) -> PyResult<u32> {
        let known = match body.cast::<PyString>() {
            Ok(name) => self.names.get(name.to_str()?).copied(),
            Err(_) => body.extract::<u32>().ok().filter(|&number| self.entry(number).is_some()),
        };
        match known {
            Some(number) => Ok(number),
            None => Err(Refusal::unknown_body(&body.repr()?.to_string_lossy()).into()),
        }
    }

    pub(crate) fn entry(&self, number: u32) -> Option<&Entry> {
        self.bodies.get(number as usize)?.as_ref()
    }

    pub(crate) fn entry_mut(&mut self, number: u32) -> Option<&mut Entry> {
        self.bodies.get_mut(number as usize)?.as_mut()
    }

    /// The library's id of a body.
    pub(crate) fn id(&self, number: u32) -> Result<BodyId, Refusal> {
        self.entry(number).map(|entry| entry.id).ok_or_else(|| Refusal::unknown_body(&number.to_string()))
    }

    pub(crate) fn number(&self, id: BodyId) -> Option<u32> {
        self.numbers.get(&id).copied()
    }

    /// What Python calls a body.
    pub(crate) fn label(&self, py: Python<'_>, number: u32) -> Py<PyAny> {
        self.entry(number).map_or_else(|| py.None(), |entry| entry.label.clone_ref(py))
    }

    /// What an error calls a body.
    fn name(&self, number: u32) -> String {
        let name = self.entry(number).and_then(|entry| entry.name.clone());
        name.map_or_else(|| number.to_string(), |name| format!("{name:?}"))
    }

    /// What the library has refused, with the name of the body it is about.
    pub(crate) fn refused(&self, error: &SceneError) -> Refusal {
        let body = match error {
            SceneError::DistanceFromItself { body }
            | SceneError::NoTriangles { body }
            | SceneError::OverlapWithItself { body }
            | SceneError::DepthInItself { body }
            | SceneError::NotClosed { body, .. }
            | SceneError::SelfOverlap { body, .. }
            | SceneError::ClosestPoint { body, .. } => self.number(*body),
            _ => None,
        };
        Refusal::of_scene(error, &body.map_or_else(|| "?".to_owned(), |number| self.name(number)))
    }

    /// The frame that was begun at a count of changes.
    pub(crate) fn frame(&self, changes: u64) -> Result<crumple::Frame<'_>, Refusal> {
        let frame = self.scene.frame().filter(|_| self.changes == changes);
        frame.ok_or_else(Refusal::stale)
    }

    /// Changes a body; an error names it as Python does.
    pub(crate) fn change(
        &mut self,
        number: u32,
        change: impl FnOnce(&mut crumple::Scene, BodyId) -> Result<(), SceneError>,
    ) -> Result<(), Refusal> {
        let id = self.id(number)?;
        self.changes += 1;
        change(&mut self.scene, id).map_err(|error| Refusal::of_scene(&error, &self.name(number)))
    }
}

impl Scene {
    pub(crate) fn lock(&self, py: Python<'_>) -> MutexGuard<'_, Inner> {
        self.inner.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    /// Works on the scene without the interpreter, with the threads it was given.
    pub(crate) fn work<T: Send>(
        &self,
        py: Python<'_>,
        inner: &mut Inner,
        work: impl FnOnce(&mut Inner) -> Result<T, Refusal> + Send,
    ) -> PyResult<T> {
        let (pool, max_work) = (self.pool.as_ref(), self.max_work);
        let limited = || match max_work {
            Some(steps) => WorkLimit::new(steps).run(|| work(inner)).unwrap_or_else(|stopped| Err(stopped.into())),
            None => work(inner),
        };
        Ok(py.detach(|| match pool {
            Some(pool) => pool.install(limited),
            None => pool::with_all(limited),
        })?)
    }
}

/// How many threads, checked, to a pool.
fn pool_of(threads: Option<isize>) -> Result<Option<Pool>, Refusal> {
    let Some(threads) = threads else { return Ok(None) };
    if threads < 1 {
        return Err(Refusal::new("OptionError", format!("threads is {threads}, but it must be at least 1")));
    }
    let threads = threads as usize;
    Pool::new(threads).map(Some).map_err(|error| pool::no_threads(threads, &error))
}

/// How many steps of work a question may take, checked.
fn work_of(steps: Option<f64>) -> Result<Option<u64>, Refusal> {
    let Some(steps) = steps else { return Ok(None) };
    if !(1.0..=1e18).contains(&steps) {
        return Err(Refusal::new(
            "OptionError",
            format!("max_work is {steps}, but it must be a number from 1 to 1e18"),
        ));
    }
    Ok(Some(steps as u64))
}

#[pymethods]
impl Scene {
    #[new]
    #[pyo3(signature = (*, method="wide-tree", threads=None, max_work=None, proper=false))]
    fn new(method: &str, threads: Option<isize>, max_work: Option<f64>, proper: bool) -> PyResult<Self> {
        let method: Method = method.parse().map_err(Refusal::from)?;
        let mut scene = method.scene();
        scene.set_crossings_only(proper);
        let inner = Inner { scene, bodies: Vec::new(), numbers: HashMap::new(), names: HashMap::new(), changes: 0 };
        Ok(Self { inner: Mutex::new(inner), pool: pool_of(threads)?, max_work: work_of(max_work)?, method })
    }

    /// Adds a body and returns its id.
    ///
    /// `mesh` is a Mesh, an array of faces, or an object of trimesh, meshio or PyVista, which brings its positions along.
    /// `positions` is (n, 3) float32 or float64, and answers are exact for these numbers; `cast=True` rounds them, and integers, to
    /// float32. The body keeps to this precision: float32 is widened for a float64 body, float64 that is no float32 refused by a
    /// float32 one. Names are unique in a scene. With `self_collision` the body is also checked against itself. With `weld` vertices at equal positions count as one for
    /// topology, as they do for files. `thickness` is for impacts.
    ///
    /// >>> import numpy as np, crumple as cr
    /// >>> scene = cr.Scene()
    /// >>> scene.add([[0, 1, 2]], np.eye(3, dtype=np.float32), name="tile")
    /// 0
    #[pyo3(signature = (mesh, positions=None, *, name=None, self_collision=false, thickness=0.0, weld=false, cast=false))]
    #[expect(clippy::too_many_arguments, reason = "Python names them")]
    fn add(
        &self,
        py: Python<'_>,
        mesh: &Bound<'_, PyAny>,
        positions: Option<&Bound<'_, PyAny>>,
        name: Option<String>,
        self_collision: bool,
        thickness: f64,
        weld: bool,
        cast: bool,
    ) -> PyResult<u32> {
        let convert = py.import(intern!(py, "crumple._arrays"))?.getattr(intern!(py, "body"))?;
        let (mesh, positions): (Bound<'_, PyAny>, Bound<'_, PyAny>) =
            convert.call1((mesh, positions, cast))?.extract()?;
        let (mesh, array) = (mesh.cast::<Mesh>()?.get(), arrays::positions(&positions, cast, "positions")?);
        let positions = array.given()?;
        let mut inner = self.lock(py);
        if let Some(taken) = name.as_ref().filter(|name| inner.names.contains_key(*name)) {
            return Err(
                Refusal::new("NameTakenError", format!("there is a body {taken:?} in this scene already")).into()
            );
        }
        let number = inner.bodies.len() as u32;
        let label = match &name {
            Some(name) => PyString::new(py, name).into_any().unbind(),
            None => number.into_pyobject(py)?.into_any().unbind(),
        };
        let label_in_errors = name.as_ref().map_or_else(|| number.to_string(), |name| format!("{name:?}"));
        let id = self.work(py, &mut inner, |inner| {
            let body = mesh.body(positions, weld)?;
            let scene = &mut inner.scene;
            let id = scene.add(body);
            let prepared =
                scene.set_self_collision(id, self_collision).and_then(|()| scene.set_thickness(id, thickness));
            inner.changes += 1;
            if let Err(error) = prepared {
                // As if it had never been added.
                let _ = inner.scene.remove(id);
                return Err(Refusal::of_scene(&error, &label_in_errors));
            }
            Ok(id)
        })?;
        inner.numbers.insert(id, number);
        if let Some(name) = &name {
            inner.names.insert(name.clone(), number);
        }
        inner.bodies.push(Some(Entry { id, label, name, lent: None, is_lent: false }));
        Ok(number)
    }

    /// Takes a body out; its id is never valid again.
    fn remove(&self, py: Python<'_>, body: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut inner = self.lock(py);
        let number = inner.find(body)?;
        inner.change(number, |scene, id| scene.remove(id).map(|_| ()))?;
        if let Some(entry) = inner.bodies[number as usize].take() {
            inner.numbers.remove(&entry.id);
            entry.name.map(|name| inner.names.remove(&name));
        }
        Ok(())
    }

    /// Moves every vertex of a body to its position in the next frame: (n, 3) float32 or float64, read where it is.
    ///
    /// Setting positions again before the next update replaces them. Positions that are refused leave the scene as it was.
    #[pyo3(signature = (body, positions, *, cast=false))]
    fn set_positions(
        &self,
        py: Python<'_>,
        body: &Bound<'_, PyAny>,
        positions: &Bound<'_, PyAny>,
        cast: bool,
    ) -> PyResult<()> {
        let array = arrays::positions(positions, cast, "positions")?;
        let positions = array.given()?;
        let mut inner = self.lock(py);
        let number = inner.find(body)?;
        self.work(py, &mut inner, |inner| {
            inner.change(number, |scene, id| match positions {
                Given::F32(positions) => scene.set_positions(id, positions),
                Given::F64(positions) => scene.set_positions_f64(id, positions),
            })
        })
    }

    /// Moves every vertex of a body again within the step of the last frame, for a solver that improves on a frame. Where the
    /// step began stays.
    #[pyo3(signature = (body, positions, *, cast=false))]
    fn correct_positions(
        &self,
        py: Python<'_>,
        body: &Bound<'_, PyAny>,
        positions: &Bound<'_, PyAny>,
        cast: bool,
    ) -> PyResult<()> {
        let array = arrays::positions(positions, cast, "positions")?;
        let positions = array.given()?;
        let mut inner = self.lock(py);
        let number = inner.find(body)?;
        self.work(py, &mut inner, |inner| {
            inner.change(number, |scene, id| match positions {
                Given::F32(positions) => scene.correct_positions(id, positions),
                Given::F64(positions) => scene.correct_positions_f64(id, positions),
            })
        })
    }

    /// The positions of a body in the next frame, to be written in place: `with scene.positions(body) as p: ...`
    ///
    /// `p` is (n, 3) float32, or float64 for a body added with such positions, in memory of the scene. It starts with the current positions and is valid within the block. What it
    /// holds at the end of the block is taken in; an exception in the block leaves the body where it was.
    ///
    /// >>> import numpy as np, crumple as cr
    /// >>> scene = cr.Scene()
    /// >>> tile = scene.add([[0, 1, 2]], np.eye(3, dtype=np.float32))
    /// >>> with scene.positions(tile) as p:
    /// ...     p[:, 2] += 1
    /// >>> scene.update().positions(tile)[0].tolist()
    /// [1.0, 0.0, 1.0]
    fn positions(slf: Bound<'_, Self>, body: &Bound<'_, PyAny>) -> PyResult<PositionsWriter> {
        let number = slf.get().lock(slf.py()).find(body)?;
        Ok(PositionsWriter::new(slf.unbind(), number))
    }

    /// Ends the frame so far and begins the next one, with the bodies where they were moved to.
    fn update(slf: Bound<'_, Self>) -> PyResult<Frame> {
        let (py, this) = (slf.py(), slf.get());
        let mut inner = this.lock(py);
        let (number, changes) = this.work(py, &mut inner, |inner| {
            inner.changes += 1;
            let frame = inner.scene.update().map_err(|error| Refusal::of_scene(&error, "?"))?;
            Ok((frame.number(), inner.changes))
        })?;
        drop(inner);
        Ok(Frame::new(slf.unbind(), number, changes))
    }

    /// Lets two bodies touch: contacts between them are not reported.
    fn ignore(&self, py: Python<'_>, a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<()> {
        self.about_two(py, a, b, crumple::Scene::ignore)
    }

    /// Takes back an `ignore`.
    fn stop_ignoring(&self, py: Python<'_>, a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<()> {
        self.about_two(py, a, b, crumple::Scene::stop_ignoring)
    }

    /// Whether collisions of a body with itself are looked for.
    fn set_self_collision(&self, py: Python<'_>, body: &Bound<'_, PyAny>, on: bool) -> PyResult<()> {
        self.about_one(py, body, |scene, id| scene.set_self_collision(id, on))
    }

    /// Gives a body a thickness: for impacts, surfaces meet when they come closer than half the sum of both thicknesses.
    fn set_thickness(&self, py: Python<'_>, body: &Bound<'_, PyAny>, thickness: f64) -> PyResult<()> {
        self.about_one(py, body, |scene, id| scene.set_thickness(id, thickness))
    }

    /// Leaves out features of a body against each other that are at most so many edges apart: of near, impacts and safe steps, not of
    /// contacts. 0, as at first, leaves out those that share a vertex.
    fn leave_out_rings(&self, py: Python<'_>, body: &Bound<'_, PyAny>, rings: u32) -> PyResult<()> {
        self.about_one(py, body, |scene, id| scene.leave_out_rings(id, rings))
    }

    /// Leaves out features of a body against each other that are closer than a distance at rest: of near, impacts and safe steps.
    fn leave_out_near_at_rest(
        &self,
        py: Python<'_>,
        body: &Bound<'_, PyAny>,
        rest: &Bound<'_, PyAny>,
        distance: f64,
    ) -> PyResult<()> {
        let rest = arrays::wide(rest, "rest positions")?;
        self.about_one(py, body, |scene, id| scene.leave_out_near_at_rest(id, &rest, distance))
    }

    /// Filters pairs of bodies by bits: two bodies can collide only if each one's `membership` shares a bit with the other's
    /// `mask`. All 32 bits are set at first.
    fn set_collision_mask(&self, py: Python<'_>, body: &Bound<'_, PyAny>, membership: u32, mask: u32) -> PyResult<()> {
        self.about_one(py, body, |scene, id| scene.set_collision_mask(id, membership, mask))
    }

    /// The names of the bodies in order, or the ids of those without a name.
    #[getter]
    fn bodies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let inner = self.lock(py);
        let labels: Vec<_> = inner.bodies.iter().flatten().map(|entry| entry.label.clone_ref(py)).collect();
        PyTuple::new(py, labels)
    }

    /// The method by which pairs are found.
    #[getter]
    fn method(&self) -> &'static str {
        self.method.name()
    }

    /// How many threads the scene may use; None for as many as the machine has.
    #[getter]
    fn threads(&self) -> Option<usize> {
        self.pool.as_ref().map(Pool::threads)
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.lock(py).bodies.iter().flatten().count()
    }

    fn __contains__(&self, py: Python<'_>, body: &Bound<'_, PyAny>) -> bool {
        self.lock(py).find(body).is_ok()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let count = self.__len__(py);
        format!("Scene({count} {}, {})", if count == 1 { "body" } else { "bodies" }, self.method.name())
    }
}

impl Scene {
    fn about_one(
        &self,
        py: Python<'_>,
        body: &Bound<'_, PyAny>,
        change: impl FnOnce(&mut crumple::Scene, BodyId) -> Result<(), SceneError>,
    ) -> PyResult<()> {
        let mut inner = self.lock(py);
        let number = inner.find(body)?;
        Ok(inner.change(number, change)?)
    }

    fn about_two(
        &self,
        py: Python<'_>,
        a: &Bound<'_, PyAny>,
        b: &Bound<'_, PyAny>,
        change: impl FnOnce(&mut crumple::Scene, BodyId, BodyId) -> Result<(), SceneError>,
    ) -> PyResult<()> {
        let mut inner = self.lock(py);
        let (a, b) = (inner.find(a)?, inner.find(b)?);
        let second = inner.id(b)?;
        Ok(inner.change(a, |scene, first| change(scene, first, second))?)
    }
}
