//! glTF and GLB: every mesh in the scene a body, with skins, morph targets and keyframes sampled at a fixed rate.
//!
//! Our own reader on serde_json: the `gltf` crate (1.4.1) panics on a GLB header with a length below 12 where overflow
//! is checked, refuses quantised vertices and files whose textures it does not know, and panics on accessors that do
//! not fit their buffers. What we need of the format is small: nodes, meshes, skins, animations, accessors.
//!
//! ```text
//! document.rs   the JSON, and the chunks of a GLB
//! accessor.rs   buffers, and numbers out of them
//! meshopt.rs    buffer views that are compressed
//! draco.rs      primitives that are compressed
//! mesh.rs       primitives to one list of vertices and triangles
//! animation.rs  keyframes at a time
//! pose.rs       nodes at a frame, vertices at a pose
//! skeleton.rs   what bones are called, and how far they are apart
//! ```
//!
//! Frame k is the animation at k / fps seconds, from 0 to its last key. Bodies that nothing moves have one frame. Where all
//! animations are played, the frames of each follow those of the one before.

mod accessor;
mod animation;
mod document;
mod draco;
mod mesh;
mod meshopt;
mod pose;
mod skeleton;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;
use std::sync::Arc;

use glam::DMat4;

use crate::body::{AnimatedBody, ReadOptions};
use crate::error::{Fault, ReadError};
use crate::foreign::explained;
use crate::words::{UniqueNames, counted};

use accessor::Buffers;
use document::Document;
use pose::{Player, Posed, Skin};
pub(crate) use skeleton::Skeleton;

use super::{bytes_of, name_of};

/// The most frames an animation may have. A key in the far future costs a file nothing: at 30 frames per second this many
/// last four days.
const MOST_FRAMES: usize = 10_000_000;

/// The most bodies of a file: a few bytes may ask for very many copies.
const MOST_BODIES: usize = 1_000_000;

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
/// When a file cannot be opened, is not glTF 2.0, refers to what it does not have, needs an extension that is not read, or
/// has no animation of the name asked for.
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
    let (document, chunk) = document::parse(bytes).map_err(|fault| explained(fault, bytes).in_file(file))?;
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
    let (document, chunk) = document::parse(&bytes).map_err(|fault| explained(fault, &bytes).in_file(file))?;
    let buffers = Buffers::load(&document, chunk, file, bytes.len())?;
    let info = |animation: &document::Animation| {
        let channels = channels(&document, animation, &buffers)?;
        Ok(AnimationInfo { name: animation.name.clone(), seconds: seconds(&channels) })
    };
    let infos: Result<Vec<_>, Fault> = document.animations.iter().map(info).collect();
    infos.map_err(|fault| fault.in_file(file))
}

/// How a body of a glTF file moves.
#[derive(Clone, Debug)]
pub(crate) struct Motion {
    posed: Posed,
    /// What is played, one after another; the first one only if nothing moves the body.
    played: Arc<Played>,
    moves: bool,
}

/// The animations that are played, and how many there are.
#[derive(Debug)]
struct Played {
    animations: Vec<PlayedAnimation>,
    /// How many the file has.
    in_file: usize,
    /// The bones of the file, if it has a skin.
    skeleton: Option<Arc<Skeleton>>,
}

#[derive(Debug)]
struct PlayedAnimation {
    /// `None` for the file's nodes as they stand.
    name: Option<String>,
    player: Player,
    frames: usize,
}

impl Played {
    fn frame_count(&self) -> usize {
        self.animations.iter().map(|animation| animation.frames).sum()
    }

    /// The animation of a frame, and which of its frames it is.
    fn at(&self, frame: usize) -> (&PlayedAnimation, usize) {
        let mut rest = frame;
        for animation in &self.animations {
            if rest < animation.frames {
                return (animation, rest);
            }
            rest -= animation.frames;
        }
        (&self.animations[0], frame)
    }
}

impl Motion {
    pub(crate) fn frame_count(&self) -> usize {
        if self.moves { self.played.frame_count() } else { 1 }
    }

    /// How many animations the file has.
    pub(crate) fn animation_count(&self) -> usize {
        self.played.in_file
    }

    /// The names of the animations that are played.
    pub(crate) fn animations(&self) -> impl Iterator<Item = &str> {
        self.played.animations.iter().filter_map(|animation| animation.name.as_deref())
    }

    /// The animation of a frame and which of its frames it is, where several are played.
    pub(crate) fn animation_at(&self, frame: usize) -> Option<(&str, usize)> {
        let several = self.played.animations.len() > 1 && self.moves;
        let (animation, frame) = several.then(|| self.played.at(frame))?;
        Some((animation.name.as_deref()?, frame))
    }

    /// The bones that move it, if it has a skin.
    pub(crate) fn skeleton(&self) -> Option<&Arc<Skeleton>> {
        self.posed.skin.as_ref().and(self.played.skeleton.as_ref())
    }

    /// The bones that pull at a vertex, as nodes, with their weights: the node of the body where none does.
    pub(crate) fn pulls(&self, vertex: usize) -> Vec<(u32, f32)> {
        self.posed.pulls(vertex)
    }

    /// The vertices before anything moves them.
    pub(crate) fn rest(&self) -> &[[f32; 3]] {
        &self.posed.mesh.positions
    }

    /// Writes the vertices of a frame into `positions`, which has one entry per vertex. They are not checked: a vertex
    /// that leaves the range of f32 is infinite.
    pub(crate) fn frame(&self, frame: usize, positions: &mut [[f32; 3]]) {
        let (animation, frame) = self.played.at(frame);
        self.posed.frame(&animation.player, frame, positions);
    }
}

/// A body that a file gives: a mesh at a node, or a copy of it there.
struct Wanted {
    node: usize,
    mesh: usize,
    copy: Option<Box<DMat4>>,
}

fn bodies(
    document: &Document,
    buffers: &Buffers<'_>,
    file: &Path,
    options: &ReadOptions,
) -> Result<Vec<AnimatedBody>, Fault> {
    let played = Arc::new(played(document, buffers, options)?);
    let player = &played.animations[0].player;
    let in_scene = player.below(&roots(document)?);
    let any = |which: fn(&Player) -> Vec<bool>| {
        let mut any = vec![false; document.nodes.len()];
        for animation in &played.animations {
            any.iter_mut().zip(which(&animation.player)).for_each(|(any, one)| *any |= one);
        }
        any
    };
    let (moving, morphing) = (any(Player::moving), any(Player::morphing));

    let wanted_labels = mesh::WantedLabels {
        materials: document.material_names(),
        masks: options.masks.iter().map(|mask| mask.name.as_str()).collect(),
    };
    let mut meshes: HashMap<usize, mesh::Mesh> = HashMap::new();
    let mut wanted = Vec::new();
    let (mut left_out, mut skins_with_copies) = (0, 0);
    for (n, node) in document.nodes.iter().enumerate() {
        let (Some(m), true) = (node.mesh, in_scene[n]) else {
            continue;
        };
        let Some(mesh) = document.meshes.get(m) else {
            return Err(Fault::file(format!("node {n}: there is no mesh {m}")));
        };
        if let Entry::Vacant(entry) = meshes.entry(m) {
            let read = mesh::read(mesh, buffers, &wanted_labels).map_err(|fault| fault.inside(&format!("mesh {m}")))?;
            left_out += read.left_out;
            entry.insert(read);
        }
        if !meshes[&m].has_triangles {
            continue;
        }
        match node.instances() {
            Some(instances) if node.skin.is_none() => {
                let copies = pose::copies(instances, buffers).map_err(|fault| fault.inside(&format!("node {n}")))?;
                wanted.extend(copies.into_iter().map(|copy| Wanted { node: n, mesh: m, copy: Some(Box::new(copy)) }));
            }
            // Joints say where the vertices of a skin are, so all of its copies are where it is.
            instances => {
                skins_with_copies += u64::from(instances.is_some());
                wanted.push(Wanted { node: n, mesh: m, copy: None });
            }
        }
        if wanted.len() > MOST_BODIES {
            return Err(Fault::file(format!(
                "it has more than {MOST_BODIES} bodies, and no more are read from a file"
            )));
        }
    }
    if wanted.is_empty() && left_out > 0 {
        let fault = Fault::file("it is made of lines or points and has no triangles");
        return Err(fault.with_hint("export surfaces, not edges or vertices"));
    }
    let mut notes = Vec::new();
    if left_out > 0 {
        notes.push(format!("{} of lines or points left out", counted(left_out as u64, "primitive")));
    }
    if skins_with_copies > 0 {
        notes.push(format!("{} with a skin and copies: one body each", counted(skins_with_copies, "node")));
    }

    let mut skins: HashMap<usize, Arc<Skin>> = HashMap::new();
    let mut shapes = Vec::new();
    for &Wanted { node: n, mesh: m, ref copy } in &wanted {
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
        let copy_mirrors = copy.as_ref().is_some_and(|copy| copy.determinant() < 0.0);
        let mirrors = skin.is_none() && player.mirrors(n) != copy_mirrors;
        if let Some(mesh) = meshes.get_mut(&m) {
            shapes.push(mesh.shape(mirrors));
        }
    }

    let meshes: HashMap<usize, Arc<mesh::Mesh>> = meshes.into_iter().map(|(m, mesh)| (m, Arc::new(mesh))).collect();
    let mut names = UniqueNames::default();
    let body = |(Wanted { node: n, mesh: m, copy }, shape): (Wanted, Arc<crate::body::Shape>)| {
        let node = &document.nodes[n];
        let skin = node.skin.and_then(|s| skins.get(&s).cloned());
        let pulled = skin.as_ref().is_some_and(|skin| skin.joints.iter().any(|&joint| moving[joint]));
        let moves = pulled || moving[n] || morphing[n];
        let name = node.name.as_deref().or(document.meshes[m].name.as_deref());
        let name = match name {
            Some(name) if !name.is_empty() => names.unique(name),
            _ => names.unique(&format!("{} node {n}", name_of(file))),
        };
        let motion = Motion {
            posed: Posed {
                mesh: meshes[&m].clone(),
                node: n,
                node_from_copy: copy,
                skin,
                weights: node.weights.clone(),
            },
            played: Arc::clone(&played),
            moves,
        };
        let mut body = AnimatedBody::posed(name, file, shape, motion).with_notes(std::mem::take(&mut notes));
        body.labels = meshes[&m].labels.clone();
        body
    };
    Ok(wanted.into_iter().zip(shapes).map(body).collect())
}

/// What is played: one animation, all of them, or the nodes as they stand in a file without any.
fn played(document: &Document, buffers: &Buffers<'_>, options: &ReadOptions) -> Result<Played, Fault> {
    let wanted: Vec<_> = match options.all_animations {
        true => document.animations.iter().enumerate().collect(),
        false => chosen(document, options)?.into_iter().collect(),
    };
    let mut animations = Vec::new();
    for (number, animation) in wanted {
        let channels = channels(document, animation, buffers)?;
        let frames = frame_count(seconds(&channels), options.fps)?;
        let name = Some(animation.name.clone().unwrap_or_else(|| number.to_string()));
        animations.push(PlayedAnimation { name, player: Player::new(document, channels, options.fps)?, frames });
    }
    if animations.is_empty() {
        let player = Player::new(document, Vec::new(), options.fps)?;
        animations.push(PlayedAnimation { name: None, player, frames: frame_count(0.0, options.fps)? });
    }
    let skeleton = Skeleton::of(document, &animations[0].player).map(Arc::new);
    let played = Played { animations, in_file: document.animations.len(), skeleton };
    if played.frame_count() > MOST_FRAMES {
        let what = format!("its animations have more than {MOST_FRAMES} frames together");
        return Err(Fault::file(what).with_hint("choose fewer frames per second, or one animation"));
    }
    Ok(played)
}

/// The animation asked for, or the first one, with its number.
fn chosen<'a>(
    document: &'a Document,
    options: &ReadOptions,
) -> Result<Option<(usize, &'a document::Animation)>, Fault> {
    let animations = &document.animations;
    let Some(wanted) = &options.animation else {
        return Ok(animations.first().map(|first| (0, first)));
    };
    let named = animations.iter().enumerate().find(|(_, animation)| animation.name.as_ref() == Some(wanted));
    let numbered =
        || wanted.parse().ok().and_then(|number: usize| animations.get(number).map(|animation| (number, animation)));
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
    if last >= MOST_FRAMES as f64 {
        let what = format!("{seconds} seconds at {fps} frames per second are more than {MOST_FRAMES} frames");
        return Err(Fault::file(what).with_hint("choose fewer frames per second, or make the animation shorter"));
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
            let matrices = buffers.given_floats::<16>(index, "MAT4")?;
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
