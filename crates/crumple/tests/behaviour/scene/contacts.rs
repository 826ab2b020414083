//! What comes out: sorted, complete, never of an earlier frame.

use crumple::broad::{AllPairs, Auto, SweepAndPrune};
use crumple::{Body, Mesh, Scene};
use crumple_methods::Method;

use super::shapes::{at, nothing, tetrahedron, wall};
use crate::support::methods::default_methods;
use crate::support::playback::{Found, Playback, as_found, bodies};

#[test]
fn contacts_are_sorted_by_bodies_and_their_pairs_by_triangles() {
    let scenes = crumple_scenes::small();
    let crowd = scenes.iter().find(|scene| scene.name() == "small-crowd-of-spheres").unwrap();
    for method in default_methods() {
        let mut playback = Playback::new(&*method, &bodies(crowd)).with_self_collision();
        playback.move_bodies(&crowd.frame(199));
        let contacts = playback.scene.update().unwrap().contacts();
        assert!(contacts.len() > 10, "{method}");
        assert!(contacts.iter().is_sorted_by_key(|contact| (contact.a, contact.b)), "{method}");
        for contact in contacts {
            assert!(contact.a <= contact.b && !contact.pairs.is_empty());
            assert!(contact.pairs.is_sorted_by(|one, next| one < next), "{method}: sorted, none twice");
            assert!(contact.a != contact.b || contact.pairs.iter().all(|pair| pair.a < pair.b), "{method}");
        }
    }
}

#[test]
fn the_counts_of_an_answer_fit_its_list() {
    let mut scene = Scene::new();
    assert!(scene.update().unwrap().contacts().is_empty());
    for x in [0.0, 0.25, 5.0, 5.25] {
        scene.add(tetrahedron(x));
    }
    let contacts = scene.update().unwrap().contacts();
    assert_eq!((contacts.len(), contacts.iter().count(), contacts.is_empty()), (2, 2, false));
    assert_eq!(contacts.pair_count(), contacts.iter().map(|contact| contact.pairs.len()).sum::<usize>());
    assert!(contacts.stats().candidates >= contacts.pair_count() as u64);
}

#[test]
fn the_broad_phase_is_never_stale_when_bodies_move_apart_and_together() {
    let scenes: [fn(Method) -> Scene; 4] = [
        Method::scene,
        |method| method.scene().with_broad_phase(AllPairs::default()),
        |method| method.scene().with_broad_phase(SweepAndPrune::default()),
        |method| method.scene().with_broad_phase(Auto::default()),
    ];
    for (make, method) in scenes.iter().flat_map(|make| Method::all().into_iter().map(move |method| (make, method))) {
        let mut scene = make(method);
        let still = scene.add(tetrahedron(0.0));
        let moving = scene.add(tetrahedron(2.0));
        for x in [0.5, 2.0, 0.25, 1.0, 1.0001, -0.5, -3.0, 0.0, 1e30, 0.0] {
            scene.set_positions(moving, &at(x)).unwrap();
            let meet = (-1.0..=1.0).contains(&x);
            let found: Vec<_> =
                scene.update().unwrap().contacts().iter().map(|contact| (contact.a, contact.b)).collect();
            assert_eq!(found, if meet { vec![(still, moving)] } else { vec![] }, "{method} at {x}");
            assert_eq!(scene.update().unwrap().witnesses().len(), usize::from(meet), "{method} at {x}");
        }
    }
}

#[test]
fn a_broad_phase_put_in_later_knows_the_bodies_that_are_there() {
    let mut scene = Scene::new();
    for x in [0.0, 0.5, 1.0] {
        scene.add(tetrahedron(x));
    }
    let before = as_found(scene.update().unwrap().contacts());
    let mut scene = scene.with_broad_phase(SweepAndPrune::default());
    assert_eq!(as_found(scene.update().unwrap().contacts()), before);
    assert_eq!(before.len(), 3);
}

#[test]
fn bodies_without_triangles_collide_with_nothing() {
    let lone_vertices = || Body::new(Mesh::new(2, Vec::new()).unwrap(), &[[0.1; 3], [0.2; 3]]).unwrap();
    for method in Method::all() {
        let mut scene = method.scene();
        let empty = [nothing(), nothing(), lone_vertices(), lone_vertices()].map(|body| scene.add(body));
        let full = [0.0, 0.1].map(|x| scene.add(tetrahedron(x)));
        empty.iter().for_each(|&id| scene.set_self_collision(id, true).unwrap());
        for _ in 0..2 {
            let found: Vec<_> =
                scene.update().unwrap().contacts().iter().map(|contact| (contact.a, contact.b)).collect();
            assert_eq!(found, [(full[0], full[1])], "{method}");
            scene.set_positions(empty[0], &[[0.0f32; 3]; 0]).unwrap();
            scene.set_positions(empty[2], &[[0.0; 3], [1.0; 3]]).unwrap();
        }
        assert_eq!(scene.update().unwrap().onset(empty[0], full[0], 0.1), Ok(None), "{method}");
        assert_eq!(scene.update().unwrap().onset(empty[2], full[0], 0.1), Ok(None), "{method}");
    }
}

#[test]
fn a_body_is_asked_about_itself_only_if_that_is_wished() {
    let crossing =
        [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.5, 0.5, -1.0], [0.5, 0.5, 1.0], [3.0, 3.0, 0.0]];
    for method in Method::all() {
        let mut scene = method.scene();
        let id = scene.add(Body::new(Mesh::new(6, vec![[0, 1, 2], [3, 4, 5]]).unwrap(), &crossing).unwrap());
        assert!(scene.update().unwrap().contacts().is_empty());
        scene.set_self_collision(id, true).unwrap();
        let contact = scene.update().unwrap().contacts().iter().next().map(|c| (c.a, c.b, c.pairs.len()));
        assert_eq!(contact, Some((id, id, 1)), "{method}");
        scene.set_self_collision(id, false).unwrap();
        assert!(scene.update().unwrap().contacts().is_empty());
    }
}

#[test]
fn all_pairs_and_first_pairs_can_be_asked_for_in_turns() {
    let mut scene = Scene::new();
    let moving = scene.add(tetrahedron(0.25));
    scene.add(tetrahedron(0.0));
    let count = |found: Found| found[0].2.len();
    for x in [0.25, 0.5] {
        scene.set_positions(moving, &at(x)).unwrap();
        let all = count(as_found(scene.update().unwrap().contacts()));
        assert!(all > 1);
        for _ in 0..2 {
            assert_eq!(count(as_found(scene.update().unwrap().witnesses())), 1);
            assert_eq!(count(as_found(scene.update().unwrap().contacts())), all);
        }
    }
}

#[test]
fn touching_counts() {
    for method in Method::all() {
        let mut scene = method.scene();
        let tip = scene.add(tetrahedron(-1.0));
        let wall = scene.add(wall(0.0));
        let contact = scene.update().unwrap().contacts().iter().next().map(|c| (c.a, c.b, c.pairs.len()));
        // The corner at (1, 0, 0) belongs to three triangles.
        assert_eq!(contact, Some((tip, wall, 3)), "{method}");
        scene.set_positions(tip, &at(-1.0 - f32::EPSILON)).unwrap();
        assert!(scene.update().unwrap().contacts().is_empty(), "{method}");
    }
}
