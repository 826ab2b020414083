//! Every output is whole, or what it was before: also if the command is ended, the disk is full or a path is bad.
#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::run::Folder;

/// Two spheres that move into each other, and the words to check them with.
fn spheres(frames: &str) -> (Folder, Vec<String>) {
    let folder = Folder::new();
    let written = folder.crumple(&["scene", "LE2-1280", "--out", "in", "--frames", frames]);
    let files = written.stdout.lines().map(str::to_owned);
    let words = ["check".to_owned(), "--quiet".to_owned()].into_iter().chain(files).collect();
    (folder, words)
}

fn words<'a>(check: &'a [String], more: &[&'a str]) -> Vec<&'a str> {
    check.iter().map(String::as_str).chain(more.iter().copied()).collect()
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn signal(process: u32, name: &str) {
    let kill = format!("kill -{name} {process}");
    // It may have ended meanwhile.
    let _ = Command::new("sh").args(["-c", &kill]).stderr(Stdio::null()).status().unwrap();
}

/// Numbers that look random, the same in every run.
fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 11) as f64 / (1_u64 << 53) as f64
}

/// `CRUMPLE_KILLS` sets the number of moments; 20 if it is not set.
#[test]
fn a_check_that_is_terminated_leaves_the_old_report_or_the_new_one() {
    let (folder, check) = spheres("60..140");
    let outputs = ["out.html", "out.csv"];
    let check = words(&check, &["--html", "out.html", "--csv", "out.csv"]);
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    let start = Instant::now();
    assert_eq!(folder.crumple(&check).code, Some(1));
    let whole_run = start.elapsed();
    // Times differ from run to run, so a new page is known by its end and by what it says.
    let ends = |page: &[u8]| page.trim_ascii_end().ends_with(b"</html>") && contains(page, b"in 76 of 80 frames");
    assert!(ends(&read("out.html")));
    let table = read("out.csv");
    let old = [b"an old page".as_slice(), b"an old table"];
    let kills: usize = std::env::var("CRUMPLE_KILLS").map_or(20, |count| count.parse().unwrap());
    let (mut state, mut kept, mut terminated) = (1, 0, 0);
    for _ in 0..kills {
        outputs.iter().zip(old).for_each(|(name, old)| std::fs::write(folder.path().join(name), old).unwrap());
        let mut child = folder.command(&check).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_secs_f64(random(&mut state) * 1.2 * whole_run.as_secs_f64()));
        signal(child.id(), "TERM");
        let ended = child.wait().unwrap();
        terminated += usize::from(std::os::unix::process::ExitStatusExt::signal(&ended) == Some(15));
        let (page, csv) = (read("out.html"), read("out.csv"));
        assert!(page == old[0] || ends(&page), "half a page of {} bytes", page.len());
        assert!(csv == old[1] || csv == table, "half a table of {} bytes", csv.len());
        kept += usize::from(page == old[0]);
        assert_eq!(names(folder.path()), ["in", "out.csv", "out.html"]);
    }
    println!("{kills} moments: {terminated} terminated, the old page kept {kept} times");
    assert!(kept > 0, "it was never ended before it was done");
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

#[test]
fn a_scene_that_is_terminated_consists_of_whole_files() {
    let folder = Folder::new();
    let scene = ["scene", "LE2-1280", "--out", "out"];
    let start = Instant::now();
    assert_eq!(folder.crumple(&scene).code, Some(0));
    let whole_run = start.elapsed();
    let read = |name: &str| std::fs::read(folder.path().join("out").join(name)).unwrap();
    let files = ["sphere-a.pc2", "sphere-a.ply", "sphere-b.pc2", "sphere-b.ply"];
    let new = files.map(read);
    let mut state = 7;
    for _ in 0..10 {
        files.iter().for_each(|name| std::fs::write(folder.path().join("out").join(name), "old").unwrap());
        let mut child = folder.command(&scene).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_secs_f64(random(&mut state) * whole_run.as_secs_f64()));
        signal(child.id(), "TERM");
        child.wait().unwrap();
        for (name, new) in files.iter().zip(&new) {
            let content = read(name);
            assert!(content == b"old" || content == *new, "half of {name}");
        }
        assert_eq!(names(&folder.path().join("out")), files);
    }
}

#[test]
fn an_interrupted_page_says_how_many_frames_were_meant() {
    let (folder, check) = spheres("0..200");
    let check = words(&check, &["--json", "--method", "brute-force", "--html", "out.html"]);
    let mut child = folder.command(&check).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
    while !lines.next().unwrap().unwrap().starts_with("{\"frame\":2,") {}
    assert!(!folder.path().join("out.html").exists());
    signal(child.id(), "INT");
    lines.for_each(|line| drop(line.unwrap()));
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let page = std::fs::read_to_string(folder.path().join("out.html")).unwrap();
    assert!(page.contains(" of 200 frames were looked at."), "the page does not say that it is not complete");
    assert_eq!(names(folder.path()), ["in", "out.html"]);
}

/// A polygon of 20,000 corners takes brute force minutes; with no file to complete there is nothing to wait for.
#[test]
fn a_frame_that_takes_long_does_not_outlast_an_interruption() {
    let folder = Folder::new();
    let corners = (0..20_000_i32).map(|k| f64::from(k) * std::f64::consts::TAU / 20_000.0);
    let vertices: String = corners.map(|angle| format!("v {} {} 0\n", angle.cos(), angle.sin())).collect();
    let face: String = (1..=20_000).map(|corner| format!(" {corner}")).collect();
    std::fs::write(folder.path().join("disc.obj"), format!("{vertices}f{face}\n")).unwrap();
    let check = ["check", "disc.obj", "--self", "--method", "brute-force"];
    let mut child = folder.command(&check).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(500));
    signal(child.id(), "INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

/// Runs the command with files limited to so many blocks of 512 bytes, as if the disk were full behind them.
fn with_little_room(folder: &Folder, blocks: u32, words: &[&str]) -> std::process::Output {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
    let mut command = Command::new("sh");
    command.current_dir(folder.path()).args(["-c", &script, "sh", env!("CARGO_BIN_EXE_crumple")]).args(words);
    command.output().unwrap()
}

#[test]
fn a_full_disk_leaves_the_old_files() {
    let (folder, check) = spheres("60..140");
    for name in ["out.html", "out.csv"] {
        std::fs::write(folder.path().join(name), "old").unwrap();
    }
    for more in [&["--html", "out.html", "--csv", "out.csv"][..], &["--csv", "out.csv"], &["--html", "out.html"]] {
        let ended = with_little_room(&folder, 16, &words(&check, more));
        let complaint = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(2), "{complaint}");
        assert!(complaint.starts_with("error: out."), "{complaint}");
        for name in ["out.html", "out.csv"] {
            assert_eq!(std::fs::read(folder.path().join(name)).unwrap(), b"old", "{more:?}: {name}");
        }
        assert_eq!(names(folder.path()), ["in", "out.csv", "out.html"]);
    }
    let ended = with_little_room(&folder, 16, &["scene", "LE2-1280", "--out", "scene"]);
    assert_eq!(ended.status.code(), Some(2));
    assert_eq!(names(&folder.path().join("scene")), Vec::<String>::new());
    let ended = with_little_room(&folder, 16, &words(&check, &["--export", "marked"]));
    assert_eq!(ended.status.code(), Some(2));
    assert_eq!(names(&folder.path().join("marked")), Vec::<String>::new());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error() {
    let (folder, check) = spheres("60..62");
    for option in ["--html", "--csv"] {
        let ended = folder.crumple(&words(&check, &[option, "/dev/full"]));
        assert_eq!(ended.code, Some(2), "{}", ended.stderr);
        assert!(ended.stderr.starts_with("error: /dev/full"), "{}", ended.stderr);
    }
}

#[test]
fn a_bad_second_path_leaves_the_first_file_as_it_was() {
    let (folder, check) = spheres("60..62");
    for name in ["out.html", "out.csv"] {
        std::fs::write(folder.path().join(name), "old").unwrap();
    }
    for more in [
        &["--html", "out.html", "--csv", "nowhere/out.csv"][..],
        &["--html", "nowhere/out.html", "--csv", "out.csv"],
        &["--html", "out.html", "--csv", "out.csv", "--export", "out.csv"],
        &["--html", "out.html", "--csv", "in"],
    ] {
        let ended = folder.crumple(&words(&check, more));
        assert_eq!(ended.code, Some(2), "{more:?}");
        for name in ["out.html", "out.csv"] {
            assert_eq!(std::fs::read(folder.path().join(name)).unwrap(), b"old", "{more:?}: {name}");
        }
        assert_eq!(names(folder.path()), ["in", "out.csv", "out.html"]);
    }
    let ended = folder.crumple(&["bench", "LE1", "--csv", "out.csv", "--svg", "nowhere/out.svg"]);
    assert_eq!(ended.code, Some(2));
    assert_eq!(std::fs::read(folder.path().join("out.csv")).unwrap(), b"old");
}

#[test]
fn a_folder_that_cannot_be_written_is_named_and_its_files_stay() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, check) = spheres("60..62");
    let sealed = folder.path().join("sealed");
    std::fs::create_dir(&sealed).unwrap();
    std::fs::write(sealed.join("out.html"), "old").unwrap();
    std::fs::set_permissions(&sealed, std::fs::Permissions::from_mode(0o555)).unwrap();
    // Permissions do not hold for everybody: root may write anywhere but into what is no real folder.
    let holds = std::fs::write(sealed.join("probe"), "").is_err();
    let place = if holds { "sealed/out.html" } else { "/proc/self/out.html" };
    if holds || cfg!(target_os = "linux") {
        let ended = folder.crumple(&words(&check, &["--html", place]));
        assert_eq!(ended.code, Some(2), "{}", ended.stderr);
        assert!(ended.stderr.starts_with(&format!("error: {place}: cannot be written: ")), "{}", ended.stderr);
    }
    assert_eq!(std::fs::read(sealed.join("out.html")).unwrap(), b"old");
    std::fs::set_permissions(&sealed, std::fs::Permissions::from_mode(0o755)).unwrap();
}
