//! The `crumple` command: collisions of deforming bodies, from files or built-in scenes.
//!
//! ```text
//! args ─► one checked struct ─► a subcommand ─► stdout: the answer · stderr: talk · exit code
//! ```
//!
//! Exit codes: 0 nothing collides (or the work is done), 1 `check` found a collision, 2 bad usage or input, 130
//! interrupted. A closed pipe ends the command quietly.

mod args;
mod frames;
mod gpu;
mod interrupt;
mod out;
mod progress;
mod reading;
mod table;
mod threads;

mod moving;
mod play;
mod refusal;
mod runs;
mod sources;

mod bench;
mod check;
mod demo;
mod info;
mod inside;
mod scene;
mod volume;

use std::process::ExitCode;

use args::Command;
use out::Verdict;

fn main() -> ExitCode {
    let command = match args::parse() {
        Ok(command) => command,
        Err(code) => return code,
    };
    interrupt::install();
    let verdict = match command {
        Command::Demo(args) => demo::run(args),
        Command::Check(args) => check::run(args),
        Command::Volume(args) => volume::run(args),
        Command::Inside(args) => inside::run(args),
        Command::Info(args) => info::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Scene(args) => scene::run(args),
    };
    match verdict {
        Ok(Verdict::Done) => ExitCode::SUCCESS,
        Ok(Verdict::Collides) => ExitCode::from(1),
        Ok(Verdict::Interrupted) => ExitCode::from(interrupt::EXIT_CODE),
        // Whoever read the answer has seen enough of it.
        Err(error) if out::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            out::complain(&error);
            ExitCode::from(2)
        }
    }
}
