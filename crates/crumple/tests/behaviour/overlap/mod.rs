//! Exact overlaps: volumes against closed formulas and exact clipping, gradients against differences.

mod boxes;
mod curves;
mod exchanged;
mod gradient;
mod invariance;
mod refused;
mod regions;
mod scene;
mod solids;
mod swallowed;
pub(crate) mod tetrahedra;

use crate::support::shapes::Shape;
use crumple::{Body, Overlap, overlap};

fn of(a: &Shape, b: &Shape) -> Overlap {
    between(&a.body(), &b.body())
}

fn between(a: &Body, b: &Body) -> Overlap {
    overlap(a, b).unwrap()
}

/// The longest side of both shapes' common box, to the third power: what errors of volumes are compared with.
fn size(a: &Shape, b: &Shape) -> f64 {
    let bounds = a.body().bounds().union(&b.body().bounds());
    f64::from(bounds.extent().into_iter().fold(0.0, f32::max)).powi(3)
}

#[track_caller]
fn assert_near(found: f64, expected: f64, within: f64, what: impl Fn() -> String) {
    assert!((found - expected).abs() <= within, "{}: {found:e} instead of {expected:e}", what());
}
