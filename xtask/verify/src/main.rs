//! Holds crumple to truth that others computed, on real meshes and sequences; started by `cargo xtask verify --data DIR`.
//!
//! The data are not part of this project (some may not be passed on); what each file is stands in the README beside it.
//! To add a check, write a function of [`Data`] and add a line to [`CHECKS`].

mod checks;
mod data;
mod methods;

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;

use checks::{
    command, distances, gpu, images, impacts, in_f64, mesh_pairs, motion, overlaps, points, reading, scenes,
    self_pairs, triangles, volumes,
};
use data::Data;

/// What a check found.
#[derive(Debug, Default)]
struct Tally {
    /// How many answers were compared.
    answers: usize,
    /// Those that were wrong, in words.
    wrong: Vec<String>,
}

impl Tally {
    /// Compares an answer with the truth.
    fn compare<T: PartialEq + std::fmt::Debug>(&mut self, found: T, truth: T, what: impl FnOnce() -> String) {
        self.answers += 1;
        if found != truth {
            self.wrong.push(format!("{}: found {found:?}, the truth is {truth:?}", what()));
        }
    }

    /// Notes whether something holds that is no question of one right answer.
    fn expect(&mut self, holds: bool, what: impl FnOnce() -> String) {
        self.answers += 1;
        if !holds {
            self.wrong.push(what());
        }
    }

    /// Compares a list, which is too long to be printed.
    fn compare_lists<T: PartialEq>(&mut self, found: &[T], truth: &[T], what: impl FnOnce() -> String) {
        self.answers += 1;
        if found != truth {
            let counts = [found.len(), truth.len()];
            self.wrong.push(format!("{}: a list of {}, the truth is another of {}", what(), counts[0], counts[1]));
        }
    }
}

/// A check, by what it is about.
type Check = (&'static str, fn(&Data) -> Result<Tally>);

const CHECKS: &[Check] = &[
    ("files: vertices, triangles, frames", reading::check),
    ("pairs of triangles: tri_tri.csv", triangles::check),
    ("f64: tri_tri.csv shifted and scaled", in_f64::triangles),
    ("f64: mesh_pairs.csv perturbed", in_f64::mesh_pairs),
    ("f64: self pairs perturbed", in_f64::self_pairs),
    ("moving features: ccd_queries", impacts::check),
    ("motion: positions in between", motion::check),
    ("scenes: lists of pairs", scenes::pairs),
    ("scenes: lists of self pairs", scenes::self_pairs),
    ("meshes: mesh_pairs.csv", mesh_pairs::check),
    ("distances: without a tree", distances::check),
    ("meshes: surface and self pairs", self_pairs::meshes),
    ("meshes: lists of self pairs", self_pairs::lists),
    ("sequences: self pairs of every frame", self_pairs::sequences),
    ("command: check --self of every sequence", command::sequences),
    ("command: lists of self pairs", command::lists),
    ("depth images: columns of every frame", images::check),
    ("depth images: volumes of overlaps", volumes::check),
    ("depth images: points inside", points::check),
    ("exact overlaps: volumes and regions", overlaps::check),
    ("depth images on the device", gpu::check),
];

/// Wrong answers printed per check.
const TOLD: usize = 10;

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1) else {
        eprintln!("usage: cargo xtask verify --data DIR");
        return ExitCode::from(2);
    };
    let data = match Data::open(Path::new(&folder)) {
        Ok(data) => data,
        Err(error) => {
            eprintln!("error: {error:#}");
            return ExitCode::FAILURE;
        }
    };
    // Further words choose checks by what stands in their names.
    let words: Vec<String> = std::env::args().skip(2).collect();
    let wanted = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word.as_str()));
    let mut rows = Vec::new();
    let mut all_right = true;
    for (name, check) in CHECKS.iter().filter(|(name, _)| wanted(name)) {
        println!("{name} ...");
        let start = Instant::now();
        let verdict = match check(&data) {
            Ok(tally) => {
                tally.wrong.iter().take(TOLD).for_each(|wrong| println!("  wrong: {wrong}"));
                all_right &= tally.wrong.is_empty() && tally.answers > 0;
                format!("{:>7} answers, {} wrong", tally.answers, tally.wrong.len())
            }
            Err(error) => {
                all_right = false;
                println!("  error: {error:#}");
                "not finished".to_owned()
            }
        };
        rows.push(format!("{name:<40} {verdict:<26} {:>6.1} s", start.elapsed().as_secs_f64()));
    }
    println!("\n{}", rows.join("\n"));
    if all_right { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
