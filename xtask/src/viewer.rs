//! The steps about the page: is the committed one what its source builds to, and does it work in a browser.
//!
//! Both need Node. Its packages and the browser are installed where they are missing; where that cannot be done, the
//! step fails and says what to do by hand.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use crate::root;
use crate::step::Call;
use crate::test::{Done, Run};

/// Where Debian puts its browser.
const CHROMIUM: &str = "/usr/bin/chromium";

/// Builds the page from its source and compares it with the committed one, byte for byte.
pub(crate) fn check(_: &mut Run) -> Result<Done> {
    if let Some(missing) = missing_node() {
        return Ok(Done::Skipped(missing));
    }
    let installed = install_packages("viewer")?;
    Call::new("node viewer/check.mjs").run()?;
    Ok(Done::Passed(installed))
}

/// That Node is missing.
pub(crate) fn missing_node() -> Option<String> {
    let is_there = Call::new("node --version").works();
    (!is_there).then(|| "node is not there; install Node 20.19 or newer, with npm".to_owned())
}

/// Opens the demo's page, and those of unusual plays, in a real browser and uses them.
pub(crate) fn browser(run: &mut Run) -> Result<Done> {
    if let Some(missing) = missing_node() {
        return Ok(Done::Skipped(missing));
    }
    let packages = install_packages("viewer")?;
    let chromium = install_chromium()?;
    let built = run.build()?;
    Call::new("node viewer/test/run.mjs --built").with_word(built.to_string_lossy()).run()?;
    let told: Vec<String> = packages.into_iter().chain(chromium).collect();
    Ok(Done::Passed((!told.is_empty()).then(|| told.join("; "))))
}

/// Installs the packages of the lock file in a folder, unless they are there.
pub(crate) fn install_packages(folder: &str) -> Result<Option<String>> {
    if let Some(missing) = missing_node() {
        bail!(missing);
    }
    let changed = |file: &str| root().join(folder).join(file).metadata().and_then(|about| about.modified()).ok();
    // npm writes down what it has installed, after it has.
    let (wanted, there) = (changed("package-lock.json"), changed("node_modules/.package-lock.json"));
    if there.is_some() && there >= wanted {
        return Ok(None);
    }
    let call = Call::new(&format!("npm --prefix {folder} ci --no-fund --no-audit"));
    call.run().with_context(|| format!("the packages of {folder} cannot be installed"))?;
    Ok(Some(format!("installed the packages of {folder}")))
}

/// Installs packages of Debian.
pub(crate) fn install_debian(packages: &str) -> Result<()> {
    ensure!(Call::new("apt-get --version").works(), "there is no apt-get");
    let user = Call::new("id -u").output()?;
    let before = if user.trim() == "0" { "" } else { "sudo -n " };
    for words in ["update".to_owned(), format!("install -y {packages}")] {
        let call = Call::new(&format!("{before}apt-get -q {words}")).with_variable("DEBIAN_FRONTEND", "noninteractive");
        call.run()?;
    }
    Ok(())
}

/// The package of Debian that is missing; none if there is a browser.
pub(crate) fn missing_browser() -> Option<&'static str> {
    let is_there = std::env::var_os("CRUMPLE_CHROMIUM").is_some() || Path::new(CHROMIUM).exists();
    (!is_there).then_some("chromium")
}

/// Installs Debian's browser, unless there is one.
pub(crate) fn install_chromium() -> Result<Option<String>> {
    if let Some(chosen) = std::env::var_os("CRUMPLE_CHROMIUM") {
        ensure!(Path::new(&chosen).exists(), "CRUMPLE_CHROMIUM says {}, where nothing is", chosen.display());
        return Ok(None);
    }
    if Path::new(CHROMIUM).exists() {
        return Ok(None);
    }
    let by_hand = "install chromium by hand, or say where a browser of its kind is in CRUMPLE_CHROMIUM";
    install_debian("chromium").with_context(|| format!("there is no browser at {CHROMIUM}; {by_hand}"))?;
    if !Path::new(CHROMIUM).exists() {
        bail!("chromium was installed, but not at {CHROMIUM}; say where it is in CRUMPLE_CHROMIUM");
    }
    Ok(Some("installed chromium".into()))
}
