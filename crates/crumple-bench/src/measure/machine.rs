//! The machine and the commit that something was measured with.

use std::process::Command;

/// The processor's name, or `unknown`.
pub fn machine() -> String {
    let described = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = described.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == "model name").then(|| value.trim().to_owned())
    });
    name.filter(|name| !name.is_empty()).unwrap_or_else(|| "unknown".to_owned())
}

/// The commit this command was built from, with a `+` if files other than results and documentation have changed since; where
/// there is no repository any more, the version.
pub fn commit() -> String {
    let git = |words: &[&str]| {
        let output = Command::new("git").current_dir(env!("CARGO_MANIFEST_DIR")).args(words).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let changed = git(&["status", "--porcelain", "--untracked-files=no", "--", ":/", ":/!results", ":/!docs"])
        .is_some_and(|files| !files.is_empty());
    match git(&["rev-parse", "--short=12", "HEAD"]) {
        Some(commit) if changed => commit + "+",
        Some(commit) => commit,
        None => concat!("v", env!("CARGO_PKG_VERSION")).to_owned(),
    }
}
