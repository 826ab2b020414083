//! `cargo xtask verify --data DIR`: starts the programs that do it, built with optimisation.

use std::path::Path;

use anyhow::{Context, Result};

use crate::step::Call;
use crate::{graphics, python};

pub(crate) fn run(data: &Path) -> Result<()> {
    // The program starts in the root of the workspace, wherever this command was typed.
    let data = std::path::absolute(data).with_context(|| data.display().to_string())?;
    // It also asks the command, which it looks for beside itself.
    Call::new("cargo build --quiet --release --package crumple-cli").run()?;
    if let Some(driver) = graphics::need_driver() {
        println!("{driver}");
    }
    let call = Call::new("cargo run --quiet --release --package crumple-verify --");
    call.with_word(data.to_string_lossy()).run()?;
    python::verify(&data)
}
