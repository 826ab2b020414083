//! The connected parts of an overlap with itself.

use super::two_bodies::crossing;
use super::{assert_near, size_of};
use crate::support::shapes::{cube, cuboid, sphere};
use crumple::contact::SelfLoss;
use crumple::{self_overlap, self_regions};

#[test]
fn regions_add_up_to_the_whole() {
    for (name, shape) in crossing() {
        let body = shape.body();
        let (whole, regions) = (self_overlap(&body).unwrap(), self_regions(&body).unwrap());
        assert!(!regions.is_empty(), "{name}");
        let sum: f64 = regions.iter().map(|region| region.volume).sum();
        assert_near(sum, whole.volume(), 1e-13 * whole.volume(), || name.to_owned());
        let mut gradient = vec![[0.0; 3]; shape.positions.len()];
        for region in regions.iter() {
            let mut force = [0.0; 3];
            for of_vertex in region.gradient {
                (0..3).for_each(|k| gradient[of_vertex.vertex.index()][k] += of_vertex.gradient[k]);
                (0..3).for_each(|k| force[k] += of_vertex.gradient[k]);
            }
            // The surface of each is closed.
            force.into_iter().for_each(|sum| assert_near(sum, 0.0, 1e-13 * size_of(&whole), || name.to_owned()));
            assert!(region.triangles.is_sorted() && region.gradient.is_sorted_by_key(|of_vertex| of_vertex.vertex));
        }
        whole.gradient().iter().for_each(|g| (0..3).for_each(|k| gradient[g.vertex.index()][k] -= g.gradient[k]));
        let most = gradient.iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
        assert!(most < 1e-13 * size_of(&whole), "{name}: gradients differ by {most:e}");
    }
}

#[test]
fn regions_of_a_mesh_of_bodies_are_those_of_two_bodies() {
    let a = sphere(3, [0.0; 3], 1.0);
    let b = sphere(2, [1.5, 0.0, 0.0], 0.7).with(&sphere(2, [-1.3, 0.4, 0.0], 0.6));
    let expected = crumple::contact::regions(&a.body(), &b.body()).unwrap();
    let found = self_regions(&a.with(&b).body()).unwrap();
    assert_eq!((found.len(), expected.len()), (2, 2));
    let shift = a.triangles.len() as u32;
    for expected in expected.iter() {
        let region = found.iter().find(|region| (region.volume - expected.volume).abs() < 1e-13).unwrap();
        (0..3).for_each(|k| assert_near(region.centroid[k], expected.centroid[k], 1e-12, || "centroid".to_owned()));
        assert_near(region.area, expected.area, 1e-12, || "area".to_owned());
        let along: f64 = (0..3).map(|k| region.normal[k] * expected.normal[k]).sum();
        assert_near(along.abs(), 1.0, 1e-12, || "normal".to_owned());
        let second = expected.triangles_b.iter().map(|triangle| triangle.0 + shift);
        let triangles: Vec<u32> = expected.triangles_a.iter().map(|triangle| triangle.0).chain(second).collect();
        assert_eq!(region.triangles.iter().map(|triangle| triangle.0).collect::<Vec<_>>(), triangles);
        assert!(region.pairs.iter().all(|pair| pair.a.0 < shift && pair.b.0 >= shift) && !region.pairs.is_empty());
    }
}

#[test]
fn what_is_within_or_inside_out_is_a_region_without_pairs() {
    let nested = self_regions(&cube(0.0, 4.0).with(&cube(1.0, 3.0)).body()).unwrap();
    assert_eq!(nested.len(), 1);
    let region = nested.iter().next().unwrap();
    assert!((region.volume - 8.0).abs() < 1e-13 && region.pairs.is_empty() && region.triangles.len() == 12);
    assert_eq!((region.centroid, region.normal), ([2.0; 3], [0.0; 3]));
    let turned = self_regions(&cube(0.0, 2.0).inside_out().body()).unwrap();
    assert_eq!(turned.iter().map(|region| region.volume).collect::<Vec<_>>(), [8.0]);
}

#[test]
fn the_loss_leaves_out_hollows_and_regions_that_are_not_wanted() {
    // Twice in a box with a hollow: the hollow is a region of its own.
    let hollow = cube(0.0, 4.0).with(&cube(0.5, 3.5)).with(&cube(1.0, 2.0).inside_out());
    let regions = self_regions(&hollow.body()).unwrap();
    let mut volumes: Vec<f64> = regions.iter().map(|region| region.volume).collect();
    volumes.sort_by(f64::total_cmp);
    assert_eq!(volumes.len(), 2);
    assert_near(volumes[0], -1.0, 1e-13, || "hollow".to_owned());
    let loss = regions.loss();
    assert_near(loss.value, 27.0, 1e-12, || "loss".to_owned());
    assert_eq!(loss.gradient.len(), 8);

    // Three boxes in a row: of the two overlaps one is not wanted.
    let at = |x: f32| cuboid([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]);
    let row = at(0.0).with(&at(0.75)).with(&at(1.625));
    let regions = self_regions(&row.body()).unwrap();
    let mut loss = SelfLoss::default();
    let is_of_third =
        |region: &crumple::SelfRegion<'_>| region.gradient.iter().any(|of_vertex| of_vertex.vertex.0 >= 16);
    regions.add_up(is_of_third, &mut loss);
    assert_near(loss.value, 0.125, 1e-14, || "one of two".to_owned());
    regions.add_up(|region| !is_of_third(region), &mut loss);
    assert_near(loss.value, 0.25, 1e-14, || "the other".to_owned());
    regions.add_up(|_| false, &mut loss);
    assert!(loss.value == 0.0 && loss.gradient.is_empty());
}
