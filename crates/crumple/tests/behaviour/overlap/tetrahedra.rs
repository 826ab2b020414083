//! Tetrahedra on whole numbers against exact clipping, and with triangles without area in between.

use num_bigint::BigInt;

use super::{assert_near, of, size};
use crate::support::shapes::Shape;
use crumple_scenes::Random;

const FACES: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];

/// A tetrahedron with corners on a grid, turned so that its volume is positive; `None` if it is flat.
pub(super) fn tetrahedron(random: &mut Random, most: i64) -> Option<Shape> {
    let mut corners: Vec<[i64; 3]> = (0..4).map(|_| std::array::from_fn(|_| random.integer(0, most))).collect();
    let edge = |k: usize| -> [i64; 3] { std::array::from_fn(|axis| corners[k][axis] - corners[0][axis]) };
    let ([a, b, c], [d, e, f], [g, h, i]) = (edge(1), edge(2), edge(3));
    let volume = a * (e * i - f * h) + b * (f * g - d * i) + c * (d * h - e * g);
    if volume == 0 {
        return None;
    }
    if volume < 0 {
        corners.swap(0, 1);
    }
    Some(Shape { positions: corners.iter().map(|p| p.map(|x| x as f32)).collect(), triangles: FACES.to_vec() })
}

/// A point with whole homogeneous coordinates, the last one positive.
type Exact = [BigInt; 4];

fn exact(p: [f32; 3]) -> Exact {
    [BigInt::from(p[0] as i64), BigInt::from(p[1] as i64), BigInt::from(p[2] as i64), BigInt::from(1)]
}

/// The determinant of four homogeneous points.
fn determinant(p: [&Exact; 4]) -> BigInt {
    let minor = |i: usize, j: usize, k: usize, columns: [usize; 3]| {
        let [x, y, z] = columns;
        &p[i][x] * (&p[j][y] * &p[k][z] - &p[j][z] * &p[k][y]) - &p[i][y] * (&p[j][x] * &p[k][z] - &p[j][z] * &p[k][x])
            + &p[i][z] * (&p[j][x] * &p[k][y] - &p[j][y] * &p[k][x])
    };
    &p[0][0] * minor(1, 2, 3, [1, 2, 3]) - &p[0][1] * minor(1, 2, 3, [0, 2, 3]) + &p[0][2] * minor(1, 2, 3, [0, 1, 3])
        - &p[0][3] * minor(1, 2, 3, [0, 1, 2])
}

/// Splits a tetrahedron into those of its part on the inner side of a plane.
fn clip(corners: &[Exact; 4], plane: [&Exact; 3], found: &mut Vec<[Exact; 4]>) {
    let heights: [BigInt; 4] = std::array::from_fn(|k| determinant([plane[0], plane[1], plane[2], &corners[k]]));
    let zero = BigInt::from(0);
    let (inner, outer): (Vec<usize>, Vec<usize>) = (0..4).partition(|&k| heights[k] >= zero);
    // Where the edge between an inner and an outer corner meets the plane.
    let cut = |i: usize, o: usize| -> Exact {
        std::array::from_fn(|k| &corners[o][k] * &heights[i] - &corners[i][k] * &heights[o])
    };
    let own = |k: usize| corners[k].clone();
    match (&inner[..], &outer[..]) {
        (_, []) => found.push(corners.clone()),
        ([i], &[p, q, r]) => found.push([own(*i), cut(*i, p), cut(*i, q), cut(*i, r)]),
        // A prism of three tetrahedra, whichever way round they are: volumes are taken by size.
        (&[i, j], &[p, q]) => {
            let (ip, iq, jp, jq) = (cut(i, p), cut(i, q), cut(j, p), cut(j, q));
            found.push([own(i), ip.clone(), iq.clone(), own(j)]);
            found.push([ip.clone(), iq.clone(), own(j), jp.clone()]);
            found.push([iq, own(j), jp, jq]);
        }
        (&[i, j, l], &[p]) => {
            let (ip, jp, lp) = (cut(i, p), cut(j, p), cut(l, p));
            found.push([own(i), own(j), own(l), ip.clone()]);
            found.push([own(j), own(l), ip.clone(), jp.clone()]);
            found.push([own(l), ip, jp, lp]);
        }
        _ => {}
    }
}

/// The volume two tetrahedra share, by clipping one at the faces of the other, without any rounding before the last sum.
pub(crate) fn reference(a: &Shape, b: &Shape) -> f64 {
    let corners = |shape: &Shape| -> [Exact; 4] { std::array::from_fn(|k| exact(shape.positions[k])) };
    let (mut pieces, other) = (vec![corners(a)], corners(b));
    for [p, q, r] in FACES {
        // Faces run counter-clockwise seen from outside; the opposite corner tells which side is inside.
        let opposite = (0..4).find(|k| ![p, q, r].contains(k)).unwrap();
        let (p, q, r) = (&other[p as usize], &other[q as usize], &other[r as usize]);
        let plane =
            if determinant([p, q, r, &other[opposite as usize]]) > BigInt::from(0) { [p, q, r] } else { [q, p, r] };
        let mut next = Vec::new();
        pieces.iter().for_each(|piece| clip(piece, plane, &mut next));
        pieces = next;
    }
    let volume = |piece: &[Exact; 4]| {
        let above = determinant([&piece[0], &piece[1], &piece[2], &piece[3]]);
        let below = &piece[0][3] * &piece[1][3] * &piece[2][3] * &piece[3][3] * BigInt::from(6);
        // 60 bits after the point, then rounded.
        let scaled: BigInt = (above << 60) / below;
        i128::try_from(scaled).unwrap().unsigned_abs() as f64 / 2f64.powi(60)
    };
    pieces.iter().map(volume).sum()
}

#[test]
fn tetrahedra_on_a_grid_overlap_as_exact_clipping_says() {
    let mut random = Random::new(7);
    let (mut compared, mut overlapping) = (0, 0);
    for round in 0..6_000 {
        let most = [2, 3, 4, 8][round % 4];
        let (Some(a), Some(b)) = (tetrahedron(&mut random, most), tetrahedron(&mut random, most)) else { continue };
        let expected = reference(&a, &b);
        let found = of(&a, &b);
        assert_near(found.volume(), expected, 1e-12 * size(&a, &b), || format!("{:?} {:?}", a.positions, b.positions));
        let sum = |gradient: &[crumple::contact::VertexGradient]| -> [f64; 3] {
            std::array::from_fn(|k| gradient.iter().map(|of_vertex| of_vertex.gradient[k]).sum())
        };
        let (of_a, of_b) = (sum(found.gradient_a()), sum(found.gradient_b()));
        (0..3).for_each(|k| assert_near(of_a[k], -of_b[k], 1e-10, || format!("{:?} {:?}", a.positions, b.positions)));
        compared += 1;
        overlapping += usize::from(expected > 0.0);
    }
    assert!(compared > 4_000 && overlapping > 2_000, "{compared} {overlapping}");
}

#[test]
fn triangles_without_area_change_nothing() {
    let mut random = Random::new(8);
    for _ in 0..1_500 {
        let (Some(a), Some(b)) = (tetrahedron(&mut random, 3), tetrahedron(&mut random, 3)) else { continue };
        // Even coordinates, so that the middle of an edge is on the grid.
        let (a, b) = (a.moved(|p| p.map(|x| 2.0 * x)), b.moved(|p| p.map(|x| 2.0 * x)));
        let expected = of(&a, &b).volume();
        for (a, b) in [(with_sliver(&a), b.clone()), (a.clone(), with_sliver(&b)), (with_sliver(&a), with_sliver(&b))] {
            assert!(a.body().mesh().topology().is_solid() && b.body().mesh().topology().is_solid());
            assert_near(of(&a, &b).volume(), expected, 1e-12 * size(&a, &b), || {
                format!("{:?} {:?}", a.positions, b.positions)
            });
        }
    }
}

/// The same tetrahedron with a vertex in the middle of an edge that only one of the faces there uses; a triangle without
/// area closes the gap.
fn with_sliver(shape: &Shape) -> Shape {
    let (p, q) = (shape.positions[0], shape.positions[2]);
    let mut shape = shape.clone();
    shape.positions.push(std::array::from_fn(|k| (p[k] + q[k]) / 2.0));
    shape.triangles[0] = [0, 4, 1];
    shape.triangles.extend([[4, 2, 1], [0, 2, 4]]);
    shape
}
