//! Which parts of a tree hold only triangles around one vertex, so that a walk can leave out pairs of them.
//!
//! The triangles at a hub (see [`Fans`]) all have it in common, so their boxes overlap, and a polygon of thousands of
//! corners that was cut as a fan would have millions of candidates. In a frame in which the fan of a hub lies side by side,
//! none of them collide: the walk then skips every pair of nodes that hold nothing but triangles of that hub.
//!
//! Cost: O(n) when a body is first asked about itself, if it has hubs at all; per frame, one exact test per triangle at a
//! hub. Held by: `tests/agreement/hubs.rs`.

use super::build::{Arrangement, WIDTH};
use super::patches::Flat;
use crate::body::Body;
use crate::exact::lies_side_by_side;
use crate::mesh::{Fans, distinct};

/// Marks nodes whose triangles have no hub in common.
const NONE: u32 = u32::MAX;

/// For each node of a tree the hub that all of its triangles share, by its number.
#[derive(Clone, Debug, Default)]
pub(crate) struct HubNodes {
    /// By level, leaves first; empty if the mesh has no hubs.
    levels: Vec<Vec<u32>>,
}

impl HubNodes {
    pub(super) fn of(arrangement: &Arrangement, fans: &Fans) -> Self {
        if fans.hubs().is_empty() {
            return Self::default();
        }
        let leaves = (0..arrangement.leaf_count()).map(|leaf| {
            let mut triangles = arrangement.leaf_in_use(leaf).map(|(_, vertices)| vertices);
            let first = triangles.next().map(distinct);
            let mut shared = first.into_iter().flatten().filter_map(|vertex| Some((vertex, fans.hub_at(vertex)?)));
            let shared = shared.find(|(vertex, _)| triangles.clone().all(|vertices| vertices.contains(vertex)));
            shared.map_or(NONE, |(_, hub)| hub as u32)
        });
        let mut levels = vec![leaves.collect::<Vec<u32>>()];
        while let Some(below) = levels.last().filter(|below| below.len() > WIDTH) {
            let joined = |eight: &[u32]| if eight.iter().all(|hub| *hub == eight[0]) { eight[0] } else { NONE };
            levels.push(below.chunks(WIDTH).map(joined).collect());
        }
        Self { levels }
    }
}

/// What was found out about the hubs of a body in one frame.
#[derive(Debug, Default)]
pub(crate) struct ClearHubs {
    /// By the number of the hub.
    is_clear: Vec<bool>,
}

impl ClearHubs {
    /// Finds out which fans of hubs lie side by side now.
    pub(crate) fn find(&mut self, body: &Body) {
        let fans = body.mesh().fans();
        let position = |vertex: u32| body.exact_position(vertex);
        self.is_clear.clear();
        self.is_clear.extend(fans.hubs().iter().map(|hub| {
            let ends = fans.hub_ends(hub).iter().map(|&end| position(end));
            lies_side_by_side(position(hub.vertex), ends, hub.closed)
        }));
    }

    /// Whether the mesh has no hubs.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.is_clear.is_empty()
    }

    /// Whether two triangles, given by their vertices, lie side by side at a hub they share.
    pub(crate) fn clears(&self, fans: &Fans, a: [u32; 3], b: [u32; 3]) -> bool {
        self.clearing(fans, a, b).next().is_some()
    }

    /// The hubs that two triangles, given by their vertices, share and at which triangles lie side by side.
    pub(crate) fn clearing(&self, fans: &Fans, a: [u32; 3], b: [u32; 3]) -> impl Iterator<Item = u32> {
        let clears =
            move |vertex: u32| b.contains(&vertex) && fans.hub_at(vertex).is_some_and(|hub| self.is_clear[hub]);
        a.into_iter().filter(move |&vertex| !self.is_empty() && clears(vertex))
    }
}

/// The pairs of nodes that a walk of a body against itself need not open.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClearNodes<'a> {
    pub(crate) nodes: &'a HubNodes,
    pub(crate) hubs: &'a ClearHubs,
    /// What lies side by side.
    pub(crate) flat: Flat<'a>,
}

impl ClearNodes<'_> {
    /// Removes pairs of nodes of a level all of whose triangles lie side by side, in a patch or at one hub; `number` gives the
    /// nodes of a pair.
    pub(super) fn remove_from(
        &self,
        level: usize,
        pairs: &mut Vec<(u32, u32)>,
        number: impl Fn((u32, u32)) -> (u32, u32),
    ) {
        if !self.flat.is_empty() {
            pairs.retain(|&pair| !self.flat.clears_nodes(level, number(pair)));
        }
        let Some(hubs) = self.nodes.levels.get(level) else { return };
        pairs.retain(|&pair| {
            let (a, b) = number(pair);
            let hub = hubs[a as usize];
            hub == NONE || hub != hubs[b as usize] || !self.hubs.is_clear[hub as usize]
        });
    }
}
