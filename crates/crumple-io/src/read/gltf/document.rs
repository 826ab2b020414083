//! The JSON of a glTF file: the part of it that says where vertices are.
//!
//! Materials, textures, cameras and lights are not looked at, so nothing in them can keep a file from being read.

use serde::Deserialize;

use crate::error::{Fault, Place};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document {
    asset: Asset,
    #[serde(default)]
    extensions_required: Vec<String>,
    pub(super) scene: Option<usize>,
    #[serde(default)]
    pub(super) scenes: Vec<Scene>,
    #[serde(default)]
    pub(super) nodes: Vec<Node>,
    #[serde(default)]
    pub(super) meshes: Vec<Mesh>,
    #[serde(default)]
    pub(super) skins: Vec<Skin>,
    #[serde(default)]
    pub(super) animations: Vec<Animation>,
    #[serde(default)]
    pub(super) accessors: Vec<Accessor>,
    #[serde(default)]
    pub(super) buffer_views: Vec<BufferView>,
    #[serde(default)]
    pub(super) buffers: Vec<Buffer>,
}

#[derive(Debug, Deserialize)]
struct Asset {
    version: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Scene {
    #[serde(default)]
    pub(super) nodes: Vec<usize>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Node {
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) children: Vec<usize>,
    pub(super) mesh: Option<usize>,
    pub(super) skin: Option<usize>,
    // Boxed, since most nodes lack most of these and a file may have very many nodes.
    pub(super) matrix: Option<Box<[f64; 16]>>,
    pub(super) translation: Option<Box<[f64; 3]>>,
    pub(super) rotation: Option<Box<[f64; 4]>>,
    pub(super) scale: Option<Box<[f64; 3]>>,
    pub(super) weights: Option<Vec<f64>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Mesh {
    pub(super) name: Option<String>,
    pub(super) primitives: Vec<Primitive>,
    #[serde(default)]
    pub(super) weights: Vec<f64>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Primitive {
    pub(super) attributes: std::collections::BTreeMap<String, usize>,
    pub(super) indices: Option<usize>,
    pub(super) mode: Option<u32>,
    #[serde(default)]
    pub(super) targets: Vec<Target>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) struct Target {
    pub(super) position: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Skin {
    pub(super) inverse_bind_matrices: Option<usize>,
    pub(super) joints: Vec<usize>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Animation {
    pub(super) name: Option<String>,
    pub(super) channels: Vec<Channel>,
    pub(super) samplers: Vec<Sampler>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Channel {
    pub(super) sampler: usize,
    pub(super) target: ChannelTarget,
}

#[derive(Debug, Deserialize)]
pub(super) struct ChannelTarget {
    pub(super) node: Option<usize>,
    pub(super) path: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Sampler {
    pub(super) input: usize,
    pub(super) output: usize,
    #[serde(default)]
    pub(super) interpolation: Interpolation,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum Interpolation {
    #[default]
    Linear,
    Step,
    CubicSpline,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub(super) buffer_view: Option<usize>,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) component_type: u32,
    #[serde(default)]
    pub(super) normalized: bool,
    pub(super) count: usize,
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) sparse: Option<Box<Sparse>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Sparse {
    pub(super) count: usize,
    pub(super) indices: SparseIndices,
    pub(super) values: SparseValues,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseIndices {
    pub(super) buffer_view: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) component_type: u32,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseValues {
    pub(super) buffer_view: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub(super) buffer: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) byte_length: usize,
    pub(super) byte_stride: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub(super) uri: Option<String>,
    pub(super) byte_length: usize,
}

/// Extensions a file may require without a vertex being anywhere else. Quantised vertices are read like any others, and
/// so are nodes that are not shown.
const HARMLESS: [&str; 8] = [
    "KHR_mesh_quantization",
    "KHR_node_visibility",
    "KHR_materials_",
    "KHR_texture_",
    "KHR_lights_",
    "EXT_texture_",
    "EXT_lights_",
    "MSFT_texture_",
];

/// Reads a `.gltf` text or the parts of a `.glb` file; gives the document and the bytes a `.glb` brings along.
pub(super) fn parse(bytes: &[u8]) -> Result<(Document, Option<&[u8]>), Fault> {
    if bytes.is_empty() {
        return Err(Fault::file("the file is empty"));
    }
    let (json, chunk) = match bytes.strip_prefix(b"glTF") {
        Some(_) => split_binary(bytes)?,
        None => (bytes, None),
    };
    let document: Document = serde_json::from_slice(json).map_err(|error| {
        let text = error.to_string();
        let what = text.split(" at line ").next().unwrap_or_default();
        if chunk.is_some() {
            Fault::file(format!("its JSON, column {}: {what}", error.column()))
        } else {
            Fault::Content { at: Place::Line(error.line() as u64), what: what.into(), hint: None }
        }
    })?;
    if !document.asset.version.starts_with("2.") {
        let what = format!("version {} of glTF is not read, only 2", document.asset.version.escape_debug());
        return Err(Fault::file(what));
    }
    let harmless = |name: &&String| HARMLESS.iter().any(|known| name.starts_with(known));
    if let Some(name) = document.extensions_required.iter().find(|name| !harmless(name)) {
        let what = format!("it needs the extension `{}`, which is not read", name.escape_debug());
        return Err(Fault::file(what).with_hint("export the file without it"));
    }
    Ok((document, chunk))
}

/// The chunks of a `.glb` file: JSON first, then perhaps bytes; others are ignored, as the specification asks.
fn split_binary(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), Fault> {
    let word = |at: usize| {
        let four = bytes.get(at..at + 4)?;
        Some(u32::from_le_bytes([four[0], four[1], four[2], four[3]]) as usize)
    };
    let truncated = |at| Fault::byte(at, "the file ends in its header").with_hint("it may be truncated");
    let (version, len) = word(4).zip(word(8)).ok_or_else(|| truncated(bytes.len()))?;
    if version != 2 {
        return Err(Fault::byte(4, format!("version {version} of GLB is not read, only 2")));
    }
    if len > bytes.len() {
        let what = format!("the header says {len} bytes, but the file has {}", bytes.len());
        return Err(Fault::byte(8, what).with_hint("it may be truncated"));
    }
    let mut json = None;
    let mut at = 12;
    while at < len {
        let (size, kind) = word(at).zip(word(at + 4)).ok_or_else(|| truncated(at))?;
        let Some(chunk) = bytes.get(at + 8..at + 8 + size) else {
            let what = format!("a chunk of {size} bytes goes past the end of the file");
            return Err(Fault::byte(at, what).with_hint("it may be truncated"));
        };
        match (json, &kind.to_le_bytes()[..4]) {
            (None, b"JSON") => json = Some(chunk),
            (None, _) => {
                return Err(Fault::byte(at, "the first chunk of a GLB file must be JSON"));
            }
            (Some(json), b"BIN\0") => return Ok((json, Some(chunk))),
            _ => {}
        }
        at += 8 + size;
    }
    match json {
        Some(json) => Ok((json, Some(&[]))),
        None => Err(truncated(len)),
    }
}
