//! When contact began, and which translation parts two bodies.

use super::{FAR, Wide, both_kinds};
use crate::support::shapes::{Shape, cuboid, sphere};
use crumple::{Body, BodyId, Mesh, Scene};

fn at(shape: &Shape, by: Wide) -> Vec<Wide> {
    shape.positions.iter().map(|p| std::array::from_fn(|k| f64::from(p[k]) + by[k])).collect()
}

fn added(scene: &mut Scene, shape: &Shape, by: Wide) -> BodyId {
    let mesh = Mesh::new(shape.positions.len(), shape.triangles.clone()).unwrap();
    scene.add(Body::new_f64(mesh, &at(shape, by)).unwrap())
}

/// Samples of an f32 body are rounded, so that it may be seen in contact a little before it is; those of an f64 body are not
/// rounded by anything that shows here.
#[test]
fn surfaces_have_touched_by_the_time_at_which_an_onset_sees_contact() {
    let crowd = crumple_scenes::crowd_apart(crumple_scenes::Crowd::Spheres, 3).unwrap();
    let wide = |frame: usize| -> Vec<Vec<Wide>> {
        crowd.frame(frame).iter().map(|body| body.iter().map(|p| p.map(f64::from)).collect()).collect()
    };
    let mut scene = Scene::new();
    let bodies = crowd.bodies().iter().zip(wide(30)).map(|(body, positions)| {
        let mesh = Mesh::new(positions.len(), body.triangles().to_vec()).unwrap();
        scene.add(Body::new_f64(mesh, &positions).unwrap())
    });
    let ids: Vec<BodyId> = bodies.collect();
    let mut onsets = 0;
    for frame in 31..90 {
        for (&id, positions) in ids.iter().zip(wide(frame)) {
            scene.set_positions_f64(id, &positions).unwrap();
        }
        let frame = scene.update().unwrap();
        for contact in frame.contacts().iter() {
            let onset = frame.onset(contact.a, contact.b, 1e-6).unwrap().expect("they meet at the end");
            if onset.last_free.is_none() {
                continue;
            }
            onsets += 1;
            let between = |impact: &&crumple::Between<crumple::Impact>| (impact.a, impact.b) == (contact.a, contact.b);
            let first = frame.impacts().iter().find(between).expect("what is apart and then meets has an impact");
            assert!(first.time.lo <= onset.in_contact + 1e-9, "{first:?} after {onset:?}");
        }
    }
    assert!(onsets > 10, "only {onsets} onsets");
}

#[test]
fn an_onset_within_a_step_too_small_for_f32_is_found() {
    let step = 2f64.powi(-20);
    let unit = cuboid([0.0; 3], [1.0; 3]);
    let mut scene = Scene::new();
    let floor = added(&mut scene, &unit, [FAR; 3]);
    let moving = added(&mut scene, &unit, [FAR + 0.5, FAR + 0.25, FAR + 1.0 + step]);
    scene.update().unwrap();
    scene.set_positions_f64(moving, &at(&unit, [FAR + 0.5, FAR + 0.25, FAR + 1.0 - step])).unwrap();
    let frame = scene.update().unwrap();
    let found = frame.onset(floor, moving, 1e-3).unwrap().expect("they meet at the end");
    let free = found.last_free.expect("they are apart at the start");
    assert!(free < 0.5 && 0.5 <= found.in_contact && found.in_contact - free <= 1e-3, "{found:?}");
    // f32 positions in between would be refused by nobody, and mean others.
    assert!((frame.first_impact().unwrap().time.lo - 0.5).abs() < 1e-9);
}

#[test]
fn bodies_far_away_are_parted_by_the_translation_that_parts_them_here() {
    let (cube, ball) = (cuboid([0.0; 3], [1.0; 3]), sphere(2, [0.0; 3], 0.5));
    let [here, far] = [0.0, FAR].map(|by| {
        let mut scene = Scene::new();
        let a = added(&mut scene, &cube, [by; 3]);
        let b = added(&mut scene, &ball, [by + 0.5, by + 0.4375, by + 1.25]);
        scene.update().unwrap().separation(a, b).unwrap().expect("they overlap")
    });
    assert!((here.depth - 0.25).abs() < 0.01, "{here:?}");
    assert!((here.depth - far.depth).abs() < 1e-6, "{here:?} {far:?}");
    assert!(far.direction[2] < -0.99);
}

#[test]
fn f64_bodies_at_f32_positions_are_parted_and_met_as_f32_bodies_are() {
    let (cube, ball) = (cuboid([0.0; 3], [1.0; 3]).body(), sphere(2, [0.5, 0.4375, 1.25], 0.5));
    let before = ball.translated([0.0, 0.0, 1.0]).body();
    let [narrow, wide] = [0, 1].map(|kind| {
        let mut scene = Scene::new();
        let a = scene.add(both_kinds(&cube)[kind].clone());
        let b = scene.add(both_kinds(&before)[kind].clone());
        scene.update().unwrap();
        scene.set_positions(b, &ball.positions).unwrap();
        let frame = scene.update().unwrap();
        let onset = frame.onset(a, b, 1e-4).unwrap().expect("they meet");
        (onset.pair, (onset.in_contact * 1e3).round(), frame.separation(a, b).unwrap().unwrap().depth)
    });
    assert_eq!((narrow.0, narrow.1), (wide.0, wide.1));
    assert!((narrow.2 - wide.2).abs() < 1e-5, "{narrow:?} {wide:?}");
}
