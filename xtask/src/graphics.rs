//! A Vulkan driver for the tests of `crumple-gpu`: Mesa's software one is installed where there is none and it can be.
//!
//! Where it cannot, nothing is left out: the tests run, fail, and say what is missing.

use std::path::Path;

use crate::step::Call;

/// Where Linux looks for manifests of Vulkan drivers.
const MANIFESTS: [&str; 3] = ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d", "/usr/local/share/vulkan/icd.d"];
const PACKAGE: &str = "mesa-vulkan-drivers";

/// Makes sure of a driver; says what was done where that is not plain.
pub(crate) fn need_driver() -> Option<String> {
    // Elsewhere the system brings its own (Metal, DirectX).
    if !cfg!(target_os = "linux") || has_driver() {
        return None;
    }
    // Without a word for a password nobody may be there to type.
    let as_root = if Call::new("test -w /var/lib/dpkg").works() { "" } else { "sudo -n " };
    let install = Call::new(&format!("{as_root}apt-get install -y --no-install-recommends {PACKAGE}"));
    let update = Call::new(&format!("{as_root}apt-get update"));
    if Call::new("apt-get --version").works() && update.works() && install.works() && has_driver() {
        return Some(format!("{PACKAGE} was installed"));
    }
    Some(format!("no Vulkan driver was found and {PACKAGE} could not be installed; repeat it with\n  {install}"))
}

fn has_driver() -> bool {
    let named = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"].iter().any(|name| std::env::var_os(name).is_some());
    let has_manifest = |folder: &str| {
        let files = Path::new(folder).read_dir().into_iter().flatten().flatten();
        files.into_iter().any(|file| file.path().extension().is_some_and(|ending| ending == "json"))
    };
    named || MANIFESTS.iter().any(|folder| has_manifest(folder))
}
