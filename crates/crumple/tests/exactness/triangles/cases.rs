//! Random cases on whole numbers, most of them degenerate in some way, and the exact ways to turn them into f32.

use crumple::Triangle;

use super::reference::{Corners, Point};
use crumple_scenes::Random;

pub(crate) const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];

/// Two triangles on a small grid: in space, in planes, on lines, with repeated and shared corners.
pub(crate) fn grid_pair(random: &mut Random) -> (Corners<i64>, Corners<i64>) {
    let side = [1, 2, 2, 3, 3, 4, 4, 7, 100][random.below(9) as usize];
    let flat = random.below(8);
    let height = random.integer(0, side);
    let mut corner = || -> Point<i64> {
        let [x, y, z] = [0; 3].map(|_| random.integer(0, side));
        match flat {
            0 => [x, y, height],
            1 => [height, x, y],
            2 => [x, y, x + y],
            3 => [2 * x - y, x, y],
            4 if z < 2 => [x, x, x],
            4 => [x, y, x],
            _ => [x, y, z],
        }
    };
    let mut a = [corner(), corner(), corner()];
    let mut b = [corner(), corner(), corner()];
    match random.below(16) {
        0 => b[0] = a[0],
        1 => (b[1], b[2]) = (a[2], a[0]),
        2 => a[2] = a[0],
        3 => (a[2], b[1]) = (a[1], b[2]),
        4 => a = [a[0]; 3],
        5 => b = ORDERS[random.below(6) as usize].map(|i| a[i]),
        6 => b[0] = std::array::from_fn(|k| 2 * a[1][k] - a[0][k]),
        _ => {}
    }
    (a, b)
}

/// A map of whole numbers to f32 that rounds nothing: a power of two and an offset for each axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Units {
    pub(crate) exponents: [i32; 3],
    pub(crate) offset: [f64; 3],
}

impl Units {
    pub(crate) const ONE: Self = Self::new([0; 3]);

    pub(crate) const fn new(exponents: [i32; 3]) -> Self {
        Self { exponents, offset: [0.0; 3] }
    }

    pub(crate) fn with_offset(self, offset: [f64; 3]) -> Self {
        Self { offset, ..self }
    }

    pub(crate) fn triangle<N: Copy + Into<i128>>(&self, corners: &Corners<N>) -> Triangle {
        Triangle(corners.map(|corner| {
            std::array::from_fn(|axis| {
                let exact = corner[axis].into() as f64 * 2.0f64.powi(self.exponents[axis]) + self.offset[axis];
                let rounded = exact as f32;
                assert_eq!(f64::from(rounded), exact, "the test must not round");
                rounded
            })
        }))
    }
}

/// Two large triangles that only just touch or miss, as whole numbers within ±2^24, and units for which they are f32.
pub(crate) fn near_pair(random: &mut Random) -> (Corners<i128>, Corners<i128>, Units) {
    let reach = [1 << 5, 1 << 12, 1 << 22][random.below(3) as usize];
    let far = |random: &mut Random| -> Point<i64> { [0; 3].map(|_| random.integer(-reach, reach)) };
    let mut a = [far(random), far(random), far(random)];
    let mut b = [far(random), far(random), far(random)];
    let mut units = Units::new([-20; 3]);
    match random.below(8) {
        // A slab twenty units, 2e-5, thick, far from the origin or not.
        0 => {
            a.iter_mut().chain(&mut b).for_each(|corner| corner[2] = random.integer(0, 20));
            units = if random.once_in(2) { units } else { units.with_offset([0.0, 0.0, 2.0f64.powi(-4)]) };
        }
        // Around (1000, 1000, 1000), where f32 numbers are 2^-14 apart, in a slab two of these thick.
        1 => {
            for corner in a.iter_mut().chain(&mut b) {
                *corner = [random.integer(-4000, 4000), random.integer(-4000, 4000), random.integer(0, 2)];
            }
            units = Units::new([-14; 3]).with_offset([1000.0; 3]);
        }
        // All six corners within a unit of one plane.
        2 | 3 => {
            let (u, v) = (far(random), far(random));
            for corner in a.iter_mut().chain(&mut b) {
                let (s, t) = (random.integer(-1024, 1024), random.integer(-1024, 1024));
                *corner = std::array::from_fn(|k| (s * u[k] + t * v[k]) / 1024 + random.integer(-1, 1) / 2);
            }
        }
        // A corner of b within a unit of a point of a.
        4 => b[0] = near(random, &a),
        // An edge of b through a point within a unit of an edge of a.
        5 => {
            let share = random.integer(0, 256);
            let through: Point<i64> = std::array::from_fn(|k| (share * a[0][k] + (256 - share) * a[1][k]) / 256);
            let through = nudged(random, through);
            let along = far(random);
            b[0] = std::array::from_fn(|k| through[k] + along[k]);
            b[1] = std::array::from_fn(|k| through[k] - along[k]);
        }
        // Slivers that lie along each other.
        6 => {
            a[2] = near(random, &[a[0], a[1], a[1]]);
            b[0] = near(random, &[a[0], a[1], a[1]]);
            b[1] = near(random, &[a[0], a[1], a[0]]);
        }
        // Neighbours over an edge or a corner, folded flat to within a unit.
        _ => {
            b[0] = a[0];
            if random.once_in(2) {
                b[1] = nudged(random, a[1]);
            }
            b[2] = nudged(random, std::array::from_fn(|k| a[1][k] + a[2][k] - a[0][k]));
        }
    }
    (a.map(|corner| corner.map(i128::from)), b.map(|corner| corner.map(i128::from)), units)
}

/// A point within a unit of a triangle.
fn near(random: &mut Random, t: &Corners<i64>) -> Point<i64> {
    let [i, j, k] = [0; 3].map(|_| random.integer(0, 100));
    let point = std::array::from_fn(|axis| (i * t[0][axis] + j * t[1][axis] + k * t[2][axis]) / (i + j + k).max(1));
    nudged(random, point)
}

fn nudged(random: &mut Random, p: Point<i64>) -> Point<i64> {
    p.map(|x| x + random.integer(-2, 2) / 2)
}
