//! Potentials of what is near, for solvers.

use std::sync::{Mutex, MutexGuard, PoisonError};

use bytemuck::{Pod, Zeroable};
use crumple::BodyId;
use crumple::potential::{self, Barrier, Hessian, Projection, Stencil, StencilKind};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;

use crate::arrays;
use crate::errors::Refusal;
use crate::frame::Frame;

/// Values, rows and columns of a sparse matrix.
type Triplets<'py> = (Bound<'py, PyArray1<f64>>, (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<u32>>));

/// The energy of all features that are closer than a reach, with gradient and Hessian, for solvers.
///
/// What a barrier says about their distance: "log" is that of Incremental Potential Contact (Li et al. 2020), infinite where surfaces
/// meet; "cubic" is finite there. With `areas`, weights are areas at rest. Rest positions are those of the first frame unless
/// `set_rest` says otherwise. Vertices of all bodies follow each other in the order of the bodies.
///
/// >>> import numpy as np, crumple as cr
/// >>> scene, tile = cr.Scene(), np.float64([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
/// >>> for height in (0, 0.25):
/// ...     _ = scene.add([[0, 1, 2]], tile + [0, 0, height])
/// >>> potential = cr.ContactPotential(0.3)
/// >>> potential.update(scene.update())
/// >>> potential.energy() > 0, potential.gradient()[:, 2] > 0
/// (True, array([ True,  True,  True, False, False, False]))
/// >>> values, (rows, columns) = potential.hessian()    # scipy.sparse.coo_array((values, (rows, columns)))
/// >>> int(rows.max())
/// 17
#[pyclass(frozen, module = "crumple")]
#[derive(Debug)]
pub(crate) struct ContactPotential {
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    potential: potential::ContactPotential,
    /// The bodies of the last frame by the number that Python knows them by.
    bodies: Vec<(BodyId, u32)>,
}

/// A row of `ContactPotential.stencils`, as `crumple._near` describes it to NumPy.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct Row {
    points: u32,
    kind: u32,
    bodies: [u32; 4],
    vertices: [u32; 4],
    weights: [f64; 4],
    direction: [f64; 3],
    distance: f64,
    multiplicity: f64,
    sine_squared: f64,
}

impl ContactPotential {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl ContactPotential {
    #[new]
    #[pyo3(signature = (reach, *, barrier="log", stiffness=1.0, thickness=0.0, areas=false))]
    fn new(reach: f64, barrier: &str, stiffness: f64, thickness: f64, areas: bool) -> PyResult<Self> {
        for (name, number) in [("reach", reach), ("stiffness", stiffness), ("thickness", thickness)] {
            if !(number.is_finite() && number >= 0.0) {
                let message = format!("{name} is {number:?}, but it must be a finite number that is not negative");
                return Err(Refusal::new("OptionError", message).into());
            }
        }
        let barrier = match barrier {
            "log" => Barrier::ClampedLog,
            "cubic" => Barrier::Cubic,
            other => {
                let message = format!("there is no barrier {other:?}: it is \"log\" or \"cubic\"");
                return Err(Refusal::new("OptionError", message).into());
            }
        };
        let made = potential::ContactPotential::new(reach);
        let made = made.with_barrier(barrier).with_stiffness(stiffness).with_thickness(thickness);
        let potential = if areas { made.with_areas() } else { made };
        Ok(Self { inner: Mutex::new(Inner { potential, bodies: Vec::new() }) })
    }

    /// Says where the vertices of a body are at rest, in place of where they were in the first frame.
    fn set_rest(&self, frame: &Frame, body: &Bound<'_, PyAny>, positions: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = body.py();
        let number = frame.find(py, body)?;
        let rest = arrays::wide(positions, "rest positions")?;
        frame.ask(py, |scene, frame| {
            let set = self.lock().potential.set_rest(&frame, scene.id(number)?, &rest);
            set.map_err(|error| scene.refused(&error))
        })
    }

    /// Takes what is near in a frame.
    fn update(&self, py: Python<'_>, frame: &Frame) -> PyResult<()> {
        frame.ask(py, |scene, frame| {
            let mut inner = self.lock();
            inner.potential.update(&frame);
            inner.bodies = frame.bodies().filter_map(|(id, _)| Some((id, scene.number(id)?))).collect();
            Ok(())
        })
    }

    /// The energy; infinite if surfaces meet or are within the thickness, and the barrier is "log".
    fn energy(&self, py: Python<'_>) -> f64 {
        py.detach(|| self.lock().potential.energy())
    }

    /// The gradient of the energy for every vertex of all bodies: (n, 3) float64. Minus the gradient is the force.
    fn gradient<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        arrays::rows(py, py.detach(|| self.lock().potential.gradient().to_vec()))
    }

    /// The second derivatives of the energy as values, and rows and columns: what stands in one place more than once is to be added up.
    ///
    /// Negative eigenvalues of what each stencil adds become 0 ("clamp"), positive ("abs") or stay ("none").
    #[pyo3(signature = (projection="clamp"))]
    fn hessian<'py>(&self, py: Python<'py>, projection: &str) -> PyResult<Triplets<'py>> {
        let projection = match projection {
            "clamp" => Projection::Clamp,
            "abs" => Projection::Abs,
            "none" => Projection::None,
            other => {
                let message = format!("there is no projection {other:?}: it is \"clamp\", \"abs\" or \"none\"");
                return Err(Refusal::new("OptionError", message).into());
            }
        };
        Ok(triplets(py, py.detach(|| listed(self.lock().potential.hessian(projection)))))
    }

    /// Which vertices of all are those of a body: the first and one past the last.
    fn vertices(&self, py: Python<'_>, frame: &Frame, body: &Bound<'_, PyAny>) -> PyResult<(usize, usize)> {
        let number = frame.find(py, body)?;
        frame.ask(py, |scene, frame| {
            let id = scene.id(number)?;
            let first = self.lock().potential.first_vertex(id);
            let first =
                first.ok_or_else(|| Refusal::new("SceneError", "the potential has not seen this body: update it"))?;
            let body = frame.body(id).map_err(|error| scene.refused(&error))?;
            Ok((first, first + body.mesh().vertex_count()))
        })
    }

    /// What is near, each set of vertices once: a structured array with points, kind (0 point-point, 1 point-edge, 2 point-triangle, 3
    /// edge-edge), bodies, vertices, weights, direction, distance, multiplicity and sine_squared. The derivative of the distance
    /// for a vertex is its weight times the direction.
    fn stencils<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let rows = py.detach(|| {
            let inner = self.lock();
            let number = |id: BodyId| {
                let at = inner.bodies.binary_search_by_key(&id, |&(id, _)| id);
                at.map_or(u32::MAX, |at| inner.bodies[at].1)
            };
            inner.potential.stencils().iter().map(|stencil| row(stencil, number)).collect::<Vec<_>>()
        });
        let view = py.import("crumple._near")?.getattr("stencils")?;
        view.call1((arrays::words(py, rows),))
    }
}

fn row(stencil: &Stencil, number: impl Fn(BodyId) -> u32) -> Row {
    Row {
        points: stencil.points() as u32,
        kind: match stencil.kind {
            StencilKind::PointPoint => 0,
            StencilKind::PointEdge => 1,
            StencilKind::PointTriangle => 2,
            _ => 3,
        },
        bodies: stencil.vertices.map(|(id, _)| number(id)),
        vertices: stencil.vertices.map(|(_, vertex)| vertex.0),
        weights: stencil.weights,
        direction: stencil.direction,
        distance: stencil.distance,
        multiplicity: stencil.multiplicity,
        sine_squared: stencil.sine_squared,
    }
}

/// Friction between what was near at an earlier moment, lagged as in Li et al. 2020.
///
/// `creep` is how far what sticks may slide in a step: a speed times the length of the step.
#[pyclass(frozen, module = "crumple")]
#[derive(Debug)]
pub(crate) struct Friction {
    inner: Mutex<potential::Friction>,
}

impl Friction {
    fn lock(&self) -> MutexGuard<'_, potential::Friction> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Friction {
    #[new]
    fn new(coefficient: f64, creep: f64) -> PyResult<Self> {
        if !(coefficient >= 0.0 && creep > 0.0 && coefficient.is_finite() && creep.is_finite()) {
            let message = format!(
                "the coefficient is {coefficient:?} and the creep {creep:?}: one must not be negative, the other must be positive"
            );
            return Err(Refusal::new("OptionError", message).into());
        }
        Ok(Self { inner: Mutex::new(potential::Friction::new(coefficient, creep)) })
    }

    /// Takes stencils, normal forces and positions of a potential: displacements are measured from there.
    fn lag(&self, potential: &ContactPotential) {
        self.lock().lag(&potential.lock().potential);
    }

    /// Takes where the vertices are now.
    fn update(&self, py: Python<'_>, frame: &Frame) -> PyResult<()> {
        frame.ask(py, |_, frame| {
            self.lock().update(&frame);
            Ok(())
        })
    }

    /// The energy.
    fn energy(&self) -> f64 {
        self.lock().energy()
    }

    /// The gradient for every vertex of all bodies: (n, 3) float64.
    fn gradient<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        arrays::rows(py, self.lock().gradient().to_vec())
    }

    /// The second derivatives as values, and rows and columns. They have no negative eigenvalues.
    fn hessian<'py>(&self, py: Python<'py>) -> Triplets<'py> {
        triplets(py, listed(self.lock().hessian()))
    }
}

type Listed = (Vec<f64>, Vec<u32>, Vec<u32>);

fn listed(hessian: Hessian<'_>) -> Listed {
    let (mut values, mut rows, mut columns) = (Vec::new(), Vec::new(), Vec::new());
    for (row, column, value) in hessian.triplets() {
        values.push(value);
        rows.push(row as u32);
        columns.push(column as u32);
    }
    (values, rows, columns)
}

fn triplets<'py>(py: Python<'py>, (values, rows, columns): Listed) -> Triplets<'py> {
    (PyArray1::from_vec(py, values), (PyArray1::from_vec(py, rows), PyArray1::from_vec(py, columns)))
}
