//! glTF and GLB: every mesh in the scene a body, with skins, morph targets and keyframes sampled at a fixed rate.
//!
//! Our own reader on serde_json: the `gltf` crate (1.4.1) panics on a GLB header with a length below 12 where overflow
//! is checked, refuses quantised vertices and files whose textures it does not know, and panics on accessors that do
//! not fit their buffers. What we need of the format is small: nodes, meshes, skins, animations, accessors.
//!
//! ```text
//! document.rs   the JSON, and the chunks of a GLB
//! accessor.rs   buffers, and numbers out of them
//! mesh.rs       primitives to one list of vertices and triangles
//! animation.rs  keyframes at a time
//! pose.rs       nodes at a frame, vertices at a pose
//! ```
//!
//! Frame k is the animation at k / fps seconds, from 0 to its last key. Bodies that nothing moves have one frame.

mod accessor;
mod animation;
mod document;
mod mesh;
mod pose;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;
use std::sync::Arc;

use glam::DMat4;

use crate::body::{AnimatedBody, ReadOptions};
use crate::error::{Fault, ReadError};

use accessor::Buffers;
use document::Document;
use pose::{Player, Posed, Skin};

use super::{bytes_of, name_of};

/// An animation of a glTF file.
#[derive(Clone, Debug, PartialEq)]
pub struct AnimationInfo {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The time of its last key, in seconds.
    pub seconds: f64,
}

/// Reads the bodies of a `.gltf` or `.glb` file, playing the animation and at the rate `options` say.
///
/// # Errors
/// When a file cannot be opened, is not glTF 2.0, refers to what it does not have, is compressed, or has no animation
/// of the name asked for.
pub fn read_gltf(file: impl AsRef<Path>, options: &ReadOptions) -> Result<Vec<AnimatedBody>, ReadError> {
    let file = file.as_ref();
    parse_gltf(&bytes_of(file)?, file, options)
}

/// Reads glTF from memory; `file` is what errors call it, and where the other files it names are looked for.
///
/// # Errors
/// As [`read_gltf`].
pub fn parse_gltf(bytes: &[u8], file: impl AsRef<Path>, options: &ReadOptions) -> Result<Vec<AnimatedBody>, ReadError> {
    let file = file.as_ref();
    let (document, chunk) = document::parse(bytes).map_err(|fault| fault.in_file(file))?;
    let buffers = Buffers::load(&document, chunk, file, bytes.len())?;
    bodies(&document, &buffers, file, options).map_err(|fault| fault.in_file(file))
}

/// The animations of a `.gltf` or `.glb` file, in the file's order.
///
/// # Errors
/// As [`read_gltf`].
pub fn gltf_animations(file: impl AsRef<Path>) -> Result<Vec<AnimationInfo>, ReadError> {
    let file = file.as_ref();
    let bytes = bytes_of(file)?;
    let (document, chunk) = document::parse(&bytes).map_err(|fault| fault.in_file(file))?;
    let buffers = Buffers::load(&document, chunk, file, bytes.len())?;
    let info = |animation: &document::Animation| {
        let channels = channels(&document, animation, &buffers)?;
        Ok(AnimationInfo { name: animation.name.clone(), seconds: seconds(&channels) })
    };
    let infos: Result<Vec<_>, Fault> = document.animations.iter().map(info).collect();
    infos.map_err(|fault| fault.in_file(file))
}

/// How a body of a glTF file moves.
#[derive(Debug)]
pub(crate) struct Motion {
    posed: Posed,
    frames: usize,
}

impl Motion {
    pub(crate) fn frame_count(&self) -> usize {
        self.frames
    }

    /// Writes the vertices of a frame into `positions`, which has one entry per vertex. They are not checked: a vertex
    /// that leaves the range of f32 is infinite.
    pub(crate) fn frame(&self, frame: usize, positions: &mut [[f32; 3]]) {
        self.posed.frame(frame, positions);
    }
}

fn bodies(
    document: &Document,
    buffers: &Buffers<'_>,
    file: &Path,
    options: &ReadOptions,
) -> Result<Vec<AnimatedBody>, Fault> {
    let channels = match chosen(document, options)? {
        Some(animation) => channels(document, animation, buffers)?,
        None => Vec::new(),
    };
    let frames = frame_count(seconds(&channels), options.fps)?;
    let player = Arc::new(Player::new(document, channels, options.fps)?);
    let in_scene = player.below(&roots(document)?);
    let (moving, morphing) = (player.moving(), player.morphing());

    let mut meshes: HashMap<usize, mesh::Mesh> = HashMap::new();
    let mut wanted = Vec::new();
    for (n, node) in document.nodes.iter().enumerate() {
        let (Some(m), true) = (node.mesh, in_scene[n]) else {
            continue;
        };
        let Some(mesh) = document.meshes.get(m) else {
            return Err(Fault::file(format!("node {n}: there is no mesh {m}")));
        };
        if let Entry::Vacant(entry) = meshes.entry(m) {
            let read = mesh::read(mesh, buffers).map_err(|fault| fault.inside(&format!("mesh {m}")))?;
            entry.insert(read);
        }
        wanted.push((n, m));
    }

    let mut skins: HashMap<usize, Arc<Skin>> = HashMap::new();
    let mut shapes = Vec::new();
    for &(n, m) in &wanted {
        let skin = document.nodes[n].skin;
        if let Some(s) = skin {
            let skin = match skins.get(&s) {
                Some(skin) => skin.clone(),
                None => {
                    let skin = read_skin(document, s, buffers).map_err(|fault| fault.inside(&format!("skin {s}")))?;
                    let skin = Arc::new(skin);
                    skins.insert(s, skin.clone());
                    skin
                }
            };
            let last = meshes[&m].pulls.iter().map(|pull| pull.joint as usize).max();
            if last.is_some_and(|joint| joint >= skin.joints.len()) {
                let what = format!(
                    "node {n}: mesh {m} uses joint {}, but skin {s} has {} joints",
                    last.unwrap_or(0),
                    skin.joints.len()
                );
                return Err(Fault::file(what));
            }
        }
        // A skin puts vertices where its joints are, wherever the node itself is.
        let mirrors = skin.is_none() && player.mirrors(n);
        if let Some(mesh) = meshes.get_mut(&m) {
            shapes.push(mesh.shape(mirrors));
        }
    }

    let meshes: HashMap<usize, Arc<mesh::Mesh>> = meshes.into_iter().map(|(m, mesh)| (m, Arc::new(mesh))).collect();
    let mut names = Names::default();
    let body = |((n, m), shape): ((usize, usize), Arc<crate::body::Shape>)| {
        let node = &document.nodes[n];
        let skin = node.skin.and_then(|s| skins.get(&s).cloned());
        let pulled = skin.as_ref().is_some_and(|skin| skin.joints.iter().any(|&joint| moving[joint]));
        let moves = pulled || moving[n] || morphing[n];
        let name = node.name.as_deref().or(document.meshes[m].name.as_deref());
        let name = match name {
            Some(name) if !name.is_empty() => name.to_string(),
            _ => format!("{} node {n}", name_of(file)),
        };
        let motion = Motion {
            posed: Posed {
                player: player.clone(),
                mesh: meshes[&m].clone(),
                node: n,
                skin,
                weights: node.weights.clone(),
            },
            frames: if moves { frames } else { 1 },
        };
        AnimatedBody::posed(names.unique(name), file, shape, motion)
    };
    Ok(wanted.into_iter().zip(shapes).map(body).collect())
}

/// The animation asked for, or the first one.
fn chosen<'a>(document: &'a Document, options: &ReadOptions) -> Result<Option<&'a document::Animation>, Fault> {
    let animations = &document.animations;
    let Some(wanted) = &options.animation else {
        return Ok(animations.first());
    };
    let named = animations.iter().find(|a| a.name.as_ref() == Some(wanted));
    let numbered = || wanted.parse().ok().and_then(|number: usize| animations.get(number));
    if let Some(animation) = named.or_else(numbered) {
        return Ok(Some(animation));
    }
    let known: Vec<String> = animations
        .iter()
        .enumerate()
        .map(|(a, animation)| animation.name.as_ref().map_or(a.to_string(), |name| format!("`{name}`")))
        .collect();
    let known = match known.len() {
        0 => "it has none".into(),
        _ => format!("it has {}", known.join(", ")),
    };
    Err(Fault::file(format!("no animation `{wanted}`: {known}")))
}

fn channels(
    document: &Document,
    animation: &document::Animation,
    buffers: &Buffers<'_>,
) -> Result<Vec<animation::Channel>, Fault> {
    let morphs = |node: usize| {
        let mesh = document.nodes[node].mesh.and_then(|mesh| document.meshes.get(mesh));
        let primitives = mesh.map_or(&[][..], |mesh| &mesh.primitives);
        primitives.iter().map(|primitive| primitive.targets.len()).max().unwrap_or(0)
    };
    animation::channels(animation, document.nodes.len(), morphs, buffers)
}

fn seconds(channels: &[animation::Channel]) -> f64 {
    channels.iter().map(|channel| f64::from(channel.end())).fold(0.0, f64::max)
}

/// How many frames fit from second 0 to the last key, both included.
fn frame_count(seconds: f64, fps: f64) -> Result<usize, Fault> {
    if !(fps.is_finite() && fps > 0.0) {
        return Err(Fault::file(format!("{fps} is not a number of frames per second")));
    }
    // Times are rounded to f32: a key meant for frame 30 may lie a little before it.
    let last = (seconds * fps + 1e-3).floor();
    if last >= f64::from(u32::MAX) {
        return Err(Fault::file(format!("{seconds} seconds at {fps} frames per second are too many frames")));
    }
    Ok(last as usize + 1)
}

/// The nodes at the top of the scene that is shown.
fn roots(document: &Document) -> Result<Vec<usize>, Fault> {
    if document.scenes.is_empty() {
        return Ok((0..document.nodes.len()).collect());
    }
    let scene = document.scene.unwrap_or(0);
    let Some(found) = document.scenes.get(scene) else {
        return Err(Fault::file(format!("there is no scene {scene}")));
    };
    match found.nodes.iter().find(|&&node| node >= document.nodes.len()) {
        Some(node) => Err(Fault::file(format!("scene {scene}: there is no node {node}"))),
        None => Ok(found.nodes.clone()),
    }
}

fn read_skin(document: &Document, skin: usize, buffers: &Buffers<'_>) -> Result<Skin, Fault> {
    let Some(found) = document.skins.get(skin) else {
        return Err(Fault::file("there is no such skin"));
    };
    if let Some(joint) = found.joints.iter().find(|&&joint| joint >= document.nodes.len()) {
        return Err(Fault::file(format!("there is no node {joint}")));
    }
    let joint_from_mesh = match found.inverse_bind_matrices {
        None => vec![DMat4::IDENTITY; found.joints.len()],
        Some(index) => {
            let matrices = buffers.floats::<16>(index, "MAT4")?;
            if matrices.len() < found.joints.len() {
                return Err(Fault::file(format!(
                    "{} joints have only {} inverse bind matrices",
                    found.joints.len(),
                    matrices.len()
                )));
            }
            let wide = |matrix: &[f32; 16]| DMat4::from_cols_array(&matrix.map(f64::from));
            matrices.iter().map(wide).collect()
        }
    };
    Ok(Skin { joints: found.joints.clone(), joint_from_mesh })
}

/// Names given so far, so that two bodies of a file get different names.
#[derive(Default)]
struct Names(HashMap<String, usize>);

impl Names {
    fn unique(&mut self, name: String) -> String {
        let times = self.0.entry(name.clone()).or_insert(0);
        *times += 1;
        match *times {
            1 => name,
            again => format!("{name} #{again}"),
        }
    }
}
