//! Skins, morph targets and keyframes against a computation of the test's own.
//!
//! The reader composes matrices; here vertices are moved by hand: rotations about known axes by known angles, splines
//! by de Casteljau's construction, joints one vertex at a time.

use crate::common::glb::{Builder, base64};
use crate::common::{frame_of, message};
use crumple_io::read::{gltf_animations, parse_gltf};
use crumple_io::{AnimatedBody, ReadOptions, read, read_source};
use serde_json::{Value, json};

type Point = [f64; 3];

const CORNERS: [[f32; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 2.0, 0.5], [-1.0, 0.25, 3.0]];

fn bodies(file: &[u8], options: &ReadOptions) -> Vec<AnimatedBody> {
    parse_gltf(file, "test.glb", options).unwrap()
}

fn complaint(file: &[u8]) -> String {
    match parse_gltf(file, "test.glb", &ReadOptions::default()) {
        Err(error) => message(&error),
        Ok(mut bodies) => message(&frame_of(&mut bodies[0], 0).unwrap_err()),
    }
}

fn frame(body: &mut AnimatedBody, frame: usize) -> Vec<[f32; 3]> {
    frame_of(body, frame).unwrap()
}

fn assert_near(found: &[[f32; 3]], wanted: &[Point], what: &str) {
    assert_eq!(found.len(), wanted.len(), "{what}");
    for (vertex, (found, wanted)) in found.iter().zip(wanted).enumerate() {
        for (x, want) in found.iter().zip(wanted) {
            let error = (f64::from(*x) - want).abs();
            assert!(error <= 1e-6 * want.abs().max(1.0), "{what}, vertex {vertex}: {found:?} {wanted:?}");
        }
    }
}

fn wide(p: [f32; 3]) -> Point {
    p.map(f64::from)
}

fn add(a: Point, b: Point) -> Point {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// Turned about the z axis.
fn turned(p: Point, degrees: f64) -> Point {
    let (sin, cos) = degrees.to_radians().sin_cos();
    [p[0] * cos - p[1] * sin, p[0] * sin + p[1] * cos, p[2]]
}

/// A rotation about the z axis as glTF stores it.
fn about_z(degrees: f64) -> [f32; 4] {
    let (sin, cos) = (degrees.to_radians() / 2.0).sin_cos();
    [0.0, 0.0, sin as f32, cos as f32]
}

fn triangle(builder: &mut Builder) -> Value {
    let position = builder.floats("VEC3", &CORNERS);
    json!([{"primitives": [{"attributes": {"POSITION": position}}]}])
}

/// Key times 0, 1, 3 and the frames at four per second.
const TIMES: [f32; 3] = [0.0, 1.0, 3.0];

fn four_a_second() -> ReadOptions {
    ReadOptions::default().with_fps(4.0)
}

/// Between which keys second `t` lies, and how far on.
fn between(t: f64) -> (usize, f64) {
    if t < 1.0 { (0, t) } else { (1, (t - 1.0) / 2.0) }
}

#[test]
fn nodes_move_in_straight_lines_and_arcs_between_keys() {
    let mut builder = Builder::default();
    let meshes = triangle(&mut builder);
    let moves = [[0.0, 0.0, 0.0], [2.0, -1.0, 4.0], [8.0, 0.0, 0.0_f32]];
    // The second arc is the long way round as stored: the shorter way turns from 100 back to -20 degrees.
    let angles = [0.0, 100.0, -20.0];
    let scales = [[1.0, 1.0, 1.0], [1.0, 3.0, 1.0], [2.0, 0.5, 1.0_f32]];
    let input = builder.times(&TIMES);
    let translation = builder.floats("VEC3", &moves);
    let stored = [about_z(angles[0]), about_z(angles[1]), about_z(angles[2]).map(|x| -x)];
    let rotation = builder.floats("VEC4", &stored);
    let scale = builder.floats("VEC3", &scales);
    let file = builder.glb(json!({
        "meshes": meshes,
        "scenes": [{"nodes": [1]}],
        // The parent comes second, turns, and stands off the origin.
        "nodes": [
            {"name": "blade", "mesh": 0},
            {"name": "hub", "children": [0], "translation": [10.0, 0.0, 0.0]}
        ],
        "animations": [{
            "samplers": [
                {"input": input, "output": translation},
                {"input": input, "output": rotation, "interpolation": "LINEAR"},
                {"input": input, "output": scale}
            ],
            "channels": [
                {"sampler": 0, "target": {"node": 0, "path": "translation"}},
                {"sampler": 1, "target": {"node": 1, "path": "rotation"}},
                {"sampler": 2, "target": {"node": 0, "path": "scale"}},
                {"sampler": 2, "target": {"path": "pointer"}}
            ]
        }]
    }));
    let body = &mut bodies(&file, &four_a_second())[0];
    assert_eq!((body.name(), body.frame_count()), ("blade", 13));
    for k in 0..13 {
        let (key, s) = between(k as f64 / 4.0);
        let (key, s) = if k == 12 { (1, 1.0) } else { (key, s) };
        let mix = |a: f64, b: f64| a + (b - a) * s;
        let mix3 = |v: &[[f32; 3]; 3]| {
            let (a, b) = (wide(v[key]), wide(v[key + 1]));
            [mix(a[0], b[0]), mix(a[1], b[1]), mix(a[2], b[2])]
        };
        let angle = mix(angles[key], angles[key + 1]);
        let wanted = CORNERS.map(|corner| {
            let (corner, scale) = (wide(corner), mix3(&scales));
            let scaled = [corner[0] * scale[0], corner[1] * scale[1], corner[2] * scale[2]];
            add(turned(add(scaled, mix3(&moves)), angle), [10.0, 0.0, 0.0])
        });
        assert_near(&frame(body, k), &wanted, &format!("frame {k}"));
    }
}

#[test]
fn steps_hold_until_the_next_key() {
    let mut builder = Builder::default();
    let meshes = triangle(&mut builder);
    let input = builder.times(&TIMES);
    let rotation = builder.floats("VEC4", &[about_z(0.0), about_z(90.0), about_z(45.0)]);
    let file = builder.glb(json!({
        "meshes": meshes, "nodes": [{"mesh": 0}],
        "animations": [{
            "samplers": [{"input": input, "output": rotation, "interpolation": "STEP"}],
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}]
        }]
    }));
    let body = &mut bodies(&file, &four_a_second())[0];
    for (k, angle) in [(0, 0.0), (3, 0.0), (4, 90.0), (11, 90.0), (12, 45.0)] {
        let wanted = CORNERS.map(|corner| turned(wide(corner), angle));
        assert_near(&frame(body, k), &wanted, &format!("frame {k}"));
    }
}

/// A cubic with these values and slopes at its ends, by de Casteljau's construction.
fn spline(a: f64, slope_a: f64, b: f64, slope_b: f64, length: f64, s: f64) -> f64 {
    let mut points = [a, a + slope_a * length / 3.0, b - slope_b * length / 3.0, b];
    for round in (1..4).rev() {
        for k in 0..round {
            points[k] += (points[k + 1] - points[k]) * s;
        }
    }
    points[0]
}

#[test]
fn splines_go_through_their_keys_with_the_tangents_given() {
    let mut builder = Builder::default();
    let meshes = triangle(&mut builder);
    let input = builder.times(&TIMES);
    // In-tangent, value and out-tangent of each key.
    let moves: [[f32; 3]; 9] = [
        [9.0, 9.0, 9.0],
        [0.0, 1.0, 2.0],
        [1.0, -2.0, 0.5],
        [0.5, 3.0, -1.0],
        [4.0, 0.0, 2.0],
        [-2.0, 1.0, 0.0],
        [1.0, 1.0, 1.0],
        [5.0, -3.0, 1.0],
        [9.0, 9.0, 9.0],
    ];
    let turns: [[f32; 4]; 9] = [
        [0.0; 4],
        about_z(0.0),
        [0.0, 0.0, 0.5, 0.1],
        [0.0, 0.0, 0.25, -0.5],
        about_z(80.0),
        [0.0, 0.0, -0.5, 0.25],
        [0.0, 0.0, 0.1, 0.2],
        about_z(-60.0),
        [0.0; 4],
    ];
    let translation = builder.floats("VEC3", &moves);
    let rotation = builder.floats("VEC4", &turns);
    let file = builder.glb(json!({
        "meshes": meshes, "nodes": [{"mesh": 0}],
        "animations": [{
            "samplers": [
                {"input": input, "output": translation, "interpolation": "CUBICSPLINE"},
                {"input": input, "output": rotation, "interpolation": "CUBICSPLINE"}
            ],
            "channels": [
                {"sampler": 0, "target": {"node": 0, "path": "translation"}},
                {"sampler": 1, "target": {"node": 0, "path": "rotation"}}
            ]
        }]
    }));
    let body = &mut bodies(&file, &four_a_second())[0];
    for k in 0..=12 {
        let (key, s) = if k == 12 { (1, 1.0) } else { between(k as f64 / 4.0) };
        let length = f64::from(TIMES[key + 1] - TIMES[key]);
        let at = |value: &dyn Fn(usize) -> f32| {
            let value = |k| f64::from(value(k));
            let (a, b) = (3 * key, 3 * key + 3);
            spline(value(a + 1), value(a + 2), value(b + 1), value(b), length, s)
        };
        let moved = [0, 1, 2].map(|axis| at(&|k| moves[k][axis]));
        let (z, w) = (at(&|k| turns[k][2]), at(&|k| turns[k][3]));
        // The angle of a rotation about z does not depend on its length.
        let angle = 2.0 * z.atan2(w).to_degrees();
        let wanted = CORNERS.map(|corner| add(turned(wide(corner), angle), moved));
        assert_near(&frame(body, k), &wanted, &format!("frame {k}"));
    }
}

/// A strip of six vertices up the y axis, its upper part pulled by a joint at height 1 that bends.
fn bending_strip(builder: &mut Builder) -> (Value, Vec<[f32; 3]>, Vec<[u8; 2]>) {
    let positions: Vec<[f32; 3]> = (0..6).map(|k| [(k % 2) as f32 - 0.5, (k / 2) as f32, 0.1 * k as f32]).collect();
    let weights: Vec<[u8; 2]> = vec![[255, 0], [255, 0], [100, 155], [127, 127], [0, 255], [0, 255]];
    let position = builder.floats("VEC3", &positions);
    let joints = builder.view(&[0, 1, 0, 0].repeat(6));
    let joints = builder.accessor(json!({"bufferView": joints, "componentType": 5121, "count": 6, "type": "VEC4"}));
    let bytes: Vec<u8> = weights.iter().flat_map(|&[a, b]| [a, b, 0, 0]).collect();
    let view = builder.view(&bytes);
    let weight = builder
        .accessor(json!({"bufferView": view, "componentType": 5121, "normalized": true, "count": 6, "type": "VEC4"}));
    let indices = builder.indices(&[0, 1, 2, 3, 4, 5]);
    let primitive = json!({
        "attributes": {"POSITION": position, "JOINTS_0": joints, "WEIGHTS_0": weight},
        "indices": indices, "mode": 5
    });
    (primitive, positions, weights)
}

#[test]
fn a_skinned_strip_bends_with_its_joints() {
    let mut builder = Builder::default();
    let (primitive, positions, weights) = bending_strip(&mut builder);
    let mut inverse = [[0.0; 16]; 2];
    for matrix in &mut inverse {
        (matrix[0], matrix[5], matrix[10], matrix[15]) = (1.0, 1.0, 1.0, 1.0);
    }
    inverse[1][13] = -1.0;
    let inverse = builder.floats("MAT4", &inverse);
    let input = builder.times(&[0.0, 2.0]);
    let rotation = builder.floats("VEC4", &[about_z(0.0), about_z(120.0)]);
    let file = builder.glb(json!({
        "meshes": [{"primitives": [primitive]}],
        "skins": [{"joints": [1, 2], "inverseBindMatrices": inverse}],
        "scenes": [{"nodes": [0, 1]}],
        // A skinned mesh does not go where its node is, but where its joints are.
        "nodes": [
            {"name": "strip", "mesh": 0, "skin": 0, "translation": [100.0, 0.0, 0.0]},
            {"name": "root", "children": [2], "translation": [0.0, 0.0, 5.0]},
            {"name": "joint", "translation": [0.0, 1.0, 0.0]}
        ],
        "animations": [{
            "samplers": [{"input": input, "output": rotation}],
            "channels": [{"sampler": 0, "target": {"node": 2, "path": "rotation"}}]
        }]
    }));
    let body = &mut bodies(&file, &ReadOptions::default().with_fps(5.0))[0];
    assert_eq!(body.triangles(), [[0, 1, 2], [1, 3, 2], [2, 3, 4], [3, 5, 4]]);
    assert_eq!((body.frame_count(), body.face_of_triangle()), (11, None));
    for k in 0..11 {
        let angle = 12.0 * k as f64;
        let wanted: Vec<Point> = positions
            .iter()
            .zip(&weights)
            .map(|(&position, weight)| {
                let rest = wide(position);
                let bent = add(turned(add(rest, [0.0, -1.0, 0.0]), angle), [0.0, 1.0, 0.0]);
                let [a, b] = weight.map(f64::from);
                let mixed = [0, 1, 2].map(|i| (a * rest[i] + b * bent[i]) / (a + b));
                add(mixed, [0.0, 0.0, 5.0])
            })
            .collect();
        assert_near(&frame(body, k), &wanted, &format!("frame {k}"));
    }
}

#[test]
fn morph_targets_move_vertices_before_the_skin_does() {
    let mut builder = Builder::default();
    let (mut primitive, positions, _) = bending_strip(&mut builder);
    let first: Vec<[f32; 3]> = (0..6).map(|k| [0.0, 0.0, k as f32]).collect();
    let dense = builder.floats("VEC3", &first);
    // The second target moves two vertices and is stored by those alone, in normalised 16-bit numbers.
    let places = builder.view(&[1, 4]);
    let values: Vec<u8> =
        [[32767_i16, -32768, 0], [0, 16384, 3]].as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect();
    let values = builder.view(&values);
    let sparse = builder.accessor(json!({
        "componentType": 5122, "normalized": true, "count": 6, "type": "VEC3",
        "sparse": {
            "count": 2,
            "indices": {"bufferView": places, "componentType": 5121},
            "values": {"bufferView": values}
        }
    }));
    primitive["targets"] = json!([{"POSITION": dense}, {"POSITION": sparse, "NORMAL": 99}, {"NORMAL": 99}]);
    let input = builder.times(&[0.0, 1.0]);
    // Three weights a key, each with its tangents: all in-tangents, all values, all out-tangents.
    let output: Vec<[f32; 1]> =
        [[0.0, 0.0, 0.0], [0.5, 0.0, 7.0], [1.0, -1.0, 0.0], [2.0, 0.0, 0.0], [1.0, 2.0, 7.0], [0.0, 0.0, 0.0_f32]]
            .as_flattened()
            .iter()
            .map(|&x| [x])
            .collect();
    let output = builder.floats("SCALAR", &output);
    let document = |animated: bool| {
        let mut document = json!({
            "meshes": [{"primitives": [primitive], "weights": [0.25, 0.5, 1.0]}],
            "skins": [{"joints": [1, 1]}],
            "nodes": [{"mesh": 0, "skin": 0}, {"rotation": about_z(90.0)}],
        });
        if animated {
            document["animations"] = json!([{
                "samplers": [{"input": input, "output": output, "interpolation": "CUBICSPLINE"}],
                "channels": [{"sampler": 0, "target": {"node": 0, "path": "weights"}}]
            }]);
        } else {
            document["nodes"][0]["weights"] = json!([0.5, 2.0, 1.0]);
        }
        builder.glb(document)
    };
    let second = |v: usize| match v {
        1 => [1.0, -1.0, 0.0],
        4 => [0.0, 16384.0 / 32767.0, 3.0 / 32767.0],
        _ => [0.0; 3],
    };
    let wanted = |a: f64, b: f64| -> Vec<Point> {
        let morphed = |v: usize| {
            let (d, e) = (wide(first[v]), second(v));
            add(wide(positions[v]), [0, 1, 2].map(|i| a * d[i] + b * e[i]))
        };
        (0..6).map(|v| turned(morphed(v), 90.0)).collect()
    };
    let body = &mut bodies(&document(true), &four_a_second())[0];
    for k in 0..5 {
        let s = k as f64 / 4.0;
        let (a, b) = (spline(0.5, 1.0, 1.0, 2.0, 1.0, s), spline(0.0, -1.0, 2.0, 0.0, 1.0, s));
        assert_near(&frame(body, k), &wanted(a, b), &format!("frame {k}"));
    }
    let body = &mut bodies(&document(false), &four_a_second())[0];
    assert_eq!(body.frame_count(), 1);
    assert_near(&frame(body, 0), &wanted(0.5, 2.0), "weights of the node");
}

#[test]
fn a_file_gives_a_body_for_every_mesh_in_its_scene() {
    let mut builder = Builder::default();
    let square = builder.floats("VEC3", &[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]]);
    let fan = builder.indices(&[0, 1, 2, 3]);
    let one = builder.indices(&[3, 2, 1]);
    let input = builder.times(&[0.5, 1.0]);
    let output = builder.floats("VEC3", &[[0.0; 3], [1.0, 0.0, 0.0]]);
    let file = builder.glb(json!({
        "scene": 1,
        "scenes": [{"nodes": [0]}, {"nodes": [1, 4]}],
        "meshes": [
            {"name": "square", "primitives": [
                {"attributes": {"POSITION": square}, "indices": fan, "mode": 6},
                {"attributes": {"POSITION": square, "NORMAL": 77}, "indices": one}
            ]}
        ],
        "nodes": [
            {"name": "elsewhere", "mesh": 0},
            {"name": "top", "children": [2, 3]},
            {"mesh": 0, "scale": [-1.0, 1.0, 1.0]},
            {"mesh": 0, "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 4, 5, 6, 1]},
            {"name": "mover", "mesh": 0}
        ],
        "animations": [
            {"name": "still", "samplers": [], "channels": []},
            {"name": "go", "samplers": [{"input": input, "output": output}],
             "channels": [{"sampler": 0, "target": {"node": 4, "path": "translation"}}]}
        ]
    }));
    let mut found = bodies(&file, &ReadOptions::default().with_animation("go").with_fps(10.0));
    let names: Vec<&str> = found.iter().map(AnimatedBody::name).collect();
    assert_eq!(names, ["square", "square#2", "mover"]);
    // Both primitives use the same vertices; a mirrored node turns its triangles over.
    assert_eq!(found[0].triangles(), [[0, 2, 1], [0, 3, 2], [3, 1, 2]]);
    assert_eq!(found[1].triangles(), [[0, 1, 2], [0, 2, 3], [3, 2, 1]]);
    assert_eq!(found[1].vertex_count(), 4);
    assert_eq!(frame(&mut found[0], 0)[1], [-1.0, 0.0, 0.0]);
    assert_eq!(frame(&mut found[1], 0)[2], [5.0, 6.0, 6.0]);
    let frames: Vec<usize> = found.iter().map(AnimatedBody::frame_count).collect();
    assert_eq!(frames, [1, 1, 11]);
    // Before the first key its value holds.
    assert_eq!(frame(&mut found[2], 3)[0], [0.0, 0.0, 0.0]);
    assert_eq!(frame(&mut found[2], 10)[0], [1.0, 0.0, 0.0]);
    assert_eq!(bodies(&file, &ReadOptions::default())[2].frame_count(), 1);
    assert_eq!(bodies(&file, &ReadOptions::default().with_animation("1"))[2].frame_count(), 31);
    let options = ReadOptions::default().with_animation("run");
    assert_eq!(
        parse_gltf(&file, "test.glb", &options).unwrap_err().to_string(),
        "test.glb: no animation `run`: it has `still`, `go`"
    );
    let options = ReadOptions::default().with_fps(0.0);
    assert_eq!(
        parse_gltf(&file, "test.glb", &options).unwrap_err().to_string(),
        "test.glb: 0 is not a number of frames per second"
    );
    let folder = crate::common::Folder::new("gltf-animations");
    std::fs::write(folder.join("a.glb"), &file).unwrap();
    let listed: Vec<_> =
        gltf_animations(folder.join("a.glb")).unwrap().into_iter().map(|a| (a.name, a.seconds)).collect();
    assert_eq!(listed, [(Some("still".into()), 0.0), (Some("go".into()), 1.0)]);
}

#[test]
fn buffers_are_found_in_the_file_beside_it_and_in_data_uris() {
    let mut builder = Builder::default();
    let meshes = triangle(&mut builder);
    let rest = json!({"meshes": meshes, "nodes": [{"mesh": 0}]});
    let folder = crate::common::Folder::new("gltf-buffers");
    let uri = format!("data:application/octet-stream;base64,{}", base64(&builder.bytes));
    std::fs::write(folder.join("data.gltf"), builder.document(rest.clone(), Some(&uri)).to_string()).unwrap();
    std::fs::write(folder.join("beside.gltf"), builder.document(rest.clone(), Some("its%20own.bin")).to_string())
        .unwrap();
    std::fs::write(folder.join("its own.bin"), &builder.bytes).unwrap();
    std::fs::write(folder.join("one.GLB"), builder.glb(rest.clone())).unwrap();
    for name in ["data.gltf", "beside.gltf", "one.GLB"] {
        let mut bodies = read(folder.join(name)).unwrap();
        assert_eq!(frame(&mut bodies[0], 0), CORNERS, "{name}");
    }
    std::fs::write(folder.join("its own.bin"), &builder.bytes[..30]).unwrap();
    let error = message(&read(folder.join("beside.gltf")).unwrap_err());
    let want = "beside.gltf: buffer 0: 36 bytes are announced, but there are 30; hint: it may be truncated";
    assert!(error.ends_with(want), "{error}");
    std::fs::remove_file(folder.join("its own.bin")).unwrap();
    let error = read_source(&folder.join("beside.gltf").as_path().into(), &ReadOptions::default());
    let error = message(&error.unwrap_err());
    assert!(error.ends_with("its own.bin: cannot be read: entity not found"), "{error}");
}

#[test]
fn what_does_not_fit_together_is_refused_by_name() {
    let mut builder = Builder::default();
    let position = builder.floats("VEC3", &CORNERS);
    let far = builder.indices(&[0, 1, 3]);
    let two = builder.indices(&[0, 1]);
    let short = builder.accessor(json!({"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"}));
    let huge = builder.accessor(json!({"componentType": 5126, "count": 4_000_000_000_u64, "type": "VEC3"}));
    let infinite = builder.floats("VEC3", &[[0.0, f32::INFINITY, 0.0]]);
    let back = builder.times(&[1.0, 0.5]);
    let with_primitive = |primitive: Value| json!({"meshes": [{"primitives": [primitive]}], "nodes": [{"mesh": 0}]});
    let good = json!({"attributes": {"POSITION": position}});
    let with = |key: &str, value: Value| {
        let mut document = with_primitive(good.clone());
        document[key] = value;
        document
    };
    for (document, want) in [
        (with("nodes", json!([{"mesh": 5}])), "node 0: there is no mesh 5"),
        (with("nodes", json!([{"children": [1]}, {"children": [0]}])), "some of its nodes are their own ancestors"),
        (
            with("nodes", json!([{"children": [1]}, {}, {"children": [1]}])),
            "node 2: its child 1 has another parent too",
        ),
        (with("nodes", json!([{"children": [9]}])), "node 0: there is no node 9"),
        (with("nodes", json!([{"mesh": 0, "skin": 3}])), "skin 3: there is no such skin"),
        (with("scenes", json!([{"nodes": [7]}])), "scene 0: there is no node 7"),
        (with("scene", json!(2)), ""),
        (
            with("extensionsRequired", json!(["KHR_draco_mesh_compression", "ACME_meshes"])),
            "it needs the extension `ACME_meshes`, which is not read; hint: export the file without it",
        ),
        (with("extensionsRequired", json!(["KHR_mesh_quantization", "KHR_texture_basisu"])), ""),
        (with_primitive(json!({"attributes": {}})), "mesh 0: primitive 0: it has no POSITION"),
        (with_primitive(json!({"attributes": {"POSITION": 99}})), "mesh 0: there is no accessor 99"),
        (
            with_primitive(json!({"attributes": {"POSITION": two}})),
            "mesh 0: primitive 0: accessor 2: its type is SCALAR, but VEC3 is needed here",
        ),
        (
            with_primitive(json!({"attributes": {"POSITION": short}})),
            "mesh 0: primitive 0: accessor 3: 4 elements do not fit in buffer view 0, which has 36 bytes",
        ),
        (
            with_primitive(json!({"attributes": {"POSITION": huge}})),
            "mesh 0: primitive 0: accessor 4 has no bytes; hint: export the file without compression",
        ),
        (
            with_primitive(json!({"attributes": {"POSITION": position}, "indices": far})),
            "mesh 0: primitive 0: it uses vertex 3, but has 3 vertices",
        ),
        (
            with_primitive(json!({"attributes": {"POSITION": position}, "indices": two})),
            "mesh 0: primitive 0: 2 corners do not make triangles",
        ),
        (
            with_primitive(json!({"attributes": {"POSITION": position}, "mode": 1})),
            "it is made of lines or points and has no triangles; hint: export surfaces, not edges or vertices",
        ),
        (
            with_primitive(json!({"attributes": {"POSITION": infinite}, "mode": 5})),
            "vertex 0 has y = inf, which is not a finite single-precision number",
        ),
        (
            with(
                "animations",
                json!([{
                    "samplers": [{"input": back, "output": 0}],
                    "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]
                }]),
            ),
            "accessor 6: the times of its keys go back from 1 to 0.5",
        ),
        (
            with(
                "animations",
                json!([{
                    "samplers": [{"input": two, "output": 0}],
                    "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]
                }]),
            ),
            "animation channel 0: 2 keys need 3 values each, but there are 9 in all",
        ),
    ] {
        let file = builder.glb(document);
        if want.is_empty() {
            parse_gltf(&file, "test.glb", &ReadOptions::default()).unwrap();
        } else {
            assert_eq!(complaint(&file), format!("test.glb: {want}"));
        }
    }
}

/// A corner of a triangle in some frames of the fox running at 60 frames per second, baked by another program, which
/// then moved the box around all frames to the origin and scaled its longest side to 1.
const FOX: [(usize, usize, Point); 12] = [
    (0, 0, [0.020331934, -0.053508762, -0.033320107]),
    (0, 200, [0.025832973, -0.039562687, 0.13374893]),
    (0, 575, [-0.00717853, 0.08705189, 0.48181406]),
    (23, 0, [0.018411823, -0.034776393, -0.065002926]),
    (23, 200, [0.04461917, 0.006567887, 0.3120101]),
    (23, 575, [-0.007178719, 0.054547243, 0.48896483]),
    (46, 0, [0.021194844, -0.004513235, -0.081729434]),
    (46, 200, [0.042712428, -0.090232015, 0.16734216]),
    (46, 575, [-0.007178742, 0.0359434, 0.44974387]),
    (69, 0, [0.020423101, -0.051671103, -0.03386505]),
    (69, 200, [0.026306987, -0.03881867, 0.13050252]),
    (69, 575, [-0.007178542, 0.08723496, 0.4813817]),
];

#[test]
fn a_real_rigged_animal_runs_as_another_program_baked_it() {
    let options = ReadOptions::default().with_animation("Run").with_fps(60.0);
    let mut fox = bodies(include_bytes!("../assets/fox.glb"), &options);
    let fox = &mut fox[0];
    assert_eq!((fox.name(), fox.triangles().len(), fox.frame_count()), ("fox", 576, 70));
    let frames: Vec<Vec<[f32; 3]>> = (0..70).map(|k| frame(fox, k)).collect();
    let mut low = [f64::INFINITY; 3];
    let mut high = [f64::NEG_INFINITY; 3];
    for axis in 0..3 {
        for position in frames.iter().flatten() {
            low[axis] = low[axis].min(f64::from(position[axis]));
            high[axis] = high[axis].max(f64::from(position[axis]));
        }
    }
    let longest = (0..3).map(|axis| high[axis] - low[axis]).fold(0.0, f64::max);
    for (k, triangle, wanted) in FOX {
        let vertex = frames[k][fox.triangles()[triangle][0] as usize];
        let moved = [0, 1, 2].map(|axis| (f64::from(vertex[axis]) - (low[axis] + high[axis]) / 2.0) / longest);
        assert_near(&[moved.map(|x| x as f32)], &[wanted], &format!("frame {k}, triangle {triangle}"));
    }
}
