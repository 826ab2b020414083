//! What every test of the device needs: the adapter it runs on, and a body.

use crumple::{Body, Mesh};
use crumple_ldi::gpu::{AdapterChoice, Gpu};
use crumple_scenes::Shape;

/// A context of the test's own. Without an adapter the test fails, and the error says what to install. `CRUMPLE_GPU` names
/// the adapter; else it is the fastest.
pub(crate) fn gpu() -> Gpu {
    let choice = std::env::var("CRUMPLE_GPU").map_or(AdapterChoice::default(), AdapterChoice::Named);
    Gpu::open(&choice).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn body(shape: &Shape) -> Body {
    Body::new(Mesh::new(shape.positions.len(), shape.triangles.clone()).unwrap(), &shape.positions).unwrap()
}
