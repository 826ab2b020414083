//! The blade of the cutting scene: a thin wedge that moves along the cut and saws up and down.

use std::sync::Arc;

use crate::cut::{OFFSET, SLANT, front};
use crate::grid::block;
use crate::scene::{Motion, Scene};
use crate::vector::{Vector, round};

/// Half the thickness of the blade at its back, and at its edge.
const BACK: f64 = 0.02;
const EDGE: f64 = 0.002;
const LENGTH: f64 = 0.7;
const HEIGHT: f64 = 0.6;
/// How far the edge reaches below the sheet.
const BELOW: f64 = 0.2;
/// Once the tip has come this far the blade is lifted.
const LIFTED_FROM: f64 = 1.1;

/// A scene with the blade in it, for other bodies to join.
pub(crate) fn scene(frames: usize) -> Scene {
    let (corners, triangles) = block([2, 12, 16]);
    let vertices = corners.len();
    let corners = corners.into_iter().map(wedge).collect();
    let triangles: Arc<[[u32; 3]]> = triangles.into();
    Scene::new("cutting", frames).with_closed("blade", &triangles, vertices, Blade { corners })
}

/// Takes the cube from -1 to 1 to a wedge: x across the blade, y up, z forward, the tip of the edge at z = 0.
fn wedge([x, y, z]: Vector) -> Vector {
    let (up, back) = (0.5 * (y + 1.0), 0.5 * (1.0 - z));
    let thickness = EDGE + (BACK - EDGE) * up * back;
    [x * thickness, HEIGHT * up - BELOW, -LENGTH * back]
}

struct Blade {
    corners: Vec<Vector>,
}

impl Motion for Blade {
    fn write(&self, frame: usize, out: &mut [[f32; 3]]) {
        let tip = front(frame);
        let lift = 0.6 * (tip - LIFTED_FROM).max(0.0);
        let saw = 0.05 * libm::sin(0.9 * frame as f64) + lift;
        for (out, &[x, y, z]) in out.iter_mut().zip(&self.corners) {
            let z = tip + z;
            *out = round([SLANT * z + OFFSET + x, y + saw, z]);
        }
    }
}
