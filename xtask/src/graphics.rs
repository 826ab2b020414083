//! A Vulkan driver for the tests of depth images on the GPU: Mesa's software one is installed where there is none and it can be.
//!
//! Where it cannot, nothing is left out: the tests run, fail, and say what is missing.

use std::path::Path;

use crate::viewer::install_debian;

/// Where Linux looks for manifests of Vulkan drivers.
const MANIFESTS: [&str; 3] = ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d", "/usr/local/share/vulkan/icd.d"];
const PACKAGE: &str = "mesa-vulkan-drivers";

/// The package of Debian that is missing; none if there is a driver.
pub(crate) fn missing() -> Option<&'static str> {
    // Elsewhere the system brings its own (Metal, DirectX).
    (cfg!(target_os = "linux") && !has_driver()).then_some(PACKAGE)
}

/// Makes sure of a driver; says what was done where that is not plain.
pub(crate) fn need_driver() -> Option<String> {
    let package = missing()?;
    println!("installing {package} from Debian");
    match install_debian(package) {
        Ok(()) if missing().is_none() => Some(format!("{package} was installed")),
        Ok(()) => Some(format!("{package} was installed, but no Vulkan driver is found")),
        Err(error) => Some(format!("no Vulkan driver was found and {package} could not be installed: {error:#}")),
    }
}

fn has_driver() -> bool {
    let named = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"].iter().any(|name| std::env::var_os(name).is_some());
    let has_manifest = |folder: &str| {
        let files = Path::new(folder).read_dir().into_iter().flatten().flatten();
        files.into_iter().any(|file| file.path().extension().is_some_and(|ending| ending == "json"))
    };
    named || MANIFESTS.iter().any(|folder| has_manifest(folder))
}
