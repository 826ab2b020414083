//! A sheet of cloth that rolls up on itself: the scene for self-collision.
//!
//! Across its length the sheet follows a curve whose curvature grows steadily from one end to the other. Such a curve
//! never meets itself (the osculating circles lie inside each other: Tait, Kneser), however often it winds. Ripples stand
//! across the curve; as the roll tightens, its layers come closer than the ripples are high, and they begin to cross.
//! CR1 has no self-intersection before frame 27, some hundreds around frame 30, and about 14,000 in frame 59.

use std::f64::consts::TAU;

use crate::error::{SceneError, check};
use crate::grid::sheet;
use crate::scene::{Motion, Scene};
use crate::vector::round;

const FRAMES: usize = 60;
/// Curvature at the outer end in the last frame; the sheet is one unit long.
const CURVATURE: f64 = 20.0;
/// By what factor less one the inner end is more curved than the outer.
const GROWTH: f64 = 0.6;
/// Integration steps per column.
const STEPS: u32 = 4;

/// A wave across the sheet: height, periods along and across it, phase, and change in radians a frame.
const RIPPLES: [(f64, f64, f64, f64, f64); 3] =
    [(0.0035, 6.0, 5.0, 0.3, 0.11), (0.0025, -9.0, 7.0, 1.9, 0.17), (0.0020, 3.0, -13.0, 4.1, -0.13)];

/// Experiment CR1: a square sheet of `cells` by `cells` quads rolls up on itself in 60 frames; 200 give 80,000 triangles.
///
/// # Errors
///
/// [`SceneError::TooCoarse`] at 0 cells, [`SceneError::TooFine`] beyond 1,000.
pub fn rolling_cloth(cells: u32) -> Result<Scene, SceneError> {
    check("cells", cells, 1, 1_000)?;
    let triangles = sheet(cells, cells).into();
    let vertices = (cells + 1) * (cells + 1);
    let name = format!("rolling-cloth-{}", cells * cells * 2);
    Ok(Scene::new(name, FRAMES).with("cloth", &triangles, vertices as usize, false, Roll { cells }))
}

struct Roll {
    cells: u32,
}

impl Motion for Roll {
    fn write(&self, frame: usize, out: &mut [[f32; 3]]) {
        let share = frame as f64 / (FRAMES - 1) as f64;
        let curvature = CURVATURE * share * (1.2 - 0.2 * share);
        let waves = RIPPLES.map(|(_, _, _, phase, speed)| phase + speed * frame as f64);
        let columns = self.cells + 1;
        let step = 1.0 / f64::from(self.cells * STEPS);
        let (mut x, mut z) = (0.0, 0.0);
        for column in 0..columns {
            let along = f64::from(column) / f64::from(self.cells);
            // The curve's angle is the integral of its curvature.
            let angle = |s: f64| curvature * s * (1.0 + 0.5 * GROWTH * s);
            let (normal_x, normal_z) = (-libm::sin(angle(along)), libm::cos(angle(along)));
            for row in 0..columns {
                let across = f64::from(row) / f64::from(self.cells);
                let (mut height, mut slide) = (0.0, 0.0);
                for ((ripple, periods_along, periods_across, ..), now) in RIPPLES.into_iter().zip(waves) {
                    let angle = TAU * (periods_along * along + periods_across * across) + now;
                    height += ripple * libm::sin(angle);
                    slide += ripple * libm::cos(angle);
                }
                out[(row * columns + column) as usize] =
                    round([x + height * normal_x, across + slide, z + height * normal_z]);
            }
            for part in 0..STEPS {
                let middle = angle(along + (f64::from(part) + 0.5) * step);
                x += step * libm::cos(middle);
                z += step * libm::sin(middle);
            }
        }
    }
}
