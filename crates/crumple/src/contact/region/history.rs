//! Which region of the frame before a region is.
//!
//! A region takes over the id of the region with which it shares the most triangles. Where a region has split, the part
//! that shares more keeps the id; where two have merged, the id of the one that shares more goes on. All others get new
//! ids, which have not been used before.

use std::ops::Range;

use super::{RegionId, Regions};
use crate::geom::BodyId;

/// The regions of the last frame in which they were asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    /// Sorted by bodies.
    regions: Vec<Seen>,
    triangles: Vec<u32>,
    next: u64,
}

/// A region and its triangles, of a and of b.
#[derive(Clone, Debug)]
struct Seen {
    bodies: [BodyId; 2],
    id: RegionId,
    triangles: [Range<usize>; 2],
}

/// Working memory of naming.
#[derive(Clone, Debug, Default)]
pub(crate) struct Naming {
    /// Per triangle the region it is in, plus 1.
    labels: Vec<u32>,
    /// How many triangles an earlier region, by index, and a region share.
    shared: Vec<(u32, u32, u32)>,
    is_named: Vec<bool>,
    is_taken: Vec<bool>,
}

impl History {
    /// The first id that has not been used.
    pub(crate) fn next(&self) -> u64 {
        self.next
    }

    /// Gives the regions of two bodies their ids.
    pub(crate) fn name(&self, bodies: [BodyId; 2], regions: &mut Regions, next: &mut u64, naming: &mut Naming) {
        let Naming { labels, shared, is_named, is_taken } = naming;
        let first = self.regions.partition_point(|seen| seen.bodies < bodies);
        let earlier = &self.regions[first..];
        let earlier = &earlier[..earlier.partition_point(|seen| seen.bodies == bodies)];
        shared.clear();
        for side in 0..2 {
            let most = regions.triangles[side].iter().map(|triangle| triangle.index() + 1).max().unwrap_or(0);
            labels.clear();
            labels.resize(most, 0);
            for (index, data) in (1..).zip(&regions.regions) {
                for triangle in &regions.triangles[side][data.triangles[side].clone()] {
                    labels[triangle.index()] = index;
                }
            }
            for (index, seen) in (0..).zip(earlier) {
                for &triangle in &self.triangles[seen.triangles[side].clone()] {
                    let Some(region) = labels.get(triangle as usize).and_then(|label| label.checked_sub(1)) else {
                        continue;
                    };
                    match shared.last_mut() {
                        Some(last) if (last.0, last.1) == (index, region) => last.2 += 1,
                        _ => shared.push((index, region, 1)),
                    }
                }
            }
        }
        // How often each two occur, most often first.
        shared.sort_unstable();
        let mut kept = 0;
        for k in 0..shared.len() {
            if kept > 0 && (shared[kept - 1].0, shared[kept - 1].1) == (shared[k].0, shared[k].1) {
                shared[kept - 1].2 += shared[k].2;
            } else {
                shared[kept] = shared[k];
                kept += 1;
            }
        }
        shared.truncate(kept);
        shared.sort_unstable_by_key(|&(index, region, count)| (std::cmp::Reverse(count), index, region));
        is_named.clear();
        is_named.resize(regions.regions.len(), false);
        is_taken.clear();
        is_taken.resize(earlier.len(), false);
        for &(index, region, _) in shared.iter() {
            let (index, region) = (index as usize, region as usize);
            if !is_named[region] && !is_taken[index] {
                (is_named[region], is_taken[index]) = (true, true);
                regions.regions[region].id = earlier[index].id;
            }
        }
        for (data, _) in regions.regions.iter_mut().zip(is_named.iter()).filter(|(_, is_named)| !**is_named) {
            data.id = RegionId(*next);
            *next += 1;
        }
    }

    /// Starts to remember another frame.
    pub(crate) fn clear(&mut self, next: u64) {
        self.regions.clear();
        self.triangles.clear();
        self.next = next;
    }

    /// Remembers the regions of two bodies; in the order of bodies.
    pub(crate) fn remember(&mut self, bodies: [BodyId; 2], regions: &Regions) {
        for data in &regions.regions {
            let mut triangles = [0..0, 0..0];
            for side in 0..2 {
                let start = self.triangles.len();
                let list = &regions.triangles[side][data.triangles[side].clone()];
                self.triangles.extend(list.iter().map(|triangle| triangle.0));
                triangles[side] = start..self.triangles.len();
            }
            self.regions.push(Seen { bodies, id: data.id, triangles });
        }
    }
}
