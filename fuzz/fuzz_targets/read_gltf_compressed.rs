//! Any bytes as the compressed data of a .glb file whose JSON is right: no panic, and what is read fits together. The first
//! byte chooses the JSON: one of the compressed samples of the tests.
#![no_main]

use crumple_io::ReadOptions;
use libfuzzer_sys::fuzz_target;

const SAMPLES: [&[u8]; 5] = [
    include_bytes!("../../crates/crumple-io/tests/assets/sheet_draco_edgebreaker.glb"),
    include_bytes!("../../crates/crumple-io/tests/assets/sheet_draco_sequential.glb"),
    include_bytes!("../../crates/crumple-io/tests/assets/sheet_meshopt.glb"),
    include_bytes!("../../crates/crumple-io/tests/assets/sheet_meshopt_filtered.glb"),
    include_bytes!("../../crates/crumple-io/tests/assets/sheet_meshopt_khr.glb"),
];

fuzz_target!(|bytes: &[u8]| {
    let Some((&which, chunk)) = bytes.split_first() else { return };
    let sample = SAMPLES[usize::from(which) % SAMPLES.len()];
    let json = u32::from_le_bytes([sample[12], sample[13], sample[14], sample[15]]) as usize;
    // As long as the sample's chunk, or the JSON would not fit it.
    let start = 20 + json + 8;
    let mut file = sample.to_vec();
    let len = chunk.len().min(file.len() - start);
    file[start..start + len].copy_from_slice(&chunk[..len]);
    let read = crumple_io::read::parse_gltf(&file, "no-such-folder/fuzz.glb", &ReadOptions::default());
    for mut body in read.unwrap_or_default() {
        crumple_fuzz::check_triangles(body.triangles(), body.vertex_count());
        let mut positions = vec![[0.0; 3]; body.vertex_count()];
        if body.frame(0, &mut positions).is_ok() && body.check(0, &positions).is_ok() {
            crumple_fuzz::check_finite(&positions);
        }
    }
});
