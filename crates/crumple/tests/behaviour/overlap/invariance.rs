//! What must not matter: where bodies are, how axes are named, which comes first, how many threads there are.

use super::{assert_near, of};
use crate::support::shapes::{Shape, bumpy, cells, sphere, torus};

/// Bodies on a grid of 2^-10, so that they can be moved far without rounding.
fn snapped(shape: &Shape) -> Shape {
    shape.moved(|p| p.map(|x| (x * 1024.0).round() / 1024.0))
}

fn pairs() -> Vec<(Shape, Shape)> {
    vec![
        (snapped(&bumpy(3)), snapped(&sphere(3, [0.5, 0.25, 0.125], 1.0))),
        (snapped(&torus(32, 16, 0.4)), snapped(&torus(32, 16, 0.4).moved(|[x, y, z]| [z + 0.75, x, y]))),
        (cells(&[[0, 0, 0], [1, 0, 0], [1, 1, 0]]), cells(&[[1, 0, 0], [1, 1, 0], [1, 1, 1]])),
    ]
}

#[test]
fn moving_both_bodies_far_away_changes_nothing_but_rounding() {
    for (which, (a, b)) in pairs().into_iter().enumerate() {
        let here = of(&a, &b);
        for by in [[1024.0, 0.0, 0.0], [-4096.0, 2048.0, 512.0]] {
            let there = of(&a.translated(by), &b.translated(by));
            assert_near(there.volume(), here.volume(), 1e-12, || format!("{which} {by:?}"));
            assert_near(there.area(), here.area(), 1e-11, || format!("{which} {by:?}"));
            let (from, to) = (here.centroid().unwrap(), there.centroid().unwrap());
            (0..3).for_each(|k| assert_near(to[k], from[k] + f64::from(by[k]), 1e-11, || format!("{which} {by:?}")));
        }
    }
}

#[test]
fn renaming_the_axes_changes_nothing_but_rounding() {
    for (which, (a, b)) in pairs().into_iter().enumerate() {
        let here = of(&a, &b);
        let turned = |[x, y, z]: [f32; 3]| [y, z, x];
        let there = of(&a.moved(turned), &b.moved(turned));
        assert_near(there.volume(), here.volume(), 1e-13, || format!("{which}"));
        // A mirror image is inside out: turned round again it is the same volume.
        let mirrored = |[x, y, z]: [f32; 3]| [-x, y, z];
        let there = of(&a.moved(mirrored).inside_out(), &b.moved(mirrored).inside_out());
        assert_near(there.volume(), here.volume(), 1e-13, || format!("{which}"));
    }
}

#[test]
fn the_order_of_the_bodies_does_not_matter() {
    for (which, (a, b)) in pairs().into_iter().enumerate() {
        let (one, other) = (of(&a, &b), of(&b, &a));
        assert_near(one.volume(), other.volume(), 1e-13, || format!("{which}"));
        // No two faces coincide in the first two: gradients and area are those of both orders.
        if which < 2 {
            assert_near(one.area(), other.area(), 1e-12, || format!("{which}"));
            for (one, other) in one.gradient_a().iter().zip(other.gradient_b()) {
                assert_eq!(one.vertex, other.vertex);
                (0..3).for_each(|k| assert_near(one.gradient[k], other.gradient[k], 1e-13, || format!("{which}")));
            }
        }
    }
}

#[cfg(feature = "parallel")]
#[test]
fn the_number_of_threads_changes_no_bit() {
    let (a, b) = (bumpy(5).body(), torus(200, 80, 0.45).translated([0.3, 0.2, 0.4]).body());
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| (super::between(&a, &b), crumple::contact::regions(&a, &b).unwrap()))
    };
    let one = with(1);
    assert!(one.0.volume() > 0.5 && one.0.gradient_a().len() > 1_000 && !one.1.is_empty());
    for threads in [2, 3, 8] {
        assert!(with(threads) == one, "{threads} threads");
    }
}
