//! Regions: how many there are, what they measure, and that they keep their ids.

use super::{assert_near, between};
use crate::support::shapes::{Shape, bumpy, cells, cube, cuboid, sphere, torus};
use crumple::contact::regions;
use crumple::{RegionId, Regions, Scene};
use crumple_scenes::Random;

fn of(a: &Shape, b: &Shape) -> Regions {
    regions(&a.body(), &b.body()).unwrap()
}

/// The volumes of the regions, sorted.
fn volumes(regions: &Regions) -> Vec<f64> {
    let mut volumes: Vec<f64> = regions.iter().map(|region| region.volume).collect();
    volumes.sort_by(f64::total_cmp);
    volumes
}

#[track_caller]
fn assert_volumes(a: &Shape, b: &Shape, expected: &[f64]) {
    for (a, b) in [(a, b), (b, a)] {
        let found = volumes(&of(a, b));
        assert_eq!(found.len(), expected.len(), "{found:?} instead of {expected:?}");
        for (found, expected) in found.iter().zip(expected) {
            assert_near(*found, *expected, 1e-12, || "volume".into());
        }
    }
}

/// A square tube along z: outer side 2, inner side 1.
fn tube(low: f32, high: f32) -> Shape {
    let ring = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0f32]];
    let mut shape = Shape::default();
    for z in [low, high] {
        for scale in [1.0, 0.5] {
            shape.positions.extend(ring.map(|[x, y]| [scale * x, scale * y, z]));
        }
    }
    let mut quad = |[a, b, c, d]: [u32; 4]| shape.triangles.extend([[a, b, c], [a, c, d]]);
    for k in 0..4 {
        let n = (k + 1) % 4;
        quad([k, n, 8 + n, 8 + k]); // outside
        quad([4 + n, 4 + k, 12 + k, 12 + n]); // inside
        quad([n, k, 4 + k, 4 + n]); // bottom
        quad([8 + k, 8 + n, 12 + n, 12 + k]); // top
    }
    shape
}

#[test]
fn known_arrangements_have_the_regions_they_should() {
    let block = cuboid([-5.0, -5.0, -1.0], [5.0, 5.0, 0.0]);
    // A table on four legs, as one mesh of four boxes; one of the legs is too short.
    let leg = |x: f32, y: f32, z: f32| cuboid([x, y, z], [x + 0.5, y + 0.5, 3.0]);
    let table =
        leg(-2.0, -2.0, -0.5).with(&leg(2.0, -2.0, -0.25)).with(&leg(-2.0, 2.0, 0.125)).with(&leg(2.0, 2.0, -0.125));
    assert_volumes(&block, &table, &[0.03125, 0.0625, 0.125]);
    // A tube through a slab: its walls are connected only by the faces of the slab, in which they leave a hole.
    assert!(tube(-2.0, 2.0).body().mesh().topology().is_solid());
    assert_volumes(&block, &tube(-2.0, 2.0), &[3.0]);
    assert_volumes(&block, &tube(-0.5, 2.0), &[1.5]);
    assert_volumes(&block, &tube(-0.75, -0.25), &[1.5]);
    // A thin tube within a face between two others, and a rod in the tube: apart.
    assert_volumes(&block, &tube(-2.0, 2.0).with(&cuboid([-0.25, -0.25, -3.0], [0.25, 0.25, 3.0])), &[0.25, 3.0]);
    // A hollow is part of the region around it; a body in the hollow is a region of its own.
    let shell = cube(-2.0, 2.0).with(&cube(-1.0, 1.0).inside_out());
    assert_volumes(&shell, &cube(-3.0, 3.0), &[56.0]);
    assert_volumes(&shell, &cube(-1.5, 1.5), &[19.0]);
    assert_volumes(&shell.with(&cube(-0.5, 0.5)), &cube(-3.0, 3.0), &[1.0, 56.0]);
    assert_volumes(&shell, &cuboid([-3.0; 3], [0.0, 3.0, 3.0]), &[28.0]);
    // What merely touches is no region.
    assert_volumes(&cube(0.0, 1.0), &cuboid([1.0, 0.0, 0.0], [2.0, 1.0, 1.0]), &[]);
    assert_volumes(&cube(0.0, 1.0), &cube(1.0, 2.0), &[]);
    // A body with itself, and one inside out.
    assert_volumes(&cube(0.0, 2.0), &cube(0.0, 2.0), &[8.0]);
    assert_volumes(&cube(0.0, 2.0).inside_out(), &cube(1.0, 3.0), &[-1.0]);
}

#[test]
fn round_bodies_have_the_regions_they_should() {
    let ring = torus(48, 24, 0.35);
    let upright = ring.moved(|[x, y, z]| [x, z, y]);
    let plate = cuboid([-3.0, -3.0, -0.1], [3.0, 3.0, 0.1]);
    for (a, b, count) in [
        // Two links of a chain.
        (&ring, &upright.translated([1.0, 0.0, 0.0]), 0),
        (&ring, &upright.translated([0.1, 0.0, 0.0]), 2),
        (&plate, &upright, 2),
        (&plate, &ring, 1),
        (&sphere(3, [0.0; 3], 1.0), &sphere(3, [1.0, 0.0, 0.0], 1.0), 1),
        (&sphere(3, [0.0; 3], 1.0), &sphere(2, [0.1, 0.0, 0.0], 0.5), 1),
        (&cuboid([-0.2, -9.0, -9.0], [0.2, 9.0, 9.0]), &ring, 2),
    ] {
        for (a, b) in [(a, b), (b, a)] {
            assert_eq!(of(a, b).len(), count);
        }
    }
}

#[test]
fn soups_of_boxes_apart_have_one_region_for_each_two_that_overlap() {
    let mut random = Random::new(12);
    for round in 0..40 {
        // Boxes in the cells of a grid of 4, so that they do not touch each other; those of both soups share planes.
        let mut soup = || -> Vec<[[i32; 3]; 2]> {
            let mut boxes = Vec::new();
            for cell in 0..27 {
                if random.once_in(2) {
                    let low: [i32; 3] =
                        std::array::from_fn(|k| 4 * (cell / [1, 3, 9][k] % 3) + random.integer(0, 1) as i32);
                    boxes.push([low, low.map(|x| x + random.integer(1, 2) as i32)]);
                }
            }
            boxes
        };
        let (a, b) = (soup(), soup());
        let by = random.integer(0, 3) as i32;
        let b: Vec<_> = b.iter().map(|corners| corners.map(|p| p.map(|x| x + by))).collect();
        let join = |boxes: &[[[i32; 3]; 2]]| {
            let shape = |[low, high]: [[i32; 3]; 2]| cuboid(low.map(|x| x as f32), high.map(|x| x as f32));
            boxes.iter().fold(Shape::default(), |all, &next| all.with(&shape(next)))
        };
        let common = |a: [[i32; 3]; 2], b: [[i32; 3]; 2]| -> i32 {
            (0..3).map(|k| (a[1][k].min(b[1][k]) - a[0][k].max(b[0][k])).max(0)).product()
        };
        let mut expected: Vec<f64> =
            a.iter().flat_map(|&a| b.iter().map(move |&b| f64::from(common(a, b)))).filter(|&v| v > 0.0).collect();
        expected.sort_by(f64::total_cmp);
        let found = volumes(&of(&join(&a), &join(&b)));
        assert_eq!(found.len(), expected.len(), "round {round}");
        found
            .iter()
            .zip(&expected)
            .for_each(|(found, expected)| assert_near(*found, *expected, 1e-12, || format!("round {round}")));
    }
}

#[test]
fn regions_add_up_to_the_overlap() {
    for (a, b) in [
        (bumpy(4), torus(60, 30, 0.4)),
        (bumpy(4), bumpy(4).moved(|[x, y, z]| [y + 0.3, z, x + 0.1])),
        (cells(&[[0, 0, 0], [1, 1, 0], [2, 0, 0], [2, 1, 1]]), cells(&[[0, 0, 0], [1, 0, 0], [1, 1, 0], [2, 1, 1]])),
    ] {
        let (a, b) = (a.body(), b.body());
        let (whole, parts) = (between(&a, &b), regions(&a, &b).unwrap());
        assert!(!parts.is_empty());
        let sum = |of: &dyn Fn(&crumple::Region<'_>) -> f64| parts.iter().map(|region| of(&region)).sum::<f64>();
        assert_near(sum(&|region| region.volume), whole.volume(), 1e-12, || "volume".into());
        for k in 0..3 {
            let moment = whole.volume() * whole.centroid().unwrap()[k];
            assert_near(sum(&|region| region.volume * region.centroid[k]), moment, 1e-12, || "moment".into());
            let force: f64 = whole.gradient_a().iter().map(|g| g.gradient[k]).sum();
            assert_near(sum(&|region| -region.normal[k] * region.contact_area), force, 1e-11, || "force".into());
        }
        for region in parts.iter() {
            assert!(region.triangles_a.is_sorted() && region.triangles_b.is_sorted());
            assert!(region.vertices_a.is_sorted() && region.vertices_b.is_sorted());
            let of_gradient = |vertices: &[crumple::VertexId], gradient: &[crumple::VertexGradient]| {
                vertices.iter().all(|vertex| gradient.binary_search_by_key(vertex, |g| g.vertex).is_ok())
            };
            assert!(
                of_gradient(region.vertices_a, whole.gradient_a())
                    && of_gradient(region.vertices_b, whole.gradient_b())
            );
        }
    }
}

#[test]
fn the_surface_of_a_cube_has_the_moments_of_a_cube() {
    let (a, b) = (cube(0.0, 2.0), cube(1.0, 3.0));
    let found = of(&a, &b);
    let region = found.iter().next().unwrap();
    assert_near(region.area, 6.0, 1e-13, || "area".into());
    let slanted = 1.0 / 3.0f64.sqrt();
    for i in 0..3 {
        assert_near(region.centroid[i], 1.5, 1e-13, || "centroid".into());
        assert_near(region.surface_centroid[i], 1.5, 1e-13, || "surface".into());
        // Body a comes out towards its own middle.
        assert_near(region.normal[i], -slanted, 1e-13, || "normal".into());
        // Two faces at a distance of 1/2 and four across, in which squares have a moment of 1/12.
        (0..3).for_each(|j| {
            let expected = if i == j { 0.5 + 4.0 / 12.0 } else { 0.0 };
            assert_near(region.surface_moments[i][j], expected, 1e-13, || format!("{i} {j}"));
        });
    }
    assert_eq!(region.vertices_a.len() + region.vertices_b.len(), 2);
    assert_eq!((region.triangles_a.len(), region.triangles_b.len()), (6, 6));
}

#[test]
fn regions_keep_their_ids_while_they_last() {
    let floor = cuboid([-5.0, -5.0, -1.0], [5.0, 5.0, 0.0]);
    let feet = |depths: [f32; 2]| {
        let foot = |x: f32, depth: f32| sphere(2, [x, 0.0, 0.5 - depth], 0.5);
        foot(-1.0, depths[0]).with(&foot(1.0, depths[1]))
    };
    let mut scene = Scene::new();
    scene.add(floor.body());
    let walker = scene.add(feet([0.0, 0.0]).body());
    let mut ids = |depths: [f32; 2]| -> Vec<(RegionId, bool)> {
        scene.set_positions(walker, &feet(depths).positions).unwrap();
        let frame = scene.update().unwrap();
        frame.regions().map(|region| (region.id, region.centroid[0] > 0.0)).collect()
    };
    let left = ids([0.2, -0.1]);
    assert!(left.len() == 1 && !left[0].1);
    let mut both = ids([0.3, 0.1]);
    both.sort_by_key(|(_, is_right)| *is_right);
    assert!(both.len() == 2 && both[0] == left[0] && both[1].0 != left[0].0);
    // Only the right one goes on; then the left one comes back as another.
    let right = ids([-0.1, 0.2]);
    assert_eq!(right, [both[1]]);
    let again = ids([0.1, 0.25]);
    let new = again.iter().find(|(_, is_right)| !is_right).unwrap();
    assert!(again.contains(&both[1]) && !both.contains(new));
}
