//! Holds crumple to truth that others computed, on real meshes and sequences; started by `cargo xtask verify --data DIR`.
//!
//! The data are not part of this project (some may not be passed on); what each file is stands in the README beside it.
//! To add a check, write a function of [`Data`] and add a line to [`CHECKS`].

mod checks;
mod data;
mod methods;

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::{Result, anyhow, ensure};

use checks::{
    command, distances, gpu, images, impacts, in_f64, mesh_pairs, motion, overlaps, points, reading, scenes,
    self_overlaps, self_pairs, triangles, volumes,
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
    ("meshes and sequences: exact self-overlaps", self_overlaps::check),
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

/// Without further words all checks are made, each by a process of its own; with words, those in whose names one of them stands.
fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1) else {
        eprintln!("usage: cargo xtask verify --data DIR");
        return ExitCode::from(2);
    };
    let words: Vec<String> = std::env::args().skip(2).collect();
    let ended = if words.is_empty() { check_all(&folder) } else { check_some(Path::new(&folder), &words) };
    match ended {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// What begins the line that a check ends with.
const ROW: &str = "= ";

/// Makes the checks named, one after the other; returns whether all answers were right.
fn check_some(folder: &Path, words: &[String]) -> Result<bool> {
    let data = Data::open(folder)?;
    let mut all_right = true;
    for (name, check) in CHECKS.iter().filter(|(name, _)| words.iter().any(|word| name.contains(word.as_str()))) {
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
        println!("{ROW}{name:<40} {verdict:<26} {:>6.1} s", start.elapsed().as_secs_f64());
    }
    Ok(all_right)
}

/// Makes all checks, as many at a time as there are cores: most of them work on one. Each is a process of its own, so that what it
/// prints can be kept together.
fn check_all(folder: &OsStr) -> Result<bool> {
    // One that cannot be opened is said once.
    Data::open(Path::new(folder))?;
    let this = std::env::current_exe()?;
    let next = AtomicUsize::new(0);
    let rows = Mutex::new(vec![None; CHECKS.len()]);
    let worker = || -> Result<bool> {
        let mut all_right = true;
        while let Some((name, _)) = CHECKS.get(next.fetch_add(1, Ordering::Relaxed)) {
            let ended = Command::new(&this).arg(folder).arg(name).stderr(Stdio::inherit()).output()?;
            let printed = String::from_utf8_lossy(&ended.stdout);
            // Printed by one call, so that no other check's lines come between.
            let (told, row) = printed.split_once(ROW).unwrap_or((&printed, ""));
            print!("{told}");
            let row =
                if row.is_empty() { format!("{name:<40} ended abruptly: {}", ended.status) } else { row.to_owned() };
            all_right &= ended.status.success();
            if let (Ok(mut rows), Some(at)) = (rows.lock(), CHECKS.iter().position(|(other, _)| other == name)) {
                rows[at] = Some(row.trim_end().to_owned());
            }
        }
        Ok(all_right)
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let all_right = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().try_fold(true, |all_right, worker| {
            Ok::<_, anyhow::Error>(worker.join().map_err(|_| anyhow!("a check could not be started"))?? && all_right)
        })
    })?;
    println!();
    let rows = rows.into_inner().map_err(|_| anyhow!("a check could not be noted"))?;
    ensure!(rows.iter().all(Option::is_some), "a check was not made");
    rows.iter().flatten().for_each(|row| println!("{row}"));
    Ok(all_right)
}
