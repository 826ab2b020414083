//! Where a step begins, whichever calls lead to its end: every body starts where it was in the last frame.
//!
//! A wall stands at z = 0 and a sheet at z = 1 in the last frame. Whatever the calls in between, a sheet that ends at
//! z = -2 has passed through the wall a third of the way.

use crumple::{Aabb, Body, BodyId, Edit, Frame, Mesh, Scene, Seam, TriangleId};
use crumple_methods::Method;

use crate::support::shapes::{cube, cuboid, sphere};

fn sheet(z: f32) -> [[f32; 3]; 3] {
    [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]]
}

fn body(z: f32) -> Body {
    Body::new(Mesh::new(3, vec![[0, 1, 2]]).unwrap(), &sheet(z)).unwrap()
}

/// The wall, the sheet, and one more body far away, after one update.
fn scene() -> (Scene, [BodyId; 3]) {
    let mut scene = Scene::new();
    let ids = [0.0, 1.0, 50.0].map(|z| scene.add(body(z)));
    scene.update().unwrap();
    (scene, ids)
}

/// Around everything near the wall.
fn loose() -> Aabb {
    Aabb::new([0.0, 0.0, -9.0], [4.0, 4.0, 9.0])
}

/// The sheet came from z = 1, and through the wall.
fn passed(frame: Frame<'_>, sheet: BodyId, calls: &str) {
    assert_eq!(frame.body(sheet).unwrap().previous_positions()[0][2], 1.0, "{calls}");
    let impact = frame.first_impact().unwrap_or_else(|| panic!("{calls}: it passed through the wall"));
    assert!(impact.time.lo <= 1.0 / 3.0 && impact.time.hi >= 1.0 / 3.0, "{calls}: {:?}", impact.time);
}

#[test]
fn setting_correcting_and_writing_in_any_order_keeps_the_start() {
    type Call = fn(&mut Scene, BodyId);
    let calls: [(&str, Call); 6] = [
        ("set", |scene, id| scene.set_positions(id, &sheet(-1.0)).unwrap()),
        ("correct", |scene, id| scene.correct_positions(id, &sheet(-1.0)).unwrap()),
        ("write", |scene, id| scene.write_positions(id, |_, new| new.copy_from_slice(&sheet(-1.0))).unwrap()),
        ("in place", |scene, id| {
            scene.positions_mut(id).unwrap().copy_from_slice(&sheet(-1.0));
            scene.commit_positions(id).unwrap();
        }),
        ("in place, not taken in", |scene, id| scene.positions_mut(id).unwrap().copy_from_slice(&sheet(-1.0))),
        ("loose box", |scene, id| scene.set_loose_box(id, loose()).unwrap()),
    ];
    for (first_name, first) in calls {
        for (second_name, second) in calls {
            let (mut scene, [_, id, other]) = scene();
            // The step begins with another body.
            scene.set_positions(other, &sheet(51.0)).unwrap();
            first(&mut scene, id);
            second(&mut scene, id);
            scene.set_positions(id, &sheet(-2.0)).unwrap();
            passed(scene.update().unwrap(), id, &format!("{first_name}, {second_name}, set"));
        }
    }
}

#[test]
fn a_body_that_is_read_late_starts_where_it_was() {
    let (mut scene, [_, id, _]) = scene();
    scene.set_positions(id, &sheet(-1.0)).unwrap();
    scene.set_loose_box(id, loose()).unwrap();
    passed(scene.update_with(|_| sheet(-2.0).leak_static()).unwrap(), id, "set, loose box, read");
}

#[test]
fn an_update_that_is_refused_begins_no_second_step() {
    let (mut scene, [_, id, other]) = scene();
    for id in [id, other] {
        scene.set_loose_box(id, loose()).unwrap();
    }
    let (good, outside) = (sheet(-1.0), sheet(-20.0));
    let refused = scene.update_with(|asked| if asked == id { &good[..] } else { &outside[..] }).map(|_| ());
    assert!(refused.is_err());
    scene.set_positions(id, &sheet(-2.0)).unwrap();
    scene.set_positions(other, &sheet(50.0)).unwrap();
    passed(scene.update().unwrap(), id, "refused update, set");
}

#[test]
fn a_fused_body_starts_where_its_parts_did() {
    for first in [false, true] {
        let (mut scene, [wall, id, other]) = scene();
        scene.set_positions(id, &sheet(-1.0)).unwrap();
        let fused = if first { scene.fuse(id, other, Seam::Open) } else { scene.fuse(other, id, Seam::Open) };
        let fused = fused.unwrap().id;
        let again = scene.body(fused).unwrap().positions().to_vec();
        scene.set_positions(fused, &again).unwrap();
        let frame = scene.update().unwrap();
        let impact = frame.first_impact().expect("it passed through the wall");
        assert!([impact.a, impact.b].contains(&wall) && impact.time.lo <= 0.5 && impact.time.hi >= 0.5);
    }
}

#[test]
fn parts_of_a_body_start_where_it_did() {
    let (mut scene, [_, sheet_alone, other]) = scene();
    scene.remove(sheet_alone).unwrap();
    let two = Mesh::new(6, vec![[0, 1, 2], [3, 4, 5]]).unwrap();
    let at = |z: f32| [sheet(z), sheet(z + 20.0)].concat();
    let id = scene.add(Body::new(two, &at(1.0)).unwrap());
    scene.update().unwrap();
    scene.set_positions(other, &sheet(51.0)).unwrap();
    scene.set_positions(id, &at(-1.0)).unwrap();
    let split = scene.split(id, &[TriangleId(1)]).unwrap();
    scene.set_positions(split.rest, &sheet(-2.0)).unwrap();
    passed(scene.update().unwrap(), split.rest, "set, split, set");
}

#[test]
fn a_correction_after_a_frame_belongs_to_its_step() {
    let (mut scene, [_, id, _]) = scene();
    scene.set_positions(id, &sheet(-1.0)).unwrap();
    scene.update().unwrap();
    scene.correct_positions(id, &sheet(-2.0)).unwrap();
    passed(scene.update().unwrap(), id, "set, update, correct");
    scene.set_positions(id, &sheet(-3.0)).unwrap();
    assert_eq!(scene.update().unwrap().body(id).unwrap().previous_positions(), sheet(-2.0));
}

#[test]
fn a_refused_call_keeps_what_was_written_in_place() {
    type Call = fn(&mut Scene, BodyId);
    let refused: [(&str, Call); 5] = [
        ("not finite", |scene, id| assert!(scene.set_positions(id, &[[f32::NAN; 3]; 3]).is_err())),
        ("not finite, correction", |scene, id| assert!(scene.correct_positions(id, &[[f32::NAN; 3]; 3]).is_err())),
        ("one too many", |scene, id| assert!(scene.set_positions(id, &[[0.0f32; 3]; 4]).is_err())),
        ("no f32 numbers", |scene, id| assert!(scene.set_positions_f64(id, &[[0.1f64; 3]; 3]).is_err())),
        ("edit", |scene, id| {
            assert!(scene.edit(id, &Edit { remove: vec![TriangleId(9)], ..Edit::default() }).is_err());
        }),
    ];
    for (name, call) in refused {
        let (mut scene, [_, id, _]) = scene();
        scene.positions_mut(id).unwrap().copy_from_slice(&sheet(5.0));
        call(&mut scene, id);
        assert_eq!(scene.update().unwrap().body(id).unwrap().positions(), sheet(5.0), "{name}");
    }
    let wide = Body::new_f64(Mesh::new(3, vec![[0, 1, 2]]).unwrap(), &sheet(0.0).map(|p| p.map(f64::from))).unwrap();
    let mut scene = Scene::new();
    let id = scene.add(wide);
    scene.positions_mut_f64(id).unwrap()[0] = [0.1; 3];
    assert!(scene.set_positions_f64(id, &[[1.0e-60; 3]; 3]).is_err());
    assert_eq!(scene.update().unwrap().body(id).unwrap().positions_f64().unwrap()[0], [0.1; 3]);
}

#[test]
fn what_was_written_in_place_outlives_changes_of_triangles() {
    let written = [sheet(5.0), sheet(7.0)].concat();
    let mesh = || Mesh::new(6, vec![[0, 1, 2], [3, 4, 5]]).unwrap();
    let start = [sheet(0.0), sheet(1.0)].concat();
    let bodies = || {
        let doubles: Vec<[f64; 3]> = start.iter().map(|p| p.map(f64::from)).collect();
        [Body::new(mesh(), &start).unwrap(), Body::new_f64(mesh(), &doubles).unwrap()]
    };
    let write = |scene: &mut Scene, id: BodyId| {
        if scene.body(id).unwrap().positions_f64().is_some() {
            let to = scene.positions_mut_f64(id).unwrap();
            to.iter_mut().zip(&written).for_each(|(to, from)| *to = from.map(f64::from));
        } else {
            scene.positions_mut(id).unwrap().copy_from_slice(&written);
        }
    };
    for body in bodies() {
        let mut scene = Scene::new();
        let id = scene.add(body.clone());
        write(&mut scene, id);
        scene.edit(id, &Edit::default()).unwrap();
        scene.edit(id, &Edit { add_vertices: vec![[9.0; 3]], ..Edit::default() }).unwrap();
        let frame = scene.update().unwrap();
        assert_eq!(frame.body(id).unwrap().positions(), [&written[..], &[[9.0; 3]]].concat());

        let id = scene.add(body.clone());
        write(&mut scene, id);
        scene.edit(id, &Edit { remove: vec![TriangleId(0)], ..Edit::default() }).unwrap();
        scene.compact(id).unwrap();
        assert_eq!(scene.update().unwrap().body(id).unwrap().positions(), sheet(7.0));

        let id = scene.add(body.clone());
        write(&mut scene, id);
        let split = scene.split(id, &[TriangleId(0)]).unwrap();
        assert_eq!(scene.update().unwrap().body(split.off).unwrap().positions(), sheet(5.0));

        let other = scene.add(body.clone());
        let id = scene.add(body);
        write(&mut scene, id);
        let fused = scene.fuse(other, id, Seam::Open).unwrap().id;
        assert_eq!(scene.update().unwrap().body(fused).unwrap().positions(), [&start[..], &written[..]].concat());
    }
}

#[test]
fn a_body_taken_out_and_added_again_has_nothing_pending() {
    let (mut scene, [_, id, _]) = scene();
    scene.positions_mut(id).unwrap().copy_from_slice(&sheet(5.0));
    let taken_out = scene.remove(id).unwrap();
    let id = scene.add(taken_out);
    scene.positions_mut(id).unwrap()[0] = [0.0, 0.0, 2.0];
    assert_eq!(scene.update().unwrap().body(id).unwrap().positions()[..2], [[0.0, 0.0, 2.0], [4.0, 0.0, 1.0]]);
}

#[test]
fn the_later_of_writing_in_place_and_a_loose_box_counts() {
    let (mut scene, [_, id, _]) = scene();
    scene.positions_mut(id).unwrap().copy_from_slice(&sheet(20.0));
    scene.set_loose_box(id, loose()).unwrap();
    passed(scene.update_with(|_| sheet(-2.0).leak_static()).unwrap(), id, "written, loose box");
    scene.set_loose_box(id, Aabb::new([0.0, 0.0, 30.0], [4.0, 4.0, 31.0])).unwrap();
    scene.positions_mut(id).unwrap().copy_from_slice(&sheet(20.0));
    assert_eq!(scene.update().unwrap().body(id).unwrap().positions(), sheet(20.0));
}

#[test]
fn a_copy_goes_on_as_the_original_does() {
    let (mut scene, [_, id, other]) = scene();
    scene.positions_mut(id).unwrap().copy_from_slice(&sheet(-2.0));
    scene.set_positions(other, &sheet(52.0)).unwrap();
    let mut copy = scene.clone();
    for scene in [&mut scene, &mut copy] {
        passed(scene.update().unwrap(), id, "copied between frames");
    }
    // Regions keep their ids.
    let mut scene = Scene::new();
    scene.add(cube(0.0, 2.0).body());
    let id = scene.add(cube(1.0, 3.0).body());
    let names = |frame: Frame<'_>| frame.regions().map(|region| (region.id, region.volume)).collect::<Vec<_>>();
    let first = names(scene.update().unwrap());
    let mut at_first = scene.clone();
    scene.set_positions(id, &cube(9.0, 11.0).positions).unwrap();
    assert!(names(scene.update().unwrap()).is_empty());
    let mut later = scene.clone();
    for scene in [&mut scene, &mut later] {
        scene.set_positions(id, &cube(1.0, 3.0).positions).unwrap();
    }
    let [of_scene, of_copy] = [scene, later].map(|mut scene| names(scene.update().unwrap()));
    assert_eq!(of_scene, of_copy);
    assert_ne!(of_scene[0].0, first[0].0, "in between there was none");
    assert_eq!(names(at_first.frame().unwrap()), first);
    assert_eq!(names(at_first.update().unwrap()), first);
}

#[test]
fn the_first_impact_is_the_first_of_all_impacts_also_with_a_thickness() {
    let round = sphere(1, [0.0; 3], 2.0);
    let square = cuboid([-2.0; 3], [2.0; 3]);
    let mut compared = 0;
    for seed in 0..40u32 {
        let of = |k: u32| f32::from(((seed * 7 + k * 13) % 11) as u8) / 2.0 - 2.5;
        let (from, to) = ([of(0), 5.0 + of(1).abs(), of(2)], [of(3), 1.5 * of(4), of(5)]);
        for (a, b) in [(&square, &square), (&round, &square), (&round, &round)] {
            let mut seen = Vec::new();
            for (threads, history) in [(1, from), (2, to), (4, [0.0, 9.0, 0.0])] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| {
                    for method in [Method::default(), Method::all()[1]] {
                        let mut scene = method.scene();
                        let ids = [scene.add(a.body()), scene.add(b.translated(history).body())];
                        for id in ids {
                            scene.set_thickness(id, 0.1 + 0.05 * f64::from(seed % 8)).unwrap();
                        }
                        scene.update().unwrap();
                        for at in [from, to] {
                            scene.set_positions(ids[1], &b.translated(at).positions).unwrap();
                            let frame = scene.update().unwrap();
                            assert_eq!(frame.first_impact(), frame.impacts().first(), "seed {seed}");
                            if at == to {
                                compared += usize::from(!frame.impacts().is_empty());
                                seen.push(frame.impacts().iter().map(|found| found.of).collect::<Vec<_>>());
                            }
                        }
                    }
                });
            }
            for two in seen.windows(2) {
                assert_eq!(two[0], two[1], "seed {seed}: by method, history or threads");
            }
        }
    }
    assert!(compared > 300, "{compared}");
}

/// Positions that are there as long as the test.
trait LeakStatic {
    fn leak_static(self) -> &'static [[f32; 3]];
}

impl LeakStatic for [[f32; 3]; 3] {
    fn leak_static(self) -> &'static [[f32; 3]] {
        Box::leak(Box::new(self))
    }
}
