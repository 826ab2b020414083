//! Any bytes as a .glb or .gltf file, with the first, middle and last frame of every body: no panic, and what is read
//! fits together.
#![no_main]

use crumple_io::ReadOptions;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    // The name puts it in a folder that is not there, so that no URI leads to a file of this machine.
    let read = crumple_io::read::parse_gltf(bytes, "no-such-folder/fuzz.glb", &ReadOptions::default());
    for mut body in read.unwrap_or_default() {
        crumple_fuzz::check_triangles(body.triangles(), body.vertex_count());
        let last = body.frame_count() - 1;
        for frame in [0, last / 2, last] {
            let mut positions = vec![[0.0; 3]; body.vertex_count()];
            if body.frame(frame, &mut positions).is_ok() && body.check(frame, &positions).is_ok() {
                crumple_fuzz::check_finite(&positions);
            }
        }
    }
});
