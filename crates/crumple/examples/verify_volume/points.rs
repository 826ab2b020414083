//! 100,000 points against every closed mesh: sampled answers against exact ones, and these against one another and
//! against solid angles.

use std::path::Path;

use crumple::volume::{Direction, LayeredDepthImage, PointsInside, PointsOptions};
use crumple_io::MeshFile;

use crate::data::{Error, Table, body, mesh};
use crate::{Outcome, Report};

const POINTS: usize = 100_000;
/// Samples a side and the most that may be wrong.
const RESOLUTIONS: [(u32, f64); 3] = [(128, 0.01), (512, 0.003), (1024, 0.0012)];
/// Points compared with the solid angle, which looks at every triangle for each.
const BY_SOLID_ANGLE: usize = 100;

type Vector = [f64; 3];

fn minus(p: Vector, q: Vector) -> Vector {
    [p[0] - q[0], p[1] - q[1], p[2] - q[2]]
}

fn dot(p: Vector, q: Vector) -> f64 {
    p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
}

fn cross(p: Vector, q: Vector) -> Vector {
    [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
}

fn corners<'a>(file: &'a MeshFile) -> impl Iterator<Item = [Vector; 3]> + 'a {
    file.triangles.iter().map(|triangle| triangle.map(|vertex| file.positions[vertex as usize].map(f64::from)))
}

/// How often the surface winds around a point: its solid angle over 4π.
fn winding_number(file: &MeshFile, point: Vector) -> f64 {
    let angle = |[a, b, c]: [Vector; 3]| {
        let [a, b, c] = [a, b, c].map(|corner| minus(corner, point));
        let [la, lb, lc] = [a, b, c].map(|p| dot(p, p).sqrt());
        let below = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
        2.0 * dot(a, cross(b, c)).atan2(below)
    };
    corners(file).map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
}

/// Whether some triangle comes within `distance` of a point.
fn is_near(file: &MeshFile, point: Vector, distance: f64) -> bool {
    let to_segment = |a: Vector, b: Vector| {
        let (along, from) = (minus(b, a), minus(point, a));
        let t = (dot(from, along) / dot(along, along)).clamp(0.0, 1.0);
        let off: Vector = std::array::from_fn(|k| from[k] - t * along[k]);
        dot(off, off).sqrt()
    };
    corners(file).any(|[a, b, c]| {
        let low = |k: usize| a[k].min(b[k]).min(c[k]) - distance;
        let high = |k: usize| a[k].max(b[k]).max(c[k]) + distance;
        if (0..3).any(|k| point[k] < low(k) || point[k] > high(k)) {
            return false;
        }
        let normal = cross(minus(b, a), minus(c, a));
        let inside = |from: Vector, to: Vector| dot(cross(minus(to, from), minus(point, from)), normal) >= 0.0;
        let height = dot(minus(point, a), normal).abs() / dot(normal, normal).sqrt();
        (inside(a, b) && inside(b, c) && inside(c, a) && height <= distance)
            || to_segment(a, b).min(to_segment(b, c)).min(to_segment(c, a)) <= distance
    })
}

/// Points spread over a mesh's box, the same on every machine: the fractions of multiples of three irrational numbers.
fn scattered(bounds: crumple::Aabb) -> Vec<[f32; 3]> {
    let strides = [0.8191725133961645, 0.6710436067037893, 0.5497004779019703];
    let coordinate = |number: usize, k: usize| {
        let fraction = (number as f64 * strides[k] + 0.5).fract() as f32;
        bounds.min()[k] + fraction * (bounds.max()[k] - bounds.min()[k])
    };
    (0..POINTS).map(|number| std::array::from_fn(|k| coordinate(number, k))).collect()
}

pub(crate) fn verify(folder: &Path, report: &mut Report) -> Outcome {
    println!("\n{POINTS} points against each mesh: inside, wrong by image (worst of x, y, z), farthest rule, exact");
    println!("{:28} {:>7} {:>8} {:>8} {:>8}   {:>9}", "mesh", "inside", "128", "512", "1024", "exact off");
    let truth = Table::read(&folder.join("ground_truth/static_meshes.csv"))?;
    for row in truth.rows_with("closed", "1") {
        one(folder, truth.get(row, "mesh")?, report)?;
    }
    Ok(())
}

fn one(folder: &Path, name: &str, report: &mut Report) -> Result<(), Error> {
    let file = mesh(folder, name)?;
    let body = body(&file)?;
    let points = scattered(body.bounds());
    let directions = [Direction::PositiveX, Direction::PositiveY, Direction::NegativeZ];
    let mut exact = Vec::new();
    for direction in directions {
        let mut tester = PointsInside::new(PointsOptions::default().with_direction(direction).exact());
        exact.push(tester.test(&body, &points)?.to_vec());
    }
    report
        .expect(exact[0] == exact[1] && exact[1] == exact[2], || format!("{name}: exact answers differ by direction"));
    let truth = &exact[0];

    // The hardest points are those the finest image gets wrong; then any.
    let mut hard = Vec::new();
    let mut rates = Vec::new();
    for (resolution, allowed) in RESOLUTIONS {
        let mut most_wrong = 0;
        for direction in directions {
            let image = LayeredDepthImage::of_body(&body, direction, resolution)?;
            let mut found = Vec::new();
            image.contains_points(&points, &mut found);
            let half_diagonal = 0.5 * image.step()[0].hypot(image.step()[1]) * (1.0 + 1e-9);
            let wrong: Vec<usize> = (0..POINTS).filter(|&k| found[k] != truth[k]).collect();
            let far = wrong.iter().filter(|&&k| !is_near(&file, points[k].map(f64::from), half_diagonal)).count();
            report.expect(far == 0, || format!("{name}: {far} points wrong far from the surface at {resolution}"));
            most_wrong = most_wrong.max(wrong.len());
            hard = wrong;
        }
        let rate = most_wrong as f64 / POINTS as f64;
        report.expect(rate <= allowed, || format!("{name}: {rate} of the points wrong at {resolution}"));
        rates.push(100.0 * rate);
    }
    hard.extend((0..POINTS).step_by(997));
    hard.truncate(BY_SOLID_ANGLE);
    let off =
        hard.iter().filter(|&&k| (winding_number(&file, points[k].map(f64::from)).abs() > 0.5) != truth[k]).count();
    report.expect(off == 0, || format!("{name}: {off} exact answers are not those of the solid angle"));
    let inside = truth.iter().filter(|&&inside| inside).count();
    println!("{name:28} {inside:7} {:7.3}% {:7.3}% {:7.3}%   {off:4} of {}", rates[0], rates[1], rates[2], hard.len());
    Ok(())
}
