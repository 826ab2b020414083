//! The command as its users meet it: what it prints where, and how it exits.

mod bad_files;
mod bench;
mod character;
mod check;
mod config;
mod continuous;
mod demo;
mod distance;
mod exact;
mod formats;
mod gate;
mod gpu;
mod hostile;
mod in_f64;
mod odd_files;
mod outputs;
mod overwriting;
mod printed;
mod reports;
mod run;
mod scene;
mod snapshots;
mod split;
mod usage;
mod volume;
mod whole;
