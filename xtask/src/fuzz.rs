//! `cargo xtask fuzz`: every target of `fuzz/`, a minute each, by cargo-fuzz on a nightly compiler; and two tests with a
//! million seeded cases each, which need neither: queries of moving features against their exact reference, and random
//! operations on a scene against a model of it.
//!
//! A target starts from its seeds (`fuzz/seeds/TARGET`, committed) and from what earlier runs found worth keeping
//! (`fuzz/corpus/TARGET`, not committed). It fails on a panic, on an input that takes longer than ten seconds, and on a
//! single allocation far beyond what an input of its size may ask for.

use std::fs;

use anyhow::{Context, Result, bail, ensure};

use crate::root;
use crate::step::Call;

/// Seconds a target runs unless it is said.
const SECONDS: u32 = 60;

/// What libFuzzer is given beside the time. Inputs have some kilobytes, so that a reader that asks for hundreds of
/// megabytes trusts a count it has not checked.
const LIMITS: &str = "-timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=256 -print_final_stats=1";

/// A target that is a test: the same cases every time, as many as a variable says.
struct Seeded {
    name: &'static str,
    test: &'static str,
    variable: &'static str,
    cases: &'static str,
}

/// About ten minutes each on two cores.
const SEEDED: [Seeded; 2] = [
    Seeded {
        name: "impact_vs_reference",
        test: "cargo test -p crumple --test exactness impacts::families",
        variable: "CRUMPLE_IMPACT_QUERIES",
        cases: "queries",
    },
    Seeded {
        name: "scene_vs_model",
        test: "cargo test -p crumple --test behaviour model::",
        variable: "CRUMPLE_MODEL_STEPS",
        cases: "operations",
    },
];

/// Runs the targets named, or all; the rest still run when one fails.
pub(crate) fn run(words: &[&str]) -> Result<()> {
    let (names, seconds) = parsed(words)?;
    let seeded = |name: &str| SEEDED.iter().find(|target| target.name == name);
    let mut known = SEEDED.map(|target| target.name).join(" ");
    if names.is_empty() || names.iter().any(|name| seeded(name).is_none()) {
        prepare()?;
        known = format!("{known} {}", Call::new("cargo +nightly fuzz list --fuzz-dir fuzz").output()?);
    }
    let known: Vec<&str> = known.split_whitespace().collect();
    if let Some(unknown) = names.iter().find(|name| !known.contains(name)) {
        bail!("there is no target {unknown}; there are {}", known.join(", "));
    }
    let mut failed = Vec::new();
    for target in known.into_iter().filter(|target| names.is_empty() || names.contains(target)) {
        let result = if let Some(Seeded { test, variable, cases, .. }) = seeded(target) {
            println!("== {target}: 1,000,000 {cases}");
            Call::new(test).with_variable(variable, "1000000").run()
        } else {
            println!("== {target}: {seconds} s");
            fuzz(target, seconds)
        };
        if let Err(error) = result {
            println!("== {target} failed: {error:#}\n");
            failed.push(target);
        } else {
            println!("== {target} passed\n");
        }
    }
    ensure!(failed.is_empty(), "these failed: {}; what broke them is in fuzz/artifacts", failed.join(", "));
    Ok(())
}

/// The targets and the seconds, as typed.
fn parsed<'a>(words: &[&'a str]) -> Result<(Vec<&'a str>, u32)> {
    let mut names = Vec::new();
    let mut seconds = SECONDS;
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        match word {
            "--seconds" => {
                let number = words.next().and_then(|number| number.parse().ok()).filter(|&number| number > 0);
                seconds = number.context("--seconds wants a number above 0")?;
            }
            option if option.starts_with('-') => bail!("there is no option {option}; there is --seconds N"),
            name => names.push(name),
        }
    }
    Ok((names, seconds))
}

/// Makes sure of the compiler and of cargo-fuzz.
fn prepare() -> Result<()> {
    ensure!(
        Call::new("cargo +nightly --version").works(),
        "fuzzing needs a nightly compiler; rustup toolchain install nightly"
    );
    if !Call::new("cargo +nightly fuzz --version").works() {
        Call::new("cargo install cargo-fuzz").run().context("cargo-fuzz is missing")?;
    }
    Ok(())
}

fn fuzz(target: &str, seconds: u32) -> Result<()> {
    let corpus = format!("fuzz/corpus/{target}");
    fs::create_dir_all(root().join(&corpus)).with_context(|| corpus.clone())?;
    // New inputs go to the first folder; seeds are only read.
    let seeds = format!("fuzz/seeds/{target}");
    let seeds = if root().join(&seeds).is_dir() { seeds } else { String::new() };
    let line = format!(
        "cargo +nightly fuzz run --fuzz-dir fuzz {target} {corpus} {seeds} -- -max_total_time={seconds} {LIMITS}"
    );
    Call::new(&line).run()
}

#[cfg(test)]
mod tests {
    use super::parsed;

    #[test]
    fn targets_and_seconds_come_in_any_order() {
        assert_eq!(parsed(&[]).unwrap(), (vec![], 60));
        assert_eq!(parsed(&["read_ply", "--seconds", "5", "read_obj"]).unwrap(), (vec!["read_ply", "read_obj"], 5));
        for words in [&["--seconds"][..], &["--seconds", "0"], &["--seconds", "x"], &["--all"]] {
            assert!(parsed(words).is_err(), "{words:?}");
        }
    }
}
