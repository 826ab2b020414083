//! Exact overlaps, their regions and curves.

use super::{FAR, Wide, both_kinds, perturbed, shifted};
use crate::support::shapes::{Shape, bumpy, cuboid, sphere, torus};
use crumple::contact::{CompletePairs, OverlapFinder, curves, regions};
use crumple::{Body, Mesh, Scene, overlap};

fn at(shape: &Shape, positions: &[Wide]) -> Body {
    Body::new_f64(Mesh::new(positions.len(), shape.triangles.clone()).unwrap(), positions).unwrap()
}

fn shapes() -> [(Shape, Shape); 3] {
    [
        (bumpy(2), sphere(2, [0.5, 0.25, 0.125], 1.0)),
        (torus(24, 12, 0.4), torus(24, 12, 0.4).moved(|[x, y, z]| [z + 0.75, x, y])),
        // Wholly inside.
        (sphere(2, [0.0; 3], 1.0), sphere(1, [0.1, 0.2, 0.0], 0.25)),
    ]
}

/// The areas of closed bodies inside each other.
fn swallowed(a: &Body, b: &Body) -> [f64; 2] {
    let areas = OverlapFinder::default().swallowed(a, b, CompletePairs::promised(&crumple::pairs(a, b))).unwrap();
    areas.map(|area| area.expect("both are closed"))
}

#[track_caller]
fn assert_close(here: &[f64], far: &[f64], within: f64) {
    assert_eq!(here.len(), far.len());
    here.iter().zip(far).for_each(|(x, y)| assert!((x - y).abs() <= within, "{x} {y}"));
}

/// Points of curves and centroids are where they are, to the last bits of their coordinates: 2^-33 there. All else is as exact as
/// it is here.
#[test]
fn bodies_far_away_overlap_as_they_do_here() {
    for (which, (a, b)) in shapes().iter().enumerate() {
        let (of_a, of_b) = (perturbed(&a.positions, 1), perturbed(&b.positions, 2));
        let (here_a, here_b) = (at(a, &of_a), at(b, &of_b));
        let (far_a, far_b) = (at(a, &shifted(&of_a, FAR)), at(b, &shifted(&of_b, FAR)));
        assert_eq!(crumple::pairs(&here_a, &here_b), crumple::pairs(&far_a, &far_b));
        let (here, far) = (overlap(&here_a, &here_b).unwrap(), overlap(&far_a, &far_b).unwrap());
        assert!(here.volume() > 0.01, "{which}");
        assert_close(&[here.volume(), here.area()], &[far.volume(), far.area()], 2e-14);
        assert_close(&here.centroid().unwrap().map(|x| x + FAR), &far.centroid().unwrap(), 1e-9);
        for (here, far) in [(here.gradient_a(), far.gradient_a()), (here.gradient_b(), far.gradient_b())] {
            assert!(here.iter().map(|of| of.vertex).eq(far.iter().map(|of| of.vertex)));
            here.iter().zip(far).for_each(|(x, y)| assert_close(&x.gradient, &y.gradient, 2e-14));
        }
        for (here, far) in swallowed(&here_a, &here_b).into_iter().zip(swallowed(&far_a, &far_b)) {
            assert_close(&[here], &[far], 2e-14);
        }
        let (here, far) = (regions(&here_a, &here_b).unwrap(), regions(&far_a, &far_b).unwrap());
        assert_eq!(here.len(), far.len());
        for (here, far) in here.iter().zip(far.iter()) {
            assert_close(&[here.volume, here.area], &[far.volume, far.area], 2e-14);
            assert_eq!((here.triangles_a, here.vertices_b), (far.triangles_a, far.vertices_b));
            assert_close(&here.normal, &far.normal, 1e-9);
        }
        let (here, far) = (curves(&here_a, &here_b), curves(&far_a, &far_b));
        assert_eq!(here.len(), far.len());
        for (here, far) in here.iter().zip(far.iter()) {
            assert!(here.is_closed && far.is_closed);
            assert!(here.points.iter().map(|point| point.triangles).eq(far.points.iter().map(|point| point.triangles)));
            for (here, far) in here.points.iter().zip(far.points) {
                assert_close(&here.position.map(|x| x + FAR), &far.position, 1e-9);
            }
        }
    }
}

#[test]
fn f64_bodies_at_f32_positions_overlap_as_f32_bodies_do() {
    for (a, b) in shapes() {
        let [narrow_a, wide_a] = both_kinds(&a.body());
        let [narrow_b, wide_b] = both_kinds(&b.body());
        let expected = overlap(&narrow_a, &narrow_b).unwrap();
        let (of_regions, of_curves) = (regions(&narrow_a, &narrow_b).unwrap(), curves(&narrow_a, &narrow_b));
        for (a, b) in [(&wide_a, &wide_b), (&wide_a, &narrow_b), (&narrow_a, &wide_b)] {
            assert_eq!(overlap(a, b).unwrap(), expected);
            assert_eq!(regions(a, b).unwrap(), of_regions);
            assert_eq!(curves(a, b), of_curves);
            assert_eq!(swallowed(a, b), swallowed(&narrow_a, &narrow_b));
        }
    }
}

/// A box in f64.
fn wide_box(low: Wide, high: Wide) -> Body {
    let corner = |x: f32, axis: usize| if x == 0.0 { low[axis] } else { high[axis] };
    let shape = cuboid([0.0; 3], [1.0; 3]);
    let positions: Vec<Wide> = shape.positions.iter().map(|p| [0, 1, 2].map(|axis| corner(p[axis], axis))).collect();
    at(&shape, &positions)
}

#[test]
fn an_overlap_too_thin_for_f32_has_its_volume() {
    let thin = 2f64.powi(-20);
    let floor = wide_box([FAR - 5.0, FAR - 5.0, FAR - 1.0], [FAR + 5.0, FAR + 5.0, FAR]);
    let upper = |z: f64| wide_box([FAR - 1.0, FAR - 1.0, FAR + z], [FAR + 1.0, FAR + 2.0, FAR + z + 1.0]);
    let deep = upper(-thin);
    assert_eq!(deep.positions(), upper(thin).positions(), "rounded, they stand on the floor");
    let found = overlap(&floor, &deep).unwrap();
    assert_close(&[found.volume(), found.area()], &[6.0 * thin, 2.0 * 6.0 + 10.0 * thin], 1e-12);
    assert!((found.volume() / (6.0 * thin) - 1.0).abs() < 1e-9, "{}", found.volume());
    let total: [f64; 3] = std::array::from_fn(|k| found.gradient_b().iter().map(|of| of.gradient[k]).sum());
    assert_close(&total, &[0.0, 0.0, -6.0], 1e-9);
    assert_eq!(regions(&floor, &deep).unwrap().len(), 1);
    assert_eq!(curves(&floor, &deep).len(), 1);
    let apart = overlap(&floor, &upper(thin)).unwrap();
    assert!(apart.is_empty() && apart.volume() == 0.0);
    assert!(regions(&floor, &upper(thin)).unwrap().is_empty());
    // In a scene, frame after frame.
    let mut scene = Scene::new();
    let (floor, body) = (scene.add(floor), scene.add(upper(thin)));
    assert!(scene.update().unwrap().contacts().is_empty());
    scene.set_positions_f64(body, deep.positions_f64().unwrap()).unwrap();
    let frame = scene.update().unwrap();
    assert_eq!(frame.overlap(floor, body).unwrap().volume(), found.volume());
    assert_eq!(frame.contacts().len(), 1);
}
