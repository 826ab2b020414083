//! The command as its users meet it: what it prints where, and how it exits.

mod bad_files;
mod bench;
mod check;
mod continuous;
mod demo;
mod gpu;
mod outputs;
mod run;
mod scene;
mod snapshots;
mod usage;
mod volume;
