//! Bodies known only by a box that is promised to hold them.

use crumple::{Aabb, BodyId, Scene};
use crumple_methods::Method;

use super::shapes::{at, nothing, tetrahedron};
use crate::support::errors::chain;
use crate::support::playback::as_found;

/// A box around a tetrahedron at `x`, with room.
fn around(x: f32) -> Aabb {
    Aabb::new([x - 0.5, -0.5, -0.5], [x + 1.5, 1.5, 1.5])
}

#[test]
fn the_vertices_of_a_body_that_is_far_are_never_read() {
    let mut scene = Scene::new();
    scene.add(tetrahedron(0.0));
    let far = scene.add(tetrahedron(50.0));
    for x in [40.0, 30.0, 2.0] {
        scene.set_loose_box(far, around(x)).unwrap();
        assert!(scene.update_with(|id| -> &[[f32; 3]] { panic!("body {id} was read") }).unwrap().contacts().is_empty());
        // Nobody needs them, so nobody misses them.
        assert!(scene.update().unwrap().contacts().is_empty());
    }
    assert!(scene.body(far).unwrap().positions() == at(50.0));
}

#[test]
fn the_vertices_of_a_body_that_comes_near_are_read_once() {
    for method in Method::all() {
        let mut scene = method.scene();
        let still = scene.add(tetrahedron(0.0));
        let [near, far] = [20.0, 30.0].map(|x| scene.add(tetrahedron(x)));
        scene.set_loose_box(near, around(0.75)).unwrap();
        scene.set_loose_box(far, around(10.0)).unwrap();
        let mut read: Vec<BodyId> = Vec::new();
        let positions = at(0.75);
        let contacts = scene.update_with(|id| {
            read.push(id);
            &positions
        });
        let found = as_found(contacts.unwrap().contacts());
        assert_eq!(found.iter().map(|(a, b, _)| (*a, *b)).collect::<Vec<_>>(), [(0, 1)], "{method}");
        assert_eq!(read, [near]);
        assert!(scene.body(near).unwrap().positions() == at(0.75));
        // Now they are known: nothing is read again, and plain questions are answered.
        assert_eq!(as_found(scene.update_with(|_| -> &[[f32; 3]] { unreachable!() }).unwrap().contacts()), found);
        assert_eq!(as_found(scene.update().unwrap().contacts()), found);
        scene.set_positions(still, &at(0.1)).unwrap();
        assert_eq!(scene.update().unwrap().contacts().len(), 1);
    }
}

#[test]
fn a_loose_box_may_come_near_where_the_body_itself_does_not() {
    let mut scene = Scene::new();
    scene.add(tetrahedron(0.0));
    let loose = scene.add(tetrahedron(50.0));
    scene.set_loose_box(loose, Aabb::new([-9.0; 3], [9.0; 3])).unwrap();
    let positions = at(5.0);
    assert!(scene.update_with(|_| &positions).unwrap().contacts().is_empty());
    assert!(scene.body(loose).unwrap().positions() == at(5.0));
}

#[test]
fn a_question_without_vertices_says_whose_are_needed() {
    let mut scene = Scene::new();
    scene.add(tetrahedron(0.0));
    let loose = scene.add(tetrahedron(50.0));
    scene.set_loose_box(loose, around(0.5)).unwrap();
    let message = "only the loose box of body 1 is known, but its vertices are needed to ask about body 0: set its \
                   positions, or use update_with";
    assert_eq!(scene.update().unwrap_err().to_string(), message);
    assert_eq!(scene.update().unwrap_err().to_string(), message);
    assert_eq!(scene.update().unwrap_err().to_string(), message);
    // Positions end the uncertainty, wherever they are.
    scene.set_positions(loose, &at(60.0)).unwrap();
    assert!(scene.update().unwrap().contacts().is_empty());
}

#[test]
fn a_body_asked_about_itself_needs_its_vertices_wherever_its_box_is() {
    let mut scene = Scene::new();
    let loose = scene.add(tetrahedron(0.0));
    scene.set_self_collision(loose, true).unwrap();
    scene.set_loose_box(loose, around(50.0)).unwrap();
    let message = "only the loose box of body 0 is known, but its vertices are needed to ask about body 0: set its \
                   positions, or use update_with";
    assert_eq!(scene.update().unwrap_err().to_string(), message);
    let positions = at(50.0);
    assert!(scene.update_with(|_| &positions).unwrap().contacts().is_empty());
}

#[test]
fn bodies_that_may_touch_are_not_read_for_it() {
    let mut scene = Scene::new();
    let still = scene.add(tetrahedron(0.0));
    let loose = scene.add(tetrahedron(50.0));
    scene.ignore(still, loose).unwrap();
    scene.set_loose_box(loose, around(0.5)).unwrap();
    assert!(scene.update_with(|_| -> &[[f32; 3]] { unreachable!() }).unwrap().contacts().is_empty());
}

#[test]
fn vertices_that_leave_the_promised_box_are_refused_and_the_body_stays_as_it_was() {
    for method in Method::all() {
        let mut scene = method.scene();
        let still = scene.add(tetrahedron(0.0));
        let loose = scene.add(tetrahedron(50.0));
        scene.set_loose_box(loose, around(0.5)).unwrap();
        let mut outside = at(0.5);
        outside[2] = [0.5, 1.75, 0.0];
        let bad = [
            (
                outside.to_vec(),
                "the positions of body 1 were refused: vertex 2 at [0.5, 1.75, 0.0] leaves the loose box [0.0, -0.5, -0.5]..[2.0, 1.5, 1.5]",
            ),
            (
                vec![[0.5; 3]; 3],
                "the positions of body 1 were refused: 3 positions were given, but the body has 4 vertices",
            ),
            (
                vec![[f32::NAN; 3]; 4],
                "the positions of body 1 were refused: vertex 0 is at [NaN, NaN, NaN]: not finite",
            ),
        ];
        for (positions, message) in &bad {
            assert_eq!(chain(&scene.update_with(|_| positions).unwrap_err()), *message);
            assert!(scene.body(loose).unwrap().positions() == at(50.0), "{method}");
            assert!(scene.body(loose).unwrap().previous_positions() == at(50.0), "{method}");
            // Its box is all that is known, still.
            let needed = crumple::SceneError::VerticesNeeded { body: loose, near: still };
            assert_eq!(scene.update().unwrap_err(), needed);
        }
        let good = at(0.5);
        assert_eq!(scene.update_with(|_| &good).unwrap().contacts().len(), 1, "{method}");
    }
}

#[test]
fn a_vertex_on_the_border_of_the_promised_box_is_inside() {
    let mut scene = Scene::new();
    scene.add(tetrahedron(0.0));
    let loose = scene.add(tetrahedron(50.0));
    let positions = at(0.5);
    scene.set_loose_box(loose, Aabb::of_points(&positions)).unwrap();
    assert_eq!(scene.update_with(|_| &positions).unwrap().contacts().len(), 1);
}

#[test]
fn a_refusal_does_not_take_back_what_was_read_of_other_bodies() {
    let mut scene = Scene::new();
    scene.add(tetrahedron(0.0));
    let [good, bad] = [30.0, 40.0].map(|x| scene.add(tetrahedron(x)));
    scene.set_loose_box(good, around(0.5)).unwrap();
    scene.set_loose_box(bad, around(-0.5)).unwrap();
    let (inside, outside) = (at(0.5), at(9.0));
    scene.update_with(|id| if id == good { &inside } else { &outside }).unwrap_err();
    let inside_too = at(-0.5);
    assert!(scene.body(good).unwrap().positions() == at(0.5));
    let found = scene.update_with(|id| if id == bad { &inside_too } else { unreachable!() });
    assert_eq!(as_found(found.unwrap().contacts()).len(), 3);
}

#[test]
fn a_box_that_holds_no_point_is_no_promise_a_body_with_vertices_can_keep() {
    let mut scene = Scene::new();
    scene.add(tetrahedron(0.0));
    let loose = scene.add(tetrahedron(0.5));
    for promised in [
        Aabb::EMPTY,
        Aabb::new([0.0, 2.0, 0.0], [1.0; 3]),
        Aabb::new([f32::NAN; 3], [1.0; 3]),
        Aabb::new([f32::NAN; 3], [f32::NAN; 3]),
    ] {
        let refusal = scene.set_loose_box(loose, promised).unwrap_err();
        let message = format!(
            "the positions of body 1 were refused: the loose box {promised:?} holds no point, but the body has 4 vertices"
        );
        assert_eq!(chain(&refusal), message);
        assert_eq!(scene.update().unwrap().contacts().len(), 1, "the body is still known by its vertices");
    }
    let empty = scene.add(nothing());
    scene.set_loose_box(empty, Aabb::EMPTY).unwrap();
    assert_eq!(scene.update().unwrap().contacts().len(), 1);
}

#[test]
fn a_box_without_bounds_holds_everything() {
    for broad in 0..2 {
        let mut scene = Scene::new();
        if broad == 1 {
            scene = scene.with_broad_phase(crumple::broad::SweepAndPrune::default());
        }
        scene.add(tetrahedron(0.0));
        let loose = scene.add(tetrahedron(50.0));
        let positions = at(0.5);
        scene.set_loose_box(loose, Aabb::new([f32::NEG_INFINITY; 3], [f32::INFINITY; 3])).unwrap();
        assert_eq!(scene.update_with(|_| &positions).unwrap().contacts().len(), 1);
    }
}

#[test]
fn an_empty_body_with_a_loose_box_meets_nothing() {
    let mut scene = Scene::new();
    scene.add(tetrahedron(0.0));
    let empty = scene.add(nothing());
    scene.set_loose_box(empty, around(0.0)).unwrap();
    assert!(scene.update_with(|_| &[[0.0f32; 3]; 0][..]).unwrap().contacts().is_empty());
}

#[test]
fn a_body_once_read_is_near_others_by_its_vertices_not_by_its_loose_box() {
    let mut scene = Scene::new();
    let wide = Aabb::new([-9.0; 3], [9.0; 3]);
    let [first, second, third] = [0.0, 50.0, 60.0].map(|x| scene.add(tetrahedron(x)));
    // In one frame: the first two are read; where they are, the third one's box does not reach.
    [first, second].iter().for_each(|&id| scene.set_loose_box(id, wide).unwrap());
    scene.set_loose_box(third, around(5.0)).unwrap();
    let positions = [at(-1.0), at(-1.5)];
    let contacts = scene.update_with(|id| {
        assert_ne!(id, third);
        &positions[id.index()]
    });
    assert_eq!(as_found(contacts.unwrap().contacts()).len(), 1);
    // And in the next, when they do not move.
    scene.set_loose_box(third, around(3.0)).unwrap();
    assert_eq!(scene.update_with(|_| -> &[[f32; 3]] { unreachable!() }).unwrap().contacts().len(), 1);
}
