//! `cargo xtask results`: measures again what is older than the code, and fills in the tables of the documentation.
//!
//! ```text
//! results/<machine>/<experiment>.csv ─┬─ commit older than the code it measures? ─► crumple bench <experiment> --csv
//!                                     └─ figures ─► the templates in docs (`pages`)
//! ```
//!
//! An experiment is a file of its own, so that one can be repeated without the others. Each row names the commit it was measured
//! with; it is out of date once a file that it depends on differs from that commit ([`code_of`]).

mod measured;
mod pages;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::step::Call;
use crate::test::{Done, Run};
use crate::{peers, root};
use measured::Measured;

/// The pages whose figures come from measurements.
const PAGES: [&str; 2] = ["docs/experiments.md", "docs/volumes.md"];

/// What every experiment depends on: the values, the bodies and the clock.
const SHARED: [&str; 6] = [
    "crates/crumple/src/geom",
    "crates/crumple/src/exact",
    "crates/crumple/src/mesh",
    "crates/crumple/src/body",
    "crates/crumple-bench/src/measure",
    "crates/crumple-scenes/src",
];

/// Where the code is that a result depends on besides [`SHARED`], by how its name begins.
const CODE: [(&str, &[&str]); 8] = [
    ("BE", &["crates/crumple-methods/src/bucket_tree", "crates/crumple-bench/src/experiments/buckets.rs"]),
    ("HE", &["crates/crumple-ldi/src", "crates/crumple-bench/src/experiments/depth_images"]),
    ("CD", &["crates/crumple/src/motion", "crates/crumple/src/tree", "crates/crumple/src/scene"]),
    ("DE", &["crates/crumple/src/distance", "crates/crumple/src/probe", "crates/crumple/src/tree"]),
    ("VE", &["crates/crumple/src/contact", "crates/crumple-ldi/src", "crates/crumple/src/tree"]),
    ("footprint", &["crates/crumple/src/tree", "crates/crumple/src/narrow/wide_tree"]),
    ("read-speed", &["crates/crumple-io/src/read"]),
    (
        "",
        &[
            "crates/crumple/src/narrow",
            "crates/crumple-methods/src",
            "crates/crumple/src/tree",
            "crates/crumple/src/broad",
            "crates/crumple/src/scene",
        ],
    ),
];

/// Experiments that measure meshes which are not part of the repository.
const WITH_DATA: [&str; 2] = ["CD4", "VE3"];

/// What is measured by a program of its own.
const OTHERS: [&str; 3] = ["footprint", "read-speed", "peers"];

/// `cargo xtask results [--data DIR] [EXPERIMENT...]`: repeats what is missing or out of date, or what is named.
pub(crate) fn run(words: &[&str]) -> Result<()> {
    let (data, names) = match words {
        ["--data", folder, names @ ..] => (Some(*folder), names),
        names => (None, names),
    };
    let folder = folder_of_machine();
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let listed = Call::new("cargo run --release --quiet -- bench --list").output()?;
    let experiments = listed.lines().skip(1).filter_map(|line| line.split_whitespace().next());
    for name in experiments.chain(OTHERS) {
        let is_wanted = match names {
            [] => age(&folder.join(format!("{name}.csv")))?.is_some(),
            names => names.iter().any(|wanted| name.eq_ignore_ascii_case(wanted)),
        };
        if !is_wanted {
            continue;
        }
        println!("== {name}");
        if WITH_DATA.contains(&name) && data.is_none() {
            println!("left out: it needs --data DIR");
        } else if OTHERS.contains(&name) {
            measure_other(name, &folder)?;
        } else {
            measure(name, &folder, data)?;
        }
    }
    write_pages()
}

/// Runs one experiment, with a drawing beside its figures where the documentation shows one.
fn measure(name: &str, folder: &Path, data: Option<&str>) -> Result<()> {
    let csv = folder.join(format!("{name}.csv"));
    let mut call = Call::new("cargo run --release --quiet -- bench --quiet").with_word(name);
    call = call.with_word("--csv").with_word(csv.to_string_lossy());
    if let Some(data) = data.filter(|_| WITH_DATA.contains(&name)) {
        call = call.with_word("--data").with_word(data);
    }
    let drawing = root().join("docs/figures").join(format!("{}.svg", name.to_lowercase()));
    if drawing.exists() {
        call = call.with_word("--svg").with_word(drawing.to_string_lossy());
    }
    call.run()
}

fn measure_other(name: &str, folder: &Path) -> Result<()> {
    if name == "peers" {
        return peers::run(&["--out", &folder.to_string_lossy()]);
    }
    let example =
        Call::new("cargo run --release --quiet --package crumple-bench --example").with_word(name.replace('-', "_"));
    let csv = folder.join(format!("{name}.csv"));
    if name == "read-speed" {
        return example.with_words("-- --csv").with_word(csv.to_string_lossy()).run();
    }
    std::fs::write(&csv, example.output()?).with_context(|| csv.display().to_string())
}

/// Fills in the figures of the pages from the results that are there.
pub(crate) fn write_pages() -> Result<()> {
    for page in PAGES {
        let (path, text) = read_page(page)?;
        let filled = fill(page, &text)?;
        if filled != text {
            std::fs::write(&path, filled).with_context(|| path.display().to_string())?;
            println!("wrote {page}");
        }
    }
    Ok(())
}

/// The step `results`: fails if a page says something else than the results do, and reports results older than the code.
pub(crate) fn check(_: &mut Run) -> Result<Done> {
    for page in PAGES {
        let (_, text) = read_page(page)?;
        if fill(page, &text)? != text {
            bail!("{page} differs from the results it shows; `cargo xtask results --pages` fills in its figures");
        }
    }
    let mut old = Vec::new();
    for machine in folders()? {
        for file in csv_files(&machine)? {
            if let Some(why) = age(&file)? {
                let name = file.strip_prefix(root()).unwrap_or(&file).display();
                println!("{name}: {why}");
                old.push(file);
            }
        }
    }
    let note = format!("{} results are older than the code; `cargo xtask results` repeats them", old.len());
    Ok(Done::Passed((!old.is_empty()).then_some(note)))
}

fn read_page(page: &str) -> Result<(PathBuf, String)> {
    let path = root().join(page);
    let text = std::fs::read_to_string(&path).with_context(|| page.to_owned())?;
    Ok((path, text))
}

/// A page with the figures of the folder of results that it names.
fn fill(page: &str, text: &str) -> Result<String> {
    let Some(folder) = pages::folder(text) else {
        bail!("{page} does not name its results; a line `<!-- results: results/MACHINE -->` does");
    };
    let mut measured = Measured::default();
    for file in csv_files(&root().join(folder))? {
        let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        measured.add(&text).with_context(|| file.display().to_string())?;
    }
    pages::fill(text, |question| measured.answer(question)).with_context(|| page.to_owned())
}

/// Why a result is out of date; nothing if it is not.
fn age(file: &Path) -> Result<Option<String>> {
    let Ok(text) = std::fs::read_to_string(file) else {
        return Ok(Some("it was not measured".to_owned()));
    };
    let Some(commit) = measured::commit(&text) else {
        return Ok(Some("it does not name the commit it was measured with".to_owned()));
    };
    if commit.ends_with('+') {
        return Ok(Some(format!("it was measured with files that differ from {}", commit.trim_end_matches('+'))));
    }
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut call = Call::new("git diff --name-only").with_word(&commit).with_word("--");
    for path in code_of(&name) {
        call = call.with_word(path);
    }
    // Without the history of the commits, as in a shallow clone, nothing can be said.
    let Ok(changed) = call.output() else {
        return Ok(None);
    };
    let first = changed.lines().next().map(str::to_owned);
    Ok(first.map(|first| {
        let more = changed.lines().count() - 1;
        format!("it was measured with {commit}; {first} and {more} other files have changed since")
    }))
}

/// The folders and files whose changes make a result out of date.
fn code_of(name: &str) -> Vec<&'static str> {
    let own = CODE.iter().find(|(start, _)| name.starts_with(start)).map_or(&[][..], |(_, paths)| paths);
    SHARED.iter().chain(own).copied().collect()
}

/// The folder for the results of this machine: `results/amd-epyc-2-cores`.
pub(crate) fn folder_of_machine() -> PathBuf {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let words: Vec<String> = machine()
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    root().join("results").join(format!("{}-{cores}-cores", words.join("-")))
}

/// The name of the processor, as the results give it.
pub(crate) fn machine() -> String {
    let described = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let named = described.lines().find(|line| line.starts_with("model name"));
    let name = named.and_then(|line| line.split_once(':')).map(|(_, name)| name.trim().to_owned());
    name.filter(|name| !name.is_empty()).unwrap_or_else(|| "unknown".to_owned())
}

/// The commit of the working tree, with a `+` if files other than results and documentation differ from it.
pub(crate) fn commit() -> Result<String> {
    let commit = Call::new("git rev-parse --short=12 HEAD").output()?.trim().to_owned();
    let changed = Call::new("git status --porcelain --untracked-files=no -- :/ :/!results :/!docs").output()?;
    Ok(if changed.trim().is_empty() { commit } else { commit + "+" })
}

fn folders() -> Result<Vec<PathBuf>> {
    sorted(&root().join("results"), |path| path.is_dir())
}

fn csv_files(folder: &Path) -> Result<Vec<PathBuf>> {
    sorted(folder, |path| path.extension().is_some_and(|ending| ending == "csv"))
}

fn sorted(folder: &Path, keep: impl Fn(&Path) -> bool) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(|path| keep(path)).collect();
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_result_depends_on_files_that_exist() {
        for (name, _) in CODE {
            for path in code_of(name) {
                assert!(root().join(path).exists(), "{name}: {path}");
            }
        }
    }
}
