//! Depths of vertices against closed forms and brute force, and translations that part bodies.

use std::array::from_fn;

use crumple::distance::vertex_face_distance;
use crumple::{Body, Scene, SceneError, Separation, VertexDepth, separation};

use crate::support::shapes::{Shape, bumpy, cube, cuboid, sphere, torus};

fn depths(a: &Shape, b: &Shape) -> Result<Vec<VertexDepth>, SceneError> {
    let mut scene = Scene::new();
    let (a, b) = (scene.add(a.body()), scene.add(b.body()));
    let mut found = vec![VertexDepth::default()];
    scene.update()?.depths(a, b, &mut found)?;
    Ok(found)
}

/// Every vertex inside by its winding number, and as deep as the nearest of all triangles.
fn by_brute_force(a: &Shape, b: &Shape) -> Vec<(u32, f64)> {
    let inside = |&(_, p): &(u32, [f32; 3])| b.winding_number(p).abs() > 0.5;
    let depth = |p: [f32; 3]| {
        let distance = |triangle: &[u32; 3]| {
            let [q, r, s] = triangle.map(|vertex| b.positions[vertex as usize].map(f64::from));
            vertex_face_distance(&[p.map(f64::from), q, r, s]).squared.sqrt()
        };
        b.triangles.iter().map(distance).fold(f64::MAX, f64::min)
    };
    let vertices = (0..).zip(a.positions.iter().copied());
    vertices.filter(inside).map(|(vertex, p)| (vertex, depth(p))).collect()
}

#[test]
fn the_vertices_inside_are_as_deep_as_brute_force_says() {
    let cloth = {
        let mut sheet = Shape { positions: Vec::new(), triangles: Vec::new() };
        for k in 0..100u32 {
            sheet.positions.push([(k % 10) as f32 * 0.31 - 1.4, 0.013 * k as f32 - 0.6, (k / 10) as f32 * 0.29 - 1.3]);
            if k % 10 < 9 && k < 90 {
                sheet.triangles.extend([[k, k + 1, k + 10], [k + 1, k + 11, k + 10]]);
            }
        }
        sheet
    };
    let bodies = [bumpy(3), sphere(3, [0.7, 0.1, 0.2], 1.0), torus(24, 12, 0.3), cube(-0.5, 0.9)];
    let mut count = 0;
    for b in &bodies {
        for a in bodies.iter().chain([&cloth]) {
            let (found, expected) = (depths(a, b).unwrap(), by_brute_force(a, b));
            if std::ptr::eq(a, b) {
                // Every vertex lies on the surface, where a winding number is of no use.
                assert!(found.len() == a.positions.len() && found.iter().all(|of| of.depth == 0.0));
                continue;
            }
            assert_eq!(
                found.iter().map(|of| of.vertex.0).collect::<Vec<_>>(),
                expected.iter().map(|of| of.0).collect::<Vec<_>>()
            );
            for (of, (vertex, depth)) in found.iter().zip(expected) {
                assert!((of.depth - depth).abs() < 1e-12, "vertex {vertex}: {} and {depth}", of.depth);
                let at = a.positions[vertex as usize];
                let out: [f64; 3] = from_fn(|k| f64::from(at[k]) + of.depth * of.normal[k]);
                assert!((0..3).all(|k| (out[k] - of.point[k]).abs() < 1e-12));
                let corners = b.triangles[of.triangle.index()].map(|corner| b.positions[corner as usize]);
                let weighted = |k: usize| (0..3).map(|i| of.barycentric[i] * f64::from(corners[i][k])).sum::<f64>();
                assert!((0..3).all(|k| (weighted(k) - of.point[k]).abs() < 1e-6));
                count += 1;
            }
        }
    }
    assert!(count > 500, "{count}");
}

#[test]
fn vertices_in_a_box_are_as_deep_as_the_nearest_side() {
    let found = depths(&sphere(4, [1.7, 1.0, 1.0], 0.6), &cube(0.0, 2.0)).unwrap();
    let vertices = sphere(4, [1.7, 1.0, 1.0], 0.6).positions;
    assert!(found.len() > 1_000 && found.len() < vertices.len());
    for of in found {
        let p = vertices[of.vertex.index()].map(f64::from);
        let sides = p.iter().flat_map(|&x| [x, 2.0 - x]).fold(f64::MAX, f64::min);
        assert!((of.depth - sides).abs() < 1e-14);
    }
}

#[test]
fn depths_in_an_open_body_are_refused() {
    let mut open = cube(0.0, 2.0);
    open.triangles.pop();
    assert!(matches!(depths(&cube(0.5, 1.0), &open), Err(SceneError::ClosestPoint { .. })));
    assert!(depths(&open, &cube(0.5, 1.0)).unwrap().is_empty());
}

fn deepest(a: &Shape, b: &Shape) -> Option<f64> {
    let mut scene = Scene::new();
    let (a, b) = (scene.add(a.body()), scene.add(b.body()));
    let frame = scene.update().unwrap();
    let found = frame.deepest(a, b).unwrap();
    assert_eq!(frame.deepest(b, a).unwrap(), found);
    assert!(matches!(frame.deepest(a, a), Err(SceneError::DepthInItself { .. })));
    assert!(matches!(frame.separation(a, a), Err(SceneError::DepthInItself { .. })));
    found
}

#[test]
fn two_bodies_are_as_deep_in_each_other_as_the_deepest_vertex_of_either() {
    // Vertices of the small cube are inside the large one, and not the other way round.
    let (large, small) = (cube(0.0, 2.0), cuboid([1.75, 0.5, 0.5], [2.5, 1.0, 1.0]));
    assert_eq!(deepest(&large, &small), Some(0.25));
    // Both ways: the deeper one counts.
    let (a, b) = (bumpy(3), sphere(3, [1.1, 0.1, 0.2], 0.8));
    let most = |found: Vec<(u32, f64)>| found.iter().map(|of| of.1).fold(0.0, f64::max);
    let expected = most(by_brute_force(&a, &b)).max(most(by_brute_force(&b, &a)));
    assert!((deepest(&a, &b).unwrap() - expected).abs() < 1e-12 && expected > 0.1);
    // Apart, and crossing without a vertex inside.
    assert_eq!(deepest(&large, &cube(3.0, 4.0)), Some(0.0));
    assert_eq!(deepest(&large, &cuboid([-1.0, 0.5, 0.5], [3.0, 1.0, 1.0])), Some(0.0));
}

#[test]
fn of_an_open_body_only_the_vertices_are_deep_and_two_open_ones_have_no_depth() {
    let mut open = cube(0.5, 1.75);
    open.triangles.truncate(6);
    assert_eq!(deepest(&open, &cube(0.0, 2.0)), Some(0.5));
    // Vertices of the cube are inside what the open body would enclose, but nothing is inside an open body.
    assert_eq!(deepest(&open, &cube(0.75, 1.0)), Some(0.0));
    let mut other = cube(0.0, 1.0);
    other.triangles.pop();
    assert_eq!(deepest(&open, &other), None);
}

/// Whether two bodies share a point or a vertex of one is inside the other.
fn meet(a: &Shape, b: &Shape) -> bool {
    let inside = |a: &Shape, b: &Shape| a.positions.iter().any(|&p| b.winding_number(p).abs() > 0.5);
    !crumple::pairs(&a.body(), &b.body()).is_empty() || inside(a, b) || inside(b, a)
}

/// Checks that a translation parts two bodies, and that a bit less of it does not.
fn check(a: &Shape, b: &Shape, found: &Separation) {
    let moved = |by: f64| a.translated(found.direction.map(|x| (x * by) as f32));
    assert!(!meet(&moved(found.depth + 1e-5), b), "{found:?} does not part them");
    assert!(meet(&moved(found.depth * 0.999 - 1e-5), b), "{found:?} is too much");
}

fn parted(a: &Shape, b: &Shape) -> Separation {
    let [body_a, body_b] = [a, b].map(Shape::body);
    let found = separation(&body_a, &body_b).expect("they overlap");
    check(a, b, &found);
    let mirrored = separation(&body_b, &body_a).expect("they overlap");
    assert!((found.depth - mirrored.depth).abs() < 1e-4, "{found:?} and {mirrored:?}");
    found
}

#[test]
fn two_spheres_are_parted_along_the_line_of_their_centres() {
    // Off the axes, along which it takes 0.165. True spheres are 0.1 deep in each other; those of triangles less, by the
    // distance from the sphere of the triangle nearest to the centre, twice.
    let unit = sphere(4, [0.0; 3], 1.0);
    let to_plane = |triangle: &[u32; 3]| {
        let [p, q, r] = triangle.map(|vertex| unit.positions[vertex as usize].map(f64::from));
        let (u, v): ([f64; 3], [f64; 3]) = (from_fn(|k| q[k] - p[k]), from_fn(|k| r[k] - p[k]));
        let n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        dot(n, p) / dot(n, n).sqrt()
    };
    let missing = 2.0 * (1.0 - unit.triangles.iter().map(to_plane).fold(1.0, f64::min));
    assert!(missing < 0.0025);
    for direction in [[1.0f32, 1.0, 1.0], [0.3, -0.8, 0.5], [1.0, 0.0, 0.0]] {
        let length = direction.iter().map(|x| x * x).sum::<f32>().sqrt();
        let centre = direction.map(|x| 1.9 * x / length);
        let found = parted(&unit, &sphere(4, centre, 1.0));
        assert!(0.1 - missing - 1e-6 < found.depth && found.depth < 0.1 + 1e-6, "{found:?}");
    }
}

#[test]
fn boxes_are_parted_along_the_shortest_side() {
    let a = cube(0.0, 2.0);
    for (low, high, expected) in [
        ([1.5, 0.3, 0.4], [3.0, 1.0, 1.0], 0.5),
        ([1.0, 1.25, 1.5], [4.0, 4.0, 4.0], 0.5),
        ([0.5, 0.5, 0.75], [1.0, 1.0, 1.0], 1.0),   // wholly inside
        ([-1.0, -1.0, 0.25], [3.0, 3.0, 0.5], 0.5), // right through
        ([2.0, 0.0, 0.0], [3.0, 1.0, 1.0], 0.0),    // touching
    ] {
        let found = separation(&a.body(), &cuboid(low, high).body()).expect("they share a point");
        assert!((found.depth - expected).abs() < 1e-5, "{found:?}, not {expected}");
    }
    assert_eq!(separation(&a.body(), &cube(2.5, 3.0).body()), None);
}

#[test]
fn no_direction_of_many_parts_convex_bodies_sooner() {
    // For convex bodies the way out along a direction is how far their shadows on it overlap.
    let way_out = |a: &Body, b: &Body, direction: [f64; 3]| {
        let along = |p: &[f32; 3]| (0..3).map(|k| f64::from(p[k]) * direction[k]).sum::<f64>();
        let lowest = a.positions().iter().map(along).fold(f64::MAX, f64::min);
        b.positions().iter().map(along).fold(f64::MIN, f64::max) - lowest
    };
    let egg = |by: [f32; 3], at: [f32; 3]| sphere(3, [0.0; 3], 1.0).moved(|p| from_fn(|k| p[k] * by[k] + at[k]));
    let pairs = [
        (egg([1.0, 0.6, 0.8], [0.0; 3]), egg([0.5, 1.2, 0.7], [0.9, 0.8, 0.3])),
        (egg([1.0, 0.3, 1.0], [0.0; 3]), egg([0.4, 0.4, 0.9], [0.2, 0.5, -0.3])),
        (
            cube(-1.0, 1.0).moved(|[x, y, z]| [0.8 * x - 0.6 * y, 0.6 * x + 0.8 * y, z]),
            egg([0.7, 0.7, 0.7], [1.2, 0.9, 0.2]),
        ),
    ];
    for (a, b) in &pairs {
        let found = parted(a, b);
        let [a, b] = [a.body(), b.body()];
        // `parted` has shown that it is enough; of a spiral of directions none is shorter.
        for k in 0..20_000 {
            let z = 1.0 - (2.0 * f64::from(k) + 1.0) / 20_000.0;
            let (r, turn) = ((1.0 - z * z).sqrt(), 2.399_963_229_728_653 * f64::from(k));
            let way = way_out(&a, &b, [r * turn.cos(), r * turn.sin(), z]);
            assert!(way > found.depth - 1e-4, "{way} is shorter than {found:?}");
        }
    }
}

#[test]
fn bodies_that_are_not_convex_are_parted_and_open_ones_too() {
    parted(&bumpy(3), &bumpy(3).translated([1.6, 0.4, 0.2]));
    parted(&torus(24, 12, 0.3), &sphere(3, [0.9, 0.0, 0.2], 0.3));
    let (mut open, solid) = (sphere(3, [0.2, 1.2, 0.0], 0.5), cube(-1.0, 1.0));
    open.triangles.truncate(900);
    let found = separation(&open.body(), &solid.body()).expect("they meet");
    let outside = open.translated(found.direction.map(|x| (x * (found.depth + 1e-5)) as f32));
    assert!(found.depth > 0.1 && crumple::pairs(&outside.body(), &solid.body()).is_empty());
}

/// A flat square in a plane through the origin, of twice `cells` squared triangles.
fn sheet(cells: u32, [u, v]: [[f32; 3]; 2]) -> Shape {
    let at = |i: u32, j: u32| -> [f32; 3] {
        let [s, t] = [i, j].map(|k| k as f32 / cells as f32 - 0.5);
        from_fn(|k| s * u[k] + t * v[k])
    };
    let count = cells + 1;
    let positions = (0..count * count).map(|k| at(k % count, k / count)).collect();
    let quads = (0..cells * cells).map(|k| k % cells + k / cells * count);
    let triangles = quads.flat_map(|k| [[k, k + 1, k + count], [k + 1, k + count + 1, k + count]]).collect();
    Shape { positions, triangles }
}

/// These took 35 and 87 seconds.
#[test]
fn bodies_without_depth_are_parted_by_nothing() {
    let point = sphere(1, [0.5; 3], 1.0).moved(|_| [0.25; 3]);
    assert_eq!(separation(&point.body(), &point.body()).expect("they share a point").depth, 0.0);
    let flat = sheet(39, [[2.0, 0.0, 0.0], [0.0, 2.0, 0.0]]);
    assert_eq!(flat.triangles.len(), 3042);
    assert_eq!(
        separation(&flat.body(), &flat.translated([0.01, 0.02, 0.0]).body()).expect("they share a plane").depth,
        0.0
    );
    // Not across an axis, and coordinates are rounded: what is left is that.
    let slanted = sheet(8, [[2.0, 0.0, 1.0], [0.0, 2.0, 0.5]]);
    let found = separation(&slanted.body(), &slanted.body()).expect("they share a plane");
    assert!(found.depth < 1e-5, "{found:?}");
    // A point in a body is parted as any other body is.
    let found = separation(&point.body(), &cube(0.0, 1.0).body()).expect("it is inside");
    assert!((found.depth - 0.25).abs() < 1e-5, "{found:?}");
}

/// There was no answer, since a body that is moved out leaves the range of f32.
#[test]
fn bodies_as_large_as_numbers_go_are_parted_as_others_are() {
    let (large, unit) = (3e38f32, sphere(2, [0.0; 3], 1.0));
    for at in [[0.0; 3], [0.5, 0.25, 0.0]] {
        let (a, b) = (&unit, sphere(2, at.map(|x: f32| x * 0.1), 0.9));
        let expected = separation(&a.body(), &b.body()).expect("they overlap").depth;
        let scaled = |shape: &Shape| shape.moved(|p| p.map(|x| x * large)).body();
        let found = separation(&scaled(a), &scaled(&b)).expect("they overlap").depth;
        assert!((found / f64::from(large) / expected - 1.0).abs() < 1e-4, "{found} and {expected}");
    }
    let body = unit.moved(|p| p.map(|x| x * large)).body();
    let found = separation(&body, &body).expect("they coincide").depth / f64::from(large);
    let expected = separation(&unit.body(), &unit.body()).expect("they coincide").depth;
    assert!((found / expected - 1.0).abs() < 1e-4, "{found} and {expected}");
}
