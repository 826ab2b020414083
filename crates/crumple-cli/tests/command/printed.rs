//! Every command that README and documentation print works as printed.
//!
//! A command is a line of a block of code that starts with `crumple`, after `$` or not. It is run in a folder that has the
//! files of the repository and those that the documents imagine; what follows a pipe is left out. It must end with the exit
//! code that a comment promises, or else with 0 or 1.

use std::path::{Path, PathBuf};

use crate::run::Folder;

/// A command and where it stands.
#[derive(Debug)]
struct Printed {
    document: String,
    words: Vec<String>,
    /// The exit code that is promised.
    code: Option<i32>,
    /// The folder that the lines before changed to.
    folder: PathBuf,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The Markdown files for users.
fn documents() -> Vec<PathBuf> {
    let mut found = vec![root().join("README.md"), root().join("crates/crumple-cli/README.md")];
    for folder in ["docs", "docs/guide"] {
        let entries = std::fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
        found.extend(entries.filter(|file| file.extension().is_some_and(|ending| ending == "md")));
    }
    found.sort();
    found
}

fn commands(document: &Path) -> Vec<Printed> {
    let text = std::fs::read_to_string(document).unwrap();
    let (mut found, mut is_code, mut folder) = (Vec::new(), false, PathBuf::new());
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            // Blocks of other languages can have lines that start with the same word.
            is_code = ["sh", "text", "console", "yaml"].contains(&language.trim()) && !is_code;
            folder = PathBuf::new();
            continue;
        }
        let line = line.trim_start();
        let line = line.strip_prefix("$ ").or_else(|| line.strip_prefix("- run: ")).unwrap_or(line);
        if let Some(into) = line.strip_prefix("cd ").filter(|_| is_code) {
            folder = PathBuf::from(into.split_whitespace().next().unwrap_or_default());
        }
        if !is_code || !line.starts_with("crumple ") {
            continue;
        }
        let mut whole = line.to_owned();
        while let Some(start) = whole.strip_suffix('\\') {
            whole = format!("{start} {}", lines.next().unwrap_or_default().trim());
        }
        let code = whole.split("# exit code ").nth(1).map(|code| code.trim().parse().unwrap());
        found.push(Printed {
            document: document.file_name().unwrap().to_string_lossy().into_owned(),
            words: words(&whole),
            code,
            folder: folder.clone(),
        });
    }
    found
}

/// The words of a command up to a pipe, a comment or a redirection, without quotation marks.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    let mut before = ' ';
    for c in line.chars() {
        match (quote, c) {
            (None, '|' | '>') => break,
            (None, '#') if before == ' ' => break,
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            (None, ' ') => words.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty())),
            _ => word.push(c),
        }
        before = c;
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
    words
}

/// A folder with the repository's fixtures and the files that documents imagine.
fn workshop() -> Folder {
    let folder = Folder::new();
    let here = folder.path();
    let copy = |from: &str, to: &str| {
        std::fs::create_dir_all(here.join(to).parent().unwrap()).unwrap();
        std::fs::copy(root().join(from), here.join(to)).unwrap();
    };
    for entry in std::fs::read_dir(root().join("fixtures")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        copy(&format!("fixtures/{name}"), &format!("fixtures/{name}"));
    }
    let fox = "crates/crumple-io/tests/assets/fox.glb";
    for name in [fox, "walk.glb", "scene.glb"] {
        copy(fox, name);
    }
    for (name, body) in [("ball", "spheres_a"), ("sheet", "spheres_b")] {
        for ending in ["ply", "pc2"] {
            copy(&format!("fixtures/{body}.{ending}"), &format!("cache/{name}.{ending}"));
        }
    }
    for (number, x) in [0.0, 0.5].into_iter().enumerate() {
        folder.tetrahedron(&format!("cloth_{:04}.ply", number + 1), x);
    }
    copy("fixtures/wall.obj", "body.obj");
    for name in ["body.ply", "left.ply", "right.ply", "crate.ply"] {
        folder.cuboid(name, [0.0, 0.0, 0.0], 1.0);
    }
    folder.cuboid("ball.ply", [0.0; 3], 0.25);
    folder.moving_cuboid("fall.pc2", 0.25, &[[0.0, 0.0, 3.0], [0.0, 0.0, 0.0]]);
    std::fs::write(here.join("points.xyz"), "0 0 0\n5 5 5\n").unwrap();
    let corner = |[x, y, z]: [f32; 3]| format!("vertex {x} {y} {z}\n");
    for (name, x) in [("tooth", 0.0), ("implant", 0.5)] {
        let corners = [[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], [x, 1.0, 0.0], [x, 0.0, 1.0]];
        let facet = |sides: [usize; 3]| {
            let corners: String = sides.map(|side| corner(corners[side])).concat();
            format!("facet normal 0 0 0\nouter loop\n{corners}endloop\nendfacet\n")
        };
        let facets: String = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]].map(facet).concat();
        std::fs::write(here.join(format!("{name}.stl")), format!("solid {name}\n{facets}endsolid {name}\n")).unwrap();
    }
    folder
}

#[test]
fn every_command_that_is_printed_works() {
    let mut run = 0;
    for document in documents() {
        let folder = workshop();
        for printed in commands(&document) {
            let mut words: Vec<&str> = printed.words[1..].iter().map(String::as_str).collect();
            // What needs a GPU is tested where one is built in; experiments take their time elsewhere, and so does the demo.
            if words.contains(&"--gpu") || words[0] == "demo" {
                continue;
            }
            if words[0] == "bench" {
                words.push("--list");
            }
            let output = folder.command(&words).current_dir(folder.path().join(&printed.folder)).output().unwrap();
            let code = output.status.code();
            let is_right = printed.code.map_or(matches!(code, Some(0 | 1)), |promised| code == Some(promised));
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(is_right, "{}: {}: {code:?}\n{said}", printed.document, printed.words.join(" "));
            run += 1;
        }
    }
    assert!(run >= 30, "only {run} commands were found");
}

#[test]
fn a_printed_command_ends_at_a_pipe_or_a_comment() {
    assert_eq!(
        words("crumple check 'a b.ply' x_#.obj --json | tail -1  # y"),
        ["crumple", "check", "a b.ply", "x_#.obj", "--json"]
    );
    assert_eq!(words("crumple merge a.json > b.json"), ["crumple", "merge", "a.json"]);
}
