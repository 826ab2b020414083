//! Deformations after which a tree built for the first frame no longer fits: twisting, tearing apart, turning inside
//! out.
//!
//! A tree that is refitted, never rebuilt, lives on the hope that what was close together stays close together. These
//! three scenes break it, each its own way, and each with a partner to collide with. How badly, in the last frame: a
//! binary tree made in frame 0 and refitted visits 3 times the node pairs of one made in the frame itself (twist,
//! inside out), 430 times (scatter).

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use crate::bumpy::{Ball, with_ball};
use crate::error::{SceneError, check};
use crate::grid::{block, sheet};
use crate::random::Random;
use crate::scene::{Motion, Scene};
use crate::shape::{Solid, subdivided};
use crate::vector::{Rotation, Vector, add, dot, round, scale, smooth_step, sub};

const FRAMES: usize = 100;

/// How far the deformation has gone, from 0 in the first frame to 1 in the last.
fn progress(frame: usize) -> f64 {
    frame as f64 / (FRAMES - 1) as f64
}

/// Scene CR4-twist: two flat bars lie crosswise and are twisted by eight turns each, in opposite directions.
///
/// `cells` is the number of cells along a bar; 240 give 19,456 triangles a bar.
///
/// # Errors
///
/// [`SceneError::TooCoarse`] at 0 cells, [`SceneError::TooFine`] beyond 2,000.
pub fn twisted_bars(cells: u32) -> Result<Scene, SceneError> {
    check("cells", cells, 1, 2_000)?;
    let across = [cells.div_ceil(15), cells.div_ceil(60)];
    let (corners, triangles) = block([cells, across[0], across[1]]);
    let (corners, triangles): (Arc<[Vector]>, Arc<[_]>) = (corners.into(), triangles.into());
    let mut scene = Scene::new(format!("twisted-bars-{}", triangles.len()), FRAMES);
    for (name, crosswise, turns) in [("bar-a", false, 8.0), ("bar-b", true, -8.0)] {
        let motion = Twist { corners: Arc::clone(&corners), crosswise, turns };
        scene = scene.with_closed(name, &triangles, corners.len(), motion);
    }
    Ok(scene)
}

struct Twist {
    /// In the cube from -1 to 1; the bar is 4 x 1 x 0.2.
    corners: Arc<[Vector]>,
    crosswise: bool,
    turns: f64,
}

impl Motion for Twist {
    fn write(&self, frame: usize, out: &mut [[f32; 3]]) {
        let progress = progress(frame);
        let drift = 0.2 * progress;
        for (out, &[x, y, z]) in out.iter_mut().zip(self.corners.iter()) {
            let angle = self.turns * TAU * 0.5 * x * progress;
            let (sin, cos) = (libm::sin(angle), libm::cos(angle));
            let (y, z) = (0.5 * y, 0.1 * z);
            let place = [2.0 * x + drift, cos * y - sin * z, sin * y + cos * z];
            *out =
                round(if self.crosswise { [-place[1], place[0], place[2] + 0.2] } else { sub(place, [0.0, 0.0, 0.2]) });
        }
    }
}

/// Scene CR4-scatter: a sheet tears into single cells, which fly apart and fill a cube around a bumpy sphere.
///
/// `cells` is the number of cells along the sheet; 100 give 20,000 triangles, in 10,000 pieces.
///
/// # Errors
///
/// [`SceneError::TooCoarse`] at 0 cells, [`SceneError::TooFine`] beyond 500.
pub fn scattered_sheet(cells: u32) -> Result<Scene, SceneError> {
    check("cells", cells, 1, 500)?;
    let mut random = Random::new(4);
    let mut pieces = Vec::with_capacity((cells * cells) as usize);
    let mut triangles = Vec::with_capacity((cells * cells * 2) as usize);
    let one = sheet(1, 1);
    for row in 0..cells {
        for column in 0..cells {
            let first = 4 * (row * cells + column);
            triangles.extend(one.iter().map(|triangle| triangle.map(|vertex| first + vertex)));
            let centre = [column, row].map(|i| 2.0 * (f64::from(i) + 0.5) / f64::from(cells) - 1.0);
            pieces.push(Piece {
                start: [centre[0], centre[1], 0.0],
                end: random.in_cube(0.8),
                torn_at: random.between(5.0, 45.0),
                axis: random.direction(),
                turn: random.between(2.0, 10.0),
            });
        }
    }
    let motion = Scatter { half: 1.0 / f64::from(cells), pieces };
    let vertices = motion.pieces.len() * 4;
    let scene = Scene::new(format!("scattered-sheet-{}", triangles.len()), FRAMES).with(
        "sheet",
        &triangles.into(),
        vertices,
        false,
        motion,
    );
    // As many triangles as the sheet, within a factor of two.
    let mut levels = 0;
    while 40 * 4_u32.pow(levels) <= 2 * cells * cells {
        levels += 1;
    }
    with_partner(scene, 0.6, [0.05, -0.1, 0.1], levels)
}

struct Piece {
    start: Vector,
    end: Vector,
    torn_at: f64,
    axis: Vector,
    turn: f64,
}

struct Scatter {
    half: f64,
    pieces: Vec<Piece>,
}

impl Motion for Scatter {
    fn write(&self, frame: usize, out: &mut [[f32; 3]]) {
        let time = frame as f64;
        for (piece, out) in self.pieces.iter().zip(out.chunks_exact_mut(4)) {
            let gone = smooth_step((time - piece.torn_at) / 50.0);
            // The sheet waves before it tears, and the pieces float after they have arrived.
            let wave = 0.03 * libm::sin(4.0 * piece.start[0] + 3.0 * piece.start[1] + 0.2 * time);
            let centre = add(scale(piece.start, 1.0 - gone), add(scale(piece.end, gone), [0.0, 0.0, wave]));
            let rotation = Rotation::about(piece.axis, piece.turn * gone);
            for (corner, out) in out.iter_mut().enumerate() {
                let side = |bit: usize| {
                    if corner & bit == 0 { -self.half } else { self.half }
                };
                *out = round(add(centre, rotation.apply([side(1), side(2), 0.0])));
            }
        }
    }
}

/// Scene CR4-inside-out: every vertex of a sphere swings through the centre to the far side and back, neighbours at
/// different times, while a bumpy sphere sits half inside.
///
/// 5 levels give 20,480 triangles.
///
/// # Errors
///
/// [`SceneError::TooFine`] beyond 9 levels.
pub fn inside_out(levels: u32) -> Result<Scene, SceneError> {
    let sphere = subdivided(Solid::Icosahedron, levels)?;
    let mut random = Random::new(5);
    let waves = [3.0, 4.0, 5.0].map(|frequency| (scale(random.direction(), frequency), random.angle()));
    let swings = sphere
        .directions
        .iter()
        .map(|&direction| {
            let sum: f64 = waves.iter().map(|&(along, phase)| libm::sin(dot(along, direction) + phase)).sum();
            1.2 + 0.6 * sum
        })
        .collect();
    let vertices = sphere.directions.len();
    let motion = InsideOut { directions: sphere.directions, swings };
    let scene = Scene::new(format!("inside-out-{}", sphere.triangles.len()), FRAMES).with_closed(
        "body",
        &sphere.triangles,
        vertices,
        motion,
    );
    with_partner(scene, 0.6, [0.45, 0.2, 0.1], levels)
}

struct InsideOut {
    directions: Vec<Vector>,
    /// Half turns each vertex has swung in the last frame.
    swings: Vec<f64>,
}

impl Motion for InsideOut {
    fn write(&self, frame: usize, out: &mut [[f32; 3]]) {
        let progress = progress(frame);
        // A little drift, so that vertices with no swing move too.
        let centre = [0.0, 0.1 * progress, 0.0];
        for ((out, &direction), &swing) in out.iter_mut().zip(&self.directions).zip(&self.swings) {
            let radius = libm::cos(PI * swing * progress);
            *out = round(add(centre, scale(direction, radius)));
        }
    }
}

/// Adds the body that the deformed one collides with.
fn with_partner(scene: Scene, radius: f64, centre: Vector, levels: u32) -> Result<Scene, SceneError> {
    let ball = Ball { radius, centre, drift: [0.0, 0.0, -0.15], seed: 6 };
    with_ball(scene, "partner", ball, levels)
}
