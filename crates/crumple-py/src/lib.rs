//! `crumple._crumple`: the library and the command for Python.
//!
//! ```text
//! NumPy arrays ─► arrays ─► mesh · scene · questions · files ─► the library ─► frame · impact ─► NumPy arrays
//!                bodies and options ─► check ─► crumple-check ─► records
//! ```
//!
//! It converts and forwards; whatever can be decided about collisions is decided by the library, and findings by `crumple-check`.
//! What can be written in Python without cost per vertex is written there: conversion of unusual arrays, views of a report.
//!
//! The interpreter is released while the library works. Classes are frozen and lock what they hold, so the module needs no GIL and
//! declares that, for free-threaded builds.
//! Held by: `tests`, run by `cargo xtask test python`.

use pyo3::prelude::*;

mod arrays;
mod arrow;
mod check;
mod command;
mod contact;
mod distance;
mod errors;
mod files;
mod frame;
mod impact;
mod mesh;
mod overlap;
mod pool;
mod potential;
mod probes;
mod questions;
mod response;
mod scene;
mod self_overlap;
mod shared;
mod writer;

#[pymodule(gil_used = false)]
mod _crumple {
    #[pymodule_export]
    use super::{
        arrow::ArrowTable,
        check::{Checked, check_bodies, plan_of_bodies, replay_bodies},
        command::{methods, run_command},
        contact::Contact,
        distance::Distance,
        files::{LoadedBody, load_files},
        frame::Frame,
        impact::Impact,
        mesh::Mesh,
        overlap::overlap_of_bodies,
        potential::{ContactPotential, Friction},
        questions::{distance_of_bodies, inside_points, near_features, pairs_of_bodies, pairs_of_one_body},
        scene::Scene,
        self_overlap::self_overlap_of_body,
        writer::PositionsWriter,
    };
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
