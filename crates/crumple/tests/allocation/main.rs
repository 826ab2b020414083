//! A second identical pass over a sequence allocates nothing on one thread.

#[path = "../support/mod.rs"]
mod support;

mod in_f64;
mod methods;
mod overlap;
mod scenes;
