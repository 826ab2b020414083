//! The table of layers in ARCHITECTURE.md holds for the `use` lines of the library, and SIMD instructions have one folder.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{read_dir, read_to_string};
use std::path::{Path, PathBuf};

fn library() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The folders and files of the library by layer, from the table in ARCHITECTURE.md; 0 is the lowest.
fn layers() -> BTreeMap<String, usize> {
    let page = read_to_string(library().join("../../../ARCHITECTURE.md")).unwrap();
    let (_, table) = page.split_once("| layer | folders |").expect("ARCHITECTURE.md has a table of layers");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    rows.enumerate()
        .flat_map(|(layer, row)| {
            let folders = row.split('|').nth(2).unwrap_or_default();
            folders.split('`').skip(1).step_by(2).map(move |name| (name.to_owned(), layer)).collect::<Vec<_>>()
        })
        .collect()
}

/// Every source file of the library but those of tests: its path below `src`, and its code without comments and tests.
fn sources() -> Vec<(String, String)> {
    fn collect(folder: &Path, found: &mut Vec<(String, String)>) {
        for entry in read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                collect(&entry, found);
            } else if entry.file_name().is_some_and(|name| name != "tests.rs") {
                let text = read_to_string(&entry).unwrap();
                let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
                let code = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>();
                let name = entry.strip_prefix(library()).unwrap().to_string_lossy().replace('\\', "/");
                found.push((name, code.join("\n")));
            }
        }
    }
    let mut found = Vec::new();
    collect(&library(), &mut found);
    assert!(found.len() > 100, "only {} files", found.len());
    found
}

/// The folder, or the file, of the library that a path is in.
fn folder(path: &str) -> &str {
    path.split('/').next().unwrap_or_default().trim_end_matches(".rs")
}

#[test]
fn no_folder_uses_a_layer_above_its_own_and_questions_do_not_use_each_other() {
    let layers = layers();
    let questions = layers["motion"];
    let mut wrong = BTreeSet::new();
    for (path, code) in sources().iter().filter(|(path, _)| path != "lib.rs") {
        let own = folder(path);
        let layer = layers.get(own).unwrap_or_else(|| panic!("ARCHITECTURE.md puts `{own}` into no layer"));
        for used in code.split("crate::").skip(1) {
            let used = used.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
            let Some(of_used) = layers.get(used).filter(|_| used != own) else { continue };
            if of_used > layer || of_used == layer && *layer == questions {
                wrong.insert(format!("{path} uses crate::{used}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn one_folder_names_the_library_of_simd_instructions() {
    let outside: Vec<String> = sources()
        .into_iter()
        .filter(|(path, code)| !path.starts_with("geom/lanes/") && code.contains("fearless_simd"))
        .map(|(path, _)| path)
        .collect();
    assert!(outside.is_empty(), "{outside:?} should take vectors from geom::lanes");
}
