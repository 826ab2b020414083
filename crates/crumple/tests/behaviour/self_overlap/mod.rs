//! Bodies that overlap themselves: volumes against closed formulas, exact clipping and the overlap of two bodies; gradients against
//! differences.

mod analytic;
mod clipped;
mod gradient;
mod invariance;
mod refused;
mod regions;
mod scene;
mod two_bodies;

use crate::support::shapes::Shape;
use crumple::contact::enclosed_volume;
use crumple::{Body, Mesh, SelfOverlap, overlap, self_overlap};

fn of(shape: &Shape) -> SelfOverlap {
    self_overlap(&shape.body()).unwrap()
}

/// The same shape with vertices at equal positions as one.
fn welded(shape: &Shape) -> Body {
    let mesh = Mesh::new(shape.positions.len(), shape.triangles.clone()).unwrap().welded(&shape.positions).unwrap();
    Body::new(mesh, &shape.positions).unwrap()
}

/// What the overlap of a body with its copy says: ∫ w² = 2 E + ∫ w.
fn by_copy(body: &Body) -> f64 {
    let both = overlap(body, body).unwrap();
    0.5 * (both.volume() - enclosed_volume(body))
}

#[track_caller]
fn assert_near(found: f64, expected: f64, within: f64, what: impl Fn() -> String) {
    assert!((found - expected).abs() <= within, "{}: {found:e} instead of {expected:e}", what());
}

/// The sum of a gradient, and its torque about the origin.
fn force_and_torque(body: &Body, found: &SelfOverlap) -> [[f64; 3]; 2] {
    let (mut force, mut torque) = ([0.0; 3], [0.0; 3]);
    for of_vertex in found.gradient() {
        let (x, g) = (body.point(of_vertex.vertex).unwrap(), of_vertex.gradient);
        for k in 0..3 {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            force[k] += g[k];
            torque[k] += x[i] * g[j] - x[j] * g[i];
        }
    }
    [force, torque]
}

/// The sizes of all entries of a gradient, added up.
fn size_of(found: &SelfOverlap) -> f64 {
    found.gradient().iter().flat_map(|of_vertex| of_vertex.gradient).map(f64::abs).sum()
}
