//! A closed body with six arms that wave about.
//!
//! Paper: Larsson & Akenine-Möller 2001, experiment 3, whose second kind of body "had multiple deforming arms"; the form
//! is ours. The sphere's vertices within 44° of a coordinate axis become an arm on that axis: their angle from the axis
//! runs along a Bézier curve that, turned about the axis, is the arm.
//!
//! ```text
//!        ┌ P0 ── P1        tip, at REACH
//!   axis │    ╲
//!        │     │           the arm; u = angle / 44° runs from 0 at the tip to 1 at the root
//!        │  P2 ╱
//!        │    ╲__ P3       root, tangent to the core
//!        └─────────
//! ```
//!
//! Axes of the octahedron are 90° apart, so arms never meet at their roots and five sixths of the vertices go into arms.
//! An arm bends sideways by a wave that runs from its root to its tip and grows with the square of the height.

use std::f64::consts::PI;

use crate::random::Random;
use crate::vector::{Vector, across, add, dot, scale};

/// Radius of the core.
const CORE: f64 = 0.5;
/// How far a straight arm reaches from the centre.
const REACH: f64 = 1.35;
/// Half the angle of the sphere that goes into one arm; below 45°, at which two arms would share vertices.
const HALF_ANGLE: f64 = 44.0 / 180.0 * PI;
/// How far a tip swings to each of its two sides.
const SWING: f64 = 0.4;
/// How much the whole body grows and shrinks.
const BREATH: f64 = 0.05;

/// The way one arm waves: angle now at its root, and how much later the tip follows, for its two sideways directions.
#[derive(Clone, Copy, Debug)]
struct Wave {
    sideways: Vector,
    phase: f64,
    speed: f64,
}

/// A vertex of an arm: how far it follows the wave, and where in the wave it is.
#[derive(Clone, Copy, Debug)]
struct OnArm {
    arm: usize,
    /// Swing at this height times sine and cosine of the wave's delay there.
    sin_cos: [f64; 2],
}

/// Where along an arm a ball stands for it, as `u` of the module's figure: the first reaches to the tip.
const BALLS: [f64; 5] = [0.3, 0.42, 0.55, 0.7, 0.85];

/// The body at rest, and how its arms wave.
#[derive(Clone, Debug)]
pub(crate) struct Arms {
    straight: Vec<(Vector, Option<OnArm>)>,
    /// Points on the axes of the straight arms, and how thick the arms are there.
    spines: Vec<(Vector, OnArm, f64)>,
    waves: [[Wave; 2]; 6],
    breath_speed: f64,
}

impl Arms {
    /// Pulls the arms out of a sphere.
    pub(crate) fn new(directions: &[Vector], random: &mut Random) -> Self {
        let waves = AXES.map(|axis| {
            across(axis).map(|sideways| Wave { sideways, phase: random.angle(), speed: random.between(0.05, 0.15) })
        });
        let spines = AXES.into_iter().enumerate().flat_map(|(arm, axis)| {
            BALLS.map(|u| {
                let [distance, height] = profile(u);
                (scale(axis, height), OnArm::new(arm, height), distance)
            })
        });
        Self {
            straight: directions.iter().map(|&d| pull(d)).collect(),
            spines: spines.collect(),
            waves,
            breath_speed: random.between(0.08, 0.14),
        }
    }

    /// Calls `each` with the number and the place of every vertex at `time`, the core's centre being the origin.
    pub(crate) fn places(&self, time: f64, mut each: impl FnMut(usize, Vector)) {
        let (breath, now) = self.at(time);
        for (vertex, &(straight, on_arm)) in self.straight.iter().enumerate() {
            let place = scale(straight, breath);
            each(vertex, on_arm.map_or(place, |on_arm| on_arm.swung(place, &now)));
        }
    }

    /// Calls `each` with the centre and the radius of balls that fill the body at `time`: one for the core, five per arm.
    pub(crate) fn balls(&self, time: f64, mut each: impl FnMut(Vector, f64)) {
        let (breath, now) = self.at(time);
        each([0.0; 3], CORE * breath);
        for &(straight, on_arm, radius) in &self.spines {
            each(on_arm.swung(scale(straight, breath), &now), radius * breath);
        }
    }

    /// How large the body is at `time`, and the sideways directions of each arm times sine and cosine of its wave.
    fn at(&self, time: f64) -> (f64, [[(Vector, Vector); 2]; 6]) {
        let breath = 1.0 + BREATH * libm::sin(self.breath_speed * time);
        let now = self.waves.map(|waves| {
            waves.map(|wave| {
                let angle = wave.phase + wave.speed * time;
                let (sin, cos) = (libm::sin(angle), libm::cos(angle));
                (scale(wave.sideways, sin), scale(wave.sideways, cos))
            })
        });
        (breath, now)
    }
}

impl OnArm {
    /// What is at this height on the straight arm.
    fn new(arm: usize, height: f64) -> Self {
        let root = CORE * libm::cos(HALF_ANGLE);
        let share = (height - root) / (REACH - root);
        let swing = SWING * share * share;
        let late = 1.5 * share;
        Self { arm, sin_cos: [swing * libm::sin(late), swing * libm::cos(late)] }
    }

    /// Where the wave moves a place.
    fn swung(self, mut place: Vector, now: &[[(Vector, Vector); 2]; 6]) -> Vector {
        let [sin_late, cos_late] = self.sin_cos;
        // sin(now - late), in both sideways directions.
        for (sin, cos) in now[self.arm] {
            place = add(place, add(scale(sin, cos_late), scale(cos, -sin_late)));
        }
        place
    }
}

/// Distance from the axis and height along it, on the curve of the module's figure.
fn profile(u: f64) -> [f64; 2] {
    let root = [CORE * libm::sin(HALF_ANGLE), CORE * libm::cos(HALF_ANGLE)];
    let flank = [root[0] - 0.35 * libm::cos(HALF_ANGLE), root[1] + 0.35 * libm::sin(HALF_ANGLE)];
    let v = 1.0 - u;
    let bezier = |p: [f64; 4]| v * v * v * p[0] + 3.0 * v * v * u * p[1] + 3.0 * v * u * u * p[2] + u * u * u * p[3];
    [bezier([0.0, 0.30, flank[0], root[0]]), bezier([REACH, REACH, flank[1], root[1]])]
}

const AXES: [Vector; 6] =
    [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, -1.0]];

/// Where the vertex in this direction lies on the straight body.
fn pull(direction: Vector) -> (Vector, Option<OnArm>) {
    for (arm, axis) in AXES.into_iter().enumerate() {
        let cosine = dot(direction, axis);
        let outward = add(direction, scale(axis, -cosine));
        let sine = dot(outward, outward).sqrt();
        let u = libm::atan2(sine, cosine) / HALF_ANGLE;
        if u >= 1.0 {
            continue;
        }
        let [distance, height] = profile(u);
        // On the axis itself no sideways direction exists, and none is needed.
        let outward = if sine > 0.0 { scale(outward, distance / sine) } else { [0.0; 3] };
        return (add(scale(axis, height), outward), Some(OnArm::new(arm, height)));
    }
    (scale(direction, CORE), None)
}
