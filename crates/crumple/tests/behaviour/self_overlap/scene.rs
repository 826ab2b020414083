//! Bodies of a scene that overlap themselves: same answers as without one, whatever was asked before and by how many threads.

use super::two_bodies::crossing;
use crate::support::shapes::{Shape, cube, sphere};
use crumple::narrow::brute::BruteForce;
use crumple::{Body, Holes, Mesh, Scene, self_overlap, self_regions};

#[test]
fn a_scene_answers_as_a_body_by_itself_frame_after_frame() {
    let shapes: Vec<Shape> = crossing().into_iter().map(|(_, shape)| shape).collect();
    for asks_contacts in [false, true] {
        let mut scene = Scene::new();
        let ids: Vec<_> = shapes.iter().map(|shape| scene.add(shape.body())).collect();
        for &id in &ids {
            scene.set_self_collision(id, asks_contacts).unwrap();
        }
        for frame in 0..3 {
            let moved = |shape: &Shape| shape.moved(|[x, y, z]| [x, y * (1.0 + 0.1 * frame as f32), z]);
            for (&id, shape) in ids.iter().zip(&shapes) {
                scene.set_positions(id, &moved(shape).positions).unwrap();
            }
            let shown = scene.update().unwrap();
            if asks_contacts {
                assert!(shown.contacts().iter().any(|contact| contact.is_self()));
            }
            for (&id, shape) in ids.iter().zip(&shapes) {
                let body = moved(shape).body();
                assert_eq!(shown.self_overlap(id).unwrap(), &self_overlap(&body).unwrap());
                assert_eq!(shown.self_regions(id).unwrap(), &self_regions(&body).unwrap());
            }
        }
    }
}

#[test]
fn limits_and_filters_of_contacts_have_no_effect() {
    let (_, shape) = crossing().swap_remove(0);
    let expected = self_overlap(&shape.body()).unwrap();
    let mut scene = Scene::new();
    let id = scene.add(shape.body());
    scene.set_self_collision(id, true).unwrap();
    scene.set_max_pairs(Some(3));
    let frame = scene.update().unwrap();
    assert_eq!(frame.contacts().iter().map(|contact| contact.pairs.len()).sum::<usize>(), 3);
    assert_eq!(frame.self_overlap(id).unwrap(), &expected);
}

#[test]
fn the_method_that_finds_pairs_does_not_matter() {
    let (_, shape) = crossing().swap_remove(0);
    let expected = self_overlap(&shape.body()).unwrap();
    for asks_contacts in [false, true] {
        let mut scene = Scene::with_method(BruteForce);
        let id = scene.add(shape.body());
        scene.set_self_collision(id, asks_contacts).unwrap();
        let frame = scene.update().unwrap();
        assert_eq!(frame.contacts().len(), usize::from(asks_contacts));
        assert_eq!(frame.self_overlap(id).unwrap(), &expected);
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let shape = sphere(5, [0.0; 3], 1.0).with(&sphere(5, [0.4, 0.1, 0.0], 1.0));
    let found = [1, 2, 5].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut scene = Scene::new();
            let id = scene.add(shape.body());
            let frame = scene.update().unwrap();
            (frame.self_overlap(id).unwrap().clone(), frame.self_regions(id).unwrap().clone())
        })
    });
    assert!(found[0].0.volume() > 1.0);
    assert!(found.iter().all(|other| other == &found[0]));
}

#[test]
fn what_cannot_be_answered_is_said_with_the_body() {
    let mut open = cube(0.0, 1.0);
    open.triangles.pop();
    let mut scene = Scene::new();
    let id = scene.add(open.body().with_name("lid"));
    let gone = scene.add(cube(5.0, 6.0).body());
    scene.remove(gone).unwrap();
    let frame = scene.update().unwrap();
    let error = frame.self_overlap(id).unwrap_err().to_string();
    assert!(
        error.starts_with("how much body 0 overlaps itself cannot be computed: the surface encloses no volume"),
        "{error}"
    );
    assert!(frame.self_regions(id).is_err() && frame.self_overlap(gone).is_err());
    let capped = frame.self_overlap_with(id, Holes::Cap).unwrap();
    assert!(capped.is_empty() && !capped.is_inside_out());
}

#[test]
fn removed_triangles_take_no_part() {
    // Two cubes that overlap, the second one removed: what is left overlaps nothing.
    let shape = cube(0.0, 2.0).with(&cube(1.0, 3.0));
    let mut body = Body::new(Mesh::new(16, shape.triangles.clone()).unwrap(), &shape.positions).unwrap();
    assert!((self_overlap(&body).unwrap().volume() - 1.0).abs() < 1e-14);
    let remove = (12..24).map(crumple::TriangleId).collect();
    body.edit(&crumple::Edit { remove, ..Default::default() }).unwrap();
    let found = self_overlap(&body).unwrap();
    assert!(found.is_empty() && found.volume() == 0.0 && !found.is_inside_out());
}
