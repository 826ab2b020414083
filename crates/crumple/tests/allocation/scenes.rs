//! A second identical pass over a sequence allocates nothing on one thread, whatever the method.
//!
//! Frames are made beforehand; what is counted is what a caller's loop does: new positions in, contacts out.

use crate::support::methods::{brute_force, default_methods, methods, steady_methods};
use crate::support::playback::{Frame, Playback, bodies};
use allocation_counter::measure;
use crumple::{Aabb, Body, BodyId, Scene};

/// Some frames of a scene. An odd number: whatever is used in turns is then used in other turns the second time.
fn frames(scene: &crumple_scenes::Scene, count: usize) -> Vec<Frame> {
    assert!(count % 2 == 1);
    let last = scene.frame_count() - 1;
    (0..count).map(|i| scene.frame(i * last / (count - 1))).collect()
}

fn small(name: &str) -> crumple_scenes::Scene {
    crumple_scenes::small().into_iter().find(|scene| scene.name() == name).unwrap()
}

/// Runs `pass` twice on one thread; returns what it returned and how often the second one allocated.
fn second_pass<T: PartialEq + std::fmt::Debug + Send>(mut pass: impl FnMut() -> T + Send) -> (T, u64) {
    // A pool of one thread, for where the library would share work among those of the pool it is called in.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        let first = pass();
        let mut second = None;
        let counted = measure(|| second = Some(pass()));
        assert_eq!(second.as_ref(), Some(&first), "the second pass found something else");
        (first, counted.count_total)
    })
}

/// One pass: every frame, all pairs, one pair for each two bodies.
fn play(scene: &mut Scene, ids: &[BodyId], frames: &[Frame]) -> (usize, usize) {
    let (mut pairs, mut contacts) = (0, 0);
    for frame in frames {
        for (&id, positions) in ids.iter().zip(frame) {
            scene.set_positions(id, positions).unwrap();
        }
        let frame = scene.update().unwrap();
        pairs += frame.contacts().iter().map(|contact| contact.pairs.len()).sum::<usize>();
        contacts += frame.witnesses().len();
    }
    (pairs, contacts)
}

#[test]
fn the_counter_counts() {
    assert_eq!(measure(|| drop(std::hint::black_box(vec![0u8; 100]))).count_total, 1);
}

#[test]
fn all_pairs_alone_in_an_odd_number_of_frames() {
    let scene = small("small-spheres-1280");
    let (frames, bodies) = (frames(&scene, 3), bodies(&scene));
    for method in default_methods() {
        let mut playback = Playback::new(&*method, &bodies);
        let (found, allocations) = second_pass(|| {
            let pairs = |frame: &Frame| {
                playback.move_bodies(frame);
                playback.scene.update().unwrap().contacts().pair_count()
            };
            frames.iter().map(pairs).sum::<usize>()
        });
        assert!(found > 0);
        assert_eq!(allocations, 0, "{method}");
    }
}

#[test]
fn two_bodies_under_every_method_and_option() {
    // The bodies are of different sizes: 800 triangles and 1,280.
    let scene = small("small-scatter");
    let (frames, bodies) = (frames(&scene, 5), bodies(&scene));
    assert_ne!(bodies[0].mesh().triangles().len(), bodies[1].mesh().triangles().len());
    for method in methods() {
        let mut playback = Playback::new(&*method, &bodies);
        let (found, allocations) = second_pass(|| play(&mut playback.scene, &playback.ids, &frames));
        assert!(found.0 > 0);
        assert_eq!(allocations, 0, "{method}");
    }
}

#[test]
fn a_body_that_meets_itself_and_another() {
    let scene = small("small-inside-out");
    let (frames, bodies) = (frames(&scene, 5), bodies(&scene));
    for method in steady_methods() {
        let mut playback = Playback::new(&*method, &bodies).with_self_collision();
        let (found, allocations) = second_pass(|| play(&mut playback.scene, &playback.ids, &frames));
        assert!(found.0 > 0);
        assert_eq!(allocations, 0, "{method}");
    }
}

#[test]
fn bodies_with_poses() {
    let scene = small("small-spheres-320");
    let (frames, bodies) = (frames(&scene, 5), bodies(&scene));
    for method in default_methods() {
        let Playback { mut scene, ids } = Playback::new(&*method, &bodies);
        let (_, allocations) = second_pass(|| {
            let turned = |frame: usize| crumple::Pose::new([0.0, 0.1 * frame as f64, 0.0, 1.0], [0.0; 3]).unwrap();
            let each = |(number, frame)| {
                ids.iter().for_each(|&id| scene.set_pose(id, turned(number)).unwrap());
                play(&mut scene, &ids, std::slice::from_ref(frame))
            };
            frames.iter().enumerate().map(each).fold((0, 0), |sum, found| (sum.0 + found.0, sum.1 + found.1))
        });
        assert_eq!(allocations, 0, "{method}");
    }
}

#[test]
fn many_bodies_in_a_broad_phase_that_sweeps() {
    let scene = crumple_scenes::heap(150, 1).unwrap();
    let (frames, bodies) = (frames(&scene, 25), bodies(&scene));
    for method in default_methods() {
        let mut playback = Playback::new(&*method, &bodies);
        let (found, allocations) = second_pass(|| play(&mut playback.scene, &playback.ids, &frames));
        assert!(found.1 > 100);
        assert_eq!(allocations, 0, "{method}");
    }
}

#[test]
fn many_bodies_of_which_some_stand_still_some_may_touch_and_some_are_in_groups() {
    let scene = small("small-crowd-of-spheres");
    let (frames, bodies) = (frames(&scene, 15), bodies(&scene));
    for method in default_methods() {
        let Playback { mut scene, ids } = Playback::new(&*method, &bodies);
        for (place, pair) in ids.windows(2).enumerate() {
            scene.set_group(pair[0], place as u32 % 4).unwrap();
            scene.ignore(pair[0], pair[1]).unwrap();
        }
        scene.ignore_groups(1, 2);
        let (found, allocations) = second_pass(|| {
            let mut found = (0, 0);
            for (number, frame) in frames.iter().enumerate() {
                let mut moving = ids.iter().zip(frame).enumerate().filter(|(place, _)| (place + number) % 3 == 0);
                moving.by_ref().for_each(|(_, (&id, positions))| scene.set_positions(id, positions).unwrap());
                let (more, contacts) = play(&mut scene, &[], std::slice::from_ref(&Vec::new()));
                found = (found.0 + more, found.1 + contacts);
            }
            // Both passes begin with every body where the sequence begins.
            ids.iter().zip(&frames[0]).for_each(|(&id, positions)| scene.set_positions(id, positions).unwrap());
            found
        });
        assert!(found.0 > 0);
        assert_eq!(allocations, 0, "{method}");
    }
}

#[test]
fn loose_boxes_whose_bodies_are_read_when_they_come_near() {
    let scene = small("small-crowd-of-arms");
    let (frames, bodies) = (frames(&scene, 9), bodies(&scene));
    let boxes: Vec<Vec<Aabb>> =
        frames.iter().map(|frame| frame.iter().map(|positions| Aabb::of_points(positions)).collect()).collect();
    for method in default_methods().iter().filter(|method| method.name() != brute_force().name()) {
        let Playback { mut scene, ids } = Playback::new(&**method, &bodies);
        let (found, allocations) = second_pass(|| {
            let (mut pairs, mut read) = (0, 0);
            for (frame, boxes) in frames.iter().zip(&boxes) {
                ids.iter().zip(boxes).for_each(|(&id, &promised)| scene.set_loose_box(id, promised).unwrap());
                let contacts = scene.update_with(|id| {
                    read += 1;
                    &frame[id.index()]
                });
                pairs += contacts.unwrap().contacts().pair_count();
            }
            (pairs, read)
        });
        assert!(found.0 > 0 && found.1 > 0 && found.1 < frames.len() * bodies.len(), "{found:?}");
        assert_eq!(allocations, 0, "{method}");
    }
}

#[test]
fn positions_of_one_body_taken_in_again_and_again() {
    let scene = small("small-spheres-320");
    let (frames, mut body) = (frames(&scene, 3), bodies(&scene).remove(0));
    let pass = |body: &mut Body| frames.iter().for_each(|frame| body.set_positions(&frame[0]).unwrap());
    pass(&mut body);
    assert_eq!(measure(|| pass(&mut body)).count_total, 0);
}

#[test]
fn distances_and_near_features() {
    let scene = small("small-spheres-1280");
    let (frames, bodies) = (frames(&scene, 11), bodies(&scene));
    for method in default_methods() {
        let mut playback = Playback::new(&*method, &bodies);
        let [a, b] = [playback.ids[0], playback.ids[1]];
        playback.scene.set_self_collision(a, true).unwrap();
        let (found, allocations) = second_pass(|| {
            let mut found = (0, 0, 0);
            for frame in &frames {
                playback.move_bodies(frame);
                let frame = playback.scene.update().unwrap();
                found.0 += usize::from(frame.is_closer_than(a, b, 0.1).unwrap());
                found.1 += usize::from(frame.distance(a, b).unwrap().distance.lo > 0.0);
                found.2 += frame.near(0.05).len() + frame.near(0.2).len() + frame.near(0.05).len();
            }
            found
        });
        assert!(found.0 > 0 && found.1 > 0 && found.2 > 0, "{found:?}");
        assert_eq!(allocations, 0, "{method}");
    }
}

#[test]
fn closest_points_and_rays() {
    let scene = small("small-spheres-1280");
    let (frames, bodies) = (frames(&scene, 3), bodies(&scene));
    let mut scene = crumple_methods::Method::default().scene();
    let ids: Vec<BodyId> = bodies.into_iter().map(|body| scene.add(body)).collect();
    let points = crumple_scenes::points_in_box(500, 1, [-2.0; 3], [2.0; 3]);
    let rays: Vec<crumple::Ray> =
        points.as_chunks::<2>().0.iter().map(|&[from, along]| crumple::Ray::new(from, along)).collect();
    let (mut found, mut hits) = (Vec::new(), Vec::new());
    let (count, allocations) = second_pass(|| {
        let mut count = 0;
        for frame in &frames {
            for (&id, positions) in ids.iter().zip(frame) {
                scene.set_positions(id, positions).unwrap();
            }
            let frame = scene.update().unwrap();
            frame.closest_point(ids[0], [0.5; 3]).unwrap();
            frame.signed_closest_points(ids[0], &points, &mut found).unwrap();
            frame.cast_rays(&rays, &mut hits).unwrap();
            count += hits.iter().flatten().count();
        }
        count
    });
    assert!(count > 0);
    assert_eq!(allocations, 0);
}
