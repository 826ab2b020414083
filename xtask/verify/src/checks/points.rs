//! A hundred thousand points against every mesh: exact answers against one another and against solid angles, answers
//! from images against exact ones.

use anyhow::Result;
use crumple::{Aabb, Body};
use crumple_ldi::{Direction, LayeredDepthImage, PointsInside, PointsOptions};

use crate::Tally;
use crate::data::{Data, MESHES, Sequence};

const POINTS: usize = 100_000;
/// Samples a side, and the part of the points that may be wrong.
const RESOLUTIONS: [(u32, f64); 3] = [(128, 0.01), (512, 0.003), (1024, 0.0012)];
/// Points compared with the solid angle, which looks at every triangle for each.
const BY_SOLID_ANGLE: usize = 100;
const DIRECTIONS: [Direction; 3] = [Direction::PositiveX, Direction::PositiveY, Direction::NegativeZ];

type Vector = [f64; 3];

pub(crate) fn check(data: &Data) -> Result<Tally> {
    let header = RESOLUTIONS.map(|(resolution, _)| resolution);
    println!("  points of {POINTS} that are inside, and those wrong by images of {header:?} samples a side");
    let mut tally = Tally::default();
    for name in MESHES {
        one(&mut tally, name, &data.mesh(name)?)?;
    }
    Ok(tally)
}

fn one(tally: &mut Tally, name: &str, mesh: &Sequence) -> Result<()> {
    let body = Body::new(mesh.mesh.clone(), &mesh.frames[0])?;
    let points = scattered(body.bounds());
    let mut exact = Vec::new();
    for direction in DIRECTIONS {
        let mut tester = PointsInside::new(PointsOptions::default().with_direction(direction).with_exact());
        exact.push(tester.test(&body, &points)?.to_vec());
    }
    tally.expect(exact[0] == exact[1] && exact[1] == exact[2], || format!("{name}: exact answers differ by direction"));
    let truth = &exact[0];

    let mut wrong = Vec::new();
    let mut rates = Vec::new();
    for (resolution, allowed) in RESOLUTIONS {
        let mut rate = 0.0f64;
        for direction in DIRECTIONS {
            let image = LayeredDepthImage::of_body(&body, direction, resolution)?;
            let mut found = Vec::new();
            image.contains_points(&points, &mut found);
            wrong = (0..POINTS).filter(|&k| found[k] != truth[k]).collect();
            rate = rate.max(wrong.len() as f64 / POINTS as f64);
            // A hair more, for the rounding of depths.
            let reach = 0.5 * image.step()[0].hypot(image.step()[1]) * (1.0 + 1e-9);
            let far = wrong.iter().filter(|&&k| !is_near(mesh, points[k].map(f64::from), reach)).count();
            tally.compare(far, 0, || format!("{name}, {resolution}, {direction:?}: wrong far from the surface"));
        }
        tally.expect(rate <= allowed, || format!("{name}, {resolution}: {rate} of the points are wrong"));
        rates.push(100.0 * rate);
    }
    // The hardest are those the finest image gets wrong; then any.
    wrong.extend((0..POINTS).step_by(997));
    for &k in wrong.iter().take(BY_SOLID_ANGLE) {
        let winding = winding_number(mesh, points[k].map(f64::from));
        tally.compare(truth[k], winding.abs() > 0.5, || format!("{name}: point {k} winds {winding}"));
    }
    let inside = truth.iter().filter(|&&inside| inside).count();
    println!("  {name:26} {inside:6} {:8.3}% {:8.3}% {:8.3}%", rates[0], rates[1], rates[2]);
    Ok(())
}

/// Points spread over a box, the same on every machine: fractions of the multiples of three irrational numbers.
pub(crate) fn scattered(bounds: Aabb) -> Vec<[f32; 3]> {
    let strides = [0.8191725133961645, 0.6710436067037893, 0.5497004779019703];
    let coordinate = |number: usize, k: usize| {
        let fraction = (number as f64 * strides[k] + 0.5).fract() as f32;
        bounds.min()[k] + fraction * (bounds.max()[k] - bounds.min()[k])
    };
    (0..POINTS).map(|number| std::array::from_fn(|k| coordinate(number, k))).collect()
}

fn minus(p: Vector, q: Vector) -> Vector {
    [p[0] - q[0], p[1] - q[1], p[2] - q[2]]
}

fn dot(p: Vector, q: Vector) -> f64 {
    p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
}

fn cross(p: Vector, q: Vector) -> Vector {
    [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
}

fn corners(mesh: &Sequence) -> impl Iterator<Item = [Vector; 3]> {
    let positions = &mesh.frames[0];
    mesh.mesh.indices().iter().map(|triangle| triangle.map(|vertex| positions[vertex as usize].map(f64::from)))
}

/// How often the surface winds around a point: its solid angle over 4π.
fn winding_number(mesh: &Sequence, point: Vector) -> f64 {
    let angle = |corners: [Vector; 3]| {
        let [a, b, c] = corners.map(|corner| minus(corner, point));
        let [la, lb, lc] = [a, b, c].map(|p| dot(p, p).sqrt());
        let below = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
        2.0 * dot(a, cross(b, c)).atan2(below)
    };
    corners(mesh).map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
}

/// Whether some triangle comes within `distance` of a point.
fn is_near(mesh: &Sequence, point: Vector, distance: f64) -> bool {
    let to_segment = |a: Vector, b: Vector| {
        let (along, from) = (minus(b, a), minus(point, a));
        let t = (dot(from, along) / dot(along, along)).clamp(0.0, 1.0);
        let off: Vector = std::array::from_fn(|k| from[k] - t * along[k]);
        dot(off, off).sqrt()
    };
    corners(mesh).any(|[a, b, c]| {
        let low = |k: usize| a[k].min(b[k]).min(c[k]) - distance;
        let high = |k: usize| a[k].max(b[k]).max(c[k]) + distance;
        if (0..3).any(|k| point[k] < low(k) || point[k] > high(k)) {
            return false;
        }
        let normal = cross(minus(b, a), minus(c, a));
        let over = |from: Vector, to: Vector| dot(cross(minus(to, from), minus(point, from)), normal) >= 0.0;
        let height = dot(minus(point, a), normal).abs() / dot(normal, normal).sqrt();
        (over(a, b) && over(b, c) && over(c, a) && height <= distance)
            || to_segment(a, b).min(to_segment(b, c)).min(to_segment(c, a)) <= distance
    })
}
