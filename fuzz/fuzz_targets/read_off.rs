//! Any bytes as a .off file: no panic, and what is read fits together.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(mesh) = crumple_io::read::parse_off(bytes, "fuzz.off") {
        crumple_fuzz::check(&mesh);
    }
});
