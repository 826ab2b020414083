//! Rigid bodies that push each other apart: the simple response of the crowd in which bodies do not pass through each other.
//!
//! Each body is filled with balls, which may be others in every step. Of two bodies whose balls are nearer to each other than
//! a gap, the two that are so most make a contact: it moves and turns both bodies by half of what is missing, and takes
//! away the speed with which they approach there. Everything is a fixed sequence of sums, products and square roots in f64, so that the paths
//! are the same on every platform and whatever method detects the collisions.
//!
//! ```text
//!   normal: from the ball of a to the ball of b        arm: from the centre of a body to the contact
//!   give   = Σ over both bodies of 1 + |arm × normal|² / INERTIA      how far a unit push moves them apart
//!   push   = half of what is missing / give:  centre ∓ push · normal,  turned by ∓ push · (arm × normal) / INERTIA
//! ```

use crate::scene::Placement;
use crate::vector::{Rotation, Vector, add, cross, dot, length, scale, sub};

/// A ball that stands for a part of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ball {
    pub(crate) centre: Vector,
    pub(crate) radius: f64,
}

/// A body that moves as a whole; its mass is 1.
#[derive(Clone, Debug)]
pub(crate) struct Rigid {
    pub(crate) place: Placement,
    pub(crate) speed: Vector,
    /// The axis it turns about, as long as the radians per unit of time.
    pub(crate) spin: Vector,
    /// The balls that fill it, placed, and how far they reach from its centre.
    pub(crate) balls: Vec<Ball>,
    pub(crate) reach: f64,
}

/// Of a ball of radius 1 and mass 1.
const INERTIA: f64 = 0.4;
/// Share of what is missing that one step restores: the rest comes in the next ones, so that bodies in a crowd are not thrown
/// about.
const RESTORED: f64 = 0.5;
/// Share of the approaching speed that is given back.
const BOUNCE: f64 = 0.3;

/// Two bodies are too near each other at `point`, by `depth` along `normal`, which points from the first to the second.
struct Touch {
    depth: f64,
    point: Vector,
    normal: Vector,
}

impl Rigid {
    /// Goes on for a `time` and places the balls that fill the body then, which `fill` lists in its own coordinates.
    pub(crate) fn advance(&mut self, time: f64, fill: impl FnOnce(&mut dyn FnMut(Vector, f64))) {
        self.place.translation = add(self.place.translation, scale(self.speed, time));
        self.turn(scale(self.spin, time));
        let (rotation, centre) = (Rotation::of_quaternion(self.place.rotation), self.place.translation);
        self.balls.clear();
        self.reach = 0.0;
        fill(&mut |local, radius| {
            self.balls.push(Ball { centre: add(centre, rotation.apply(local)), radius });
            self.reach = self.reach.max(length(local) + radius);
        });
    }

    /// Turns about the direction of `by`, by a small angle that is its length.
    fn turn(&mut self, [a, b, c]: Vector) {
        let [x, y, z, w] = self.place.rotation;
        let turned = [
            x + 0.5 * (a * w + b * z - c * y),
            y + 0.5 * (b * w + c * x - a * z),
            z + 0.5 * (c * w + a * y - b * x),
            w - 0.5 * (a * x + b * y + c * z),
        ];
        let square: f64 = turned.iter().map(|part| part * part).sum();
        self.place.rotation = turned.map(|part| part / square.sqrt());
    }

    fn arm(&self, point: Vector) -> Vector {
        sub(point, self.place.translation)
    }

    fn speed_at(&self, point: Vector) -> Vector {
        add(self.speed, cross(self.spin, self.arm(point)))
    }

    fn give(&self, touch: &Touch) -> f64 {
        let lever = cross(self.arm(touch.point), touch.normal);
        1.0 + dot(lever, lever) / INERTIA
    }

    /// Is moved and turned by `push`, and gets a `kick`, at the contact and along its normal.
    fn respond(&mut self, touch: &Touch, push: f64, kick: f64) {
        let lever = scale(cross(self.arm(touch.point), touch.normal), 1.0 / INERTIA);
        self.place.translation = add(self.place.translation, scale(touch.normal, push));
        self.turn(scale(lever, push));
        self.speed = add(self.speed, scale(touch.normal, kick));
        self.spin = add(self.spin, scale(lever, kick));
    }
}

/// Lets every two bodies push each other apart where their balls are nearer to each other than `gap`.
pub(crate) fn push_apart(bodies: &mut [Rigid], gap: f64) {
    for second in 1..bodies.len() {
        let (before, rest) = bodies.split_at_mut(second);
        let b = &mut rest[0];
        for a in before {
            let between = sub(b.place.translation, a.place.translation);
            if length(between) >= a.reach + b.reach + gap {
                continue;
            }
            let Some(touch) = deepest(a, b, gap) else { continue };
            let give = a.give(&touch) + b.give(&touch);
            let push = RESTORED * touch.depth / give;
            let approach = dot(sub(a.speed_at(touch.point), b.speed_at(touch.point)), touch.normal);
            let kick = (1.0 + BOUNCE) * approach.max(0.0) / give;
            a.respond(&touch, -push, -kick);
            b.respond(&touch, push, kick);
        }
    }
}

/// Where two bodies are nearer to each other than `gap`, and most so.
fn deepest(a: &Rigid, b: &Rigid, gap: f64) -> Option<Touch> {
    let near = |ball: &&Ball, other: &Rigid| {
        let between = sub(ball.centre, other.place.translation);
        let reach = other.reach + ball.radius + gap;
        dot(between, between) < reach * reach
    };
    let near_a: Vec<&Ball> = b.balls.iter().filter(|ball| near(ball, a)).collect();
    let mut found: Option<Touch> = None;
    for ball in a.balls.iter().filter(|ball| near(ball, b)) {
        for other in &near_a {
            let between = sub(other.centre, ball.centre);
            let apart = ball.radius + other.radius + gap;
            let nearest = apart - found.as_ref().map_or(0.0, |touch| touch.depth);
            let square = dot(between, between);
            if nearest <= 0.0 || square >= nearest * nearest || square == 0.0 {
                continue;
            }
            let distance = square.sqrt();
            let normal = scale(between, 1.0 / distance);
            let middle = 0.5 * (distance + ball.radius - other.radius);
            found = Some(Touch { depth: apart - distance, point: add(ball.centre, scale(normal, middle)), normal });
        }
    }
    found
}
