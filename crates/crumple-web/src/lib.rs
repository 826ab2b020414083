//! The library as WebAssembly, for the npm package in `web`.
//!
//! ```text
//! web/src/*.ts ──► abi: numbers in, numbers out ──► world: bodies by number ──► crumple::Scene
//!              ◄── buffers: lists in memory that JavaScript reads ◄──
//! ```
//!
//! There is no code generator between the two sides: a call passes numbers, and lists lie in buffers that this side owns and
//! the other side reads or fills, so no pointer that comes from outside is ever followed. That keeps the module small and
//! needs nothing but a compiler to build.

mod abi;
mod buffers;
mod pack;
mod world;
