//! Random bodies, many of which touch: regions have a volume, are finite, add up to the overlap, and are the same when the
//! bodies are exchanged.

use super::tetrahedra::{reference, tetrahedron};
use super::{assert_near, between, of, size};
use crate::support::shapes::{Shape, cells, cuboid, sphere, torus};
use crumple::contact::regions;
use crumple::{Body, Mesh, Regions};
use crumple_scenes::Random;

/// The regions by volume, then by centroid as far as rounding does not matter.
fn sorted(regions: &Regions) -> Vec<crumple::Region<'_>> {
    let mut sorted: Vec<_> = regions.iter().collect();
    let rounded = |x: f64| (x * 1e6).round();
    sorted.sort_by(|p, q| {
        let key = |region: &crumple::Region<'_>| {
            [region.volume, region.centroid[0], region.centroid[1], region.centroid[2]].map(rounded)
        };
        key(p).partial_cmp(&key(q)).expect("finite")
    });
    sorted
}

/// What holds for the regions of any two closed bodies whose winding numbers are 0 and 1; returns them.
fn checked(a: &Body, b: &Body, within: f64, what: impl Fn() -> String) -> Regions {
    let (found, swapped) = (regions(a, b).unwrap(), regions(b, a).unwrap());
    assert_eq!(found.len(), swapped.len(), "{}", what());
    let bounds = a.bounds().intersection(&b.bounds());
    for (one, other) in sorted(&found).iter().zip(sorted(&swapped)) {
        assert!(one.volume > 0.0 && one.area > 0.0 && one.contact_area >= 0.0, "{}: {one:?}", what());
        assert_near(one.volume, other.volume, within, &what);
        assert_near(one.area, other.area, within, &what);
        assert_eq!((one.triangles_a, one.triangles_b), (other.triangles_b, other.triangles_a), "{}", what());
        assert_eq!((one.vertices_a, one.vertices_b), (other.vertices_b, other.vertices_a), "{}", what());
        for k in 0..3 {
            for centre in [one.centroid, one.surface_centroid] {
                let (low, high) = (f64::from(bounds.min()[k]), f64::from(bounds.max()[k]));
                assert!(centre[k] >= low - within && centre[k] <= high + within, "{}: {one:?}", what());
            }
            assert!(one.normal[k].is_finite() && one.surface_moments[k].iter().all(|x| x.is_finite()));
        }
    }
    let sum: f64 = found.iter().map(|region| region.volume).sum();
    assert_near(sum, between(a, b).volume(), within, what);
    found
}

#[test]
fn tetrahedra_on_a_grid_have_one_region_if_they_have_volume_in_common_and_none_if_not() {
    let mut random = Random::new(31);
    let (mut compared, mut touching) = (0, 0);
    for round in 0..6_000 {
        let most = [2, 3, 4, 8][round % 4];
        let (Some(a), Some(b)) = (tetrahedron(&mut random, most), tetrahedron(&mut random, most)) else { continue };
        let what = || format!("{:?} {:?}", a.positions, b.positions);
        let found = checked(&a.body(), &b.body(), 1e-12 * size(&a, &b), what);
        let expected = reference(&a, &b);
        assert_eq!(found.len(), usize::from(expected > 0.0), "{}", what());
        assert_eq!(of(&a, &b).centroid().is_some(), expected > 0.0, "{}", what());
        compared += 1;
        touching += usize::from(expected == 0.0 && !crumple::pairs(&a.body(), &b.body()).is_empty());
    }
    assert!(compared > 4_000 && touching > 100, "{compared} {touching}");
}

/// A small tetrahedron at a corner, an edge or a face of a large one.
#[test]
fn bodies_of_unlike_size_have_a_region_only_if_they_have_volume_in_common() {
    let mut random = Random::new(35);
    let (mut compared, mut touching) = (0, 0);
    for round in 0..6_000 {
        let scale = [4.0, 64.0, 1024.0][round % 3];
        let (Some(a), Some(b)) = (tetrahedron(&mut random, 4), tetrahedron(&mut random, 3)) else { continue };
        let a = a.moved(|p| p.map(|x| scale * x));
        let at: [f32; 3] = std::array::from_fn(|k| {
            let [p, q, r] = [0, 1, 2].map(|corner| a.positions[corner][k]);
            [p, 0.5 * (p + q), 0.25 * (2.0 * p + q + r)][round / 3 % 3]
        });
        // A corner of b is put there, so that most touch at least.
        let b = b.translated(std::array::from_fn(|k| at[k] - b.positions[round % 4][k]));
        let what = || format!("{:?} {:?}", a.positions, b.positions);
        let found = checked(&a.body(), &b.body(), 1e-9, what);
        let expected = reference(&a, &b);
        assert_eq!(found.len(), usize::from(expected > 0.0), "{}", what());
        assert_eq!(of(&a, &b).centroid().is_some(), expected > 0.0, "{}", what());
        found.iter().for_each(|region| assert_near(region.volume, expected, 1e-9, what));
        compared += 1;
        touching += usize::from(expected == 0.0);
    }
    assert!(compared > 4_000 && touching > 1_000, "{compared} {touching}");
}

#[test]
fn cells_that_share_faces_have_the_same_regions_in_either_order() {
    let mut random = Random::new(32);
    for round in 0..600 {
        let mut some = || -> Vec<[i32; 3]> {
            let all = (0..18).map(|cell| [cell % 3, cell / 3 % 3, cell / 9]);
            all.filter(|_| random.once_in(2)).collect()
        };
        let (a, b) = (some(), some());
        // Half a cell aside, in none to three directions: planes are shared along the others.
        let by: [f32; 3] = std::array::from_fn(|k| if round >> k & 1 == 1 { 0.5 } else { 0.0 });
        let what = || format!("{a:?} {b:?} {by:?}");
        let (a, b) = (cells(&a).body(), cells(&b).translated(by).body());
        checked(&a, &b, 1e-12, what);
    }
}

#[test]
fn turned_bodies_have_the_same_regions_in_either_order() {
    let mut random = Random::new(33);
    let shapes = [
        cuboid([-1.0; 3], [1.0; 3]),
        cuboid([-3.0, -0.1, -0.2], [3.0, 0.1, 0.2]),
        sphere(1, [0.0; 3], 1.0),
        sphere(2, [0.0; 3], 0.7),
        torus(12, 8, 0.4),
    ];
    for round in 0..1_500 {
        let mut turned = || -> Shape {
            let shape = &shapes[random.integer(0, shapes.len() as i64 - 1) as usize];
            // A rotation by thirds and quarters of a turn or by any angle: about a third of the pairs touch in planes.
            let angle = if random.once_in(2) { 0.0 } else { random.integer(0, 1000) as f32 * 1e-3 };
            let by: [f32; 3] = std::array::from_fn(|_| random.integer(-4, 4) as f32 * 0.25);
            let (sin, cos) = angle.sin_cos();
            shape.moved(|[x, y, z]| [cos * x - sin * y + by[0], sin * x + cos * y + by[1], z + by[2]])
        };
        let (a, b) = (turned(), turned());
        checked(&a.body(), &b.body(), 1e-11, || format!("round {round}"));
    }
}

#[test]
fn bodies_far_from_the_origin_overlap_as_exactly_as_they_do_near_it() {
    let mut random = Random::new(34);
    for round in 0..400 {
        let (Some(a), Some(b)) = (tetrahedron(&mut random, 8), tetrahedron(&mut random, 8)) else { continue };
        let expected = reference(&a, &b);
        let far = [0.0, 2f64.powi(26), 2f64.powi(40), -2f64.powi(45)][round % 4];
        let at = |shape: &Shape| {
            let positions: Vec<[f64; 3]> = shape.positions.iter().map(|p| p.map(|x| f64::from(x) + far)).collect();
            Body::new_f64(Mesh::new(4, shape.triangles.clone()).unwrap(), &positions).unwrap()
        };
        let (found, parts) = (between(&at(&a), &at(&b)).volume(), regions(&at(&a), &at(&b)).unwrap());
        assert_near(found, expected, 1e-15 * size(&a, &b), || format!("{a:?} {b:?}"));
        assert_eq!(parts.len(), usize::from(expected > 0.0), "{a:?} {b:?}");
        parts
            .iter()
            .for_each(|part| assert_near(part.volume, expected, 1e-15 * size(&a, &b), || format!("{a:?} {b:?}")));
    }
}
