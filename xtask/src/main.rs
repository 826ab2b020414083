//! The developer commands: `cargo xtask test`, `fuzz`, `dask`, `blender`, `losses`, `wasm`, `verify --data DIR`, `peers`, `results`,
//! `instructions`.
//!
//! Built anew before every use, so it depends on next to nothing; what needs the library is a program of its own
//! (`xtask/verify`) that is started from here.

mod counts;
mod fuzz;
mod graphics;
mod instructions;
mod package;
mod peers;
mod python;
mod results;
mod step;
mod test;
mod tree;
mod verify;
mod viewer;
mod web;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  test [--all] [STEP...]
                        what every change must pass, or only the steps named; with --all every check there is: pages in a browser,
                        WebAssembly, the GPU on a software driver, published schemas, full counts of random inputs. Says what it
                        installs. CRUMPLE_NO_SKIP=1 turns skipped steps and tests into failures
  fuzz [TARGET...] [--seconds N]
                        every fuzz target, or only those named, for a minute each
  dask                  the Python package over a cluster of two processes, with a worker killed
  losses                the losses in PyTorch and JAX, which it installs (gigabytes)
  blender               the extension, in Blender as a Python module (1.2 GB, Python 3.11)
  wasm                  build the library as WebAssembly, with SIMD and without, into target/web
  verify --data DIR     check against real meshes and the truth others computed about them
  peers [--out DIR] [SCENE...]
                        crumple beside parry3d and Embree on the same frames in one run
  results [--data DIR] [EXPERIMENT...]
                        repeat the experiments whose results are older than the code, or those named, and fill in
                        the figures of the documentation; --pages only does the latter
  instructions [--save] count the instructions of refit, traversal and triangle test, and compare
                        them with those in results/instructions.csv, or write them there";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let result = match words[..] {
        ["test", ref steps @ ..] => test::run(steps),
        ["fuzz", ref words @ ..] => fuzz::run(words),
        ["peers", ref words @ ..] => peers::run(words),
        ["wasm"] => web::build(),
        ["results", "--pages"] => results::write_pages(),
        ["results", ref words @ ..] => results::run(words),
        ["instructions"] => instructions::compare(),
        ["instructions", "--save"] => instructions::save(),
        ["dask"] => python::dask(),
        ["blender"] => python::blender(),
        ["losses"] => python::losses(),
        ["verify", "--data", folder] => verify::run(Path::new(folder)),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The folder of the workspace.
fn root() -> PathBuf {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let here = manifest.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")));
    here.parent().map(Path::to_path_buf).unwrap_or(here)
}
