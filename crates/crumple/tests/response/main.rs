//! What a solver acts on: how deep bodies are in each other, and simulations that come to rest.

// Every simulation has its own copy of the solver, as the examples have.
#![allow(clippy::duplicate_mod)]

#[path = "../support/mod.rs"]
mod support;

mod depth;
mod region_depth;
mod simulations;
