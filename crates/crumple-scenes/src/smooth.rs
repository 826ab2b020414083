//! Smooth closed bodies with limbs and hollows, at any size: stand-ins for scanned models.
//!
//! Heidelberger et al. 2003 measure on a rabbit, a reptile, a santa and a dragon, which are not public. Each stand-in
//! has the size of its model and something of its form: lobes for limbs and ears, hollows between them. A body is a
//! radius over the sphere of directions,
//!
//! ```text
//! radius(direction) = 1 + Σ height · exp(sharpness · (direction · toward - 1)) + ripple
//! ```
//!
//! and then stretched along the axes. Every ray from the centre meets the surface once, and the flat triangles between
//! vertices keep that, so no body intersects itself, however bold its lobes.

use crate::error::SceneError;
use crate::scene::Shape;
use crate::shape::{Solid, divided};
use crate::vector::{Vector, add, dot, round, scale, sub, unit};

/// Which model a body replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Model {
    /// 50,000 triangles: ears, paws and a tail.
    Rabbit,
    /// 109,520 triangles: long and low, with a tail and four legs.
    Reptile,
    /// 151,380 triangles: upright, with arms and a sack.
    Santa,
    /// 518,420 triangles: wings, horns, and scales all over.
    Dragon,
}

/// A limb (height above 0) or a hollow (below).
struct Lobe {
    toward: Vector,
    height: f64,
    sharpness: f64,
}

const fn lobe(toward: Vector, height: f64, sharpness: f64) -> Lobe {
    Lobe { toward, height, sharpness }
}

impl Model {
    /// Parts an edge of the icosahedron is cut into: a body has `20 · parts²` triangles.
    fn parts(self) -> u32 {
        match self {
            Self::Rabbit => 50,
            Self::Reptile => 74,
            Self::Santa => 87,
            Self::Dragon => 161,
        }
    }

    /// y is up, z is where the body looks.
    fn lobes(self) -> &'static [Lobe] {
        match self {
            Self::Rabbit => {
                const {
                    &[
                        lobe([0.35, 1.0, 0.25], 1.5, 38.0),
                        lobe([-0.35, 1.0, 0.15], 1.5, 38.0),
                        lobe([0.0, 0.6, 0.8], 0.5, 9.0),
                        lobe([0.0, 1.0, 0.15], -0.35, 30.0),
                        lobe([0.5, -0.7, 0.6], 0.55, 16.0),
                        lobe([-0.5, -0.7, 0.6], 0.55, 16.0),
                        lobe([0.0, -0.2, 1.0], -0.4, 14.0),
                        lobe([0.0, -0.3, -1.0], 0.35, 40.0),
                        lobe([0.9, -0.2, -0.2], 0.25, 8.0),
                        lobe([-0.9, -0.2, -0.2], 0.25, 8.0),
                    ]
                }
            }
            Self::Reptile => {
                const {
                    &[
                        lobe([0.0, 0.15, 1.0], 0.8, 14.0),
                        lobe([0.15, 0.0, -1.0], 1.3, 24.0),
                        lobe([0.8, -0.5, 0.6], 1.1, 30.0),
                        lobe([-0.8, -0.5, 0.6], 1.1, 30.0),
                        lobe([0.8, -0.5, -0.6], 1.1, 30.0),
                        lobe([-0.8, -0.5, -0.6], 1.1, 30.0),
                        lobe([1.0, 0.0, 0.0], -0.45, 12.0),
                        lobe([-1.0, 0.0, 0.0], -0.45, 12.0),
                        lobe([0.0, -1.0, 0.0], -0.35, 7.0),
                        lobe([0.0, 1.0, 0.3], 0.2, 20.0),
                        lobe([0.0, 1.0, -0.3], 0.2, 20.0),
                    ]
                }
            }
            Self::Santa => {
                const {
                    &[
                        lobe([0.0, 1.0, 0.1], 0.9, 16.0),
                        lobe([0.1, 1.0, -0.35], 0.5, 70.0),
                        lobe([0.9, 0.3, 0.3], 0.9, 28.0),
                        lobe([-0.9, 0.1, 0.4], 0.9, 28.0),
                        lobe([0.5, 0.5, -0.8], 0.9, 9.0),
                        lobe([0.35, -1.0, 0.1], 0.8, 24.0),
                        lobe([-0.35, -1.0, 0.1], 0.8, 24.0),
                        lobe([0.0, -1.0, 0.0], -0.5, 30.0),
                        lobe([0.0, 0.2, 1.0], 0.35, 5.0),
                        lobe([0.5, 0.75, 0.3], -0.3, 30.0),
                        lobe([-0.5, 0.75, 0.3], -0.3, 30.0),
                    ]
                }
            }
            Self::Dragon => {
                const {
                    &[
                        lobe([0.0, 0.5, 1.0], 1.4, 26.0),
                        lobe([0.25, 0.8, 0.9], 0.6, 90.0),
                        lobe([-0.25, 0.8, 0.9], 0.6, 90.0),
                        lobe([0.2, -0.1, -1.0], 1.6, 30.0),
                        lobe([1.0, 0.7, -0.2], 1.7, 22.0),
                        lobe([-1.0, 0.7, -0.2], 1.7, 22.0),
                        lobe([0.6, -0.8, 0.5], 0.9, 30.0),
                        lobe([-0.6, -0.8, 0.5], 0.9, 30.0),
                        lobe([0.6, -0.8, -0.5], 0.9, 30.0),
                        lobe([-0.6, -0.8, -0.5], 0.9, 30.0),
                        lobe([0.0, -1.0, 0.0], -0.5, 10.0),
                        lobe([0.0, 1.0, -0.3], -0.4, 10.0),
                        lobe([0.0, 0.9, 0.4], 0.3, 60.0),
                        lobe([0.0, 0.6, -0.8], 0.3, 60.0),
                    ]
                }
            }
        }
    }

    /// Stretch along the axes; height and frequency of the ripple, for fur and scales.
    fn finish(self) -> ([f64; 3], [f64; 2]) {
        match self {
            Self::Rabbit => ([0.9, 1.0, 1.0], [0.012, 17.0]),
            Self::Reptile => ([0.8, 0.6, 1.6], [0.015, 25.0]),
            Self::Santa => ([0.8, 1.3, 0.8], [0.010, 21.0]),
            Self::Dragon => ([1.0, 1.0, 1.2], [0.020, 45.0]),
        }
    }

    fn radius(self, direction: Vector) -> f64 {
        let (_, [height, frequency]) = self.finish();
        let mut radius = 1.0;
        for lobe in self.lobes() {
            let cosine = dot(direction, unit(lobe.toward));
            radius += lobe.height * libm::exp(lobe.sharpness * (cosine - 1.0));
        }
        let ripple = direction.map(|x| libm::sin(frequency * x));
        radius + height * (ripple[0] * ripple[1] + ripple[1] * ripple[2] + ripple[2] * ripple[0])
    }
}

/// The stand-in for a model at the size of HE1: closed, free of self-intersections, its longest side 1, centred.
pub fn smooth_body(model: Model) -> Shape {
    match smooth_body_of_parts(model, model.parts()) {
        Ok(shape) => shape,
        Err(error) => unreachable!("the sizes of the models lie within the limits: {error}"),
    }
}

/// The same body with `20 · parts²` triangles.
///
/// # Errors
///
/// [`SceneError::TooCoarse`] at 0 parts, [`SceneError::TooFine`] beyond 512.
pub fn smooth_body_of_parts(model: Model, parts: u32) -> Result<Shape, SceneError> {
    let sphere = divided(Solid::Icosahedron, parts)?;
    let ([x, y, z], _) = model.finish();
    let places = sphere
        .directions
        .into_iter()
        .map(|direction| {
            let radius = model.radius(direction);
            [x * radius * direction[0], y * radius * direction[1], z * radius * direction[2]]
        })
        .collect();
    Ok(Shape {
        triangles: sphere.triangles.to_vec(),
        positions: fitted(centred(places)).into_iter().map(round).collect(),
    })
}

fn bounds(places: &[Vector]) -> [Vector; 2] {
    let mut bounds = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
    for place in places {
        for axis in 0..3 {
            bounds[0][axis] = bounds[0][axis].min(place[axis]);
            bounds[1][axis] = bounds[1][axis].max(place[axis]);
        }
    }
    bounds
}

/// Moves the middle of the box to the origin.
pub(crate) fn centred(mut places: Vec<Vector>) -> Vec<Vector> {
    let [low, high] = bounds(&places);
    let middle = scale(add(low, high), 0.5);
    for place in &mut places {
        *place = sub(*place, middle);
    }
    places
}

/// Scales the longest side of the box to 1.
pub(crate) fn fitted(mut places: Vec<Vector>) -> Vec<Vector> {
    let [low, high] = bounds(&places);
    let sides = sub(high, low);
    let factor = 1.0 / sides[0].max(sides[1]).max(sides[2]);
    for place in &mut places {
        *place = scale(*place, factor);
    }
    places
}
