//! Takes in an edit of the body ([`Body::edit`]): triangles that have gone, come back or been added.
//!
//! A triangle that goes leaves its lane empty, and gets it again if it comes back; the box of the leaf stays as it was,
//! which is not too small. Added triangles are arranged among themselves, in clusters behind the others: a *run*. A run that
//! is no larger than twice what comes is arranged anew together with it, so that there are few, and each triangle is
//! arranged a number of times that grows as the logarithm of their number. Where most lanes have become empty, or triangles
//! have other numbers, the tree is built anew.
//!
//! Cost: what the edit changes, times that logarithm, and a word per 64 triangles of the body.
//! Held by: `tests/agreement/changing`, experiments GE2 and CR5.

use super::build::{Arrangement, Midpoint, NO_LANE, WIDTH};
use super::{Rebuild, Tree};
use crate::body::Body;
use crate::geom::TriangleId;

/// A tree is built anew if fewer lanes than one in so many are in use: walks fetch them all.
const LEAST_IN_USE: usize = 3;

/// Below this many triangles a build costs no more than anything else, and above it there is more than one cluster.
const SMALL: usize = 2 * WIDTH * WIDTH;

/// What an edit did to an arrangement.
struct Changed {
    /// From which cluster on all are new.
    first_new: usize,
    /// Whether triangles came back to their lanes.
    restored: bool,
}

impl Tree {
    /// Takes in a body whose triangles have changed.
    pub(crate) fn follow(&mut self, body: &Body, rebuild: Rebuild) {
        // Above the clusters levels come and go by themselves; a tree of one level has none for clusters.
        let has_clusters = self.levels.len() > 1;
        let can_follow = has_clusters && rebuild != Rebuild::Always && body.keeps_numbers_since(self.topology);
        let changed = if can_follow { self.arrangement.follow(body) } else { None };
        self.topology = body.topology_version();
        match changed {
            Some(changed) => self.take_in(body, &changed),
            None => self.build_anew(body),
        }
    }

    fn take_in(&mut self, body: &Body, changed: &Changed) {
        self.resize(changed.first_new);
        self.refit(body, None);
        let mesh = body.mesh();
        if let Some((masks, _)) = self.neighbour_masks.get_mut()
            && !masks.follow(&self.arrangement, mesh.fans(), changed.first_new * WIDTH, changed.restored)
        {
            self.neighbour_masks.take();
        }
        if changed.restored {
            self.patches.take();
        } else if let Some(patches) = self.patches.get_mut() {
            patches.follow(&self.arrangement, mesh.vertex_count(), changed.first_new);
        }
    }
}

impl Arrangement {
    /// Takes in what has changed; `None` if all is to be arranged anew. The numbers of triangles must be what they were.
    fn follow(&mut self, body: &Body) -> Option<Changed> {
        let mesh = body.mesh();
        let known = self.lanes.len() as u32;
        self.lanes.resize(mesh.triangles().len(), NO_LANE);
        let mut restored = false;
        self.midpoints.clear();
        for triangle in mesh.live().changed_since(&self.live).take_while(|&triangle| triangle < known) {
            match (self.lanes[triangle as usize], mesh.live().holds(triangle)) {
                (NO_LANE, true) => self.midpoints.push(Midpoint::of(body, triangle)),
                (NO_LANE, false) => {}
                (lane, is_live) => {
                    self.in_use[lane as usize / WIDTH] ^= 1 << (lane as usize % WIDTH);
                    restored |= is_live;
                    (self.used, self.removed) =
                        if is_live { (self.used + 1, self.removed - 1) } else { (self.used - 1, self.removed + 1) };
                }
            }
        }
        self.live.clone_from(mesh.live());
        let added = known..self.lanes.len() as u32;
        let added = added.filter(|&triangle| mesh.is_live(TriangleId(triangle)));
        self.midpoints.extend(added.map(|triangle| Midpoint::of(body, triangle)));
        let used = self.used + self.midpoints.len();
        if used < SMALL {
            return None;
        }
        let mut first_new = self.cluster_count();
        if !self.midpoints.is_empty() {
            self.take_small_runs_apart(body);
            first_new = self.cluster_count();
            self.runs.push(first_new);
            self.append(body);
        }
        (LEAST_IN_USE * used >= WIDTH * self.leaf_count()).then_some(Changed { first_new, restored })
    }

    /// Takes the last runs apart while they are small, and adds their triangles to those that are to be arranged.
    fn take_small_runs_apart(&mut self, body: &Body) {
        while let Some(&first) = self.runs.last() {
            let lanes = first * WIDTH * WIDTH..self.leaf_count() * WIDTH;
            if lanes.len() > 2 * self.midpoints.len().max(WIDTH * WIDTH) {
                break;
            }
            for at in lanes {
                let lane = &mut self.lanes[self.triangles[at] as usize];
                // Some lanes only repeat a triangle.
                if *lane as usize != at {
                    continue;
                }
                *lane = NO_LANE;
                if self.in_use[at / WIDTH] >> (at % WIDTH) & 1 == 1 {
                    self.midpoints.push(Midpoint::of(body, self.triangles[at]));
                    self.used -= 1;
                } else {
                    self.removed -= 1;
                }
            }
            self.truncate(first);
            self.runs.pop();
        }
    }
}
