//! Impacts within a step.

use std::collections::BTreeSet;

use super::{FAR, both_kinds, scene_at, set_all, small_scene};
use crate::motion::{brute_force, of_features};
use crumple::FeaturePair;
use crumple::{Body, BodyId, Mesh, Scene};

const FRAMES: [usize; 5] = [0, 62, 64, 140, 60];

#[test]
fn impacts_are_those_of_every_two_features_here_and_far_away() {
    let (bodies, frames) = small_scene("small-spheres-320", &FRAMES);
    let (mut here, ids) = scene_at(&bodies, &frames[0], 0.0);
    let (mut far, far_ids) = scene_at(&bodies, &frames[0], FAR);
    let mut found = 0;
    for positions in &frames {
        set_all(&mut here, &ids, positions, 0.0);
        set_all(&mut far, &far_ids, positions, FAR);
        let (here, far) = (here.update().unwrap(), far.update().unwrap());
        let [a, b] = [ids[0], ids[1]].map(|id| here.body(id).unwrap());
        assert!(a.positions().iter().zip(a.positions_f64().unwrap()).any(|(p, q)| p.map(f64::from) != *q));
        let expected = brute_force(a, b, false);
        assert_eq!(of_features(here.impacts()), expected);
        assert_eq!(of_features(far.impacts()), expected, "moved without rounding, they meet when they did");
        assert_eq!(
            here.first_impact().map(|impact| (impact.time, impact.features)),
            far.first_impact().map(|impact| (impact.time, impact.features))
        );
        assert_eq!(here.first_impact().copied(), here.impacts().first().copied());
        let already = |frame: &crumple::Frame<'_>| {
            frame
                .impacts()
                .iter()
                .find(|impact| matches!(impact.features, FeaturePair::Triangles { .. }))
                .map(|impact| impact.features)
        };
        assert_eq!(already(&here), already(&far));
        let before = |body: &Body| Body::new_f64(body.mesh().clone(), body.previous_positions_f64().unwrap()).unwrap();
        let pair = crumple::pairs(&before(a), &before(b)).first().map(|&pair| FeaturePair::Triangles { pair });
        assert_eq!(already(&here), pair);
        found += expected.len();
    }
    assert!(found > 500, "{found}");
}

#[test]
fn a_body_meets_itself_when_its_features_do() {
    let (bodies, frames) = small_scene("small-cloth", &[0, 60, 130, 199]);
    let (mut here, ids) = scene_at(&bodies, &frames[0], 0.0);
    let (mut far, far_ids) = scene_at(&bodies, &frames[0], FAR);
    here.set_self_collision(ids[0], true).unwrap();
    far.set_self_collision(far_ids[0], true).unwrap();
    let mut found = 0;
    for positions in &frames {
        set_all(&mut here, &ids, positions, 0.0);
        set_all(&mut far, &far_ids, positions, FAR);
        let (here, far) = (here.update().unwrap(), far.update().unwrap());
        let body = here.body(ids[0]).unwrap();
        assert_eq!(of_features(here.impacts()), brute_force(body, body, true));
        assert_eq!(of_features(far.impacts()), of_features(here.impacts()));
        found += here.impacts().len();
    }
    assert!(found > 0, "{found}");
}

/// The features that come too close in a step of two bodies with a thickness.
fn too_close(bodies: &[Body], steps: [&Vec<Vec<super::Wide>>; 2], by: f64, thickness: f64) -> BTreeSet<FeaturePair> {
    let (mut scene, ids) = scene_at(bodies, steps[0], by);
    // One thickness is enough for both, and the body without one has its copies off as well.
    scene.set_thickness(ids[0], thickness).unwrap();
    scene.update().unwrap();
    set_all(&mut scene, &ids, steps[1], by);
    scene.update().unwrap().impacts().iter().map(|impact| impact.features).collect()
}

#[test]
fn bodies_with_a_thickness_come_too_close_far_away_as_they_do_here() {
    let (bodies, frames) = small_scene("small-spheres-320", &[0, 62, 140]);
    let mut found = 0;
    for steps in [[&frames[0], &frames[1]], [&frames[1], &frames[2]]] {
        // Far less than f32 numbers are apart there, and about as much.
        for thickness in [0.01, 0.2] {
            let [less, more] = [0.99, 1.01].map(|factor| too_close(&bodies, steps, 0.0, factor * thickness));
            let far = too_close(&bodies, steps, FAR, thickness);
            assert!(less.is_subset(&far) && far.is_subset(&more), "{} {} {}", less.len(), far.len(), more.len());
            found += far.len();
        }
    }
    assert!(found > 20, "{found}");
}

#[test]
fn f64_bodies_at_f32_positions_have_the_impacts_of_f32_bodies() {
    let scenes = crumple_scenes::small();
    let scene = scenes.iter().find(|scene| scene.name() == "small-spheres-320").unwrap();
    let [mut narrow, mut wide] = [0, 1].map(|kind| {
        let mut scene_of_kind = Scene::new();
        let bodies = crate::support::playback::bodies(scene);
        let ids: Vec<BodyId> = bodies.iter().map(|body| scene_of_kind.add(both_kinds(body)[kind].clone())).collect();
        scene_of_kind.set_thickness(ids[1], 0.01).unwrap();
        (scene_of_kind, ids)
    });
    let mut found = 0;
    for number in FRAMES {
        for (scene_of_kind, ids) in [&mut narrow, &mut wide] {
            for (&id, positions) in ids.iter().zip(scene.frame(number)) {
                scene_of_kind.set_positions(id, &positions).unwrap();
            }
        }
        let thickness = if number % 4 == 0 { 0.0 } else { 0.01 };
        narrow.0.set_thickness(narrow.1[1], thickness).unwrap();
        wide.0.set_thickness(wide.1[1], thickness).unwrap();
        let (narrow, wide) = (narrow.0.update().unwrap(), wide.0.update().unwrap());
        let of = |frame: &crumple::Frame<'_>| frame.impacts().iter().map(|impact| impact.of).collect::<Vec<_>>();
        assert_eq!(of(&narrow), of(&wide));
        found += narrow.impacts().len();
    }
    assert!(found > 500, "{found}");
}

#[test]
fn a_step_too_small_for_f32_meets_or_does_not() {
    let gap = 2f64.powi(-20);
    let sheet = [[-9.0, 0.0, -9.0], [9.0, 0.0, -9.0], [0.0, 0.0, 9.0]];
    let sheet = Body::new_f64(Mesh::new(3, vec![[0, 1, 2]]).unwrap(), &super::shifted(&sheet, FAR)).unwrap();
    let tip = |y: f64| super::shifted(&[[0.0, y, 0.0], [1.0, y + 1.0, 0.0], [0.0, y + 1.0, 1.0]], FAR);
    let falling = |from: f64, to: f64| {
        let mut body = Body::new_f64(Mesh::new(3, vec![[0, 1, 2]]).unwrap(), &tip(from)).unwrap();
        body.set_positions_f64(&tip(to)).unwrap();
        crumple::first_impact(&body, &sheet).map(|impact| (impact.time.lo, impact.time.hi, impact.features))
    };
    let (lo, hi, kind) = falling(gap, -gap).expect("its tip passes through the sheet");
    assert_eq!((lo, hi), (0.5, 0.5));
    assert!(matches!(kind, FeaturePair::VertexFace { .. }), "{kind:?}");
    assert_eq!(falling(gap, 0.25 * gap), None);
    assert_eq!(falling(gap, 0.0).map(|found| found.0), Some(1.0));
    // Below the sheet already, with its other corners above.
    assert!(matches!(falling(-gap, gap), Some((0.0, 0.0, FeaturePair::Triangles { .. }))));
}
