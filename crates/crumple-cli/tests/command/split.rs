//! `--split` and `--mask`: bodies by material, loose part and vertex group.

use std::collections::BTreeSet;
use std::fmt::Write;

use crumple_io::report::{BodyRecord, Record};
use crumple_io::{Encoding, MeshFile, PointCacheWriter, write::write_ply};
use serde_json::json;

use crate::run::{Ended, Folder, Gltf, cube};

/// A crumpled sheet of `side` by `side` vertices as OBJ, its quads in three materials without any order; and its vertices.
fn crumpled(side: usize, has_materials: bool) -> (String, Vec<[f32; 3]>) {
    let mut state = 7u32;
    let mut random = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) % below
    };
    let mut positions = Vec::new();
    for k in 0..side * side {
        let noise = |random: &mut dyn FnMut(u32) -> u32| random(64) as f32 / 32.0 - 1.0;
        let (x, y) = ((k % side) as f32, (k / side) as f32);
        positions.push([x + noise(&mut random), y + noise(&mut random), noise(&mut random)]);
    }
    let mut text: String = positions.iter().map(|[x, y, z]| format!("v {x} {y} {z}\n")).collect();
    for k in (0..side * side).filter(|k| k % side + 1 < side && k / side + 1 < side) {
        if has_materials {
            writeln!(text, "usemtl {}", ["skin", "cloth", "hair"][random(3) as usize]).unwrap();
        }
        writeln!(text, "f {} {} {} {}", k + 1, k + 2, k + 2 + side, k + 1 + side).unwrap();
    }
    (text, positions)
}

/// The pairs of a report by the numbers of a body that was not split.
fn pairs(ended: &Ended, whole_of: impl Fn(&BodyRecord, u32) -> u32) -> BTreeSet<(u64, [u32; 2])> {
    let mut bodies = Vec::new();
    let mut found = BTreeSet::new();
    for record in ended.records() {
        match record {
            Record::Header(header) => bodies = header.bodies,
            Record::Frame(frame) => {
                for contact in &frame.contacts {
                    assert_eq!(contact.count, contact.listed().len() as u64);
                    for &[i, j] in contact.listed() {
                        let (i, j) =
                            (whole_of(&bodies[contact.a as usize], i), whole_of(&bodies[contact.b as usize], j));
                        assert!(found.insert((frame.frame, [i.min(j), i.max(j)])));
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// The names of the bodies that `info` lists.
fn names(folder: &Folder, words: &[&str]) -> Vec<String> {
    let ended = folder.crumple(&[&["info", "--json"], words].concat());
    let Some(Record::Info(info)) = ended.records().pop() else { panic!("{ended:?}") };
    info.bodies.into_iter().map(|body| body.body.name).collect()
}

#[test]
fn materials_of_one_body_collide_where_the_body_collides_with_itself_and_nowhere_else() {
    let folder = Folder::new();
    // Triangles instead of quads, so that faces of the file are triangles and can be compared.
    let triangulated = |text: &str| {
        let mut plain = String::new();
        for line in text.lines() {
            match line.strip_prefix("f ").map(|line| line.split(' ').collect::<Vec<_>>()) {
                Some(corner) => {
                    writeln!(plain, "f {} {} {}\nf {0} {2} {3}", corner[0], corner[1], corner[2], corner[3]).unwrap();
                }
                None => writeln!(plain, "{line}").unwrap(),
            }
        }
        plain
    };
    let (text, positions) = crumpled(12, true);
    std::fs::write(folder.path().join("sheet.obj"), triangulated(&text)).unwrap();
    let mut cache = PointCacheWriter::create(folder.path().join("sheet.pc2"), positions.len(), 3).unwrap();
    for frame in 0..3 {
        let moved: Vec<_> = positions.iter().map(|&[x, y, z]| [x, y * (1.0 + 0.125 * frame as f32), z]).collect();
        cache.write_frame(&moved).unwrap();
    }
    cache.finish().unwrap();
    let words = ["check", "sheet.obj@sheet.pc2", "--json", "--pairs"];
    let whole = pairs(&folder.crumple(&words), |_, triangle| triangle);
    assert!(whole.len() > 100, "{}", whole.len());
    let of_file = |body: &BodyRecord, triangle: u32| body.face_of_triangle.as_ref().unwrap()[triangle as usize];
    for more in [&[][..], &["--self"], &["--method", "brute-force"]] {
        let split = folder.crumple(&[&words[..], &["--split", "materials"], more].concat());
        assert_eq!((split.code, pairs(&split, of_file) == whole), (Some(1), true));
    }
    assert_eq!(names(&folder, &["sheet.obj", "--split", "materials"]).len(), 3);
    // What touches in the rest pose is judged by pairs of triangles, as in one body.
    let rest = pairs(&folder.crumple(&[&words[..], &["--rest", "0"]].concat()), |_, triangle| triangle);
    let split = folder.crumple(&[&words[..], &["--rest", "0", "--split", "materials"]].concat());
    assert!(rest.len() < whole.len());
    assert_eq!(pairs(&split, of_file), rest);
}

/// A cube whose six sides alternate between two materials, and a ball of its own beside it, in one OBJ.
fn painted() -> Folder {
    let folder = Folder::new();
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let mut text = String::new();
    for (number, centre) in [[0.0; 3], [1.5, 0.0, 0.0]].into_iter().enumerate() {
        for [x, y, z] in cube(centre, 1.0) {
            writeln!(text, "v {x} {y} {z}").unwrap();
        }
        writeln!(text, "g {}", ["left hidden", "right"][number]).unwrap();
        for (side, quad) in quads.iter().enumerate() {
            let corners = quad.map(|corner| (corner + 8 * number + 1).to_string()).join(" ");
            writeln!(text, "usemtl {}\nf {corners}", ["red", "blue"][side % 2]).unwrap();
        }
    }
    std::fs::write(folder.path().join("box.obj"), text).unwrap();
    folder
}

#[test]
fn loose_parts_are_bodies_with_names_that_can_be_ignored() {
    let folder = painted();
    assert_eq!(names(&folder, &["box.obj", "--split", "parts"]), ["box/part 1", "box/part 2"]);
    assert_eq!(names(&folder, &["box.obj", "--split", "materials"]), ["box/red", "box/blue"]);
    let check = |more: &[&str]| folder.crumple(&[&["check", "box.obj", "--quiet"], more].concat());
    let found = check(&["--split", "parts", "--depth"]);
    assert_eq!(found.code, Some(1));
    // Two cubes of side 2 that are 0.5 deep in each other: the surface of a box of 0.5 by 2 by 2.
    assert!(found.stdout.starts_with("box/part 1 × box/part 2: "), "{}", found.stdout);
    assert!(found.stdout.contains(", an area of 12.0000 inside in frame 0"), "{}", found.stdout);
    for rule in ["box/part 1,box/part 2", "box/part*", "*/part 2"] {
        let more = if rule == "box/part*" { &["--only", "box/part 1,box/part 1"][..] } else { &["--ignore", rule] };
        let ended = check(&[&["--split", "parts"], more].concat());
        assert_eq!((ended.code, &*ended.stdout), (Some(0), "nothing collides in 1 frame\n"), "{rule} {}", ended.stderr);
    }
    let unknown = check(&["--split", "parts", "--ignore", "box/part 3"]);
    let known = Some("there are box/part 1, box/part 2");
    unknown.refused("--ignore box/part 3: there is no body box/part 3", known);
}

#[test]
fn a_seam_between_materials_is_no_finding_in_any_kind_of_check() {
    let folder = painted();
    let only_left = ["check", "box.obj", "--split", "materials", "--mask", "left", "--quiet"];
    for more in [&[][..], &["--self"], &["--clearance", "0.5"], &["--containment"], &["--first"]] {
        let ended = folder.crumple(&[&only_left[..], more].concat());
        assert_eq!(ended.code, Some(0), "{more:?} {}{}", ended.stdout, ended.stderr);
    }
    // A scaled cube, frame by frame: between frames nothing but the seam touches either.
    let corners: Vec<[f32; 3]> = [cube([0.0; 3], 1.0), cube([1.5, 0.0, 0.0], 1.0)].concat();
    let mut cache = PointCacheWriter::create(folder.path().join("box.pc2"), corners.len(), 3).unwrap();
    for frame in 0..3 {
        let scaled: Vec<[f32; 3]> = corners.iter().map(|p| p.map(|x| x * (1.0 + frame as f32 / 3.0))).collect();
        cache.write_frame(&scaled).unwrap();
    }
    cache.finish().unwrap();
    for more in [&[][..], &["--first"]] {
        let words = ["check", "box.obj@box.pc2", "--split", "materials", "--mask", "left", "--continuous"];
        let ended = folder.crumple(&[&words[..], more].concat());
        assert_eq!((ended.code, &*ended.stdout), (Some(0), "nothing collides in 3 frames, nor between them\n"));
    }
    // Both cubes together do collide, and a step that begins so says so for bodies without a seam.
    let ended = folder.crumple(&["check", "box.obj@box.pc2", "--split", "parts", "--continuous"]);
    assert_eq!(ended.code, Some(1), "{}", ended.stdout);
}

#[test]
fn masks_keep_or_leave_out_the_triangles_of_a_group() {
    let folder = painted();
    let triangles = |words: &[&str]| -> Vec<u64> {
        let ended = folder.crumple(&[&["info", "--json"], words].concat());
        let Some(Record::Info(info)) = ended.records().pop() else { panic!("{ended:?}") };
        info.bodies.iter().map(|body| body.body.triangles).collect()
    };
    assert_eq!(triangles(&["box.obj"]), [24]);
    for (mask, left) in [("left", 12), ("hidden", 12), ("left hidden", 12), ("!right", 12), ("!hidden", 12)] {
        assert_eq!(triangles(&["box.obj", "--mask", mask]), [left], "{mask}");
    }
    assert_eq!(triangles(&["box.obj", "--mask", "left", "--mask", "right"]), [24]);
    let collides = |mask: &str| folder.crumple(&["check", "box.obj", "--mask", mask]).code;
    assert_eq!([collides("left"), collides("!right")], [Some(0); 2]);
    let hint = Some("masks are attributes _NAME of glTF, scalar properties of vertices in PLY, and groups in OBJ");
    folder.crumple(&["check", "box.obj", "--mask", "up"]).refused("--mask up: no body has such a vertex group", hint);
    let nothing = folder.crumple(&["check", "box.obj", "--mask", "!left", "--mask", "!right"]);
    assert_eq!(nothing.code, Some(2), "{}", nothing.stderr);
}

#[test]
fn weights_of_ply_vertices_are_masks_and_formats_without_materials_say_so() {
    let folder = Folder::new();
    let vertices = "0 0 0 1\n1 0 0 0.5\n0 1 0 0.25\n1 1 0 0\n2 2 0 0\n";
    let header = "property float x\nproperty float y\nproperty float z\nproperty float pin\nelement face 2\n";
    let text = format!(
        "ply\nformat ascii 1.0\nelement vertex 5\n{header}property list uchar int vertex_indices\nend_header\n{vertices}3 0 1 2\n3 2 3 4\n"
    );
    std::fs::write(folder.path().join("sheet.ply"), text).unwrap();
    let count = |mask: &str| {
        let ended = folder.crumple(&["info", "--json", "sheet.ply", "--mask", mask]);
        let Some(Record::Info(info)) = ended.records().pop() else { panic!("{ended:?}") };
        (info.bodies[0].body.triangles, info.bodies[0].body.vertices)
    };
    assert_eq!([count("pin"), count("!pin")], [(1, 3), (1, 3)]);
    let ended = folder.crumple(&["info", "sheet.ply", "--split", "materials"]);
    assert!(ended.stderr.contains("sheet.ply: it has no materials, so that --split materials leaves it whole"));
    assert!(ended.code == Some(0) && ended.stdout.contains("sheet "), "{}", ended.stdout);
    // Binary files have the same weights.
    let mesh = MeshFile { positions: vec![[0.0; 3]; 3], triangles: vec![[0, 1, 2]], ..MeshFile::default() };
    write_ply(folder.path().join("plain.ply"), &mesh, Encoding::LittleEndian).unwrap();
    assert_eq!(folder.crumple(&["info", "plain.ply", "--mask", "pin"]).code, Some(2));
}

#[test]
fn primitives_of_gltf_are_split_by_material_and_masked_by_attributes_and_keep_moving() {
    let folder = Folder::new();
    let mut gltf = Gltf::default();
    let positions = gltf.floats(cube([0.0; 3], 1.0).as_flattened(), 8, "VEC3");
    let weights = gltf.floats(&[1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0], 8, "SCALAR");
    let bottom = gltf.indices(&[0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6]);
    let sides = gltf.indices(&[0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5]);
    let times = gltf.floats(&[0.0, 1.0 / 30.0, 2.0 / 30.0], 3, "SCALAR");
    let path = gltf.floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0], 3, "VEC3");
    let attributes = json!({"POSITION": positions, "_PIN": weights});
    let primitives = [(bottom, json!(1)), (sides, json!(0)), (bottom, json!(null))];
    let primitives: Vec<_> = primitives[..2]
        .iter()
        .map(|(indices, material)| json!({"attributes": attributes, "indices": indices, "material": material}))
        .collect();
    let document = json!({
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "crate", "mesh": 0}],
        "meshes": [{"primitives": primitives}],
        "materials": [{"name": "wood"}, {"pbrMetallicRoughness": {}}],
        "animations": [{"name": "slide", "samplers": [{"input": times, "output": path}],
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]}],
    });
    gltf.write(&folder, "crate", document);
    assert_eq!(names(&folder, &["crate.gltf", "--split", "materials"]), ["crate/material 1", "crate/wood"]);
    assert_eq!(names(&folder, &["crate.gltf", "--split", "parts"]), ["crate"]);
    // The parts move as the whole does, and touch at the seam only.
    folder.cuboid("wall.ply", [3.5, 0.0, 0.0], 1.0);
    let ended = folder.crumple(&["check", "crate.gltf", "wall.ply", "--split", "materials", "--hold", "--quiet"]);
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    let rows: Vec<&str> = ended.stdout.lines().skip(1).collect();
    assert!(rows.iter().all(|row| row.contains(" × wall ") && row.contains(" 2 (1 of 3)")), "{}", ended.stdout);
    // The lower four corners: the bottom of four triangles has two of them all inside, and every side has one or two.
    for (mask, left) in [("pin", 10), ("_PIN", 10), ("!pin", 2)] {
        let ended = folder.crumple(&["info", "--json", "crate.gltf", "--mask", mask]);
        let Some(Record::Info(info)) = ended.records().pop() else { panic!("{ended:?}") };
        assert_eq!((info.bodies[0].body.triangles, info.bodies[0].frames), (left, 3), "{mask}");
    }
}

#[test]
fn triangles_that_share_no_vertex_are_not_made_millions_of_bodies() {
    let folder = Folder::new();
    let positions: Vec<[f32; 3]> = (0..33_000).map(|k| [k as f32, (k % 3) as f32, (k % 7) as f32]).collect();
    let triangles = (0..11_000).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    let soup = MeshFile { positions, triangles, ..MeshFile::default() };
    write_ply(folder.path().join("soup.ply"), &soup, Encoding::LittleEndian).unwrap();
    let hint = "are its triangles connected? vertices at equal positions count as one";
    let what = "soup.ply: `soup` has 11,000 parts, and at most 10000 become bodies";
    folder.crumple(&["check", "soup.ply", "--split", "parts"]).refused(what, Some(hint));
}
