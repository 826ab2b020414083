//! The steps about publishing: can every published crate be packaged, and may everything it is built from be used.

use anyhow::{Context, Result, bail, ensure};

use crate::root;
use crate::step::Call;

/// The crates that are published, in the order in which they can be uploaded: each after those it depends on.
const PUBLISHED: [&str; 6] = ["crumple-scenes", "crumple", "crumple-io", "crumple-gpu", "crumple-bench", "crumple-cli"];

/// Packages every published crate as it would be uploaded.
///
/// All in one call, because a crate that is not on the registry yet is looked up among the packages of the same call. The
/// packages are not built again: that takes minutes, and `.github/workflows/release.yml` does it before a release.
pub(crate) fn package() -> Result<Option<String>> {
    check_order()?;
    let mut call = Call::new("cargo package --quiet --allow-dirty --no-verify");
    for name in PUBLISHED {
        call = call.with_word("--package").with_word(name);
    }
    call.run()?;
    let listed = Call::new("cargo package --list --allow-dirty --package crumple-io").output()?;
    for page in ["assets/index.html", "assets/playground.html"] {
        ensure!(listed.lines().any(|file| file == page), "the package of crumple-io lacks {page}");
    }
    Ok(Some(format!("{} packages", PUBLISHED.len())))
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

/// The crates of this workspace that a manifest depends on, in any way.
fn own_dependencies(manifest: &str) -> impl Iterator<Item = &str> {
    let lines = manifest.lines().filter(|line| line.starts_with("crumple"));
    lines.filter_map(|line| line.split(['.', ' ', '=']).next())
}

/// Checks licences, banned crates and sources of all dependencies by the rules in `deny.toml`.
pub(crate) fn deny() -> Result<Option<String>> {
    if !Call::new("cargo deny --version").works() {
        return Ok(Some("skipped, since cargo-deny is not installed; cargo install --locked cargo-deny".to_owned()));
    }
    Call::new("cargo deny --all-features check licenses bans sources").run()?;
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_of_every_kind_are_found() {
        let manifest = "[package]\nname = \"crumple-x\"\n[features]\ngpu = [\"dep:crumple-gpu\"]\n[dependencies]\n\
                        crumple.workspace = true\ncrumple-gpu = { workspace = true, optional = true }\n\
                        [dev-dependencies]\ncrumple-io.workspace = true\n";
        assert_eq!(own_dependencies(manifest).collect::<Vec<_>>(), ["crumple", "crumple-gpu", "crumple-io"]);
    }

    #[test]
    fn the_crates_can_be_published_in_order() {
        check_order().unwrap();
    }
}
