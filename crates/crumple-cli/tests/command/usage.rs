//! Bad usage, closed pipes, colours and help.

use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

use crate::run::Folder;

#[test]
fn an_unknown_experiment_is_refused_with_the_ones_there_are() {
    let ended = Folder::new().crumple(&["bench", "NOPE"]);
    assert_eq!(ended.code, Some(2));
    assert!(
        ended.stderr.starts_with("error: there is no experiment NOPE\nhint: there are LE1, LE2, LE2-same-bumps, LE3, ")
    );
}

#[test]
fn an_unknown_scene_is_refused_with_the_ones_there_are() {
    let ended = Folder::new().crumple(&["scene", "NOPE", "--out", "x"]);
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.starts_with("error: there is no scene NOPE\nhint: there are LE1, LE2-1280, "));
}

#[test]
fn an_unknown_flag_is_refused_in_one_line_with_what_to_try() {
    let folder = Folder::new();
    folder
        .crumple(&["bench", "--jsno"])
        .refused("unexpected argument '--jsno' found", Some("a similar argument exists: '--json'"));
    folder
        .crumple(&["check"])
        .refused("the following required arguments were not provided: <FILE>...", Some("try `crumple check --help`"));
    folder.crumple(&["chekc"]).refused("unrecognized subcommand 'chekc'", Some("a similar subcommand exists: 'check'"));
}

#[test]
fn an_unknown_method_is_refused_with_the_ones_there_are() {
    let ended = Folder::new().crumple(&["check", "a.ply", "--method", "magic"]);
    assert_eq!(ended.code, Some(2));
    let line = ended.stderr.lines().next().unwrap();
    assert!(line.contains("there is no method \"magic\"; try one of brute-force, hybrid-tree, "), "{line}");
}

#[test]
fn frames_that_do_not_exist_are_refused_with_their_number() {
    let folder = Folder::new();
    folder
        .crumple(&["bench", "LE2-1280", "--frames", "190..201"])
        .refused("there are no frames 190..201", Some("there are 200 frames, 0 to 199"));
    let ended = folder.crumple(&["demo", "--frames", "20..10"]);
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.starts_with("error: invalid value '20..10' for '--frames <RANGE>': the range is empty"));
}

#[test]
fn an_output_that_cannot_be_written_is_refused_before_the_work_starts() {
    let folder = Folder::new();
    for flag in ["--csv", "--svg"] {
        let ended = folder.crumple(&["bench", "LE1", flag, "nowhere/out"]);
        assert_eq!(ended.code, Some(2));
        assert!(ended.stderr.starts_with("error: nowhere/out: cannot be written: "), "{}", ended.stderr);
        assert_eq!(ended.stderr.lines().count(), 1);
    }
    std::fs::write(folder.path().join("file"), "").unwrap();
    let ended = folder.crumple(&["scene", "LE2-1280", "--out", "file"]);
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.starts_with("error: file: cannot be made a folder: "), "{}", ended.stderr);
}

#[test]
fn help_and_version_are_answers_and_no_words_at_all_are_not() {
    let folder = Folder::new();
    let help = folder.crumple(&["--help"]);
    assert_eq!((help.code, &*help.stderr), (Some(0), ""));
    for subcommand in ["demo", "check", "volume", "inside", "info", "bench", "scene"] {
        assert!(help.stdout.contains(&format!("\n  {subcommand} ")), "{subcommand}");
    }
    assert!(folder.crumple(&["--version"]).stdout.starts_with("crumple "));
    let nothing = folder.crumple(&[]);
    assert_eq!((nothing.code, &*nothing.stdout), (Some(2), ""));
    assert!(nothing.stderr.contains("Usage: crumple"));
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let folder = Folder::new();
    for words in [&["bench", "LE2-1280", "--json", "--repeat", "1"][..], &["scene", "--list"], &["--help"]] {
        let mut child = folder.command(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // Closed before, or after the first line, which is as `| head -1` does it.
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        if words[0] == "bench" {
            let mut first = String::new();
            stdout.read_line(&mut first).unwrap();
            assert!(first.contains("crumple.report/1"), "{first}");
        }
        drop(stdout);
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert_eq!((child.wait().unwrap().code(), &*stderr), (Some(0), ""), "{words:?}");
    }
}

#[test]
fn nothing_is_coloured_outside_a_terminal() {
    let ended = Folder::new().crumple(&["bench", "NOPE"]);
    assert!(!ended.stderr.contains('\x1b'));
    assert!(!Folder::new().crumple(&["scene"]).stdout.contains('\x1b'));
}

/// Runs in a pseudo-terminal, where `script` is there to make one.
#[test]
fn a_terminal_gets_colours_unless_no_color_is_set() {
    let folder = Folder::new();
    let in_terminal = |no_color: bool| {
        let mut script = std::process::Command::new("script");
        let line = format!("{} bench NOPE", env!("CARGO_BIN_EXE_crumple"));
        script.args(["-qec", &line, "/dev/null"]).current_dir(folder.path()).stdin(Stdio::null());
        if no_color {
            script.env("NO_COLOR", "1");
        } else {
            script.env_remove("NO_COLOR");
        }
        script.output().ok().map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (Some(coloured), Some(plain)) = (in_terminal(false), in_terminal(true)) else { return };
    if coloured.contains("there is no experiment NOPE") {
        assert!(coloured.contains("\x1b[1;31merror:\x1b[0m"), "{coloured:?}");
        assert!(plain.contains("error: there is no experiment NOPE") && !plain.contains('\x1b'), "{plain:?}");
    }
}

#[test]
fn instructions_can_be_chosen_and_those_that_are_not_there_are_refused() {
    let folder = Folder::new();
    let with = |level: &str| {
        let output = folder.command(&["scene"]).env("CRUMPLE_SIMD", level).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let levels: Vec<&str> = crumple::SimdLevel::available().map(crumple::SimdLevel::name).collect();
    for level in &levels {
        assert_eq!(with(level), with(""), "{level}");
    }
    let (code, stdout, stderr) = with("mmx");
    assert_eq!((code, &*stdout), (Some(2), ""));
    let expected = format!(
        "error: CRUMPLE_SIMD is \"mmx\", but this machine and this build can run {}: name one of them, or unset it\n",
        levels.join(", ")
    );
    assert_eq!(stderr, expected);
}
