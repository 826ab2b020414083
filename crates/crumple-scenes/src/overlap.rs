//! Two bodies overlapping, simply or in a complicated way: the pairs of table 1 of Heidelberger et al. 2003.
//!
//! The paper does not publish its poses. Here *simple* pushes one limb or side of a body into the other; *complex* lays
//! one body into the middle of the other and turns it, so that the overlap has several parts and the depth images many
//! layers.

use crate::knot::knot;
use crate::scene::{Scene, Shape};
use crate::smooth::{Model, smooth_body};
use crate::vector::{Rotation, Vector, add, round, unit};

/// Which two bodies overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BodyPair {
    /// 11,520 and 50,000 triangles.
    KnotRabbit,
    /// 50,000 and 109,520 triangles.
    RabbitReptile,
    /// 109,520 and 151,380 triangles.
    ReptileSanta,
    /// 11,520 and 518,420 triangles.
    KnotDragon,
}

/// How two bodies overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OverlapKind {
    /// In one place, and not deep.
    Simple,
    /// In several places, all through each other.
    Complex,
}

/// How the second body is turned (axis, radians) and then moved; the first stays as it is.
struct Placement {
    axis: Vector,
    angle: f64,
    shift: Vector,
}

fn placement(pair: BodyPair, kind: OverlapKind) -> Placement {
    let (axis, angle, shift) = match (pair, kind) {
        (BodyPair::KnotRabbit, OverlapKind::Simple) => ([0.0, 1.0, 0.0], 0.4, [0.60, 0.10, 0.05]),
        (BodyPair::KnotRabbit, OverlapKind::Complex) => ([1.0, 0.3, 0.2], 1.1, [0.05, -0.08, 0.04]),
        (BodyPair::RabbitReptile, OverlapKind::Simple) => ([0.0, 1.0, 0.0], 1.2, [0.55, -0.10, 0.10]),
        (BodyPair::RabbitReptile, OverlapKind::Complex) => ([0.4, 1.0, 0.3], 0.9, [0.03, 0.06, -0.05]),
        (BodyPair::ReptileSanta, OverlapKind::Simple) => ([0.0, 0.0, 1.0], 0.5, [0.38, 0.12, 0.10]),
        (BodyPair::ReptileSanta, OverlapKind::Complex) => ([1.0, 0.2, 0.6], 1.3, [0.02, 0.04, 0.06]),
        (BodyPair::KnotDragon, OverlapKind::Simple) => ([0.0, 1.0, 0.0], 0.8, [0.60, 0.05, 0.00]),
        (BodyPair::KnotDragon, OverlapKind::Complex) => ([1.0, 0.5, 0.1], 0.7, [0.04, 0.02, -0.03]),
    };
    Placement { axis: unit(axis), angle, shift }
}

/// Experiment HE1: two closed bodies that stand still, in one frame.
pub fn overlapping(pair: BodyPair, kind: OverlapKind) -> Scene {
    let [(name_a, a), (name_b, b)] = match pair {
        BodyPair::KnotRabbit => [("knot", knot(24)), ("rabbit", smooth_body(Model::Rabbit))],
        BodyPair::RabbitReptile => [("rabbit", smooth_body(Model::Rabbit)), ("reptile", smooth_body(Model::Reptile))],
        BodyPair::ReptileSanta => [("reptile", smooth_body(Model::Reptile)), ("santa", smooth_body(Model::Santa))],
        BodyPair::KnotDragon => [("knot", knot(24)), ("dragon", smooth_body(Model::Dragon))],
    };
    let b = placed(b, &placement(pair, kind));
    let how = match kind {
        OverlapKind::Simple => "simple",
        OverlapKind::Complex => "complex",
    };
    let mut scene = Scene::new(format!("{name_a}-{name_b}-{how}"), 1);
    for (name, shape) in [(name_a, a), (name_b, b)] {
        let vertices = shape.positions.len();
        scene = scene.with_closed(name, &shape.triangles.into(), vertices, shape.positions);
    }
    scene
}

fn placed(mut shape: Shape, placement: &Placement) -> Shape {
    let rotation = Rotation::about(placement.axis, placement.angle);
    for position in &mut shape.positions {
        let place = rotation.apply(position.map(f64::from));
        *position = round(add(place, placement.shift));
    }
    shape
}
