//! Where the nodes of a glTF file are at a time, and where that puts the vertices of a body.
//!
//! All in f64 and rounded to f32 once, at the end. The pose of a frame is kept until another frame is asked for: the
//! bodies of a file usually ask for the same one.

use std::sync::{Arc, Mutex, PoisonError};

use glam::{DMat4, DQuat, DVec3, DVec4};

use crate::error::Fault;

use super::accessor::Buffers;
use super::animation::{Channel, Property};
use super::document::{self, Document};
use super::mesh::{Mesh, Pull};

/// The nodes of a file and how they move.
#[derive(Debug)]
pub(super) struct Player {
    nodes: Vec<Node>,
    /// Parents before children.
    order: Vec<usize>,
    channels: Vec<Channel>,
    pub(super) fps: f64,
    now: Mutex<Pose>,
}

#[derive(Debug)]
struct Node {
    parent: Option<usize>,
    local: Local,
}

/// A node's transform relative to its parent, as the file gives it.
#[derive(Clone, Copy, Debug)]
enum Local {
    Matrix(DMat4),
    Parts { translation: DVec3, rotation: DQuat, scale: DVec3 },
}

/// The nodes in one frame.
#[derive(Debug, Default)]
struct Pose {
    frame: Option<usize>,
    world_from_node: Vec<DMat4>,
    /// Morph weights, for the nodes whose weights are animated.
    weights: Vec<Vec<f64>>,
}

/// A body of a file: a mesh at a node.
#[derive(Clone, Debug)]
pub(super) struct Posed {
    pub(super) mesh: Arc<Mesh>,
    pub(super) node: usize,
    /// Where this copy of the mesh is in the node, if the node has copies.
    pub(super) node_from_copy: Option<Box<DMat4>>,
    pub(super) skin: Option<Arc<Skin>>,
    /// The node's own morph weights, if it has any.
    pub(super) weights: Option<Vec<f64>>,
}

/// The joints that pull at a mesh.
#[derive(Debug)]
pub(super) struct Skin {
    pub(super) joints: Vec<usize>,
    pub(super) joint_from_mesh: Vec<DMat4>,
}

impl Player {
    pub(super) fn new(document: &Document, channels: Vec<Channel>, fps: f64) -> Result<Self, Fault> {
        let mut nodes = Vec::with_capacity(document.nodes.len());
        for (n, node) in document.nodes.iter().enumerate() {
            nodes.push(Node {
                parent: None,
                local: local(node).ok_or_else(|| Fault::file(format!("node {n}: its transform is not finite")))?,
            });
        }
        for (n, node) in document.nodes.iter().enumerate() {
            for &child in &node.children {
                let fault = |what: String| Fault::file(format!("node {n}: {what}"));
                match nodes.get_mut(child) {
                    None => return Err(fault(format!("there is no node {child}"))),
                    Some(node) if node.parent.is_some() => {
                        return Err(fault(format!("its child {child} has another parent too")));
                    }
                    Some(node) => node.parent = Some(n),
                }
            }
        }
        // From the roots down; what this does not reach hangs on itself.
        let mut order: Vec<usize> = (0..nodes.len()).filter(|&n| nodes[n].parent.is_none()).collect();
        let mut next = 0;
        while next < order.len() {
            order.extend(&document.nodes[order[next]].children);
            next += 1;
        }
        if order.len() < nodes.len() {
            return Err(Fault::file("some of its nodes are their own ancestors"));
        }
        Ok(Player { nodes, order, channels, fps, now: Mutex::default() })
    }

    /// The nodes that have a parent, with it; parents before children.
    pub(super) fn below_parents(&self) -> impl Iterator<Item = (usize, usize)> {
        self.order.iter().filter_map(|&node| Some((node, self.nodes[node].parent?)))
    }

    /// Which nodes move in the animation, themselves or with an ancestor.
    pub(super) fn moving(&self) -> Vec<bool> {
        let mut moving = vec![false; self.nodes.len()];
        for channel in &self.channels {
            moving[channel.node] |= channel.property != Property::Weights;
        }
        for &node in &self.order {
            moving[node] |= self.nodes[node].parent.is_some_and(|parent| moving[parent]);
        }
        moving
    }

    /// Which nodes' meshes change their form in the animation.
    pub(super) fn morphing(&self) -> Vec<bool> {
        let mut morphing = vec![false; self.nodes.len()];
        for channel in &self.channels {
            morphing[channel.node] |= channel.property == Property::Weights;
        }
        morphing
    }

    /// The nodes below these, and these.
    pub(super) fn below(&self, roots: &[usize]) -> Vec<bool> {
        let mut below = vec![false; self.nodes.len()];
        for &root in roots {
            below[root] = true;
        }
        for &node in &self.order {
            below[node] |= self.nodes[node].parent.is_some_and(|parent| below[parent]);
        }
        below
    }

    /// Whether a node mirrors what it holds, in frame 0.
    pub(super) fn mirrors(&self, node: usize) -> bool {
        self.at(0, |pose| pose.world_from_node[node].determinant() < 0.0)
    }

    /// Calls `use_pose` with the pose of a frame.
    fn at<T>(&self, frame: usize, use_pose: impl FnOnce(&Pose) -> T) -> T {
        // A pose left half made by a panic elsewhere names no frame, so it is computed again.
        let mut pose = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        if pose.frame != Some(frame) {
            pose.frame = None;
            self.pose(frame as f64 / self.fps, &mut pose);
            pose.frame = Some(frame);
        }
        use_pose(&pose)
    }

    fn pose(&self, time: f64, pose: &mut Pose) {
        let mut locals: Vec<Local> = self.nodes.iter().map(|node| node.local).collect();
        pose.weights.resize(self.nodes.len(), Vec::new());
        let mut values = Vec::new();
        for channel in &self.channels {
            channel.sample(time, &mut values);
            match channel.property {
                Property::Weights => pose.weights[channel.node].clone_from(&values),
                _ => locals[channel.node].set(channel.property, &values),
            }
        }
        pose.world_from_node.clear();
        pose.world_from_node.resize(self.nodes.len(), DMat4::IDENTITY);
        for &node in &self.order {
            let local = locals[node].matrix();
            pose.world_from_node[node] = match self.nodes[node].parent {
                Some(parent) => pose.world_from_node[parent] * local,
                None => local,
            };
        }
    }
}

impl Posed {
    fn weights<'a>(&'a self, pose: &'a Pose) -> &'a [f64] {
        let animated = &pose.weights[self.node];
        if !animated.is_empty() {
            return animated;
        }
        self.weights.as_deref().unwrap_or(&self.mesh.weights)
    }

    /// The nodes that pull at a vertex, with their weights: its own where none does.
    pub(super) fn pulls(&self, vertex: usize) -> Vec<(u32, f32)> {
        let pulls = &self.mesh.pulls;
        let first = pulls.partition_point(|pull| (pull.vertex as usize) < vertex);
        let own = pulls[first..].iter().take_while(|pull| pull.vertex as usize == vertex);
        let joints = self.skin.as_ref().map_or(&[][..], |skin| &skin.joints);
        let of_joint = |pull: &Pull| Some((*joints.get(pull.joint as usize)? as u32, pull.weight));
        let found: Vec<(u32, f32)> = own.filter(|pull| pull.weight > 0.0).filter_map(of_joint).collect();
        if found.is_empty() { vec![(self.node as u32, 1.0)] } else { found }
    }

    /// Writes the vertices of a frame of an animation into `positions`.
    pub(super) fn frame(&self, player: &Player, frame: usize, positions: &mut [[f32; 3]]) {
        let (world_from_mesh, weights, joints) = player.at(frame, |pose| {
            let world_from_joint = self.skin.as_ref().map(|skin| {
                let joints = skin.joints.iter().zip(&skin.joint_from_mesh);
                joints.map(|(&joint, &from_mesh)| pose.world_from_node[joint] * from_mesh).collect::<Vec<_>>()
            });
            let world_from_node = pose.world_from_node[self.node];
            let world_from_mesh = self.node_from_copy.as_ref().map_or(world_from_node, |copy| world_from_node * **copy);
            (world_from_mesh, self.weights(pose).to_vec(), world_from_joint)
        });
        let mesh = &self.mesh;
        let mut pulls = mesh.pulls.iter().peekable();
        let targets: Vec<_> = weights
            .iter()
            .zip(&mesh.targets)
            .filter(|(weight, _)| **weight != 0.0)
            .flat_map(|(&weight, morphs)| morphs.iter().map(move |morph| (weight, morph)))
            .collect();
        for (v, (position, out)) in mesh.positions.iter().zip(positions).enumerate() {
            let mut rest = wide(position);
            for (weight, morph) in &targets {
                if let Some(offset) = v.checked_sub(morph.first).and_then(|k| morph.offsets.get(k)) {
                    rest += *weight * wide(offset);
                }
            }
            let Some(joints) = &joints else {
                *out = world_from_mesh.transform_point3(rest).as_vec3().to_array();
                continue;
            };
            let mut sum = DVec4::ZERO;
            let mut total = 0.0;
            while let Some(pull) = pulls.next_if(|pull| pull.vertex as usize == v) {
                let weight = f64::from(pull.weight);
                sum += weight * (joints[pull.joint as usize] * rest.extend(1.0));
                total += weight;
            }
            // Weights stored in a byte each do not quite add up to one, and a vertex nothing pulls at goes with its
            // node.
            let placed = if total != 0.0 { sum.truncate() / total } else { world_from_mesh.transform_point3(rest) };
            *out = placed.as_vec3().to_array();
        }
    }
}

impl Local {
    fn set(&mut self, property: Property, values: &[f64]) {
        let Local::Parts { translation, rotation, scale } = self else {
            // The specification forbids a matrix on an animated node; the animation is what the file's maker sees move.
            *self = Local::Parts { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: DVec3::ONE };
            return self.set(property, values);
        };
        match (property, values) {
            (Property::Translation, &[x, y, z]) => *translation = DVec3::new(x, y, z),
            (Property::Rotation, &[x, y, z, w]) => *rotation = DQuat::from_xyzw(x, y, z, w),
            (Property::Scale, &[x, y, z]) => *scale = DVec3::new(x, y, z),
            _ => {}
        }
    }

    fn matrix(&self) -> DMat4 {
        match *self {
            Local::Matrix(matrix) => matrix,
            Local::Parts { translation, rotation, scale } => {
                DMat4::from_scale_rotation_translation(scale, rotation, translation)
            }
        }
    }
}

fn local(node: &document::Node) -> Option<Local> {
    if let Some(matrix) = &node.matrix {
        let matrix = DMat4::from_cols_array(matrix);
        return matrix.is_finite().then_some(Local::Matrix(matrix));
    }
    local_from(node.translation.as_deref(), node.rotation.as_deref(), node.scale.as_deref())
}

fn local_from(translation: Option<&[f64; 3]>, rotation: Option<&[f64; 4]>, scale: Option<&[f64; 3]>) -> Option<Local> {
    let translation = translation.map_or(DVec3::ZERO, |t| DVec3::from_array(*t));
    let rotation = rotation.map_or(DQuat::IDENTITY, |r| DQuat::from_array(*r));
    let scale = scale.map_or(DVec3::ONE, |s| DVec3::from_array(*s));
    let finite = translation.is_finite() && rotation.is_finite() && scale.is_finite();
    // Stored with six digits, a rotation would scale by as much as it is off.
    let rotation = if rotation.length_squared() > 0.0 { rotation.normalize() } else { DQuat::IDENTITY };
    finite.then_some(Local::Parts { translation, rotation, scale })
}

/// Where the copies of a node's mesh are in the node.
pub(super) fn copies(instances: &document::Instances, buffers: &Buffers<'_>) -> Result<Vec<DMat4>, Fault> {
    let read = |index: Option<usize>, kind: &str| match index {
        Some(index) if kind == "VEC4" => buffers.given_floats::<4>(index, kind).map(Some),
        Some(index) => {
            let three = buffers.given_floats::<3>(index, kind)?;
            Ok(Some(three.into_iter().map(|[x, y, z]| [x, y, z, 0.0]).collect()))
        }
        None => Ok(None),
    };
    let translations = read(instances.translation, "VEC3")?;
    let rotations = read(instances.rotation, "VEC4")?;
    let scales = read(instances.scale, "VEC3")?;
    let counts: Vec<usize> = [&translations, &rotations, &scales].into_iter().flatten().map(Vec::len).collect();
    let count = counts.first().copied().unwrap_or(0);
    if counts.iter().any(|&other| other != count) {
        return Err(Fault::file(format!("its copies have {counts:?} translations, rotations and scales")));
    }
    let mut copies = Vec::with_capacity(count);
    for k in 0..count {
        let number = |list: &Option<Vec<[f32; 4]>>| list.as_ref().map(|list| list[k].map(f64::from));
        let three = |[x, y, z, _]: [f64; 4]| Box::new([x, y, z]);
        let place = local_from(
            number(&translations).map(three).as_deref(),
            number(&rotations).as_ref(),
            number(&scales).map(three).as_deref(),
        );
        let place = place.ok_or_else(|| Fault::file(format!("the transform of copy {k} is not finite")))?;
        copies.push(place.matrix());
    }
    Ok(copies)
}

fn wide(position: &[f32; 3]) -> DVec3 {
    DVec3::from_array(position.map(f64::from))
}
