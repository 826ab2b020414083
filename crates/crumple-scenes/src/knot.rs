//! A torus knot: a closed tube with a hole in every direction one looks; and one that swells until it overlaps itself.
//!
//! The stand-in for the knot of Heidelberger et al. 2003 (12k triangles). The tube runs along the curve that winds twice
//! around a torus while it winds three times around the torus' own tube. The curve lies on the torus, so the torus' normal
//! is square to it everywhere and closes up after one round: the tube needs no other frame.

use std::f64::consts::TAU;

use crate::error::{SceneError, check};
use crate::scene::{Motion, Scene, Shape};
use crate::smooth::{centred, fitted};
use crate::vector::{Vector, add, cross, round, scale, smooth_step, unit};

/// Radii of the torus and of its tube, which the curve follows, and of the knot's own tube. Two strands of the knot lie on
/// opposite sides of the torus' tube, so the knot does not touch itself while its own tube is thinner.
const TORUS: f64 = 1.0;
const TORUS_TUBE: f64 = 0.4;
const TUBE: f64 = 0.2;

/// A torus knot of `20 · detail²` triangles, its longest side 1, centred; 24 gives the 11,520 triangles of HE1.
///
/// # Errors
///
/// [`SceneError::TooCoarse`] below 3, [`SceneError::TooFine`] beyond 500.
pub fn torus_knot(detail: u32) -> Result<Shape, SceneError> {
    check("cells around the tube", detail, 3, 500)?;
    Ok(knot(detail))
}

/// The knot itself, of a detail known to be good.
pub(crate) fn knot(detail: u32) -> Shape {
    let (along, around) = (10 * detail, detail);
    let mut places = Vec::with_capacity((along * around) as usize);
    let mut triangles = Vec::with_capacity((along * around * 2) as usize);
    for i in 0..along {
        let ring = Ring::at(TAU * f64::from(i) / f64::from(along));
        for j in 0..around {
            places.push(ring.place(TAU * f64::from(j) / f64::from(around), TUBE));
            let (next_i, next_j) = ((i + 1) % along, (j + 1) % around);
            let [a, b, c, d] = [(i, j), (next_i, j), (i, next_j), (next_i, next_j)].map(|(i, j)| i * around + j);
            triangles.extend([[a, d, b], [a, c, d]]);
        }
    }
    Shape { triangles, positions: fitted(centred(places)).into_iter().map(round).collect() }
}

/// The radius of the tube in the last frame of a knot that swells, and how many frames it takes.
const SWOLLEN: f64 = 0.5;
const SWELLING_FRAMES: usize = 100;

/// Experiment HE5: a torus knot of `20 · detail²` triangles whose tube swells until its strands overlap each other, in 100
/// frames.
///
/// Strands are 0.8 apart at the nearest, so that they meet when the radius of the tube is 0.4.
///
/// # Errors
///
/// [`SceneError::TooCoarse`] below 3, [`SceneError::TooFine`] beyond 500.
pub fn swelling_knot(detail: u32) -> Result<Scene, SceneError> {
    let shape = torus_knot(detail)?;
    let along = 10 * detail;
    let rings = (0..along).map(|i| Ring::at(TAU * f64::from(i) / f64::from(along))).collect();
    let vertices = shape.positions.len();
    let motion = Swell { rings, around: detail };
    let scene = Scene::new("swelling-knot", SWELLING_FRAMES);
    Ok(scene.with_closed("knot", &shape.triangles.into(), vertices, motion))
}

struct Swell {
    rings: Vec<Ring>,
    around: u32,
}

impl Motion for Swell {
    fn write(&self, frame: usize, out: &mut [[f32; 3]]) {
        let share = smooth_step(frame as f64 / (SWELLING_FRAMES - 1) as f64);
        let tube = TUBE + (SWOLLEN - TUBE) * share;
        for (ring, out) in self.rings.iter().zip(out.chunks_exact_mut(self.around as usize)) {
            for (j, place) in (0..).zip(out) {
                *place = round(ring.place(TAU * f64::from(j) / f64::from(self.around), tube));
            }
        }
    }
}

/// The circle of the tube at one place of the curve.
struct Ring {
    centre: Vector,
    out: Vector,
    side: Vector,
}

impl Ring {
    fn at(u: f64) -> Self {
        let (sin2, cos2) = (libm::sin(2.0 * u), libm::cos(2.0 * u));
        let (sin3, cos3) = (libm::sin(3.0 * u), libm::cos(3.0 * u));
        let distance = TORUS + TORUS_TUBE * cos3;
        let out = [cos3 * cos2, cos3 * sin2, sin3];
        let along = unit([
            -3.0 * TORUS_TUBE * sin3 * cos2 - 2.0 * distance * sin2,
            -3.0 * TORUS_TUBE * sin3 * sin2 + 2.0 * distance * cos2,
            3.0 * TORUS_TUBE * cos3,
        ]);
        Self { centre: [distance * cos2, distance * sin2, TORUS_TUBE * sin3], out, side: cross(along, out) }
    }

    fn place(&self, v: f64, tube: f64) -> Vector {
        let radius = add(scale(self.out, libm::cos(v)), scale(self.side, libm::sin(v)));
        add(self.centre, scale(radius, tube))
    }
}
