//! Scenes of `crumple_scenes` as bodies, and the answers of one frame as plain lists.

use std::sync::Arc;

use crumple::narrow::Wanted;
use crumple::{Body, BodyId, Contacts, Mesh, Scene, TrianglePair};

use super::methods::{AnyMethod, brute_force};

/// What is found in one frame: for each two bodies that meet (or one that meets itself), by their places, the pairs.
pub(crate) type Found = Vec<(usize, usize, Vec<TrianglePair>)>;

/// All positions of one frame, body by body.
pub(crate) type Frame = Vec<Vec<[f32; 3]>>;

/// The bodies of a scene in its first frame.
pub(crate) fn bodies(scene: &crumple_scenes::Scene) -> Vec<Body> {
    let body = |body: &crumple_scenes::SceneBody| {
        let mesh = Mesh::new(body.vertex_count(), body.triangles().to_vec()).unwrap();
        Body::new(Arc::new(mesh), &body.positions_at(0)).unwrap()
    };
    scene.bodies().iter().map(body).collect()
}

pub(crate) fn move_bodies(bodies: &mut [Body], frame: &Frame) {
    for (body, positions) in bodies.iter_mut().zip(frame) {
        body.set_positions(positions).unwrap();
    }
}

/// Some bodies in a scene under one method.
pub(crate) struct Playback {
    pub(crate) scene: Scene,
    pub(crate) ids: Vec<BodyId>,
}

impl Playback {
    pub(crate) fn new(method: &dyn AnyMethod, bodies: &[Body]) -> Self {
        let mut scene = method.scene();
        let ids = bodies.iter().map(|body| scene.add(body.clone())).collect();
        Self { scene, ids }
    }

    /// Asks every body about itself too.
    pub(crate) fn with_self_collision(mut self) -> Self {
        self.ids.iter().for_each(|&id| self.scene.set_self_collision(id, true).unwrap());
        self
    }

    pub(crate) fn move_bodies(&mut self, frame: &Frame) {
        for (&id, positions) in self.ids.iter().zip(frame) {
            self.scene.set_positions(id, positions).unwrap();
        }
    }

    pub(crate) fn contacts(&mut self) -> Found {
        as_found(self.scene.update().unwrap().contacts())
    }

    pub(crate) fn witnesses(&mut self) -> Found {
        as_found(self.scene.update().unwrap().witnesses())
    }
}

pub(crate) fn as_found(contacts: Contacts<'_>) -> Found {
    contacts.iter().map(|contact| (contact.a.index(), contact.b.index(), contact.pairs.to_vec())).collect()
}

/// What brute force finds without any broad phase: every body against every other.
pub(crate) fn truth(bodies: &[Body]) -> Found {
    let mut trees = brute_force().trees(bodies);
    let mut found = Vec::new();
    for a in 0..bodies.len() {
        for b in a + 1..bodies.len() {
            let pairs = trees.pairs(bodies, a, b, Wanted::All);
            if !pairs.is_empty() {
                found.push((a, b, pairs));
            }
        }
    }
    found
}

/// Complains unless `first` names one true pair for each two bodies that meet.
pub(crate) fn assert_first_pairs(first: &Found, truth: &Found, context: &dyn Fn() -> String) {
    let bodies = |found: &Found| found.iter().map(|(a, b, _)| (*a, *b)).collect::<Vec<_>>();
    assert_eq!(bodies(first), bodies(truth), "which bodies meet: {}", context());
    for ((a, b, pair), (_, _, pairs)) in first.iter().zip(truth) {
        assert!(pair.len() == 1 && pairs.contains(&pair[0]), "{pair:?} of bodies {a} and {b}: {}", context());
    }
}
