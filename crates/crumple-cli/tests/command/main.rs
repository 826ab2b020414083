//! The command as its users meet it: what it prints where, and how it exits.

mod bad_files;
mod bench;
mod check;
mod continuous;
mod demo;
mod distance;
mod exact;
mod gpu;
mod hostile;
mod odd_files;
mod outputs;
mod overwriting;
mod run;
mod scene;
mod snapshots;
mod usage;
mod volume;
mod whole;
