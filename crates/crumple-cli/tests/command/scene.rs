//! `scene`: what is written can be read back, bit for bit.

use crumple_io::{PointCache, read::read_ply};

use crate::run::Folder;

#[test]
fn a_scene_is_written_as_files_that_read_back_as_the_scene() {
    let folder = Folder::new();
    let ended = folder.crumple(&["scene", "le2-1280", "--out", "deep/er"]);
    assert_eq!((ended.code, &*ended.stderr), (Some(0), "wrote 2 bodies with 200 frames each\n"));
    let names: Vec<String> = ["sphere-a", "sphere-b"].map(|name| format!("deep/er/{name}")).to_vec();
    let expected: Vec<String> = names.iter().map(|name| format!("{name}.ply@{name}.pc2")).collect();
    assert_eq!(ended.stdout.lines().collect::<Vec<_>>(), expected);
    let scene = crumple_scenes::by_name("LE2-1280").unwrap();
    for (name, body) in names.iter().zip(scene.bodies()) {
        let path = |extension: &str| folder.path().join(format!("{name}.{extension}"));
        let mesh = read_ply(path("ply")).unwrap();
        assert_eq!((&mesh.positions, &mesh.triangles[..]), (&body.positions_at(0), body.triangles()));
        let mut cache = PointCache::open(path("pc2")).unwrap();
        assert_eq!(cache.frame_count(), 200);
        let mut positions = vec![[0.0; 3]; cache.vertex_count()];
        for frame in [0, 57, 199] {
            cache.read_frame(frame, &mut positions).unwrap();
            assert_eq!(positions, body.positions_at(frame));
        }
    }
}

#[test]
fn some_frames_can_be_written_alone() {
    let folder = Folder::new();
    let ended = folder.crumple(&["scene", "LE2-1280", "--out", ".", "--frames", "60..=62", "--quiet"]);
    assert_eq!((ended.code, &*ended.stderr), (Some(0), ""));
    let scene = crumple_scenes::by_name("LE2-1280").unwrap();
    let body = &scene.bodies()[0];
    assert_eq!(read_ply(folder.path().join("sphere-a.ply")).unwrap().positions, body.positions_at(60));
    assert_eq!(PointCache::open(folder.path().join("sphere-a.pc2")).unwrap().frame_count(), 3);
}

#[test]
fn scenes_are_listed_when_none_is_named() {
    let folder = Folder::new();
    let ended = folder.crumple(&["scene"]);
    assert_eq!((ended.code, &*ended.stderr), (Some(0), ""));
    for entry in crumple_scenes::catalogue() {
        let line = ended.stdout.lines().find(|line| line.starts_with(&format!("{} ", entry.name)));
        assert!(line.is_some_and(|line| line.ends_with(entry.about)), "{}", entry.name);
    }
    assert_eq!(folder.crumple(&["scene", "--list"]).stdout, ended.stdout);
    folder
        .crumple(&["scene", "LE1"])
        .refused("where to write LE1 is missing", Some("try `crumple scene LE1 --out le1`"));
}
