//! `cargo xtask verify --data DIR`: starts the programs that do it, built as the tests are, so that nothing is compiled again after
//! `cargo xtask test --all`.

use std::path::Path;

use anyhow::{Context, Result};

use crate::step::Call;
use crate::test::Run;
use crate::{graphics, python};

pub(crate) fn run(data: &Path) -> Result<()> {
    // The program starts in the root of the workspace, wherever this command was typed.
    let data = std::path::absolute(data).with_context(|| data.display().to_string())?;
    if let Some(driver) = graphics::need_driver() {
        println!("{driver}");
    }
    // It also asks the command, which it looks for beside itself.
    let program = Run::of_all().build()?.join("crumple-verify").with_extension(std::env::consts::EXE_EXTENSION);
    Call::new("").with_word(program.to_string_lossy()).with_word(data.to_string_lossy()).run()?;
    python::verify(&data)
}
