//! The step about the npm package: builds the WebAssembly, with SIMD and without, and the package from it, and tests it in Node.
//!
//! WebAssembly needs a compiler for it: the target of rustup where that is installed, else Debian's packages, which are
//! installed where they are missing. The standard library is then compiled along, without the code that formats panics and
//! `{:?}`: nobody could read them, and they are a good part of a small module. Where neither can be had, the step is skipped.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread::JoinHandle;

use anyhow::{Context, Result, anyhow, ensure};

use crate::root;
use crate::step::Call;
use crate::test::{Done, Run};
use crate::viewer::{install_chromium, install_debian, install_packages, missing_node};

const TARGET: &str = "wasm32-unknown-unknown";

/// What Debian calls a compiler for WebAssembly, the library's source and cargo for it.
const PACKAGES: &str = "rustc-web rust-web-src cargo-web";

/// Where these packages put things.
const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
const DEBIAN_CARGO: &str = "/usr/bin/cargo";
const DEBIAN_SOURCE: &str = "/usr/lib/rustlib/src/rust/library/std/Cargo.toml";

/// A compiler for WebAssembly.
enum Compiler {
    /// The one of this workspace has the target.
    Installed,
    /// Debian's, which compiles the standard library, too; `linker` is that of the workspace's compiler.
    Debian { linker: PathBuf },
}

/// A build that runs beside other steps; it returns `false` where there is no compiler.
type Build = JoinHandle<Result<bool>>;

static STARTED: Mutex<Option<Build>> = Mutex::new(None);

/// Starts the builds that [`check`] needs: one of them keeps one core busy for minutes and shares no folder with the other steps,
/// so it costs little beside them.
pub(crate) fn start() -> Result<()> {
    let build = spawn_build()?;
    *STARTED.lock().map_err(|_| anyhow!("a build ended abruptly"))? = Some(build);
    Ok(())
}

/// Waits for builds that were started and that no step has waited for.
pub(crate) fn finish() {
    if let Some(build) = STARTED.lock().ok().and_then(|mut started| started.take()) {
        println!("waiting for the build of WebAssembly");
        // Its result is of no use: another step has failed.
        let _ = build.join();
    }
}

fn spawn_build() -> Result<Build> {
    // Before anything runs beside it: it may install packages, as other steps do.
    let compiler = find_compiler()?;
    Ok(std::thread::spawn(move || match compiler {
        Some(compiler) => build_with(&compiler).map(|()| true),
        None => Ok(false),
    }))
}

/// Tests the npm package.
pub(crate) fn check(run: &mut Run) -> Result<Done> {
    if let Some(missing) = missing_node() {
        return Ok(Done::Skipped(missing));
    }
    let started = STARTED.lock().map_err(|_| anyhow!("a build ended abruptly"))?.take();
    let build = started.map_or_else(spawn_build, Ok)?;
    if !build.join().map_err(|_| anyhow!("the build ended abruptly"))?? {
        return Ok(Done::Skipped(format!(
            "there is no compiler for WebAssembly; rustup target add {TARGET}, or with Debian apt-get install {PACKAGES}"
        )));
    }
    let packages = install_packages("web")?;
    Call::new("node web/build.mjs --wasm target/web").run()?;
    // By itself it leaves one core idle.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut tests = Call::new(&format!("node --test --test-concurrency={cores}"));
    for test in tests_of_package()? {
        tests = tests.with_word(test);
    }
    run.tests(&tests)?;
    Call::new("node web/check.mjs").run()?;
    Ok(Done::Passed(packages))
}

/// Builds only the WebAssembly, with SIMD and without, into `target/web`.
pub(crate) fn build() -> Result<()> {
    let compiler = find_compiler()?;
    let compiler =
        compiler.with_context(|| format!("there is no compiler for WebAssembly; rustup target add {TARGET}"))?;
    build_with(&compiler)
}

/// Uses the committed playground in a browser. Needs no compiler for WebAssembly.
pub(crate) fn playground(_: &mut Run) -> Result<Done> {
    if let Some(missing) = missing_node() {
        return Ok(Done::Skipped(missing));
    }
    let said: Vec<String> = [install_packages("web")?, install_chromium()?].into_iter().flatten().collect();
    let page = "crates/crumple-io/assets/playground.html crates/crumple-io/tests/assets/fox.glb";
    Call::new("node web/test/playground.mjs").with_words(page).run()?;
    Ok(Done::Passed((!said.is_empty()).then(|| said.join("; "))))
}

/// The files `*.test.mjs` of the package.
fn tests_of_package() -> Result<Vec<String>> {
    let mut tests = Vec::new();
    for entry in std::fs::read_dir(root().join("web/test"))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".test.mjs") {
            tests.push(format!("web/test/{name}"));
        }
    }
    ensure!(!tests.is_empty(), "web/test holds no tests");
    tests.sort();
    Ok(tests)
}

/// Where the compiler of this workspace keeps its targets.
fn libraries() -> Result<PathBuf> {
    Ok(PathBuf::from(Call::new("rustc --print sysroot").output()?.trim()).join("lib/rustlib"))
}

fn is_debian() -> bool {
    Path::new(DEBIAN_SOURCE).exists() && Path::new(DEBIAN_CARGO).exists()
}

/// The packages of Debian that are missing; none if there is a compiler.
pub(crate) fn missing_compiler() -> Result<Option<&'static str>> {
    Ok((!libraries()?.join(TARGET).is_dir() && !is_debian()).then_some(PACKAGES))
}

fn find_compiler() -> Result<Option<Compiler>> {
    let libraries = libraries()?;
    if libraries.join(TARGET).is_dir() {
        return Ok(Some(Compiler::Installed));
    }
    if !is_debian() {
        println!("installing {PACKAGES} from Debian");
        if install_debian(PACKAGES).is_err() || !is_debian() {
            return Ok(None);
        }
    }
    // Of the only host that has it: a toolchain holds the tools of one.
    let mut linkers = std::fs::read_dir(&libraries)?.flatten().map(|host| host.path().join("bin/rust-lld"));
    Ok(linkers.find(|linker| linker.exists()).map(|linker| Compiler::Debian { linker }))
}

/// Which questions a build answers.
#[derive(Clone, Copy, PartialEq)]
enum Questions {
    All,
    /// Only contacts, by the default method: a third of the size.
    Contacts,
}

/// Builds with SIMD and without, side by side: most of the time is one crate, which a compiler works on with one core.
fn build_with(compiler: &Compiler) -> Result<()> {
    let folder = root().join("target/web");
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    // The playground carries it: the same compiler builds the same module.
    std::fs::write(folder.join("compiler.txt"), named(compiler)?).context("target/web/compiler.txt")?;
    std::thread::scope(|scope| {
        let running = [true, false].map(|simd| scope.spawn(move || build_one(compiler, simd)));
        running.into_iter().try_for_each(|run| run.join().map_err(|_| anyhow!("a build ended abruptly"))?)
    })
}

/// What a compiler is called: its version, and whether the standard library is compiled along.
fn named(compiler: &Compiler) -> Result<String> {
    let (rustc, kind) = match compiler {
        Compiler::Installed => ("rustc", "with its own std"),
        Compiler::Debian { .. } => (DEBIAN_RUSTC, "with std compiled along"),
    };
    let version = Call::new(rustc).with_word("--version").output()?;
    Ok(format!("{} {kind}", version.trim()))
}

/// Builds with SIMD or without: all questions, then only contacts, for which only the last crate is compiled again.
fn build_one(compiler: &Compiler, simd: bool) -> Result<()> {
    let target = Path::new("target/web").join(if simd { "simd" } else { "scalar" });
    let folder = root().join(&target).join(TARGET).join("release");
    let copy = |from: &str, to: String| {
        let (from, to) = (folder.join(from), root().join("target/web").join(to));
        std::fs::copy(&from, &to).with_context(|| format!("{} to {}", from.display(), to.display()))
    };
    let ending = if simd { "wasm" } else { "scalar.wasm" };
    for (questions, name) in [(Questions::All, "crumple"), (Questions::Contacts, "crumple.contacts")] {
        // Its messages would stand between those of the steps that run meanwhile.
        call(compiler, simd, questions, &target).output()?;
        copy("crumple_web.wasm", format!("{name}.{ending}"))?;
    }
    if simd {
        copy("examples/scenes.wasm", "scenes.wasm".to_owned())?;
    }
    Ok(())
}

fn call(compiler: &Compiler, simd: bool, questions: Questions, target: &Path) -> Call {
    // Without SIMD, fearless_simd writes eight lanes out as eight numbers, and every operation on them is always inlined: the
    // walks then become so large that LLVM does not finish in a quarter of an hour, even at its lowest level, which inlines them,
    // too. With passes that work inside one function, and no inliner, the operations stay functions, and the build takes a minute;
    // `wasm-opt` inlines some afterwards. The result is many times slower than with SIMD, but right, for the few browsers that are
    // left without.
    let flags = if simd {
        "-C opt-level=3 -C target-feature=+simd128"
    } else {
        "-C opt-level=1 -C no-prepopulate-passes \
         -C passes=function(sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg,gvn,dse)"
    };
    let mut flags = vec![flags.to_owned()];
    let mut call = match compiler {
        Compiler::Installed => Call::new("cargo build"),
        Compiler::Debian { linker } => {
            flags.push(format!(
                "-C linker={} -Zunstable-options -C panic=immediate-abort -Zfmt-debug=none",
                linker.display()
            ));
            Call::new(DEBIAN_CARGO)
                .with_words("build -Zbuild-std=std,panic_abort -Zbuild-std-features=optimize_for_size")
                .with_variable("RUSTC", DEBIAN_RUSTC)
                .with_variable("RUSTC_BOOTSTRAP", "1")
        }
    };
    call = call.with_words("--release --package crumple-web --lib --target").with_word(TARGET);
    call = call.with_word("--target-dir").with_word(target.to_string_lossy());
    match questions {
        // Scenes are the same in all builds.
        Questions::All if simd => call = call.with_words("--example scenes"),
        Questions::All => {}
        Questions::Contacts => call = call.with_word("--no-default-features"),
    }
    // Without line tables, which nothing reads; with names, by which a profiler shows where the bytes and the time are, and which
    // `web/build.mjs` takes out; without link-time optimisation, which takes as long as the compilation and gains nothing where
    // all the code is one crate. Optimised for size (`opt-level=s`) the modules are an eighth to a sixth smaller, and slower.
    call.with_variable("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", flags.join(" "))
        .with_variable("CARGO_PROFILE_RELEASE_DEBUG", "false")
        .with_variable("CARGO_PROFILE_RELEASE_STRIP", "none")
        .with_variable("CARGO_PROFILE_RELEASE_LTO", "off")
}
