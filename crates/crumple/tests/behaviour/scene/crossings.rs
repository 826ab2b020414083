//! Only pairs of triangles that pass through each other.

use crumple::exact::triangles_cross_f64;
use crumple::{Body, BodyId, Mesh, Scene, TrianglePair};
use crumple_scenes::Random;

use super::shapes::tetrahedron;
use crate::support::methods::default_methods;

/// A box between two corners, of two triangles per side.
fn block(low: [f32; 3], high: [f32; 3]) -> Body {
    let positions: Vec<[f32; 3]> =
        (0..8).map(|at| [0, 1, 2].map(|axis| if at >> axis & 1 == 1 { high[axis] } else { low[axis] })).collect();
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Body::new(Mesh::new(8, triangles).unwrap(), &positions).unwrap()
}

fn counts(a: Body, b: Body) -> [usize; 2] {
    let mut scene = Scene::new();
    scene.add(a);
    scene.add(b);
    [false, true].map(|on| {
        scene.set_crossings_only(on);
        scene.update().unwrap().contacts().pair_count()
    })
}

#[test]
fn stacked_boxes_cut_faces_and_corners_on_faces_do_not_cross_and_boxes_in_each_other_do() {
    let unit = || block([0.0; 3], [1.0; 3]);
    let apart = [0.3, 0.2, 0.7];
    for (what, other, crosses) in [
        ("stacked", block([0.0, 0.0, 1.0], [1.0, 1.0, 2.0]), false),
        ("stacked aside", block([0.3, 0.4, 1.0], [1.3, 1.4, 2.0]), false),
        ("inside, on the floor", block([0.2, 0.2, 0.0], [0.6, 0.6, 0.5]), false),
        ("the same", unit(), false),
        ("edge on edge", block([1.0, 1.0, 0.3], [2.0, 2.0, 1.3]), false),
        ("corner in", block([0.5; 3], [1.5; 3]), true),
        ("through", block([0.4, 0.3, -1.0], [0.6, 0.7, 2.0]), true),
        ("just in", block([apart[0], apart[1], 1.0 - f32::EPSILON], [0.8, 0.9, 2.0]), true),
    ] {
        let [all, crossing] = counts(unit(), other);
        assert!(all > 0, "{what}");
        assert_eq!(crossing > 0, crosses, "{what}: {crossing} of {all}");
    }
}

#[test]
fn what_is_kept_is_what_crosses_by_every_method_in_both_precisions() {
    let mut random = Random::new(5);
    for round in 0..40 {
        // Corners on a grid, so that many only touch.
        let mut soup = |count: usize| -> (Mesh, Vec<[f64; 3]>) {
            let corner = |random: &mut Random| [(); 3].map(|()| random.integer(0, 6) as f64 / 3.0);
            let positions: Vec<_> = (0..3 * count).map(|_| corner(&mut random)).collect();
            let triangles = (0..count as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
            (Mesh::new(3 * count, triangles).unwrap(), positions)
        };
        let (a, b) = (soup(40), soup(30));
        let in_f64 = round % 2 == 0;
        let body = |(mesh, positions): &(Mesh, Vec<[f64; 3]>)| {
            let rounded: Vec<[f32; 3]> = positions.iter().map(|p| p.map(|x| x as f32)).collect();
            if in_f64 {
                Body::new_f64(mesh.clone(), positions).unwrap()
            } else {
                Body::new(mesh.clone(), &rounded).unwrap()
            }
        };
        for method in default_methods() {
            let mut scene = method.scene();
            let ids = [scene.add(body(&a)), scene.add(body(&b))];
            scene.set_self_collision(ids[0], true).unwrap();
            let listed = |scene: &mut Scene| -> Vec<(BodyId, BodyId, Vec<TrianglePair>)> {
                scene.update().unwrap().contacts().iter().map(|of| (of.a, of.b, of.pairs.to_vec())).collect()
            };
            let all = listed(&mut scene);
            let corners = |id: BodyId, triangle: usize| {
                let of = if id == ids[0] { &a.1 } else { &b.1 };
                [0, 1, 2].map(|k| of[3 * triangle + k].map(|x| if in_f64 { x } else { f64::from(x as f32) }))
            };
            let crosses = |(i, j): (BodyId, BodyId), pair: &TrianglePair| {
                triangles_cross_f64(&corners(i, pair.a.index()), &corners(j, pair.b.index()))
            };
            let mut expected = all.clone();
            expected.iter_mut().for_each(|(i, j, pairs)| pairs.retain(|pair| crosses((*i, *j), pair)));
            assert!(expected.iter().zip(&all).any(|(kept, all)| kept.2.len() < all.2.len() && !kept.2.is_empty()));
            expected.retain(|of| !of.2.is_empty());
            scene.set_crossings_only(true);
            assert_eq!(listed(&mut scene), expected, "{method}, round {round}");
            let frame = scene.update().unwrap();
            let firsts = frame.witnesses();
            assert_eq!(firsts.len(), expected.len(), "{method}, round {round}");
            scene.set_crossings_only(false);
            assert_eq!(listed(&mut scene), all, "{method}, round {round}");
        }
    }
}

#[test]
fn a_filter_of_the_callers_own_is_asked_about_what_crosses_and_volumes_are_about_all() {
    let mut scene = Scene::new();
    scene.add(tetrahedron(0.0));
    scene.add(tetrahedron(0.5));
    let volume = |scene: &mut Scene| scene.update().unwrap().overlaps().iter().map(|of| of.volume()).sum::<f64>();
    let before = volume(&mut scene);
    scene.set_crossings_only(true);
    assert!(before > 0.0 && volume(&mut scene) == before);
    let crossing = scene.update().unwrap().contacts().pair_count();
    scene.set_pair_filter(|_, _, _| false);
    assert_eq!(scene.update().unwrap().contacts().pair_count(), 0);
    scene.clear_pair_filter();
    assert_eq!(scene.update().unwrap().contacts().pair_count(), crossing);
}
