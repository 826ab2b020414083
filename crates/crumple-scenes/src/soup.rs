//! Points that move together, more or less: the scene for primitives without topology.
//!
//! Paper: Ganovelli, Dingliana & O'Sullivan 2000, section 4 and figure 2. In each frame a direction and a speed are
//! drawn for the whole; every point goes as far, in a direction of its own within an angle α of it. At α = 0 all keep
//! their order along every axis; at 180° nothing is left of it but what the step's shortness keeps.
//!
//! A frame follows from the one before it, unlike everywhere else in this crate; a soup made again goes through the same
//! frames.

use std::f64::consts::{PI, TAU};

use crate::digest::Digest;
use crate::random::Random;
use crate::vector::{Vector, across, add, round, scale};

/// Slowest and fastest step of the whole, in parts of the cube in which the points start.
const SPEED: [f64; 2] = [0.005, 0.02];

/// Points in motion: experiments BE1 to BE3.
///
/// ```
/// let mut soup = crumple_scenes::PointSoup::new(1_000, 10.0, 1);
/// let first = soup.positions().to_vec();
/// soup.advance();
/// assert_ne!(soup.positions(), first);
/// ```
#[derive(Clone, Debug)]
pub struct PointSoup {
    places: Vec<Vector>,
    positions: Vec<[f32; 3]>,
    least_cosine: f64,
    random: Random,
}

impl PointSoup {
    /// `count` points spread evenly over the unit cube, which will move within `degrees` of a common direction.
    ///
    /// An angle outside 0 to 180 counts as the nearer of the two.
    pub fn new(count: usize, degrees: f64, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let places: Vec<Vector> = (0..count).map(|_| random.in_cube(0.5)).collect();
        let angle = degrees.clamp(0.0, 180.0) / 180.0 * PI;
        let positions = places.iter().map(|&place| round(place)).collect();
        Self { places, positions, least_cosine: libm::cos(angle), random }
    }

    /// Where the points are.
    pub fn positions(&self) -> &[[f32; 3]] {
        &self.positions
    }

    /// Goes on to the next frame.
    pub fn advance(&mut self) {
        let towards = self.random.direction();
        let [right, up] = across(towards);
        let speed = self.random.between(SPEED[0], SPEED[1]);
        for (place, position) in self.places.iter_mut().zip(&mut self.positions) {
            // Evenly over the cap of directions: the cosine is spread evenly, and so is the angle around it.
            let cosine = self.random.between(self.least_cosine, 1.0);
            let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
            let around = self.random.between(0.0, TAU);
            let aside = add(scale(right, sine * libm::cos(around)), scale(up, sine * libm::sin(around)));
            *place = add(*place, scale(add(scale(towards, cosine), aside), speed));
            *position = round(*place);
        }
    }

    /// The digest of where the points are.
    pub fn digest(&self) -> Digest {
        let mut digest = Digest::new();
        digest.positions(&self.positions);
        digest
    }
}
