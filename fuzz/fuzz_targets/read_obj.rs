//! Any bytes as an .obj file, whole and in parts: no panic, and what is read fits together.
#![no_main]

use crumple_io::ObjBodies;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for bodies in [ObjBodies::File, ObjBodies::Groups, ObjBodies::Objects] {
        if let Ok(parts) = crumple_io::read::parse_obj_bodies(bytes, "fuzz.obj", bodies) {
            parts.iter().for_each(crumple_fuzz::check);
        }
    }
});
