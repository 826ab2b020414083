//! Which bodies may touch.

use std::collections::HashSet;

use super::BodyId;

/// Pairs of bodies and pairs of groups that are not asked about.
#[derive(Debug, Default)]
pub(super) struct Ignored {
    bodies: HashSet<(BodyId, BodyId)>,
    groups: HashSet<(u32, u32)>,
}

impl Ignored {
    pub(super) fn ignore_bodies(&mut self, a: BodyId, b: BodyId) {
        self.bodies.insert(ordered(a, b));
    }

    pub(super) fn watch_bodies(&mut self, a: BodyId, b: BodyId) {
        self.bodies.remove(&ordered(a, b));
    }

    pub(super) fn ignore_groups(&mut self, a: u32, b: u32) {
        self.groups.insert(ordered(a, b));
    }

    pub(super) fn watch_groups(&mut self, a: u32, b: u32) {
        self.groups.remove(&ordered(a, b));
    }

    /// The bodies that may touch a given one, whatever their groups.
    pub(super) fn ignored_with(&self, id: BodyId) -> Vec<BodyId> {
        let other = |&(a, b): &(BodyId, BodyId)| if a == id { Some(b) } else { (b == id).then_some(a) };
        self.bodies.iter().filter_map(other).collect()
    }

    /// Drops what is known about a body that is gone.
    pub(super) fn forget(&mut self, id: BodyId) {
        self.bodies.retain(|&(a, b)| a != id && b != id);
    }

    /// Whether two bodies, each with its group, may touch.
    pub(super) fn holds(&self, (a, group_a): (BodyId, u32), (b, group_b): (BodyId, u32)) -> bool {
        self.bodies.contains(&ordered(a, b)) || self.groups.contains(&ordered(group_a, group_b))
    }
}

fn ordered<T: Ord>(a: T, b: T) -> (T, T) {
    if a <= b { (a, b) } else { (b, a) }
}
