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
