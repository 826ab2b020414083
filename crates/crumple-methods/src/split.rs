//! Splitting a node by where its triangles are, as the papers of 1997 and 2001 do.
//!
//! Paper: Larsson & Akenine-Möller 2001, section 3.2. The node's box is cut across its 1, 2 or 3 longest axes into 2, 4
//! or 8 parts, and each triangle goes where its midpoint lies. Departs: where all midpoints fall into one part — they
//! may coincide, and then no cut would ever tell them apart — the list is cut into equal parts as it stands. And a node
//! with no more triangles than it may have children opens straight into its leaves: cutting on by volume would put, at
//! degree eight, a level of nodes with two or three triangles in between (LE1: a third of all nodes and two levels).
//! And an axis along which a box is thin is not cut: the parts of a rippled sheet above and below its middle lie in the
//! same place, and are not apart in any later frame (CR1: a self-collision query takes a third of the instructions; LE1
//! stays as it is).

use crumple::{Aabb, Body, Triangle};

/// The most children a node can have.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Degree {
    /// Binary: split across the longest axis.
    Two,
    /// Split across the two longest axes.
    Four,
    /// Split across all three axes.
    Eight,
}

impl Degree {
    /// The number of children it stands for.
    pub fn count(self) -> usize {
        1 << self.axes()
    }

    fn axes(self) -> usize {
        match self {
            Self::Two => 1,
            Self::Four => 2,
            Self::Eight => 3,
        }
    }
}

/// A box is thin along an axis if it is shorter than this part of its longest side.
const THIN: f32 = 0.25;

/// Where a box is cut.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SplitAt {
    /// At its centre.
    Centre,
    /// At the mean of the midpoints of the triangles in it.
    Mean,
}

/// Splits nodes by the triangles' midpoints in one frame of a body.
pub(crate) struct PositionSplit {
    degree: Degree,
    at: SplitAt,
    boxes: Vec<Aabb>,
    midpoints: Vec<[f32; 3]>,
    sorted: Vec<u32>,
}

impl PositionSplit {
    pub(crate) fn new(body: &Body, degree: Degree, at: SplitAt) -> Self {
        let corners = |vertices: &[u32; 3]| Triangle(vertices.map(|vertex| body.positions()[vertex as usize]));
        let triangles: Vec<_> = body.mesh().indices().iter().map(corners).collect();
        let midpoint = |t: &Triangle| -> [f32; 3] {
            // Thirds before the sum: the sum of three finite numbers may overflow.
            std::array::from_fn(|axis| t.0[0][axis] / 3.0 + t.0[1][axis] / 3.0 + t.0[2][axis] / 3.0)
        };
        Self {
            degree,
            at,
            boxes: triangles.iter().map(|triangle| triangle.bounds()).collect(),
            midpoints: triangles.iter().map(midpoint).collect(),
            sorted: Vec::new(),
        }
    }

    /// Groups the triangles of a node by part and pushes the end of each part that is not empty.
    pub(crate) fn split(&mut self, triangles: &mut [u32], ends: &mut Vec<usize>) {
        if triangles.len() <= self.degree.count() {
            ends.extend(1..=triangles.len());
            return;
        }
        let bounds = triangles.iter().fold(Aabb::EMPTY, |joined, &t| joined.union(&self.boxes[t as usize]));
        let cut_at = match self.at {
            SplitAt::Centre => bounds.centre(),
            SplitAt::Mean => self.mean(triangles),
        };
        let extent = bounds.extent();
        let mut axes = [0, 1, 2];
        axes.sort_by(|&i, &j| extent[j].total_cmp(&extent[i]));
        // The longest axis is cut in any case.
        let is_long = |&axis: &usize| extent[axis] >= THIN * extent[axes[0]];
        let count = axes[..self.degree.axes()].iter().take_while(|axis| is_long(axis)).count();
        let axes = &axes[..count.max(1)];
        let part = |t: u32| {
            let midpoint = self.midpoints[t as usize];
            axes.iter().enumerate().map(|(bit, &axis)| usize::from(midpoint[axis] > cut_at[axis]) << bit).sum::<usize>()
        };
        // Counting sort: stable, so that equal input gives equal trees.
        let mut starts = [0; 9];
        for &t in triangles.iter() {
            starts[part(t) + 1] += 1;
        }
        for i in 0..8 {
            starts[i + 1] += starts[i];
        }
        ends.extend((0..8).filter(|&i| starts[i + 1] > starts[i]).map(|i| starts[i + 1]));
        if ends.len() == 1 {
            ends.clear();
            equal_parts(triangles.len(), self.degree.count(), ends);
            return;
        }
        self.sorted.clear();
        self.sorted.resize(triangles.len(), 0);
        for &t in triangles.iter() {
            let at = &mut starts[part(t)];
            self.sorted[*at] = t;
            *at += 1;
        }
        triangles.copy_from_slice(&self.sorted);
    }

    fn mean(&self, triangles: &[u32]) -> [f32; 3] {
        let mut sum = [0.0; 3];
        for &t in triangles {
            for axis in 0..3 {
                sum[axis] += f64::from(self.midpoints[t as usize][axis]);
            }
        }
        sum.map(|total| (total / triangles.len() as f64) as f32)
    }
}

/// Cuts a list of `len` into at most `parts` parts whose lengths differ by at most one.
pub(crate) fn equal_parts(len: usize, parts: usize, ends: &mut Vec<usize>) {
    let parts = parts.min(len);
    ends.extend((1..=parts).map(|part| part * len / parts));
}
