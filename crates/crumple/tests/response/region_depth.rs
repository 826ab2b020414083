//! What the regions of a contact cut off: depths and areas against closed forms, clipping and brute force.

use crumple::contact::RegionDepth;
use crumple::distance::vertex_face_distance;
use crumple::{BodyId, Scene};

use crate::support::shapes::{Point, Shape, bumpy, cube, cuboid, sphere, torus};

/// The depths of all regions of two bodies, or of one with itself.
fn of_scene(scene: &mut Scene, a: BodyId, b: BodyId) -> Vec<RegionDepth> {
    let frame = scene.update().unwrap();
    let regions = || frame.contact_regions().filter(|region| (region.a, region.b) == (a, b)).map(|region| region.of);
    let mut found = vec![RegionDepth::default()];
    frame.region_depths(a, b, regions(), &mut found).unwrap();
    assert_eq!(found.len(), regions().count());
    found
}

fn between(a: &Shape, b: &Shape) -> Vec<RegionDepth> {
    let mut scene = Scene::new();
    let (a, b) = (scene.add(a.body()), scene.add(b.body()));
    of_scene(&mut scene, a, b)
}

fn of_one(shape: &Shape) -> Vec<RegionDepth> {
    let mut scene = Scene::new();
    let body = scene.add(shape.body());
    scene.set_self_collision(body, true).unwrap();
    of_scene(&mut scene, body, body)
}

/// Two shapes as two bodies and as one: the same depths and areas.
fn both_ways(a: &Shape, b: &Shape) -> Vec<RegionDepth> {
    let (two, one) = (between(a, b), of_one(&a.with(b)));
    assert_eq!(two.len(), one.len());
    for (two, one) in two.iter().zip(&one) {
        let is_near = |p: Option<f64>, q: Option<f64>| match (p, q) {
            (Some(p), Some(q)) => (p - q).abs() < 1e-12 * p.abs().max(1.0),
            (p, q) => p == q,
        };
        assert!(is_near(two.depth, one.depth) && is_near(two.area, one.area), "{two:?} and {one:?}");
    }
    two
}

fn assert_is(found: RegionDepth, depth: f64, area: f64) {
    let RegionDepth { depth: Some(of_found), area: Some(inside), .. } = found else { panic!("{found:?}") };
    assert!((of_found - depth).abs() < 1e-6, "{of_found} and not {depth} deep");
    assert!((inside - area).abs() < 1e-6 * area.max(1.0), "an area of {inside} and not {area}");
}

/// A sheet of 2 · n² triangles over [−1, 1]², and where its points go.
fn sheet(n: u32, to: impl Fn(f32, f32) -> Point) -> Shape {
    let mut sheet = Shape::default();
    let at = |k: u32| 2.0 * k as f32 / n as f32 - 1.0;
    for i in 0..=n {
        for j in 0..=n {
            sheet.positions.push(to(at(i), at(j)));
            if i < n && j < n {
                let k = i * (n + 1) + j;
                sheet.triangles.extend([[k, k + n + 1, k + 1], [k + 1, k + n + 1, k + n + 2]]);
            }
        }
    }
    sheet
}

#[test]
fn a_box_in_a_box_is_as_deep_as_its_face() {
    let large = cuboid([0.0; 3], [4.0, 4.0, 4.0]);
    // Through the face x = 4: a column of 0.25 × 1 × 2.
    let small = cuboid([3.75, 1.0, 0.5], [5.0, 2.0, 2.5]);
    let found = both_ways(&large, &small);
    assert_eq!(found.len(), 1);
    // Of the small one a face and four strips; of the large one the part of its face between them.
    assert_is(found[0], 0.25, 2.0 + 0.25 * 6.0 + 2.0);
    // Over a corner: the nearest face counts.
    let found = both_ways(&large, &cuboid([3.5, 3.25, 3.875], [6.0, 6.0, 6.0]));
    assert_eq!(found.len(), 1);
    let [x, y, z] = [0.5, 0.75, 0.125];
    assert_is(found[0], 0.125, 2.0 * (x * y + y * z + z * x));
}

#[test]
fn two_places_have_depths_of_their_own() {
    let floor = cuboid([-9.0, -9.0, -1.0], [9.0, 9.0, 0.0]);
    let legs = cuboid([-4.0, 0.0, -0.5], [-3.0, 1.0, 2.0]).with(&cuboid([3.0, 0.0, -0.125], [4.0, 1.0, 2.0]));
    let mut found = both_ways(&floor, &legs);
    found.sort_by(|one, other| one.depth.partial_cmp(&other.depth).unwrap());
    // The floor is one of two triangles, cut in the middle of them.
    assert_eq!(found.iter().map(|of| of.depth).collect::<Vec<_>>(), [Some(0.125), Some(0.5)]);
}

/// How far the vertices of one surface that are inside another are from it.
fn deepest_inside(inner: &Shape, outer: &Shape) -> f64 {
    let deep = |&p: &Point| {
        let distance = |triangle: &[u32; 3]| {
            let [q, r, s] = triangle.map(|vertex| outer.positions[vertex as usize].map(f64::from));
            vertex_face_distance(&[p.map(f64::from), q, r, s]).squared.sqrt()
        };
        outer.triangles.iter().map(distance).fold(f64::MAX, f64::min)
    };
    let inside = inner.positions.iter().filter(|p| outer.winding_number(**p).abs() > 0.5);
    inside.map(deep).fold(0.0, f64::max)
}

#[test]
fn a_lens_is_as_deep_as_its_deepest_vertex() {
    for (levels, apart) in [(2, 0.9), (3, 1.3), (4, 1.6)] {
        let (a, b) = (sphere(levels, [0.0; 3], 1.0), sphere(levels, [apart, 0.31, 0.17], 0.8));
        let found = both_ways(&a, &b);
        assert_eq!(found.len(), 1);
        let expected = deepest_inside(&a, &b).max(deepest_inside(&b, &a));
        let area = crumple::overlap(&a.body(), &b.body()).unwrap().area();
        assert_is(found[0], expected, area);
    }
    // With the poles on the axis between the centres: the height of the lens, but for the facets, which turn away by the square of
    // an edge.
    let axis = |x: f32| sphere(5, [x, 0.0, 0.0], 1.0).moved(|p| p);
    let (a, b) = (axis(0.0), axis(1.75));
    let found = both_ways(&a, &b)[0];
    let [found, of_area] = [found.depth.unwrap(), found.area.unwrap()];
    assert!((found - 0.25).abs() < 1e-2, "{found}");
    // Two caps of height 1/8.
    assert!((of_area / (2.0 * std::f64::consts::TAU * 0.125) - 1.0).abs() < 1e-2, "{of_area}");
}

#[test]
fn regions_of_closed_bodies_are_as_deep_as_brute_force_says() {
    let shapes = [bumpy(3), torus(24, 12, 0.3), sphere(3, [0.9, 0.1, 0.2], 0.7)];
    let mut several = 0;
    for (i, a) in shapes.iter().enumerate() {
        for b in &shapes[i + 1..] {
            let found = between(a, b);
            let most = found.iter().map(|of| of.depth.unwrap()).fold(0.0, f64::max);
            let expected = deepest_inside(a, b).max(deepest_inside(b, a));
            // The middle of an edge may be deeper than a vertex.
            assert!(most > expected - 1e-12 && most < expected + 0.2, "{most} and {expected}");
            several += usize::from(found.len() > 1);
        }
    }
    assert!(several > 0);
}

#[test]
fn a_flap_of_cloth_is_as_deep_as_it_hangs_through() {
    // A plane, and cloth that hangs through it by 0.3 along the border y = −1, 0.13 lower in the middle of it.
    let plane = sheet(9, |x, y| [3.0 * x, 3.0 * y, 0.0]);
    let flap = sheet(20, |x, y| [x, 0.1 * y, 0.35 * (y + 1.0) - 0.3]);
    let found = both_ways(&plane, &flap);
    assert_eq!(found.len(), 1);
    let slope = (0.1f64.powi(2) + 0.35f64.powi(2)).sqrt();
    assert_is(found[0], 0.3, 2.0 * (0.3 / 0.35) * slope);
    // The same the other way round, and upside down.
    for (a, b) in [(flap.clone(), plane.clone()), (plane.inside_out(), flap.clone()), (plane, flap.inside_out())] {
        assert_is(both_ways(&a, &b)[0], 0.3, 2.0 * (0.3 / 0.35) * slope);
    }
}

#[test]
fn a_dent_through_a_plane_is_cut_off_by_a_closed_curve() {
    let plane = sheet(7, |x, y| [3.0 * x, 3.0 * y, 0.0]);
    // A paraboloid whose lowest vertex is 0.25 below.
    let dent = sheet(16, |x, y| [x, y, 0.75 * (x * x + y * y) - 0.25]);
    let found = both_ways(&plane, &dent);
    assert_eq!(found.len(), 1);
    assert!((found[0].depth.unwrap() - 0.25).abs() < 1e-6);
}

#[test]
fn cloth_in_a_closed_body_counts_by_what_of_it_is_inside() {
    let ball = cube(0.0, 4.0);
    // Cloth that goes in by 0.5 at x = 4.
    let cloth = sheet(8, |x, y| [4.5 + x, 2.0 + y, 2.0 + 0.1 * x]);
    let found = both_ways_open(&ball, &cloth);
    let slope = (1f64 + 0.01).sqrt();
    assert_is(found[0], 0.5, 2.0 * 0.5 * slope);
}

/// As two bodies; as one, a body that is open is open as a whole.
fn both_ways_open(a: &Shape, b: &Shape) -> Vec<RegionDepth> {
    let (found, turned) = (between(a, b), between(b, a));
    assert_eq!(found, turned);
    found
}

#[test]
fn an_edge_that_passes_through_counts_with_its_middle() {
    let wall = cuboid([-4.0, -4.0, 0.0], [4.0, 4.0, 0.5]);
    let rod = cuboid([0.0, 0.0, -3.0], [0.25, 0.25, 3.0]);
    for found in both_ways(&wall, &rod) {
        assert!((found.depth.unwrap() - 0.25).abs() < 1e-6, "{found:?}");
    }
}

#[test]
fn a_body_that_is_inside_out_is_as_deep() {
    let (a, b) = (sphere(3, [0.0; 3], 1.0), sphere(3, [1.3, 0.31, 0.17], 0.8));
    let expected = between(&a, &b);
    for (a, b) in [(a.inside_out(), b.clone()), (a.clone(), b.inside_out()), (a.inside_out(), b.inside_out())] {
        let found = between(&a, &b);
        assert_eq!(found.len(), 1);
        assert_is(found[0], expected[0].depth.unwrap(), expected[0].area.unwrap());
    }
}

#[test]
fn of_a_slit_nothing_is_cut_off() {
    // Two sheets that cross, each by a corner: both curves end within.
    let one = sheet(6, |x, y| [x, y, 0.01 * x]);
    let other = sheet(6, |x, y| [1.0 + 0.1 * y, 0.2 + y, x]).moved(|p| [p[0] - 0.5, p[1] + 0.7, p[2]]);
    for found in [between(&one, &other), of_one(&one.with(&other))] {
        assert!(!found.is_empty() && found.iter().all(|of| of.depth.is_none() && of.area.is_none()), "{found:?}");
    }
}

#[test]
fn pairs_that_a_filter_leaves_out_still_bound_what_is_cut_off() {
    let (a, b) = (sphere(3, [0.0; 3], 1.0), sphere(3, [1.3, 0.31, 0.17], 0.8));
    let expected = between(&a, &b)[0];
    let mut scene = Scene::new();
    scene.set_pair_filter(|_, _, pair| pair.a.0 % 2 == 0);
    let (of_a, of_b, both) = (scene.add(a.body()), scene.add(b.body()), scene.add(a.with(&b).body()));
    scene.set_self_collision(both, true).unwrap();
    for (one, other) in [(of_a, of_b), (both, both)] {
        let found = of_scene(&mut scene, one, other);
        assert!(!found.is_empty());
        // Gaps make several regions of it, some of which reach only one of the two parts.
        let deepest = found.iter().map(|of| of.depth.unwrap()).fold(0.0, f64::max);
        assert!((deepest - expected.depth.unwrap()).abs() < 1e-12, "{found:?}");
        let largest = found.iter().map(|of| of.area.unwrap()).fold(0.0, f64::max) / expected.area.unwrap();
        assert!(largest > 0.99 && largest < 1.0 + 1e-12, "{found:?}");
    }
    // Of an open body with itself curves have gaps: nothing is cut off.
    let plane = sheet(9, |x, y| [3.0 * x, 3.0 * y, 0.0]);
    let flap = plane.with(&sheet(20, |x, y| [x, 0.1 * y, 0.35 * (y + 1.0) - 0.3]));
    let body = scene.add(flap.body());
    scene.set_self_collision(body, true).unwrap();
    let found = of_scene(&mut scene, body, body);
    assert!(!found.is_empty() && found.iter().all(|of| of.depth.is_none()), "{found:?}");
}

#[test]
fn what_is_folded_inside_out_is_measured_and_not_the_rest_of_the_body() {
    // A box whose upper side is pushed down through the lower one in the middle: there it is inside out.
    let n = 12;
    let dented =
        |z: f32, dent: f32| sheet(n, move |x, y| [x, y, if x.abs() < 0.4 && y.abs() < 0.4 { z - dent } else { z }]);
    let mut solid = dented(1.0, 1.25).with(&dented(0.0, 0.0).inside_out());
    // The four sides between their borders, which run against those of the upper triangles.
    let (row, count) = (n + 1, (n + 1) * (n + 1));
    let up = (0..n).chain((0..n).map(|i| i * row + n));
    let border: Vec<u32> = up.chain((1..=n).rev().map(|j| n * row + j)).chain((1..=n).rev().map(|i| i * row)).collect();
    for (k, &from) in border.iter().enumerate() {
        let to = border[(k + 1) % border.len()];
        solid.triangles.extend([[from, to, from + count], [to, to + count, from + count]]);
    }
    assert!(solid.body().mesh().topology().is_solid());
    let solid = if solid.volume() < 0.0 { solid.inside_out() } else { solid };
    let found = of_one(&solid);
    assert_eq!(found.len(), 1);
    // The dent reaches 0.25 below.
    assert!((found[0].depth.unwrap() - 0.25).abs() < 1e-6 && found[0].area.unwrap() < 4.0, "{found:?}");
}

#[test]
fn bodies_that_touch_are_not_deep() {
    // The area depends on a motion by an infinitesimal, which is another one for one body than for two.
    let (a, b) = (cube(0.0, 1.0), cuboid([1.0, 0.25, 0.25], [2.0, 0.5, 0.5]));
    for found in [between(&a, &b), of_one(&a.with(&b))] {
        assert!(!found.is_empty() && found.iter().all(|of| of.depth == Some(0.0)), "{found:?}");
    }
}
