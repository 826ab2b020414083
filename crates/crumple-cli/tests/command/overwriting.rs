//! No output overwrites an input or another output: refused before anything is written, with both names.

use std::collections::BTreeMap;
use std::path::Path;

use crate::run::Folder;

/// Every file below a folder with its content.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let kind = std::fs::symlink_metadata(&path).unwrap().file_type();
        if kind.is_dir() {
            found.extend(contents(&path));
        } else {
            // Of a link, where it leads.
            let content = match std::fs::read_link(&path) {
                Ok(target) => target.into_os_string().into_encoded_bytes(),
                Err(_) => std::fs::read(&path).unwrap(),
            };
            found.insert(path.to_str().unwrap().to_owned(), content);
        }
    }
    found
}

/// Runs a command that must be refused with these words and change nothing.
#[track_caller]
fn refused(folder: &Folder, words: &[&str], error: &str, hint: &str) {
    let before = contents(folder.path());
    folder.crumple(words).refused(error, Some(hint));
    assert!(contents(folder.path()) == before, "{words:?} has changed files");
}

const NAME: &str = "choose another name";

#[test]
fn a_page_or_table_does_not_overwrite_a_mesh() {
    let folder = Folder::new();
    folder.fold("fold.ply");
    for option in ["--html", "--csv"] {
        let error = format!("{option} ./fold.ply would overwrite the input fold.ply");
        refused(&folder, &["check", "--self", "fold.ply", option, "./fold.ply"], &error, NAME);
    }
}

#[test]
fn every_file_behind_an_input_is_an_input() {
    let folder = Folder::new();
    for frame in 0..3 {
        folder.cuboid(&format!("s_{frame:04}.ply"), [frame as f32, 0.0, 0.0], 1.0);
    }
    folder.cuboid("a.ply", [0.0; 3], 1.0);
    folder.moving_cuboid("a.pc2", 1.0, &[[0.0; 3], [1.0; 3]]);
    let gltf = r#"{"asset":{"version":"2.0"},"buffers":[{"byteLength":4,"uri":"my%20data.bin"}]}"#;
    std::fs::write(folder.path().join("b.gltf"), gltf).unwrap();
    std::fs::write(folder.path().join("my data.bin"), [0; 4]).unwrap();
    std::fs::create_dir(folder.path().join("frames")).unwrap();
    folder.cuboid("frames/1.ply", [0.0; 3], 1.0);
    for (source, output) in [
        ("s_####.ply", "s_0002.ply"),
        ("a.ply@a.pc2", "a.pc2"),
        ("a.ply@a.pc2", "a.ply"),
        ("b.gltf", "my data.bin"),
        ("frames", "frames/1.ply"),
    ] {
        let error = format!("--csv {output} would overwrite the input {output}");
        refused(&folder, &["check", "--self", source, "--csv", output], &error, NAME);
    }
}

#[test]
fn an_export_does_not_overwrite_the_sequence_it_is_made_from() {
    let folder = Folder::new();
    for frame in 0..3 {
        folder.fold(&format!("cloth_{frame:04}.ply"));
    }
    let words = ["check", "--self", "cloth_####.ply", "--export"];
    let error = |folder: &str, file: &str| {
        format!("--export {folder} would overwrite the input cloth_{file}.ply, as {folder}/cloth_{file}.ply")
    };
    let before = contents(folder.path());
    let ended = folder.crumple(&[&words[..], &["."]].concat());
    assert_eq!((ended.code, contents(folder.path()) == before), (Some(2), true), "{}", ended.stderr);
    assert!((0..3).any(|frame| ended.stderr.contains(&error(".", &format!("{frame:04}")))), "{}", ended.stderr);
    // Other frames, another format or another folder do not.
    for more in [&[".", "--export-format", "obj"][..], &["other"]] {
        assert_eq!(folder.crumple(&[&words[..], more].concat()).code, Some(1));
    }
    assert!(folder.path().join("cloth_0002.obj").exists() && folder.path().join("other/cloth_0002.ply").exists());
    // Nor does a second run hesitate to replace what the first has exported.
    assert_eq!(folder.crumple(&[&words[..], &["other"]].concat()).code, Some(1));
}

#[test]
fn outputs_do_not_overwrite_each_other() {
    let folder = Folder::new();
    folder.fold("fold.ply");
    let check = ["check", "--self", "fold.ply"];
    let with = |more: &[&'static str]| [&check[..], more].concat();
    refused(&folder, &with(&["--html", "out", "--csv", "./out"]), "--csv ./out would overwrite --html out", NAME);
    std::fs::create_dir(folder.path().join("marked")).unwrap();
    let before = contents(folder.path());
    let ended = folder.crumple(&with(&["--html", "marked/fold_0000.ply", "--export", "marked"]));
    assert_eq!((ended.code, contents(folder.path()) == before), (Some(2), true), "{}", ended.stderr);
    assert!(ended.stderr.contains("--export marked would overwrite --html marked/fold_0000.ply"), "{}", ended.stderr);
    refused(&folder, &["bench", "LE1", "--csv", "x", "--svg", "x"], "--svg x would overwrite --csv x", NAME);
    refused(
        &folder,
        &["bench", "LE1", "--data", ".", "--csv", "fold.ply"],
        "--csv fold.ply would overwrite the input ./fold.ply",
        NAME,
    );
}

#[cfg(unix)]
#[test]
fn links_are_seen_through() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new();
    let at = |name: &str| folder.path().join(name);
    folder.fold("fold.ply");
    symlink("fold.ply", at("soft")).unwrap();
    std::fs::hard_link(at("fold.ply"), at("hard")).unwrap();
    symlink(".", at("here")).unwrap();
    symlink("not-yet", at("dangling")).unwrap();
    for output in ["soft", "hard", "here/fold.ply", "here/here/soft"] {
        let error = format!("--html {output} would overwrite the input fold.ply");
        refused(&folder, &["check", "--self", "fold.ply", "--html", output], &error, NAME);
    }
    let words = ["check", "--self", "soft.ply", "--html", "fold.ply"];
    symlink("fold.ply", at("soft.ply")).unwrap();
    refused(&folder, &words, "--html fold.ply would overwrite the input soft.ply", NAME);
    refused(
        &folder,
        &["check", "--self", "fold.ply", "--html", "dangling", "--csv", "here/not-yet"],
        "--csv here/not-yet would overwrite --html dangling",
        NAME,
    );
    // An exported mesh may be a link to the input.
    std::fs::create_dir(at("marked")).unwrap();
    symlink("../fold.ply", at("marked/fold_0000.ply")).unwrap();
    let ended = folder.crumple(&["check", "--self", "fold.ply", "--export", "marked"]);
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(ended.stderr.contains("would overwrite the input fold.ply, as marked/fold_0000.ply"), "{}", ended.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn devices_may_be_written_more_than_once_but_not_the_file_of_the_answer() {
    let folder = Folder::new();
    folder.fold("fold.ply");
    let words = ["check", "--self", "fold.ply", "--html", "/dev/null", "--csv", "/dev/null"];
    assert_eq!(folder.crumple(&words).code, Some(1));
    let out = std::fs::File::create(folder.path().join("out")).unwrap();
    let ended = folder.command(&["check", "--self", "fold.ply", "--csv", "out"]).stdout(out).output().unwrap();
    assert_eq!(ended.status.code(), Some(2));
    let complaint = String::from_utf8(ended.stderr).unwrap();
    assert!(complaint.contains("--csv out would overwrite standard output"), "{complaint}");
}

#[cfg(unix)]
#[test]
fn the_page_and_the_plot_of_the_demo_are_two_files() {
    let folder = Folder::new();
    std::os::unix::fs::symlink("crumple-demo.html", folder.path().join("crumple-demo.svg")).unwrap();
    refused(&folder, &["demo"], "the page crumple-demo.html would overwrite the plot crumple-demo.svg", NAME);
}
