//! Bumpy spheres that never stop deforming, and the two of them that move slowly into each other.
//!
//! Paper: Larsson & Akenine-Möller 2001, experiments 1 and 2. The paper shows its bodies in a figure and gives the
//! counts (first contact at time step 60 of 200, 3,760 pairs at the end), not the formulas: bumps and paths here are
//! ours, chosen to meet those counts at 20,480 triangles.
//!
//! A bump is a plane wave that travels through space and moves a vertex along its radius where it passes the sphere:
//!
//! ```text
//! radius(direction, time) = 1 + Σ height · sin(wave · direction + phase - speed · time)
//! ```
//!
//! Cost: the sine of a difference splits into products, the vertex' share of which is kept; a frame costs two products
//! a wave and vertex and no sine, at 16 bytes a wave and vertex.

use crate::error::{SceneError, check};
use crate::random::Random;
use crate::scene::{Motion, Scene};
use crate::shape::{Solid, Sphere, divided, subdivided};
use crate::vector::{Vector, add, dot, mix, round, scale};

/// One travelling wave; the part that depends on the vertex is kept apart, in [`Bumps`].
#[derive(Clone, Copy, Debug)]
struct Wave {
    height: f64,
    speed: f64,
}

/// The bumps of one body: waves, and for every vertex and wave the sine and cosine of where the vertex is in the wave.
#[derive(Clone, Debug)]
pub(crate) struct Bumps {
    waves: Vec<Wave>,
    sin_cos: Vec<[f64; 2]>,
}

/// How bumpy a body is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bumpiness {
    /// How many waves.
    pub(crate) waves: usize,
    /// Height of each wave, as a share of the radius.
    pub(crate) height: f64,
    /// Slowest and fastest change across the body, in radians a radius.
    pub(crate) frequency: [f64; 2],
    /// Slowest and fastest change in time, in radians a frame.
    pub(crate) speed: [f64; 2],
}

impl Bumps {
    /// Draws the waves from `random`, so that they do not depend on how finely the body is divided.
    pub(crate) fn new(directions: &[Vector], bumpiness: Bumpiness, random: &mut Random) -> Self {
        let mut waves = Vec::with_capacity(bumpiness.waves);
        let mut places = Vec::with_capacity(bumpiness.waves);
        for _ in 0..bumpiness.waves {
            let frequency = random.between(bumpiness.frequency[0], bumpiness.frequency[1]);
            let along = scale(random.direction(), frequency);
            let phase = random.angle();
            let speed = random.between(bumpiness.speed[0], bumpiness.speed[1]);
            waves.push(Wave { height: bumpiness.height, speed });
            places.push((along, phase));
        }
        let mut sin_cos = Vec::with_capacity(directions.len() * waves.len());
        for &direction in directions {
            for &(along, phase) in &places {
                let angle = dot(along, direction) + phase;
                sin_cos.push([libm::sin(angle), libm::cos(angle)]);
            }
        }
        Self { waves, sin_cos }
    }

    /// Calls `each` with the number and the radius of every vertex at `time`.
    pub(crate) fn radii(&self, time: f64, mut each: impl FnMut(usize, f64)) {
        // At most this many waves; the array keeps a frame free of allocation.
        const MOST: usize = 16;
        let mut now = [[0.0; 2]; MOST];
        for (now, wave) in now.iter_mut().zip(&self.waves) {
            let angle = wave.speed * time;
            *now = [wave.height * libm::cos(angle), wave.height * libm::sin(angle)];
        }
        for (vertex, places) in self.sin_cos.chunks_exact(self.waves.len()).enumerate() {
            let mut radius = 1.0;
            for (&[sin, cos], &[now_cos, now_sin]) in places.iter().zip(&now) {
                radius += sin * now_cos - cos * now_sin;
            }
            each(vertex, radius);
        }
    }
}

/// The last frame of the paper's 200, in the time of the motion.
const LAST_TIME: f64 = 199.0;

/// The bumps of LE1: they reach from about 0.7 to 1.3 radii and are some fifteen triangles long at 20,480.
const BUMPINESS: Bumpiness = Bumpiness { waves: 8, height: 0.045, frequency: [7.0, 14.0], speed: [0.04, 0.16] };

/// A bumpy sphere on a straight path.
#[derive(Clone, Debug)]
struct Approach {
    directions: Vec<Vector>,
    bumps: Bumps,
    start: Vector,
    end: Vector,
    time_a_frame: f64,
}

impl Motion for Approach {
    fn write(&self, frame: usize, out: &mut [[f32; 3]]) {
        let time = frame as f64 * self.time_a_frame;
        let centre = mix(self.start, self.end, time / LAST_TIME);
        self.bumps.radii(time, |vertex, radius| {
            out[vertex] = round(add(centre, scale(self.directions[vertex], radius)));
        });
    }
}

/// Experiments LE1 and LE2: two bumpy spheres that move slowly into each other, 200 frames.
///
/// The motion is the same at every size. At 20,480 triangles (the icosahedron, 5 levels) the spheres meet near frame
/// 60, and between 3,000 and 4,500 pairs of triangles intersect in the last frame.
///
/// # Errors
///
/// [`SceneError::TooFine`] beyond 9 levels.
pub fn bumpy_spheres(solid: Solid, levels: u32) -> Result<Scene, SceneError> {
    bumpy_spheres_in(200, solid, levels)
}

/// The same motion shown in fewer or more frames, the first and the last being the same; CR2 shows it in 20.
///
/// # Errors
///
/// [`SceneError::TooFine`] beyond 9 levels, [`SceneError::TooCoarse`] below two frames.
pub fn bumpy_spheres_in(frames: u32, solid: Solid, levels: u32) -> Result<Scene, SceneError> {
    check("frames", frames, 2, u32::MAX)?;
    Ok(approaching(frames, &subdivided(solid, levels)?, 1.0, 1.0))
}

/// The same with bumps `detail` times as short, on a `share` of the way, 200 frames.
///
/// The published LE2 has bumps that follow the size of the mesh, so that the pairs of the worst frame are those of the
/// paper's table 1 at every size. Only at 1,280 triangles do smooth spheres already cross in more pairs than the paper's
/// 138 when they go all the way.
///
/// # Errors
///
/// [`SceneError::TooFine`] beyond 9 levels.
pub fn bumpy_spheres_with_detail(solid: Solid, levels: u32, detail: f64, share: f64) -> Result<Scene, SceneError> {
    Ok(approaching(200, &subdivided(solid, levels)?, detail, share))
}

/// The same motion at sizes in between: `face_count · parts²` triangles per body, 200 frames.
///
/// # Errors
///
/// [`SceneError::TooCoarse`] at 0 parts, [`SceneError::TooFine`] beyond 512.
pub fn bumpy_spheres_of_parts(solid: Solid, parts: u32) -> Result<Scene, SceneError> {
    Ok(approaching(200, &divided(solid, parts)?, 1.0, 1.0))
}

fn approaching(frames: u32, sphere: &Sphere, detail: f64, share: f64) -> Scene {
    let bumpiness = Bumpiness { frequency: BUMPINESS.frequency.map(|waves| waves * detail), ..BUMPINESS };
    let name = format!("bumpy-spheres-{}", sphere.triangles.len());
    let mut scene = Scene::new(name, frames as usize);
    for (name, side, seed) in [("sphere-a", -1.0, 31), ("sphere-b", 1.0, 32)] {
        let (start, end) = (scale([1.51, 0.165, -0.10], side), scale([0.09, 0.01, -0.006], side));
        let motion = Approach {
            bumps: Bumps::new(&sphere.directions, bumpiness, &mut Random::new(seed)),
            directions: sphere.directions.clone(),
            start,
            // All the way without a rounding.
            end: if share == 1.0 { end } else { mix(start, end, share) },
            time_a_frame: LAST_TIME / f64::from(frames - 1),
        };
        scene = scene.with_closed(name, &sphere.triangles, sphere.directions.len(), motion);
    }
    scene
}

/// A bumpy sphere that comes and goes.
#[derive(Clone, Debug)]
struct Visit {
    directions: Vec<Vector>,
    bumps: Bumps,
    far: Vector,
    near: Vector,
    last_frame: f64,
}

impl Motion for Visit {
    fn write(&self, frame: usize, out: &mut [[f32; 3]]) {
        let there = libm::sin(std::f64::consts::PI * frame as f64 / self.last_frame);
        let centre = mix(self.far, self.near, there);
        self.bumps.radii(frame as f64, |vertex, radius| {
            out[vertex] = round(add(centre, scale(self.directions[vertex], radius)));
        });
    }
}

/// Two bumpy spheres from the icosahedron that touch and part again, 120 frames: contact comes and goes.
///
/// # Errors
///
/// [`SceneError::TooFine`] beyond 9 levels.
pub fn visiting_spheres(levels: u32) -> Result<Scene, SceneError> {
    const FRAMES: usize = 120;
    let sphere = subdivided(Solid::Icosahedron, levels)?;
    let mut scene = Scene::new(format!("visiting-spheres-{}", sphere.triangles.len()), FRAMES);
    for (name, side, seed) in [("sphere-a", -1.0, 41), ("sphere-b", 1.0, 42)] {
        let motion = Visit {
            bumps: Bumps::new(&sphere.directions, BUMPINESS, &mut Random::new(seed)),
            directions: sphere.directions.clone(),
            far: scale([1.5, 0.16, -0.10], side),
            near: scale([1.0, 0.10, -0.06], side),
            last_frame: (FRAMES - 1) as f64,
        };
        scene = scene.with_closed(name, &sphere.triangles, sphere.directions.len(), motion);
    }
    Ok(scene)
}

/// A bumpy sphere for others to collide with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ball {
    pub(crate) radius: f64,
    /// Where it is in the first frame.
    pub(crate) centre: Vector,
    /// How far it has gone in the last.
    pub(crate) drift: Vector,
    pub(crate) seed: u64,
}

const BALL_BUMPINESS: Bumpiness = Bumpiness { waves: 4, height: 0.05, frequency: [4.0, 8.0], speed: [0.05, 0.15] };

struct DriftingBall {
    directions: Vec<Vector>,
    bumps: Bumps,
    ball: Ball,
    last_frame: usize,
}

impl Motion for DriftingBall {
    fn write(&self, frame: usize, out: &mut [[f32; 3]]) {
        let progress = frame as f64 / self.last_frame as f64;
        let centre = add(self.ball.centre, scale(self.ball.drift, progress));
        self.bumps.radii(frame as f64, |vertex, radius| {
            let place = scale(self.directions[vertex], radius * self.ball.radius);
            out[vertex] = round(add(centre, place));
        });
    }
}

/// Adds the ball to a scene of at least two frames.
pub(crate) fn with_ball(scene: Scene, name: &str, ball: Ball, levels: u32) -> Result<Scene, SceneError> {
    let sphere = subdivided(Solid::Icosahedron, levels)?;
    let motion = DriftingBall {
        bumps: Bumps::new(&sphere.directions, BALL_BUMPINESS, &mut Random::new(ball.seed)),
        directions: sphere.directions,
        ball,
        last_frame: scene.frame_count() - 1,
    };
    let vertices = motion.directions.len();
    Ok(scene.with_closed(name, &sphere.triangles, vertices, motion))
}
