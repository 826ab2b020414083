//! Two bodies as one mesh, and one body with its copy: what the overlap of two bodies says.

use super::{assert_near, by_copy, of, size_of};
use crate::support::shapes::{Shape, bumpy, cube, cuboid, sphere, torus};
use crumple::{overlap, self_overlap};

#[test]
fn two_bodies_as_one_mesh_overlap_as_two_bodies_do() {
    let pairs = [
        (sphere(3, [0.0; 3], 1.0), sphere(2, [0.9, 0.3, 0.2], 0.7)),
        (bumpy(3), torus(40, 24, 0.35).translated([0.5, 0.2, 0.1])),
        (cube(0.0, 2.0), cube(1.0, 3.0)),
        (cube(0.0, 2.0), cuboid([0.0, 0.0, 1.0], [2.0, 2.0, 3.0])),
        (cube(0.0, 3.0), cube(1.0, 2.0)),
        (cube(1.0, 2.0), cube(0.0, 3.0)),
        (sphere(2, [0.0; 3], 1.0), sphere(2, [5.0; 3], 1.0)),
    ];
    for (which, (a, b)) in pairs.iter().enumerate() {
        let expected = overlap(&a.body(), &b.body()).unwrap();
        let alone = of(a).volume() + of(b).volume();
        let found = of(&a.with(b));
        let within = 1e-13 * expected.volume().max(1e-3);
        assert_near(found.volume() - alone, expected.volume(), within, || format!("{which}"));
        if alone == 0.0 && ![2, 3].contains(&which) {
            // No faces coincide: the gradient is that of two bodies, too.
            let both = expected.gradient_a().iter().copied();
            let second = expected.gradient_b().iter().map(|g| (g.vertex.0 + a.positions.len() as u32, g.gradient));
            let expected: Vec<(u32, [f64; 3])> = both.map(|g| (g.vertex.0, g.gradient)).chain(second).collect();
            assert_eq!(found.gradient().len(), expected.len(), "{which}");
            for (found_at, (vertex, gradient)) in found.gradient().iter().zip(expected) {
                assert_eq!(found_at.vertex.0, vertex);
                for axis in 0..3 {
                    assert_near(found_at.gradient[axis], gradient[axis], 1e-13 * size_of(&found), || {
                        format!("{which}")
                    });
                }
            }
        }
    }
}

/// Bodies that cross themselves: coordinates that turn back on themselves turn parts of them inside out.
pub(super) fn crossing() -> Vec<(&'static str, Shape)> {
    vec![
        ("flat ring", torus(60, 20, 0.3).moved(|[x, y, z]| [x, y * (y * y - 0.6), z + 0.1 * x])),
        ("bumps", bumpy(3).moved(|[x, y, z]| [x, y, z * (z * z - 0.4)])),
        ("fold", bumpy(3).moved(|[x, y, z]| [x + 0.1 * z, y * (y * y - 0.7 * x), z])),
        ("folded", sphere(3, [0.0; 3], 1.0).moved(|[x, y, z]| [x * (1.0 - 2.5 * z * z), y, z])),
        ("dent", sphere(3, [0.0; 3], 1.0).moved(|p| if p[2] > 0.9 { [p[0], p[1], p[2] - 2.3] } else { p })),
    ]
}

#[test]
fn a_body_overlaps_itself_by_half_of_what_its_copy_says_beyond_its_volume() {
    for (name, shape) in crossing() {
        let body = shape.body();
        let found = self_overlap(&body).unwrap();
        assert!(found.volume() > 1e-4, "{name}: {}", found.volume());
        assert_near(found.volume(), by_copy(&body), 1e-13 * shape.volume().abs().max(1.0), || name.to_owned());
        // d ∫ w² of both copies together is twice that of one; that of the volume is known.
        let both = overlap(&body, &body).unwrap();
        let mut expected = vec![[0.0; 3]; shape.positions.len()];
        for of_vertex in both.gradient_a().iter().chain(both.gradient_b()) {
            (0..3).for_each(|k| expected[of_vertex.vertex.index()][k] += 0.5 * of_vertex.gradient[k]);
        }
        for &triangle in &shape.triangles {
            let [p, q, r] = triangle.map(|vertex| shape.positions[vertex as usize].map(f64::from));
            for k in 0..3 {
                let (i, j) = ((k + 1) % 3, (k + 2) % 3);
                let normal = (q[i] - p[i]) * (r[j] - p[j]) - (q[j] - p[j]) * (r[i] - p[i]);
                triangle.iter().for_each(|&vertex| expected[vertex as usize][k] -= normal / 12.0);
            }
        }
        found.gradient().iter().for_each(|g| (0..3).for_each(|k| expected[g.vertex.index()][k] -= g.gradient[k]));
        let most = expected.iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
        assert!(most < 1e-13 * size_of(&found), "{name}: gradients differ by {most:e}");
    }
}
