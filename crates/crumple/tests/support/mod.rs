//! What the tests share. Random numbers are those of `crumple_scenes::Random`, allocations are counted by the crate
//! allocation-counter, and the methods with their options are listed in `methods`.

// Every test program uses a part of this.
#![allow(dead_code)]

pub(crate) mod counts;
pub(crate) mod doubles;
pub(crate) mod errors;
pub(crate) mod fixture_files;
pub(crate) mod methods;
pub(crate) mod playback;
pub(crate) mod shapes;
pub(crate) mod soups;
