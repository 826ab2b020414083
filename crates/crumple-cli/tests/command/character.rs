//! A character of several bodies with two animations, as a glTF file that the tests write.

use serde_json::json;

use crate::run::{Folder, Gltf, cube};

/// The triangles of a cube.
const QUADS: [[u16; 4]; 6] = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];

/// Where the arm is in each frame of an animation, at 30 frames per second.
pub(crate) type Arm = [[f32; 3]];

/// In the first animation, `idle`, the arm hangs at the torso, which it meets. In the second, `wave`, it goes up into the head.
pub(crate) const IDLE: [[f32; 3]; 2] = [[1.2, 0.0, 0.0]; 2];
pub(crate) const WAVE: [[f32; 3]; 4] = [[1.2, 0.0, 0.0], [1.2, 0.0, 1.0], [0.6, 0.0, 2.0], [0.7, 0.0, 2.0]];

impl Folder {
    /// Writes `character.gltf`: a torso, an arm, a head that floats above and a ball far away, in this order.
    pub(crate) fn character(&self) {
        self.character_with("character", &["torso", "arm", "head", "ball"], &[("idle", &IDLE), ("wave", &WAVE)]);
    }

    /// The same with bodies in another order, and other animations.
    pub(crate) fn character_with(&self, file: &str, bodies: &[&str], animations: &[(&str, &Arm)]) {
        let mut gltf = Gltf::default();
        let indices: Vec<u16> = QUADS.iter().flat_map(|&[a, b, c, d]| [a, b, c, a, c, d]).collect();
        let indices = gltf.indices(&indices);
        let (mut meshes, mut nodes) = (Vec::new(), Vec::new());
        for &name in bodies {
            let (half, at) = match name {
                "torso" => (1.0, [0.0, 0.0, 0.0]),
                "arm" => (0.3, [1.2, 0.0, 0.0]),
                "head" => (0.5, [0.0, 0.0, 2.0]),
                _ => (0.4, [9.0, 0.0, 0.0]),
            };
            let positions = gltf.floats(cube([0.0; 3], half).as_flattened(), 8, "VEC3");
            meshes.push(json!({"primitives": [{"attributes": {"POSITION": positions}, "indices": indices}]}));
            nodes.push(json!({"name": name, "mesh": meshes.len() - 1, "translation": at}));
        }
        let arm = bodies.iter().position(|&name| name == "arm").unwrap_or(0);
        let mut played = Vec::new();
        for (name, arms) in animations {
            let times: Vec<f32> = (0..arms.len()).map(|frame| frame as f32 / 30.0).collect();
            let input = gltf.floats(&times, arms.len(), "SCALAR");
            let output = gltf.floats(arms.as_flattened(), arms.len(), "VEC3");
            played.push(json!({
                "name": name,
                "samplers": [{"input": input, "output": output}],
                "channels": [{"sampler": 0, "target": {"node": arm, "path": "translation"}}],
            }));
        }
        let scene = json!([{"nodes": (0..nodes.len()).collect::<Vec<_>>()}]);
        let document = json!({"scenes": scene, "nodes": nodes, "meshes": meshes, "animations": played});
        gltf.write(self, file, document);
    }
}
