//! What holds for every body of every published scene.

use crate::surface::{closed_outward, signed_volume};
use crumple_scenes::{
    Crowd, Model, Placement, Random, Scene, SceneError, Solid, bumpy_spheres, bumpy_spheres_in, bumpy_spheres_of_parts,
    catalogue, crowd_apart, dense_crowd, heap, inside_out, patches, points_in_box, rolling_cloth, scattered_sheet,
    small, smooth_body, smooth_body_of_parts, sphere, sphere_of_parts, torus_knot, twisted_bars,
};

/// The published scenes and the small ones, one after another: together they would fill the memory for nothing.
fn each_scene(mut check: impl FnMut(&Scene)) {
    for entry in catalogue() {
        check(&entry.scene());
    }
    for scene in small() {
        check(&scene);
    }
}

/// The first, some middle and the last frames, each with the one after it.
fn some_frames(scene: &Scene) -> Vec<usize> {
    let last = scene.frame_count() - 1;
    let mut frames: Vec<usize> = [0, 1, last / 2, last / 2 + 1, last.saturating_sub(1), last]
        .into_iter()
        .filter(|&frame| frame <= last)
        .collect();
    frames.sort_unstable();
    frames.dedup();
    frames
}

fn longest_side(positions: &[[f32; 3]]) -> f32 {
    (0..3)
        .map(|axis| {
            let side = positions.iter().map(|p| p[axis]);
            side.clone().fold(f32::MIN, f32::max) - side.fold(f32::MAX, f32::min)
        })
        .fold(0.0, f32::max)
}

/// One test for all of them: the scenes take longer to make than to look at.
#[test]
fn every_body_of_every_scene_is_well_formed_and_moves() {
    each_scene(|scene| {
        body_names_are_unique(scene);
        triangles_name_three_different_vertices(scene);
        closed_bodies_are_closed_manifold_and_face_outward(scene);
        let mut before: Option<(usize, Vec<Vec<[f32; 3]>>)> = None;
        for frame in some_frames(scene) {
            let now = scene.frame(frame);
            positions_are_finite_and_of_sensible_size(scene, frame, &now);
            if frame > 0 {
                let last = before.filter(|(number, _)| *number == frame - 1);
                every_vertex_moves(scene, frame, &last.map_or_else(|| scene.frame(frame - 1), |(_, last)| last), &now);
            }
            before = Some((frame, now));
        }
    });
}

fn body_names_are_unique(scene: &Scene) {
    let mut names: Vec<&str> = scene.bodies().iter().map(|body| body.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), scene.bodies().len(), "{}", scene.name());
}

fn triangles_name_three_different_vertices(scene: &Scene) {
    for body in scene.bodies() {
        for &[a, b, c] in body.triangles() {
            assert!(a != b && b != c && c != a, "{} of {}", body.name(), scene.name());
            assert!(a.max(b).max(c) < body.vertex_count() as u32);
        }
    }
}

fn closed_bodies_are_closed_manifold_and_face_outward(scene: &Scene) {
    let mut seen: Vec<&[[u32; 3]]> = Vec::new();
    for body in scene.bodies().iter().filter(|body| body.is_closed()) {
        let positions = body.positions_at(0);
        assert!(signed_volume(body.triangles(), &positions) > 0.0, "{} of {}", body.name(), scene.name());
        // Most bodies of a scene share their triangles: the edges of each list need one look.
        if !seen.contains(&body.triangles()) {
            closed_outward(body.triangles(), &positions)
                .unwrap_or_else(|problem| panic!("{} of {}: {problem}", body.name(), scene.name()));
            seen.push(body.triangles());
        }
    }
}

fn positions_are_finite_and_of_sensible_size(scene: &Scene, frame: usize, now: &[Vec<[f32; 3]>]) {
    assert_eq!(now.len(), scene.bodies().len());
    for (body, positions) in scene.bodies().iter().zip(now) {
        assert_eq!(positions.len(), body.vertex_count());
        assert!(positions.as_flattened().iter().all(|x| x.is_finite()), "{} at {frame}", scene.name());
        assert!(positions.as_flattened().iter().all(|x| x.abs() < 20.0), "{} at {frame}", scene.name());
        let side = longest_side(positions);
        assert!((0.1..10.0).contains(&side), "{} of {} at {frame}: {side}", body.name(), scene.name());
    }
}

fn every_vertex_moves(scene: &Scene, frame: usize, before: &[Vec<[f32; 3]>], now: &[Vec<[f32; 3]>]) {
    for ((body, before), now) in scene.bodies().iter().zip(before).zip(now) {
        let still = before.iter().zip(now).position(|(a, b)| a == b);
        assert_eq!(still, None, "a vertex of {} stands still in {} at {frame}", body.name(), scene.name());
    }
}

#[test]
fn a_frame_beyond_the_last_is_the_last() {
    let scene = bumpy_spheres(Solid::Octahedron, 1).unwrap();
    assert_eq!(scene.frame(199), scene.frame(usize::MAX));
}

#[test]
fn spheres_have_the_sizes_of_the_experiment_and_close() {
    for (solid, levels, triangles) in [
        (Solid::Icosahedron, 0, 20),
        (Solid::Icosahedron, 2, 320),
        (Solid::Icosahedron, 3, 1_280),
        (Solid::Icosahedron, 4, 5_120),
        (Solid::Icosahedron, 5, 20_480),
        (Solid::Octahedron, 0, 8),
        (Solid::Octahedron, 5, 8_192),
        (Solid::Octahedron, 6, 32_768),
        (Solid::Tetrahedron, 0, 4),
        (Solid::Tetrahedron, 6, 16_384),
        (Solid::Tetrahedron, 7, 65_536),
    ] {
        let shape = sphere(solid, levels).unwrap();
        assert_eq!(shape.triangles.len(), triangles);
        assert_eq!(shape.positions.len(), triangles / 2 + 2, "a closed surface without holes");
        closed_outward(&shape.triangles, &shape.positions).unwrap();
    }
}

#[test]
fn spheres_cut_into_parts_close_at_every_size() {
    for solid in [Solid::Tetrahedron, Solid::Octahedron, Solid::Icosahedron] {
        for parts in [1, 2, 3, 7, 16] {
            let shape = sphere_of_parts(solid, parts).unwrap();
            assert_eq!(shape.triangles.len(), solid.face_count() * (parts * parts) as usize);
            assert_eq!(shape.positions.len(), shape.triangles.len() / 2 + 2);
            closed_outward(&shape.triangles, &shape.positions).unwrap();
        }
    }
    assert!(sphere_of_parts(Solid::Octahedron, 0).is_err());
}

#[test]
fn the_motion_of_the_spheres_is_the_same_at_every_size_and_frame_count() {
    // The first vertices are the solid's own corners, so they are common to all levels.
    let (coarse, fine) = (bumpy_spheres(Solid::Icosahedron, 1).unwrap(), bumpy_spheres(Solid::Icosahedron, 3).unwrap());
    let few = bumpy_spheres_in(2, Solid::Icosahedron, 1).unwrap();
    let parts = bumpy_spheres_of_parts(Solid::Icosahedron, 3).unwrap();
    for body in 0..2 {
        assert_eq!(coarse.frame(77)[body][..12], parts.frame(77)[body][..12]);
        assert_eq!(coarse.frame(77)[body][..12], fine.frame(77)[body][..12]);
        assert_eq!(coarse.frame(199)[body], few.frame(1)[body]);
    }
}

#[test]
fn sizes_beyond_reason_are_refused() {
    let error = bumpy_spheres(Solid::Icosahedron, 10).unwrap_err();
    assert_eq!(error.to_string(), "10 levels are too many; ask for at most 9");
    let error = bumpy_spheres_in(1, Solid::Icosahedron, 1).unwrap_err();
    assert!(matches!(error, SceneError::TooCoarse { asked: 1, least: 2, .. }));
}

#[test]
fn the_crowd_takes_the_same_paths_at_every_size() {
    for crowd in [Crowd::Spheres, Crowd::Arms] {
        let (coarse, fine) = (dense_crowd(crowd, 1).unwrap(), dense_crowd(crowd, 2).unwrap());
        assert_eq!(coarse.bodies().len(), 27);
        for frame in [0, 60, 199] {
            for (a, b) in coarse.frame(frame).iter().zip(fine.frame(frame)) {
                assert_eq!(a[..12], b[..12]);
            }
        }
    }
}

#[test]
fn the_crowd_that_is_pushed_apart_takes_the_same_paths_at_every_size() {
    for crowd in [Crowd::Spheres, Crowd::Arms] {
        let (coarse, fine) = (crowd_apart(crowd, 0).unwrap(), crowd_apart(crowd, 1).unwrap());
        assert_eq!(coarse.bodies().len(), 27);
        for frame in [0, 60, 199] {
            for (a, b) in coarse.bodies().iter().zip(fine.bodies()) {
                assert_eq!(a.positions_at(frame), b.positions_at(frame)[..12]);
                assert_eq!(a.placement(frame), b.placement(frame));
            }
        }
    }
}

#[test]
fn a_position_is_its_local_one_placed_and_rounded_once() {
    let scene = crowd_apart(Crowd::Arms, 1).unwrap();
    let (mut positions, mut local) = (Vec::new(), Vec::new());
    for frame in [0, 77, 199] {
        for body in scene.bodies() {
            let Placement { rotation: [x, y, z, w], translation } = body.placement(frame).unwrap();
            assert!((x * x + y * y + z * z + w * w - 1.0).abs() < 1e-12);
            body.positions(frame, &mut positions);
            body.local_positions(frame, &mut local);
            for (position, local) in positions.iter().zip(&local) {
                let p = local.map(f64::from);
                // p + 2 w (v × p) + 2 v × (v × p), v being the vector part: another formula than the scene's.
                let cross = |a: [f64; 3], b: [f64; 3]| {
                    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
                };
                let once = cross([x, y, z], p);
                let twice = cross([x, y, z], once);
                for axis in 0..3 {
                    let placed = p[axis] + 2.0 * (w * once[axis] + twice[axis]) + translation[axis];
                    assert!((placed as f32 - position[axis]).abs() <= 1e-6, "{placed} and {}", position[axis]);
                }
            }
        }
    }
    // Bodies do turn: so do those whose neighbours push them about.
    for body in scene.bodies() {
        let [first, last] = [0, 199].map(|frame| body.placement(frame).unwrap().rotation);
        let cosine: f64 = first.iter().zip(last).map(|(a, b)| a * b).sum();
        assert!(cosine.abs() < 0.99, "{}", body.name());
    }
    assert_eq!(bumpy_spheres(Solid::Octahedron, 1).unwrap().bodies()[0].placement(0), None);
}

#[test]
fn a_sphere_is_closed_whatever_parts_of_it_are_fine() {
    let patches = patches(Solid::Icosahedron, 1, 3).unwrap();
    let shape = sphere(Solid::Icosahedron, 3).unwrap();
    assert_eq!((patches.per_patch(), patches.per_fan()), (16, 4));
    assert_eq!((patches.fine().len(), patches.fans().len()), (80 * 16, 80 * 3 * 4));
    let mut random = Random::new(5);
    let mut fans = 0;
    for share in [1, 2, 4, 9, 30, 1_000] {
        let mut is_fine: Vec<bool> = (0..80).map(|_| random.once_in(share)).collect();
        let asked = is_fine.clone();
        patches.closure(&mut is_fine);
        assert!(asked.iter().zip(&is_fine).all(|(asked, fine)| fine >= asked));
        let mut shown = Vec::new();
        for triangle in 0..80 {
            if is_fine[triangle] {
                shown.extend(&patches.fine()[16 * triangle..16 * (triangle + 1)]);
            } else if let Some(edge) = patches.fan_edge(triangle, &is_fine) {
                shown.extend(&patches.fans()[4 * (3 * triangle + edge)..][..4]);
                fans += 1;
            } else {
                shown.push(patches.coarse()[triangle]);
            }
        }
        // Vertices that nothing uses are left out, since a surface has none.
        let mut used: Vec<u32> = shown.as_flattened().to_vec();
        used.sort_unstable();
        used.dedup();
        let renumbered = |vertex: u32| used.binary_search(&vertex).unwrap() as u32;
        let triangles: Vec<[u32; 3]> = shown.iter().map(|triangle: &[u32; 3]| triangle.map(renumbered)).collect();
        let positions: Vec<[f32; 3]> = used.iter().map(|&vertex| shape.positions[vertex as usize]).collect();
        closed_outward(&triangles, &positions).unwrap_or_else(|problem| panic!("one in {share} is fine: {problem}"));
    }
    assert!(fans > 20, "{fans}");
}

#[test]
fn patches_that_are_not_finer_or_too_fine_are_refused() {
    assert!(patches(Solid::Icosahedron, 3, 3).is_err() && patches(Solid::Icosahedron, 2, 10).is_err());
}

#[test]
fn small_scenes_are_small() {
    for scene in small() {
        for body in scene.bodies() {
            assert!(body.triangles().len() <= 1_500, "{} of {}", body.name(), scene.name());
        }
    }
}

#[test]
fn sheets_bars_and_heaps_have_the_sizes_asked_for() {
    let triangles = |scene: &Scene| -> Vec<usize> {
        let bodies = scene.bodies().iter();
        bodies.map(|body| body.triangles().len()).collect()
    };
    assert_eq!(triangles(&rolling_cloth(200).unwrap()), [80_000]);
    assert_eq!(triangles(&twisted_bars(240).unwrap()), [19_456, 19_456]);
    assert_eq!(triangles(&scattered_sheet(100).unwrap()), [20_000, 20_480]);
    assert_eq!(triangles(&inside_out(5).unwrap()), [20_480, 20_480]);
    assert_eq!(triangles(&heap(1_000, 1).unwrap()), [80; 1_000]);
    for refused in
        [rolling_cloth(0), twisted_bars(0), scattered_sheet(501), heap(0, 1), heap(1, 5), dense_crowd(Crowd::Arms, 8)]
    {
        assert!(refused.is_err());
    }
}

#[test]
fn no_two_bodies_of_a_crowd_or_heap_are_buried_in_each_other() {
    // Bodies touch at about 2, 1.5 to 2.7 and 0.2.
    for (scene, least) in [
        (dense_crowd(Crowd::Spheres, 1).unwrap(), 1.6),
        (dense_crowd(Crowd::Arms, 1).unwrap(), 1.2),
        (heap(1_000, 0).unwrap(), 0.17),
    ] {
        for frame in (0..scene.frame_count()).step_by(9) {
            let centres: Vec<[f32; 3]> = scene.frame(frame).iter().map(|p| middle(p)).collect();
            for (number, a) in centres.iter().enumerate() {
                for b in &centres[..number] {
                    let square: f32 = (0..3).map(|axis| (a[axis] - b[axis]).powi(2)).sum();
                    assert!(square.sqrt() > least, "{} at {frame}: {}", scene.name(), square.sqrt());
                }
            }
        }
    }
}

fn middle(positions: &[[f32; 3]]) -> [f32; 3] {
    [0, 1, 2].map(|axis| positions.iter().map(|p| p[axis]).sum::<f32>() / positions.len() as f32)
}

#[test]
fn still_shapes_are_closed_centred_and_one_unit_long() {
    let models =
        [(Model::Rabbit, 50_000), (Model::Reptile, 109_520), (Model::Santa, 151_380), (Model::Dragon, 518_420)];
    let mut shapes = vec![(torus_knot(24).unwrap(), 11_520)];
    shapes.extend(models.map(|(model, triangles)| (smooth_body(model), triangles)));
    shapes.extend(models.map(|(model, _)| (smooth_body_of_parts(model, 6).unwrap(), 720)));
    for (shape, triangles) in shapes {
        assert_eq!(shape.triangles.len(), triangles);
        closed_outward(&shape.triangles, &shape.positions).unwrap();
        let sides = [0, 1, 2].map(|axis| {
            let low = shape.positions.iter().map(|p| p[axis]).fold(1.0, f32::min);
            let high = shape.positions.iter().map(|p| p[axis]).fold(-1.0, f32::max);
            assert_eq!(low, -high);
            high - low
        });
        assert_eq!(sides.into_iter().fold(0.0, f32::max), 1.0);
    }
    assert!(torus_knot(2).is_err());
}

#[test]
fn points_stay_in_their_box_and_more_begin_with_the_fewer() {
    let (low, high) = ([-1.0, 2.0, 0.0], [1.0, 3.0, 0.5]);
    let points = points_in_box(1_000, 1, low, high);
    assert!(points.iter().all(|p| (0..3).all(|axis| (low[axis]..=high[axis]).contains(&p[axis]))));
    assert_eq!(points_in_box(10, 1, low, high), points[..10]);
    assert_ne!(points_in_box(10, 2, low, high), points[..10]);
}
