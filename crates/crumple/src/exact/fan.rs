//! Whether the triangles around a vertex lie side by side: the exact twin of the test in `narrow::neighbours`, for a fan of
//! any length.
//!
//! The fan is seen along the axis along which its triangles are largest together. If all of them turn the same way and the
//! edges go round once (a closed fan) or less than once (an open one), no two triangles have anything in common but the
//! vertex, or the edge between them. Turns are signs of `orient2d`; going round is counted by how often the edges pass
//! one half of an axis, which comparisons of coordinates decide. `false` means that this cannot be shown.

use super::predicates::orient2d;
use super::{Point, Sign};
use crate::geom::Axis;

/// Whether the triangles between each two neighbours of `ends`, the other ends of the edges at `centre` in order, lie side by
/// side; if `closed`, the last end is also a neighbour of the first.
pub(crate) fn lies_side_by_side(centre: Point, ends: impl Iterator<Item = Point> + Clone, closed: bool) -> bool {
    let next = ends.clone().skip(1).chain(ends.clone().take(usize::from(closed)));
    let triangles = ends.zip(next);
    let Some(axis) = largest_axis(centre, triangles.clone()) else { return false };
    let [_, v] = axis.others().map(|axis| axis as usize);
    let is_below = |end: &Point| end[v] < centre[v];
    let (mut way, mut up, mut down) = (Sign::Zero, 0, 0);
    for (from, to) in triangles {
        let turn = orient2d(axis, centre, from, to);
        if turn == Sign::Zero || turn == way.opposite() && way != Sign::Zero {
            return false;
        }
        way = turn;
        match (is_below(&from), is_below(&to)) {
            (true, false) => up += 1,
            (false, true) => down += 1,
            _ => {}
        }
    }
    way != Sign::Zero && if closed { up == 1 && down == 1 } else { up == 0 || down == 0 }
}

/// The axis along which the triangles around a vertex are largest together, about.
fn largest_axis(centre: Point, triangles: impl Iterator<Item = (Point, Point)>) -> Option<Axis> {
    let mut normal = [0.0; 3];
    for (from, to) in triangles {
        let edges = [from, to].map(|end| [0, 1, 2].map(|axis: usize| end[axis] - centre[axis]));
        for axis in Axis::ALL {
            let [u, v] = axis.others().map(|axis| axis as usize);
            normal[axis as usize] += edges[0][u] * edges[1][v] - edges[0][v] * edges[1][u];
        }
    }
    Axis::ALL.into_iter().max_by(|&a, &b| normal[a as usize].abs().total_cmp(&normal[b as usize].abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(angles: impl Iterator<Item = f32> + Clone, closed: bool) -> bool {
        let ends = angles.map(|angle| [angle.cos() * 3.0 + 1.0, angle.sin() * 2.0 - 4.0, 0.1 * angle].map(f64::from));
        lies_side_by_side([1.0, -4.0, 0.0], ends, closed)
    }

    #[test]
    fn once_round_is_side_by_side_and_more_is_not() {
        let turn = std::f32::consts::TAU;
        for count in [5, 8, 40, 4000] {
            let step = turn / count as f32;
            let angles = (0..count).map(|k| 0.3 + k as f32 * step);
            assert!(around(angles.clone(), true), "{count}");
            assert!(around(angles.clone().rev(), true), "{count}");
            assert!(around(angles.clone().map(|angle| 0.45 * angle), false), "{count}, open");
            assert!(!around(angles.clone().map(|angle| 2.0 * angle), true), "{count}, twice round");
        }
        // A fold: one triangle turns back.
        let folded = (0..40).map(|k| if k == 20 { 0.1 * 18.5 } else { 0.1 * k as f32 });
        assert!(!around(folded, false));
    }

    #[test]
    fn an_edge_on_another_or_a_triangle_without_area_is_not_side_by_side() {
        assert!(!around([0.0, 1.0, 1.0, 2.0].into_iter(), false));
        assert!(!lies_side_by_side([0.0; 3], [[1.0, 0.0, 0.0]; 5].into_iter(), false));
        assert!(!lies_side_by_side([0.0; 3], std::iter::empty(), false));
    }
}
