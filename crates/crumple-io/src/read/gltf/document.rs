//! The JSON of a glTF file: the part of it that says where vertices are.
//!
//! Textures, cameras and lights are not looked at, and of materials only names, whatever else they are: nothing in them can keep a
//! file from being read.

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::error::{Fault, Place};
use crate::foreign::without_mark;

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
    #[serde(default)]
    materials: Lenient<Vec<Lenient<Material>>>,
}

/// Something that need not be what it should.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Lenient<T> {
    Right(T),
    Wrong(IgnoredAny),
}

impl<T> Default for Lenient<T> {
    fn default() -> Self {
        Lenient::Wrong(IgnoredAny)
    }
}

impl<T> Lenient<T> {
    fn right(&self) -> Option<&T> {
        match self {
            Lenient::Right(right) => Some(right),
            Lenient::Wrong(_) => None,
        }
    }
}

#[derive(Debug, Deserialize)]
struct Material {
    name: String,
}

impl Document {
    /// The names of the materials; an empty one where there is none.
    pub(super) fn material_names(&self) -> Vec<String> {
        let materials = self.materials.right().map_or(&[][..], Vec::as_slice);
        materials.iter().map(|material| material.right().map_or_else(String::new, |found| found.name.clone())).collect()
    }
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
    extensions: Option<Box<NodeExtensions>>,
}

impl Node {
    /// The accessors that say where copies of the node's mesh are, if it has copies.
    pub(super) fn instances(&self) -> Option<&Instances> {
        self.extensions.as_ref()?.instancing.as_ref().map(|instancing| &instancing.attributes)
    }
}

#[derive(Debug, Deserialize)]
struct NodeExtensions {
    #[serde(rename = "EXT_mesh_gpu_instancing")]
    instancing: Option<Instancing>,
}

#[derive(Debug, Deserialize)]
struct Instancing {
    attributes: Instances,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) struct Instances {
    pub(super) translation: Option<usize>,
    pub(super) rotation: Option<usize>,
    pub(super) scale: Option<usize>,
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
    #[serde(default)]
    material: Lenient<usize>,
    #[serde(default)]
    extensions: PrimitiveExtensions,
}

impl Primitive {
    /// The number of its material, if it has one.
    pub(super) fn material(&self) -> Option<usize> {
        self.material.right().copied()
    }

    /// Where its vertices and triangles are compressed by Draco, if they are.
    pub(super) fn draco(&self) -> Option<&Draco> {
        self.extensions.draco.as_ref()
    }

    /// The extensions of it that are not read.
    pub(super) fn unknown_extensions(&self) -> impl Iterator<Item = &str> {
        self.extensions.others.keys().map(String::as_str)
    }
}

#[derive(Debug, Default, Deserialize)]
struct PrimitiveExtensions {
    #[serde(rename = "KHR_draco_mesh_compression")]
    draco: Option<Draco>,
    #[serde(flatten)]
    others: std::collections::BTreeMap<String, serde::de::IgnoredAny>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Draco {
    pub(super) buffer_view: usize,
    /// The number that the compressed mesh gives each attribute.
    pub(super) attributes: std::collections::BTreeMap<String, u32>,
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
    extensions: Option<Box<ViewExtensions>>,
}

impl BufferView {
    /// How its bytes are compressed, if they are.
    pub(super) fn meshopt(&self) -> Option<&Meshopt> {
        let extensions = self.extensions.as_ref()?;
        extensions.khr_meshopt.as_ref().or(extensions.meshopt.as_ref())
    }
}

#[derive(Debug, Deserialize)]
struct ViewExtensions {
    #[serde(rename = "EXT_meshopt_compression")]
    meshopt: Option<Meshopt>,
    #[serde(rename = "KHR_meshopt_compression")]
    khr_meshopt: Option<Meshopt>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Meshopt {
    pub(super) buffer: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) byte_length: usize,
    pub(super) byte_stride: usize,
    pub(super) count: usize,
    pub(super) mode: String,
    #[serde(default)]
    pub(super) filter: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub(super) uri: Option<String>,
    pub(super) byte_length: usize,
    extensions: Option<Box<BufferExtensions>>,
}

impl Buffer {
    /// Whether it only holds the place of what other buffers have compressed, and has no bytes.
    pub(super) fn is_fallback(&self) -> bool {
        let extensions = self.extensions.as_deref();
        extensions.is_some_and(|known| [&known.meshopt, &known.khr_meshopt].into_iter().flatten().any(|e| e.fallback))
    }
}

#[derive(Debug, Deserialize)]
struct BufferExtensions {
    #[serde(rename = "EXT_meshopt_compression")]
    meshopt: Option<Fallback>,
    #[serde(rename = "KHR_meshopt_compression")]
    khr_meshopt: Option<Fallback>,
}

#[derive(Debug, Deserialize)]
struct Fallback {
    #[serde(default)]
    fallback: bool,
}

/// Extensions a file may require: those that are read, and those that leave every vertex where it is. Quantised vertices
/// are read like any others, and so are nodes that are not shown. What ends in `_` stands for all that begin so.
const KNOWN: [&str; 12] = [
    "KHR_mesh_quantization",
    "KHR_draco_mesh_compression",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
    "EXT_mesh_gpu_instancing",
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
        None => (without_mark(bytes), None),
    };
    let document: Document = serde_json::from_slice(json).map_err(|error| {
        if is_version_1(json) {
            return version_1();
        }
        let text = error.to_string();
        let what = text.split(" at line ").next().unwrap_or_default();
        if chunk.is_some() {
            Fault::file(format!("its JSON, column {}: {what}", error.column()))
        } else {
            Fault::Content { at: Place::Line(error.line() as u64), what: what.into(), hint: None }
        }
    })?;
    if document.asset.version.starts_with("1.") {
        return Err(version_1());
    }
    if !document.asset.version.starts_with("2.") {
        let what = format!("version {} of glTF is not read, only 2", document.asset.version.escape_debug());
        return Err(Fault::file(what));
    }
    let is_known =
        |name: &&String| KNOWN.iter().any(|known| name == known || (known.ends_with('_') && name.starts_with(known)));
    if let Some(name) = document.extensions_required.iter().find(|name| !is_known(name)) {
        let what = format!("it needs the extension `{}`, which is not read", name.escape_debug());
        return Err(Fault::file(what).with_hint("export the file without it"));
    }
    Ok((document, chunk))
}

/// Whether JSON is that of glTF 1.0, where meshes have names and are not in a list.
fn is_version_1(json: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Probe {
        meshes: Option<serde_json::Value>,
        accessors: Option<serde_json::Value>,
    }
    let probe: Option<Probe> = serde_json::from_slice(json).ok();
    probe.is_some_and(|probe| [probe.meshes, probe.accessors].iter().flatten().any(serde_json::Value::is_object))
}

fn version_1() -> Fault {
    Fault::file("it is glTF 1.0, and only 2.0 is read").with_hint("convert it, for example with `gltf-pipeline`")
}

/// The chunks of a `.glb` file: JSON first, then perhaps bytes; others are ignored, as the specification asks.
fn split_binary(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), Fault> {
    let word = |at: usize| {
        let four = bytes.get(at..at + 4)?;
        Some(u32::from_le_bytes([four[0], four[1], four[2], four[3]]) as usize)
    };
    let truncated = |at| Fault::byte(at, "the file ends in its header").with_hint("it may be truncated");
    let (version, len) = word(4).zip(word(8)).ok_or_else(|| truncated(bytes.len()))?;
    if version == 1 {
        return Err(version_1());
    }
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
