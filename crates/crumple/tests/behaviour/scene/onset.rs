//! When contact began.

use crumple::{Body, Mesh, Onset, Scene, TrianglePair};
use crumple_methods::Method;

use super::shapes::{at, tetrahedron, wall, wall_at};
use crate::support::errors::chain;
use crate::support::methods::methods;

/// A long tetrahedron with its tip, a corner at (x, 0, 0), ahead in the direction of −x.
fn tip(x: f32) -> [[f32; 3]; 4] {
    [[x, 0.0, 0.0], [x + 9.0, 1.0, 0.0], [x + 9.0, -1.0, 0.5], [x + 9.0, -1.0, -0.5]]
}

fn tip_body(x: f32) -> Body {
    Body::new(Mesh::new(4, vec![[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]]).unwrap(), &tip(x)).unwrap()
}

fn assert_bracket(found: Onset, time: f64, tolerance: f64, context: &str) {
    let free = found.last_free.unwrap_or_else(|| panic!("in contact already: {context}"));
    assert!(free < time && time <= found.in_contact, "{time} is not in {found:?}: {context}");
    assert!(found.in_contact - free <= tolerance, "{found:?} is wider than {tolerance}: {context}");
}

#[test]
fn a_tip_that_moves_into_a_wall_touches_it_at_the_time_that_is_known() {
    for method in methods() {
        let mut scene = method.scene();
        let wall = scene.add(wall(0.0));
        let moving = scene.add(tip_body(1.0));
        // From 1 to −2: it is at 0 after a third of the step.
        scene.set_positions(moving, &tip(-2.0)).unwrap();
        let frame = scene.update().unwrap();
        let mut width = 1.0;
        for tolerance in [0.5, 0.1, 1e-3, 1e-6, 1e-12, 0.0] {
            let found = frame.onset(wall, moving, tolerance).unwrap().unwrap();
            // Rounded as the position is: at the last a bit or two beside a third.
            assert_bracket(found, 1.0 / 3.0, tolerance.max(1e-15), method.name());
            assert!([0, 1, 2].map(|triangle| TrianglePair::new(0, triangle)).contains(&found.pair), "{method}");
            // And not narrower by more than asked for.
            let now = found.in_contact - found.last_free.unwrap();
            assert!(now <= width);
            width = now;
            // The other way round it is the same.
            let turned = frame.onset(moving, wall, tolerance).unwrap().unwrap();
            assert_eq!((turned.last_free, turned.in_contact), (found.last_free, found.in_contact), "{method}");
        }
    }
}

#[test]
fn every_method_finds_the_same_bracket_for_spheres_that_mirror_each_other() {
    let sphere = crumple_scenes::sphere(crumple_scenes::Solid::Icosahedron, 2).unwrap();
    let largest = sphere.positions.iter().fold(0.0f32, |largest, p| largest.max(p[0]));
    let moved = |x: f32, side: f32| -> Vec<[f32; 3]> {
        sphere.positions.iter().map(|p| [side * (p[0] + x), p[1], p[2]]).collect()
    };
    let body = |side: f32| {
        let mesh = Mesh::new(sphere.positions.len(), sphere.triangles.clone()).unwrap();
        Body::new(mesh, &moved(-2.0, side)).unwrap()
    };
    // Each moves by 1.5 towards the mirror at x = 0; they meet where the corner farthest in x reaches it.
    let time = f64::from(2.0 - largest) / 1.5;
    let mut brackets = Vec::new();
    for method in methods() {
        let mut scene = method.scene();
        let [a, b] = [1.0, -1.0].map(|side| scene.add(body(side)));
        for (id, side) in [(a, 1.0), (b, -1.0)] {
            scene.set_positions(id, &moved(-0.5, side)).unwrap();
        }
        let found = scene.update().unwrap().onset(a, b, 1e-5).unwrap().unwrap();
        assert_bracket(found, time + 1e-7, 1e-5, method.name());
        brackets.push((found.last_free, found.in_contact));
    }
    assert!(brackets.windows(2).all(|two| two[0] == two[1]), "{brackets:?}");
}

#[test]
fn bodies_in_contact_from_the_start_have_no_time_at_which_they_were_apart() {
    for method in Method::all() {
        let mut scene = method.scene();
        let [a, b] = [0.0, 0.5].map(|x| scene.add(tetrahedron(x)));
        scene.set_positions(b, &at(0.25)).unwrap();
        let found = scene.update().unwrap().onset(a, b, 1e-3).unwrap().unwrap();
        assert_eq!((found.last_free, found.in_contact), (None, 0.0), "{method}");
    }
}

#[test]
fn bodies_apart_at_the_end_have_no_onset() {
    for method in Method::all() {
        let mut scene = method.scene();
        let [a, b] = [0.0, 5.0].map(|x| scene.add(tetrahedron(x)));
        assert_eq!(scene.update().unwrap().onset(a, b, 1e-3), Ok(None));
        scene.set_positions(b, &at(4.0)).unwrap();
        assert_eq!(scene.update().unwrap().onset(a, b, 1e-3), Ok(None));
        // Through and out on the other side: seen at neither end.
        scene.set_positions(b, &at(-4.0)).unwrap();
        assert_eq!(scene.update().unwrap().onset(a, b, 1e-3), Ok(None));
    }
}

#[test]
fn positions_refused_on_the_way_are_named_by_their_body() {
    // In f64 a body must not be too small, and on its way through the origin this one is.
    let small = 2f64.powi(-99);
    let triangle = || Mesh::new(3, vec![[0, 1, 2]]).unwrap();
    let around_zero = |x: f64| [[-x, 0.0, -x], [-x, 0.0, x], [-x, x, 0.0]];
    let mut scene = Scene::new();
    let still = scene.add(Body::new_f64(triangle(), &[[0.0, -1.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]).unwrap());
    let moving = scene.add(Body::new_f64(triangle(), &around_zero(small)).unwrap());
    scene.update().unwrap();
    scene.set_positions_f64(moving, &around_zero(-small)).unwrap();
    let error = chain(&scene.update().unwrap().onset(still, moving, 1e-6).unwrap_err());
    assert!(error.starts_with("the positions of body 1 were refused: the largest coordinate is "), "{error}");
}

#[test]
fn a_body_that_was_not_moved_in_this_frame_stands_still() {
    for method in Method::all() {
        let mut scene = method.scene();
        let [wall, moving] = [wall(-5.0), tip_body(3.0)].map(|body| scene.add(body));
        // In the frame before, the wall moved and the tip did not come near.
        scene.set_positions(wall, &wall_at(0.0)).unwrap();
        scene.set_positions(moving, &tip(1.0)).unwrap();
        assert!(scene.update().unwrap().contacts().is_empty());
        scene.set_positions(moving, &tip(-1.0)).unwrap();
        let frame = scene.update().unwrap();
        for _ in 0..2 {
            let found = frame.onset(wall, moving, 1e-6).unwrap().unwrap();
            assert_bracket(found, 0.5, 1e-6, method.name());
            assert_eq!(frame.contacts().len(), 1, "asking changes nothing about it");
        }
    }
}

#[test]
fn positions_set_again_before_an_update_replace_those_set_first() {
    let mut scene = Scene::new();
    let [wall, moving] = [wall(0.0), tip_body(1.0)].map(|body| scene.add(body));
    for x in [7.0, -5.0, -1.0] {
        scene.set_positions(moving, &tip(x)).unwrap();
    }
    let frame = scene.update().unwrap();
    assert_eq!(frame.body(moving).unwrap().previous_positions(), tip(1.0));
    assert_bracket(frame.onset(wall, moving, 1e-6).unwrap().unwrap(), 0.5, 1e-6, "from 1 to -1");
}

#[test]
fn a_correction_stays_in_the_step_of_all_bodies() {
    let mut scene = Scene::new();
    let [wall, moving] = [wall(-1.0), tip_body(1.0)].map(|body| scene.add(body));
    scene.set_positions(wall, &wall_at(0.0)).unwrap();
    scene.set_positions(moving, &tip(-3.0)).unwrap();
    scene.update().unwrap();
    for x in [-2.0, -1.0] {
        scene.correct_positions(moving, &tip(x)).unwrap();
        let frame = scene.update().unwrap();
        assert_eq!(frame.body(moving).unwrap().previous_positions(), tip(1.0));
        assert_eq!(frame.body(wall).unwrap().previous_positions(), wall_at(-1.0));
    }
    // A new step starts from what was corrected.
    scene.set_positions(moving, &tip(4.0)).unwrap();
    let frame = scene.update().unwrap();
    assert_eq!(frame.body(moving).unwrap().previous_positions(), tip(-1.0));
    assert_eq!(frame.body(wall).unwrap().previous_positions(), wall_at(0.0));
    // And an update without any motion is a step in which everything stands still.
    let frame = scene.update().unwrap();
    assert_eq!(frame.body(moving).unwrap().previous_positions(), tip(4.0));
}

#[test]
fn vertices_read_through_a_loose_box_move_like_all_others() {
    let mut scene = Scene::new();
    let [wall, moving] = [wall(0.0), tip_body(1.0)].map(|body| scene.add(body));
    assert!(scene.update().unwrap().contacts().is_empty());
    let positions = tip(-1.0);
    scene.set_loose_box(moving, crumple::Aabb::new([-9.0; 3], [9.0; 3])).unwrap();
    let frame = scene.update_with(|_| &positions).unwrap();
    assert_eq!(frame.contacts().len(), 1);
    assert_bracket(frame.onset(wall, moving, 1e-6).unwrap().unwrap(), 0.5, 1e-6, "loose box");
}

#[test]
fn a_body_and_itself_are_asked_about_self_collision() {
    // One triangle falls, tip ahead, through the other.
    let mesh = || Mesh::new(6, vec![[0, 1, 2], [3, 4, 5]]).unwrap();
    let falling = |z: f32| {
        [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.5, 0.5, z], [0.6, 0.5, z + 1.0], [0.5, 0.6, z + 1.0]]
    };
    for method in Method::all() {
        let mut scene = method.scene();
        let id = scene.add(Body::new(mesh(), &falling(0.25)).unwrap());
        assert_eq!(scene.update().unwrap().onset(id, id, 1e-6), Ok(None), "{method}");
        scene.set_positions(id, &falling(-0.75)).unwrap();
        let found = scene.update().unwrap().onset(id, id, 1e-6).unwrap().unwrap();
        assert_bracket(found, 0.25, 1e-6, method.name());
        assert_eq!(found.pair, TrianglePair::new(0, 1));
    }
}

#[test]
fn a_tolerance_that_is_no_width_is_refused() {
    let mut scene = Scene::new();
    let [a, b] = [0.0, 0.5].map(|x| scene.add(tetrahedron(x)));
    let frame = scene.update().unwrap();
    for (bad, message) in [
        (f64::NAN, "the tolerance is NaN, but it must be a number from 0 up"),
        (-0.5, "the tolerance is -0.5, but it must be a number from 0 up"),
    ] {
        assert_eq!(frame.onset(a, b, bad).unwrap_err().to_string(), message);
    }
    assert!(frame.onset(a, b, f64::INFINITY).unwrap().is_some());
}
