//! Two bodies that a wave runs through, pushed into each other and drawn apart again.
//!
//! Paper: Hatab & Kheddar 2006, section 6: a wave function deforms all triangles of both bodies, of about 1,500 and of
//! about 13,000 triangles, while a hand moves them into each other; and two bulls stand still in deep collision while
//! their triangles are removed at random. The bulls are not public: a four-legged body of [`Model::Reptile`]'s form
//! stands for them, and a steady push for the hand.

use std::f64::consts::TAU;

use crate::error::SceneError;
use crate::random::Random;
use crate::scene::{Motion, Scene, Shape};
use crate::smooth::{Model, smooth_body_of_parts};
use crate::vector::{Rotation, Vector, add, dot, round, scale};

const FRAMES: usize = 100;
/// The wave: how high, how fast it changes through space (radians per unit) and in time (radians per frame).
const HEIGHT: f64 = 0.04;
const WAVE: Vector = [4.1, 2.3, 3.2];
const SPEED: f64 = 0.19;
/// In which direction it moves what it passes.
const SWAY: Vector = [0.31, 0.85, -0.42];
/// How far apart the bodies' centres are, along [`APART`], at most and at least.
const FAR: f64 = 0.5;
const NEAR: f64 = 0.08;
const APART: Vector = [0.8, 0.36, 0.48];
/// How far apart the two that stand still are.
const DEEP: f64 = 0.21;

/// Experiments GE1 and GE3: two bodies of `20 · parts²` triangles each, 100 frames; 9 parts give 1,620 triangles,
/// 25 give 12,500.
///
/// # Errors
///
/// [`SceneError::TooCoarse`] at 0 parts, [`SceneError::TooFine`] beyond what [`smooth_body_of_parts`] takes.
pub fn waving_bodies(parts: u32) -> Result<Scene, SceneError> {
    let shape = smooth_body_of_parts(Model::Reptile, parts)?;
    Ok(waving(format!("waving-bodies-{}", shape.triangles.len()), shape))
}

/// The scene of [`waving_bodies`] with two bodies of a given shape, which should be about as large as the unit cube.
pub fn waving(name: impl Into<String>, shape: Shape) -> Scene {
    with_both(Scene::new(name, FRAMES), shape, |frame| {
        // In and out twice.
        let share = 0.5 - 0.5 * libm::cos(2.0 * TAU * frame as f64 / (FRAMES - 1) as f64);
        FAR + (NEAR - FAR) * share
    })
}

/// Experiment GE2: the same two bodies standing still, deep in each other, for one frame; at 25 parts 255 pairs of
/// triangles meet (the paper's bulls: 258).
///
/// # Errors
///
/// As for [`waving_bodies`].
pub fn deep_bodies(parts: u32) -> Result<Scene, SceneError> {
    let shape = smooth_body_of_parts(Model::Reptile, parts)?;
    Ok(deep(format!("deep-bodies-{}", shape.triangles.len()), shape))
}

/// The scene of [`deep_bodies`] with two bodies of a given shape, which should be about as large as the unit cube.
pub fn deep(name: impl Into<String>, shape: Shape) -> Scene {
    with_both(Scene::new(name, 1), shape, |_| DEEP)
}

/// The numbers from 0 to `count` − 1 in a random order: in which triangles are taken away.
///
/// ```
/// let mut order = crumple_scenes::removal_order(100, 3);
/// order.sort_unstable();
/// assert_eq!(order, (0..100).collect::<Vec<u32>>());
/// ```
pub fn removal_order(count: u32, seed: u64) -> Vec<u32> {
    let mut random = Random::new(seed);
    let mut order: Vec<u32> = (0..count).collect();
    for last in (1..order.len()).rev() {
        let other = random.between(0.0, (last + 1) as f64) as usize;
        order.swap(last, other.min(last));
    }
    order
}

fn with_both(scene: Scene, shape: Shape, distance: fn(usize) -> f64) -> Scene {
    let triangles = shape.triangles.into();
    let rest: Vec<Vector> = shape.positions.iter().map(|position| position.map(f64::from)).collect();
    let count = rest.len();
    let turned = Rotation::about([0.6, 0.0, 0.8], 2.2);
    let other = rest.iter().map(|&place| turned.apply(place)).collect();
    let one = Waving { rest, side: -0.5, phase: 0.4, distance };
    let two = Waving { rest: other, side: 0.5, phase: 2.7, distance };
    scene.with_closed("a", &triangles, count, one).with_closed("b", &triangles, count, two)
}

struct Waving {
    rest: Vec<Vector>,
    /// On which side of the middle, in parts of the distance.
    side: f64,
    phase: f64,
    distance: fn(usize) -> f64,
}

impl Motion for Waving {
    fn write(&self, frame: usize, out: &mut [[f32; 3]]) {
        let time = frame as f64;
        let centre = scale(APART, self.side * (self.distance)(frame));
        for (&place, out) in self.rest.iter().zip(out) {
            let height = HEIGHT * libm::sin(dot(WAVE, place) + self.phase - SPEED * time);
            *out = round(add(add(place, scale(SWAY, height)), centre));
        }
    }
}
