//! The steps about publishing: can every published crate be packaged, and may everything it is built from be used.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use crate::root;
use crate::step::Call;
use crate::test::{Done, Run};

/// The crates that are published, in the order in which they can be uploaded: each after those it depends on.
const PUBLISHED: [&str; 8] = [
    "crumple-scenes",
    "crumple",
    "crumple-methods",
    "crumple-ldi",
    "crumple-io",
    "crumple-check",
    "crumple-bench",
    "crumple-cli",
];

/// Packages every published crate as it would be uploaded.
///
/// All in one call, because a crate that is not on the registry yet is looked up among the packages of the same call. The
/// packages are not built again: that takes minutes, and `.github/workflows/release.yml` does it before a release.
pub(crate) fn package(_: &mut Run) -> Result<Done> {
    check_order()?;
    let mut call = Call::new("cargo package --quiet --allow-dirty --no-verify");
    for name in PUBLISHED {
        call = call.with_word("--package").with_word(name);
    }
    // The registry is asked only for what is not on this machine: it takes longer than everything else here.
    if !call.clone().with_word("--offline").works() {
        call.run()?;
    }
    check_licences()?;
    let listed = Call::new("cargo package --list --allow-dirty --package crumple-io").output()?;
    for page in ["assets/index.html", "assets/playground.html"] {
        ensure!(listed.lines().any(|file| file == page), "the package of crumple-io lacks {page}");
    }
    Ok(Done::noted(format!("{} packages", PUBLISHED.len())))
}

/// The licences that every package carries.
const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// What is packed by other tools than cargo, from these folders.
const PACKED_OTHERWISE: [&str; 2] = ["crates/crumple-py", "blender/crumple_check"];

/// Makes sure that every package carries both licences whole: a link that became a text with a path in it would be packed as that.
fn check_licences() -> Result<()> {
    let read = |file: &Path| std::fs::read_to_string(file).with_context(|| file.display().to_string());
    let manifest = read(&root().join("Cargo.toml"))?;
    let version = manifest.lines().find_map(|line| line.strip_prefix("version = ")).context("no version")?;
    let version = version.trim_matches('"');
    for licence in LICENCES {
        let whole = read(&root().join(licence))?;
        for name in PUBLISHED {
            let packed = Call::new("tar -xzOf").with_word(format!("target/package/{name}-{version}.crate"));
            let packed = packed.with_word(format!("{name}-{version}/{licence}")).output();
            let packed = packed.with_context(|| format!("the package of {name} lacks {licence}"))?;
            ensure!(packed == whole, "the {licence} that the package of {name} carries is not that of the project");
        }
        for folder in PACKED_OTHERWISE {
            let packed = read(&root().join(folder).join(licence))?;
            ensure!(packed == whole, "{folder}/{licence} is not that of the project");
        }
    }
    Ok(())
}

/// Makes sure that every crate is either published or marked as not, and needs only crates that are published before it.
fn check_order() -> Result<()> {
    for folder in std::fs::read_dir(root().join("crates"))? {
        let folder = folder?.path();
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let manifest = folder.join("Cargo.toml");
        let text = std::fs::read_to_string(&manifest).with_context(|| manifest.display().to_string())?;
        let Some(index) = PUBLISHED.iter().position(|&published| published == name) else {
            let is_private = text.lines().any(|line| line.trim() == "publish = false");
            ensure!(is_private, "{name} is neither in the list of published crates nor marked `publish = false`");
            continue;
        };
        if let Some(later) = own_dependencies(&text).find(|needed| !PUBLISHED[..index].contains(needed)) {
            bail!("{name} depends on {later}, which is not published before it; dev-dependencies count too");
        }
    }
    Ok(())
}

/// The crates of this workspace that a manifest depends on, in any way. A dependency of tests that is a path without a version is
/// left out, as cargo leaves it out of the package: so the library's tests can use crates that are published after it.
fn own_dependencies(manifest: &str) -> impl Iterator<Item = &str> {
    let lines = manifest.lines().filter(|line| line.starts_with("crumple"));
    let lines = lines.filter(|line| !line.contains("path = ") || line.contains("version = "));
    lines.filter_map(|line| line.split(['.', ' ', '=']).next())
}

/// Checks licences, banned crates and sources of all dependencies by the rules in `deny.toml`: by cargo-deny where it is
/// installed, which takes minutes to build, else by what cargo itself says of them.
pub(crate) fn deny(_: &mut Run) -> Result<Done> {
    if Call::new("cargo deny --version").works() {
        Call::new("cargo deny --all-features check licenses bans sources").run()?;
        return Ok(Done::PASSED);
    }
    let rules = std::fs::read_to_string(root().join("deny.toml")).context("deny.toml")?;
    let allowed = quoted_after(&rules, "allow = [");
    ensure!(!allowed.is_empty(), "deny.toml allows no licence");
    let tree = "cargo tree --workspace --all-features --edges normal,build --prefix none --format {p}|{l}";
    let mut count = 0;
    for line in Call::new(tree).output()?.lines().filter(|line| !line.is_empty() && !line.ends_with("(*)")) {
        let (package, licence) = line.split_once('|').with_context(|| format!("cargo tree says {line}"))?;
        let name = package.split(' ').next().unwrap_or(package);
        ensure!(
            is_allowed(licence, &allowed),
            "{package} is licensed under {licence:?}, which deny.toml does not allow"
        );
        ensure!(Some(&name) != quoted_after(&rules, "deny = [{ crate = ").first(), "{package} is banned by deny.toml");
        count += 1;
    }
    let registry = quoted_after(&rules, "allow-registry = [");
    let lock = std::fs::read_to_string(root().join("Cargo.lock")).context("Cargo.lock")?;
    for source in lock.lines().filter_map(|line| line.strip_prefix("source = ")) {
        let source = source.trim_matches('"');
        let is_known = source.strip_prefix("registry+").is_some_and(|source| registry.contains(&source));
        ensure!(is_known, "a dependency comes from {source}, which deny.toml does not allow");
    }
    Ok(Done::noted(format!("{count} packages, by cargo tree: cargo-deny is not installed")))
}

/// The words in quotation marks that follow the start of a list, to its end.
fn quoted_after<'a>(text: &'a str, start: &str) -> Vec<&'a str> {
    let list = text.split_once(start).map_or("", |(_, rest)| rest.split(']').next().unwrap_or(rest));
    list.split('"').skip(1).step_by(2).collect()
}

/// Whether a licence expression leaves a choice of licences that are all allowed.
fn is_allowed(expression: &str, allowed: &[&str]) -> bool {
    // The old way to write OR.
    let words = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = words.split_whitespace().collect();
    let mut at = 0;
    let is_allowed = choice(&words, &mut at, allowed);
    is_allowed && at == words.len()
}

/// Licences of which one has to be allowed.
fn choice(words: &[&str], at: &mut usize, allowed: &[&str]) -> bool {
    let mut any = all(words, at, allowed);
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        any |= all(words, at, allowed);
    }
    any
}

/// Licences that all have to be allowed.
fn all(words: &[&str], at: &mut usize, allowed: &[&str]) -> bool {
    let mut all = one(words, at, allowed);
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        all &= one(words, at, allowed);
    }
    all
}

fn one(words: &[&str], at: &mut usize, allowed: &[&str]) -> bool {
    let Some(word) = words.get(*at) else { return false };
    *at += 1;
    if *word == "(" {
        let inside = choice(words, at, allowed);
        *at += 1;
        return inside && words.get(*at - 1) == Some(&")");
    }
    let mut name = (*word).to_owned();
    if words.get(*at) == Some(&"WITH") {
        name = format!("{name} WITH {}", words.get(*at + 1).unwrap_or(&""));
        *at += 2;
    }
    allowed.contains(&&*name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_of_every_kind_are_found() {
        let manifest = "[package]\nname = \"crumple-x\"\n[features]\ngpu = [\"dep:crumple-gpu\"]\n[dependencies]\n\
                        crumple.workspace = true\ncrumple-gpu = { workspace = true, optional = true }\n\
                        [dev-dependencies]\ncrumple-io.workspace = true\ncrumple-y = { path = \"../crumple-y\" }\n";
        assert_eq!(own_dependencies(manifest).collect::<Vec<_>>(), ["crumple", "crumple-gpu", "crumple-io"]);
    }

    #[test]
    fn licences_are_read_as_they_are_written() {
        let allowed = ["MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "Zlib"];
        for licence in [
            "MIT",
            "MIT OR GPL-3.0",
            "MIT/Apache-2.0",
            "(GPL-2.0 OR MIT) AND Zlib",
            "Apache-2.0 WITH LLVM-exception OR X",
        ] {
            assert!(is_allowed(licence, &allowed), "{licence}");
        }
        for licence in ["", "GPL-3.0", "MIT AND GPL-3.0", "(MIT OR Zlib", "MIT MIT", "(GPL-2.0 OR MIT) AND X", "OR"] {
            assert!(!is_allowed(licence, &allowed), "{licence}");
        }
        let rules = "allow = [\"MIT\", \"Zlib\"]\ndeny = [{ crate = \"cc\", reason = \"none\" }]";
        assert_eq!(quoted_after(rules, "allow = ["), ["MIT", "Zlib"]);
        assert_eq!(quoted_after(rules, "deny = [{ crate = ")[0], "cc");
    }

    #[test]
    fn the_crates_can_be_published_in_order() {
        check_order().unwrap();
    }
}
