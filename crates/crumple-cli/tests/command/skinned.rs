//! A skinned character of one mesh, as a glTF file that the tests write: blocks carried by a bone each, of which some meet where
//! bones are joined, as armpits and knees do.

use serde_json::json;

use crate::run::{Folder, Gltf};

/// A bone: its name, its parent, where its joint is, and the centre and half the size of the block it carries.
type Bone = (&'static str, Option<usize>, [f32; 3], [f32; 3], [f32; 3]);

const BONES: [Bone; 8] = [
    ("Hips", None, [0.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.2, 0.12, 0.12]),
    ("Spine", Some(0), [0.0, 1.13, 0.0], [0.0, 1.35, 0.0], [0.22, 0.2, 0.12]),
    ("LeftArm", Some(1), [0.26, 1.5, 0.0], [0.26, 1.32, 0.0], [0.05, 0.18, 0.05]),
    ("LeftForeArm", Some(2), [0.26, 1.1, 0.0], [0.26, 0.93, 0.0], [0.045, 0.11, 0.045]),
    ("LeftHand", Some(3), [0.26, 0.8, 0.0], [0.26, 0.72, 0.0], [0.04, 0.06, 0.05]),
    ("RightArm", Some(1), [-0.26, 1.5, 0.0], [-0.26, 1.32, 0.0], [0.05, 0.18, 0.05]),
    ("LeftUpLeg", Some(0), [0.1, 0.88, 0.0], [0.1, 0.65, 0.0], [0.08, 0.22, 0.08]),
    ("LeftLeg", Some(6), [0.1, 0.43, 0.0], [0.1, 0.26, 0.0], [0.07, 0.2, 0.07]),
];

/// Squares along each edge of a block.
const CELLS: usize = 6;

/// How the character moves.
#[derive(Clone, Copy)]
pub(crate) struct Moves {
    /// Whether the hand goes into the hip, in frames 10 to 15.
    pub(crate) hand_in_hip: bool,
    /// Whether the forearm swings through the hips, in frames 20 to 25.
    pub(crate) arm_through_hips: bool,
    /// How many degrees the left arm is turned more than it should.
    pub(crate) nudge: f32,
}

impl Moves {
    /// Nothing but breathing.
    pub(crate) const CALM: Self = Self { hand_in_hip: false, arm_through_hips: false, nudge: 0.0 };
}

pub(crate) const FRAMES: usize = 30;

/// A block as a grid on each of its faces, whose vertices coincide along the edges.
fn block(centre: [f32; 3], half: [f32; 3], positions: &mut Vec<[f32; 3]>, indices: &mut Vec<u16>) {
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let first = positions.len() as u16;
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            let at = |k: usize| 2.0 * k as f32 / CELLS as f32 - 1.0;
            for i in 0..=CELLS {
                for j in 0..=CELLS {
                    let mut point = centre;
                    point[axis] += side * half[axis];
                    point[u] += at(i) * half[u];
                    point[v] += at(j) * half[v];
                    positions.push(point);
                }
            }
            let row = CELLS as u16 + 1;
            for i in 0..CELLS as u16 {
                for j in 0..CELLS as u16 {
                    let p = first + i * row + j;
                    let quad = [p, p + row, p + row + 1, p, p + row + 1, p + 1];
                    indices.extend(if side > 0.0 {
                        quad
                    } else {
                        [quad[0], quad[2], quad[1], quad[3], quad[5], quad[4]]
                    });
                }
            }
        }
    }
}

/// A rotation about an axis as a quaternion.
fn turn(axis: usize, degrees: f32) -> [f32; 4] {
    let half = 0.5 * degrees.to_radians();
    let mut rotation = [0.0, 0.0, 0.0, half.cos()];
    rotation[axis] = half.sin();
    rotation
}

impl Folder {
    /// Writes `NAME.gltf`.
    pub(crate) fn skinned(&self, name: &str, moves: Moves) {
        let mut gltf = Gltf::default();
        let (mut positions, mut indices, mut joints) = (Vec::new(), Vec::new(), Vec::new());
        for (bone, &(_, _, _, centre, half)) in BONES.iter().enumerate() {
            block(centre, half, &mut positions, &mut indices);
            joints.resize(positions.len(), [bone as u8, 0, 0, 0]);
        }
        let count = positions.len();
        let weights = vec![[1.0f32, 0.0, 0.0, 0.0]; count];
        let attributes = json!({
            "POSITION": gltf.floats(positions.as_flattened(), count, "VEC3"),
            "JOINTS_0": gltf.put(joints.concat(), 5121, count, "VEC4"),
            "WEIGHTS_0": gltf.floats(weights.as_flattened(), count, "VEC4"),
        });
        let indices = gltf.indices(&indices);
        let parent_at = |bone: usize| BONES[bone].1.map_or([0.0; 3], |parent| BONES[parent].2);
        let local = |bone: usize| [0, 1, 2].map(|k| BONES[bone].2[k] - parent_at(bone)[k]);
        let mut matrices: Vec<f32> = Vec::new();
        for (_, _, [x, y, z], _, _) in BONES {
            matrices.extend([1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -x, -y, -z, 1.0]);
        }
        let inverse = gltf.floats(&matrices, BONES.len(), "MAT4");
        let mut nodes: Vec<_> = (0..BONES.len())
            .map(|bone| {
                let children: Vec<usize> = (0..BONES.len()).filter(|&child| BONES[child].1 == Some(bone)).collect();
                let mut node = json!({"name": BONES[bone].0, "translation": local(bone)});
                if !children.is_empty() {
                    node["children"] = json!(children);
                }
                node
            })
            .collect();
        nodes.push(json!({"name": "figure", "mesh": 0, "skin": 0}));
        let times: Vec<f32> = (0..FRAMES).map(|frame| frame as f32 / 30.0).collect();
        let input = gltf.floats(&times, FRAMES, "SCALAR");
        let swing = |frame: usize| 4.0 * (frame as f32 / 5.0).sin();
        let arm: Vec<[f32; 4]> = (0..FRAMES).map(|frame| turn(0, swing(frame) + moves.nudge)).collect();
        let knee: Vec<[f32; 4]> = (0..FRAMES).map(|frame| turn(0, 0.5 * swing(frame))).collect();
        let is_through = |frame: usize| moves.arm_through_hips && (20..26).contains(&frame);
        let forearm: Vec<[f32; 4]> =
            (0..FRAMES).map(|frame| turn(2, if is_through(frame) { -75.0 } else { 0.0 })).collect();
        let is_in = |frame: usize| moves.hand_in_hip && (10..16).contains(&frame);
        let by = |frame: usize| if is_in(frame) { [-0.09, 0.23, 0.0] } else { [0.0; 3] };
        let hand: Vec<[f32; 3]> = (0..FRAMES).map(|frame| [0, 1, 2].map(|k| local(4)[k] + by(frame)[k])).collect();
        let (mut samplers, mut channels) = (Vec::new(), Vec::new());
        for (node, values) in [(2, &arm), (7, &knee), (3, &forearm)] {
            let output = gltf.floats(values.as_flattened(), FRAMES, "VEC4");
            samplers.push(json!({"input": input, "output": output}));
            channels.push(json!({"sampler": samplers.len() - 1, "target": {"node": node, "path": "rotation"}}));
        }
        let output = gltf.floats(hand.as_flattened(), FRAMES, "VEC3");
        samplers.push(json!({"input": input, "output": output}));
        channels.push(json!({"sampler": samplers.len() - 1, "target": {"node": 4, "path": "translation"}}));
        let document = json!({
            "scenes": [{"nodes": [0, BONES.len()]}],
            "nodes": nodes,
            "meshes": [{"primitives": [{"attributes": attributes, "indices": indices}]}],
            "skins": [{"joints": (0..BONES.len()).collect::<Vec<_>>(), "inverseBindMatrices": inverse}],
            "animations": [{"name": "idle", "samplers": samplers, "channels": channels}],
        });
        gltf.write(self, name, document);
    }
}
