//! Any bytes as a .xyz file: no panic, and what is read fits together.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(mesh) = crumple_io::read::parse_xyz(bytes, "fuzz.xyz") {
        crumple_fuzz::check(&mesh);
    }
});
