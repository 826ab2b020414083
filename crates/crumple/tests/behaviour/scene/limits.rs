//! A limit on the pairs listed: the first ones in order, by every method, and all of them counted.

use crumple::{Body, Contact, Mesh, Scene};

use crate::support::methods::default_methods;
use crate::support::playback::{Playback, bodies};

/// Triangles that share a segment on the z axis, so that all of them meet; none shares a vertex with another.
fn fan(triangles: u32, turned: f32) -> Body {
    let mut positions = Vec::new();
    for at in 0..triangles {
        let (sin, cos) = (turned + at as f32 * 0.01).sin_cos();
        positions.extend([[cos, sin, -1.0], [cos, sin, 1.0], [-cos, -sin, at as f32 * 1e-4]]);
    }
    let corners = (0..triangles).map(|at| [3 * at, 3 * at + 1, 3 * at + 2]).collect();
    Body::new(Mesh::new(positions.len(), corners).unwrap(), &positions).unwrap()
}

#[test]
fn the_first_pairs_are_listed_and_all_are_counted() {
    for method in default_methods() {
        let mut scene = method.scene();
        let ids = [fan(130, 0.0), fan(120, 0.005)].map(|body| scene.add(body));
        scene.set_self_collision(ids[0], true).unwrap();
        let lists = |scene: &mut Scene| -> Vec<_> {
            let contacts = scene.update().unwrap().contacts();
            contacts.iter().map(|contact| (contact.pairs.to_vec(), contact.count)).collect()
        };
        let all = lists(&mut scene);
        assert!(all.len() == 2 && all.iter().all(|(pairs, count)| pairs.len() as u64 == *count), "{method}");
        // Far more than a list may have before it is cut for the first time.
        assert!(all[1].1 > 12_000, "{method}: {}", all[1].1);
        for most in [0, 1, 100, 4000, 1_000_000] {
            scene.set_max_pairs(Some(most));
            let cut = |(pairs, count): &(Vec<_>, u64)| (pairs[..most.min(pairs.len())].to_vec(), *count);
            assert!(lists(&mut scene) == all.iter().map(cut).collect::<Vec<_>>(), "{method}: {most}");
            // Nothing has moved: the answer is taken over, counts included.
            assert!(lists(&mut scene) == all.iter().map(cut).collect::<Vec<_>>(), "{method}: {most}, again");
        }
        scene.set_max_pairs(None);
        assert!(lists(&mut scene) == all, "{method}");
    }
}

#[test]
fn a_limit_holds_in_motion_with_many_bodies() {
    let scenes = crumple_scenes::small();
    let crowd = scenes.iter().find(|scene| scene.name() == "small-crowd-of-spheres").unwrap();
    for method in default_methods() {
        let [mut free, mut limited] = [(); 2].map(|()| Playback::new(&*method, &bodies(crowd)).with_self_collision());
        limited.scene.set_max_pairs(Some(3));
        for frame in [150, 199] {
            free.move_bodies(&crowd.frame(frame));
            limited.move_bodies(&crowd.frame(frame));
            let [all, few] = [&mut free, &mut limited].map(|playback| playback.scene.update().unwrap().contacts());
            assert_eq!((all.len(), all.pair_count()), (few.len(), few.pair_count()), "{method}");
            for (all, few) in all.iter().zip(few) {
                let of = |contact: Contact<'_>| (contact.a.index(), contact.b.index(), contact.count);
                assert_eq!(of(all), of(few), "{method}");
                assert_eq!(all.pairs[..all.pairs.len().min(3)], *few.pairs, "{method}");
            }
        }
    }
}

#[test]
fn bodies_meet_also_where_no_pair_is_listed() {
    let mut scene = Scene::new();
    scene.set_max_pairs(Some(0));
    let [a, b] = [fan(5, 0.0), fan(4, 0.005)].map(|body| scene.add(body));
    let frame = scene.update().unwrap();
    let contact = frame.contact(a, b).unwrap();
    assert_eq!((contact.pairs.len(), contact.count), (0, 20));
    assert!(!frame.contacts().is_empty());
    assert_eq!((frame.contacts().len(), frame.contacts().pair_count(), frame.began().count()), (1, 20, 1));
    let again = scene.update().unwrap();
    assert_eq!((again.began().count(), again.persisted().count(), again.ended().count()), (0, 1, 0));
}

#[test]
fn a_filter_of_pairs_comes_before_the_limit() {
    let mut scene = Scene::new();
    let [a, b] = [fan(5, 0.0), fan(4, 0.005)].map(|body| scene.add(body));
    scene.set_pair_filter(|_, _, pair| pair.a.0 == 3);
    scene.set_max_pairs(Some(1));
    let contact = scene.update().unwrap().contact(a, b).unwrap();
    assert_eq!((contact.pairs.len(), contact.pairs[0].a.0, contact.count), (1, 3, 4));
}
