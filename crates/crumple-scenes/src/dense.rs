//! Twenty-seven bodies crowd towards one point, turning, deforming and pushing each other apart.
//!
//! Paper: Larsson & Akenine-Möller 2001, experiment 3 and figure 6. The bodies start on a 3 x 3 x 3 grid, free of each
//! other, and are drawn to the origin. The response looks at distances between centres only, so the scene is the same
//! whatever method detects the collisions: two centres closer than a contact distance are moved apart, and bounce.
//! That distance is a little less than two radii, so surfaces do meet. The paths are worked out once, in a fixed order
//! of operations; the deformation is a function of the frame.

use std::sync::Arc;

use crate::arms::Arms;
use crate::bumpy::{Bumpiness, Bumps};
use crate::error::{SceneError, check};
use crate::random::Random;
use crate::scene::{Motion, Scene};
use crate::shape::{Solid, subdivided};
use crate::vector::{Rotation, Vector, add, cross, dot, length, round, scale, sub};

/// What the 27 bodies are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Crowd {
    /// Bumpy spheres.
    Spheres,
    /// Bodies with six waving arms, which reach in between each other.
    Arms,
}

const FRAMES: usize = 200;
const BODIES_A_SIDE: i32 = 3;
/// Steps of the response a frame: a body then moves about a hundredth of its size a step.
const STEPS: u32 = 8;
/// Draws a body to the origin: a free body would take about 70 frames to get there.
const PULL: f64 = 0.0005;
/// Turns the crowd about an axis, so that it keeps moving when it has gathered.
const SWIRL: f64 = 0.0001;
const DRAG: f64 = 0.005;
/// Share of the approaching speed that is given back.
const BOUNCE: f64 = 0.3;

impl Crowd {
    /// Between neighbours on the grid at the start; no two bodies touch.
    pub(crate) fn spacing(self) -> f64 {
        match self {
            Self::Spheres => 3.0,
            Self::Arms => 3.3,
        }
    }

    /// Centres closer than this are pushed apart.
    fn contact_distance(self) -> f64 {
        match self {
            Self::Spheres => 1.93,
            Self::Arms => 1.5,
        }
    }
}

/// The bumps of a sphere in the crowd.
pub(crate) const BUMPINESS: Bumpiness =
    Bumpiness { waves: 6, height: 0.045, frequency: [3.0, 9.0], speed: [0.04, 0.16] };

/// Experiment LE3: 27 bodies in a dense crowd, 200 frames; 4 levels give the paper's 5,120 triangles per body.
///
/// # Errors
///
/// [`SceneError::TooFine`] beyond 7 levels, which already take half a gigabyte.
pub fn dense_crowd(crowd: Crowd, levels: u32) -> Result<Scene, SceneError> {
    check("levels", levels, 0, 7)?;
    let sphere = subdivided(Solid::Icosahedron, levels)?;
    let directions: Arc<[Vector]> = sphere.directions.into();
    let name = match crowd {
        Crowd::Spheres => "crowd-of-spheres",
        Crowd::Arms => "crowd-of-arms",
    };
    let mut scene = Scene::new(format!("{name}-{}", sphere.triangles.len()), FRAMES);
    for (number, path) in paths(crowd).into_iter().enumerate() {
        let name = format!("body-{number:02}");
        let random = &mut Random::new(1_000 + number as u64);
        scene = match crowd {
            Crowd::Spheres => {
                let bumps = Bumps::new(&directions, BUMPINESS, random);
                let directions = Arc::clone(&directions);
                let motion = CrowdedSphere { directions, bumps, path };
                scene.with_closed(&name, &sphere.triangles, motion.directions.len(), motion)
            }
            Crowd::Arms => {
                let arms = Arms::new(&directions, random);
                scene.with_closed(&name, &sphere.triangles, directions.len(), CrowdedArms { arms, path })
            }
        };
    }
    Ok(scene)
}

/// Where a body is and how it is turned, frame by frame.
#[derive(Clone, Debug)]
struct Path {
    centres: Vec<Vector>,
    axis: Vector,
    angle_at_start: f64,
    angle_a_frame: f64,
}

impl Path {
    fn rotation(&self, frame: usize) -> Rotation {
        Rotation::about(self.axis, self.angle_at_start + self.angle_a_frame * frame as f64)
    }
}

struct CrowdedSphere {
    directions: Arc<[Vector]>,
    bumps: Bumps,
    path: Path,
}

impl Motion for CrowdedSphere {
    fn write(&self, frame: usize, out: &mut [[f32; 3]]) {
        let (rotation, centre) = (self.path.rotation(frame), self.path.centres[frame]);
        self.bumps.radii(frame as f64, |vertex, radius| {
            let place = scale(self.directions[vertex], radius);
            out[vertex] = round(add(centre, rotation.apply(place)));
        });
    }
}

struct CrowdedArms {
    arms: Arms,
    path: Path,
}

impl Motion for CrowdedArms {
    fn write(&self, frame: usize, out: &mut [[f32; 3]]) {
        let (rotation, centre) = (self.path.rotation(frame), self.path.centres[frame]);
        self.arms.places(frame as f64, |vertex, place| {
            out[vertex] = round(add(centre, rotation.apply(place)));
        });
    }
}

/// Lets the crowd gather and notes where every body is in every frame.
fn paths(crowd: Crowd) -> Vec<Path> {
    let mut random = Random::new(27);
    let mut centres = Vec::new();
    let mut paths = Vec::new();
    let middle = f64::from(BODIES_A_SIDE - 1) / 2.0;
    for x in 0..BODIES_A_SIDE {
        for y in 0..BODIES_A_SIDE {
            for z in 0..BODIES_A_SIDE {
                let place = [x, y, z].map(|i| (f64::from(i) - middle) * crowd.spacing());
                centres.push(add(place, random.in_cube(0.15)));
                paths.push(Path {
                    centres: Vec::with_capacity(FRAMES),
                    axis: random.direction(),
                    angle_at_start: random.angle(),
                    angle_a_frame: random.between(0.01, 0.04),
                });
            }
        }
    }
    let mut speeds = vec![[0.0; 3]; centres.len()];
    for _ in 0..FRAMES {
        for (path, &centre) in paths.iter_mut().zip(&centres) {
            path.centres.push(centre);
        }
        for _ in 0..STEPS {
            gather(&mut centres, &mut speeds, 1.0 / f64::from(STEPS));
            push_apart(&mut centres, &mut speeds, crowd.contact_distance());
        }
    }
    paths
}

fn gather(centres: &mut [Vector], speeds: &mut [Vector], time: f64) {
    for (centre, speed) in centres.iter_mut().zip(speeds) {
        *speed = gathering(*centre, *speed, time);
        *centre = add(*centre, scale(*speed, time));
    }
}

/// The speed of a body after a `time` in which it is drawn to the origin and about an axis.
pub(crate) fn gathering(centre: Vector, speed: Vector, time: f64) -> Vector {
    let axis = [0.6, 0.64, 0.48];
    let pull = add(scale(centre, -PULL), scale(cross(axis, centre), SWIRL));
    add(scale(speed, 1.0 - DRAG * time), scale(pull, time))
}

fn push_apart(centres: &mut [Vector], speeds: &mut [Vector], distance: f64) {
    for b in 1..centres.len() {
        for a in 0..b {
            let between = sub(centres[b], centres[a]);
            let gap = length(between);
            if gap >= distance || gap == 0.0 {
                continue;
            }
            let normal = scale(between, 1.0 / gap);
            // Only part of the overlap, so that bodies deep in the crowd are not thrown about.
            let push = scale(normal, 0.1 * (distance - gap));
            centres[a] = sub(centres[a], push);
            centres[b] = add(centres[b], push);
            let approach = dot(sub(speeds[a], speeds[b]), normal);
            if approach > 0.0 {
                let kick = scale(normal, 0.5 * (1.0 + BOUNCE) * approach);
                speeds[a] = sub(speeds[a], kick);
                speeds[b] = add(speeds[b], kick);
            }
        }
    }
}
