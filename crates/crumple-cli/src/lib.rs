//! The `crumple` command: collisions of deforming bodies, from files or built-in scenes.
//!
//! A library with one function, so that the Python package can carry the command without a second program.
//!
//! ```text
//! args ─► one checked struct ─► a subcommand ─► stdout: the answer · stderr: messages · exit code
//! ```
//!
//! Exit codes: 0 nothing collides (or the work is done), 1 `check` found a collision (`diff` something new or worse), 2 bad
//! usage or input, 130 interrupted. A closed pipe ends the command quietly; what `check` has found still decides its exit code.

mod args;
mod bodies;
mod interrupt;
mod measure;
mod output;

mod bench;
mod check;
mod demo;
mod distance;
mod help;
mod info;
mod inside;
mod reports;
mod scene;
mod volume;

use std::ffi::OsString;

use args::Command;
use output::Verdict;

/// Runs the command with these words, the first of which is its own name, and returns the exit code.
///
/// Takes over Ctrl-C for the rest of the process.
pub fn run<W: Into<OsString> + Clone>(words: impl IntoIterator<Item = W>) -> u8 {
    let command = match args::parse(words) {
        Ok(command) => command,
        Err(code) => return code,
    };
    interrupt::install();
    // The library could only warn.
    let verdict = crumple::simd_level().map_err(anyhow::Error::from).and_then(|_| match command {
        Command::Demo(args) => demo::run(args),
        Command::Check(args) => check::run(*args),
        Command::Volume(args) => volume::run(args),
        Command::Inside(args) => inside::run(args),
        Command::Distance(args) => distance::run(args),
        Command::Info(args) => info::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Scene(args) => scene::run(args),
        Command::Diff(args) => reports::run_diff(args),
        Command::Merge(args) => reports::run_merge(args),
        Command::Completions(args) => help::completions(args),
        Command::Man(args) => help::manual(args),
    });
    match verdict {
        Ok(Verdict::Done) => 0,
        Ok(Verdict::Collides) => 1,
        Ok(Verdict::Interrupted) => interrupt::EXIT_CODE,
        // The reader of the answer has closed the pipe, as `head` does.
        Err(error) if output::is_closed_pipe(&error) => 0,
        Err(error) => {
            output::complain(&error);
            2
        }
    }
}
