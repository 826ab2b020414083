//! Frames, to be read.

use std::ops::Range;
use std::sync::Arc;

use crumple::{BodyId, SceneError, TrianglePair};
use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PySlice, PyTuple};

use crate::arrays::{self, Given};
use crate::contact::Contact;
use crate::distance::{Distance, Rows};
use crate::errors::Refusal;
use crate::impact::Impact;
use crate::overlap::Found;
use crate::probes::{self, Closest, Hit};
use crate::response::{self, Depth, FoundCurve, FoundRegion};
use crate::scene::{Inner, Scene};
use crate::self_overlap::{FoundSelf, holes};
use crate::shared;

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

/// Pairs of all contacts, one after another, and where those of each two bodies are.
struct SharedContacts {
    pairs: Arc<Vec<TrianglePair>>,
    of: Vec<((u32, u32), Range<usize>)>,
}

impl Frame {
    pub(crate) fn new(scene: Py<Scene>, number: u64, changes: u64) -> Self {
        Self { scene, number, changes, contacts: PyOnceLock::new(), witnesses: PyOnceLock::new() }
    }

    /// Asks the library's frame, without the interpreter.
    pub(crate) fn ask<T: Send>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&Inner, crumple::Frame<'_>) -> Result<T, Refusal> + Send,
    ) -> PyResult<T> {
        let scene = self.scene.get();
        let mut inner = scene.lock(py);
        scene.work(py, &mut inner, |inner| question(inner, inner.frame(self.changes)?))
    }

    pub(crate) fn find(&self, py: Python<'_>, body: &Bound<'_, PyAny>) -> PyResult<u32> {
        self.scene.get().lock(py).find(body)
    }

    /// All contacts, or one pair of triangles of each. Their arrays are views of the library's own list.
    fn found(&self, py: Python<'_>, only_one: bool) -> PyResult<&Listed> {
        let kept = if only_one { &self.witnesses } else { &self.contacts };
        if let Some(found) = kept.get(py) {
            return Ok(found);
        }
        let SharedContacts { pairs, of } = self.ask(py, |inner, frame| {
            let contacts = if only_one { frame.witnesses() } else { frame.contacts() };
            let (mut of, mut end) = (Vec::new(), 0);
            for contact in contacts {
                let start = end;
                end += contact.pairs.len();
                let (Some(a), Some(b)) = (inner.number(contact.a), inner.number(contact.b)) else { continue };
                of.push(((a, b), start..end));
            }
            Ok(SharedContacts { pairs: contacts.shared_pairs(), of })
        })?;
        let all = shared::pairs(py, pairs)?;
        let mut list = Vec::with_capacity(of.len());
        for (bodies, range) in &of {
            let pairs = all.get_item(PySlice::new(py, range.start as isize, range.end as isize, 1))?;
            list.push(self.contact(py, *bodies, pairs.cast_into::<PyArray2<u32>>()?)?);
        }
        let bodies = of.into_iter().map(|(bodies, _)| bodies).collect();
        let found = Listed { list: PyTuple::new(py, list)?.unbind(), bodies };
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

    /// What Python calls two bodies.
    fn labels(&self, py: Python<'_>, (a, b): (BodyId, BodyId)) -> [Py<PyAny>; 2] {
        let inner = self.scene.get().lock(py);
        [a, b].map(|id| inner.number(id).map_or_else(|| py.None(), |number| inner.label(py, number)))
    }

    fn impact(&self, py: Python<'_>, impact: &crumple::Between<crumple::Impact>) -> Impact {
        let [a, b] = self.labels(py, (impact.a, impact.b));
        Impact::new(impact, a, b)
    }

    /// Asks about two bodies that Python names.
    fn ask_about_two<T: Send>(
        &self,
        py: Python<'_>,
        [a, b]: [&Bound<'_, PyAny>; 2],
        question: impl FnOnce(&crumple::Frame<'_>, BodyId, BodyId) -> Result<T, SceneError> + Send,
    ) -> PyResult<T> {
        let (number_a, number_b) = (self.find(py, a)?, self.find(py, b)?);
        self.ask(py, |inner, frame| {
            let (a, b) = (inner.id(number_a)?, inner.id(number_b)?);
            question(&frame, a, b).map_err(|error| inner.refused(&error))
        })
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

    /// Where the vertices of a body are: (n, 3) float32, or float64 if it was added with such positions; a copy.
    fn positions<'py>(&self, py: Python<'py>, body: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let number = self.find(py, body)?;
        let positions = self.ask(py, |inner, frame| {
            let body = frame.body(inner.id(number)?).map_err(|error| Refusal::of_scene(&error, "?"))?;
            Ok(body.positions_f64().map(<[_]>::to_vec).ok_or_else(|| body.positions().to_vec()))
        })?;
        either(py, positions)
    }

    /// Where they were in the frame before; the same if the body has not moved since.
    fn previous_positions<'py>(&self, py: Python<'py>, body: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let number = self.find(py, body)?;
        let positions = self.ask(py, |inner, frame| {
            let body = frame.body(inner.id(number)?).map_err(|error| Refusal::of_scene(&error, "?"))?;
            Ok(body.previous_positions_f64().map(<[_]>::to_vec).ok_or_else(|| body.previous_positions().to_vec()))
        })?;
        either(py, positions)
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

    /// A fraction of the step that can be taken without any contact: 1 if there is none, 0 if surfaces meet at its start. With
    /// `ignore_initial`, what meets or touches at the start is left out: for solvers that start with bodies in each other.
    #[pyo3(signature = (*, ignore_initial=false))]
    fn safe_step(&self, py: Python<'_>, ignore_initial: bool) -> PyResult<f64> {
        self.ask(py, |_, frame| Ok(if ignore_initial { frame.safe_step_ignoring_initial() } else { frame.safe_step() }))
    }

    /// How far apart the surfaces of two bodies are, and where they are nearest.
    fn distance(&self, py: Python<'_>, a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<Distance> {
        let found = self.ask_about_two(py, [a, b], |frame, a, b| frame.distance(a, b))?;
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
        self.ask_about_two(py, [a, b], |frame, a, b| frame.is_closer_than(a, b, distance))
    }

    /// How much two closed bodies overlap, exact up to rounding: volume, area, centroid, and how the volume changes with every
    /// vertex.
    ///
    /// >>> import numpy as np, crumple as cr
    /// >>> faces, V = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]], np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    /// >>> scene = cr.Scene()
    /// >>> scene.add(faces, V, name="a"), scene.add(faces, V + np.float32([0.5, 0, 0]), name="b")
    /// (0, 1)
    /// >>> found = scene.update().overlap("a", "b")
    /// >>> round(48 * found.volume, 12), found.gradient_a.shape
    /// (1.0, (4, 3))
    fn overlap<'py>(
        &self,
        py: Python<'py>,
        a: &Bound<'py, PyAny>,
        b: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let found = self.ask_about_two(py, [a, b], |frame, a, b| {
            let found = frame.overlap(a, b)?;
            let size = |id| frame.body(id).map(|body| body.positions().len());
            Ok(Found::exact(found.of, [(found.gradient_of(a), size(a)?), (found.gradient_of(b), size(b)?)]))
        })?;
        found.into_object(py)
    }

    /// How much a closed body overlaps itself, exact up to rounding: the volume, how it changes with every vertex, and the connected
    /// parts. With `cap_holes`, an open surface is closed first; the answer then depends on the caps.
    ///
    /// >>> import numpy as np, crumple as cr
    /// >>> faces = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
    /// >>> V = np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    /// >>> scene = cr.Scene()
    /// >>> both = scene.add(np.vstack([faces, faces + 4]), np.vstack([V, V + np.float32([0.5, 0, 0])]))
    /// >>> found = scene.update().self_overlap(both)
    /// >>> round(48 * found.volume, 12), found.gradient.shape, len(found.regions)
    /// (1.0, (8, 3), 1)
    #[pyo3(signature = (body, *, cap_holes=false))]
    fn self_overlap<'py>(
        &self,
        py: Python<'py>,
        body: &Bound<'py, PyAny>,
        cap_holes: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let number = self.find(py, body)?;
        let found = self.ask(py, |inner, frame| {
            let (body, holes) = (inner.id(number)?, holes(cap_holes));
            let found = || {
                let (found, regions) = (frame.self_overlap_with(body, holes)?, frame.self_regions_with(body, holes)?);
                Ok(FoundSelf::new(frame.body(body)?, found, regions))
            };
            found().map_err(|error: SceneError| inner.refused(&error))
        })?;
        found.into_object(py)
    }

    /// The connected parts of the overlaps of all closed bodies, sorted by bodies: volume, area, centroid, normal, and what lies
    /// in each. A part keeps its id from frame to frame.
    ///
    /// >>> import numpy as np, crumple as cr
    /// >>> faces, V = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]], np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    /// >>> scene = cr.Scene()
    /// >>> scene.add(faces, V, name="a"), scene.add(faces, V + np.float32([0.5, 0.125, 0.125]), name="b")
    /// (0, 1)
    /// >>> [(region.a, region.b, round(384 * region.volume, 9)) for region in scene.update().regions()]
    /// [('a', 'b', 1.0)]
    fn regions<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let found = self.ask(py, |_, frame| Ok(frame.regions().map(FoundRegion::from).collect::<Vec<_>>()))?;
        let object = |region: FoundRegion| {
            let [a, b] = self.labels(py, region.bodies);
            region.into_object(py, a, b)
        };
        found.into_iter().map(object).collect()
    }

    /// The curves along which the surfaces of bodies cross, sorted by bodies. Bodies may be open.
    ///
    /// >>> import numpy as np, crumple as cr
    /// >>> scene = cr.Scene()
    /// >>> floor = scene.add([[0, 1, 2]], np.float32([[-9, 0, -9], [9, 0, -9], [0, 0, 9]]), name="floor")
    /// >>> leaf = scene.add([[0, 1, 2]], np.float32([[0, -1, 0], [1, 1, 0], [0, 1, 1]]), name="leaf")
    /// >>> (curve,) = scene.update().curves()
    /// >>> curve.a, curve.b, curve.is_closed, curve.points[:, 1].tolist()
    /// ('floor', 'leaf', False, [0.0, 0.0])
    fn curves<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let found = self.ask(py, |_, frame| {
            let of_two = |found: crumple::Between<&crumple::Curves>| {
                let curves = found.iter().map(|curve| FoundCurve::new((found.a, found.b), curve));
                curves.collect::<Vec<_>>()
            };
            Ok(frame.curves().flat_map(of_two).collect::<Vec<_>>())
        })?;
        let object = |curve: FoundCurve| {
            let [a, b] = self.labels(py, curve.bodies);
            curve.into_object(py, a, b)
        };
        found.into_iter().map(object).collect()
    }

    /// The vertices of body `a` that are inside the closed body `b` or on its surface, each with its depth and the nearest way out:
    /// a structured array of vertex, triangle (of `b`), depth, point, normal, barycentric. Body `a` may be open.
    ///
    /// >>> import numpy as np, crumple as cr
    /// >>> faces, V = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]], np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    /// >>> scene = cr.Scene()
    /// >>> solid = scene.add(faces, V)
    /// >>> cloth = scene.add([[0, 1, 2]], np.float32([[0.25, 0.25, 0.125], [2, 0, 2], [0, 2, 2]]))
    /// >>> depths = scene.update().depths(cloth, solid)
    /// >>> depths["vertex"].tolist(), depths["depth"].tolist(), depths["normal"].tolist()
    /// ([0], [0.125], [[0.0, 0.0, -1.0]])
    fn depths<'py>(
        &self,
        py: Python<'py>,
        a: &Bound<'py, PyAny>,
        b: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let rows: Vec<Depth> = self.ask_about_two(py, [a, b], |frame, a, b| {
            let mut found = Vec::new();
            frame.depths(a, b, &mut found)?;
            Ok(found.iter().map(Depth::from).collect())
        })?;
        arrays::table(py, rows, "depths")
    }

    /// The smallest translation found that parts body `a` from body `b`; None if they are apart. Never too small, but for bodies
    /// far from convex there may be a shorter one. Takes some hundred times as long as `first_impact`.
    ///
    /// >>> import numpy as np, crumple as cr
    /// >>> faces, V = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]], np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    /// >>> scene = cr.Scene()
    /// >>> a, b = scene.add(faces, V), scene.add(faces, V + np.float32([0.75, 0, 0]))
    /// >>> round(scene.update().separation(a, b).depth, 3)    # perpendicular to the slanted face: 0.25 / 3**0.5
    /// 0.144
    fn separation<'py>(
        &self,
        py: Python<'py>,
        a: &Bound<'py, PyAny>,
        b: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let found = self.ask_about_two(py, [a, b], |frame, a, b| frame.separation(a, b))?;
        found.map(|found| response::separation(py, &found)).transpose()
    }

    /// The point of a body that is closest to each of some points, (n, 3) float32 or float64: a structured array of distance, point,
    /// barycentric, triangle. With `signed`, distances are negative inside the body, which must be closed; the sign is exact.
    ///
    /// >>> import numpy as np, crumple as cr
    /// >>> faces, V = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]], np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    /// >>> scene = cr.Scene()
    /// >>> corner = scene.add(faces, V)
    /// >>> points = np.float32([[0.25, 0.25, -1], [0.25, 0.25, 0.125]])
    /// >>> scene.update().closest_points(corner, points, signed=True)["distance"].tolist()
    /// [1.0, -0.125]
    #[pyo3(signature = (body, points, *, signed=false, cast=false))]
    fn closest_points<'py>(
        &self,
        py: Python<'py>,
        body: &Bound<'py, PyAny>,
        points: &Bound<'py, PyAny>,
        signed: bool,
        cast: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let array = arrays::positions(points, cast, "points")?;
        let (points, number) = (array.given()?, self.find(py, body)?);
        let rows: Vec<Closest> = self.ask(py, |inner, frame| {
            let (body, mut found) = (inner.id(number)?, Vec::new());
            let asked = match (points, signed) {
                (Given::F32(points), true) => frame.signed_closest_points(body, points, &mut found),
                (Given::F32(points), false) => frame.closest_points(body, points, &mut found),
                (Given::F64(points), true) => frame.signed_closest_points(body, points, &mut found),
                (Given::F64(points), false) => frame.closest_points(body, points, &mut found),
            };
            asked.map_err(|error| inner.refused(&error))?;
            Ok(found.iter().map(Closest::from).collect())
        })?;
        arrays::table(py, rows, "closest")
    }

    /// The first hit of every ray on any body, or on one: a structured array of body (its id, -1 without a hit), triangle, t
    /// (how far along the ray, in lengths of its direction; infinite without a hit), barycentric, normal.
    ///
    /// `origins` and `directions` are (n, 3) float32; one of either goes with all of the other.
    ///
    /// >>> import numpy as np, crumple as cr
    /// >>> scene = cr.Scene()
    /// >>> floor = scene.add([[0, 1, 2]], np.float32([[-9, 0, -9], [9, 0, -9], [0, 0, 9]]))
    /// >>> hits = scene.update().cast_rays(np.float32([[0, 5, 0], [99, 5, 0]]), np.float32([[0, -2, 0]]))
    /// >>> hits["body"].tolist(), hits["t"].tolist()
    /// ([0, -1], [2.5, inf])
    #[pyo3(signature = (origins, directions, *, body=None, cast=false))]
    fn cast_rays<'py>(
        &self,
        py: Python<'py>,
        origins: &Bound<'py, PyAny>,
        directions: &Bound<'py, PyAny>,
        body: Option<&Bound<'py, PyAny>>,
        cast: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let arrays = [arrays::tested(origins, cast, "origins")?, arrays::tested(directions, cast, "directions")?];
        let rays = probes::rays(arrays::points(&arrays[0])?, arrays::points(&arrays[1])?)?;
        let only = body.map(|body| self.find(py, body)).transpose()?;
        let rows: Vec<Hit> = self.ask(py, |inner, frame| {
            let refused = |error| inner.refused(&error);
            if let Some(number) = only {
                let mut found = Vec::new();
                frame.cast_rays_at(inner.id(number)?, &rays, &mut found).map_err(refused)?;
                return Ok(found.iter().map(|hit| Hit::new(hit.map(|hit| (number, hit)))).collect());
            }
            let mut found = Vec::new();
            frame.cast_rays(&rays, &mut found).map_err(refused)?;
            let numbered = |hit: crumple::FrameHit| Some((inner.number(hit.body)?, hit.hit));
            Ok(found.iter().map(|hit| Hit::new(hit.and_then(numbered))).collect())
        })?;
        arrays::table(py, rows, "hits")
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

/// Positions in f64 or else in f32, as an array that owns them.
fn either(py: Python<'_>, positions: Result<Vec<[f64; 3]>, Vec<[f32; 3]>>) -> PyResult<Bound<'_, PyAny>> {
    match positions {
        Ok(wide) => Ok(arrays::rows(py, wide)?.into_any()),
        Err(narrow) => Ok(arrays::rows(py, narrow)?.into_any()),
    }
}
