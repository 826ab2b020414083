//! Two bodies of about 150,000 and 5,000 triangles, both deforming, one of which passes through the other.
//!
//! Figure 1 of report 395 (Heidelberger, Teschner & Gross 2003) shows "two deforming objects with 150k and 5k faces" whose
//! intersection volume is computed in every frame; it gives neither bodies nor motion. Here the larger body is the stand-in
//! for their body of 150k faces (`smooth`), which twists about its upright axis and sways; the smaller is a ball with waves
//! running over it. A twist and a shear map space one to one and the ball is a radius over the sphere of directions, so
//! neither body ever intersects itself.

use crate::bumpy::{Bumpiness, Bumps};
use crate::error::SceneError;
use crate::random::Random;
use crate::scene::{Motion, Scene};
use crate::shape::{Solid, divided};
use crate::smooth::{Model, smooth_body};
use crate::vector::{Vector, add, mix, round, scale};

const FRAMES: usize = 100;

/// The greatest twist, in radians per unit of height, and the greatest sway, per square of the height.
const TWIST: f64 = 1.2;
const SWAY: f64 = 0.6;
/// Radians per frame.
const TWIST_SPEED: f64 = 0.09;
const SWAY_SPEED: f64 = 0.07;

const BUMPINESS: Bumpiness = Bumpiness { waves: 6, height: 0.05, frequency: [3.0, 6.0], speed: [0.05, 0.12] };
const BALL_RADIUS: f64 = 0.22;
/// The path of the ball, from one side of the larger body to the other.
const PATH: [Vector; 2] = [[-0.85, -0.15, 0.05], [0.85, 0.20, -0.05]];

/// Experiment HE4: bodies of 151,380 and 5,000 triangles, in 100 frames.
///
/// # Errors
///
/// None: the sizes lie within the limits.
pub fn deforming_pair() -> Result<Scene, SceneError> {
    let large = smooth_body(Model::Santa);
    let ball = divided(Solid::Octahedron, 25)?;
    let motion =
        Ball { bumps: Bumps::new(&ball.directions, BUMPINESS, &mut Random::new(4)), directions: ball.directions };
    let [of_large, of_ball] = [large.positions.len(), motion.directions.len()];
    Ok(Scene::new("deforming-pair", FRAMES)
        .with_closed("santa", &large.triangles.into(), of_large, Twist { rest: large.positions })
        .with_closed("ball", &ball.triangles, of_ball, motion))
}

struct Twist {
    rest: Vec<[f32; 3]>,
}

impl Motion for Twist {
    fn write(&self, frame: usize, out: &mut [[f32; 3]]) {
        let time = frame as f64;
        let twist = TWIST * libm::sin(TWIST_SPEED * time);
        let sway = SWAY * libm::sin(SWAY_SPEED * time);
        for (out, rest) in out.iter_mut().zip(&self.rest) {
            let [x, y, z] = rest.map(f64::from);
            let (sin, cos) = (libm::sin(twist * y), libm::cos(twist * y));
            *out = round([cos * x + sin * z + sway * y * y, y, cos * z - sin * x]);
        }
    }
}

struct Ball {
    directions: Vec<Vector>,
    bumps: Bumps,
}

impl Motion for Ball {
    fn write(&self, frame: usize, out: &mut [[f32; 3]]) {
        let centre = mix(PATH[0], PATH[1], frame as f64 / (FRAMES - 1) as f64);
        self.bumps.radii(frame as f64, |vertex, radius| {
            out[vertex] = round(add(centre, scale(self.directions[vertex], BALL_RADIUS * radius)));
        });
    }
}
