//! Ten thousand random changes — triangles added, removed and restored, bodies moved, split, fused, compacted, swapped,
//! taken out and put in — through every method at once: at every check each gives the pairs that a list of triangles
//! tried one by one gives, and those of a scene built afresh.

mod model;

use std::collections::{BTreeMap, BTreeSet};

use crate::support::counts::drawn;
use crate::support::methods::methods_that_keep_more;
use crumple::{Body, BodyId, Edit, Mesh, Scene, Seam, TriangleId, VertexId};
use crumple_methods::Method;
use crumple_scenes::Random;
use model::{Found, ModelBody, all_pairs};

const OPERATIONS: usize = 10_000;
/// So many operations lie between two checks, so that several changes pile up on a tree.
const CHECK_EVERY: usize = 5;
const MOST_TRIANGLES: usize = 110;
const MOST_BODIES: usize = 6;

struct World {
    random: Random,
    methods: Vec<Method>,
    scenes: Vec<Scene>,
    bodies: BTreeMap<BodyId, ModelBody>,
    labels: u64,
    done: BTreeMap<&'static str, usize>,
}

impl World {
    fn new(seed: u64) -> Self {
        let methods = methods_that_keep_more();
        let first = methods[0].scene();
        let scenes = methods.iter().map(|&method| method.of(&first)).collect();
        let mut world = Self {
            random: Random::new(seed),
            methods,
            scenes,
            bodies: BTreeMap::new(),
            labels: 0,
            done: BTreeMap::new(),
        };
        (0..3).for_each(|_| world.add_body());
        world
    }

    /// Does the same in every scene and makes sure that all say the same.
    fn in_all<T: PartialEq + std::fmt::Debug>(&mut self, act: impl FnMut(&mut Scene) -> T) -> T {
        let mut said = self.scenes.iter_mut().map(act);
        let first = said.next().unwrap();
        said.for_each(|other| assert_eq!(first, other));
        first
    }

    fn any_body(&mut self) -> BodyId {
        let nth = self.random.below(self.bodies.len() as u64) as usize;
        *self.bodies.keys().nth(nth).unwrap()
    }

    fn count(&self) -> usize {
        self.bodies.values().map(|body| body.triangles.len()).sum()
    }

    /// On a coarse grid half of the time, where much touches and much is flat.
    fn position(&mut self, around: [f32; 3]) -> [f32; 3] {
        let on_grid = self.random.once_in(2);
        around.map(|x| {
            let steps = self.random.integer(-256, 256) as f32;
            if on_grid { (x * 2.0).round() / 2.0 + (steps / 256.0).round() / 2.0 } else { x + steps / 512.0 }
        })
    }

    /// A random walk, so that triangles over consecutive vertices are small.
    fn some_vertices(&mut self, count: usize, around: [f32; 3]) -> Vec<[f32; 3]> {
        let mut at = around;
        let walk = (0..count).map(|_| {
            // Not out into the void.
            at = self.position(at).map(|x| x.clamp(-4.0, 4.0));
            at
        });
        walk.collect()
    }

    fn some_triangles(&mut self, count: usize, vertices: usize) -> Vec<[u32; 3]> {
        // Neighbouring numbers most of the time, so that triangles form fans and strips.
        (0..count)
            .map(|_| {
                let first = self.random.below(vertices as u64);
                [0, 1, 2].map(|i| {
                    let far = self.random.once_in(12);
                    let vertex = if far { self.random.below(vertices as u64) } else { first + i };
                    (vertex % vertices as u64) as u32
                })
            })
            .collect()
    }

    fn some_shape(&mut self) -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
        let around = [0, 1, 2].map(|_| self.random.integer(-4, 4) as f32 / 2.0);
        let vertices = self.random.integer(3, 40) as usize;
        let triangles = self.random.integer(1, 2 * vertices as i64) as usize;
        (self.some_vertices(vertices, around), self.some_triangles(triangles, vertices))
    }

    fn new_labels(&mut self, count: usize) -> Vec<u64> {
        self.labels += count as u64;
        (self.labels - count as u64..self.labels).collect()
    }

    fn add_body(&mut self) {
        let (positions, triangles) = self.some_shape();
        let asks_itself = self.random.once_in(2);
        let id = self.in_all(|scene| {
            let mesh = Mesh::new(positions.len(), triangles.clone()).unwrap();
            let id = scene.add(Body::new(mesh, &positions).unwrap());
            scene.set_self_collision(id, asks_itself).unwrap();
            id
        });
        let labels = self.new_labels(positions.len());
        let triangles = (0..).zip(triangles).collect();
        self.bodies.insert(id, ModelBody { positions, labels, triangles, removed: BTreeMap::new(), asks_itself });
    }

    fn remove_body(&mut self) {
        let id = self.any_body();
        self.in_all(|scene| scene.remove(id).map(|body| body.topology_version())).unwrap();
        self.bodies.remove(&id);
    }

    fn move_body(&mut self) {
        let id = self.any_body();
        let mut positions = self.bodies[&id].positions.clone();
        match self.random.below(4) {
            // Pushed along, far at times: what a drift bound is for, and where it gives up.
            0 | 1 => {
                let far = if self.random.once_in(8) { 1.0 } else { 1.0 / 16.0 };
                let push = [0, 1, 2].map(|_| self.random.integer(-2, 2) as f32 * far);
                positions.iter_mut().for_each(|p| *p = std::array::from_fn(|axis| p[axis] + push[axis]));
            }
            2 => {
                for p in &mut positions {
                    *p = p.map(|x| x + self.random.integer(-8, 8) as f32 / 128.0);
                }
            }
            // Somewhere else altogether.
            _ => positions = self.some_vertices(positions.len(), [0.0; 3]),
        }
        self.in_all(|scene| scene.set_positions(id, &positions)).unwrap();
        self.bodies.get_mut(&id).unwrap().positions = positions;
    }

    /// Up to `most` of some numbers, in a random order.
    fn some_of(&mut self, numbers: Vec<u32>, most: usize) -> Vec<TriangleId> {
        let mut numbers = numbers;
        for i in (1..numbers.len()).rev() {
            numbers.swap(i, self.random.below(i as u64 + 1) as usize);
        }
        numbers.truncate(self.random.below(most as u64 + 1) as usize);
        numbers.into_iter().map(TriangleId).collect()
    }

    fn edit(&mut self, remove: usize, restore: usize, add: usize) {
        let id = self.any_body();
        let body = self.bodies[&id].clone();
        let mut edit = Edit {
            remove: self.some_of(body.triangles.keys().copied().collect(), remove),
            restore: self.some_of(body.removed.keys().copied().collect(), restore),
            ..Edit::default()
        };
        if add > 0 && self.count() < 2 * MOST_TRIANGLES {
            let around = body.positions.first().copied().unwrap_or_default();
            let vertices = self.random.below(add as u64) as usize;
            edit.add_vertices = self.some_vertices(vertices, around);
            let all = body.positions.len() + edit.add_vertices.len();
            edit.add_triangles = if all == 0 {
                Vec::new()
            } else {
                self.some_triangles(add, all).into_iter().map(|t| t.map(VertexId)).collect()
            };
        }
        let edited = self.in_all(|scene| scene.edit(id, &edit)).unwrap();
        let labels = self.new_labels(edit.add_vertices.len());
        let body = self.bodies.get_mut(&id).unwrap();
        let slots = body.slots();
        assert_eq!(edited.triangles, TriangleId(slots)..TriangleId(slots + edit.add_triangles.len() as u32));
        assert_eq!(edited.vertices.start.index(), body.positions.len());
        for TriangleId(triangle) in edit.remove {
            let vertices = body.triangles.remove(&triangle).unwrap();
            body.removed.insert(triangle, vertices);
        }
        for TriangleId(triangle) in edit.restore {
            let vertices = body.removed.remove(&triangle).unwrap();
            body.triangles.insert(triangle, vertices);
        }
        body.triangles.extend((slots..).zip(edit.add_triangles.iter().map(|t| t.map(|vertex| vertex.0))));
        body.positions.extend(edit.add_vertices);
        body.labels.extend(labels);
    }

    fn split(&mut self) {
        let id = self.any_body();
        let body = self.bodies[&id].clone();
        let off = self.some_of(body.triangles.keys().copied().collect(), body.triangles.len());
        if self.bodies.len() == MOST_BODIES || off.is_empty() || off.len() == body.triangles.len() {
            return;
        }
        let (rest, loose, [rest_numbers, off_numbers]) = self.in_all(|scene| {
            let split = scene.split(id, &off).unwrap();
            (split.rest, split.off, [split.rest_numbers, split.off_numbers])
        });
        self.bodies.remove(&id);
        let goes = |triangle: u32| off.contains(&TriangleId(triangle));
        self.bodies.insert(rest, body.part(|triangle| !goes(triangle), &rest_numbers));
        let mut off = body.part(goes, &off_numbers);
        // What was one vertex is one no longer, even if the halves are fused again.
        let (old, new) = (off.labels.clone(), self.new_labels(off.labels.len()));
        let first_like = |label: &u64| old.iter().position(|other| other == label).unwrap();
        off.labels = old.iter().map(|label| new[first_like(label)]).collect();
        self.bodies.insert(loose, off);
    }

    fn fuse(&mut self) {
        let (a, b) = (self.any_body(), self.any_body());
        let count = |id: BodyId| self.bodies[&id].triangles.len();
        if a == b || count(a) + count(b) > MOST_TRIANGLES {
            return;
        }
        let seam = if self.random.once_in(2) { Seam::Welded } else { Seam::Open };
        let (id, [of_a, of_b]) = self.in_all(|scene| {
            let fused = scene.fuse(a, b, seam).unwrap();
            (fused.id, [fused.a_numbers, fused.b_numbers])
        });
        let (a, b) = (self.bodies.remove(&a).unwrap(), self.bodies.remove(&b).unwrap());
        self.bodies.insert(id, ModelBody::fused(&a, &b, seam == Seam::Welded, [&of_a, &of_b]));
    }

    fn compact(&mut self) {
        let id = self.any_body();
        let numbers = self.in_all(|scene| scene.compact(id).unwrap());
        let compacted = self.bodies[&id].part(|_| true, &numbers);
        self.bodies.insert(id, compacted);
    }

    fn swap(&mut self) {
        let id = self.any_body();
        let (positions, triangles) = self.some_shape();
        let mesh = std::sync::Arc::new(Mesh::new(positions.len(), triangles.clone()).unwrap());
        self.in_all(|scene| scene.swap_mesh(id, mesh.clone(), &positions)).unwrap();
        let labels = self.new_labels(positions.len());
        let body = self.bodies.get_mut(&id).unwrap();
        let triangles = (0..).zip(triangles).collect();
        *body = ModelBody { positions, labels, triangles, removed: BTreeMap::new(), asks_itself: body.asks_itself };
    }

    /// Something that is refused: that nothing has changed, the next check tells.
    fn refused(&mut self) {
        let id = self.any_body();
        let slots = self.bodies[&id].slots();
        let added = vec![[0.0; 3], [f32::NAN; 3]];
        let good = self.bodies[&id].triangles.keys().next().map(|&triangle| TriangleId(triangle));
        let wrong = [good, Some(TriangleId(slots))].into_iter().flatten().collect::<Vec<_>>();
        self.in_all(|scene| {
            assert!(scene.edit(id, &Edit { remove: wrong.clone(), ..Edit::default() }).is_err());
            let remove = good.into_iter().collect();
            assert!(scene.edit(id, &Edit { remove, add_vertices: added.clone(), ..Edit::default() }).is_err());
            assert!(scene.split(id, &wrong).is_err());
            assert!(scene.fuse(id, id, Seam::Welded).is_err());
        });
    }

    fn operate(&mut self) {
        let name = match self.random.below(100) {
            _ if self.bodies.len() < 2 => "add body",
            0..36 => "move",
            36..50 => "remove",
            50..62 => "add",
            62..70 => "edit",
            70..78 => "split",
            78..88 => "fuse",
            88..92 => "compact",
            92..94 => "swap",
            94..96 => "remove body",
            96..98 if self.bodies.len() < MOST_BODIES => "add body",
            _ => "refused",
        };
        match name {
            "move" => self.move_body(),
            "remove" => self.edit(5, 0, 0),
            "add" => self.edit(0, 0, 6),
            "edit" => self.edit(6, 6, 6),
            "split" => self.split(),
            "fuse" => self.fuse(),
            "compact" => self.compact(),
            "swap" => self.swap(),
            "remove body" => self.remove_body(),
            "add body" => self.add_body(),
            _ => self.refused(),
        }
        *self.done.entry(name).or_default() += 1;
    }

    /// How many pairs there are, all methods agreeing on them.
    fn check(&mut self, operation: usize) -> usize {
        let truth = all_pairs(&self.bodies);
        let (first_too, afresh_too) = (self.random.once_in(4), self.random.once_in(3));
        for (&method, scene) in self.methods.iter().zip(&mut self.scenes) {
            if first_too {
                let met: Vec<_> =
                    scene.update().unwrap().witnesses().iter().map(|met| (met.a, met.b, met.pairs[0])).collect();
                assert_eq!(met.len(), truth.len(), "{method:?} after {operation}: first pairs");
                for ((a, b, pair), (truth_a, truth_b, pairs)) in met.into_iter().zip(&truth) {
                    assert!((a, b) == (*truth_a, *truth_b) && pairs.contains(&pair), "{method:?} after {operation}");
                }
            }
            assert_same(&contacts(scene), &truth, &format!("{method:?} after {operation} operations"));
            if afresh_too {
                let afresh = fresh(method, scene, &self.bodies);
                assert_same(&afresh, &truth, &format!("{method:?} built afresh after {operation} operations"));
            }
        }
        truth.iter().map(|(_, _, pairs)| pairs.len()).sum()
    }
}

/// Compares whole lists, and names only what differs.
fn assert_same(found: &Found, truth: &Found, what: &str) {
    let flat = |list: &Found| -> BTreeSet<_> {
        list.iter().flat_map(|(a, b, pairs)| pairs.iter().map(move |&pair| (*a, *b, pair))).collect()
    };
    if found != truth {
        let (found, truth) = (flat(found), flat(truth));
        let missing: Vec<_> = truth.difference(&found).collect();
        let extra: Vec<_> = found.difference(&truth).collect();
        panic!("{what}: missing {missing:?}, too many {extra:?}, or out of order");
    }
}

fn contacts(scene: &mut Scene) -> Found {
    scene.update().unwrap().contacts().iter().map(|contact| (contact.a, contact.b, contact.pairs.to_vec())).collect()
}

/// The pairs of a new scene with copies of the bodies, under their old names.
fn fresh(method: Method, scene: &Scene, model: &BTreeMap<BodyId, ModelBody>) -> Found {
    let mut copy = method.scene();
    let mut names = BTreeMap::new();
    for (id, body) in scene.bodies() {
        let new = copy.add(body.clone());
        copy.set_self_collision(new, model[&id].asks_itself).unwrap();
        names.insert(new, id);
    }
    contacts(&mut copy).into_iter().map(|(a, b, pairs)| (names[&a], names[&b], pairs)).collect()
}

#[test]
fn every_method_stays_right_through_thousands_of_changes() {
    let mut world = World::new(0x0063_7275_6d70_6c65);
    let mut pairs = 0;
    let operations = drawn(OPERATIONS);
    for operation in 1..=operations {
        world.operate();
        if operation % CHECK_EVERY == 0 {
            pairs += world.check(operation);
        }
    }
    // The test is worth something only if there was much of everything.
    assert!(world.done.len() == 11 && world.done.values().all(|&times| times > operations / 100), "{:?}", world.done);
    assert!(pairs > 100 * operations / CHECK_EVERY, "{pairs} pairs");
}
