//! Thousands of small bodies fall into a bowl and settle in a heap: the scenes for many bodies.
//!
//! For the response a body is a ball: balls that overlap are moved apart, balls outside the bowl are moved back in, and
//! the speed is what the moves made of it (position-based dynamics, Müller et al. 2007). The bowl is a half sphere that
//! goes on upwards as a cylinder; it is not a body of the scene. The paths are worked out once, when the scene is made,
//! in a fixed order of operations. The bodies themselves are bumpy, turn all the time, and reach a little beyond their
//! balls, so that neighbours in the heap touch.
//!
//! Cost: making CR3 takes about a tenth of a second and 2.4 MB for the paths.

use std::sync::Arc;

use crate::bumpy::{Bumpiness, Bumps};
use crate::error::{SceneError, check};
use crate::random::Random;
use crate::scene::{Motion, Scene};
use crate::shape::{Solid, subdivided};
use crate::vector::{Rotation, Vector, add, length, round, scale, sub};

const FRAMES: usize = 100;
/// Radius of a ball, and by how much the body is larger.
const BALL: f64 = 0.1;
const BODY: f64 = 1.05 * BALL;
/// Radius of the bowl of a thousand bodies; its rim's centre is the origin.
const BOWL: f64 = 1.3;
/// Between the balls before they fall.
const SPACING: f64 = 0.27;
/// Of the lowest balls before they fall.
const START: f64 = -0.3;
/// A ball falls the height of the scene in about 50 frames.
const GRAVITY: f64 = 0.0025;
/// Share of the speed that is lost each frame.
const DRAG: f64 = 0.03;
const STEPS: u32 = 4;
const ROUNDS: u32 = 4;

const BUMPINESS: Bumpiness = Bumpiness { waves: 3, height: 0.04, frequency: [2.0, 5.0], speed: [0.05, 0.2] };

/// Experiment CR3: `bodies` small bodies fall into a heap in 100 frames; 1,000 bodies at 1 level (80 triangles each).
///
/// # Errors
///
/// [`SceneError::TooCoarse`] at 0 bodies, [`SceneError::TooFine`] beyond 5,000 bodies or 4 levels.
pub fn heap(bodies: u32, levels: u32) -> Result<Scene, SceneError> {
    check("bodies", bodies, 1, 5_000)?;
    check("levels", levels, 0, 4)?;
    let sphere = subdivided(Solid::Icosahedron, levels)?;
    Ok(tumbling(bodies, BOWL, sphere.directions, &sphere.triangles))
}

/// Experiment CR6: `bodies` boxes of 12 triangles fall into a heap in 100 frames, in a bowl as wide as they need; 1,000 and 10,000.
///
/// # Errors
///
/// [`SceneError::TooCoarse`] at 0 bodies, [`SceneError::TooFine`] beyond 20,000.
pub fn heap_of_boxes(bodies: u32) -> Result<Scene, SceneError> {
    check("bodies", bodies, 1, 20_000)?;
    let side = 1.0 / 3.0f64.sqrt();
    let corners =
        (0..8).map(|corner| [0, 1, 2].map(|axis| if corner >> axis & 1 == 1 { side } else { -side })).collect();
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles: Arc<[[u32; 3]]> = sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    // Roots of this kind are the same numbers everywhere.
    let wider = (f64::from(bodies) / 1_000.0).sqrt().sqrt().max(0.5);
    Ok(tumbling(bodies, wider * BOWL, corners, &triangles))
}

/// Bodies that fall into a bowl, each with vertices in the same directions from its centre.
fn tumbling(bodies: u32, bowl: f64, directions: Vec<Vector>, triangles: &Arc<[[u32; 3]]>) -> Scene {
    let directions: Arc<[Vector]> = directions.into();
    let mut scene = Scene::new(format!("heap-{bodies}"), FRAMES);
    for (number, centres) in paths(bodies as usize, bowl).into_iter().enumerate() {
        let random = &mut Random::new(2_000 + number as u64);
        let motion = Tumble {
            bumps: Bumps::new(&directions, BUMPINESS, random),
            directions: Arc::clone(&directions),
            centres,
            axis: random.direction(),
            angle_a_frame: random.between(0.02, 0.08),
        };
        scene = scene.with_closed(&format!("body-{number:04}"), triangles, directions.len(), motion);
    }
    scene
}

struct Tumble {
    directions: Arc<[Vector]>,
    bumps: Bumps,
    centres: Vec<Vector>,
    axis: Vector,
    angle_a_frame: f64,
}

impl Motion for Tumble {
    fn write(&self, frame: usize, out: &mut [[f32; 3]]) {
        let rotation = Rotation::about(self.axis, self.angle_a_frame * frame as f64);
        self.bumps.radii(frame as f64, |vertex, radius| {
            let place = rotation.apply(scale(self.directions[vertex], radius * BODY));
            out[vertex] = round(add(self.centres[frame], place));
        });
    }
}

/// Lets the balls fall and notes where each is in every frame.
fn paths(bodies: usize, bowl: f64) -> Vec<Vec<Vector>> {
    let mut balls = start(bodies, bowl);
    let mut speeds = vec![[0.0; 3]; bodies];
    let mut paths = vec![Vec::with_capacity(FRAMES); bodies];
    let mut before = Vec::new();
    let mut order: Vec<usize> = (0..bodies).collect();
    let mut close = Vec::new();
    let time = 1.0 / f64::from(STEPS);
    for _ in 0..FRAMES {
        for (path, &ball) in paths.iter_mut().zip(&balls) {
            path.push(ball);
        }
        for _ in 0..STEPS {
            before.clone_from(&balls);
            for (ball, speed) in balls.iter_mut().zip(&mut speeds) {
                speed[1] -= GRAVITY * time;
                *ball = add(*ball, scale(*speed, time));
            }
            find_close(&balls, &mut order, &mut close);
            for _ in 0..ROUNDS {
                for &(a, b) in &close {
                    push_apart(&mut balls, a, b);
                }
                for ball in &mut balls {
                    *ball = into_bowl(*ball, bowl);
                }
            }
            for ((ball, before), speed) in balls.iter().zip(&before).zip(&mut speeds) {
                *speed = scale(sub(*ball, *before), (1.0 - DRAG * time) / time);
            }
        }
    }
    paths
}

/// Layers of balls, one above another, each not quite on its grid so that no column balances.
fn start(bodies: usize, bowl: f64) -> Vec<Vector> {
    let mut random = Random::new(3);
    let mut balls = Vec::with_capacity(bodies);
    let reach = (bowl / SPACING) as i32;
    for layer in 0.. {
        for i in -reach..=reach {
            for j in -reach..=reach {
                let (x, z) = (f64::from(i) * SPACING, f64::from(j) * SPACING);
                if x * x + z * z > (bowl - 1.5 * BALL) * (bowl - 1.5 * BALL) {
                    continue;
                }
                if balls.len() == bodies {
                    return balls;
                }
                let place = [x, START + f64::from(layer) * SPACING, z];
                balls.push(add(place, random.in_cube(0.05 * SPACING)));
            }
        }
    }
    balls
}

/// All pairs of balls that may meet within a step, found by a sweep along x.
fn find_close(balls: &[Vector], order: &mut [usize], close: &mut Vec<(usize, usize)>) {
    // A little more than a diameter: the moves of one step bring others near.
    let reach = 2.2 * BALL;
    order.sort_by(|&a, &b| balls[a][0].total_cmp(&balls[b][0]).then(a.cmp(&b)));
    close.clear();
    for (rank, &a) in order.iter().enumerate() {
        for &b in &order[rank + 1..] {
            let between = sub(balls[b], balls[a]);
            if between[0] > reach {
                break;
            }
            if between[1].abs() <= reach && between[2].abs() <= reach {
                close.push((a, b));
            }
        }
    }
}

fn push_apart(balls: &mut [Vector], a: usize, b: usize) {
    let between = sub(balls[b], balls[a]);
    let gap = length(between);
    if gap < 2.0 * BALL && gap > 0.0 {
        let push = scale(between, 0.5 * (2.0 * BALL - gap) / gap);
        balls[a] = sub(balls[a], push);
        balls[b] = add(balls[b], push);
    }
}

fn into_bowl(ball: Vector, bowl: f64) -> Vector {
    let [x, y, z] = ball;
    let below = y.min(0.0);
    let distance = length([x, below, z]);
    let most = bowl - BALL;
    if distance <= most {
        return ball;
    }
    let inward = most / distance;
    [x * inward, if y < 0.0 { y * inward } else { y }, z * inward]
}
