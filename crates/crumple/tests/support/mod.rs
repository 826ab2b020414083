//! What the tests of methods and scenes share.

// Every test file is a program of its own and uses a part of this.
#![allow(dead_code)]

pub(crate) mod errors;
pub(crate) mod methods;
pub(crate) mod playback;
#[path = "../common/random.rs"]
pub(crate) mod random;
