//! Whatever a user names becomes bodies with frames.

use crate::common::{Folder, frame_of, message};
use crumple_io::{Encoding, MeshFile, ObjBodies, PointCacheWriter, ReadOptions, Source, read, read_source, write};

fn triangle(x: f32) -> MeshFile {
    MeshFile {
        positions: vec![[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], [x, 1.0, 0.0]],
        triangles: vec![[0, 1, 2]],
        ..MeshFile::default()
    }
}

/// The first coordinate of every frame, and the name.
fn motion_of(folder: &Folder, name: &str) -> (String, Vec<f32>) {
    let mut bodies = read(folder.join(name)).unwrap();
    assert_eq!(bodies.len(), 1);
    let body = &mut bodies[0];
    let frames = (0..body.frame_count()).map(|frame| frame_of(body, frame).unwrap()[0][0]).collect();
    (body.name().to_string(), frames)
}

/// What is said about a source, without the folder.
fn complaint(folder: &Folder, name: &str, options: &ReadOptions) -> String {
    let source = Source::from(folder.join(name).as_path());
    let said = match read_source(&source, options) {
        Err(error) => message(&error),
        Ok(mut bodies) => {
            let body = &mut bodies[0];
            message(&(0..body.frame_count()).find_map(|k| frame_of(body, k).err()).unwrap())
        }
    };
    said.replace(&format!("{}/", folder.path().display()), "")
}

#[test]
fn a_file_is_a_body_that_stands_still() {
    let folder = Folder::new("still");
    write::write_ply(folder.join("one.ply"), &triangle(3.0), Encoding::Ascii).unwrap();
    assert_eq!(motion_of(&folder, "one.ply"), ("one".into(), vec![3.0]));
    let mut bodies = read(folder.join("one.ply")).unwrap();
    let error = frame_of(&mut bodies[0], 1).unwrap_err().to_string();
    assert!(error.ends_with("one.ply: no frame 1: it has 1, counted from 0"), "{error}");
}

#[test]
fn folders_and_patterns_are_sequences_in_natural_order() {
    let folder = Folder::new("numbered");
    for number in [8, 9, 10, 11, 100] {
        let file = folder.join(&format!("cloth_{number:02}.ply"));
        write::write_ply(file, &triangle(number as f32), Encoding::default()).unwrap();
    }
    std::fs::write(folder.join("notes.txt"), "not a mesh").unwrap();
    let all = vec![8.0, 9.0, 10.0, 11.0, 100.0];
    assert_eq!(motion_of(&folder, "cloth_##.ply"), ("cloth".into(), all.clone()));
    assert_eq!(motion_of(&folder, "cloth_###.ply"), ("cloth".into(), vec![100.0]));
    assert_eq!(motion_of(&folder, "").1, all);
    assert_eq!(
        complaint(&folder, "ball_##.ply", &ReadOptions::default()),
        "ball_##.ply: no file has a name like this, with a number in place of `#`"
    );
}

#[test]
fn a_sequence_whose_meshes_differ_is_refused_naming_both() {
    let folder = Folder::new("differ");
    let mut mesh = triangle(0.0);
    write::write_ply(folder.join("a1.ply"), &mesh, Encoding::default()).unwrap();
    mesh.triangles = vec![[0, 2, 1]];
    write::write_ply(folder.join("a2.ply"), &mesh, Encoding::default()).unwrap();
    let hint = "hint: the meshes of a sequence have the same triangles; name the files meant with a pattern";
    assert_eq!(
        complaint(&folder, "a#.ply", &ReadOptions::default()),
        format!("a2.ply: its triangles are not those of a1.ply; {hint}")
    );
    mesh.positions.push([0.0; 3]);
    write::write_ply(folder.join("a2.ply"), &mesh, Encoding::default()).unwrap();
    assert_eq!(
        complaint(&folder, "a#.ply", &ReadOptions::default()),
        format!("a2.ply: it has 4 vertices, but a1.ply has 3; {hint}")
    );
    std::fs::write(folder.join("a3.obj"), "v 0 0 0\n").unwrap();
    let said = complaint(&folder, "", &ReadOptions::default());
    assert!(said.contains("the folder holds `a1.ply` and `a3.obj`; hint: name the files meant"), "{said}");
}

#[test]
fn points_need_no_triangles() {
    let folder = Folder::new("points");
    let read_points = |name: &str| crumple_io::read_points(folder.join(name), &ReadOptions::default());
    std::fs::write(folder.join("cloud.xyz"), "0 0 0\n1 2 3\n").unwrap();
    let cloud = &mut read_points("cloud.xyz").unwrap()[0];
    assert_eq!((cloud.name(), cloud.vertex_count(), cloud.frame_count(), cloud.triangles().len()), ("cloud", 2, 1, 0));
    let mut cache = PointCacheWriter::create(folder.join("moving.mdd"), 1, 2).unwrap();
    cache.write_frame(&[[1.0; 3]]).unwrap();
    cache.write_frame(&[[2.0; 3]]).unwrap();
    cache.finish().unwrap();
    let moving = &mut read_points("moving.mdd").unwrap()[0];
    let positions = frame_of(moving, 1).unwrap();
    assert_eq!((moving.name(), moving.frame_count(), &positions[..]), ("moving", 2, &[[2.0; 3]][..]));
    // A mesh will do as well.
    write::write_ply(folder.join("body.ply"), &triangle(0.0), Encoding::default()).unwrap();
    assert_eq!(read_points("body.ply").unwrap()[0].vertex_count(), 3);
    PointCacheWriter::create(folder.join("none.pc2"), 3, 0).unwrap().finish().unwrap();
    assert!(read_points("none.pc2").is_err());
}

#[test]
fn a_mesh_with_a_point_cache_moves_as_the_cache_says() {
    let folder = Folder::new("cached");
    write::write_ply(folder.join("body.ply"), &triangle(0.0), Encoding::default()).unwrap();
    for name in ["motion.pc2", "motion.mdd"] {
        let mut cache = PointCacheWriter::create(folder.join(name), 3, 4).unwrap();
        for frame in 0..4 {
            cache.write_frame(&triangle(frame as f32).positions).unwrap();
        }
        cache.finish().unwrap();
        let source = format!("body.ply@{}", folder.join(name).display());
        assert_eq!(motion_of(&folder, &source), ("body".into(), vec![0.0, 1.0, 2.0, 3.0]));
    }
    let options = ReadOptions::default();
    let mut other = PointCacheWriter::create(folder.join("other.pc2"), 2, 1).unwrap();
    other.write_frame(&[[0.0; 3]; 2]).unwrap();
    other.finish().unwrap();
    let source = format!("body.ply@{}", folder.join("other.pc2").display());
    assert_eq!(
        complaint(&folder, &source, &options),
        "other.pc2: its frames have 2 vertices, but body.ply has 3; hint: export both from the same mesh, with modifiers applied to both or to neither"
    );
    PointCacheWriter::create(folder.join("none.pc2"), 3, 0).unwrap().finish().unwrap();
    let source = format!("body.ply@{}", folder.join("none.pc2").display());
    assert_eq!(complaint(&folder, &source, &options), "none.pc2: the point cache has no frames");
    assert_eq!(
        complaint(&folder, "motion.pc2", &options),
        "motion.pc2: a point cache has no triangles; hint: give its mesh too, as in `body.ply@motion.pc2`"
    );
    let source = format!("body.ply@{}", folder.join("motion.abc").display());
    assert_eq!(
        complaint(&folder, &source, &options),
        "motion.abc: not a point cache by its extension; hint: .pc2 and .mdd are read"
    );
}

#[test]
fn corners_of_an_stl_sequence_may_part_after_the_first_frame() {
    let folder = Folder::new("stl-sequence");
    let text = |x: f32| {
        format!(
            "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n\
             facet normal 0 0 1\nouter loop\nvertex {x} 0 0\nvertex 1 1 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid s\n"
        )
    };
    std::fs::write(folder.join("s1.stl"), text(1.0)).unwrap();
    std::fs::write(folder.join("s2.stl"), text(2.0)).unwrap();
    let mut bodies = read(folder.join("s#.stl")).unwrap();
    let positions = frame_of(&mut bodies[0], 1).unwrap();
    assert_eq!((positions.len(), positions[3]), (6, [2.0, 0.0, 0.0]));
    assert_eq!(read(folder.join("s1.stl")).unwrap()[0].vertex_count(), 4);
}

#[test]
fn groups_of_an_obj_sequence_move_as_bodies_of_their_own() {
    let folder = Folder::new("obj-sequence");
    for frame in 0..3 {
        let text = format!("v {frame} 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 {frame}\ng a\nf 1 2 3\ng b\nf 2 3 4\n");
        std::fs::write(folder.join(&format!("s{frame}.obj")), text).unwrap();
    }
    let options = ReadOptions::default().with_obj_bodies(ObjBodies::Groups);
    let source = Source::from(folder.join("s#.obj").as_path());
    let mut bodies = read_source(&source, &options).unwrap();
    assert_eq!((bodies[0].name(), bodies[1].name()), ("a", "b"));
    let positions = frame_of(&mut bodies[1], 2).unwrap();
    assert_eq!(positions, [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 2.0]]);
    assert_eq!(bodies[1].face_of_triangle(), Some(&[1][..]));
}

#[test]
fn readers_write_a_frame_as_it_is_into_memory_of_its_length() {
    let folder = Folder::new("as-it-is");
    let mut mesh = triangle(0.0);
    // The vertices of a mesh with a point cache are not looked at.
    mesh.positions[1][2] = f32::NAN;
    write::write_ply(folder.join("body.ply"), &mesh, Encoding::default()).unwrap();
    let mut cache = PointCacheWriter::create(folder.join("body.pc2"), 3, 2).unwrap();
    cache.write_frame(&triangle(0.0).positions).unwrap();
    cache.write_frame(&mesh.positions).unwrap();
    cache.finish().unwrap();
    let source = format!("{}@{}", folder.join("body.ply").display(), folder.join("body.pc2").display());
    let body = &mut read(source).unwrap()[0];
    let mut positions = [[0.0; 3]; 3];
    body.frame(1, &mut positions).unwrap();
    assert!(positions[1][2].is_nan());
    let expected = "body.pc2: frame 1: vertex 1 has z = NaN, which is not a finite single-precision number";
    for error in [body.check(1, &positions).unwrap_err(), body.not_finite(1, 1, positions[1])] {
        assert!(error.to_string().ends_with(expected), "{error}");
    }
    let error = body.frame(0, &mut positions[..2]).unwrap_err().to_string();
    assert!(error.ends_with("body.ply: a frame has 3 vertices, but there is memory for 2 positions"), "{error}");
    assert_eq!(frame_of(body, 0).unwrap(), triangle(0.0).positions);
}

#[test]
fn the_first_mesh_of_a_sequence_is_read_once() {
    let folder = Folder::new("first-once");
    for number in 0..2 {
        write::write_ply(folder.join(&format!("s{number}.ply")), &triangle(number as f32), Encoding::default())
            .unwrap();
    }
    let body = &mut read(folder.join("s#.ply")).unwrap()[0];
    std::fs::remove_file(folder.join("s0.ply")).unwrap();
    assert_eq!(frame_of(body, 0).unwrap(), triangle(0.0).positions);
    assert_eq!(frame_of(body, 1).unwrap(), triangle(1.0).positions);
    assert!(frame_of(body, 0).is_err());
}
