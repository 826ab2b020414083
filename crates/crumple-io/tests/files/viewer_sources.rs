//! The built pages carry a number made from their sources; this makes it again, so that a stale one is noticed without node.
//! `viewer/sources.mjs` and `web/sources.mjs` say how it is made, `check.mjs` beside them also builds the pages again.

use std::fs;
use std::path::{Path, PathBuf};

fn files_in(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files_in(&path, out) } else { out.push(path) }
    }
}

/// The number of these files and of all in these folders, as the page would carry it.
fn number_of(root: &Path, single: &[&str], folders: &[&str]) -> String {
    let mut files: Vec<PathBuf> = single.iter().map(|name| root.join(name)).collect();
    folders.iter().for_each(|folder| files_in(&root.join(folder), &mut files));
    let name = |file: &PathBuf| file.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
    let mut files: Vec<_> = files.iter().map(|file| (name(file), file)).collect();
    files.sort();

    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for (name, file) in files {
        let text = fs::read_to_string(file).unwrap().replace("\r\n", "\n");
        for byte in format!("{name}\0{text}\0").bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}

fn carries(page: &str, name: &str, number: &str) -> bool {
    let built = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(page)).unwrap();
    built.contains(&format!("<meta name=\"{name}\" content=\"{number}\">"))
}

#[test]
fn the_built_viewer_is_made_of_its_present_sources() {
    let viewer = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../viewer");
    let single = ["index.html", "package-lock.json", "package.json", "sources.mjs", "tsconfig.json", "vite.config.mjs"];
    let number = number_of(&viewer, &single, &["src"]);
    let is_fresh = carries("index.html", "crumple-viewer", &number);
    assert!(is_fresh, "the built page is stale; hint: npm ci && npm run build, in viewer/");
}

#[test]
fn the_built_playground_is_made_of_its_present_sources() {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web");
    let single =
        ["package-lock.json", "playground/index.html", "playground/vite.config.mjs", "sources.mjs", "tsconfig.json"];
    let number = number_of(&web, &single, &["src", "playground/src"]);
    let is_fresh = carries("playground.html", "crumple-playground", &number);
    assert!(is_fresh, "the built page is stale; hint: npm ci && npm run build && npm run playground, in web/");
}
