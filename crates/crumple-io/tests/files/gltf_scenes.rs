//! Scenes of glTF files: copies of one mesh, primitives that are no surfaces, files that ask for too much or look elsewhere.

use crate::common::glb::Builder;
use crate::common::{Folder, frame_of, message};
use crumple_io::read::parse_gltf;
use crumple_io::{AnimatedBody, ReadError, ReadOptions, read};
use serde_json::{Value, json};

const CORNERS: [[f32; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 2.0, 0.5], [-1.0, 0.25, 3.0]];

fn parse(builder: &Builder, document: Value) -> Result<Vec<AnimatedBody>, ReadError> {
    parse_gltf(&builder.glb(document), "test.glb", &ReadOptions::default())
}

fn refusal(builder: &Builder, document: Value) -> String {
    message(&parse(builder, document).unwrap_err())
}

#[test]
fn copies_of_a_mesh_are_bodies_of_their_own_and_share_their_triangles() {
    let mut builder = Builder::default();
    let position = builder.floats("VEC3", &CORNERS);
    let moved = builder.floats("VEC3", &[[0.0; 3], [10.0, 0.0, 0.0], [0.0, 20.0, 0.0]]);
    let half_turn_about_z = [0.0, 0.0, 1.0, 0.0];
    let turned = builder.floats("VEC4", &[[0.0, 0.0, 0.0, 1.0], half_turn_about_z, [0.0, 0.0, 0.0, 1.0]]);
    let scaled = builder.floats("VEC3", &[[1.0; 3], [1.0; 3], [-1.0, 1.0, 1.0]]);
    let attributes = json!({"TRANSLATION": moved, "ROTATION": turned, "SCALE": scaled, "_ID": 99});
    let document = json!({
        "extensionsRequired": ["EXT_mesh_gpu_instancing"],
        "meshes": [{"primitives": [{"attributes": {"POSITION": position}}]}],
        "nodes": [{
            "name": "leaf", "mesh": 0, "translation": [0.0, 0.0, 5.0],
            "extensions": {"EXT_mesh_gpu_instancing": {"attributes": attributes}}
        }]
    });
    let mut bodies = parse(&builder, document.clone()).unwrap();
    let names: Vec<&str> = bodies.iter().map(AnimatedBody::name).collect();
    assert_eq!(names, ["leaf", "leaf#2", "leaf#3"]);
    let placed: [fn([f32; 3]) -> [f32; 3]; 3] =
        [|[x, y, z]| [x, y, z + 5.0], |[x, y, z]| [10.0 - x, -y, z + 5.0], |[x, y, z]| [-x, y + 20.0, z + 5.0]];
    for (body, placed) in bodies.iter_mut().zip(placed) {
        assert_eq!(frame_of(body, 0).unwrap(), CORNERS.map(placed), "{}", body.name());
    }
    // One that mirrors turns its triangles over; the others share theirs.
    assert_eq!(bodies[2].triangles(), [[0, 2, 1]]);
    assert_eq!(bodies[0].triangles().as_ptr(), bodies[1].triangles().as_ptr());
    let mut unequal = document.clone();
    let two = builder.floats("VEC3", &[[0.0; 3]; 2]);
    unequal["nodes"][0]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"]["SCALE"] = json!(two);
    let said = "test.glb: node 0: its copies have [3, 3, 2] translations, rotations and scales";
    assert_eq!(refusal(&builder, unequal), said);
    let mut none = document;
    let huge = builder.accessor(json!({"componentType": 5126, "count": 1_000_000_000, "type": "VEC3"}));
    none["nodes"][0]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"] = json!({"TRANSLATION": huge});
    assert_eq!(refusal(&builder, none), format!("test.glb: node 0: accessor {huge} has no bytes"));
}

#[test]
fn a_skin_with_copies_is_one_body() {
    let mut builder = Builder::default();
    let position = builder.floats("VEC3", &CORNERS);
    let joints = builder.view(&[0; 12]);
    let joints = builder.accessor(json!({"bufferView": joints, "componentType": 5121, "count": 3, "type": "VEC4"}));
    let weights = builder.floats("VEC4", &[[1.0, 0.0, 0.0, 0.0]; 3]);
    let moved = builder.floats("VEC3", &[[0.0; 3], [10.0, 0.0, 0.0]]);
    let attributes = json!({"POSITION": position, "JOINTS_0": joints, "WEIGHTS_0": weights});
    let mut bodies = parse(
        &builder,
        json!({
            "meshes": [{"primitives": [{"attributes": attributes}]}],
            "skins": [{"joints": [1]}],
            "nodes": [
                {"mesh": 0, "skin": 0, "extensions": {"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": moved}}}},
                {"translation": [0.0, 0.0, 7.0]}
            ]
        }),
    )
    .unwrap();
    assert_eq!(
        (bodies.len(), bodies[0].notes()),
        (1, &["1 node with a skin and copies: one body each".to_owned()][..])
    );
    assert_eq!(frame_of(&mut bodies[0], 0).unwrap(), CORNERS.map(|[x, y, z]| [x, y, z + 7.0]));
}

#[test]
fn an_extension_is_known_by_its_whole_name() {
    let mut builder = Builder::default();
    let position = builder.floats("VEC3", &CORNERS);
    let with = |name: &str| {
        let meshes = json!([{"primitives": [{"attributes": {"POSITION": position}}]}]);
        json!({"extensionsRequired": [name], "meshes": meshes, "nodes": [{"mesh": 0}]})
    };
    assert!(parse(&builder, with("KHR_materials_unlit")).is_ok());
    assert!(refusal(&builder, with("EXT_meshopt_compression_2")).contains("EXT_meshopt_compression_2"));
}

#[test]
fn lines_and_points_beside_triangles_are_left_out_with_a_note() {
    let mut builder = Builder::default();
    let position = builder.floats("VEC3", &CORNERS);
    let primitive = |mode: u32| json!({"attributes": {"POSITION": position}, "mode": mode});
    let nodes = json!([{"mesh": 0}, {"mesh": 1}]);
    let document = json!({
        "meshes": [{"primitives": [primitive(1), primitive(4)]}, {"primitives": [primitive(0), primitive(3)]}],
        "nodes": nodes
    });
    let bodies = parse(&builder, document).unwrap();
    assert_eq!((bodies.len(), bodies[0].triangles()), (1, &[[0, 1, 2]][..]));
    assert_eq!(bodies[0].notes(), ["3 primitives of lines or points left out"]);
}

#[test]
fn vertices_that_only_an_unknown_extension_has_are_not_zeros() {
    let mut builder = Builder::default();
    let bytes = builder.view(&[0; 36]);
    let none = builder.accessor(json!({"componentType": 5126, "count": 3, "type": "VEC3"}));
    let with = |extensions: Value| {
        let primitive = json!({"attributes": {"POSITION": none}, "extensions": extensions});
        json!({"meshes": [{"primitives": [primitive]}], "nodes": [{"mesh": 0}]})
    };
    let hint = "hint: export the file without compression";
    assert_eq!(
        refusal(&builder, with(json!({"ACME_squeezed": {"bufferView": bytes}}))),
        format!(
            "test.glb: mesh 0: primitive 0: accessor {none} has no bytes without the extension `ACME_squeezed`, which is not read; {hint}"
        )
    );
    assert_eq!(
        refusal(&builder, with(json!({}))),
        format!("test.glb: mesh 0: primitive 0: accessor {none} has no bytes; {hint}")
    );
    let draco = json!({"KHR_draco_mesh_compression": {"bufferView": bytes, "attributes": {"POSITION": 0}}});
    let said = refusal(&builder, with(draco));
    assert!(said.starts_with("test.glb: mesh 0: primitive 0: its Draco data cannot be decoded: "), "{said}");
}

#[test]
fn keys_and_matrices_without_bytes_are_not_zeros() {
    let mut builder = Builder::default();
    let position = builder.floats("VEC3", &CORNERS);
    let times = builder.times(&[0.0, 1.0]);
    let moved = builder.floats("VEC3", &[[0.0; 3], [1.0; 3]]);
    let no_times = builder.accessor(json!({"componentType": 5126, "count": 2, "type": "SCALAR"}));
    let none_moved = builder.accessor(json!({"componentType": 5126, "count": 2, "type": "VEC3"}));
    let no_matrices = builder.accessor(json!({"componentType": 5126, "count": 1, "type": "MAT4"}));
    let joints = builder.floats("VEC4", &[[0.0; 4]; 3]);
    let weights = builder.floats("VEC4", &[[1.0, 0.0, 0.0, 0.0]; 3]);
    builder.accessors[joints]["componentType"] = json!(5125);
    let document = |input: usize, output: usize, matrices: Option<usize>| {
        let attributes = json!({"POSITION": position, "JOINTS_0": joints, "WEIGHTS_0": weights});
        json!({
            "meshes": [{"primitives": [{"attributes": attributes}]}],
            "nodes": [{"mesh": 0, "skin": 0}], "skins": [{"joints": [0], "inverseBindMatrices": matrices}],
            "animations": [{
                "samplers": [{"input": input, "output": output}],
                "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]
            }]
        })
    };
    assert!(parse(&builder, document(times, moved, None)).is_ok());
    for (without, document) in [
        (no_times, document(no_times, moved, None)),
        (none_moved, document(times, none_moved, None)),
        (no_matrices, document(times, moved, Some(no_matrices))),
    ] {
        let said = refusal(&builder, document);
        assert!(said.ends_with(&format!("accessor {without} has no bytes")), "{said}");
    }
}

#[test]
fn a_view_that_would_be_huge_when_decompressed_is_refused_before() {
    let mut builder = Builder::default();
    builder.view(&[0xa1; 64]);
    let many = 100_000_000;
    builder.views.push(json!({
        "buffer": 0, "byteLength": 12 * many,
        "extensions": {"KHR_meshopt_compression": {
            "buffer": 0, "byteOffset": 0, "byteLength": 64, "byteStride": 12, "count": many, "mode": "ATTRIBUTES"
        }}
    }));
    let position = builder.accessor(json!({"bufferView": 1, "componentType": 5126, "count": many, "type": "VEC3"}));
    let document = json!({
        "meshes": [{"primitives": [{"attributes": {"POSITION": position}}]}], "nodes": [{"mesh": 0}]
    });
    let said = refusal(&builder, document);
    assert!(said.contains("it would be 1200000000 bytes when decompressed, but only 2684"), "{said}");
}

#[test]
fn an_animation_with_a_key_in_the_far_future_is_refused_with_the_numbers() {
    let mut builder = Builder::default();
    let position = builder.floats("VEC3", &CORNERS);
    let times = builder.times(&[0.0, 1e7]);
    let moves = builder.floats("VEC3", &[[0.0; 3]; 2]);
    let said = refusal(
        &builder,
        json!({
            "meshes": [{"primitives": [{"attributes": {"POSITION": position}}]}], "nodes": [{"mesh": 0}],
            "animations": [{
                "samplers": [{"input": times, "output": moves}],
                "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]
            }]
        }),
    );
    let what = "test.glb: 10000000 seconds at 30 frames per second are more than 10000000 frames";
    assert_eq!(said, format!("{what}; hint: choose fewer frames per second, or make the animation shorter"));
}

#[test]
fn buffers_outside_the_folder_of_the_file_are_not_read() {
    let folder = Folder::new("traversal");
    std::fs::create_dir_all(folder.join("inside")).unwrap();
    std::fs::write(folder.join("secret.bin"), [0; 36]).unwrap();
    let mut builder = Builder::default();
    let position = builder.floats("VEC3", &CORNERS);
    let rest = json!({"meshes": [{"primitives": [{"attributes": {"POSITION": position}}]}], "nodes": [{"mesh": 0}]});
    for uri in ["../secret.bin", "a/../../secret.bin", "%2e%2e/secret.bin"] {
        let file = folder.join("inside/body.gltf");
        std::fs::write(&file, builder.document(rest.clone(), Some(uri)).to_string()).unwrap();
        let said = message(&read(&file).unwrap_err());
        assert!(said.contains("secret.bin` is outside the folder of the file; hint: put its bytes beside"), "{said}");
    }
}

#[test]
fn names_in_a_file_stay_unlike_each_other() {
    let mut builder = Builder::default();
    let position = builder.floats("VEC3", &CORNERS);
    let names = ["a", "a#2", "a", "a"];
    let nodes: Vec<Value> = names.iter().map(|name| json!({"name": name, "mesh": 0})).collect();
    let document = json!({"meshes": [{"primitives": [{"attributes": {"POSITION": position}}]}], "nodes": nodes});
    let bodies = parse(&builder, document).unwrap();
    let names: Vec<&str> = bodies.iter().map(AnimatedBody::name).collect();
    assert_eq!(names, ["a", "a#2", "a#3", "a#4"]);
}
