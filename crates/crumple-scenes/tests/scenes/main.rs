//! The built-in scenes: closed where they say so, and the same on every platform.

mod surface;

mod bodies;
mod cutting;
mod published;
