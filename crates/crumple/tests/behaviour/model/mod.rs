//! Random walks of a scene beside a model of it that keeps everything in plain lists.
//!
//! Every public operation that changes a scene takes part: positions set, corrected, written, refused, loose boxes, edits,
//! splits, fusions, copies, methods, limits, filters, thickness, in f32 and f64, on bodies so small and on so coarse a grid
//! that they meet, touch and coincide all the time. In every frame every answer must be that of a scene without history in
//! the model's state, contacts also that of brute force, and every body must start where the model's does.
//!
//! Walks are seeded. One that fails is made shorter, by taking operations out as long as it fails, and printed.
//! `CRUMPLE_MODEL_STEPS` asks for more steps; `cargo xtask fuzz scene_vs_model` for a million.

mod answers;
mod operations;
mod state;

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crumple::broad::{AllPairs, SweepAndPrune};
use crumple::{
    Aabb, Body, BodyId, Edit, Mesh, Renumbering, Scene, SceneError, Seam, TriangleId, TrianglePair, VertexId,
};
use crumple_methods::Method;
use crumple_scenes::Random;

use crate::support::shapes::cuboid;
use answers::{Answers, CONTACTS, fresh};
use operations::{Corners, Fault, How, Operation};
use state::{Model, ModelBody, Phase, Point, ordered};

/// Operations of one walk.
const WALK: usize = 60;

/// The pairs that the filter keeps.
fn keeps(pair: TrianglePair) -> bool {
    (pair.a.0 + 2 * pair.b.0) % 3 != 1
}

fn rounded(positions: &[Point]) -> Vec<[f32; 3]> {
    positions.iter().map(|point| point.map(|x| x as f32)).collect()
}

fn set(scene: &mut Scene, id: BodyId, positions: &[Point], in_f64: bool) -> Result<(), SceneError> {
    if in_f64 { scene.set_positions_f64(id, positions) } else { scene.set_positions(id, &rounded(positions)) }
}

/// Where a corner of the grid is: f64 bodies have some that no f32 number is at.
fn placed(corner: [i8; 3], in_f64: bool) -> Point {
    let off = if in_f64 && corner[0] == 1 { 2f64.powi(-40) } else { 0.0 };
    [f64::from(corner[0]) + off, f64::from(corner[1]), f64::from(corner[2])]
}

/// The scene, its model, and every id there ever was.
struct Both {
    scene: Scene,
    model: Model,
    ids: Vec<BodyId>,
}

impl Both {
    fn new(seed: u64) -> Self {
        let scene = Method::all()[seed as usize % Method::all().len()].scene();
        let scene = match seed / 7 % 3 {
            0 => scene,
            1 => scene.with_broad_phase(AllPairs::default()),
            _ => scene.with_broad_phase(SweepAndPrune::default()),
        };
        Self { scene, model: Model::new(), ids: Vec::new() }
    }

    /// A body that was there once, and its place in the model if it still is.
    fn body(&self, body: usize) -> Option<(BodyId, Option<usize>)> {
        let id = *self.ids.get(body % self.ids.len().max(1))?;
        Some((id, self.model.at(id)))
    }

    fn add(&mut self, triangles: Vec<[u32; 3]>, positions: Vec<Point>, in_f64: bool) {
        let mesh = Mesh::new(positions.len(), triangles.clone()).unwrap();
        let body = if in_f64 { Body::new_f64(mesh, &positions) } else { Body::new(mesh, &rounded(&positions)) };
        let id = self.scene.add(body.unwrap());
        assert!(!self.ids.contains(&id), "an id was used again");
        self.ids.push(id);
        self.model.insert(ModelBody::new(id, triangles, positions, in_f64));
    }

    fn apply(&mut self, operation: &Operation) {
        use Operation::*;
        match operation {
            Add { triangles, corners, in_f64 } => {
                self.add(wrapped(triangles, corners.len()), fitting(corners, corners.len(), *in_f64), *in_f64);
            }
            AddBox { low, size, in_f64 } => {
                let [low, size] = [low, size].map(|corner| corner.map(f32::from));
                let shape = cuboid(low, std::array::from_fn(|axis| low[axis] + size[axis]));
                let positions = shape.positions.iter().map(|point| placed(point.map(|x| x as i8), *in_f64)).collect();
                self.add(shape.triangles, positions, *in_f64);
            }
            IgnoreGroups(a, b) => {
                self.scene.ignore_groups(*a, *b);
                self.model.ignored_groups.insert(ordered(*a, *b));
                self.model.raise(Phase::Changed);
            }
            StopIgnoringGroups(a, b) => {
                self.scene.stop_ignoring_groups(*a, *b);
                self.model.ignored_groups.remove(&ordered(*a, *b));
                self.model.raise(Phase::Changed);
            }
            Limit(most) => {
                self.scene.set_max_pairs(*most);
                self.model.limit = *most;
                self.model.met.clear();
                self.model.raise(Phase::Changed);
            }
            Filter(on) => {
                if *on {
                    self.scene.set_pair_filter(|_, _, pair| keeps(pair));
                } else {
                    self.scene.clear_pair_filter();
                }
                self.model.has_filter = *on;
                self.model.raise(Phase::Changed);
            }
            Clone => self.scene = self.scene.clone(),
            Under(method) => {
                self.scene = Method::all()[*method].of(&self.scene);
                self.model.met.clear();
                self.model.raise(Phase::Changed);
            }
            Update { may_read, questions } => self.update(*may_read, *questions),
            Remove(body) | Commit(body) | Compact(body) => self.apply_to(*body, operation),
            Move { body, .. } | Shift { body, .. } | MoveBadly { body, .. } | Loose { body, .. } => {
                self.apply_to(*body, operation);
            }
            Pose { body, .. } | Mask { body, .. } | Edit { body, .. } | Split { body, .. } | Swap { body, .. } => {
                self.apply_to(*body, operation);
            }
            Ignore(body, _) | StopIgnoring(body, _) | Fuse(body, _) => self.apply_to(*body, operation),
            Group(body, _) | SelfCollision(body, _) | Thickness(body, _) => self.apply_to(*body, operation),
        }
        let may_be_read = self.model.phase == Phase::Shown && self.model.frame > 0;
        assert_eq!(self.scene.frame().is_some(), may_be_read, "whether there is a frame to read");
    }

    fn apply_to(&mut self, body: usize, operation: &Operation) {
        use Operation::*;
        let Some((id, at)) = self.body(body) else { return };
        let Some(at) = at else {
            let refused = self.scene.set_positions(id, &[[0.0f32; 3]]);
            assert_eq!(refused, Err(SceneError::UnknownBody { body: id }));
            return;
        };
        let Self { scene, model, .. } = self;
        let (len, in_f64) = (model.bodies[at].now.len(), model.bodies[at].in_f64);
        match operation {
            Remove(_) => {
                scene.remove(id).unwrap();
                model.remove(id);
            }
            Move { corners, how, .. } => self.take(at, fitting(corners, len, in_f64), *how),
            Shift { by, how, .. } => {
                let by = by.map(f64::from);
                let shifted = |point: &Point| std::array::from_fn(|axis| point[axis] + by[axis]);
                let shifted = model.bodies[at].now.iter().map(shifted).collect();
                self.take(at, shifted, *how);
            }
            MoveBadly { fault, .. } => self.refuse(at, *fault),
            Commit(_) => assert_eq!(scene.commit_positions(id).is_ok(), model.commit(at)),
            Loose { corners, room, .. } => {
                // On whole numbers, so that what is promised in f32 holds in f64.
                let positions = fitting(corners, len, false);
                let bounds = Aabb::of_points(&rounded(&positions));
                let room = f32::from(*room);
                let promised = Aabb::new(bounds.min().map(|x| x - room), bounds.max().map(|x| x + room));
                let is_accepted = !promised.is_empty() || len == 0;
                assert_eq!(scene.set_loose_box(id, promised).is_ok(), is_accepted);
                if is_accepted {
                    model.raise(Phase::Stepped);
                    model.bodies[at].written = None;
                    model.bodies[at].loose = Some((promised, positions));
                }
            }
            Pose { quaternion, translation, .. } => {
                if let Some(pose) = crumple::Pose::new(quaternion.map(f64::from), translation.map(f64::from)) {
                    scene.set_pose(id, pose).unwrap();
                    model.raise(Phase::Changed);
                }
            }
            Ignore(_, other) | StopIgnoring(_, other) => {
                let other = self.ids[other % self.ids.len()];
                let is_known = model.at(other).is_some();
                let pair = ordered(id, other);
                if matches!(operation, Ignore(..)) {
                    assert_eq!(scene.ignore(id, other).is_ok(), is_known);
                    model.ignored.extend(is_known.then_some(pair));
                } else {
                    assert_eq!(scene.stop_ignoring(id, other).is_ok(), is_known);
                    model.ignored.remove(&pair);
                }
                if is_known {
                    model.raise(Phase::Changed);
                }
            }
            Group(_, group) => {
                scene.set_group(id, *group).unwrap();
                model.bodies[at].group = *group;
                model.raise(Phase::Changed);
            }
            Mask { membership, mask, .. } => {
                scene.set_collision_mask(id, *membership, *mask).unwrap();
                (model.bodies[at].membership, model.bodies[at].mask) = (*membership, *mask);
                model.raise(Phase::Changed);
            }
            SelfCollision(_, on) => {
                scene.set_self_collision(id, *on).unwrap();
                model.bodies[at].asks_itself = *on;
                model.raise(Phase::Changed);
            }
            Thickness(_, thickness) => {
                let extent = Aabb::of_points(&rounded(&model.bodies[at].now)).extent();
                let is_accepted = *thickness <= f64::from(extent.into_iter().fold(0.0, f32::max));
                assert_eq!(scene.set_thickness(id, *thickness).is_ok(), is_accepted);
                if is_accepted {
                    model.bodies[at].thickness = *thickness;
                    model.raise(Phase::Changed);
                }
            }
            _ => self.change_triangles(id, at, operation),
        }
    }

    /// Hands positions to a body.
    fn take(&mut self, at: usize, positions: Vec<Point>, how: How) {
        let Self { scene, model, .. } = self;
        let (id, in_f64) = (model.bodies[at].id, model.bodies[at].in_f64);
        match how {
            How::Set => set(scene, id, &positions, in_f64).unwrap(),
            How::Correct if in_f64 => scene.correct_positions_f64(id, &positions).unwrap(),
            How::Correct => scene.correct_positions(id, &rounded(&positions)).unwrap(),
            How::Write if in_f64 => scene.write_positions_f64(id, |_, new| new.copy_from_slice(&positions)).unwrap(),
            How::Write => scene.write_positions(id, |_, new| new.copy_from_slice(&rounded(&positions))).unwrap(),
            How::InPlace | How::InPlaceTakenIn => {
                if in_f64 {
                    scene.positions_mut_f64(id).unwrap().copy_from_slice(&positions);
                } else {
                    scene.positions_mut(id).unwrap().copy_from_slice(&rounded(&positions));
                }
            }
        }
        match how {
            How::Set | How::Write => model.take(at, positions, Phase::Stepped),
            How::Correct => model.take(at, positions, Phase::Corrected),
            How::InPlace => model.write(at, positions),
            How::InPlaceTakenIn => {
                model.write(at, positions);
                scene.commit_positions(id).unwrap();
                assert!(model.commit(at));
            }
        }
    }

    /// Hands positions to a body that it must refuse.
    fn refuse(&mut self, at: usize, fault: Fault) {
        let Self { scene, model, .. } = self;
        let ModelBody { id, in_f64, ref now, .. } = model.bodies[at];
        if now.is_empty() {
            return;
        }
        let mut positions = now.clone();
        positions[now.len() / 2][1] = f64::NAN;
        match fault {
            Fault::NotFinite => assert!(set(scene, id, &positions, in_f64).is_err()),
            Fault::NotFiniteCorrection => assert!(scene.correct_positions_f64(id, &positions).is_err()),
            Fault::NotFiniteWritten => {
                // It was given the memory in which others were written.
                model.bodies[at].written = None;
                if in_f64 {
                    assert!(scene.write_positions_f64(id, |_, new| new.copy_from_slice(&positions)).is_err());
                } else {
                    assert!(scene.write_positions(id, |_, new| new.copy_from_slice(&rounded(&positions))).is_err());
                }
            }
            Fault::NotFiniteInPlace => {
                if in_f64 {
                    scene.positions_mut_f64(id).unwrap().copy_from_slice(&positions);
                } else {
                    scene.positions_mut(id).unwrap().copy_from_slice(&rounded(&positions));
                }
                model.write(at, positions);
            }
            Fault::OneTooMany => {
                positions.push([0.0; 3]);
                assert!(set(scene, id, &positions, in_f64).is_err());
            }
            Fault::NotOfThisPrecision => {
                let other = if in_f64 { 2f64.powi(-400) } else { 0.1 };
                positions[0] = [other; 3];
                assert!(scene.set_positions_f64(id, &positions).is_err());
            }
        }
    }

    fn change_triangles(&mut self, id: BodyId, at: usize, operation: &Operation) {
        let Self { scene, model, ids } = self;
        let is_loose = model.bodies[at].loose.is_some();
        match operation {
            Operation::Edit { remove, restore, add, .. } => {
                let body = &mut model.bodies[at];
                let named: Vec<u32> = remove.iter().chain(restore).copied().collect();
                let named_once = named.iter().collect::<BTreeSet<_>>().len() == named.len();
                let is = |list: &[u32], live: bool| list.iter().all(|&t| body.live.get(t as usize) == Some(&live));
                let is_accepted = !is_loose && named_once && is(remove, true) && is(restore, false);
                let added = add.map(|(corner, triangle)| {
                    let triangle = triangle.map(|vertex| (vertex % (body.now.len() + 1)) as u32);
                    (placed(corner, body.in_f64), triangle)
                });
                let ids = |list: &[u32]| list.iter().map(|&t| TriangleId(t)).collect();
                let edit = Edit {
                    remove: ids(remove),
                    restore: ids(restore),
                    add_vertices_f64: added.iter().map(|(point, _)| *point).collect(),
                    add_triangles: added.iter().map(|(_, triangle)| triangle.map(VertexId)).collect(),
                    ..Edit::default()
                };
                assert_eq!(scene.edit(id, &edit).is_ok(), is_accepted);
                if !is_accepted {
                    return;
                }
                remove.iter().for_each(|&t| body.live[t as usize] = false);
                restore.iter().for_each(|&t| body.live[t as usize] = true);
                if let Some((point, triangle)) = added {
                    body.now.push(point);
                    body.start.iter_mut().chain(&mut body.written).for_each(|list| list.push(point));
                    body.triangles.push(triangle);
                    body.live.push(true);
                }
                model.raise(Phase::Changed);
            }
            Operation::Compact(_) => {
                let compacted = scene.compact(id);
                assert_eq!(compacted.is_ok(), !is_loose);
                let Ok(numbers) = compacted else { return };
                model.bodies[at] = part(&model.bodies[at], id, &numbers);
                model.raise(Phase::Changed);
            }
            Operation::Split { off, .. } => {
                let off: Vec<TriangleId> = off.iter().map(|&t| TriangleId(t)).collect();
                let Ok(split) = scene.split(id, &off) else { return };
                assert!(!is_loose);
                let (old, ignored) = (model.bodies[at].clone(), ignored_with(model, id));
                model.remove(id);
                for (id, numbers) in [(split.rest, &split.rest_numbers), (split.off, &split.off_numbers)] {
                    model.insert(part(&old, id, numbers));
                    model.ignored.extend(ignored.iter().map(|&other| ordered(id, other)));
                    model.note_written(id);
                    ids.push(id);
                }
            }
            Operation::Fuse(_, other) => {
                let other = ids[other % ids.len()];
                let fused = scene.fuse(id, other, Seam::Open);
                let there = model.at(other).filter(|&other| other != at && !is_loose);
                let there = there.filter(|&other| model.bodies[other].loose.is_none());
                assert_eq!(fused.is_ok(), there.is_some());
                let (Ok(fused), Some(there)) = (fused, there) else { return };
                let [a, b] = [&model.bodies[at], &model.bodies[there]];
                let body = joined(a, b, fused.id);
                let mut both = &ignored_with(model, id) & &ignored_with(model, other);
                both.retain(|body| ![id, other].contains(body));
                model.remove(id);
                model.remove(other);
                model.insert(body);
                model.ignored.extend(both.iter().map(|&other| ordered(fused.id, other)));
                model.note_written(fused.id);
                ids.push(fused.id);
            }
            Operation::Swap { triangles, corners, .. } => {
                let old = model.bodies[at].clone();
                let (triangles, now) = (wrapped(triangles, corners.len()), fitting(corners, corners.len(), old.in_f64));
                let mesh = Mesh::new(now.len(), triangles.clone()).unwrap();
                if old.in_f64 {
                    scene.swap_mesh(id, mesh, &now).unwrap();
                } else {
                    scene.swap_mesh(id, mesh, &rounded(&now)).unwrap();
                }
                let live = vec![true; triangles.len()];
                model.bodies[at] = ModelBody { triangles, live, now, start: None, written: None, loose: None, ..old };
                model.raise(Phase::Changed);
            }
            _ => unreachable!("{operation:?} changes no triangles"),
        }
    }

    /// Begins a frame and compares its answers.
    fn update(&mut self, may_read: bool, questions: u32) {
        let before = self.model.clone();
        let positions: Vec<(BodyId, Vec<Point>)> =
            before.bodies.iter().filter_map(|body| Some((body.id, body.loose.clone()?.1))).collect();
        let said = |id: BodyId| {
            let (_, positions) = positions.iter().find(|(other, _)| *other == id).expect("it has a loose box");
            positions.as_slice()
        };
        let is_possible = self.model.update(may_read);
        let Self { scene, model, .. } = self;
        let frame = if may_read { scene.update_with(said) } else { scene.update() };
        assert_eq!(frame.is_ok(), is_possible, "{:?}", frame.err());
        let Ok(frame) = frame else { return };
        let ids: Vec<BodyId> = model.bodies.iter().map(|body| body.id).collect();
        if questions & CONTACTS == 0 {
            // In such a frame events must not be lost.
            let seen = Answers::of(frame, &ids, questions);
            let (mut other, other_ids) = fresh(model, Method::default());
            assert_eq!(seen, Answers::of(other.update().unwrap(), &other_ids, questions));
            return;
        }
        let seen = Answers::of(frame, &ids, questions);
        let now: BTreeSet<(BodyId, BodyId)> = frame.contacts().iter().map(|contact| (contact.a, contact.b)).collect();
        let began: BTreeSet<_> = frame.began().map(|contact| (contact.a, contact.b)).collect();
        let ended: BTreeSet<_> = frame.ended().map(|pair| (pair.a, pair.b)).collect();
        assert_eq!((began, ended), (&now - &model.met, &model.met - &now), "events");
        let (mut other, other_ids) = fresh(model, Method::default());
        assert_eq!(seen, Answers::of(other.update().unwrap(), &other_ids, questions), "against a fresh scene");
        let (mut brute, brute_ids) = fresh(model, Method::BruteForce);
        let of_brute = Answers::of(brute.update().unwrap(), &brute_ids, CONTACTS);
        assert_eq!(Answers::of(frame, &ids, CONTACTS), of_brute, "against brute force");
        model.met = now;
    }
}

fn wrapped(triangles: &[[usize; 3]], vertices: usize) -> Vec<[u32; 3]> {
    triangles.iter().map(|triangle| triangle.map(|vertex| (vertex % vertices) as u32)).collect()
}

/// As many positions as there are vertices, from a list that may be of another length.
fn fitting(corners: &Corners, len: usize, in_f64: bool) -> Vec<Point> {
    corners.iter().cycle().take(len).map(|&corner| placed(corner, in_f64)).collect()
}

fn ignored_with(model: &Model, id: BodyId) -> BTreeSet<BodyId> {
    let other = |&(a, b): &(BodyId, BodyId)| if a == id { Some(b) } else { (b == id).then_some(a) };
    model.ignored.iter().filter_map(other).filter(|&other| other != id).collect()
}

/// What a part of a body keeps.
fn part(of: &ModelBody, id: BodyId, numbers: &Renumbering) -> ModelBody {
    let gathered = |list: &Vec<Point>| numbers.old_vertices().iter().map(|old| list[old.index()]).collect();
    let new_vertex = |old: u32| numbers.vertex(crumple::VertexId(old)).expect("used vertices are kept").0;
    let triangles: Vec<[u32; 3]> =
        numbers.old_triangles().iter().map(|old| of.triangles[old.index()].map(new_vertex)).collect();
    ModelBody {
        id,
        live: vec![true; triangles.len()],
        triangles,
        now: gathered(&of.now),
        start: of.start.as_ref().map(gathered),
        written: of.written.as_ref().map(gathered),
        ..of.clone()
    }
}

/// What two bodies become together.
fn joined(a: &ModelBody, b: &ModelBody, id: BodyId) -> ModelBody {
    let concat = |a: &[Point], b: &[Point]| [a, b].concat();
    let pending = |of_a: &Option<Vec<Point>>, of_b: &Option<Vec<Point>>| {
        let is_there = of_a.is_some() || of_b.is_some();
        is_there.then(|| concat(of_a.as_ref().unwrap_or(&a.now), of_b.as_ref().unwrap_or(&b.now)))
    };
    let live = |body: &ModelBody, offset: u32| -> Vec<[u32; 3]> {
        let live = body.triangles.iter().zip(&body.live).filter(|(_, live)| **live);
        live.map(|(triangle, _)| triangle.map(|vertex| vertex + offset)).collect()
    };
    let triangles = [live(a, 0), live(b, a.now.len() as u32)].concat();
    ModelBody {
        id,
        in_f64: a.in_f64 || b.in_f64,
        live: vec![true; triangles.len()],
        triangles,
        now: concat(&a.now, &b.now),
        start: pending(&a.start, &b.start),
        written: pending(&a.written, &b.written),
        asks_itself: a.asks_itself || b.asks_itself,
        ..a.clone()
    }
}

fn walk(seed: u64, operations: &[Operation]) {
    let mut both = Both::new(seed);
    operations.iter().for_each(|operation| both.apply(operation));
}

fn fails(seed: u64, operations: &[Operation]) -> bool {
    catch_unwind(AssertUnwindSafe(|| walk(seed, operations))).is_err()
}

/// The shortest walk that still fails, as far as taking out single operations gets.
fn shortened(seed: u64, mut operations: Vec<Operation>) -> Vec<Operation> {
    let mut at = operations.len();
    while at > 0 {
        at -= 1;
        let mut without = operations.clone();
        without.remove(at);
        if fails(seed, &without) {
            operations = without;
            at = at.min(operations.len());
        }
    }
    operations
}

#[test]
fn a_scene_does_what_its_model_does() {
    let steps = std::env::var("CRUMPLE_MODEL_STEPS").ok().and_then(|steps| steps.parse().ok()).unwrap_or(12_000);
    let first = std::env::var("CRUMPLE_MODEL_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    for seed in first..first + (steps / WALK) as u64 {
        let mut random = Random::new(seed);
        let operations: Vec<Operation> = (0..WALK).map(|_| Operation::random(&mut random)).collect();
        if fails(seed, &operations) {
            let shortest = shortened(seed, operations);
            println!("walk {seed}, as short as it gets:");
            shortest.iter().for_each(|operation| println!("  {operation:?}"));
            walk(seed, &shortest);
            unreachable!("it failed before");
        }
    }
}
