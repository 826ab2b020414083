//! Particles that fall, are pushed out of a body where they got into it, and bounce.
//!
//! Depth images know how far it is to the surface along their own axis. Three of them, along x, y and z, give three
//! points of the surface around a particle; the plane through them approximates the surface:
//!
//! ```text
//!   ways out along the axes  d = (dx, dy, dz), with signs
//!   plane through them       x/dx + y/dy + z/dz = 1, from the particle on
//!   so its normal            n = (1/dx, 1/dy, 1/dz) / |…|     and its distance  1 / |(1/dx, 1/dy, 1/dz)|
//! ```
//!
//! The particle is moved onto the plane and its speed against it is turned round, damped by [`BOUNCE`].
//! Nothing is kept of the body between frames.

use crumple::Body;
use crumple_ldi::{Direction, ImageOptions, LayeredDepthImage, PointDepth, VolumeError};
use crumple_scenes::points_in_box;
use glam::Vec3;

/// The box in which particles start, and start again when they fall below [`BOTTOM`].
const LOW: [f32; 3] = [-1.5, 2.4, -1.5];
const HIGH: [f32; 3] = [1.5, 6.4, 1.5];
const BOTTOM: f32 = -2.2;

/// How wide the body is, about.
pub(super) const ACROSS: f32 = 2.0;

/// Seconds per frame, and gravity in units per second squared.
const STEP: f32 = 1.0 / 60.0;
const GRAVITY: f32 = 4.0;

/// What is left of the speed against the surface, and along it, after a bounce.
const BOUNCE: f32 = 0.45;
const SLIDE: f32 = 0.96;

/// How fast the mark of a contact fades.
const FADES: f32 = 0.97;

/// Which points: the same ones in every run.
const SEED: u64 = 3;

/// Samples per side, as in the paper.
const RESOLUTION: u32 = 128;

/// Falling particles.
#[derive(Debug)]
pub(super) struct Rain {
    starts: Vec<[f32; 3]>,
    positions: Vec<[f32; 3]>,
    velocities: Vec<Vec3>,
    /// 1 at a contact, fading after it.
    heat: Vec<f32>,
    images: [LayeredDepthImage; 3],
    inside: Vec<bool>,
    touching: Vec<usize>,
    touching_positions: Vec<[f32; 3]>,
    depths: [Vec<PointDepth>; 3],
}

impl Rain {
    pub(super) fn new(count: usize) -> Self {
        let starts = points_in_box(count, SEED, LOW, HIGH);
        Self {
            positions: starts.clone(),
            velocities: vec![Vec3::ZERO; count],
            heat: vec![0.0; count],
            starts,
            images: Default::default(),
            inside: Vec::new(),
            touching: Vec::new(),
            touching_positions: Vec::new(),
            depths: Default::default(),
        }
    }

    /// Where the particles are, and how lately each touched the body.
    pub(super) fn particles(&self) -> impl Iterator<Item = (Vec3, f32)> {
        self.positions.iter().map(|&position| Vec3::from(position)).zip(self.heat.iter().copied())
    }

    /// Moves all particles by a frame.
    pub(super) fn fall(&mut self) {
        let moving = self.positions.iter_mut().zip(&mut self.velocities).zip(&mut self.heat).zip(&self.starts);
        for (((position, velocity), heat), &start) in moving {
            velocity.y -= GRAVITY * STEP;
            *position = (Vec3::from(*position) + *velocity * STEP).into();
            *heat *= FADES;
            if position[1] < BOTTOM {
                // It has been on its way again since it passed the bottom within this frame; else the rain would come
                // in sheets, a frame apart.
                let since = (position[1] - BOTTOM) / velocity.y;
                *velocity = Vec3::NEG_Y * (GRAVITY * since);
                *position = (Vec3::from(start) + *velocity * (since / 2.0)).into();
                *heat = 0.0;
            }
        }
    }

    /// Takes the three images of the body as it is now.
    pub(super) fn look_at(&mut self, body: &Body) -> Result<(), VolumeError> {
        let directions = [Direction::PositiveX, Direction::PositiveY, Direction::PositiveZ];
        for (image, direction) in self.images.iter_mut().zip(directions) {
            image.render(body, &ImageOptions::default().with_resolution(RESOLUTION).with_direction(direction))?;
        }
        Ok(())
    }

    /// Pushes particles out of the body and turns them round; returns how many.
    pub(super) fn bounce(&mut self) -> u64 {
        self.find_ways_out();
        let mut bounced = 0;
        for (at, &particle) in self.touching.iter().enumerate() {
            let Some((normal, depth)) = surface(self.depths.each_ref().map(|depths| depths[at])) else { continue };
            let velocity = &mut self.velocities[particle];
            self.positions[particle] = (Vec3::from(self.positions[particle]) + normal * depth).into();
            let against = velocity.dot(normal);
            if against < 0.0 {
                let along = *velocity - normal * against;
                *velocity = along * SLIDE - normal * (against * BOUNCE);
            }
            self.heat[particle] = 1.0;
            bounced += 1;
        }
        bounced
    }

    /// Finds the particles inside the body, and how far it is to the surface along each axis.
    fn find_ways_out(&mut self) {
        self.images[1].contains_points(&self.positions, &mut self.inside);
        self.touching.clear();
        self.touching
            .extend(self.inside.iter().enumerate().filter(|(_, inside)| **inside).map(|(particle, _)| particle));
        self.touching_positions.clear();
        self.touching_positions.extend(self.touching.iter().map(|&particle| self.positions[particle]));
        for (image, depths) in self.images.iter().zip(&mut self.depths) {
            image.depths_of_points(&self.touching_positions, depths);
        }
    }

    /// How deep the deepest particle still is in the body: a measure of how good the response is.
    pub(super) fn deepest_left(&mut self) -> f64 {
        self.find_ways_out();
        let depth =
            |at: usize| surface(self.depths.each_ref().map(|depths| depths[at])).map_or(0.0, |(_, depth)| depth);
        f64::from((0..self.touching.len()).map(depth).fold(0.0, f32::max))
    }
}

/// The normal of the surface nearby and the distance to it; `None` if an image does not see the point inside.
fn surface(ways: [PointDepth; 3]) -> Option<(Vec3, f32)> {
    let way = |depth: PointDepth| {
        (depth.depth() > 0.0).then(|| if depth.behind < depth.ahead { -depth.behind } else { depth.ahead })
    };
    let [x, y, z] = ways.map(way);
    let slope = Vec3::new((1.0 / x?) as f32, (1.0 / y?) as f32, (1.0 / z?) as f32);
    let steepness = slope.length();
    (steepness.is_finite() && steepness > 0.0).then(|| (slope / steepness, 1.0 / steepness))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plane_through_the_ways_out_is_the_surface() {
        let way = |behind, ahead| PointDepth { behind, ahead };
        // Below a slope x + y + z = 3, from (0.5, 0.5, 0.5): 1.5 along each axis.
        let (normal, depth) = surface([way(9.0, 1.5), way(9.0, 1.5), way(9.0, 1.5)]).unwrap();
        assert!((normal - Vec3::splat(1.0 / 3f32.sqrt())).length() < 1e-6 && (depth - 1.5 / 3f32.sqrt()).abs() < 1e-6);
        // Just above a floor that is far away to all sides.
        let (normal, _) = surface([way(50.0, 60.0), way(0.01, 4.0), way(70.0, 60.0)]).unwrap();
        assert!((normal - Vec3::NEG_Y).length() < 1e-3, "{normal}");
        assert_eq!(surface([way(0.0, 0.0), way(1.0, 1.0), way(1.0, 1.0)]), None);
    }

    #[test]
    fn particles_stay_out_of_the_body_and_come_back_when_they_fell_past_it() {
        let scene = crumple_scenes::breathing_body(120).unwrap();
        let shown = &scene.bodies()[0];
        let mesh = crumple::Mesh::new(shown.vertex_count(), shown.triangles().to_vec()).unwrap();
        let mut body = Body::new(mesh, &shown.positions_at(0)).unwrap();
        let mut rain = Rain::new(2_000);
        let mut bounced = 0;
        for frame in 0..120 {
            body.set_positions(&shown.positions_at(frame)).unwrap();
            rain.fall();
            rain.look_at(&body).unwrap();
            bounced += rain.bounce();
            assert!(rain.deepest_left() < 0.03, "frame {frame}: {}", rain.deepest_left());
        }
        assert!(bounced > 500, "{bounced}");
        assert!(rain.particles().all(|(position, _)| position.y >= BOTTOM && position.y <= HIGH[1]));
    }
}
