//! Rays: against a reference in whole numbers, against brute force, and that none slips through a closed surface.

use crate::support::errors::chain;
use crate::support::shapes::{Shape, bumpy, cells, cube, sphere, torus};
use crumple::narrow::wide_tree::{Lanes, WideTreeOptions};
use crumple::{Body, FrameHit, Mesh, QueryError, Ray, RayHit, Scene};
use crumple_methods::Method;
use crumple_scenes::Random;

type Whole = [i128; 3];

fn minus(p: Whole, q: Whole) -> Whole {
    std::array::from_fn(|axis| p[axis] - q[axis])
}

fn dot(p: Whole, q: Whole) -> i128 {
    p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
}

fn cross(p: Whole, q: Whole) -> Whole {
    [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
}

/// Where a line meets a closed triangle, as fractions: the plane by Cramer's rule; what lies in one plane with the line,
/// edge by edge.
fn places(origin: Whole, d: Whole, [a, b, c]: [Whole; 3]) -> Vec<(i128, i128)> {
    let (ab, ac, s) = (minus(b, a), minus(c, a), minus(origin, a));
    let slope = dot(ab, cross(d, ac));
    if slope != 0 {
        let (u, v) = (dot(s, cross(d, ac)), dot(d, cross(s, ab)));
        let (u, v, slope_size) = (u * slope.signum(), v * slope.signum(), slope.abs());
        let is_inside = u >= 0 && v >= 0 && u + v <= slope_size;
        return if is_inside { vec![(dot(ac, cross(s, ab)), slope)] } else { Vec::new() };
    }
    let mut found = Vec::new();
    for (p, q) in [(a, b), (b, c), (c, a)] {
        let (edge, to) = (minus(q, p), minus(p, origin));
        let across = cross(d, edge);
        let size = dot(across, across);
        if size == 0 {
            // Parallel, or no edge at all.
            if cross(to, d) == [0; 3] {
                found.extend([(dot(to, d), dot(d, d)), (dot(minus(q, origin), d), dot(d, d))]);
            }
        } else if dot(to, across) == 0 {
            let along = dot(cross(to, d), across);
            if (0..=size).contains(&along) {
                found.push((dot(cross(to, edge), across), size));
            }
        }
    }
    found
}

/// The first place on the ray.
fn reference(origin: Whole, d: Whole, triangle: [Whole; 3]) -> Option<f64> {
    let places = places(origin, d, triangle);
    let is_at_or_after = places.iter().any(|&(t, per)| t == 0 || t.signum() == per.signum());
    let is_at_or_before = places.iter().any(|&(t, per)| t == 0 || t.signum() != per.signum());
    match (is_at_or_before, is_at_or_after) {
        (_, false) => None,
        (true, true) => Some(0.0),
        (false, true) => Some(places.iter().map(|&(t, per)| t as f64 / per as f64).fold(f64::MAX, f64::min)),
    }
}

fn one_triangle(corners: [[f32; 3]; 3]) -> Body {
    Body::new(Mesh::new(3, vec![[0, 1, 2]]).unwrap(), &corners).unwrap()
}

#[test]
fn on_whole_numbers_every_ray_is_decided_exactly() {
    let mut random = Random::new(16);
    let (mut hits, mut at_once, mut edge_on) = (0, 0, 0);
    for size in [1, 2, 5, 1000] {
        for _ in 0..6_000 {
            let mut point = || -> Whole { std::array::from_fn(|_| i128::from(random.integer(-size, size))) };
            let (origin, d, triangle) = (point(), point(), [point(), point(), point()]);
            if d == [0; 3] {
                continue;
            }
            let small = |p: Whole| p.map(|x| x as f32);
            let found =
                crumple::cast_ray(&one_triangle(triangle.map(small)), &Ray::new(small(origin), small(d))).unwrap();
            let expected = reference(origin, d, triangle);
            assert_eq!(found.is_some(), expected.is_some(), "{origin:?} {d:?} {triangle:?}");
            if let (Some(hit), Some(t)) = (found, expected) {
                assert!((hit.t - t).abs() <= 1e-14 * t, "{hit:?} {t}");
                let corners = triangle.map(|p| p.map(|x| x as f64));
                for axis in 0..3 {
                    let there: f64 = (0..3).map(|k| hit.barycentric[k] * corners[k][axis]).sum();
                    let along = origin[axis] as f64 + hit.t * d[axis] as f64;
                    assert!((there - along).abs() <= 1e-12 * size as f64, "{origin:?} {d:?} {triangle:?} {hit:?}");
                }
                hits += 1;
                at_once += usize::from(t == 0.0);
                let [a, b, c] = triangle;
                edge_on += usize::from(dot(d, cross(minus(b, a), minus(c, a))) == 0);
            }
        }
    }
    assert!(hits > 1500 && at_once > 200 && edge_on > 100, "{hits} {at_once} {edge_on}");
}

/// The first hit by asking every triangle by itself: the same bits are expected.
fn brute_force(body: &Body, ray: &Ray) -> Option<(f64, u32)> {
    let each = body.mesh().live_triangles().filter_map(|(triangle, _)| {
        let alone = one_triangle(body.triangle(triangle).unwrap().0);
        crumple::cast_ray(&alone, ray).unwrap().map(|hit| (hit.t, triangle.0))
    });
    each.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))
}

/// Rays from everywhere: at random, along axes, and at vertices and middles of edges.
fn rays_around(body: &Body, count: usize, seed: u64) -> Vec<Ray> {
    let mut random = Random::new(seed);
    let (min, max) = (body.bounds().min(), body.bounds().max());
    let (positions, triangles) = (body.positions(), body.mesh().indices());
    let mut rays = Vec::new();
    for i in 0..count {
        let mut around = || -> [f32; 3] {
            std::array::from_fn(|axis| {
                let (low, high) = (f64::from(min[axis]), f64::from(max[axis]));
                random.between(low - 0.3 * (high - low), high + 0.3 * (high - low)) as f32
            })
        };
        let (origin, other) = (around(), around());
        let triangle = triangles[random.below(triangles.len() as u64) as usize].map(|v| positions[v as usize]);
        let towards = |p: [f32; 3]| std::array::from_fn(|axis| p[axis] - origin[axis]);
        rays.push(match i % 6 {
            0 | 1 => Ray::new(origin, towards(other)),
            2 => Ray::new(origin, towards(triangle[0])),
            3 => Ray::new(origin, towards(std::array::from_fn(|k| 0.5 * (triangle[0][k] + triangle[1][k])))),
            // From a corner, and along an axis.
            4 => Ray::new(triangle[0], towards(triangle[1])),
            _ => {
                let mut direction = [0.0; 3];
                direction[i / 6 % 3] = if i % 12 < 6 { 1.0 } else { -1.0e-3 };
                Ray::new([triangle[0][0], origin[1], triangle[1][2]], direction)
            }
        });
    }
    rays.into_iter().filter(|ray| ray.direction != [0.0; 3]).collect()
}

fn shapes() -> Vec<Shape> {
    let slivers = Shape {
        positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0e-6, 0.0], [0.5, 0.5, 0.5], [0.25, 0.0, 0.0]],
        triangles: vec![[0, 1, 2], [0, 1, 4], [3, 3, 3], [3, 3, 2], [0, 2, 3]],
    };
    vec![
        bumpy(2),
        torus(16, 8, 0.3),
        cube(-1.0, 1.0),
        cells(&[[0, 0, 0], [1, 0, 0], [1, 1, 0], [3, 3, 3]]),
        sphere(2, [1000.0, -2000.0, 500.0], 1.0),
        sphere(2, [0.0; 3], 1.0e-30),
        sphere(2, [0.0; 3], 1.0e30),
        sphere(2, [0.0; 3], 1.0).moved(|[x, y, z]| [x, y * 1.0e-6, z]),
        slivers,
    ]
}

#[test]
fn the_first_hit_is_that_of_brute_force() {
    for (number, shape) in shapes().iter().enumerate() {
        let body = shape.body();
        let rays = rays_around(&body, 180, number as u64);
        let found = crumple::cast_rays(&body, &rays).unwrap();
        for (ray, hit) in rays.iter().zip(&found) {
            assert_eq!(hit.map(|hit| (hit.t, hit.triangle.0)), brute_force(&body, ray), "shape {number}: {ray:?}");
        }
        assert!(found.iter().flatten().count() > 25, "shape {number}");
    }
}

#[test]
fn no_ray_leaves_a_closed_body_unseen() {
    // Coordinates in sixteenths, so that directions to vertices and middles of edges are exact.
    let shape = bumpy(3).moved(|p| p.map(|x| (x * 64.0).round() / 16.0));
    let body = shape.body();
    let mut random = Random::new(3);
    let mut rays = Vec::new();
    while rays.len() < 6000 {
        let origin: [f32; 3] = std::array::from_fn(|_| random.integer(-24, 24) as f32 / 16.0);
        if shape.winding_number(origin).abs() < 0.5 {
            continue;
        }
        for _ in 0..40 {
            let [a, b, _] = shape.triangles[random.below(shape.triangles.len() as u64) as usize];
            let (a, b) = (shape.positions[a as usize], shape.positions[b as usize]);
            rays.push(Ray::new(origin, std::array::from_fn(|k| a[k] - origin[k])));
            rays.push(Ray::new(origin, std::array::from_fn(|k| a[k] + b[k] - 2.0 * origin[k])));
        }
    }
    rays.retain(|ray| ray.direction != [0.0; 3]);
    let hits = crumple::cast_rays(&body, &rays).unwrap();
    for (ray, hit) in rays.iter().zip(hits) {
        let hit = hit.unwrap_or_else(|| panic!("{ray:?} slipped through"));
        assert!(hit.t <= 1.0 + 1e-12, "{ray:?} was aimed at the surface at 1 at the latest, but {hit:?}");
    }
}

#[test]
fn a_hit_names_triangle_place_and_normal() {
    let body = cube(0.0, 2.0).body();
    let hit = crumple::cast_ray(&body, &Ray::new([0.5, 0.75, 5.0], [0.0, 0.0, -2.0])).unwrap().unwrap();
    assert_eq!((hit.t, hit.normal), (1.5, [0.0, 0.0, 1.0]));
    let from_inside = crumple::cast_ray(&body, &Ray::new([0.5, 0.75, 1.0], [0.0, -1.0, 0.0])).unwrap().unwrap();
    assert_eq!((from_inside.t, from_inside.normal), (0.75, [0.0, -1.0, 0.0]));
    // Through the diagonal of the top, which two triangles share, and along its edge.
    let of_two = crumple::cast_ray(&body, &Ray::new([1.0, 1.0, 5.0], [0.0, 0.0, -1.0])).unwrap().unwrap();
    assert_eq!(Some((of_two.t, of_two.triangle.0)), brute_force(&body, &Ray::new([1.0, 1.0, 5.0], [0.0, 0.0, -1.0])));
    let along = crumple::cast_ray(&body, &Ray::new([-1.0, 2.0, 2.0], [1.0, 0.0, 0.0])).unwrap().unwrap();
    assert_eq!(along.t, 1.0);
}

/// All hits in a scene of several bodies that move.
fn play(lanes: Lanes, threads: usize) -> Vec<Vec<Option<FrameHit>>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let rest = [bumpy(3), torus(20, 10, 0.3).translated([0.5, 0.0, 1.0]), cube(2.0, 3.0), cube(2.0, 3.0)];
        let mut scene = Method::WideTree(WideTreeOptions::default().with_lanes(lanes)).scene();
        let ids: Vec<_> = rest.iter().map(|shape| scene.add(shape.body())).collect();
        let mut answers = Vec::new();
        for frame in 0..7 {
            let phase = if frame < 3 { 0.01 * frame as f32 } else { 2.0 * frame as f32 };
            for (&id, shape) in ids[..2].iter().zip(&rest) {
                let moved = shape.moved(|[x, y, z]| [x + phase.sin(), y * (1.0 + 0.2 * (3.0 * x + phase).cos()), z]);
                scene.set_positions(id, &moved.positions).unwrap();
            }
            let now = scene.update().unwrap();
            let all = rest.iter().skip(1).fold(rest[0].clone(), |all, shape| all.with(shape)).body();
            let rays = rays_around(&all, if frame == 4 { 17_000 } else { 90 }, frame as u64);
            let few = &rays[..60];
            let one_by_one: Vec<_> = few.iter().map(|ray| now.cast_ray(ray).unwrap()).collect();
            let mut many = Vec::new();
            now.cast_rays(&rays, &mut many).unwrap();
            assert_eq!(one_by_one, many[..60], "frame {frame}");
            // The first over all bodies is the first of the first hits of each.
            let mut of_each: Vec<Vec<Option<RayHit>>> = vec![Vec::new(); ids.len()];
            for (&id, hits) in ids.iter().zip(&mut of_each) {
                now.cast_rays_at(id, &rays, hits).unwrap();
                assert_eq!(now.cast_ray_at(id, &rays[7]).unwrap(), hits[7]);
            }
            for (at, hit) in many.iter().enumerate() {
                let each = ids.iter().zip(&of_each).filter_map(|(&id, hits)| Some((id, hits[at]?)));
                let first = each.min_by(|a, b| a.1.t.total_cmp(&b.1.t).then(a.0.cmp(&b.0)));
                assert_eq!(hit.map(|hit| (hit.body, hit.hit)), first);
            }
            for (ray, hit) in few.iter().zip(&of_each[0]) {
                let body = now.body(ids[0]).unwrap();
                if frame % 3 == 0 {
                    assert_eq!(hit.map(|hit| (hit.t, hit.triangle.0)), brute_force(body, ray));
                }
            }
            answers.push(many);
        }
        assert!(answers.iter().flatten().flatten().any(|hit| hit.body == ids[1]));
        assert!(answers.iter().flatten().flatten().all(|hit| hit.body != ids[3]), "its twin has the smaller id");
        answers
    })
}

#[test]
fn answers_do_not_depend_on_threads_or_instructions() {
    let comparable = |answers: Vec<Vec<Option<FrameHit>>>| -> Vec<Vec<Option<(usize, RayHit)>>> {
        let plain = |hit: FrameHit| (hit.body.index(), hit.hit);
        answers.into_iter().map(|frame| frame.into_iter().map(|hit| hit.map(plain)).collect()).collect()
    };
    let expected = comparable(play(Lanes::Best, 1));
    for (lanes, threads) in [(Lanes::Best, 2), (Lanes::Best, 7), (Lanes::Baseline, 1), (Lanes::Baseline, 2)] {
        assert!(comparable(play(lanes, threads)) == expected, "{lanes:?} on {threads} threads");
    }
}

#[test]
fn what_cannot_be_cast_is_refused_by_name() {
    let body = cube(0.0, 1.0).body();
    assert_eq!(
        crumple::cast_rays(&body, &[Ray::new([0.0; 3], [1.0; 3]), Ray::default()]),
        Err(QueryError::NoDirection { index: 1 })
    );
    let mut scene = Scene::new();
    let empty = scene.add(Body::new(Mesh::new(0, Vec::new()).unwrap(), &[[0.0f32; 3]; 0]).unwrap());
    let frame = scene.update().unwrap();
    assert_eq!(frame.cast_ray(&Ray::new([0.0; 3], [1.0; 3])).unwrap(), None);
    assert_eq!(frame.cast_ray_at(empty, &Ray::new([0.0; 3], [1.0; 3])).unwrap(), None);
    assert_eq!(
        chain(&frame.cast_ray(&Ray::new([0.0; 3], [0.0, f32::NAN, 0.0])).unwrap_err()),
        "the rays cannot be cast: ray 0 starts at [0.0, 0.0, 0.0] in the direction [0.0, NaN, 0.0]: not finite"
    );
    assert_eq!(
        chain(&frame.cast_ray(&Ray::new([0.0; 3], [0.0; 3])).unwrap_err()),
        "the rays cannot be cast: ray 0 has the direction [0, 0, 0]: give it one that is not zero"
    );
}
