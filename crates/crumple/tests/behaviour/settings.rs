//! Whatever can change an answer ends the frame, and what is refused does not.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use crumple::{Aabb, Body, BodyId, Edit, Mesh, Pose, Scene, Seam, TriangleId};

/// What a call is applied to: the scene and two of its bodies, in f32 and in f64.
type Call = Box<dyn Fn(&mut Scene, [BodyId; 2])>;

fn call(call: impl Fn(&mut Scene, [BodyId; 2]) + 'static) -> Call {
    Box::new(call)
}

fn corners(z: f32) -> [[f32; 3]; 6] {
    [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z], [0.0, 0.0, z + 9.0], [4.0, 0.0, z + 9.0], [0.0, 4.0, z + 9.0]]
}

fn wide(z: f32) -> [[f64; 3]; 6] {
    corners(z).map(|corner| corner.map(f64::from))
}

fn mesh() -> Arc<Mesh> {
    Arc::new(Mesh::new(6, vec![[0, 1, 2], [3, 4, 5]]).unwrap())
}

fn scene() -> (Scene, [BodyId; 2]) {
    let mut scene = Scene::new();
    let a = scene.add(Body::new(mesh(), &corners(0.0)).unwrap());
    let b = scene.add(Body::new_f64(mesh(), &wide(1.0)).unwrap());
    scene.update().unwrap();
    (scene, [a, b])
}

/// Every method that takes `&mut self`, except those that begin a frame, and whether it can change an answer.
fn calls() -> Vec<(&'static str, bool, Call)> {
    vec![
        (
            "add",
            true,
            call(|scene, _| {
                scene.add(Body::new(mesh(), &corners(3.0)).unwrap());
            }),
        ),
        ("remove", true, call(|scene, [a, _]| drop(scene.remove(a).unwrap()))),
        ("set_name", false, call(|scene, [a, _]| scene.set_name(a, Some("a")).unwrap())),
        ("set_user_data", false, call(|scene, [a, _]| scene.set_user_data(a, 7).unwrap())),
        ("set_max_pairs", true, call(|scene, _| scene.set_max_pairs(Some(1)))),
        ("set_self_collision", true, call(|scene, [a, _]| scene.set_self_collision(a, true).unwrap())),
        ("ignore", true, call(|scene, [a, b]| scene.ignore(a, b).unwrap())),
        ("stop_ignoring", true, call(|scene, [a, b]| scene.stop_ignoring(a, b).unwrap())),
        ("set_group", true, call(|scene, [a, _]| scene.set_group(a, 3).unwrap())),
        ("ignore_groups", true, call(|scene, _| scene.ignore_groups(0, 0))),
        ("stop_ignoring_groups", true, call(|scene, _| scene.stop_ignoring_groups(0, 0))),
        ("set_crossings_only", true, call(|scene, _| scene.set_crossings_only(true))),
        ("set_collision_mask", true, call(|scene, [a, _]| scene.set_collision_mask(a, 1, 1).unwrap())),
        ("set_pair_filter", true, call(|scene, _| scene.set_pair_filter(|_, _, _| false))),
        ("clear_pair_filter", true, call(|scene, _| scene.clear_pair_filter())),
        ("leave_out_rings", true, call(|scene, [a, _]| scene.leave_out_rings(a, 2).unwrap())),
        (
            "leave_out_near_at_rest",
            true,
            call(|scene, [_, b]| scene.leave_out_near_at_rest(b, &wide(0.0), 0.5).unwrap()),
        ),
        ("set_feature_filter", true, call(|scene, _| scene.set_feature_filter(|_, _, _| false))),
        ("clear_feature_filter", true, call(|scene, _| scene.clear_feature_filter())),
        ("set_thickness", true, call(|scene, [a, _]| scene.set_thickness(a, 3.0).unwrap())),
        ("set_positions", true, call(|scene, [a, _]| scene.set_positions(a, &corners(2.0)).unwrap())),
        ("correct_positions", true, call(|scene, [a, _]| scene.correct_positions(a, &corners(2.0)).unwrap())),
        ("set_positions_f64", true, call(|scene, [_, b]| scene.set_positions_f64(b, &wide(2.0)).unwrap())),
        ("correct_positions_f64", true, call(|scene, [_, b]| scene.correct_positions_f64(b, &wide(2.0)).unwrap())),
        (
            "write_positions",
            true,
            call(|scene, [a, _]| {
                scene.write_positions(a, |old, new| new.copy_from_slice(old)).unwrap();
            }),
        ),
        (
            "write_positions_f64",
            true,
            call(|scene, [_, b]| {
                scene.write_positions_f64(b, |old, new| new.copy_from_slice(old)).unwrap();
            }),
        ),
        ("positions_mut", true, call(|scene, [a, _]| scene.positions_mut(a).unwrap()[0] = [9.0; 3])),
        ("positions_mut_f64", true, call(|scene, [_, b]| scene.positions_mut_f64(b).unwrap()[0] = [9.0; 3])),
        ("commit_positions", false, call(|scene, [a, _]| scene.commit_positions(a).unwrap())),
        ("set_loose_box", true, call(|scene, [a, _]| scene.set_loose_box(a, Aabb::new([0.0; 3], [9.0; 3])).unwrap())),
        ("set_pose", true, call(|scene, [a, _]| scene.set_pose(a, Pose::IDENTITY).unwrap())),
        (
            "edit",
            true,
            call(|scene, [a, _]| {
                scene.edit(a, &Edit { remove: vec![TriangleId(0)], ..Edit::default() }).unwrap();
            }),
        ),
        ("split", true, call(|scene, [a, _]| drop(scene.split(a, &[TriangleId(0)]).unwrap()))),
        ("fuse", true, call(|scene, [a, b]| drop(scene.fuse(a, b, Seam::Open).unwrap()))),
        ("compact", true, call(|scene, [a, _]| drop(scene.compact(a).unwrap()))),
        ("swap_mesh", true, call(|scene, [a, _]| scene.swap_mesh(a, mesh(), &corners(5.0)).unwrap())),
    ]
}

#[test]
fn whatever_can_change_an_answer_ends_the_frame() {
    for (name, changes, call) in calls() {
        let (mut scene, ids) = scene();
        assert!(scene.frame().is_some());
        call(&mut scene, ids);
        assert_eq!(scene.frame().is_none(), changes, "{name}");
    }
}

#[test]
fn the_list_above_names_every_method_that_changes_a_scene() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/scene");
    let mut found = BTreeSet::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        // Methods of a scene are indented by one level; what is generic or long continues on the lines after.
        let mut of_scene = false;
        for (at, line) in text.lines().enumerate() {
            of_scene = if line.starts_with("impl") { line.starts_with("impl Scene ") } else { of_scene };
            let Some(rest) = line.strip_prefix("    pub fn ").filter(|_| of_scene) else { continue };
            let signature: String = text.lines().skip(at).take_while(|line| !line.ends_with('{')).collect();
            if line.contains("(&mut self") || signature.contains("&mut self") {
                found.insert(rest.split(['(', '<']).next().unwrap_or_default().to_string());
            }
        }
    }
    let begins_a_frame = ["update", "update_with"].map(str::to_string);
    let named: BTreeSet<String> = calls().iter().map(|(name, ..)| name.to_string()).chain(begins_a_frame).collect();
    assert_eq!(found, named);
}

#[test]
fn a_refused_call_leaves_the_frame_as_it_is() {
    let refused: Vec<(&str, Call)> = vec![
        ("set_positions", call(|scene, [a, _]| drop(scene.set_positions(a, &[[0.0f32; 3]; 5]).unwrap_err()))),
        ("correct_positions", call(|scene, [a, _]| drop(scene.correct_positions(a, &[[f32::NAN; 3]; 6]).unwrap_err()))),
        (
            "write_positions",
            call(|scene, [a, b]| {
                scene.write_positions(a, |_, new| new.fill([f32::NAN; 3])).unwrap_err();
                scene.write_positions(b, |_, _| ()).unwrap_err();
            }),
        ),
        ("positions_mut", call(|scene, [_, b]| drop(scene.positions_mut(b).unwrap_err()))),
        ("positions_mut_f64", call(|scene, [a, _]| drop(scene.positions_mut_f64(a).unwrap_err()))),
        ("set_loose_box", call(|scene, [a, _]| drop(scene.set_loose_box(a, Aabb::EMPTY).unwrap_err()))),
        ("set_thickness", call(|scene, [a, _]| drop(scene.set_thickness(a, -1.0).unwrap_err()))),
        (
            "edit",
            call(|scene, [a, _]| {
                scene.edit(a, &Edit { remove: vec![TriangleId(9)], ..Edit::default() }).unwrap_err();
            }),
        ),
        ("split", call(|scene, [a, _]| drop(scene.split(a, &[]).unwrap_err()))),
        ("fuse", call(|scene, [a, _]| drop(scene.fuse(a, a, Seam::Open).unwrap_err()))),
        ("swap_mesh", call(|scene, [a, _]| drop(scene.swap_mesh(a, mesh(), &[[0.0f32; 3]; 5]).unwrap_err()))),
    ];
    for (name, call) in refused {
        let (mut scene, ids) = scene();
        let before = (scene.body(ids[0]).unwrap().version(), scene.body(ids[0]).unwrap().positions().to_vec());
        call(&mut scene, ids);
        assert!(scene.frame().is_some(), "{name}");
        assert_eq!(before, (scene.body(ids[0]).unwrap().version(), scene.body(ids[0]).unwrap().positions().to_vec()));
    }
}
