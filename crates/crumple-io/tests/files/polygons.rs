//! Polygons of files: concave ones are cut so that their triangles do not overlap, and frames of a sequence as the first.

use crate::common::{Folder, frame_of};
use crumple::{Body, Mesh, self_pairs};
use crumple_io::{Encoding, MeshFile, ObjBodies, PointCacheWriter, read, read_mesh, write};

const L: [[f32; 3]; 6] =
    [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.0, 1.0, 0.0], [1.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 2.0, 0.0]];

/// How many pairs of triangles collide.
fn collisions(positions: &[[f32; 3]], triangles: &[[u32; 3]]) -> usize {
    let mesh = Mesh::new(positions.len(), triangles.to_vec()).unwrap();
    self_pairs(&Body::new(mesh, positions).unwrap()).len()
}

/// The corners of one polygon, from `start` on, as the files of three formats.
fn files(corners: &[[f32; 3]], start: usize) -> [(&'static str, String); 3] {
    let count = corners.len();
    let lines = |before: &str| corners.iter().map(|[x, y, z]| format!("{before}{x} {y} {z}\n")).collect::<String>();
    let numbers = |first: usize| (0..count).map(|k| format!(" {}", (start + k) % count + first)).collect::<String>();
    let header =
        "property float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices";
    // The face comes before its vertices where the format allows it.
    [
        ("a.obj", format!("f{}\n{}", numbers(1), lines("v "))),
        ("a.off", format!("OFF\n{count} 1 0\n{}{count}{}\n", lines(""), numbers(0))),
        (
            "a.ply",
            format!(
                "ply\nformat ascii 1.0\nelement vertex {count}\n{header}\nend_header\n{}{count}{}\n",
                lines(""),
                numbers(0)
            ),
        ),
    ]
}

#[test]
fn a_concave_polygon_does_not_collide_with_itself_in_any_format() {
    let folder = Folder::new("polygon-l");
    for start in 0..6 {
        for (name, text) in files(&L, start) {
            std::fs::write(folder.join(name), text).unwrap();
            let mesh = read_mesh(folder.join(name)).unwrap();
            assert_eq!(mesh.face_of_triangle, Some(vec![0; 4]), "{name}");
            assert_eq!(collisions(&mesh.positions, &mesh.triangles), 0, "{name} from corner {start}");
        }
    }
    // As a fan it would.
    assert!(collisions(&L, &[[1, 2, 3], [1, 3, 4], [1, 4, 5], [1, 5, 0]]) > 0);
}

#[test]
fn corners_on_a_straight_edge_do_not_collide_with_the_faces_beside_it() {
    // A square with a corner in the middle of its first edge, and two triangles that use it.
    let text = "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nv 1 -1 0\nf 1 2 3 4 5\nf 2 1 6\nf 3 2 6\n";
    let folder = Folder::new("polygon-straight");
    std::fs::write(folder.join("a.obj"), text).unwrap();
    let mesh = read_mesh(folder.join("a.obj")).unwrap();
    assert_eq!(mesh.face_of_triangle, Some(vec![0, 0, 0, 1, 2]));
    assert_eq!(collisions(&mesh.positions, &mesh.triangles), 0, "{:?}", mesh.triangles);
}

#[test]
fn the_polygons_of_obj_parts_are_cut_too() {
    let folder = Folder::new("polygon-parts");
    let vertices: String = L.iter().map(|[x, y, z]| format!("v {x} {y} {z}\n")).collect();
    std::fs::write(folder.join("a.obj"), format!("{vertices}o left\nf 2 3 4 5 6 1\no right\nf 1 2 3\n")).unwrap();
    let parts = crumple_io::read::read_obj_bodies(folder.join("a.obj"), ObjBodies::Objects).unwrap();
    assert_eq!(parts.len(), 2);
    assert_eq!(collisions(&parts[0].positions, &parts[0].triangles), 0);
    assert_eq!((&parts[1].triangles[..], &parts[1].face_of_triangle), (&[[0, 1, 2]][..], &Some(vec![1])));
}

#[test]
fn frames_of_a_sequence_keep_the_triangles_of_the_first_whatever_shape_their_polygons_take() {
    let folder = Folder::new("polygon-sequence");
    let mut moved = L;
    // Another corner is the concave one now.
    moved[3] = [2.5, 2.5, 0.0];
    moved[1] = [0.5, 0.5, 0.0];
    for (which, _) in files(&L, 0).iter().enumerate() {
        for (number, corners) in [&L, &moved, &L].into_iter().enumerate() {
            let (name, text) = &files(corners, 1)[which];
            std::fs::write(folder.join(&name.replace("a.", &format!("b{number}."))), text).unwrap();
        }
        let extension = files(&L, 0)[which].0.trim_start_matches("a.").to_owned();
        let body = &mut read(folder.join(&format!("b#.{extension}"))).unwrap()[0];
        assert_eq!(collisions(&L, body.triangles()), 0);
        for (frame, wanted) in [&L, &moved, &L].into_iter().enumerate() {
            assert_eq!(frame_of(body, frame).unwrap(), wanted, "{extension} frame {frame}");
        }
    }
}

#[test]
fn a_mesh_with_a_point_cache_is_cut_by_its_own_positions() {
    let folder = Folder::new("polygon-cache");
    let (_, text) = &files(&L, 1)[2];
    std::fs::write(folder.join("a.ply"), text).unwrap();
    let mut cache = PointCacheWriter::create(folder.join("a.pc2"), 6, 2).unwrap();
    cache.write_frame(&[[0.0; 3]; 6]).unwrap();
    cache.write_frame(&L).unwrap();
    cache.finish().unwrap();
    let source = format!("{}@{}", folder.join("a.ply").display(), folder.join("a.pc2").display());
    let bodies = read(source).unwrap();
    assert_eq!(collisions(&L, bodies[0].triangles()), 0);
    // Triangles need no positions, and need not be finite.
    let triangle = MeshFile { positions: L[..3].to_vec(), triangles: vec![[0, 1, 2]], ..MeshFile::default() };
    write::write_ply(folder.join("b.ply"), &triangle, Encoding::LittleEndian).unwrap();
    assert_eq!(read_mesh(folder.join("b.ply")).unwrap().triangles, [[0, 1, 2]]);
}
