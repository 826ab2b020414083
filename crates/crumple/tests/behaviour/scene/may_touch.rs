//! Pairs and groups of bodies that may touch.

use crumple::{BodyId, Scene};

use super::shapes::{at, tetrahedron};

fn meeting(scene: &mut Scene) -> Vec<(usize, usize)> {
    scene.update().unwrap().contacts().iter().map(|contact| (contact.a.index(), contact.b.index())).collect()
}

/// Three bodies that all meet.
fn three() -> (Scene, [BodyId; 3]) {
    let mut scene = Scene::new();
    let ids = [0.0, 0.25, 0.5].map(|x| scene.add(tetrahedron(x)));
    (scene, ids)
}

#[test]
fn two_bodies_that_may_touch_are_left_out_until_they_are_watched_again() {
    let (mut scene, [a, b, c]) = three();
    assert_eq!(meeting(&mut scene), [(0, 1), (0, 2), (1, 2)]);
    scene.ignore(b, a).unwrap();
    assert_eq!(meeting(&mut scene), [(0, 2), (1, 2)]);
    scene.ignore(a, b).unwrap();
    scene.set_positions(a, &at(0.1)).unwrap();
    assert_eq!(meeting(&mut scene), [(0, 2), (1, 2)]);
    scene.stop_ignoring(a, b).unwrap();
    assert_eq!(meeting(&mut scene), [(0, 1), (0, 2), (1, 2)]);
    scene.stop_ignoring(a, c).unwrap();
    assert_eq!(meeting(&mut scene), [(0, 1), (0, 2), (1, 2)]);
}

#[test]
fn what_may_touch_is_forgotten_with_the_body() {
    let (mut scene, [a, b, _]) = three();
    scene.ignore(a, b).unwrap();
    scene.remove(b).unwrap();
    let again = scene.add(tetrahedron(0.25));
    assert_eq!(again.index(), b.index());
    assert_eq!(meeting(&mut scene), [(0, 1), (0, 2), (1, 2)]);
}

#[test]
fn bodies_of_groups_that_may_touch_are_left_out() {
    let (mut scene, [a, b, c]) = three();
    scene.set_group(a, 1).unwrap();
    scene.set_group(b, 2).unwrap();
    scene.ignore_groups(2, 1);
    assert_eq!(meeting(&mut scene), [(0, 2), (1, 2)]);
    scene.set_group(c, 2).unwrap();
    assert_eq!(meeting(&mut scene), [(1, 2)]);
    // Within one group.
    scene.ignore_groups(2, 2);
    assert_eq!(meeting(&mut scene), []);
    scene.stop_ignoring_groups(1, 2);
    assert_eq!(meeting(&mut scene), [(0, 1), (0, 2)]);
    scene.set_group(b, 0).unwrap();
    scene.stop_ignoring_groups(2, 2);
    assert_eq!(meeting(&mut scene), [(0, 1), (0, 2), (1, 2)]);
}

#[test]
fn every_body_starts_in_group_zero() {
    let (mut scene, [a, ..]) = three();
    scene.ignore_groups(0, 0);
    assert_eq!(meeting(&mut scene), []);
    scene.set_group(a, 7).unwrap();
    assert_eq!(meeting(&mut scene), [(0, 1), (0, 2)]);
}

#[test]
fn a_watched_pair_of_ignored_groups_stays_ignored_and_the_other_way_round() {
    let (mut scene, [a, b, _]) = three();
    scene.ignore(a, b).unwrap();
    scene.ignore_groups(0, 0);
    scene.stop_ignoring(a, b).unwrap();
    assert_eq!(meeting(&mut scene), []);
    scene.ignore(a, b).unwrap();
    scene.stop_ignoring_groups(0, 0);
    assert_eq!(meeting(&mut scene), [(0, 2), (1, 2)]);
}

#[test]
fn a_body_that_may_touch_its_own_group_still_meets_itself() {
    let crossing =
        [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.5, 0.5, -1.0], [0.5, 0.5, 1.0], [3.0, 3.0, 0.0]];
    let mesh = crumple::Mesh::new(6, vec![[0, 1, 2], [3, 4, 5]]).unwrap();
    let mut scene = Scene::new();
    let id = scene.add(crumple::Body::new(mesh, &crossing).unwrap());
    scene.set_self_collision(id, true).unwrap();
    scene.ignore_groups(0, 0);
    assert_eq!(meeting(&mut scene), [(0, 0)]);
}
