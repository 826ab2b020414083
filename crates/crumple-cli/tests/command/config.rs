//! `crumple.toml`: options from a file.

use crate::run::{Ended, Folder};

/// Three tetrahedra that all meet, in a folder in the folder of the test.
fn project() -> Folder {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path().join("assets/shots")).unwrap();
    for (name, x) in [("a", 0.0), ("b", 0.25), ("c", 0.5)] {
        folder.tetrahedron(&format!("assets/shots/{name}.ply"), x);
    }
    folder
}

const FILES: [&str; 4] = ["check", "assets/shots/a.ply", "assets/shots/b.ply", "assets/shots/c.ply"];

fn with(folder: &Folder, file: &str, text: &str, more: &[&str]) -> Ended {
    std::fs::write(folder.path().join(file), text).unwrap();
    folder.crumple(&[&FILES[..], more].concat())
}

/// How many pairs of bodies and bodies themselves were tested.
fn tested(ended: &Ended) -> &str {
    let at = ended.stdout.find("\"tested\":").unwrap_or_else(|| panic!("{}{}", ended.stdout, ended.stderr));
    let rest = &ended.stdout[at + "\"tested\":".len()..];
    &rest[..=rest.find('}').unwrap()]
}

#[test]
fn options_are_found_beside_the_file_or_above_it() {
    let text = "[check]\nself = true\nignore = [\"a,b\"]\njson = true\n";
    for file in ["assets/shots/crumple.toml", "assets/crumple.toml", "crumple.toml"] {
        let folder = project();
        let ended = with(&folder, file, text, &[]);
        assert_eq!((ended.code, tested(&ended)), (Some(1), r#"{"body_pairs":2,"self":3}"#), "{file}");
        // The nearest one counts.
        let nearer = with(&folder, "assets/shots/crumple.toml", "json = true", &[]);
        assert_eq!(tested(&nearer), r#"{"body_pairs":3,"self":0}"#);
    }
    let folder = project();
    let said = with(&folder, "crumple.toml", "self = true", &[]);
    assert!(
        said.stderr.starts_with("with the options of ") && said.stderr.contains("crumple.toml\n"),
        "{}",
        said.stderr
    );
    assert_eq!(with(&folder, "crumple.toml", "quiet = true", &[]).stderr, "");
}

#[test]
fn the_command_line_wins() {
    let folder = project();
    let text = "output-format = \"text\"\n[check]\nignore = [\"a\", \"b\"]\nonly = \"c\"\nframes = \"7..9\"\n";
    let more = ["--json", "--ignore", "a,c", "--only", "*", "--frames", "0"];
    let ended = with(&folder, "crumple.toml", text, &more);
    assert_eq!(tested(&ended), r#"{"body_pairs":2,"self":0}"#);
    // Without the options on the command line those of the file hold, and without the file none do.
    assert_eq!(with(&folder, "crumple.toml", text, &["--json"]).code, Some(2));
    let plain = with(&folder, "crumple.toml", text, &["--json", "--no-config"]);
    assert_eq!(tested(&plain), r#"{"body_pairs":3,"self":0}"#);
    std::fs::write(folder.path().join("other.toml"), "self = true").unwrap();
    let other = with(&folder, "crumple.toml", "nonsense", &["--json", "--config", "other.toml"]);
    assert_eq!(tested(&other), r#"{"body_pairs":3,"self":3}"#);
}

#[test]
fn a_key_that_is_no_option_is_refused_with_its_name_and_file() {
    let folder = project();
    for (text, error) in [
        ("slef = true", "there is no option slef\nhint: did you mean self?"),
        ("[check]\nself = true\nmax_depth = 1", "there is no option check.max_depth"),
        ("[volume]\nself = true", "there is no option volume.self"),
        ("[chekc]\nself = true", "there is no section [chekc]\nhint: did you mean [check]?"),
        ("config = \"x\"", "there is no option config"),
        ("self = 1", "the value of self is of another kind (integer)"),
        ("[check]\nframes = true", "the value of check.frames is of another kind (boolean)"),
        ("self = ", "line 1: "),
        ("\n\nself = = true", "line 3: "),
        ("frames = \"9..3\"", "invalid value '9..3' for '--frames <RANGE>'"),
        ("threads = \"many\"", "invalid value 'many' for '--threads <N>'"),
    ] {
        let ended = with(&folder, "assets/shots/crumple.toml", text, &[]);
        let expected = format!("error: assets/shots/crumple.toml: {error}");
        assert!(ended.code == Some(2) && ended.stderr.starts_with(&expected), "{text}: {}", ended.stderr);
        assert_eq!(ended.stdout, "");
    }
    // A mistake on the command line is not one of the file.
    let ended = with(&folder, "assets/shots/crumple.toml", "self = true", &["--threads", "many"]);
    assert!(ended.stderr.starts_with("error: invalid value 'many'"), "{}", ended.stderr);
}

#[test]
fn paths_are_relative_to_the_file_and_numbers_are_numbers() {
    let folder = project();
    let text = "resolution = 64\n[check]\nwrite-baseline = \"known.json\"\nmax-pairs = 1\nclearance = 0.5\n";
    let ended = with(&folder, "assets/crumple.toml", text, &[]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(folder.path().join("assets/known.json").exists());
    // `resolution` is an option of other commands only.
    let volume = ["volume", "assets/shots/a.ply", "assets/shots/b.ply", "--json"];
    let volume = folder.crumple(&volume);
    assert!(volume.stdout.contains("\"resolution\":64"), "{}{}", volume.stdout, volume.stderr);
    std::fs::write(folder.path().join("assets/crumple.toml"), "[volume]\nbodies = [\"b\", \"a\"]").unwrap();
    let named = folder.crumple(&["volume", "assets/shots/a.ply", "assets/shots/b.ply", "--quiet"]);
    assert!(named.stdout.starts_with("b × a: "), "{}{}", named.stdout, named.stderr);
    // Options of the file do not take the place of files after `--`.
    std::fs::write(folder.path().join("assets/crumple.toml"), "json = true").unwrap();
    let behind = ["check", "--", "assets/shots/a.ply", "assets/shots/b.ply"];
    assert_eq!(tested(&folder.crumple(&behind)), r#"{"body_pairs":1,"self":0}"#);
}

#[test]
fn completions_and_manual_pages_are_printed() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ended = folder.crumple(&["completions", shell]);
        assert_eq!((ended.code, &*ended.stderr), (Some(0), ""));
        assert!(ended.stdout.contains("max-depth") && ended.stdout.contains("sarif"), "{shell}");
    }
    let page = folder.crumple(&["man"]);
    assert_eq!(page.code, Some(0));
    assert!(page.stdout.contains(".TH crumple 1") && page.stdout.contains("check"), "{}", page.stdout);
    let check = folder.crumple(&["man", "check"]);
    assert!(check.stdout.contains("max\\-depth") && check.stdout.contains(".TH crumple-check 1"), "{}", check.stdout);
    folder.crumple(&["man", "nope"]).refused("there is no command nope", Some("`crumple --help` lists the commands"));
}

#[cfg(not(feature = "gpu"))]
#[test]
fn a_build_without_gpu_does_not_offer_one() {
    let folder = Folder::new();
    for command in ["volume", "inside", "bench", "info"] {
        assert!(!folder.crumple(&[command, "--help"]).stdout.contains("gpu"), "{command}");
    }
}
