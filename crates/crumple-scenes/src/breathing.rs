//! A closed body of 10,368 triangles that breathes and wobbles, and points to drop on it.
//!
//! Heidelberger et al. 2003 let 20,000 particles fall on a deforming body of 10,000 faces. The body here is a radius
//! over the sphere of directions, so it never intersects itself; what happens to the points is up to the caller, who
//! asks which of them are inside.

use crate::bumpy::{Bumpiness, Bumps};
use crate::error::{SceneError, check};
use crate::random::Random;
use crate::scene::{Motion, Scene};
use crate::shape::{Solid, divided};
use crate::vector::{Vector, round, scale};

const BUMPINESS: Bumpiness = Bumpiness { waves: 6, height: 0.07, frequency: [2.5, 5.0], speed: [0.03, 0.09] };
/// How much the whole body grows and shrinks, and how fast, in radians a frame.
const BREATH: f64 = 0.12;
const BREATH_SPEED: f64 = 0.05;

/// Experiment HE3: a breathing body about the origin, between about 0.5 and 1.5 units from it, for any number of
/// frames.
///
/// # Errors
///
/// [`SceneError::TooCoarse`] at 0 frames.
pub fn breathing_body(frames: u32) -> Result<Scene, SceneError> {
    check("frames", frames, 1, u32::MAX)?;
    let sphere = divided(Solid::Octahedron, 36)?;
    let motion = Breathe {
        bumps: Bumps::new(&sphere.directions, BUMPINESS, &mut Random::new(7)),
        directions: sphere.directions,
    };
    let vertices = motion.directions.len();
    Ok(Scene::new("breathing-body", frames as usize).with_closed("body", &sphere.triangles, vertices, motion))
}

struct Breathe {
    directions: Vec<Vector>,
    bumps: Bumps,
}

impl Motion for Breathe {
    fn write(&self, frame: usize, out: &mut [[f32; 3]]) {
        let time = frame as f64;
        let breath = 1.0 + BREATH * libm::sin(BREATH_SPEED * time);
        self.bumps.radii(time, |vertex, radius| {
            out[vertex] = round(scale(self.directions[vertex], radius * breath));
        });
    }
}

/// `count` points drawn evenly from the box between `low` and `high`: particles to drop, points to classify.
///
/// The same seed gives the same points; more points begin with the fewer.
///
/// ```
/// let above = crumple_scenes::points_in_box(20_000, 1, [-1.5, 1.6, -1.5], [1.5, 4.0, 1.5]);
/// assert_eq!(above.len(), 20_000);
/// ```
pub fn points_in_box(count: usize, seed: u64, low: [f32; 3], high: [f32; 3]) -> Vec<[f32; 3]> {
    let mut random = Random::new(seed);
    let mut point = || [0, 1, 2].map(|axis| random.between(f64::from(low[axis]), f64::from(high[axis])));
    (0..count).map(|_| round(point())).collect()
}
