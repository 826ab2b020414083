//! Any bytes as a .pc2 and an .mdd file: no panic, and every frame has as many finite vertices as announced.
#![no_main]

use std::io::Cursor;

use crumple_io::{CacheFormat, PointCache};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut positions = Vec::new();
    for format in [CacheFormat::Pc2, CacheFormat::Mdd] {
        let Ok(mut cache) = PointCache::new(Cursor::new(bytes), format, "fuzz") else {
            continue;
        };
        for frame in 0..cache.frame_count() {
            if cache.read_frame(frame, &mut positions).is_ok() {
                assert_eq!(positions.len(), cache.vertex_count());
                crumple_fuzz::check_finite(&positions);
            }
        }
    }
});
