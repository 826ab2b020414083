//! `cargo xtask test`: what every change must pass, and with `--all` every check there is. To add one, add a line to [`STEPS`].
//!
//! Every call of cargo within a run names the same packages and features ([`Run::cargo`]) and the profile of tests, so that the
//! library and what it depends on are compiled once for all of them, the Python module and `verify` included: a crate of which
//! another set of features is asked for is compiled again.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

use crate::counts::Counts;
use crate::step::Call;
use crate::{graphics, package, python, results, root, tree, viewer, web};

/// How a step ended well.
#[derive(Debug)]
pub(crate) enum Done {
    /// Everything was checked; what was done where that is not plain.
    Passed(Option<String>),
    /// Not checked, and why.
    Skipped(String),
}

impl Done {
    pub(crate) const PASSED: Self = Self::Passed(None);

    pub(crate) fn noted(note: impl Into<String>) -> Self {
        Self::Passed(Some(note.into()))
    }
}

/// When a step is run.
#[derive(Clone, Copy, Debug, PartialEq)]
enum When {
    Always,
    /// Needs a browser, a driver or another compiler, or takes long for what it finds.
    WithAll,
}

use When::{Always, WithAll};

/// A check by name.
type Step = (&'static str, When, fn(&mut Run) -> Result<Done>);

/// Quick ones first: they fail most often.
const STEPS: &[Step] = &[
    ("format", Always, format),
    ("words", Always, words),
    ("readme", Always, readme),
    ("results", Always, results::check),
    ("viewer", Always, viewer::check),
    ("package", Always, package::package),
    ("deny", Always, package::deny),
    ("clippy", Always, clippy),
    ("tests", Always, tests),
    ("examples", Always, examples),
    ("python", Always, python::check),
    ("docs", Always, docs),
    ("features", Always, features),
    ("minimum-rust", Always, minimum_rust),
    ("no-threads", WithAll, no_threads),
    ("gpu", WithAll, gpu),
    ("levels", WithAll, levels),
    ("schemas", WithAll, python::schemas),
    ("web", WithAll, web::check),
    ("browser", WithAll, viewer::browser),
    ("playground", WithAll, web::playground),
];

/// What is built without `--all`: nothing that needs a graphics stack, which takes as long as everything else that the workspace
/// depends on, and no code for AVX-512.
const PACKAGES: &str = "--workspace --exclude crumple-verify --features crumple/serde,crumple-methods/serde";

/// What is built with `--all`.
const PACKAGES_OF_ALL: &str =
    "--workspace --features crumple/serde,crumple/avx512,crumple-methods/serde,crumple-ldi/gpu-counters";

/// The step from which on WebAssembly is built beside the others: those before it use all cores and should fail early, most of those
/// after it use one.
const WEB_IS_BUILT_FROM: &str = "examples";

/// One run of the command.
#[derive(Debug, Default)]
pub(crate) struct Run {
    /// Whether everything is checked, and with full counts of random inputs.
    pub(crate) all: bool,
    pub(crate) counts: Counts,
}

impl Run {
    /// A run of everything.
    pub(crate) fn of_all() -> Self {
        Self { all: true, counts: Counts::default() }
    }

    /// A call of cargo for all packages of this run, with their features.
    pub(crate) fn cargo(&self, words: &str) -> Call {
        let packages = if self.all { PACKAGES_OF_ALL } else { PACKAGES };
        self.counted(Call::new(&format!("cargo {words} {packages}")))
    }

    /// Builds all libraries, commands and examples with the profile of tests, for what `verify` and tests of other languages load
    /// and start; returns the folder they are in.
    pub(crate) fn build(&self) -> Result<PathBuf> {
        // This very program cannot be replaced while it runs on every system. With the examples, also where none is wanted:
        // they switch on the features that only tests ask for, and without them everything would be compiled again.
        self.cargo("build --profile test --exclude xtask --lib --bins --examples").run()?;
        // Cargo puts what has this profile where it puts this program.
        let here = std::env::current_exe()?;
        Ok(here.parent().context("this program is in no folder")?.to_path_buf())
    }

    /// Random tests read how many inputs they draw: all of them, or a fifth.
    pub(crate) fn counted(&self, call: Call) -> Call {
        if self.all { call.with_variable("CRUMPLE_FULL_COUNTS", "1") } else { call }
    }

    /// Runs a command that reports tests.
    pub(crate) fn tests(&mut self, call: &Call) -> Result<()> {
        let before = self.counts.passed;
        call.run_counted(&mut self.counts)?;
        ensure!(self.counts.passed > before, "no test was run by\n  {call}");
        Ok(())
    }
}

/// Whether something may be left out that cannot be checked here.
pub(crate) fn may_skip() -> bool {
    std::env::var_os("CRUMPLE_NO_SKIP").is_none_or(|value| value != "1")
}

/// Runs the steps named, or all of them; stops at the first that fails.
pub(crate) fn run(words: &[&str]) -> Result<()> {
    let all = words.contains(&"--all");
    let names: Vec<&str> = words.iter().copied().filter(|word| *word != "--all").collect();
    let known: Vec<&str> = STEPS.iter().map(|(name, _, _)| *name).collect();
    if let Some(unknown) = names.iter().find(|name| !known.contains(name)) {
        bail!("there is no step {unknown}; there are {}, and the option --all", known.join(", "));
    }
    let may_skip = may_skip();
    let start = Instant::now();
    let mut run = Run { all, ..Run::default() };
    if all && names.is_empty() {
        install()?;
    }
    let (mut seconds, mut skipped, mut failure) = (Vec::new(), Vec::new(), None);
    let is_wanted = |name: &str, when: When| match names.is_empty() {
        true => all || when == Always,
        false => names.contains(&name),
    };
    for (name, _, step) in STEPS.iter().filter(|(name, when, _)| is_wanted(name, *when)) {
        println!("== {name}");
        if all && names.is_empty() && *name == WEB_IS_BUILT_FROM {
            web::start().context("step web")?;
        }
        let started = Instant::now();
        let before = run.counts.skipped;
        let done = step(&mut run).and_then(|done| match done {
            Done::Skipped(reason) if !may_skip => bail!("skipped, which CRUMPLE_NO_SKIP forbids: {reason}"),
            _ if !may_skip && run.counts.skipped > before => {
                bail!("{} of its tests were skipped, which CRUMPLE_NO_SKIP forbids", run.counts.skipped - before)
            }
            done => Ok(done),
        });
        let taken = started.elapsed().as_secs_f64();
        seconds.push((name, taken));
        match done {
            Ok(Done::Skipped(reason)) => {
                println!("== {name} skipped: {reason}\n");
                skipped.push(format!("{name} skipped: {reason}"));
                run.counts.skipped += 1;
            }
            Ok(Done::Passed(Some(note))) => println!("== {name} passed in {taken:.1} s: {note}\n"),
            Ok(Done::Passed(None)) => println!("== {name} passed in {taken:.1} s\n"),
            Err(error) => {
                println!("== {name} failed after {taken:.1} s\n");
                failure = Some(error.context(format!("step {name}")));
                break;
            }
        }
    }
    // A build that goes on after this program has ended would be in the way of the next.
    web::finish();
    println!("step            seconds");
    for (name, taken) in seconds {
        println!("{name:<14} {taken:>8.1}");
    }
    println!("{:<14} {:>8.1}\n", "together", start.elapsed().as_secs_f64());
    skipped.iter().for_each(|line| println!("{line}"));
    println!("{}", run.counts);
    failure.map_or(Ok(()), Err)
}

/// Installs what the steps of `--all` need and the system lacks, after saying so.
fn install() -> Result<()> {
    let mut packages = Vec::new();
    packages.extend(python::missing());
    packages.extend(viewer::missing_node().map(|_| "nodejs npm"));
    packages.extend(graphics::missing());
    packages.extend(web::missing_compiler()?);
    packages.extend(viewer::missing_browser());
    println!(
        "--all installs npm packages into viewer/ and web/, Python packages into target/python, and from Debian: {}",
        if packages.is_empty() { "nothing, it is all there".to_owned() } else { packages.join(" ") }
    );
    if !packages.is_empty()
        && let Err(error) = viewer::install_debian(&packages.join(" "))
    {
        // The steps that need them say what is missing.
        println!("this did not work: {error:#}");
    }
    Ok(())
}

/// Makes sure that a part of the toolchain is there.
fn need(component: &str, sign: &str) -> Result<()> {
    if !Call::new(sign).works() {
        bail!("{component} is missing; it comes with the toolchain, and `rustup component add {component}` adds it");
    }
    Ok(())
}

fn format(_: &mut Run) -> Result<Done> {
    need("rustfmt", "cargo fmt --version")?;
    Call::new("cargo fmt --all --check").run()?;
    // The fuzz targets are a workspace of their own.
    if root().join("fuzz/Cargo.toml").is_file() {
        Call::new("cargo fmt --manifest-path fuzz/Cargo.toml --check").run()?;
    }
    Ok(Done::PASSED)
}

fn words(_: &mut Run) -> Result<Done> {
    let files = tree::check_words()?;
    Ok(Done::noted(format!("{files} files")))
}

fn readme(_: &mut Run) -> Result<Done> {
    tree::check_readme()?;
    Ok(Done::PASSED)
}

fn clippy(run: &mut Run) -> Result<Done> {
    need("clippy", "cargo clippy --version")?;
    run.cargo("clippy --all-targets").with_words("-- -D warnings").run()?;
    Ok(Done::PASSED)
}

/// Unit tests, integration tests and doc tests.
fn tests(run: &mut Run) -> Result<Done> {
    // It starts the tests of all programs side by side.
    if Call::new("cargo nextest --version").works() {
        let call = run.cargo("nextest run --no-fail-fast --cargo-profile test --status-level slow");
        run.tests(&call)?;
        let doc = run.cargo("test --doc --no-fail-fast");
        run.tests(&doc)?;
        return Ok(Done::PASSED);
    }
    let call = run.cargo("test --no-fail-fast");
    run.tests(&call)?;
    Ok(Done::PASSED)
}

/// Runs the examples, built as the tests are.
fn examples(run: &mut Run) -> Result<Done> {
    let built = run.build()?;
    let mut count = 0;
    for entry in std::fs::read_dir(root().join("crates/crumple/examples"))? {
        let path = entry?.path();
        // Beside them lies a folder of what they share.
        if path.extension().is_none_or(|ending| ending != "rs") {
            continue;
        }
        let name = path.file_stem().context("an example without a name")?;
        let program = built.join("examples").join(name).with_extension(std::env::consts::EXE_EXTENSION);
        Call::new("").with_word(program.to_string_lossy()).run()?;
        count += 1;
    }
    Ok(Done::noted(format!("{count} of them")))
}

/// The library with other features than the tests have.
fn features(_: &mut Run) -> Result<Done> {
    // Without threads and serde; without f64 bodies, which tests need, and with code for AVX-512.
    Call::new("cargo clippy --package crumple --all-targets --no-default-features --features f64 -- -D warnings")
        .run()?;
    Call::new("cargo clippy --package crumple --no-default-features --features avx512 -- -D warnings").run()?;
    Ok(Done::PASSED)
}

/// The library without threads: the answers must be the same, which the digests of the pairs tell.
fn no_threads(run: &mut Run) -> Result<Done> {
    let line = "cargo test --package crumple --no-default-features --features f64 --test agreement -- \
                determinism small_scenes";
    let call = run.counted(Call::new(line));
    run.tests(&call)?;
    Ok(Done::PASSED)
}

/// The library on the device, which needs a driver, and the command with a graphics stack.
fn gpu(run: &mut Run) -> Result<Done> {
    if let Some(missing) = graphics::missing() {
        return Ok(Done::Skipped(format!("there is no Vulkan driver; with Debian, apt-get install {missing}")));
    }
    // The step `tests` has run those of crumple-ldi. Of the whole workspace, so that only the command is built again.
    let call = Call::new(&format!("cargo test {PACKAGES_OF_ALL},crumple-cli/gpu --test command gpu"));
    run.tests(&run.counted(call))?;
    Ok(Done::PASSED)
}

/// The agreement of methods and the digests of their pairs at the SIMD levels below the best one, at which the tests have run.
fn levels(run: &mut Run) -> Result<Done> {
    #[cfg(target_arch = "x86_64")]
    let levels: &[&str] = match (is_x86_feature_detected!("avx2"), is_x86_feature_detected!("avx512vbmi2")) {
        (true, true) => &["sse2", "avx2"],
        (true, false) => &["sse2"],
        _ => &[],
    };
    #[cfg(not(target_arch = "x86_64"))]
    let levels: &[&str] = &[];
    let call = run.cargo("test --test agreement").with_words("-- determinism small_scenes soups");
    for level in levels {
        run.tests(&call.clone().with_variable("CRUMPLE_SIMD", *level))?;
    }
    Ok(Done::noted(if levels.is_empty() { "there is only one".to_owned() } else { levels.join(", ") }))
}

fn docs(run: &mut Run) -> Result<Done> {
    run.cargo("doc --no-deps").with_variable("RUSTDOCFLAGS", "-D warnings").run()?;
    Ok(Done::PASSED)
}

/// Builds the library with the version of Rust that its manifest promises.
fn minimum_rust(run: &mut Run) -> Result<Done> {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml"))?;
    let minimum = manifest.lines().find_map(|line| line.strip_prefix("rust-version = ")).map(|v| v.trim_matches('"'));
    let minimum = minimum.context("Cargo.toml names no rust-version")?;
    let exact = if minimum.matches('.').count() == 1 { format!("{minimum}.0") } else { minimum.to_owned() };
    let version = Call::new("rustc --version").output()?;
    if version.split_whitespace().nth(1) == Some(&exact) {
        return Ok(Done::noted(format!("everything above ran with {exact}, which is the minimum")));
    }
    let with_minimum = format!("cargo +{exact}");
    let is_there = || Call::new(&with_minimum).with_word("--version").works();
    let install = format!("rustup toolchain install {exact} --profile minimal");
    if run.all && !is_there() {
        Call::new(&install).run()?;
    }
    if !is_there() {
        return Ok(Done::Skipped(format!("Rust {exact} is not installed; {install}")));
    }
    // Apart, so that the two versions do not throw each other's work away.
    Call::new(&format!("{with_minimum} check --package crumple --target-dir target/minimum-rust")).run()?;
    Ok(Done::noted(format!("the library builds with {exact}")))
}
