//! Any bytes as a .pc2 and an .mdd file: no panic, and every frame that the header announces can be read.
#![no_main]

use std::io::Cursor;

use crumple_io::{CacheFormat, PointCache};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for format in [CacheFormat::Pc2, CacheFormat::Mdd] {
        let Ok(mut cache) = PointCache::new(Cursor::new(bytes), format, "fuzz") else {
            continue;
        };
        let mut positions = vec![[0.0; 3]; cache.vertex_count()];
        for frame in 0..cache.frame_count() {
            cache.read_frame(frame, &mut positions).expect("the size of the file was checked");
        }
    }
});
