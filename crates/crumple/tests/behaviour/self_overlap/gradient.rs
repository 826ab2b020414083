//! The gradient: against central differences, and without force or torque.

use super::two_bodies::crossing;
use super::{assert_near, force_and_torque, size_of};
use crate::support::shapes::{Shape, cube};
use crumple::{Body, Mesh, self_overlap};
use crumple_scenes::Random;

#[test]
fn gradients_have_no_force_and_no_torque() {
    for (name, shape) in crossing() {
        let body = shape.body();
        let found = self_overlap(&body).unwrap();
        let within = 1e-14 * size_of(&found);
        for sums in force_and_torque(&body, &found) {
            sums.into_iter().for_each(|sum| assert_near(sum, 0.0, within, || name.to_owned()));
        }
        // E is of the third degree in the positions: x · dE/dx = 3 E.
        let along = found.gradient().iter().map(|g| {
            let x = body.point(g.vertex).unwrap();
            x[0] * g.gradient[0] + x[1] * g.gradient[1] + x[2] * g.gradient[2]
        });
        assert_near(along.sum(), 3.0 * found.volume(), 1e-12 * found.volume().max(1.0), || name.to_owned());
    }
}

fn in_f64(shape: &Shape) -> (Body, Vec<[f64; 3]>) {
    let positions: Vec<[f64; 3]> = shape.positions.iter().map(|p| p.map(f64::from)).collect();
    let mesh = Mesh::new(positions.len(), shape.triangles.clone()).unwrap();
    (Body::new_f64(mesh, &positions).unwrap(), positions)
}

/// The difference quotient of the volume by one coordinate, for the step at which it is closest to what is expected: large ones are off by
/// curvature, small ones by rounding.
fn difference(body: &mut Body, positions: &mut [[f64; 3]], vertex: usize, axis: usize, expected: f64) -> f64 {
    let start = positions[vertex][axis];
    let mut volume_at = |x: f64| {
        positions[vertex][axis] = x;
        body.set_positions_f64(positions).unwrap();
        self_overlap(body).unwrap().volume()
    };
    let quotients = [8, 10, 12, 14, 16, 18].map(|digits| {
        let step = 2f64.powi(-digits);
        (volume_at(start + step) - volume_at(start - step)) / (2.0 * step)
    });
    volume_at(start);
    quotients.into_iter().min_by(|p, q| (p - expected).abs().total_cmp(&(q - expected).abs())).unwrap()
}

#[test]
fn gradients_agree_with_central_differences() {
    let mut random = Random::new(5);
    for (name, shape) in crossing() {
        let (mut body, mut positions) = in_f64(&shape);
        let found = self_overlap(&body).unwrap();
        let most = found.gradient().iter().flat_map(|g| g.gradient).fold(0.0, |most: f64, g| most.max(g.abs()));
        for _ in 0..12 {
            let of_vertex = found.gradient()[random.below(found.gradient().len() as u64) as usize];
            let axis = random.below(3) as usize;
            let expected = of_vertex.gradient[axis];
            let by_difference = difference(&mut body, &mut positions, of_vertex.vertex.index(), axis, expected);
            assert_near(by_difference, expected, 1e-7 * most, || format!("{name}, vertex {}", of_vertex.vertex));
        }
    }
}

#[test]
fn an_open_body_is_capped_and_the_gradient_goes_to_the_border() {
    // A cube without half of its lid, and a cube in the corner that remains.
    let mut open = cube(0.0, 2.0);
    open.triangles.truncate(11);
    let shape = open.with(&cube(1.25, 3.0).moved(|[x, y, z]| [x + 0.1, y - 0.3, z - 0.2]));
    let (mut body, mut positions) = in_f64(&shape);
    let capped = |body: &Body| {
        let mut finder = crumple::contact::SelfOverlapFinder::default();
        finder.find(body, crumple::Holes::Cap).unwrap().clone()
    };
    let found = capped(&body);
    assert!(found.volume() > 0.1);
    let mut gradient = vec![[0.0; 3]; positions.len()];
    found.gradient().iter().for_each(|g| gradient[g.vertex.index()] = g.gradient);
    for vertex in 0..positions.len() {
        for axis in 0..3 {
            let start = positions[vertex][axis];
            let mut volume_at = |x: f64| {
                positions[vertex][axis] = x;
                body.set_positions_f64(&positions).unwrap();
                capped(&body).volume()
            };
            let step = 2f64.powi(-13);
            let quotient = (volume_at(start + step) - volume_at(start - step)) / (2.0 * step);
            volume_at(start);
            assert_near(quotient, gradient[vertex][axis], 1e-7, || format!("{vertex} {axis}"));
        }
    }
}

#[test]
fn an_edge_that_runs_twice_gives_half_of_its_gradient_to_each_end() {
    // Two tetrahedra that share an edge and cross each other: matched in order, the triangles at the edge are two sheets.
    let corners =
        [[0.0, 0.0, 0.0], [0.0, 0.0, 2.0], [2.0, 0.1, 0.9], [0.3, 2.0, 1.2], [1.4, 0.6, 1.3], [-0.8, 1.7, 0.8f32]];
    let faces = |[a, b, c, d]: [u32; 4]| [[a, c, b], [a, b, d], [b, c, d], [c, a, d]];
    let first = Shape { positions: corners.to_vec(), triangles: faces([0, 1, 2, 3]).to_vec() };
    let second = faces([0, 1, 4, 5]);
    let mut both = first.clone();
    both.triangles.extend(second);
    let (mut body, mut positions) = in_f64(&both);
    let expected = {
        let alone = |triangles: &[[u32; 3]]| {
            let body = Shape { positions: corners.to_vec(), triangles: triangles.to_vec() }.body();
            assert!(body.mesh().topology().is_solid());
            body
        };
        let (a, b) = (alone(&first.triangles), alone(&second));
        let [of_a, of_b] = [&a, &b].map(|body| self_overlap(body).unwrap().volume());
        crumple::overlap(&a, &b).unwrap().volume() + of_a + of_b
    };
    let found = self_overlap(&body).unwrap();
    assert!(expected.abs() > 1e-2);
    assert_near(found.volume(), expected, 1e-14, || "volume".to_owned());
    let most = found.gradient().iter().flat_map(|g| g.gradient).fold(0.0, |most: f64, g| most.max(g.abs()));
    for of_vertex in found.gradient() {
        for axis in 0..3 {
            let expected = of_vertex.gradient[axis];
            let by_difference = difference(&mut body, &mut positions, of_vertex.vertex.index(), axis, expected);
            assert_near(by_difference, expected, 1e-7 * most, || format!("vertex {} {axis}", of_vertex.vertex));
        }
    }
}
