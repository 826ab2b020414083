//! Holds the depth images to real meshes with known answers: `verify_volume DATA [images | pairs | points]`.
//!
//! DATA is a folder with `static/*.ply`, `deforming/*.ply` and `*.pc2`, and `ground_truth/*.csv`. Prints a table a part
//! and ends with status 1 if anything is not as it should be. Takes some minutes in a release build.

mod data;
mod images;
mod pairs;
mod points;

use std::path::Path;
use std::process::ExitCode;

/// Counts what went wrong and says so at once.
#[derive(Debug, Default)]
struct Report {
    failures: usize,
}

impl Report {
    fn expect(&mut self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.failures += 1;
            println!("FAILED: {}", what());
        }
    }
}

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// One part of the verification.
type Part = fn(&Path, &mut Report) -> Outcome;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(folder) = arguments.first().map(Path::new) else {
        eprintln!("usage: verify_volume DATA [images | pairs | points]");
        return ExitCode::from(2);
    };
    let wanted = |part: &str| arguments.len() == 1 || arguments[1..].iter().any(|argument| argument == part);
    let mut report = Report::default();
    let parts: [(&str, Part); 3] = [("images", images::verify), ("pairs", pairs::verify), ("points", points::verify)];
    for (name, verify) in parts.into_iter().filter(|(name, _)| wanted(name)) {
        if let Err(error) = verify(folder, &mut report) {
            eprintln!("{name}: {error}");
            return ExitCode::from(2);
        }
    }
    println!("\n{} checks failed", report.failures);
    ExitCode::from(u8::from(report.failures > 0))
}
