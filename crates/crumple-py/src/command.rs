//! The command, run inside the interpreter.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command `crumple` with these words, the first of which is its own name, and returns its exit code.
#[pyfunction]
pub(crate) fn run_command(py: Python<'_>, words: Vec<OsString>) -> u8 {
    py.detach(|| crumple_cli::run(words))
}

/// The names of the methods by which pairs can be found; all find the same ones.
#[pyfunction]
pub(crate) fn methods() -> Vec<&'static str> {
    crumple_methods::Method::all().iter().map(crumple_methods::Method::name).collect()
}
