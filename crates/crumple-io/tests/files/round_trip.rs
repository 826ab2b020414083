//! What is written is read back with the same bits.

use crate::common::{Folder, awkward_floats};
use crumple_io::report::{ContactRecord, FeaturesRecord, Frame, ImpactRecord, NearRecord};
use crumple_io::{CsvColumns, Encoding, MeshFile, PairsCsv, PointCache, PointCacheWriter, read, write};

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
        ..MeshFile::default()
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
        let mut positions = vec![[0.0; 3]; first.len()];
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

#[test]
fn obj_keeps_every_bit() {
    let folder = Folder::new("obj-round-trip");
    let (file, mesh) = (folder.join("body.obj"), mesh());
    write::write_obj(&file, &mesh).unwrap();
    let again = read::read_obj(&file).unwrap();
    assert_eq!(bits(&again.positions), bits(&mesh.positions));
    assert_eq!(again, mesh);
}

#[test]
fn marked_files_read_as_the_same_mesh_and_show_the_marks() {
    let folder = Folder::new("marked");
    let mesh = MeshFile {
        name: "body".into(),
        positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        triangles: vec![[0, 1, 2], [2, 1, 0], [1, 0, 2]],
        ..MeshFile::default()
    };
    for encoding in [Encoding::Ascii, Encoding::LittleEndian, Encoding::BigEndian] {
        let file = folder.join("body.ply");
        write::write_ply_marked(&file, &mesh, &[1], encoding).unwrap();
        assert_eq!(read::read_ply(&file).unwrap(), mesh, "{encoding:?}");
    }
    write::write_ply_marked(folder.join("body.ply"), &mesh, &[1], Encoding::Ascii).unwrap();
    let text = std::fs::read_to_string(folder.join("body.ply")).unwrap();
    assert!(text.ends_with("3 0 1 2 210 210 210\n3 2 1 0 200 30 30\n3 1 0 2 210 210 210\n"), "{text}");
    write::write_obj_marked(folder.join("body.obj"), &mesh, &[1, 2]).unwrap();
    assert_eq!(read::read_obj(folder.join("body.obj")).unwrap(), mesh);
    let text = std::fs::read_to_string(folder.join("body.obj")).unwrap();
    assert_eq!(text, "v 0 0 0\nv 1 0 0\nv 0 1 0\ng clear\nf 1 2 3\ng colliding\nf 3 2 1\nf 2 1 3\n");
    let error = write::write_obj_marked(folder.join("body.obj"), &mesh, &[3]).unwrap_err().to_string();
    assert!(error.ends_with("body.obj: there is no triangle 3: the mesh has 3"), "{error}");
}

#[test]
fn pairs_become_a_table_with_a_line_each() {
    let folder = Folder::new("csv");
    let file = folder.join("pairs.csv");
    let contact = |pairs| ContactRecord { a: 0, b: 2, count: 2, depth: None, area: None, volume: None, pairs };
    let frame = Frame {
        frame: 7,
        contacts: vec![contact(Some(vec![[3, 4], [3, 9]].into())), contact(None)],
        ..Frame::default()
    };
    let mut table = PairsCsv::create(&file, &["ball", "wall", "net"]).unwrap();
    table.write_frame(&frame).unwrap();
    table.write_pairs(8, 1, 1, &[[5, 6]]).unwrap();
    table.finish().unwrap();
    assert_eq!(
        std::fs::read_to_string(&file).unwrap(),
        "frame,a,b,i,j,name_a,name_b\n7,0,2,3,4,ball,net\n7,0,2,3,9,ball,net\n8,1,1,5,6,wall,wall\n"
    );
}

#[test]
fn what_is_near_becomes_lines_of_the_table() {
    let folder = Folder::new("csv-near");
    let pairs = Some(vec![[3, 4]].into());
    let impact =
        ImpactRecord { t: [0.25, 0.5], a: 0, b: 1, features: FeaturesRecord::VertexFace { vertex: 8, triangle: 9 } };
    let frame = Frame {
        frame: 7,
        contacts: vec![ContactRecord { a: 0, b: 1, count: 1, depth: None, area: None, volume: None, pairs }],
        impacts: Some(vec![impact].into()),
        near: Some(vec![NearRecord { a: 1, b: 1, distance: 0.125 }]),
        ..Frame::default()
    };
    let table = |impacts: bool| {
        let file = folder.join("near.csv");
        let columns = CsvColumns { impacts, distances: true, ..CsvColumns::default() };
        let mut table = PairsCsv::create_with(&file, &["ball", "wall"], columns).unwrap();
        table.write_frame(&frame).unwrap();
        table.finish().unwrap();
        std::fs::read_to_string(&file).unwrap()
    };
    assert_eq!(
        table(false),
        "frame,a,b,i,j,kind,distance,name_a,name_b\n7,0,1,3,4,pair,,ball,wall\n7,1,1,,,near,0.125,wall,wall\n"
    );
    assert_eq!(
        table(true),
        "frame,a,b,i,j,kind,t_lo,t_hi,vertex,triangle,edge_a0,edge_a1,edge_b0,edge_b1,distance,name_a,name_b\n\
         7,0,1,,,vertex-face,0.25,0.5,8,9,,,,,,ball,wall\n\
         7,0,1,3,4,pair,,,,,,,,,,ball,wall\n\
         7,1,1,,,near,,,,,,,,,0.125,wall,wall\n"
    );
}

#[test]
fn what_cannot_be_written_is_said_in_one_line() {
    let folder = Folder::new("unwritable");
    let mut mesh = mesh();
    let file = folder.join("missing").join("body.ply");
    let error = write::write_ply(&file, &mesh, Encoding::Ascii).unwrap_err();
    let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
    assert!(!cause.is_empty() && !error.to_string().contains(&cause), "{error}");
    let error = error.to_string();
    assert!(error.ends_with("body.ply: cannot be written"), "{error}");
    mesh.triangles.push([0, 1, 1000]);
    let error = write::write_obj(folder.join("body.obj"), &mesh).unwrap_err().to_string();
    let want = "body.obj: triangle 998 uses vertex 1000, but the mesh has 1000 vertices";
    assert!(error.ends_with(want), "{error}");
}
