//! Overlaps, curves and regions that were once wrong, each by the smallest case that showed it.

use crate::support::shapes::{Shape, cells, cube, cuboid};
use crumple::contact::{OverlapFinder, regions};
use crumple::{Body, BodyId, Frame, Mesh, Scene, overlap};
use crumple_methods::Method;

/// Two cubes that share a cube of side 1.
fn cubes(method: Method) -> (Scene, [BodyId; 2]) {
    let mut scene = method.scene();
    let ids = [cube(0.0, 2.0), cube(1.0, 3.0)].map(|shape| scene.add(shape.body()));
    (scene, ids)
}

#[track_caller]
fn assert_one_cube(frame: Frame<'_>, [a, b]: [BodyId; 2]) {
    assert!((frame.overlap(a, b).unwrap().volume() - 1.0).abs() < 1e-14);
    let curves: Vec<usize> = frame.curves().map(|curves| curves.len()).collect();
    assert_eq!(curves, [1]);
    let volumes: Vec<f64> = frame.regions().map(|region| region.volume).collect();
    assert!(volumes.len() == 1 && (volumes[0] - 1.0).abs() < 1e-14, "{volumes:?}");
}

/// Lists of pairs that a limit had shortened were taken for all pairs: volumes of −0.61, −0.5 and 0.
#[test]
fn a_limit_or_a_filter_of_contacts_does_not_change_volumes() {
    for method in Method::all() {
        for most in [None, Some(1000), Some(5), Some(1), Some(0)] {
            for filter in [None, Some(0), Some(2)] {
                for contacts_first in [false, true] {
                    let (mut scene, ids) = cubes(method);
                    scene.set_max_pairs(most);
                    if let Some(filter) = filter {
                        scene.set_pair_filter(move |_, _, pair| filter != 0 && pair.a.0 % filter == 0);
                    }
                    let alone = scene.clone().update().unwrap().contacts().iter().next().map(|found| found.count);
                    let frame = scene.update().unwrap();
                    if contacts_first {
                        frame.contacts();
                        frame.witnesses();
                    }
                    assert_one_cube(frame, ids);
                    let contact = frame.contacts().iter().next();
                    assert_eq!(contact.map(|found| found.count), alone, "{method:?} {most:?} {filter:?}");
                    let all = crumple::pairs(frame.body(ids[0]).unwrap(), frame.body(ids[1]).unwrap());
                    let mut kept = all.clone();
                    kept.retain(|pair| filter.is_none_or(|filter| filter != 0 && pair.a.0 % filter == 0));
                    assert_eq!(contact.map_or(0, |found| found.count), kept.len() as u64);
                    kept.truncate(most.unwrap_or(usize::MAX));
                    assert_eq!(contact.map_or(&[][..], |found| found.pairs), kept);
                    let complete = contact.and_then(|found| found.complete_pairs());
                    assert_eq!(complete.map(|pairs| pairs.as_slice()), (kept == all).then_some(&all[..]));
                    assert_eq!(frame.witnesses().iter().next().map(|found| found.count), alone.map(|_| 1));
                }
            }
        }
    }
}

#[test]
fn a_list_that_is_not_complete_cannot_be_handed_to_a_finder() {
    let (mut scene, [a, b]) = cubes(Method::default());
    let frame = scene.update().unwrap();
    let contact = frame.contact(a, b).unwrap();
    let (pairs, mut finder) = (contact.complete_pairs().unwrap(), OverlapFinder::default());
    assert_eq!(pairs.as_slice(), contact.pairs);
    let found = finder.find(contact.body_a(), contact.body_b(), pairs).unwrap();
    assert_eq!(found, frame.overlap(a, b).unwrap().of);
    let witness = frame.witnesses().iter().find(|contact| (contact.a, contact.b) == (a, b)).unwrap();
    assert_eq!((witness.pairs.len(), witness.complete_pairs()), (1, None));
    scene.set_max_pairs(Some(5));
    let frame = scene.update().unwrap();
    assert_eq!(frame.contact(a, b).unwrap().complete_pairs(), None);
}

/// Asking for overlaps counted as asking for contacts, unless a filter was set: the frame after lost its events.
#[test]
fn overlaps_do_not_count_as_asking_contacts() {
    type Ask = fn(Frame<'_>);
    let questions: [Ask; 4] = [
        |_| (),
        |frame| _ = frame.overlaps().len(),
        |frame| _ = frame.curves().count(),
        |frame| _ = frame.regions().count(),
    ];
    for (ask, filter) in questions.into_iter().flat_map(|ask| [(ask, false), (ask, true)]) {
        let (mut scene, [_, b]) = cubes(Method::default());
        if filter {
            scene.set_pair_filter(|_, _, _| true);
        }
        let (apart, together) = (cube(5.0, 7.0).positions, cube(1.0, 3.0).positions);
        scene.set_positions(b, &apart).unwrap();
        assert!(scene.update().unwrap().contacts().is_empty());
        scene.set_positions(b, &together).unwrap();
        ask(scene.update().unwrap());
        let frame = scene.update().unwrap();
        ask(frame);
        assert_eq!((frame.began().count(), frame.persisted().count(), frame.ended().count()), (1, 0, 0));
        scene.set_positions(b, &apart).unwrap();
        ask(scene.update().unwrap());
        let frame = scene.update().unwrap();
        ask(frame);
        assert_eq!((frame.began().count(), frame.persisted().count(), frame.ended().count()), (0, 0, 1));
    }
}

/// Contacts that follow overlaps in a frame take over their pairs, and overlaps those of contacts: neither searches again.
#[test]
fn contacts_and_overlaps_of_a_frame_share_one_search() {
    let (mut scene, ids) = cubes(Method::default());
    let frame = scene.update().unwrap();
    assert_one_cube(frame, ids);
    assert_eq!(frame.contacts().stats().candidates, 0);
    assert_eq!(
        frame.contact(ids[0], ids[1]).unwrap().pairs,
        crumple::pairs(&cube(0.0, 2.0).body(), &cube(1.0, 3.0).body())
    );
    scene.set_positions(ids[1], &cube(1.5, 3.0).positions).unwrap();
    let frame = scene.update().unwrap();
    assert!(frame.contacts().stats().candidates > 0);
    assert!((frame.overlap(ids[0], ids[1]).unwrap().volume() - 0.125).abs() < 1e-14);
}

/// Bodies that touch had a region of volume 0, negative area and a centroid of [−inf, −inf, NaN].
#[test]
fn bodies_that_merely_touch_have_no_region_and_no_centroid() {
    let tetrahedron = |corners: [[f32; 3]; 4]| {
        let faces = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
        Body::new(Mesh::new(4, faces).unwrap(), &corners).unwrap()
    };
    let a = tetrahedron([[0.0, 1.0, 1.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [1.0, 2.0, 2.0]]);
    let b = tetrahedron([[1.0, 0.0, 1.0], [2.0, 2.0, 1.0], [0.0, 1.0, 2.0], [2.0, 2.0, 2.0]]);
    for (a, b) in [(&a, &b), (&b, &a)] {
        assert!(!crumple::pairs(a, b).is_empty());
        assert!(regions(a, b).unwrap().is_empty());
        let found = overlap(a, b).unwrap();
        assert!(found.volume().abs() < 1e-15);
        assert_eq!(found.centroid(), None);
        let mut scene = Scene::new();
        scene.add(a.clone());
        scene.add(b.clone());
        assert_eq!(scene.update().unwrap().regions().count(), 0);
    }
}

/// Two towers of `b` reach into `a`, and a bridge between them rests on its surface. There were one or two regions, depending
/// on which body was given first.
#[test]
fn where_faces_coincide_the_order_of_bodies_does_not_change_regions() {
    let mirrored = |shape: &Shape| shape.moved(|[x, y, z]| [x, y, -z]).inside_out();
    for lift in [0.0, 0.001, -0.001] {
        for mirror in [false, true] {
            let block = cuboid([0.0; 3], [3.0, 1.0, 1.0]);
            let arch = cells(&[[0, 0, 0], [0, 0, 1], [1, 0, 1], [2, 0, 1], [3, 0, 1], [4, 0, 1], [4, 0, 0]]);
            let arch = arch.moved(|p| p.map(|x| 0.5 * x + 0.25)).translated([0.0, 0.0, 0.25 + lift]);
            let [a, b] = [block, arch].map(|shape| if mirror { mirrored(&shape) } else { shape }.body());
            let volumes = |a: &Body, b: &Body| -> Vec<f64> {
                let mut volumes: Vec<f64> = regions(a, b).unwrap().iter().map(|region| region.volume).collect();
                volumes.sort_by(f64::total_cmp);
                volumes
            };
            let (found, swapped) = (volumes(&a, &b), volumes(&b, &a));
            assert_eq!(found.len(), swapped.len(), "{lift} {mirror}: {found:?} {swapped:?}");
            found.iter().zip(&swapped).for_each(|(x, y)| assert!((x - y).abs() < 1e-14));
            assert!((found.iter().sum::<f64>() - overlap(&a, &b).unwrap().volume()).abs() < 1e-14);
            if lift != 0.0 {
                assert_eq!(found.len(), if lift > 0.0 { 2 } else { 1 });
            }
        }
    }
}

/// Points of cuts were rounded to the last bits of coordinates: an error of 3.8e-8 at 2^26.
#[test]
fn the_volume_of_bodies_far_from_the_origin_is_as_exact_as_near_it() {
    let tetrahedron = |corners: [[f64; 3]; 4], by: f64| {
        let faces = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
        Body::new_f64(Mesh::new(4, faces).unwrap(), &corners.map(|p| p.map(|x| 0.125 * x + by))).unwrap()
    };
    let volumes = |by: f64| -> [f64; 2] {
        let a = tetrahedron([[0.0, 1.0, 2.0], [9.0, 0.0, 3.0], [2.0, 7.0, 1.0], [1.0, 3.0, 11.0]], by);
        let b = tetrahedron([[2.0, 2.0, 1.0], [11.0, 3.0, 5.0], [1.0, 12.0, 6.0], [5.0, 4.0, 13.0]], by);
        let parts = regions(&a, &b).unwrap();
        assert_eq!(parts.len(), 1);
        [overlap(&a, &b).unwrap().volume(), parts.iter().next().unwrap().volume]
    };
    let [here, _] = volumes(0.0);
    assert!(here > 0.01);
    for by in [0.0, 2f64.powi(26), -2f64.powi(26), 2f64.powi(44)] {
        volumes(by).iter().for_each(|found| assert!((found / here - 1.0).abs() < 1e-14, "{by}: {found} and {here}"));
    }
}
