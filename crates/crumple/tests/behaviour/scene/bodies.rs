//! Bodies that come and go, and what names them.

use crumple::{Aabb, Body, BodyId, Mesh, Pose, Scene, SceneError};
use crumple_methods::Method;

use super::shapes::{at, tetrahedron};
use crate::support::errors::chain;

fn meeting(scene: &mut Scene) -> Vec<(BodyId, BodyId)> {
    scene.update().unwrap().contacts().iter().map(|contact| (contact.a, contact.b)).collect()
}

#[test]
fn bodies_can_be_added_and_removed_between_any_two_frames() {
    for method in Method::all() {
        let mut scene = method.scene();
        let a = scene.add(tetrahedron(0.0));
        assert_eq!(meeting(&mut scene), []);
        let b = scene.add(tetrahedron(0.25));
        assert_eq!(meeting(&mut scene), [(a, b)], "{method}");
        let c = scene.add(tetrahedron(0.5));
        assert_eq!(meeting(&mut scene), [(a, b), (a, c), (b, c)], "{method}");
        scene.remove(b).unwrap();
        assert_eq!(meeting(&mut scene), [(a, c)], "{method}");
        scene.set_positions(c, &at(7.0)).unwrap();
        scene.remove(a).unwrap();
        assert_eq!(meeting(&mut scene), [], "{method}");
        let d = scene.add(tetrahedron(7.5));
        assert_eq!(meeting(&mut scene).len(), 1, "{method}");
        assert_eq!(scene.bodies().map(|(id, _)| id).collect::<Vec<_>>().len(), 2);
        assert!(scene.body(d).is_ok() && scene.body(c).is_ok());
    }
}

#[test]
fn a_removed_body_is_handed_back_as_it_was() {
    let mut scene = Scene::new();
    let id = scene.add(tetrahedron(0.0));
    scene.set_positions(id, &at(3.0)).unwrap();
    let body = scene.remove(id).unwrap();
    assert!(body.positions() == at(3.0) && body.previous_positions() == at(0.0));
    let again = scene.add(body);
    assert!(scene.body(again).unwrap().positions() == at(3.0));
}

#[test]
fn a_place_is_used_again_but_never_a_name() {
    let mut scene = Scene::new();
    let mut names = vec![scene.add(tetrahedron(0.0))];
    for _ in 0..50 {
        scene.remove(*names.last().unwrap()).unwrap();
        let id = scene.add(tetrahedron(0.0));
        assert_eq!(id.index(), 0, "the place is free");
        assert!(!names.contains(&id));
        names.push(id);
    }
    let last = names.pop().unwrap();
    assert!(scene.body(last).is_ok());
    for id in names {
        assert!(scene.body(id).is_err() && scene.remove(id).is_err() && scene.set_positions(id, &at(9.0)).is_err());
    }
    assert!(scene.body(last).unwrap().positions() == at(0.0));
}

#[test]
fn places_count_from_zero_in_the_order_of_adding() {
    let mut scene = Scene::new();
    let ids: Vec<BodyId> = (0..5).map(|_| scene.add(tetrahedron(0.0))).collect();
    assert!(ids.iter().enumerate().all(|(place, id)| id.index() == place && id.to_string() == place.to_string()));
    assert!(ids.is_sorted());
}

#[test]
fn a_body_that_is_not_there_is_refused_at_every_door() {
    let mut larger = Scene::new();
    let foreign = [0.0; 9].map(|x| larger.add(tetrahedron(x)))[8];
    let mut scene = Scene::new();
    let known = scene.add(tetrahedron(0.0));
    let gone = scene.add(tetrahedron(0.0));
    scene.remove(gone).unwrap();
    for (id, message) in [
        (gone, "there is no body 1 in this scene: it was removed, or the id is another scene's"),
        (foreign, "there is no body 8 in this scene: it was removed, or the id is another scene's"),
    ] {
        let refusals: Vec<SceneError> = vec![
            scene.body(id).unwrap_err(),
            scene.remove(id).unwrap_err(),
            scene.set_positions(id, &at(0.0)).unwrap_err(),
            scene.set_loose_box(id, Aabb::new([0.0; 3], [1.0; 3])).unwrap_err(),
            scene.set_pose(id, Pose::IDENTITY).unwrap_err(),
            scene.set_self_collision(id, true).unwrap_err(),
            scene.set_group(id, 1).unwrap_err(),
            scene.ignore(known, id).unwrap_err(),
            scene.ignore(id, known).unwrap_err(),
            scene.stop_ignoring(known, id).unwrap_err(),
            scene.stop_ignoring(id, known).unwrap_err(),
            scene.correct_positions(id, &at(0.0)).unwrap_err(),
            scene.write_positions(id, |_, _| unreachable!()).unwrap_err(),
            scene.positions_mut(id).unwrap_err(),
            scene.commit_positions(id).unwrap_err(),
            scene.set_collision_mask(id, 1, 1).unwrap_err(),
            scene.set_name(id, None).unwrap_err(),
            scene.set_user_data(id, 1).unwrap_err(),
            scene.update().unwrap().body(id).unwrap_err(),
            scene.update().unwrap().onset(known, id, 0.1).unwrap_err(),
            scene.update().unwrap().onset(id, known, 0.1).unwrap_err(),
        ];
        for refusal in refusals {
            assert_eq!(refusal, SceneError::UnknownBody { body: id });
            assert_eq!(refusal.to_string(), message);
        }
    }
    assert_eq!(meeting(&mut scene), []);
}

#[test]
fn positions_written_in_place_are_taken_in_as_if_they_had_been_set() {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.5, -0.0], [-0.0, 2.0, 1.0]];
    let mesh = || Mesh::new(5, vec![[0, 1, 2], [2, 3, 4]]).unwrap();
    let (mut set, mut written) = (Scene::new(), Scene::new());
    let ids = [&mut set, &mut written].map(|scene| {
        let id = scene.add(Body::new(mesh(), &corners).unwrap());
        let wall = [[0.2, 0.2, -1.0], [0.3, 0.2, 1.0], [0.2, 0.3, 1.0]];
        scene.add(Body::new(Mesh::new(3, vec![[0, 1, 2]]).unwrap(), &wall).unwrap());
        id
    });
    for step in [0.0f32, 5.0, -0.25, 0.0] {
        let moved = corners.map(|[x, y, z]| [x + step, y - step, z]);
        set.set_positions(ids[0], &moved).unwrap();
        written.positions_mut(ids[1]).unwrap().copy_from_slice(&moved);
        written.commit_positions(ids[1]).unwrap();
        let [one, other] = [(&set, ids[0]), (&written, ids[1])].map(|(scene, id)| scene.body(id).unwrap());
        let bits = |body: &Body| body.positions().as_flattened().iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(one), bits(other));
        assert_eq!((one.bounds(), one.version()), (other.bounds(), other.version()));
        let found =
            |scene: &mut Scene| scene.update().unwrap().contacts().iter().map(|c| c.pairs.to_vec()).collect::<Vec<_>>();
        assert_eq!(found(&mut set), found(&mut written));
    }
}

#[test]
fn positions_written_in_place_start_from_the_current_ones_and_are_taken_in_by_the_update() {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let mut scene = Scene::new();
    let id = scene.add(Body::new(Mesh::new(3, vec![[0, 1, 2]]).unwrap(), &corners).unwrap());
    for step in 1..=4 {
        let current = scene.body(id).unwrap().positions().to_vec();
        assert_eq!(scene.positions_mut(id).unwrap(), current);
        scene.positions_mut(id).unwrap()[2][1] -= 0.25;
        let body = scene.update().unwrap().body(id).unwrap();
        assert_eq!(body.positions(), [corners[0], corners[1], [0.0, 1.0 - 0.25 * step as f32, 0.0]]);
        assert_eq!(body.previous_positions()[2][1], 1.25 - 0.25 * step as f32);
    }
    // Positions that are set replace what was written.
    scene.positions_mut(id).unwrap().fill([7.0; 3]);
    scene.set_positions(id, &corners).unwrap();
    assert_eq!(scene.update().unwrap().body(id).unwrap().positions(), corners);
}

#[test]
fn positions_written_in_place_that_are_refused_change_nothing_and_can_be_put_right() {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let mut scene = Scene::new();
    let id = scene.add(Body::new(Mesh::new(3, vec![[0, 1, 2]]).unwrap(), &corners).unwrap());
    scene.positions_mut(id).unwrap()[1] = [f32::INFINITY, 0.0, 0.0];
    for _ in 0..2 {
        assert!(chain(&scene.update().unwrap_err()).contains("vertex 1 is at [inf, 0.0, 0.0]"));
        let body = scene.body(id).unwrap();
        assert!(body.positions() == corners && body.previous_positions() == corners);
    }
    scene.positions_mut(id).unwrap()[1] = [2.0, 0.0, 0.0];
    assert_eq!(scene.update().unwrap().body(id).unwrap().positions()[1], [2.0, 0.0, 0.0]);
    let refused = scene.write_positions(id, |_, new| new.fill([f32::NAN; 3])).unwrap_err();
    assert!(chain(&refused).starts_with("the positions of body 0 were refused: vertex 0 is at [NaN"));
    scene.write_positions(id, |old, new| new.copy_from_slice(old)).unwrap();
    assert_eq!(scene.update().unwrap().body(id).unwrap().positions()[1], [2.0, 0.0, 0.0]);
    // What was written goes with the body.
    scene.positions_mut(id).unwrap().fill([f32::NAN; 3]);
    scene.remove(id).unwrap();
    assert!(scene.update().is_ok() && scene.positions_mut(id).is_err());
}

#[test]
fn names_and_user_data_stay_with_the_body() {
    let mut scene = Scene::new();
    let id = scene.add(tetrahedron(0.0).with_name("leaf").with_user_data(7));
    let frame = scene.update().unwrap();
    let body = frame.body(id).unwrap();
    assert_eq!((body.name(), body.user_data()), (Some("leaf"), 7));
    scene.set_name(id, None).unwrap();
    scene.set_user_data(id, u64::MAX).unwrap();
    let body = scene.remove(id).unwrap();
    assert_eq!((body.name(), body.user_data()), (None, u64::MAX));
}

#[test]
fn an_id_of_another_scene_is_refused_even_if_the_slot_is_taken() {
    let [mut one, mut other] = [Scene::new(), Scene::new()];
    let (id, foreign) = (one.add(tetrahedron(0.0)), other.add(tetrahedron(0.0)));
    assert_eq!(id.index(), foreign.index());
    assert_eq!(one.body(foreign).unwrap_err(), SceneError::UnknownBody { body: foreign });
    assert!(one.update().unwrap().contact(foreign, foreign).is_none());
}

#[test]
fn thousands_of_bodies_may_be_added_between_two_frames() {
    let mut scene = Scene::new();
    let ids: Vec<_> = (0..6_000).map(|k| scene.add(tetrahedron(0.75 * k as f32))).collect();
    assert_eq!(scene.update().unwrap().contacts().len(), ids.len() - 1);
    ids.iter().skip(3).for_each(|&id| drop(scene.remove(id).unwrap()));
    assert_eq!(scene.update().unwrap().contacts().len(), 2);
    for k in 0..6_000 {
        scene.add(tetrahedron(0.75 * (k + 3) as f32));
    }
    assert_eq!(scene.update().unwrap().contacts().len(), 6_002);
}
