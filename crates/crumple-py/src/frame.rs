//! Frames, to be read.

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PySlice, PyTuple};

use crate::arrays;
use crate::distance::{Distance, Rows};
use crate::errors::Refusal;
use crate::impact::Impact;
use crate::overlap::Found;
use crate::scene::Scene;

/// The bodies of a scene at one moment, and every answer about it.
///
/// Made by `Scene.update`. It can be asked until the scene is changed; StaleFrameError is raised after that. Arrays and contacts that
/// were read stay valid. Each question is answered when it is first asked, and no question does the work of another.
///
/// >>> import numpy as np, crumple as cr
/// >>> scene = cr.Scene()
/// >>> wall = np.float32([[-9, 0, -9], [9, 0, -9], [0, 0, 9]])
/// >>> bullet = np.float32([[0, 1, 0], [1, 2, 0], [0, 2, 1]])
/// >>> scene.add([[0, 1, 2]], wall, name="wall"), scene.add([[0, 1, 2]], bullet, name="bullet")
/// (0, 1)
/// >>> frame = scene.update()
/// >>> scene.set_positions("bullet", bullet - np.float32([0, 4, 0]))
/// >>> frame = scene.update()
/// >>> len(frame.contacts), frame["wall", "bullet"].pairs.shape    # it is through already
/// (0, (0, 2))
/// >>> frame.first_impact().time, frame.safe_step() < 0.25
/// ((0.25, 0.25), True)
#[pyclass(frozen, module = "crumple")]
pub(crate) struct Frame {
    scene: Py<Scene>,
    /// The number of the frame: 1 after the first update.
    #[pyo3(get)]
    number: u64,
    changes: u64,
    contacts: PyOnceLock<Listed>,
    witnesses: PyOnceLock<Listed>,
}

/// The contacts of a frame.
struct Listed {
    list: Py<PyTuple>,
    /// The numbers of the bodies of each, in order.
    bodies: Vec<(u32, u32)>,
}

/// Pairs of all contacts, one after another, and where those of each two bodies end.
struct Copied {
    pairs: Vec<[u32; 2]>,
    ends: Vec<((u32, u32), usize)>,
}

impl Frame {
    pub(crate) fn new(scene: Py<Scene>, number: u64, changes: u64) -> Self {
        Self { scene, number, changes, contacts: PyOnceLock::new(), witnesses: PyOnceLock::new() }
    }

    /// Asks the library's frame, without the interpreter.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&crate::scene::Inner, crumple::Frame<'_>) -> Result<T, Refusal> + Send,
    ) -> PyResult<T> {
        let scene = self.scene.get();
        let mut inner = scene.lock(py);
        scene.work(py, &mut inner, |inner| question(inner, inner.frame(self.changes)?))
    }

    fn find(&self, py: Python<'_>, body: &Bound<'_, PyAny>) -> PyResult<u32> {
        self.scene.get().lock(py).find(body)
    }

    /// All contacts, or one pair of triangles of each. Copied once per frame into memory that all their arrays share.
    fn found(&self, py: Python<'_>, only_one: bool) -> PyResult<&Listed> {
        let kept = if only_one { &self.witnesses } else { &self.contacts };
        if let Some(found) = kept.get(py) {
            return Ok(found);
        }
        let copied = self.ask(py, |inner, frame| {
            let contacts = if only_one { frame.witnesses() } else { frame.contacts() };
            let mut copied = Copied { pairs: Vec::with_capacity(contacts.pair_count()), ends: Vec::new() };
            for contact in contacts {
                let (Some(a), Some(b)) = (inner.number(contact.a), inner.number(contact.b)) else { continue };
                copied.pairs.extend_from_slice(bytemuck::cast_slice(contact.pairs));
                copied.ends.push(((a, b), copied.pairs.len()));
            }
            Ok(copied)
        })?;
        let Copied { pairs, ends } = copied;
        let all = arrays::rows(py, pairs)?;
        let mut start = 0;
        let mut list = Vec::with_capacity(ends.len());
        for &(bodies, end) in &ends {
            let pairs = all.get_item(PySlice::new(py, start as isize, end as isize, 1))?;
            list.push(self.contact(py, bodies, pairs.cast_into::<PyArray2<u32>>()?)?);
            start = end;
        }
        let found =
            Listed { list: PyTuple::new(py, list)?.unbind(), bodies: ends.into_iter().map(|(of, _)| of).collect() };
        Ok(kept.get_or_init(py, || found))
    }

    fn contact(&self, py: Python<'_>, (a, b): (u32, u32), pairs: Bound<'_, PyArray2<u32>>) -> PyResult<Py<Contact>> {
        let labels = {
            let inner = self.scene.get().lock(py);
            [inner.label(py, a), inner.label(py, b)]
        };
        let [label_a, label_b] = labels;
        let scene = self.scene.clone_ref(py);
        Py::new(
            py,
            Contact { a: label_a, b: label_b, pairs: pairs.unbind(), scene, changes: self.changes, bodies: (a, b) },
        )
    }

    /// The contacts of which `keep` is true, by the numbers of their bodies.
    fn some<'py>(&self, py: Python<'py>, keep: impl Fn((u32, u32)) -> bool) -> PyResult<Bound<'py, PyList>> {
        let found = self.found(py, false)?;
        let kept = found.list.bind(py).iter().zip(&found.bodies).filter(|(_, bodies)| keep(**bodies));
        PyList::new(py, kept.map(|(contact, _)| contact).collect::<Vec<_>>())
    }

    fn impact(&self, py: Python<'_>, impact: &crumple::FrameImpact) -> Impact {
        let inner = self.scene.get().lock(py);
        let label = |id| inner.number(id).map_or_else(|| py.None(), |number| inner.label(py, number));
        Impact::new(impact, label(impact.a), label(impact.b))
    }
}

#[pymethods]
impl Frame {
    /// The bodies that meet, sorted by id; the pairs of each are sorted, too.
    #[getter]
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        Ok(self.found(py, false)?.list.bind(py).clone())
    }

    /// One pair of triangles, any one, for each two bodies that meet: what it takes to know whether they do.
    #[getter]
    fn witnesses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        Ok(self.found(py, true)?.list.bind(py).clone())
    }

    /// The contact of two bodies, `frame["body", "cloth"]`, or of one with itself; without pairs if they do not meet.
    fn __getitem__(&self, py: Python<'_>, bodies: (Bound<'_, PyAny>, Bound<'_, PyAny>)) -> PyResult<Py<Contact>> {
        let (a, b) = (self.find(py, &bodies.0)?, self.find(py, &bodies.1)?);
        let wanted = (a.min(b), a.max(b));
        let found = self.found(py, false)?;
        match found.bodies.binary_search(&wanted) {
            Ok(at) => Ok(found.list.bind(py).get_item(at)?.cast_into::<Contact>()?.unbind()),
            Err(_) => self.contact(py, wanted, arrays::rows(py, Vec::<[u32; 2]>::new())?),
        }
    }

    /// The contacts of one body, with others and with itself.
    fn contacts_of<'py>(&self, py: Python<'py>, body: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let number = self.find(py, body)?;
        self.some(py, |(a, b)| a == number || b == number)
    }

    /// The contacts of bodies that did not meet when contacts were last asked for in an earlier frame.
    fn began<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let began = self.ask(py, |inner, frame| {
            Ok(frame.began().filter_map(|found| inner.number(found.a).zip(inner.number(found.b))).collect::<Vec<_>>())
        })?;
        self.some(py, |bodies| began.contains(&bodies))
    }

    /// The bodies that met then and do not meet now, as pairs of names or ids; not those that were removed.
    fn ended(&self, py: Python<'_>) -> PyResult<Vec<(Py<PyAny>, Py<PyAny>)>> {
        let ended = self.ask(py, |inner, frame| {
            Ok(frame.ended().filter_map(|found| inner.number(found.a).zip(inner.number(found.b))).collect::<Vec<_>>())
        })?;
        let inner = self.scene.get().lock(py);
        Ok(ended.into_iter().map(|(a, b)| (inner.label(py, a), inner.label(py, b))).collect())
    }

    /// Where the vertices of a body are: (n, 3) float32, a copy.
    fn positions<'py>(&self, py: Python<'py>, body: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let number = self.find(py, body)?;
        let positions = self.ask(py, |inner, frame| {
            let body = frame.body(inner.id(number)?).map_err(|error| Refusal::of_scene(&error, "?"))?;
            Ok(body.positions().to_vec())
        })?;
        arrays::rows(py, positions)
    }

    /// Where they were in the frame before; the same if the body has not moved since.
    fn previous_positions<'py>(
        &self,
        py: Python<'py>,
        body: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let number = self.find(py, body)?;
        let positions = self.ask(py, |inner, frame| {
            let body = frame.body(inner.id(number)?).map_err(|error| Refusal::of_scene(&error, "?"))?;
            Ok(body.previous_positions().to_vec())
        })?;
        arrays::rows(py, positions)
    }

    /// The first impact of the step from the last frame to this one; None if no surfaces meet in it.
    ///
    /// Every vertex moves in a straight line. What passes through between the frames is found.
    fn first_impact(&self, py: Python<'_>) -> PyResult<Option<Impact>> {
        let first = self.ask(py, |_, frame| Ok(frame.first_impact().copied()))?;
        Ok(first.map(|impact| self.impact(py, &impact)))
    }

    /// The first impact of every two features that meet in the step, sorted by time.
    fn impacts(&self, py: Python<'_>) -> PyResult<Vec<Impact>> {
        let all = self.ask(py, |_, frame| Ok(frame.impacts().to_vec()))?;
        Ok(all.iter().map(|impact| self.impact(py, impact)).collect())
    }

    /// A fraction of the step that can be taken without any contact: 1 if there is none, 0 if surfaces meet at its start.
    fn safe_step(&self, py: Python<'_>) -> PyResult<f64> {
        self.ask(py, |_, frame| Ok(frame.safe_step()))
    }

    /// How far apart the surfaces of two bodies are, and where they are nearest.
    fn distance(&self, py: Python<'_>, a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<Distance> {
        let (number_a, number_b) = (self.find(py, a)?, self.find(py, b)?);
        let found = self.ask(py, |inner, frame| {
            let (a, b) = (inner.id(number_a)?, inner.id(number_b)?);
            frame.distance(a, b).map_err(|error| inner.refused(&error))
        })?;
        Ok(Distance::new(found))
    }

    /// Whether the surfaces of two bodies are closer than a distance; ends as soon as that is known.
    fn is_closer_than(
        &self,
        py: Python<'_>,
        a: &Bound<'_, PyAny>,
        b: &Bound<'_, PyAny>,
        distance: f64,
    ) -> PyResult<bool> {
        let (number_a, number_b) = (self.find(py, a)?, self.find(py, b)?);
        self.ask(py, |inner, frame| {
            let (a, b) = (inner.id(number_a)?, inner.id(number_b)?);
            frame.is_closer_than(a, b, distance).map_err(|error| inner.refused(&error))
        })
    }

    /// How much two closed bodies overlap, exact up to rounding: volume, area, centroid, and how the volume changes with every
    /// vertex.
    fn overlap<'py>(
        &self,
        py: Python<'py>,
        a: &Bound<'py, PyAny>,
        b: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (number_a, number_b) = (self.find(py, a)?, self.find(py, b)?);
        let found = self.ask(py, |inner, frame| {
            let (a, b) = (inner.id(number_a)?, inner.id(number_b)?);
            let found = frame.overlap(a, b).map_err(|error| inner.refused(&error))?;
            let size = |id| frame.body(id).map(|body| body.positions().len()).map_err(|error| inner.refused(&error));
            Ok(Found::exact(found.overlap, [(found.gradient_of(a), size(a)?), (found.gradient_of(b), size(b)?)]))
        })?;
        found.into_object(py)
    }

    /// All pairs of features, a vertex and a face or two edges, that are closer than a distance: between bodies, and within
    /// bodies that are checked against themselves.
    fn near<'py>(&self, py: Python<'py>, distance: f64) -> PyResult<Bound<'py, PyAny>> {
        let rows = self.ask(py, |inner, frame| {
            let mut rows = Rows::default();
            for group in frame.near(distance).groups() {
                let (Some(a), Some(b)) = (inner.number(group.a), inner.number(group.b)) else { continue };
                group.pairs.iter().for_each(|pair| rows.add(a, b, pair));
            }
            Ok(rows)
        })?;
        rows.into_tables(py)
    }

    fn __repr__(&self) -> String {
        format!("Frame({})", self.number)
    }
}

/// Two bodies that meet, or one that meets itself, and where.
#[pyclass(frozen, module = "crumple")]
#[derive(Debug)]
pub(crate) struct Contact {
    /// The body that was added first: its name, or its id if it has none.
    #[pyo3(get)]
    a: Py<PyAny>,
    /// The other one; the same one if a body meets itself.
    #[pyo3(get)]
    b: Py<PyAny>,
    /// The triangles that meet, of `a` and of `b`, sorted: (k, 2) uint32. A view of memory that the contacts of a frame share.
    #[pyo3(get)]
    pairs: Py<PyArray2<u32>>,
    scene: Py<Scene>,
    changes: u64,
    bodies: (u32, u32),
}

#[pymethods]
impl Contact {
    /// Whether a body meets itself.
    #[getter]
    fn is_self(&self) -> bool {
        self.bodies.0 == self.bodies.1
    }

    /// The corners of every pair: (k, 2, 3, 3) float32, by pair, body, corner and axis. The frame must not be over.
    fn triangles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let scene = self.scene.get();
        let mut inner = scene.lock(py);
        let corners = scene.work(py, &mut inner, |inner| {
            let frame = inner.frame(self.changes)?;
            let (a, b) = (inner.id(self.bodies.0)?, inner.id(self.bodies.1)?);
            let Some(contact) = frame.contact(a, b) else { return Ok(Vec::new()) };
            Ok(contact.pairs.iter().flat_map(|&pair| contact.triangles(pair)).flat_map(|found| found.0).collect())
        })?;
        let len = corners.len() / 6;
        let array = PyArray1::from_vec(py, corners.into_flattened());
        Ok(array.reshape([len, 2, 3, 3])?.into_any())
    }

    /// How many pairs of triangles meet.
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.pairs.bind(py).len()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (a, b, count) = (self.a.bind(py).repr()?, self.b.bind(py).repr()?, self.__len__(py)?);
        Ok(format!("Contact({a}, {b}, {count} {})", if count == 1 { "pair" } else { "pairs" }))
    }
}
