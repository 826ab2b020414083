//! A frame is read by shared reference: bodies inside the loop over contacts, several threads, events.

use std::collections::BTreeSet;

use crumple::{Body, BodyId, Contact, Scene, TrianglePair};
use crumple_methods::Method;

use super::shapes::{at, tetrahedron, wall};
use crate::support::methods::default_methods;
use crate::support::playback::{Playback, as_found, bodies};

fn ids<'a>(contacts: impl IntoIterator<Item = Contact<'a>>) -> Vec<(BodyId, BodyId)> {
    contacts.into_iter().map(|contact| (contact.a, contact.b)).collect()
}

#[test]
fn both_bodies_can_be_read_while_contacts_are() {
    let mut scene = Scene::new();
    let [a, b] = [0.0, 0.5].map(|x| scene.add(tetrahedron(x)));
    let frame = scene.update().unwrap();
    let mut touched = BTreeSet::new();
    for contact in frame.contacts() {
        assert!(!contact.is_self());
        for &pair in contact.pairs {
            let [of_a, of_b] = contact.triangles(pair).unwrap();
            assert_eq!(
                contact.triangles_f64(pair),
                Some([of_a, of_b].map(|of| of.0.map(|corner| corner.map(f64::from))))
            );
            assert_eq!(Some(of_a), frame.body(contact.a).unwrap().triangle(pair.a));
            assert_eq!(Some(of_b), frame.body(contact.b).unwrap().triangle(pair.b));
            touched.extend(contact.body_b().mesh().indices()[pair.b.index()]);
        }
        let [from_a, from_b] = [a, b].map(|id| contact.seen_from(id).unwrap());
        assert_eq!((from_a.other_id, from_b.other_id), (b, a));
        assert!(from_a.pairs().eq(contact.pairs.iter().map(|pair| (pair.a, pair.b))));
        assert!(from_b.pairs().eq(contact.pairs.iter().map(|pair| (pair.b, pair.a))));
        assert!(std::ptr::eq(from_b.own, contact.body_b()) && std::ptr::eq(from_b.other, contact.body_a()));
        // A pair of another contact is no way to a panic.
        for other in [TrianglePair::new(0, 99), TrianglePair::new(99, 0)] {
            assert_eq!((contact.triangles(other), contact.triangles_f64(other)), (None, None));
        }
    }
    assert!(!touched.is_empty());
    assert_eq!(frame.contact(b, a), frame.contacts().iter().next());
    assert_eq!((frame.contact(a, a), frame.contacts_of(a).count()), (None, 1));
}

#[test]
fn pairs_that_are_held_beyond_their_frame_stay_as_they_are() {
    let mut scene = Scene::new();
    let [a, b] = [0.0, 0.5].map(|x| scene.add(tetrahedron(x)));
    let (mut held, mut expected) = (Vec::new(), Vec::new());
    for step in 0..6 {
        scene.set_positions(b, &at(0.5 + 0.0625 * step as f32)).unwrap();
        let frame = scene.update().unwrap();
        let contact = frame.contact(a, b).unwrap();
        let shared = frame.contacts().shared_pairs();
        // The list itself, not a copy.
        assert_eq!(shared.as_ptr(), contact.pairs.as_ptr());
        expected.push(contact.pairs.to_vec());
        held.push(shared);
    }
    assert!(held.iter().zip(&expected).all(|(held, expected)| **held == *expected));
    let places: BTreeSet<_> = held.iter().map(|held| held.as_ptr() as usize).collect();
    assert_eq!(places.len(), held.len());
}

#[test]
fn four_threads_may_ask_one_frame_at_once_and_get_the_same_answers() {
    let scenes = crumple_scenes::small();
    let crowd = scenes.iter().find(|scene| scene.name() == "small-crowd-of-spheres").unwrap();
    for method in default_methods() {
        let mut playback = Playback::new(&*method, &bodies(crowd)).with_self_collision();
        playback.move_bodies(&crowd.frame(199));
        let frame = playback.scene.update().unwrap();
        let barrier = std::sync::Barrier::new(4);
        let ask = || {
            barrier.wait();
            let contacts = frame.contacts();
            (as_found(contacts), contacts.iter().next().unwrap().pairs.as_ptr() as usize, frame.witnesses().len())
        };
        let answers: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(ask)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        // Also the same list in memory: it was published once.
        assert!(answers.iter().all(|answer| answer == &answers[0]), "{method}");
        assert!(answers[0].0.len() > 10 && answers[0].0.len() == answers[0].2);
    }
}

#[test]
fn tasks_of_one_pool_that_ask_within_it_do_not_wait_for_themselves() {
    let scenes = crumple_scenes::small();
    let crowd = scenes.iter().find(|scene| scene.name() == "small-crowd-of-spheres").unwrap();
    let mut playback = Playback::new(&*default_methods().remove(0), &bodies(crowd));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    for number in [150, 199] {
        playback.move_bodies(&crowd.frame(number));
        let frame = playback.scene.update().unwrap();
        let count = || frame.contacts().pair_count();
        let counts = pool.install(|| rayon::join(|| rayon::join(count, count), || rayon::join(count, count)));
        assert!(counts == ((count(), count()), (count(), count())));
    }
}

#[test]
fn asking_again_gives_the_same_memory_and_a_frame_can_be_copied() {
    let mut scene = Scene::new();
    for x in [0.0, 0.5] {
        scene.add(tetrahedron(x));
    }
    let frame = scene.update().unwrap();
    let copy = frame;
    let first = |frame: crumple::Frame<'_>| frame.contacts().iter().next().unwrap().pairs.as_ptr();
    assert_eq!(first(frame), first(copy));
    assert_eq!(frame.number(), 1);
    assert_eq!(scene.update().unwrap().number(), 2);
}

#[test]
fn a_scene_is_send_and_sync() {
    fn check<T: Send + Sync>() {}
    check::<Scene>();
    check::<crumple::Frame<'_>>();
    check::<Body>();
}

#[test]
fn contacts_begin_go_on_and_end() {
    for method in Method::all() {
        let mut scene = method.scene();
        let [a, b, c] = [0.0, 5.0, 10.0].map(|x| scene.add(tetrahedron(x)));
        let pair = |a, b| crumple::BodyPair { a, b };
        assert!(scene.update().unwrap().began().next().is_none());
        scene.set_positions(b, &at(0.5)).unwrap();
        let frame = scene.update().unwrap();
        assert_eq!(ids(frame.began()), [(a, b)], "{method}");
        assert_eq!((frame.persisted().count(), frame.ended().count()), (0, 0));
        scene.set_positions(c, &at(1.0)).unwrap();
        let frame = scene.update().unwrap();
        assert_eq!(ids(frame.began()), [(a, c), (b, c)], "{method}");
        assert_eq!(ids(frame.persisted()), [(a, b)]);
        // Nobody asks in this frame: what happens in it is reported by the next.
        scene.set_positions(b, &at(7.0)).unwrap();
        scene.update().unwrap();
        let frame = scene.update().unwrap();
        assert_eq!(frame.ended().collect::<Vec<_>>(), [pair(a, b), pair(b, c)], "{method}");
        assert_eq!(ids(frame.persisted()), [(a, c)]);
        scene.remove(c).unwrap();
        let frame = scene.update().unwrap();
        assert_eq!(frame.ended().collect::<Vec<_>>(), [pair(a, c)], "{method}");
        assert!(frame.contacts().is_empty());
        let frame = scene.update().unwrap();
        assert_eq!((frame.began().count(), frame.ended().count()), (0, 0));
    }
}

#[test]
fn masks_let_bodies_pass_unless_each_sees_the_other() {
    let mut scene = Scene::new();
    let [a, b, c] = [0.0, 0.25, 0.5].map(|x| scene.add(tetrahedron(x)));
    let meeting = |scene: &mut Scene| ids(scene.update().unwrap().contacts());
    assert_eq!(meeting(&mut scene), [(a, b), (a, c), (b, c)]);
    scene.set_collision_mask(a, 0b01, 0b10).unwrap();
    assert_eq!(meeting(&mut scene), [(a, b), (a, c), (b, c)], "the others are members of all and see all");
    scene.set_collision_mask(b, 0b01, u32::MAX).unwrap();
    assert_eq!(meeting(&mut scene), [(a, c), (b, c)], "a does not see b");
    scene.set_collision_mask(c, 0b10, 0b100).unwrap();
    assert_eq!(meeting(&mut scene), [], "c sees neither");
}

#[test]
fn a_filter_per_pair_of_triangles_holds_for_contacts_and_witnesses() {
    for method in Method::all() {
        let mut scene = method.scene();
        let [a, b] = [0.0, 0.5].map(|x| scene.add(tetrahedron(x)));
        let wall = scene.add(wall(0.25));
        let all = as_found(scene.update().unwrap().contacts());
        let (first, last) = (all[0].2[0], *all[0].2.last().unwrap());
        assert_ne!(first, last);
        scene.set_pair_filter(move |x, y, pair| (x, y) != (a, b) || pair == last);
        let frame = scene.update().unwrap();
        assert_eq!(frame.contact(a, b).unwrap().pairs, [last], "{method}");
        assert_eq!(
            frame.witnesses().iter().find(|contact| (contact.a, contact.b) == (a, b)).unwrap().pairs,
            [last],
            "{method}"
        );
        assert_eq!(frame.contact(a, wall).map(|contact| contact.pairs.to_vec()), Some(all[1].2.clone()));
        scene.set_pair_filter(|_, _, _| false);
        assert!(scene.update().unwrap().contacts().is_empty());
        scene.clear_pair_filter();
        assert_eq!(as_found(scene.update().unwrap().contacts()), all);
    }
}

#[test]
fn a_clone_goes_its_own_way_with_the_same_ids_also_under_another_method() {
    let mut scene = Scene::new();
    let [a, b] = [0.0, 0.5].map(|x| scene.add(tetrahedron(x)));
    scene.set_positions(b, &at(0.25)).unwrap();
    let expected = as_found(scene.update().unwrap().contacts());
    let mut saved = scene.clone();
    scene.set_positions(b, &at(7.0)).unwrap();
    assert!(scene.update().unwrap().contacts().is_empty());
    assert_eq!(as_found(saved.update().unwrap().contacts()), expected);
    assert!(saved.update().unwrap().began().next().is_none(), "a clone remembers the frame before");
    for method in Method::all() {
        let mut other = method.of(&saved);
        assert_eq!(as_found(other.update().unwrap().contacts()), expected, "{method}");
        other.set_positions(a, &at(-9.0)).unwrap();
        assert!(other.update().unwrap().contacts().is_empty(), "{method}");
    }
    assert_eq!(as_found(saved.update().unwrap().contacts()), expected);
}

#[test]
fn pairs_without_a_scene_are_those_of_a_scene() {
    let crossing =
        [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.5, 0.5, -1.0], [0.5, 0.5, 1.0], [3.0, 3.0, 0.0]];
    let own = Body::new(crumple::Mesh::new(6, vec![[0, 1, 2], [3, 4, 5]]).unwrap(), &crossing).unwrap();
    let [a, b] = [0.0, 0.5].map(tetrahedron);
    let mut scene = Method::BruteForce.scene();
    let bodies = [a.clone(), b.clone(), own.clone()].map(|body| scene.add(body));
    scene.set_self_collision(bodies[2], true).unwrap();
    let frame = scene.update().unwrap();
    assert_eq!(crumple::pairs(&a, &b), frame.contact(bodies[0], bodies[1]).unwrap().pairs);
    assert_eq!(crumple::self_pairs(&own), frame.contact(bodies[2], bodies[2]).unwrap().pairs);
    assert_eq!(bytemuck::cast_slice::<TrianglePair, [u32; 2]>(&crumple::self_pairs(&own)), [[0, 1]]);
}
