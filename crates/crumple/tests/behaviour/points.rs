//! Closest points: against brute force in f64, with and without a sign, one by one and many at once.

use crate::support::errors::chain;
use crate::support::shapes::{Shape, bumpy, cells, cube, sphere, torus};
use crumple::narrow::wide_tree::{Lanes, WideTreeOptions};
use crumple::{Body, ClosestPoint, Mesh, QueryError, Scene, SceneError};
use crumple_methods::Method;
use crumple_scenes::Random;

fn minus(p: [f64; 3], q: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|axis| p[axis] - q[axis])
}

fn dot(p: [f64; 3], q: [f64; 3]) -> f64 {
    p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
}

fn cross(p: [f64; 3], q: [f64; 3]) -> [f64; 3] {
    [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
}

/// The distance of a point from a triangle: its height, if the foot of the perpendicular falls inside, or that of an edge.
fn distance(p: [f64; 3], [a, b, c]: [[f64; 3]; 3]) -> f64 {
    let on_edge = |from: [f64; 3], end: [f64; 3]| {
        let (u, to) = (minus(end, from), minus(p, from));
        let length = dot(u, u);
        let part = if length > 0.0 { (dot(to, u) / length).clamp(0.0, 1.0) } else { 0.0 };
        let away: [f64; 3] = std::array::from_fn(|axis| to[axis] - part * u[axis]);
        dot(away, away).sqrt()
    };
    let edges = on_edge(a, b).min(on_edge(b, c)).min(on_edge(c, a));
    let normal = cross(minus(b, a), minus(c, a));
    let inner = |from: [f64; 3], end: [f64; 3]| dot(cross(normal, minus(end, from)), minus(p, from)) > 0.0;
    if inner(a, b) && inner(b, c) && inner(c, a) {
        return (dot(minus(p, a), normal).abs() / dot(normal, normal).sqrt()).min(edges);
    }
    edges
}

/// The least distance of all triangles.
fn brute_force(body: &Body, point: [f32; 3]) -> f64 {
    let triangles = body.mesh().live_triangles().map(|(triangle, _)| body.triangle(triangle).unwrap());
    triangles
        .map(|triangle| distance(point.map(f64::from), triangle.0.map(|p| p.map(f64::from))))
        .fold(f64::MAX, f64::min)
}

/// That an answer is a point of its triangle, as far away as it says, and that nothing is closer.
fn check(body: &Body, point: [f32; 3], found: &ClosestPoint) {
    let corners = body.triangle(found.triangle).unwrap().0.map(|corner| corner.map(f64::from));
    let size = corners.as_flattened().iter().chain(&point.map(f64::from)).fold(0.0, |most: f64, x| most.max(x.abs()));
    let close = |x: f64, y: f64| (x - y).abs() <= 1e-11 * size;
    for axis in 0..3 {
        let there: f64 = (0..3).map(|k| found.barycentric[k] * corners[k][axis]).sum();
        assert!(close(there, found.point[axis]), "{found:?}");
    }
    assert!((found.barycentric.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    assert!(found.barycentric.iter().all(|&weight| (0.0..=1.0).contains(&weight)), "{found:?}");
    let away = minus(found.point, point.map(f64::from));
    assert!(close(dot(away, away).sqrt(), found.distance.abs()), "{point:?} {found:?}");
    let expected = brute_force(body, point);
    assert!(close(expected, found.distance.abs()), "{point:?}: {expected} and {found:?}");
}

/// Points around and inside a body, on its corners, edges and faces, and far away.
fn points_around(body: &Body, count: usize, seed: u64) -> Vec<[f32; 3]> {
    let mut random = Random::new(seed);
    let (min, max) = (body.bounds().min(), body.bounds().max());
    let positions = body.positions();
    let triangles = body.mesh().indices();
    let mut points = Vec::new();
    for i in 0..count {
        let vertex = |v: u32| positions[v as usize];
        let triangle = triangles[random.below(triangles.len() as u64) as usize];
        let middle = |p: [f32; 3], q: [f32; 3]| std::array::from_fn(|axis| 0.5 * p[axis] + 0.5 * q[axis]);
        points.push(match i % 6 {
            0 | 1 => std::array::from_fn(|axis| {
                let (low, high) = (f64::from(min[axis]), f64::from(max[axis]));
                random.between(low - 0.3 * (high - low), high + 0.3 * (high - low)) as f32
            }),
            2 => vertex(triangle[0]),
            3 => middle(vertex(triangle[0]), vertex(triangle[1])),
            4 => middle(vertex(triangle[0]), middle(vertex(triangle[1]), vertex(triangle[2]))),
            _ => std::array::from_fn(|axis| (random.between(-50.0, 50.0) * f64::from(max[axis] - min[axis])) as f32),
        });
    }
    points
}

fn shapes() -> Vec<Shape> {
    let fins = Shape {
        positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0e-6, 0.0], [0.5, 0.5, 0.5], [0.25, 0.0, 0.0]],
        // A sliver, a segment, a point and a triangle with a repeated vertex.
        triangles: vec![[0, 1, 2], [0, 1, 4], [3, 3, 3], [3, 3, 2], [0, 2, 3]],
    };
    let mut tiny = sphere(2, [0.0; 3], 1.0e-9);
    tiny = tiny.with(&sphere(1, [0.5; 3], 0.25));
    vec![
        bumpy(3),
        torus(24, 12, 0.3),
        cube(-1.0, 1.0),
        cells(&[[0, 0, 0], [1, 0, 0], [1, 1, 0], [3, 3, 3]]),
        sphere(2, [1000.0, -2000.0, 500.0], 1.0),
        sphere(2, [0.0; 3], 1.0e-6),
        sphere(2, [0.0; 3], 1.0e12),
        sphere(2, [0.0; 3], 1.0).moved(|[x, y, z]| [x, y * 1.0e-5, z]),
        fins,
        tiny,
    ]
}

#[test]
fn the_closest_point_is_that_of_brute_force() {
    for (number, shape) in shapes().iter().enumerate() {
        let body = shape.body();
        let points = points_around(&body, 240, number as u64);
        let found = crumple::closest_points(&body, &points).unwrap();
        for (&point, found) in points.iter().zip(&found) {
            check(&body, point, found);
        }
    }
}

#[test]
fn the_smallest_number_wins_where_triangles_tie() {
    // Above the middle of a square of four triangles, and beside an edge of two.
    let square = Shape {
        positions: vec![[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.0, 2.0, 0.0], [0.0, 2.0, 0.0], [1.0, 1.0, 0.0]],
        triangles: vec![[2, 3, 4], [0, 1, 4], [1, 2, 4], [3, 0, 4], [0, 1, 4]],
    };
    let closest = |point| crumple::closest_point(&square.body(), point).unwrap();
    assert_eq!((closest([1.0, 1.0, 3.0]).triangle.0, closest([1.0, 1.0, 3.0]).barycentric), (0, [0.0, 0.0, 1.0]));
    assert_eq!(closest([0.5, 0.5, 3.0]).triangle.0, 1);
    assert_eq!((closest([1.0, 0.5, -1.0]).triangle.0, closest([1.0, 0.5, -1.0]).distance), (1, 1.0));
}

#[test]
fn the_distance_is_zero_exactly_on_the_surface() {
    let body = cube(0.0, 1.0).body();
    for (point, on_surface) in [
        ([0.5, 0.25, 0.0], true),
        ([1.0, 1.0, 1.0], true),
        ([0.3, 0.7, 1.0], true),
        ([0.3, 0.7, 1.0f32.next_up()], false),
        ([0.3, 0.7, 1.0f32.next_down()], false),
        ([f32::from_bits(1), 0.5, 0.5], false),
    ] {
        let found = crumple::signed_closest_points(&body, &[point]).unwrap()[0];
        assert_eq!(found.distance == 0.0, on_surface, "{point:?} {found:?}");
    }
}

#[test]
fn the_sign_is_that_of_the_winding_number() {
    for shape in
        [bumpy(3), torus(24, 12, 0.3), cube(-1.0, 1.0), sphere(2, [0.0; 3], 1.0).with(&cube(-0.25, 0.25).inside_out())]
    {
        let body = shape.body();
        let points: Vec<_> =
            points_around(&body, 900, 5).into_iter().enumerate().filter(|(i, _)| i % 6 < 2).map(|(_, p)| p).collect();
        let plain = crumple::closest_points(&body, &points).unwrap();
        let signed = crumple::signed_closest_points(&body, &points).unwrap();
        let mut inside = 0;
        for ((&point, plain), signed) in points.iter().zip(&plain).zip(&signed) {
            let is_inside = shape.winding_number(point).abs() > 0.5;
            inside += usize::from(is_inside);
            assert_eq!(signed.distance, if is_inside { -plain.distance } else { plain.distance }, "{point:?}");
        }
        assert!(inside > 5 && inside < points.len());
    }
}

/// All answers of a scene whose body moves, frame by frame: many at once and one by one.
fn play(lanes: Lanes, threads: usize) -> Vec<Vec<ClosestPoint>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let rest = bumpy(3);
        let mut scene = Method::WideTree(WideTreeOptions::default().with_lanes(lanes)).scene();
        let id = scene.add(rest.body());
        let mut answers = Vec::new();
        for frame in 0..9 {
            // Slowly at first, then in leaps.
            let phase = if frame < 4 { 0.01 * frame as f32 } else { 2.0 * frame as f32 };
            let moved = rest.moved(|[x, y, z]| [x + phase.sin(), y * (1.0 + 0.2 * (3.0 * x + phase).cos()), z]);
            scene.set_positions(id, &moved.positions).unwrap();
            let frame_now = scene.update().unwrap();
            let body = frame_now.body(id).unwrap();
            let points = points_around(body, if frame == 5 { 17_000 } else { 60 }, frame as u64);
            let few = &points[..60];
            let one_by_one: Vec<_> = few.iter().map(|&p| frame_now.closest_point(id, p).unwrap()).collect();
            let mut many = Vec::new();
            frame_now.signed_closest_points(id, &points, &mut many).unwrap();
            let again: Vec<_> = few.iter().map(|&p| frame_now.signed_closest_point(id, p).unwrap()).collect();
            assert_eq!(again, many[..60], "frame {frame}");
            for (plain, signed) in one_by_one.iter().zip(&many) {
                assert_eq!((plain.point, plain.distance), (signed.point, signed.distance.abs()));
            }
            one_by_one.iter().zip(few).for_each(|(found, &point)| check(body, point, found));
            answers.push(many);
        }
        answers
    })
}

#[test]
fn answers_do_not_depend_on_threads_or_instructions() {
    let expected = play(Lanes::Best, 1);
    for (lanes, threads) in [(Lanes::Best, 2), (Lanes::Best, 7), (Lanes::Baseline, 1), (Lanes::Baseline, 2)] {
        assert!(play(lanes, threads) == expected, "{lanes:?} on {threads} threads");
    }
}

#[test]
fn what_cannot_be_answered_is_refused_by_name() {
    let mut scene = Scene::new();
    let empty = scene.add(Body::new(Mesh::new(0, Vec::new()).unwrap(), &[[0.0f32; 3]; 0]).unwrap());
    let open = scene.add(Body::new(Mesh::new(3, vec![[0, 1, 2]]).unwrap(), &[[0.0; 3], [1.0; 3], [2.0; 3]]).unwrap());
    let frame = scene.update().unwrap();
    let message = |result: Result<ClosestPoint, SceneError>| chain(&result.unwrap_err());
    assert_eq!(
        message(frame.closest_point(empty, [0.0; 3])),
        "the closest points of body 0 cannot be found: the body has no triangles, so it has no closest point"
    );
    assert_eq!(
        message(frame.closest_point(open, [0.0, f32::NAN, 1.0])),
        "the closest points of body 1 cannot be found: point 0 is at [0.0, NaN, 1.0]: not finite"
    );
    assert_eq!(
        message(frame.signed_closest_point(open, [0.0; 3])),
        "the closest points of body 1 cannot be found: the body is open: 3 edges belong to an odd number of triangles, the \
         first from vertex 0 to vertex 1 (triangle 0); close it, or ask for the distance without a sign"
    );
    assert!(frame.closest_point(open, [0.0; 3]).is_ok());
    assert_eq!(
        crumple::closest_points(&cube(0.0, 1.0).body(), &[[0.0; 3], [f32::INFINITY, 0.0, 0.0]]),
        Err(QueryError::PointNotFinite { index: 1, point: [f64::INFINITY, 0.0, 0.0] })
    );
    let mut found = vec![ClosestPoint::default(); 3];
    frame.closest_points(open, &[[0.0f32; 3]; 0], &mut found).unwrap();
    assert!(found.is_empty());
    scene.remove(open).unwrap();
    let frame = scene.update().unwrap();
    assert!(matches!(frame.closest_point(open, [0.0; 3]), Err(SceneError::UnknownBody { .. })));
}

#[test]
fn a_body_that_changes_its_triangles_is_answered_anew() {
    use crumple::{Edit, TriangleId};
    let mut scene = Scene::new();
    let id = scene.add(cube(0.0, 1.0).body());
    let above = [0.25, 0.5, 3.0];
    assert_eq!(scene.update().unwrap().closest_point(id, above).unwrap().distance, 2.0);
    let top: Vec<TriangleId> = scene
        .body(id)
        .unwrap()
        .mesh()
        .live_triangles()
        .filter(|&(t, _)| scene.body(id).unwrap().triangle(t).unwrap().0.iter().all(|corner| corner[2] == 1.0))
        .map(|(t, _)| t)
        .collect();
    scene.edit(id, &Edit { remove: top, ..Edit::default() }).unwrap();
    let distance = scene.update().unwrap().closest_point(id, above).unwrap().distance;
    assert!((distance - 2.0f64.hypot(0.25)).abs() < 1e-12, "{distance}");
}
