//! The program `crumple`; see the library for what it does.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(crumple_cli::run(std::env::args_os()))
}
