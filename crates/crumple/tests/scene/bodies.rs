//! Bodies that come and go, and what names them.

use crumple::{Aabb, Body, BodyId, Mesh, Method, Pose, Scene, SceneError};

use crate::shapes::{at, tetrahedron};

fn meeting(scene: &mut Scene) -> Vec<(BodyId, BodyId)> {
    scene.contacts().unwrap().iter().map(|contact| (contact.a, contact.b)).collect()
}

#[test]
fn bodies_can_be_added_and_removed_between_any_two_frames() {
    for method in Method::all() {
        let mut scene = Scene::new(method);
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
    let mut scene = Scene::new(Method::default());
    let id = scene.add(tetrahedron(0.0));
    scene.set_positions(id, &at(3.0)).unwrap();
    let body = scene.remove(id).unwrap();
    assert!(body.positions().eq(at(3.0)) && body.previous_positions().eq(at(0.0)));
    let again = scene.add(body);
    assert!(scene.body(again).unwrap().positions().eq(at(3.0)));
}

#[test]
fn a_place_is_used_again_but_never_a_name() {
    let mut scene = Scene::new(Method::default());
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
    assert!(scene.body(last).unwrap().positions().eq(at(0.0)));
}

#[test]
fn places_count_from_zero_in_the_order_of_adding() {
    let mut scene = Scene::new(Method::default());
    let ids: Vec<BodyId> = (0..5).map(|_| scene.add(tetrahedron(0.0))).collect();
    assert!(ids.iter().enumerate().all(|(place, id)| id.index() == place && id.to_string() == place.to_string()));
    assert!(ids.is_sorted());
}

#[test]
fn a_body_that_is_not_there_is_refused_at_every_door() {
    let mut larger = Scene::new(Method::default());
    let foreign = [0.0; 9].map(|x| larger.add(tetrahedron(x)))[8];
    let mut scene = Scene::new(Method::default());
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
            scene.watch(known, id).unwrap_err(),
            scene.watch(id, known).unwrap_err(),
            scene.first_contact(known, id, 0.1).unwrap_err(),
            scene.first_contact(id, known, 0.1).unwrap_err(),
            scene.first_contact_along(id, known, 0.1, |_, _, _| unreachable!()).unwrap_err(),
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
    let (mut set, mut written) = (Scene::new(Method::default()), Scene::new(Method::default()));
    let ids = [&mut set, &mut written].map(|scene| {
        let id = scene.add(Body::new(mesh(), &corners).unwrap());
        let wall = [[0.2, 0.2, -1.0], [0.3, 0.2, 1.0], [0.2, 0.3, 1.0]];
        scene.add(Body::new(Mesh::new(3, vec![[0, 1, 2]]).unwrap(), &wall).unwrap());
        id
    });
    for step in [0.0f32, 5.0, -0.25, 0.0] {
        let moved = corners.map(|[x, y, z]| [x + step, y - step, z]);
        set.set_positions(ids[0], &moved).unwrap();
        let mut room = written.positions_mut(ids[1]).unwrap();
        room.as_mut_slice().copy_from_slice(&moved);
        room.commit().unwrap();
        let [one, other] = [(&set, ids[0]), (&written, ids[1])].map(|(scene, id)| scene.body(id).unwrap());
        let bits = |body: &Body| body.positions().flatten().map(f32::to_bits).collect::<Vec<_>>();
        assert_eq!(bits(one), bits(other));
        assert_eq!((one.bounds(), one.frame()), (other.bounds(), other.frame()));
        let found = |scene: &mut Scene| scene.contacts().unwrap().iter().map(|c| c.pairs.to_vec()).collect::<Vec<_>>();
        assert_eq!(found(&mut set), found(&mut written));
    }
}

#[test]
fn positions_written_in_place_change_nothing_if_they_are_refused_or_not_committed() {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let mut scene = Scene::new(Method::default());
    let id = scene.add(Body::new(Mesh::new(3, vec![[0, 1, 2]]).unwrap(), &corners).unwrap());
    scene.positions_mut(id).unwrap().as_mut_slice().fill([7.0; 3]);
    let mut room = scene.positions_mut(id).unwrap();
    room.as_mut_slice()[1] = [f32::INFINITY, 0.0, 0.0];
    assert!(room.commit().unwrap_err().to_string().contains("vertex 1"));
    let body = scene.body(id).unwrap();
    assert!(body.positions().eq(corners) && body.previous_positions().eq(corners));
    scene.remove(id).unwrap();
    assert!(scene.positions_mut(id).is_err());
}
