//! The command as its users meet it: what it prints where, and how it exits.

mod bench;
mod check;
mod demo;
mod run;
mod scene;
mod usage;
mod volume;
