//! The gradient of the volume: against closed formulas and central differences.

use super::{assert_near, between, of};
use crate::support::shapes::{Shape, bumpy, cuboid, sphere, torus};
use crumple::Body;
use crumple::contact::VertexGradient;
use crumple_scenes::Random;

fn sum(gradient: &[VertexGradient]) -> [f64; 3] {
    std::array::from_fn(|k| gradient.iter().map(|of_vertex| of_vertex.gradient[k]).sum())
}

#[test]
fn a_box_pressed_into_another_is_pushed_by_area_times_normal() {
    // The upper box reaches 1/4 deep into the lower one; its foot is 2 by 3.
    let floor = cuboid([-5.0, -5.0, -1.0], [5.0, 5.0, 0.0]);
    let upper = cuboid([-1.0, -1.0, -0.25], [1.0, 2.0, 1.0]);
    let found = of(&floor, &upper);
    assert_near(found.volume(), 1.5, 1e-14, || "volume".into());
    assert_near(found.area(), 2.0 * 6.0 + 10.0 * 0.25, 1e-13, || "area".into());
    for (gradient, sign) in [(found.gradient_a(), 1.0), (found.gradient_b(), -1.0)] {
        let total = sum(gradient);
        for (k, expected) in [0.0, 0.0, 6.0 * sign].into_iter().enumerate() {
            assert_near(total[k], expected, 1e-13, || format!("{k}"));
        }
    }
    assert!(found.gradient_b().is_sorted_by_key(|of_vertex| of_vertex.vertex));
}

fn volume(a: &Body, shape: &Shape) -> f64 {
    between(a, &shape.body()).volume()
}

#[test]
fn gradients_agree_with_central_differences() {
    let pairs = [
        (bumpy(2), sphere(2, [0.7, 0.3, 0.2], 0.9)),
        (torus(24, 12, 0.35), bumpy(2).translated([0.9, 0.1, 0.05])),
        (cuboid([-1.0; 3], [1.0; 3]), sphere(1, [0.9, 0.8, 0.7], 0.6)),
    ];
    let mut random = Random::new(3);
    for (which, (a, b)) in pairs.iter().enumerate() {
        for (fixed, moving) in [(a, b), (b, a)] {
            let fixed = fixed.body();
            let found = between(&fixed, &moving.body());
            let most = found.gradient_b().iter().flat_map(|g| g.gradient).fold(0.0, |most: f64, g| most.max(g.abs()));
            let mut gradient = vec![[0.0; 3]; moving.positions.len()];
            found.gradient_b().iter().for_each(|g| gradient[g.vertex.index()] = g.gradient);
            // Powers of two, so that positions move by exactly this much but for their own rounding.
            for _ in 0..40 {
                let vertex = random.below(moving.positions.len() as u64) as usize;
                let axis = random.below(3) as usize;
                let moved = |by: f32| {
                    let mut shape = moving.clone();
                    shape.positions[vertex][axis] += by;
                    (f64::from(shape.positions[vertex][axis]), volume(&fixed, &shape))
                };
                let difference = |step: f32| {
                    let ((x0, v0), (x1, v1)) = (moved(-step), moved(step));
                    (v1 - v0) / (x1 - x0)
                };
                // The volume is a cubic between changes of topology: two steps cancel the error of the second order.
                let (coarse, fine) = (difference(2f32.powi(-9)), difference(2f32.powi(-10)));
                let expected = (4.0 * fine - coarse) / 3.0;
                assert_near(gradient[vertex][axis], expected, 2e-5 * most, || format!("{which} {vertex} {axis}"));
            }
        }
    }
}

#[test]
fn the_gradients_of_both_bodies_add_up_to_nothing() {
    let a = bumpy(4);
    for (k, b) in [sphere(4, [0.7, 0.3, 0.2], 0.9), torus(60, 30, 0.4), a.clone().translated([0.125, 0.25, 0.0625])]
        .iter()
        .enumerate()
    {
        let found = of(&a, b);
        let (of_a, of_b) = (sum(found.gradient_a()), sum(found.gradient_b()));
        assert!(found.volume() > 0.1);
        (0..3).for_each(|axis| assert_near(of_a[axis], -of_b[axis], 1e-12, || format!("{k} {axis}")));
        // Forces along the gradient turn nothing either.
        let torque = |shape: &Shape, gradient: &[VertexGradient]| -> [f64; 3] {
            let mut total = [0.0; 3];
            for of_vertex in gradient {
                let (x, g) = (shape.positions[of_vertex.vertex.index()].map(f64::from), of_vertex.gradient);
                (0..3).for_each(|k| total[k] += x[(k + 1) % 3] * g[(k + 2) % 3] - x[(k + 2) % 3] * g[(k + 1) % 3]);
            }
            total
        };
        let (of_a, of_b) = (torque(&a, found.gradient_a()), torque(b, found.gradient_b()));
        (0..3).for_each(|axis| assert_near(of_a[axis], -of_b[axis], 1e-12, || format!("{k} {axis}")));
    }
}
