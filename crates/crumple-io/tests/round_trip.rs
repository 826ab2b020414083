//! What is written is read back with the same bits.

mod common;

use common::{Folder, awkward_floats};
use crumple_io::{Encoding, MeshFile, PointCache, PointCacheWriter, read, write};

fn bits(positions: &[[f32; 3]]) -> Vec<[u32; 3]> {
    positions.iter().map(|p| p.map(f32::to_bits)).collect()
}

fn mesh() -> MeshFile {
    let positions = awkward_floats();
    let last = positions.len() as u32 - 1;
    MeshFile {
        name: "body".into(),
        triangles: (0..last - 1).map(|v| [v, v + 1, last]).collect(),
        positions,
        face_of_triangle: None,
    }
}

#[test]
fn ply_keeps_every_bit_in_every_encoding() {
    let folder = Folder::new("ply-round-trip");
    let mesh = mesh();
    for encoding in [Encoding::Ascii, Encoding::LittleEndian, Encoding::BigEndian] {
        let file = folder.join("body.ply");
        write::write_ply(&file, &mesh, encoding).unwrap();
        let again = read::read_ply(&file).unwrap();
        assert_eq!(bits(&again.positions), bits(&mesh.positions), "{encoding:?}");
        assert_eq!(again, mesh, "{encoding:?}");
    }
}

#[test]
fn point_caches_keep_every_bit_and_frames_are_read_in_any_order() {
    let folder = Folder::new("cache-round-trip");
    let first = awkward_floats();
    let frames: Vec<Vec<[f32; 3]>> =
        (0..5).map(|k| first.iter().cycle().skip(k).take(first.len()).copied().collect()).collect();
    for name in ["motion.pc2", "motion.mdd"] {
        let file = folder.join(name);
        let mut writer = PointCacheWriter::create_timed(&file, first.len(), frames.len(), 2.0, 0.5).unwrap();
        for frame in &frames {
            writer.write_frame(frame).unwrap();
        }
        writer.finish().unwrap();
        let mut cache = PointCache::open(&file).unwrap();
        assert_eq!((cache.frame_count(), cache.vertex_count()), (5, first.len()));
        assert_eq!((cache.start(), cache.step()), (2.0, 0.5));
        let mut positions = Vec::new();
        for k in [3, 0, 4, 4, 1, 2] {
            cache.read_frame(k, &mut positions).unwrap();
            assert_eq!(bits(&positions), bits(&frames[k]), "{name} frame {k}");
        }
    }
}

#[test]
fn a_cache_with_frames_missing_or_of_another_length_is_not_finished() {
    let folder = Folder::new("cache-promise");
    let file = folder.join("motion.pc2");
    let mut writer = PointCacheWriter::create(&file, 2, 2).unwrap();
    let error = writer.write_frame(&[[0.0; 3]]).unwrap_err().to_string();
    assert!(error.ends_with("motion.pc2: frame 0 has 1 vertices, but 2 were promised"), "{error}");
    writer.write_frame(&[[0.0; 3]; 2]).unwrap();
    let error = writer.finish().unwrap_err().to_string();
    assert!(error.ends_with("motion.pc2: 1 frames were written, but 2 were promised"), "{error}");
}
