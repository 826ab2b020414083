//! The floor: a lower bound of the time of a frame, in which the known answer is only confirmed.
//!
//! Of pairs: one streaming pass for the boxes of all bodies, then a triangle test in eight lanes of f32 of exactly the true pairs.
//! No method can do without the first, and none can do less than the second; how far a method is from this is how
//! much it spends on searching. Written plainly, with arrays of eight that the compiler turns into vectors.
//!
//! Of a depth image: one pass over the triangles that computes their boxes across the image. Every triangle has to be
//! looked at, and where it lies is the least there is to know about it.
//!
//! This file is not tuned: ratios to the floor can be compared only while it stays the same. Its triangle
//! test is not exact and need not be: its answer is not used.

use std::hint::black_box;

/// As many pairs of triangles are tested at a time.
const LANES: usize = 8;

/// One number of each of eight pairs.
type Lanes = [f32; LANES];

/// One point of each of eight pairs, by axis.
type Points = [Lanes; 3];

/// One triangle of each of eight pairs.
type Corners = [Points; 3];

/// The box of each body.
pub(crate) fn boxes(positions: &[Vec<[f32; 3]>], boxes: &mut Vec<[[f32; 3]; 2]>) {
    boxes.clear();
    boxes.extend(positions.iter().map(|positions| bounds(positions)));
    black_box(boxes);
}

fn bounds(positions: &[[f32; 3]]) -> [[f32; 3]; 2] {
    // Eight vertices at a time: 24 numbers, of which every third belongs to the same axis.
    const WIDE: usize = 3 * LANES;
    let (mut low, mut high) = ([f32::INFINITY; WIDE], [f32::NEG_INFINITY; WIDE]);
    let (chunks, rest) = positions.as_flattened().as_chunks::<WIDE>();
    for chunk in chunks {
        for i in 0..WIDE {
            low[i] = smaller(chunk[i], low[i]);
            high[i] = larger(chunk[i], high[i]);
        }
    }
    for (i, &x) in rest.iter().enumerate() {
        low[i] = smaller(x, low[i]);
        high[i] = larger(x, high[i]);
    }
    let axis = |of: &[f32; WIDE], axis: usize, pick: fn(f32, f32) -> f32| {
        (0..LANES).map(|vertex| of[3 * vertex + axis]).fold(of[axis], pick)
    };
    [[0, 1, 2].map(|i| axis(&low, i, smaller)), [0, 1, 2].map(|i| axis(&high, i, larger))]
}

/// The boxes of all triangles seen along z: low x and y, high x and y. Vertices are padded: one is
/// one load.
pub(crate) fn triangle_boxes(triangles: &[[u32; 3]], positions: &[[f32; 4]], boxes: &mut [[f32; 4]]) {
    for (triangle, bounds) in triangles.iter().zip(&mut *boxes) {
        let [a, b, c] = triangle.map(|vertex| positions[vertex as usize]);
        *bounds =
            [a[0].min(b[0]).min(c[0]), a[1].min(b[1]).min(c[1]), a[0].max(b[0]).max(c[0]), a[1].max(b[1]).max(c[1])];
    }
    black_box(boxes);
}

/// The vertices of a triangle of a body as they are now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Now<'a> {
    pub(crate) triangles: &'a [[u32; 3]],
    pub(crate) positions: &'a [[f32; 3]],
}

/// Tests pairs of triangles of two bodies and returns how many it takes for intersecting.
pub(crate) fn test_pairs(a: Now<'_>, b: Now<'_>, pairs: &[[u32; 2]]) -> u32 {
    let (mut corners_a, mut corners_b) = ([[[0.0; LANES]; 3]; 3], [[[0.0; LANES]; 3]; 3]);
    let mut hits = 0;
    for batch in pairs.chunks(LANES) {
        for (lane, &[i, j]) in batch.iter().enumerate() {
            gather(a, i, lane, &mut corners_a);
            gather(b, j, lane, &mut corners_b);
        }
        hits += test(&corners_a, &corners_b)[..batch.len()].iter().sum::<u32>();
    }
    black_box(hits)
}

fn gather(now: Now<'_>, triangle: u32, lane: usize, corners: &mut Corners) {
    for (corner, &vertex) in now.triangles[triangle as usize].iter().enumerate() {
        for (axis, &x) in now.positions[vertex as usize].iter().enumerate() {
            corners[corner][axis][lane] = x;
        }
    }
}

/// After Möller 1997: each triangle cuts the other's plane in a segment of the line both planes share; the triangles
/// meet if the segments do.
fn test(a: &Corners, b: &Corners) -> [u32; LANES] {
    let normal_a = cross(&sub(&a[1], &a[0]), &sub(&a[2], &a[0]));
    let normal_b = cross(&sub(&b[1], &b[0]), &sub(&b[2], &b[0]));
    let line = cross(&normal_a, &normal_b);
    let (from_a, to_a) = segment(a, &b[0], &b[0], &normal_b, &line);
    let (from_b, to_b) = segment(b, &a[0], &b[0], &normal_a, &line);
    each(|i| u32::from(from_a[i] <= to_b[i]) & u32::from(from_b[i] <= to_a[i]))
}

/// Where a triangle cuts a plane, measured along the line from `origin`; an empty interval where it does not.
fn segment(corners: &Corners, on_plane: &Points, origin: &Points, normal: &Points, line: &Points) -> (Lanes, Lanes) {
    // Measured from points nearby: small differences keep their digits.
    let height = [0, 1, 2].map(|corner| dot(normal, &sub(&corners[corner], on_plane)));
    let along = [0, 1, 2].map(|corner| dot(line, &sub(&corners[corner], origin)));
    let (mut from, mut to) = ([f32::INFINITY; LANES], [f32::NEG_INFINITY; LANES]);
    for (start, end) in [(0, 1), (1, 2), (2, 0)] {
        let (h0, h1, at0, at1) = (&height[start], &height[end], &along[start], &along[end]);
        let at: Lanes = each(|i| at0[i] + (at1[i] - at0[i]) * (h0[i] / (h0[i] - h1[i])));
        // An edge that stays on one side is sent where it does not matter, rather than left out by a branch.
        let away: Lanes = each(|i| if h0[i] * h1[i] > 0.0 { f32::INFINITY } else { 0.0 });
        from = each(|i| smaller(at[i] + away[i], from[i]));
        to = each(|i| larger(at[i] - away[i], to[i]));
    }
    (from, to)
}

/// The same for each lane.
fn each<T>(of: impl Fn(usize) -> T) -> [T; LANES] {
    std::array::from_fn(of)
}

fn smaller(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

fn sub(a: &Points, b: &Points) -> Points {
    [0, 1, 2].map(|axis| each(|i| a[axis][i] - b[axis][i]))
}

fn dot(a: &Points, b: &Points) -> Lanes {
    each(|i| a[0][i] * b[0][i] + a[1][i] * b[1][i] + a[2][i] * b[2][i])
}

fn cross(a: &Points, b: &Points) -> Points {
    [(1, 2), (2, 0), (0, 1)].map(|(j, k)| each(|i| a[j][i] * b[k][i] - a[k][i] * b[j][i]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_boxes_are_those_of_the_bodies() {
        let mut found = Vec::new();
        let body: Vec<[f32; 3]> = (0..21).map(|i| [i as f32, -(i as f32), 0.5]).collect();
        boxes(&[body, vec![[1.0, 2.0, 3.0]]], &mut found);
        assert_eq!(found, [[[0.0, -20.0, 0.5], [20.0, 0.0, 0.5]], [[1.0, 2.0, 3.0]; 2]]);
    }

    #[test]
    fn the_boxes_of_triangles_are_those_seen_along_z() {
        let positions = [[0.0, 5.0, 1.0, 0.0], [-2.0, 1.0, 9.0, 0.0], [3.0, 2.0, -4.0, 0.0]];
        let mut found = [[0.0; 4]; 1];
        triangle_boxes(&[[0, 1, 2]], &positions, &mut found);
        assert_eq!(found, [[-2.0, 1.0, 3.0, 5.0]]);
    }

    #[test]
    fn clear_cases_are_decided_in_every_lane() {
        let positions = [
            [-1.0, -1.0, 0.0],
            [1.0, -1.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, 0.0, -1.0],
            [0.0, 0.0, 1.0],
            [0.0, 9.0, 0.0],
            [5.0, 0.0, -1.0],
            [5.0, 0.0, 1.0],
        ];
        let now = Now { triangles: &[[0, 1, 2], [3, 4, 5], [6, 7, 5]], positions: &positions };
        for count in 1..20 {
            let mixed: Vec<[u32; 2]> = (0..count).map(|i| [0, if i % 3 == 0 { 2 } else { 1 }]).collect();
            let meeting = mixed.iter().filter(|pair| pair[1] == 1).count() as u32;
            assert_eq!(test_pairs(now, now, &mixed), meeting, "{count} pairs");
        }
    }
}
