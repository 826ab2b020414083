//! The built viewer carries a number made from its sources; this makes it again, so that a stale one is noticed without
//! node. `viewer/sources.mjs` says how it is made, `viewer/check.mjs` also builds it again.

use std::fs;
use std::path::{Path, PathBuf};

const SINGLE: [&str; 6] =
    ["index.html", "package-lock.json", "package.json", "sources.mjs", "tsconfig.json", "vite.config.mjs"];

fn files_in(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files_in(&path, out) } else { out.push(path) }
    }
}

#[test]
fn the_built_viewer_is_made_of_its_present_sources() {
    let viewer = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../viewer");
    let mut files = SINGLE.map(|name| viewer.join(name)).to_vec();
    files_in(&viewer.join("src"), &mut files);
    let name = |file: &PathBuf| file.strip_prefix(&viewer).unwrap().to_str().unwrap().replace('\\', "/");
    let mut files: Vec<_> = files.iter().map(|file| (name(file), file)).collect();
    files.sort();

    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for (name, file) in files {
        let text = fs::read_to_string(file).unwrap().replace("\r\n", "\n");
        for byte in format!("{name}\0{text}\0").bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    let built = fs::read_to_string(viewer.join("../crates/crumple-io/assets/index.html")).unwrap();
    let expected = format!("<meta name=\"crumple-viewer\" content=\"{hash:016x}\">");
    assert!(built.contains(&expected), "the built page is stale; hint: npm ci && npm run build, in viewer/");
}
