//! The Python package: builds its module, puts it beside the Python files, and runs pytest or, in `verify`, compares with others.
//!
//! A wheel is built by `pip install ./crates/crumple-py`, which takes minutes, since it is optimised as a whole; here what the
//! tests have built is used again. The packages that Python needs are installed into folders of `target/python`, once.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::root;
use crate::step::Call;
use crate::test::{Done, Run, may_skip};

/// What the tests need beside the package: what is imported, and what pip calls it.
const TESTS: &[(&str, &str)] =
    &[("numpy", "numpy"), ("pytest", "pytest"), ("hypothesis", "hypothesis"), ("mypy", "mypy")];

/// What the tests on a cluster need.
const DASK: &[(&str, &str)] = &[("numpy", "numpy"), ("pytest", "pytest"), ("distributed", "distributed>=2024.1")];

/// What the losses are for.
const LOSSES: &[(&str, &str)] = &[("numpy", "numpy"), ("pytest", "pytest"), ("jax", "jax"), ("torch", "torch")];

/// What the tests of the extension need: Blender as a Python module.
const BLENDER: &[(&str, &str)] = &[("pytest", "pytest"), ("bpy", "bpy==5.0.1")];

/// What checks documents against published schemas.
const SCHEMAS: &[(&str, &str)] = &[("jsonschema", "jsonschema"), ("xmlschema", "xmlschema")];

/// What `verify` compares the package with.
const PEERS: &[(&str, &str)] = &[
    ("numpy", "numpy"),
    ("fcl", "python-fcl"),
    ("ipctk", "ipctk"),
    ("manifold3d", "manifold3d"),
    ("meshio", "meshio"),
    ("pandas", "pandas"),
    ("polars", "polars"),
    ("pxr", "usd-core"),
    ("pyarrow", "pyarrow"),
    ("pyvista", "pyvista"),
    ("rtree", "rtree"),
    ("scipy", "scipy"),
    ("trimesh", "trimesh"),
];

/// Tests the Python package.
pub(crate) fn check(run: &mut Run) -> Result<Done> {
    if base().is_none() {
        return Ok(Done::Skipped("python is not there; install Python 3.10 or newer".to_owned()));
    }
    // With Dask, no test is skipped.
    let python = if run.all { environment("venv-all", &[TESTS, DASK].concat())? } else { environment("venv", TESTS)? };
    let package = assembled("package", &run.build()?)?;
    let call = Call::new("").with_word(python.to_string_lossy());
    let call = call.with_words("-m pytest -c crates/crumple-py/pyproject.toml crates/crumple-py/tests");
    run.tests(&call.with_variable("PYTHONPATH", package.to_string_lossy()))?;
    Ok(Done::PASSED)
}

/// Holds the reports of `crumple check` against the published schemas of their formats; skipped where these cannot be had.
pub(crate) fn schemas(run: &mut Run) -> Result<Done> {
    let python = match environment("schemas", SCHEMAS) {
        Ok(python) => python,
        Err(error) => return Ok(Done::Skipped(format!("what reads schemas could not be installed: {error:#}"))),
    };
    let command = run.build()?.join(format!("crumple{}", std::env::consts::EXE_SUFFIX));
    let call = Call::new("").with_word(python.to_string_lossy()).with_words("peers/schemas/check.py");
    call.with_word(command.to_string_lossy())
        .with_word(root().join("target/python/schemas-of").to_string_lossy())
        .run()?;
    Ok(Done::PASSED)
}

/// Compares answers of the Python package with those of other libraries; skipped where these cannot be installed.
pub(crate) fn verify(data: &Path) -> Result<()> {
    println!("python: answers of other libraries");
    let python = match environment("peers", PEERS) {
        Ok(python) => python,
        Err(error) if !may_skip() => return Err(error.context("skipped, which CRUMPLE_NO_SKIP forbids")),
        Err(error) => {
            println!("  skipped: the libraries to compare with could not be installed: {error:#}");
            return Ok(());
        }
    };
    let package = whole()?;
    let call = Call::new("").with_word(python.to_string_lossy()).with_words("peers/answers.py --data");
    call.with_word(data.to_string_lossy()).with_variable("PYTHONPATH", package.to_string_lossy()).run()
}

/// Runs the tests on a cluster of processes of this machine, with Dask.
pub(crate) fn dask() -> Result<()> {
    let python = environment("dask", DASK)?;
    let package = whole()?;
    // One after the other: the second measures the memory of its process.
    for tests in ["tests/test_dask.py", "cluster"] {
        let call = Call::new("").with_word(python.to_string_lossy());
        let call = call.with_words("-m pytest -s -c crates/crumple-py/pyproject.toml");
        let call = call.with_word(format!("crates/crumple-py/{tests}"));
        call.with_variable("PYTHONPATH", package.to_string_lossy()).run()?;
    }
    Ok(())
}

/// Tests the losses in PyTorch and JAX, which take gigabytes.
pub(crate) fn losses() -> Result<()> {
    let python = environment("losses", LOSSES)?;
    let package = whole()?;
    let call = Call::new("").with_word(python.to_string_lossy());
    let call = call
        .with_words("-m pytest -q -p no:cacheprovider -c crates/crumple-py/pyproject.toml crates/crumple-py/losses");
    call.with_variable("PYTHONPATH", package.to_string_lossy()).run()
}

/// Tests the extension in Blender, which is installed as a Python module and takes more than a gigabyte.
pub(crate) fn blender() -> Result<()> {
    let python = environment("blender", BLENDER)
        .context("Blender as a Python module needs Python 3.11; with another one, put it first in PATH")?;
    let package = whole()?;
    let page = root().join("target/python/blender.html");
    let call = Call::new("").with_word(python.to_string_lossy());
    let call = call.with_words("-m pytest -q -p no:cacheprovider blender/tests");
    let call = call.with_variable("PYTHONPATH", package.to_string_lossy());
    call.with_variable("CRUMPLE_PAGE", page.to_string_lossy()).run()?;
    screenshot(&page)
}

/// Takes a picture of a page, if there is a browser.
fn screenshot(page: &Path) -> Result<()> {
    let image = page.with_extension("png");
    let browsers = ["chromium", "chromium-browser", "google-chrome"];
    let Some(browser) = browsers.into_iter().find(|name| Call::new(name).with_word("--version").works()) else {
        println!("no picture of {}: there is no chromium", page.display());
        return Ok(());
    };
    let call = Call::new(browser).with_words("--headless=new --no-sandbox --use-angle=swiftshader");
    let call = call.with_words("--enable-unsafe-swiftshader --window-size=1200,800 --virtual-time-budget=20000");
    let call =
        call.with_word(format!("--screenshot={}", image.display())).with_word(format!("file://{}", page.display()));
    call.run()?;
    println!("{} is a picture of the page", image.display());
    Ok(())
}

/// The package with its module, built as all is that `--all` builds.
fn whole() -> Result<PathBuf> {
    assembled("package", &Run::of_all().build()?)
}

/// The packages of Debian that are missing; none if there is a Python that can make environments.
pub(crate) fn missing() -> Option<&'static str> {
    let is_there =
        base().is_some_and(|base| Call::new(base).with_word("-c").with_word("import venv, ensurepip").works());
    (!is_there).then_some("python3 python3-venv")
}

/// The name of the system's Python.
fn base() -> Option<&'static str> {
    ["python3", "python"].into_iter().find(|name| Call::new(name).with_word("--version").works())
}

/// A Python with some packages, in a folder below `target/python`; returns where it is.
fn environment(name: &str, packages: &[(&str, &str)]) -> Result<PathBuf> {
    let folder = root().join("target/python").join(name);
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let imported: Vec<&str> = packages.iter().map(|(imported, _)| *imported).collect();
    let has_all = Call::new("").with_word(python.to_string_lossy()).with_word("-c");
    let has_all = has_all.with_word(format!("import {}", imported.join(", ")));
    if has_all.works() {
        return Ok(python);
    }
    let Some(base) = base() else { bail!("python is not there; install Python 3.10 or newer") };
    Call::new(base)
        .with_words("-m venv")
        .with_word(folder.to_string_lossy())
        .run()
        .context("with Debian: apt-get install python3-venv")?;
    let install = Call::new("").with_word(python.to_string_lossy()).with_words("-m pip install --quiet");
    packages.iter().fold(install, |call, (_, package)| call.with_word(*package)).run()?;
    Ok(python)
}

/// The package as a wheel would have it, in a folder to import from: Python files, and the module as it was built into a folder.
fn assembled(name: &str, built: &Path) -> Result<PathBuf> {
    let (library, module) = match std::env::consts::OS {
        "windows" => ("_crumple.dll", "_crumple.pyd"),
        "macos" => ("lib_crumple.dylib", "_crumple.abi3.so"),
        _ => ("lib_crumple.so", "_crumple.abi3.so"),
    };
    let package = root().join("target/python").join(name);
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
