//! A scene against a model of it that keeps everything in plain lists and asks every triangle about every triangle.
//!
//! Random operations, on bodies so small and on so coarse a grid that they meet, touch and coincide all the time. Every
//! answer and every refusal must be the model's, word for word. Seeded; `PROPTEST_CASES` asks for more.

use std::collections::BTreeSet;
use std::sync::Arc;

use crumple::broad::{AllPairs, SweepAndPrune};
use crumple::exact::{SharedVertices, self_pair_meets, triangles_meet};
use crumple::{
    Aabb, Body, BodyError, BodyId, Contacts, Mesh, Method, Scene, SceneError, Triangle, TrianglePair, VertexId,
};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Corners on a grid of whole numbers.
type Corners = Vec<[i8; 3]>;

/// What is done to a scene. Bodies are named by how many were added before them, modulo how many there ever were: some
/// of them are gone.
#[derive(Clone, Debug)]
enum Operation {
    Add {
        triangles: Vec<[usize; 3]>,
        corners: Corners,
    },
    Remove(usize),
    Move {
        body: usize,
        corners: Corners,
    },
    /// Positions of which one is not finite, or one too many.
    MoveBadly {
        body: usize,
        by_number: bool,
    },
    /// A loose box around corners that are given when asked for; `room` below 0 makes it too small.
    Loose {
        body: usize,
        corners: Corners,
        room: i8,
    },
    Pose {
        body: usize,
        quaternion: [i8; 4],
        translation: [i8; 3],
    },
    Ignore(usize, usize),
    Watch(usize, usize),
    Group(usize, u32),
    IgnoreGroups(u32, u32),
    WatchGroups(u32, u32),
    SelfCollision(usize, bool),
    Contacts,
    ContactsWith,
    Witnesses,
}

fn operation() -> impl Strategy<Value = Operation> {
    use Operation::*;
    let body = 0..8usize;
    let group = 0..3u32;
    let corner = || prop::array::uniform3(0..4i8);
    let corners = || prop::collection::vec(corner(), 1..6);
    let triangles = prop::collection::vec(prop::array::uniform3(0..6usize), 0..5);
    prop_oneof![
        4 => (triangles, corners()).prop_map(|(triangles, corners)| Add { triangles, corners }),
        1 => body.clone().prop_map(Remove),
        6 => (body.clone(), corners()).prop_map(|(body, corners)| Move { body, corners }),
        1 => (body.clone(), any::<bool>()).prop_map(|(body, by_number)| MoveBadly { body, by_number }),
        3 => (body.clone(), corners(), -1..3i8).prop_map(|(body, corners, room)| Loose { body, corners, room }),
        1 => (body.clone(), prop::array::uniform4(-2..3i8), corner())
            .prop_map(|(body, quaternion, translation)| Pose { body, quaternion, translation }),
        1 => (body.clone(), body.clone()).prop_map(|(a, b)| Ignore(a, b)),
        1 => (body.clone(), body.clone()).prop_map(|(a, b)| Watch(a, b)),
        1 => (body.clone(), group.clone()).prop_map(|(body, group)| Group(body, group)),
        1 => (group.clone(), group.clone()).prop_map(|(a, b)| IgnoreGroups(a, b)),
        1 => (group.clone(), group).prop_map(|(a, b)| WatchGroups(a, b)),
        2 => (body, prop::bool::weighted(0.8)).prop_map(|(body, on)| SelfCollision(body, on)),
        4 => Just(Contacts),
        4 => Just(ContactsWith),
        2 => Just(Witnesses),
    ]
}

/// A body as the model knows it.
#[derive(Clone, Debug)]
struct ModelBody {
    id: BodyId,
    triangles: Vec<[u32; 3]>,
    positions: Vec<[f32; 3]>,
    /// The promised box, and what is said when the vertices are asked for.
    loose: Option<(Aabb, Vec<[f32; 3]>)>,
    group: u32,
    asks_itself: bool,
}

impl ModelBody {
    fn bounds(&self) -> Aabb {
        self.loose.as_ref().map_or(Aabb::of_points(&self.positions), |(promised, _)| *promised)
    }

    fn triangle(&self, at: usize) -> Triangle {
        Triangle(self.triangles[at].map(|vertex| self.positions[vertex as usize]))
    }

    fn pairs(&self, other: &Self) -> Vec<TrianglePair> {
        let mut pairs = Vec::new();
        for i in 0..self.triangles.len() {
            for j in 0..other.triangles.len() {
                let (a, b) = (self.triangle(i), other.triangle(j));
                let meets = if self.id != other.id {
                    triangles_meet(&a, &b)
                } else {
                    i < j
                        && self_pair_meets(
                            &a,
                            &b,
                            SharedVertices::between(&a, self.triangles[i], &b, self.triangles[j]),
                        )
                };
                if meets {
                    pairs.push(TrianglePair::new(i as u32, j as u32));
                }
            }
        }
        pairs
    }

    /// As many positions as there are vertices, from a list that may be of another length.
    fn fitting(&self, corners: &Corners) -> Vec<[f32; 3]> {
        corners.iter().cycle().take(self.positions.len()).map(|corner| corner.map(f32::from)).collect()
    }
}

type Found = Vec<(BodyId, BodyId, Vec<TrianglePair>)>;

#[derive(Debug, Default)]
struct Model {
    /// In the order of their ids.
    bodies: Vec<ModelBody>,
    ignored: BTreeSet<(BodyId, BodyId)>,
    ignored_groups: BTreeSet<(u32, u32)>,
}

fn ordered<T: Ord>(a: T, b: T) -> (T, T) {
    if a <= b { (a, b) } else { (b, a) }
}

impl Model {
    fn body(&mut self, id: BodyId) -> Result<&mut ModelBody, SceneError> {
        self.bodies.iter_mut().find(|body| body.id == id).ok_or(SceneError::UnknownBody { body: id })
    }

    fn may_touch(&self, a: &ModelBody, b: &ModelBody) -> bool {
        self.ignored.contains(&ordered(a.id, b.id)) || self.ignored_groups.contains(&ordered(a.group, b.group))
    }

    /// Makes sure of a body's vertices, or says why that is not possible.
    fn need(&mut self, at: usize, near: usize, may_read: bool) -> Result<(), SceneError> {
        let near = self.bodies[near].id;
        let body = &mut self.bodies[at];
        let Some((promised, positions)) = &body.loose else { return Ok(()) };
        if !may_read {
            return Err(SceneError::VerticesNeeded { body: body.id, near });
        }
        if let Some(vertex) = positions.iter().position(|&position| !promised.contains(position)) {
            let (position, promised) = (positions[vertex].map(f64::from), *promised);
            let source = BodyError::LeavesLooseBox { vertex: VertexId(vertex as u32), position, promised };
            return Err(SceneError::Body { body: body.id, name: None, source });
        }
        body.positions.clone_from(positions);
        body.loose = None;
        Ok(())
    }

    fn contacts(&mut self, may_read: bool) -> Result<Found, SceneError> {
        for at in 0..self.bodies.len() {
            if self.bodies[at].asks_itself {
                self.need(at, at, may_read)?;
            }
        }
        let near = |model: &Self, a: usize, b: usize| {
            let (a, b) = (&model.bodies[a], &model.bodies[b]);
            !model.may_touch(a, b) && a.bounds().overlaps(&b.bounds())
        };
        let mut found = Vec::new();
        for a in 0..self.bodies.len() {
            for b in a + 1..self.bodies.len() {
                for (at, other) in [(a, b), (b, a)] {
                    if near(self, a, b) {
                        self.need(at, other, may_read)?;
                    }
                }
            }
        }
        for (place, a) in self.bodies.iter().enumerate() {
            if a.asks_itself {
                found.push((a.id, a.id, a.pairs(a)));
            }
            // Who is known by a loose box still is far from all others, or may touch them.
            let known = |body: &&ModelBody| a.loose.is_none() && body.loose.is_none() && !self.may_touch(a, body);
            found.extend(self.bodies[place + 1..].iter().filter(known).map(|b| (a.id, b.id, a.pairs(b))));
        }
        found.retain(|(_, _, pairs)| !pairs.is_empty());
        Ok(found)
    }
}

fn listed(contacts: Contacts<'_>) -> Found {
    contacts.iter().map(|contact| (contact.a, contact.b, contact.pairs.to_vec())).collect()
}

/// The scene, its model, and every id there ever was.
struct Both {
    scene: Scene,
    model: Model,
    ids: Vec<BodyId>,
}

impl Both {
    fn id(&self, body: usize) -> Option<BodyId> {
        (!self.ids.is_empty()).then(|| self.ids[body % self.ids.len()])
    }

    fn add(&mut self, triangles: &[[usize; 3]], corners: &Corners) {
        let positions: Vec<[f32; 3]> = corners.iter().map(|corner| corner.map(f32::from)).collect();
        let triangles: Vec<[u32; 3]> =
            triangles.iter().map(|t| t.map(|vertex| (vertex % positions.len()) as u32)).collect();
        let mesh = Arc::new(Mesh::new(positions.len(), triangles.clone()).unwrap());
        let id = self.scene.add(Body::new(mesh, &positions).unwrap());
        assert!(!self.ids.contains(&id), "an id was used again");
        self.ids.push(id);
        let body = ModelBody { id, triangles, positions, loose: None, group: 0, asks_itself: false };
        let place = self.model.bodies.partition_point(|other| other.id < id);
        self.model.bodies.insert(place, body);
    }

    /// Does one thing to both and complains if they part.
    fn apply(&mut self, operation: &Operation) {
        use Operation::*;
        let Self { scene, model, .. } = self;
        match operation {
            Contacts => assert_eq!(scene.update().map(|frame| listed(frame.contacts())), model.contacts(false)),
            ContactsWith => {
                let said: Vec<_> = model.bodies.iter().map(|body| (body.id, body.loose.clone())).collect();
                let positions_of = |id: BodyId| {
                    let (_, loose) = said.iter().find(|(other, _)| *other == id).unwrap();
                    loose.as_ref().unwrap_or_else(|| panic!("the vertices of {id} are known")).1.as_slice()
                };
                assert_eq!(scene.update_with(positions_of).map(|frame| listed(frame.contacts())), model.contacts(true));
            }
            Witnesses => match (scene.update().map(|frame| listed(frame.witnesses())), model.contacts(false)) {
                (Ok(first), Ok(all)) => {
                    let bodies = |found: &Found| found.iter().map(|(a, b, _)| (*a, *b)).collect::<Vec<_>>();
                    assert_eq!(bodies(&first), bodies(&all));
                    let is_one_of = |(one, all): (&_, &_)| {
                        let ((.., one), (.., all)): (&(_, _, Vec<_>), &(_, _, Vec<_>)) = (one, all);
                        one.len() == 1 && all.contains(&one[0])
                    };
                    assert!(first.iter().zip(&all).all(is_one_of), "{first:?} {all:?}");
                }
                (first, all) => assert_eq!(first.map(|_| ()), all.map(|_| ())),
            },
            Add { triangles, corners } => self.add(triangles, corners),
            IgnoreGroups(a, b) => {
                scene.ignore_groups(*a, *b);
                model.ignored_groups.insert(ordered(*a, *b));
            }
            WatchGroups(a, b) => {
                scene.stop_ignoring_groups(*a, *b);
                model.ignored_groups.remove(&ordered(*a, *b));
            }
            _ => self.apply_to_body(operation),
        }
    }

    fn apply_to_body(&mut self, operation: &Operation) {
        use Operation::*;
        let (Remove(body)
        | Move { body, .. }
        | MoveBadly { body, .. }
        | Loose { body, .. }
        | Pose { body, .. }
        | Ignore(body, _)
        | Watch(body, _)
        | Group(body, _)
        | SelfCollision(body, _)) = operation
        else {
            unreachable!("{operation:?} is about no body")
        };
        let Some(id) = self.id(*body) else { return };
        let other = |other: usize| self.ids[other % self.ids.len()];
        let Self { scene, model, .. } = self;
        let known = model.body(id).map(|body| body.clone());
        match operation {
            Remove(_) => {
                let removed = scene.remove(id).map(|body| body.positions().to_vec());
                assert_eq!(removed, known.map(|body| body.positions));
                model.bodies.retain(|body| body.id != id);
                model.ignored.retain(|&(a, b)| a != id && b != id);
            }
            Move { corners, .. } => {
                let positions = known.as_ref().map_or(Vec::new(), |body| body.fitting(corners));
                let moved = model.body(id).map(|body| {
                    body.positions.clone_from(&positions);
                    body.loose = None;
                });
                assert_eq!(scene.set_positions(id, &positions), moved);
            }
            MoveBadly { by_number, .. } => {
                let mut positions = known.as_ref().map_or(Vec::new(), |body| body.positions.clone());
                let expected = positions.len();
                let source = if *by_number {
                    positions.push([0.0; 3]);
                    BodyError::WrongNumberOfPositions { given: expected + 1, expected }
                } else {
                    positions.iter_mut().for_each(|position| position[1] = f32::INFINITY);
                    let position = positions.first().copied().unwrap_or_default().map(f64::from);
                    BodyError::NotFinite { vertex: VertexId(0), position }
                };
                let refusal =
                    known.map_or_else(|unknown| unknown, |_| SceneError::Body { body: id, name: None, source });
                assert_eq!(scene.set_positions(id, &positions), Err(refusal));
            }
            Loose { corners, room, .. } => {
                let positions = known.as_ref().map_or(Vec::new(), |body| body.fitting(corners));
                let bounds = Aabb::of_points(&positions);
                let room = f32::from(*room);
                let promised = Aabb::new(bounds.min().map(|x| x - room), bounds.max().map(|x| x + room));
                let refusal = BodyError::EmptyLooseBox { promised, vertices: positions.len() };
                let expected = model.body(id).and_then(|body| {
                    if promised.is_empty() {
                        return Err(SceneError::Body { body: id, name: None, source: refusal });
                    }
                    body.loose = Some((promised, positions));
                    Ok(())
                });
                assert_eq!(scene.set_loose_box(id, promised), expected);
            }
            Pose { quaternion, translation, .. } => {
                if let Some(pose) = crumple::Pose::new(quaternion.map(f64::from), translation.map(f64::from)) {
                    assert_eq!(scene.set_pose(id, pose), known.map(|_| ()));
                }
            }
            Ignore(_, b) | Watch(_, b) => {
                let b = other(*b);
                let known = known.and_then(|_| model.body(b).map(|_| ()));
                if let Ignore(..) = operation {
                    assert_eq!(scene.ignore(id, b), known);
                    model.ignored.extend(known.map(|()| ordered(id, b)));
                } else {
                    assert_eq!(scene.stop_ignoring(id, b), known);
                    model.ignored.remove(&ordered(id, b));
                }
            }
            Group(_, group) => {
                assert_eq!(scene.set_group(id, *group), model.body(id).map(|body| body.group = *group));
            }
            SelfCollision(_, on) => {
                assert_eq!(scene.set_self_collision(id, *on), model.body(id).map(|body| body.asks_itself = *on));
            }
            _ => unreachable!("{operation:?} is about no body"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: ProptestConfig::default().cases.max(3_000),
        rng_seed: RngSeed::Fixed(2),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_scene_does_what_its_model_does(
        operations in prop::collection::vec(operation(), 1..60),
        method in 0..Method::all().len(),
        broad in 0..3,
    ) {
        let scene = Scene::new(Method::all()[method]);
        let scene = match broad {
            0 => scene,
            1 => scene.with_broad_phase(AllPairs::default()),
            _ => scene.with_broad_phase(SweepAndPrune::default()),
        };
        let mut both = Both { scene, model: Model::default(), ids: Vec::new() };
        for operation in &operations {
            both.apply(operation);
        }
        both.apply(&Operation::ContactsWith);
        let bodies: Vec<_> = both.scene.bodies().map(|(id, body)| (id, body.positions().to_vec())).collect();
        let expected: Vec<_> = both.model.bodies.iter().map(|body| (body.id, body.positions.clone())).collect();
        prop_assert_eq!(bodies, expected);
    }
}
