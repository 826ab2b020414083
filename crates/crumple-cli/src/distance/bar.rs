//! A thin bar from one nearest point to the other, on the page of `distance`.
//!
//! It is a body of its own, so that it can be shown, hidden and pointed at like the others.

use crumple::Aabb;
use crumple_io::report::BodyRecord;

/// A bar of three sides between two triangles.
pub(super) const BAR: [[u32; 3]; 6] = [[0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4], [2, 0, 3], [2, 3, 5]];

/// How thick the bar is, as a part of the size of the scene.
const THICKNESS: f64 = 0.002;

/// The bar in reports.
pub(super) fn record() -> BodyRecord {
    BodyRecord {
        id: 2,
        name: "shortest distance".to_owned(),
        triangles: BAR.len() as u64,
        vertices: 6,
        closed: false,
        face_of_triangle: None,
        precision: None,
    }
}

/// The longest side of a box around all of these.
pub(super) fn size_of(boxes: impl Iterator<Item = Aabb>) -> f64 {
    let extent = boxes.reduce(|one, other| one.union(&other)).map_or([0.0; 3], |whole| whole.extent());
    extent.into_iter().map(f64::from).fold(0.0, f64::max)
}

/// The vertices of a bar between two points of a scene of this size: three around each.
pub(super) fn between(points: [[f64; 3]; 2], size: f64) -> [[f32; 3]; 6] {
    bar(points, THICKNESS * size)
}

fn bar([p, q]: [[f64; 3]; 2], radius: f64) -> [[f32; 3]; 6] {
    let along: [f64; 3] = std::array::from_fn(|axis| q[axis] - p[axis]);
    let cross =
        |u: [f64; 3], v: [f64; 3]| [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let unit = |v: [f64; 3]| {
        let length = v[0].hypot(v[1]).hypot(v[2]);
        v.map(|x| if length > 0.0 { x / length } else { 0.0 })
    };
    // Across the axis along which the bar extends least.
    let least = (1..3).fold(0, |least, axis| if along[axis].abs() < along[least].abs() { axis } else { least });
    let mut other = [0.0; 3];
    other[least] = 1.0;
    let u = unit(cross(along, other));
    let v = unit(cross(along, u));
    let around = |end: [f64; 3], k: usize| {
        let (sine, cosine) = (std::f64::consts::TAU * k as f64 / 3.0).sin_cos();
        std::array::from_fn(|axis| (end[axis] + radius * (cosine * u[axis] + sine * v[axis])) as f32)
    };
    std::array::from_fn(|vertex| around(if vertex < 3 { p } else { q }, vertex % 3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_stands_around_both_points() {
        for points in [[[0.0; 3], [1.0, 2.0, 3.0]], [[1.0; 3], [1.0, 1.0, -5.0]], [[2.0; 3]; 2]] {
            let vertices = bar(points, 0.25);
            for (vertex, position) in vertices.iter().enumerate() {
                let end = points[vertex / 3];
                let away: f64 = (0..3).map(|axis| (f64::from(position[axis]) - end[axis]).powi(2)).sum();
                let expected = if points[0] == points[1] { 0.0 } else { 0.25 };
                assert!((away.sqrt() - expected).abs() < 1e-6, "{vertices:?}");
            }
        }
    }
}
