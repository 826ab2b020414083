//! The step about the Python package: builds its module as the tests are built, puts it beside the Python files, and runs pytest.
//!
//! A wheel is built by `pip install ./crates/crumple-py`, which takes minutes, since it is optimised as a whole; here what the
//! other steps have built is used again. The packages that the tests need are installed into `target/python`, once.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::root;
use crate::step::Call;

/// What the tests need beside the package.
const PACKAGES: [&str; 4] = ["numpy", "pytest", "hypothesis", "mypy"];

/// Tests the Python package.
pub(crate) fn check() -> Result<Option<String>> {
    let python = environment()?;
    let package = assembled()?;
    let call = Call::new("").with_word(python.to_string_lossy());
    let call = call.with_words("-m pytest -c crates/crumple-py/pyproject.toml crates/crumple-py/tests");
    call.with_variable("PYTHONPATH", package.to_string_lossy()).run()?;
    Ok(None)
}

/// A Python with the packages of the tests; returns where it is.
fn environment() -> Result<PathBuf> {
    let folder = root().join("target/python/venv");
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let has_all = Call::new("").with_word(python.to_string_lossy()).with_word("-c");
    let has_all = has_all.with_word(format!("import {}", PACKAGES.join(", ")));
    if has_all.works() {
        return Ok(python);
    }
    let base = ["python3", "python"].into_iter().find(|name| Call::new(name).with_word("--version").works());
    let Some(base) = base else { bail!("python is not there; install Python 3.10 or newer") };
    Call::new(base)
        .with_words("-m venv")
        .with_word(folder.to_string_lossy())
        .run()
        .context("with Debian: apt-get install python3-venv")?;
    let install = Call::new("").with_word(python.to_string_lossy()).with_words("-m pip install --quiet");
    PACKAGES.into_iter().fold(install, |call, package| call.with_word(package)).run()?;
    Ok(python)
}

/// The package as a wheel would have it: Python files and the module, in a folder to import from.
fn assembled() -> Result<PathBuf> {
    // Of the whole workspace, so that dependencies have the features that the step `tests` has built them with.
    Call::new("cargo build --workspace --exclude xtask --lib --profile test --features crumple/serde").run()?;
    let here = std::env::current_exe()?;
    let built = here.parent().context("this program is in no folder")?;
    let (library, module) = match std::env::consts::OS {
        "windows" => ("_crumple.dll", "_crumple.pyd"),
        "macos" => ("lib_crumple.dylib", "_crumple.abi3.so"),
        _ => ("lib_crumple.so", "_crumple.abi3.so"),
    };
    let package = root().join("target/python/package");
    let target = package.join("crumple");
    if target.exists() {
        std::fs::remove_dir_all(&target).with_context(|| target.display().to_string())?;
    }
    std::fs::create_dir_all(&target).with_context(|| target.display().to_string())?;
    let source = root().join("crates/crumple-py/python/crumple");
    let mut copied = 0;
    for entry in std::fs::read_dir(&source).with_context(|| source.display().to_string())? {
        let file = entry?.path();
        if file.is_file() {
            copied += copy(&file, &target.join(file.file_name().unwrap_or_default()))?;
        }
    }
    ensure!(copied > 0, "{} holds no Python files", source.display());
    copy(&built.join(library), &target.join(module))?;
    Ok(package)
}

fn copy(from: &Path, to: &Path) -> Result<u64> {
    std::fs::copy(from, to).with_context(|| format!("{} cannot be copied to {}", from.display(), to.display()))
}
