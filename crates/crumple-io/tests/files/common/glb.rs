//! Builds small glTF files: numbers in, accessor numbers out.

use serde_json::{Value, json};

/// A file in the making.
#[derive(Default)]
pub(crate) struct Builder {
    pub(crate) bytes: Vec<u8>,
    pub(crate) views: Vec<Value>,
    pub(crate) accessors: Vec<Value>,
}

impl Builder {
    /// Adds a view of these bytes.
    pub(crate) fn view(&mut self, bytes: &[u8]) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.views.push(json!({
            "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len()
        }));
        self.bytes.extend(bytes);
        self.views.len() - 1
    }

    /// Adds an accessor.
    pub(crate) fn accessor(&mut self, accessor: Value) -> usize {
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// Adds an accessor of floats of a type with `N` of them.
    pub(crate) fn floats<const N: usize>(&mut self, kind: &str, values: &[[f32; N]]) -> usize {
        let bytes: Vec<u8> = values.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect();
        let view = self.view(&bytes);
        self.accessor(json!({
            "bufferView": view, "componentType": 5126, "count": values.len(), "type": kind
        }))
    }

    /// Adds an accessor of the times of keys.
    pub(crate) fn times(&mut self, times: &[f32]) -> usize {
        let times: Vec<[f32; 1]> = times.iter().map(|&t| [t]).collect();
        self.floats("SCALAR", &times)
    }

    /// Adds an accessor of 16-bit indices.
    pub(crate) fn indices(&mut self, indices: &[u16]) -> usize {
        let bytes: Vec<u8> = indices.iter().flat_map(|x| x.to_le_bytes()).collect();
        let view = self.view(&bytes);
        self.accessor(json!({
            "bufferView": view, "componentType": 5123, "count": indices.len(), "type": "SCALAR"
        }))
    }

    /// The document: what is given, with what was added.
    pub(crate) fn document(&self, mut rest: Value, uri: Option<&str>) -> Value {
        rest["asset"] = json!({"version": "2.0"});
        rest["bufferViews"] = json!(self.views);
        rest["accessors"] = json!(self.accessors);
        rest["buffers"] = json!([{"byteLength": self.bytes.len()}]);
        if let Some(uri) = uri {
            rest["buffers"][0]["uri"] = json!(uri);
        }
        rest
    }

    /// The file as GLB.
    pub(crate) fn glb(&self, rest: Value) -> Vec<u8> {
        let mut json = self.document(rest, None).to_string().into_bytes();
        json.resize(json.len().next_multiple_of(4), b' ');
        let mut bytes = self.bytes.clone();
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        let mut file = b"glTF".to_vec();
        let word = |file: &mut Vec<u8>, x: usize| file.extend((x as u32).to_le_bytes());
        word(&mut file, 2);
        word(&mut file, 12 + 8 + json.len() + 8 + bytes.len());
        word(&mut file, json.len());
        file.extend(b"JSON");
        file.extend(json);
        word(&mut file, bytes.len());
        file.extend(b"BIN\0");
        file.extend(bytes);
        file
    }
}

/// A file with something of everything: nodes, a skin, morph targets (one of them sparse), every kind of interpolation.
pub(crate) fn everything() -> Vec<u8> {
    let mut builder = Builder::default();
    let position = builder.floats("VEC3", &[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]]);
    let view = builder.view(&[0, 1, 0, 0].repeat(4));
    let joints = builder.accessor(json!({"bufferView": view, "componentType": 5121, "count": 4, "type": "VEC4"}));
    let view = builder.view(&[200, 55, 0, 0].repeat(4));
    let weights = builder
        .accessor(json!({"bufferView": view, "componentType": 5121, "normalized": true, "count": 4, "type": "VEC4"}));
    let indices = builder.indices(&[0, 1, 2, 3]);
    let target = builder.floats("VEC3", &[[0.0, 0.0, 1.0]; 4]);
    let places = builder.view(&[1, 3]);
    let values: Vec<u8> = [1.0_f32; 6].iter().flat_map(|x| x.to_le_bytes()).collect();
    let values = builder.view(&values);
    let sparse = builder.accessor(json!({
        "componentType": 5126, "count": 4, "type": "VEC3",
        "sparse": {"count": 2, "indices": {"bufferView": places, "componentType": 5121}, "values": {"bufferView": values}}
    }));
    let times = builder.times(&[0.0, 0.25]);
    let moves = builder.floats("VEC3", &[[0.0; 3], [1.0, 2.0, 3.0]]);
    let turns = builder.floats("VEC4", &[[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.6, 0.8]]);
    let morphs =
        builder.floats("SCALAR", &[[0.0], [0.5], [1.0], [0.0], [0.5], [1.0], [1.0], [0.0], [0.5], [1.0], [0.0], [0.5]]);
    let mut matrix = [[0.0; 16]; 2];
    for m in &mut matrix {
        (m[0], m[5], m[10], m[15]) = (1.0, 1.0, 1.0, 1.0);
    }
    let inverse = builder.floats("MAT4", &matrix);
    builder.glb(json!({
        "scene": 0,
        "scenes": [{"nodes": [0, 1]}],
        "nodes": [
            {"name": "body", "mesh": 0, "skin": 0, "weights": [0.1, 0.2]},
            {"children": [2, 3], "rotation": [0.0, 0.0, 0.6, 0.8]},
            {"scale": [1.0, -1.0, 1.0], "mesh": 0},
            {"matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 4, 5, 6, 1], "mesh": 1}
        ],
        "meshes": [
            {"weights": [0.5, 0.5], "primitives": [{
                "attributes": {"POSITION": position, "JOINTS_0": joints, "WEIGHTS_0": weights},
                "indices": indices, "mode": 5, "targets": [{"POSITION": target}, {"POSITION": sparse}]
            }]},
            {"primitives": [{"attributes": {"POSITION": position}, "indices": indices, "mode": 6}]}
        ],
        "skins": [{"joints": [1, 2], "inverseBindMatrices": inverse}],
        "animations": [{
            "name": "a",
            "samplers": [
                {"input": times, "output": moves},
                {"input": times, "output": turns, "interpolation": "STEP"},
                {"input": times, "output": morphs, "interpolation": "CUBICSPLINE"}
            ],
            "channels": [
                {"sampler": 0, "target": {"node": 1, "path": "translation"}},
                {"sampler": 1, "target": {"node": 2, "path": "rotation"}},
                {"sampler": 2, "target": {"node": 0, "path": "weights"}}
            ]
        }]
    }))
}

/// Bytes as base64.
pub(crate) fn base64(bytes: &[u8]) -> String {
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits = three.iter().chain([0, 0].iter()).take(3).fold(0, |n, &b| n << 8 | u32::from(b));
        for k in 0..4 {
            let letter = letters[(bits >> (18 - 6 * k)) as usize & 63];
            text.push(if k <= three.len() { letter as char } else { '=' });
        }
    }
    text
}
