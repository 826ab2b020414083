//! Twenty-seven bodies that turn and deform hit each other, and are pushed apart where their surfaces meet.
//!
//! Paper: Larsson & Akenine-Möller 2001, experiment 3: "27 translating, rotating and deforming bodies hit each other
//! frequently […] in a rather dense environment. A simple collision response method was applied to prevent the bodies
//! passing through each other." Bodies and paths are ours: they start on a 3 x 3 x 3 grid, free of each other, and are
//! drawn to the origin. Where they meet, `response` keeps them from going into each other by more than a little, so
//! that some hundred pairs of triangles meet in a frame. In the crowd of `dense`, which looks at the distance of centres
//! only, thousands do.
//!
//! The rigid motion is published apart from the deformation, for methods that keep boxes in body coordinates: a vertex
//! is its local f32 position, rotated and translated in f64 and rounded once. The response works on balls that do not
//! depend on how finely the bodies are divided, so the paths are the same at every size.
//!
//! Cost: the paths are computed when the scene is made, half a second; then as for `dense`.

use std::sync::Arc;

use crate::arms::Arms;
use crate::bumpy::Bumps;
use crate::dense::{BUMPINESS, Crowd, gathering};
use crate::error::{SceneError, check};
use crate::random::Random;
use crate::response::{Rigid, push_apart};
use crate::scene::{Motion, Placement, Scene};
use crate::shape::{Solid, subdivided};
use crate::vector::{Rotation, Vector, add, round, scale, sub};

const FRAMES: usize = 200;
/// Steps of the response per frame.
const STEPS: usize = 4;
/// How fast a body takes up its own spin again after a contact has changed it, per frame.
const SPIN_UP: f64 = 0.05;

/// Balls just below the surface of a bumpy sphere: their radius, and the levels of the sphere that says where they are.
/// The bumps are rounder than these balls, and between two of them the surface lies a hundredth beyond.
const BALL: f64 = 0.25;
const BALL_LEVELS: u32 = 2;

/// How far apart the response keeps the balls of two bodies: it takes some steps, and surfaces are bent and divided where
/// balls are round, so that at these gaps some hundred pairs of triangles meet in a frame, of 5,120 triangles per body.
fn gap(crowd: Crowd) -> f64 {
    match crowd {
        Crowd::Spheres => 0.015,
        Crowd::Arms => 0.03,
    }
}

/// Experiment LE3: 27 bodies hit each other and are pushed apart, 200 frames; 4 levels give the paper's 5,120 triangles
/// per body.
///
/// # Errors
///
/// [`SceneError::TooFine`] beyond 7 levels, which already take half a gigabyte.
pub fn crowd_apart(crowd: Crowd, levels: u32) -> Result<Scene, SceneError> {
    check("levels", levels, 0, 7)?;
    let sphere = subdivided(Solid::Icosahedron, levels)?;
    let directions: Arc<[Vector]> = sphere.directions.into();
    let mut scene = Scene::new(format!("crowd-apart-{}", sphere.triangles.len()), FRAMES);
    for (number, places) in places(crowd)?.into_iter().enumerate() {
        let motion = Placed { form: Form::new(crowd, number, &directions), places };
        scene = scene.with_closed(&format!("body-{number:02}"), &sphere.triangles, directions.len(), motion);
    }
    Ok(scene)
}

/// A body before it is placed.
enum Form {
    Sphere(Arc<[Vector]>, Bumps),
    Arms(Box<Arms>),
}

impl Form {
    fn new(crowd: Crowd, number: usize, directions: &Arc<[Vector]>) -> Self {
        let random = &mut Random::new(1_000 + number as u64);
        match crowd {
            Crowd::Spheres => Self::Sphere(Arc::clone(directions), Bumps::new(directions, BUMPINESS, random)),
            Crowd::Arms => Self::Arms(Box::new(Arms::new(directions, random))),
        }
    }

    fn write(&self, time: f64, out: &mut [[f32; 3]]) {
        match self {
            Self::Sphere(directions, bumps) => {
                bumps.radii(time, |vertex, radius| out[vertex] = round(scale(directions[vertex], radius)));
            }
            Self::Arms(arms) => arms.places(time, |vertex, place| out[vertex] = round(place)),
        }
    }

    /// Calls `each` with the centre and radius of the balls that fill the body.
    fn fill(&self, time: f64, each: &mut dyn FnMut(Vector, f64)) {
        match self {
            Self::Sphere(directions, bumps) => {
                bumps.radii(time, |vertex, radius| each(scale(directions[vertex], radius - BALL), BALL));
            }
            Self::Arms(arms) => arms.balls(time, each),
        }
    }
}

struct Placed {
    form: Form,
    places: Vec<Placement>,
}

impl Motion for Placed {
    fn write(&self, frame: usize, out: &mut [[f32; 3]]) {
        self.write_local(frame, out);
        let Placement { rotation, translation } = self.places[frame];
        let rotation = Rotation::of_quaternion(rotation);
        for position in out {
            *position = round(add(translation, rotation.apply(position.map(f64::from))));
        }
    }

    fn placement(&self, frame: usize) -> Option<Placement> {
        Some(self.places[frame])
    }

    fn write_local(&self, frame: usize, out: &mut [[f32; 3]]) {
        self.form.write(frame as f64, out);
    }
}

/// Lets the crowd gather and notes where every body is in every frame.
fn places(crowd: Crowd) -> Result<Vec<Vec<Placement>>, SceneError> {
    let directions: Arc<[Vector]> = subdivided(Solid::Icosahedron, BALL_LEVELS)?.directions.into();
    let random = &mut Random::new(28);
    let mut bodies = Vec::new();
    // The spin that each body takes up again.
    let mut spins = Vec::new();
    for x in 0..3 {
        for y in 0..3 {
            for z in 0..3 {
                let grid = [x, y, z].map(|i| (f64::from(i) - 1.0) * crowd.spacing());
                let [axis, from] = [random.direction(), random.direction()];
                let place = Placement {
                    rotation: [from[0], from[1], from[2], 0.0],
                    translation: add(grid, random.in_cube(0.15)),
                };
                let spin = scale(axis, random.between(0.01, 0.04));
                spins.push(spin);
                bodies.push(Rigid { place, speed: [0.0; 3], spin, balls: Vec::new(), reach: 0.0 });
            }
        }
    }
    let forms: Vec<Form> = (0..bodies.len()).map(|number| Form::new(crowd, number, &directions)).collect();
    let mut places = vec![Vec::with_capacity(FRAMES); bodies.len()];
    let time = 1.0 / STEPS as f64;
    for frame in 0..FRAMES {
        for (places, body) in places.iter_mut().zip(&bodies) {
            places.push(body.place);
        }
        for step in 1..=STEPS {
            let now = frame as f64 + step as f64 * time;
            for ((body, form), &spin) in bodies.iter_mut().zip(&forms).zip(&spins) {
                body.speed = gathering(body.place.translation, body.speed, time);
                body.spin = add(body.spin, scale(sub(spin, body.spin), SPIN_UP * time));
                body.advance(time, |each| form.fill(now, each));
            }
            push_apart(&mut bodies, gap(crowd));
        }
    }
    Ok(places)
}
