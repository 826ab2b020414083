//! Hollows inside a region are part of it.
//!
//! A hollow is a connected part of the overlap's surface of negative volume: there the surface faces inwards. It belongs to
//! the region that has a positive winding number around it. That number is counted along a ray from a point of the hollow:
//! whole triangles add what they add (`exact::winding_step`); in a triangle that is cut, the number at the point that the
//! ray hits is that at corner 1, changed by every segment of the region between corner 1 and the point.
//!
//! If several regions are nested around it, it is that of the smallest volume. Parts of negative volume in no region, such
//! as the overlap of a body that is inside out, stay by themselves.
//!
//! Cost: nothing without hollows, else O(triangles of both bodies) for each.

use super::Given;
use super::connect::Connections;
use super::measure::Sums;
use crate::exact::winding_step;

/// Joins parts of negative volume with the regions around them; `size` is the longest side of the common box.
pub(super) fn join(given: Given<'_>, connections: &mut Connections, sums: &mut [Sums], size: f64) {
    let is_part = |connections: &Connections, part: usize| connections.part_of(part) == part;
    for hollow in 0..sums.len() {
        if !is_part(connections, hollow) || sums[hollow].volume() >= 0.0 || !sums[hollow].has_volume(size) {
            continue;
        }
        let Some(point) = point_of(given, connections, hollow) else { continue };
        let mut around: Option<usize> = None;
        for part in 0..sums.len() {
            let volume = sums[part].volume();
            let is_smaller = around.is_none_or(|other| volume < sums[other].volume());
            if is_part(connections, part)
                && volume > -sums[hollow].volume()
                && is_smaller
                && winding(given, connections, part, point) > 0
            {
                around = Some(part);
            }
        }
        if let Some(part) = around {
            let of_hollow = sums[hollow];
            sums[part].add(&of_hollow);
            connections.join(hollow, part);
        }
    }
}

/// Some point of a part's surface.
fn point_of(given: Given<'_>, connections: &Connections, part: usize) -> Option<[f64; 3]> {
    let (segments, links) = (given.segments, given.links);
    let curve = (0..links.curves.len()).find(|&curve| connections.of_curve(curve as u32) == part);
    if let Some(curve) = curve {
        return Some(segments[links.curves[curve].0 as usize].cut.points[0]);
    }
    let mut found = None;
    for side in 0..2 {
        connections.list_vertices(given, side, |of, vertex| {
            if of == part && found.is_none() {
                found = Some(given.bodies[side].exact_position(vertex));
            }
        });
    }
    found
}

/// The winding number of a part's surface around a point that is not on it.
fn winding(given: Given<'_>, connections: &Connections, part: usize, point: [f64; 3]) -> i32 {
    let mut sum = 0;
    for side in 0..2 {
        let body = given.bodies[side];
        for (triangle, vertices) in body.mesh().live_indices() {
            let corners = body.exact_corners(vertices);
            let step = winding_step(&corners, point);
            if step == 0 {
                continue;
            }
            let number = given.winding[side][vertices[1] as usize];
            let mut times = 0;
            if number != 0 && connections.of_vertex(side, vertices[1]) == part {
                times = number;
            }
            if connections.is_cut(side, triangle.0) {
                times += change(given, connections, part, side, triangle.0, hit(&corners, point));
            }
            sum += step * times;
        }
    }
    sum
}

/// Where a ray along x meets the plane of a triangle, in the triangle's coordinates.
fn hit([p, q, r]: &[[f64; 3]; 3], point: [f64; 3]) -> [f64; 2] {
    let (u, v) = ([q[1] - p[1], q[2] - p[2]], [r[1] - p[1], r[2] - p[2]]);
    let w = [point[1] - p[1], point[2] - p[2]];
    let area = u[0] * v[1] - u[1] * v[0];
    [(w[0] * v[1] - w[1] * v[0]) / area, (u[0] * w[1] - u[1] * w[0]) / area]
}

/// By how much the winding number of the other body changes within a part's curves from corner 1 of a triangle to a point
/// in it.
fn change(given: Given<'_>, connections: &Connections, part: usize, side: usize, triangle: u32, to: [f64; 2]) -> i32 {
    let from = [1.0, 0.0];
    let turn =
        |p: [f64; 2], q: [f64; 2], r: [f64; 2]| (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]) > 0.0;
    let mut sum = 0;
    for (segment, &curve) in given.segments.iter().zip(&given.links.curve_of) {
        if segment.triangles[side] != triangle || connections.of_curve(curve) != part {
            continue;
        }
        let [p, q] = if side == 0 { segment.cut.in_a } else { [segment.cut.in_b[1], segment.cut.in_b[0]] };
        let is_left = turn(p, q, to);
        if turn(p, q, from) != is_left && turn(from, to, p) != turn(from, to, q) {
            // The inside is on the left.
            sum += if is_left { 1 } else { -1 };
        }
    }
    sum
}
