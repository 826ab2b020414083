//! What changes nothing, or changes the overlap in a known way.

use super::two_bodies::crossing;
use super::{assert_near, by_copy, of, welded};
use crate::support::shapes::Shape;
use crumple::contact::enclosed_volume;
use crumple::self_overlap;

/// Every triangle in four coplanar ones; middles are whole multiples, so that they are exact.
fn split_in_four(shape: &Shape) -> Shape {
    let mut split = Shape { positions: shape.positions.clone(), triangles: Vec::new() };
    for &triangle in &shape.triangles {
        let middle = |k: usize| {
            let (p, q) = (triangle[k], triangle[(k + 1) % 3]);
            std::array::from_fn(|axis| 0.5 * (shape.positions[p as usize][axis] + shape.positions[q as usize][axis]))
        };
        let first = split.positions.len() as u32;
        split.positions.extend([middle(0), middle(1), middle(2)]);
        let ([p, q, r], [pq, qr, rp]) = (triangle, [first, first + 1, first + 2]);
        split.triangles.extend([[p, pq, rp], [pq, q, qr], [rp, qr, r], [pq, qr, rp]]);
    }
    split
}

/// Coordinates on a grid, with room for middles.
fn snapped(shape: &Shape, steps: f32) -> Shape {
    shape.moved(|p| p.map(|x| (x * steps).round() / steps))
}

#[test]
fn a_body_turned_inside_out_overlaps_itself_by_its_volume_more() {
    for (name, shape) in crossing() {
        let (found, turned) = (of(&shape), of(&shape.inside_out()));
        let expected = found.volume() + enclosed_volume(&shape.body());
        assert_near(turned.volume(), expected, 1e-13 * expected.abs().max(1.0), || name.to_owned());
        assert_eq!(turned.is_inside_out(), !found.is_inside_out());
    }
}

#[test]
fn splitting_scaling_and_turning_change_nothing_but_the_unit() {
    for (name, shape) in crossing() {
        let shape = snapped(&shape, 65_536.0);
        let volume = of(&shape).volume();
        let split = self_overlap(&welded(&split_in_four(&shape))).unwrap().volume();
        assert_near(split, volume, 1e-13 * shape.volume().abs(), || format!("{name}, split"));
        let scaled = of(&shape.moved(|p| p.map(|x| 1024.0 * x))).volume();
        assert_eq!(scaled, volume * 1024f64.powi(3), "{name}, scaled");
        // Axes exchanged in turn: every product is the same, sums come in another order.
        let turned = of(&shape.moved(|[x, y, z]| [y, z, x])).volume();
        assert_near(turned, volume, 1e-13 * shape.volume().abs(), || format!("{name}, turned"));
        let mirrored = of(&shape.moved(|[x, y, z]| [-x, y, z]).inside_out()).volume();
        assert_near(mirrored, volume, 1e-13 * shape.volume().abs(), || format!("{name}, mirrored"));
        let mut rolled = shape.clone();
        rolled.triangles.iter_mut().enumerate().for_each(|(k, triangle)| triangle.rotate_left(k % 3));
        rolled.triangles.reverse();
        assert_near(of(&rolled).volume(), volume, 1e-13 * shape.volume().abs(), || format!("{name}, in another order"));
    }
}

#[test]
fn snapped_bodies_with_triangles_without_area_overlap_themselves_as_their_copies_say() {
    for (name, shape) in crossing() {
        for steps in [32.0, 16.0, 8.0, 4.0] {
            let shape = snapped(&shape, steps);
            let body = shape.body();
            let found = self_overlap(&body).unwrap();
            let within = 1e-12 * shape.volume().abs().max(1.0);
            assert_near(found.volume(), by_copy(&body), within, || format!("{name} in {steps} steps"));
            let merged = welded(&shape);
            let found = self_overlap(&merged).unwrap();
            assert_near(found.volume(), by_copy(&merged), within, || format!("{name} in {steps} steps, welded"));
        }
    }
}

#[test]
fn far_from_the_origin_it_is_as_accurate_as_the_positions() {
    let (_, shape) = crossing().swap_remove(0);
    let near = snapped(&shape, 1024.0);
    let far = near.translated([4096.0, -8192.0, 2048.0]);
    assert_near(of(&far).volume(), of(&near).volume(), 1e-12, || "moved".to_owned());
}
