//! `cargo xtask test`: every check there is. To add one, add a line to [`STEPS`].

use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::step::Call;
use crate::{graphics, package, python, results, root, tree, viewer, web};

/// A check by name; `Ok` says what was done where that is not plain.
type Step = (&'static str, fn() -> Result<Option<String>>);

/// Quick ones first: they fail most often.
const STEPS: &[Step] = &[
    ("format", format),
    ("words", words),
    ("readme", readme),
    ("results", results::check),
    ("viewer", viewer::check),
    ("package", package::package),
    ("deny", package::deny),
    ("clippy", clippy),
    ("tests", tests),
    ("examples", examples),
    ("schemas", python::schemas),
    ("python", python::check),
    ("web", web::check),
    ("browser", viewer::browser),
    ("playground", web::playground),
    ("features", features),
    ("docs", docs),
    ("minimum-rust", minimum_rust),
];

/// Runs the steps of these names, or all; stops at the first that fails.
pub(crate) fn run(names: &[&str]) -> Result<()> {
    let known: Vec<&str> = STEPS.iter().map(|(name, _)| *name).collect();
    if let Some(unknown) = names.iter().find(|name| !known.contains(name)) {
        bail!("there is no step {unknown}; there are {}", known.join(", "));
    }
    let start = Instant::now();
    if names.is_empty() {
        web::start().context("step web")?;
    }
    let mut seconds = Vec::new();
    for (name, step) in STEPS.iter().filter(|(name, _)| names.is_empty() || names.contains(name)) {
        println!("== {name}");
        let started = Instant::now();
        let said = step().with_context(|| format!("step {name}"))?;
        let taken = started.elapsed().as_secs_f64();
        match said.as_deref() {
            Some(note) if note.starts_with("skipped") => println!("== {name} {note}\n"),
            Some(note) => println!("== {name} passed in {taken:.1} s: {note}\n"),
            None => println!("== {name} passed in {taken:.1} s\n"),
        }
        seconds.push((name, taken, said.filter(|note| note.starts_with("skipped"))));
    }
    println!("step            seconds");
    for (name, taken, skipped) in seconds {
        println!("{name:<14} {taken:>8.1}  {}", skipped.unwrap_or_default());
    }
    println!("{:<14} {:>8.1}", "all", start.elapsed().as_secs_f64());
    Ok(())
}

/// Makes sure that a part of the toolchain is there.
fn need(component: &str, sign: &str) -> Result<()> {
    if !Call::new(sign).works() {
        bail!("{component} is missing; it comes with the toolchain, and `rustup component add {component}` adds it");
    }
    Ok(())
}

fn format() -> Result<Option<String>> {
    need("rustfmt", "cargo fmt --version")?;
    Call::new("cargo fmt --all --check").run()?;
    // The fuzz targets are a workspace of their own.
    if root().join("fuzz/Cargo.toml").is_file() {
        Call::new("cargo fmt --manifest-path fuzz/Cargo.toml --check").run()?;
    }
    Ok(None)
}

fn words() -> Result<Option<String>> {
    let files = tree::check_words()?;
    Ok(Some(format!("{files} files")))
}

fn readme() -> Result<Option<String>> {
    tree::check_readme()?;
    Ok(None)
}

fn clippy() -> Result<Option<String>> {
    need("clippy", "cargo clippy --version")?;
    Call::new("cargo clippy --workspace --all-targets -- -D warnings").run()?;
    Ok(None)
}

/// Unit tests, integration tests, examples and doc tests; those of the device need a driver.
fn tests() -> Result<Option<String>> {
    let driver = graphics::need_driver();
    if let Some(driver) = &driver {
        println!("{driver}");
    }
    // With serde, which clippy leaves off: both are compiled, and nothing twice.
    Call::new("cargo test --workspace --features crumple/serde").run()?;
    Ok(driver)
}

/// Runs the examples that the tests have built.
fn examples() -> Result<Option<String>> {
    let here = std::env::current_exe()?;
    let built = here.parent().context("this program is in no folder")?;
    let mut run = 0;
    for entry in std::fs::read_dir(root().join("crates/crumple/examples"))? {
        let path = entry?.path();
        // Beside them lies a folder of what they share.
        if path.extension().is_none_or(|ending| ending != "rs") {
            continue;
        }
        let name = path.file_stem().context("an example without a name")?;
        let program = built.join("examples").join(name).with_extension(std::env::consts::EXE_EXTENSION);
        Call::new("").with_word(program.to_string_lossy()).run()?;
        run += 1;
    }
    Ok(Some(format!("{run} of them")))
}

fn features() -> Result<Option<String>> {
    let manifest = std::fs::read_to_string(root().join("crates/crumple/Cargo.toml"))?;
    if !manifest.lines().any(|line| line.trim() == "[features]") {
        return Ok(Some("the library has none".to_owned()));
    }
    // Without threads the answers must be the same; the digests of the pairs tell. The rest has only to compile.
    Call::new("cargo clippy --package crumple --all-targets --no-default-features -- -D warnings").run()?;
    Call::new("cargo test --package crumple --no-default-features --lib").run()?;
    Call::new("cargo test --package crumple --no-default-features --test agreement determinism").run()?;
    // The command with a graphics stack. Of the whole workspace, so that dependencies have the features that the steps
    // before have built them with, and nothing but the command is built again.
    let driver = graphics::need_driver();
    Call::new("cargo clippy --workspace --all-targets --features crumple-cli/gpu -- -D warnings").run()?;
    Call::new("cargo test --workspace --features crumple/serde,crumple-cli/gpu --test command gpu").run()?;
    Ok(driver)
}

fn docs() -> Result<Option<String>> {
    Call::new("cargo doc --workspace --no-deps").with_variable("RUSTDOCFLAGS", "-D warnings").run()?;
    Ok(None)
}

/// Builds the library with the version of Rust that its manifest promises.
fn minimum_rust() -> Result<Option<String>> {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml"))?;
    let minimum = manifest.lines().find_map(|line| line.strip_prefix("rust-version = ")).map(|v| v.trim_matches('"'));
    let minimum = minimum.context("Cargo.toml names no rust-version")?;
    let exact = if minimum.matches('.').count() == 1 { format!("{minimum}.0") } else { minimum.to_owned() };
    let version = Call::new("rustc --version").output()?;
    if version.split_whitespace().nth(1) == Some(&exact) {
        return Ok(Some(format!("skipped, since everything above ran with {exact}, which is the minimum")));
    }
    let with_minimum = format!("cargo +{exact}");
    if !Call::new(&with_minimum).with_word("--version").works() {
        return Ok(Some(format!("skipped, since {exact} is not installed; rustup toolchain install {exact}")));
    }
    // Apart, so that the two versions do not throw each other's work away.
    Call::new(&format!("{with_minimum} check --package crumple --target-dir target/minimum-rust")).run()?;
    Ok(Some(format!("the library builds with {exact}")))
}
