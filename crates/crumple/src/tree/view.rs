//! What a single point or ray walks through: the groups of eight boxes of a tree, and the triangles of its leaves.
//!
//! Few questions walk the boxes that the tree keeps anchored (see [`super::anchor`]), and gather the triangles of a leaf
//! when they get there. For many questions a [`Snapshot`] is made first: tight boxes on every level, and the corners of
//! all triangles turned into lanes. It costs one pass over the triangles, about as much as some hundred questions.
//!
//! Cost of a snapshot: O(triangles), about 4 ns each; no allocation for a tree of the size of the last one.
//! Held by: `tests/behaviour/points.rs`, `tests/behaviour/rays.rs`.

use glam::Vec4;

use super::TreeSide;
use super::build::WIDTH;
use crate::geom::Aabb;
use crate::geom::lanes::{Boxes8, Instructions, Simd, Triangle8, Vec8, bits, dispatch};

/// The triangles of a leaf: corner, axis, lane. Lanes that are not in use repeat one that is.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct Leaf8(pub(crate) [[[f32; WIDTH]; 3]; 3]);

impl Leaf8 {
    pub(crate) const EMPTY: Self = Self([[[0.0; WIDTH]; 3]; 3]);

    /// The corners of the triangle in a lane.
    #[inline(always)]
    pub(crate) fn triangle(&self, lane: usize) -> [[f32; 3]; 3] {
        self.0.map(|corner| corner.map(|axis| axis[lane]))
    }
}

/// Tight boxes on all levels and the triangles in lanes, for a body as it was when they were taken.
#[derive(Clone, Debug, Default)]
pub(crate) struct Snapshot {
    levels: Vec<Vec<Boxes8>>,
    leaves: Vec<Leaf8>,
}

impl Snapshot {
    /// Takes in a body as it is now.
    pub(crate) fn take(&mut self, simd: Instructions, side: TreeSide<'_>) {
        dispatch!(simd, simd => self.take_in(simd, side));
    }

    #[inline(always)]
    fn take_in<S: Simd>(&mut self, simd: S, side: TreeSide<'_>) {
        let Self { levels, leaves } = self;
        let tree = side.tree;
        leaves.clear();
        levels.resize(tree.levels.len(), Vec::new());
        for (level, of_tree) in levels.iter_mut().zip(&tree.levels) {
            level.clear();
            level.resize(of_tree.len(), Boxes8::EMPTY);
        }
        for leaf in 0..tree.arrangement.leaf_count() {
            let Some(triangles) = gather(simd, side, leaf) else {
                leaves.push(Leaf8::EMPTY);
                continue;
            };
            leaves.push(Leaf8([triangles.p.store(), triangles.q.store(), triangles.r.store()]));
            let boxes = Boxes8::of(triangles.min(), triangles.max());
            levels[0][leaf / WIDTH].set(leaf % WIDTH, &boxes.union(simd));
        }
        for level in 1..levels.len() {
            let (below, above) = levels.split_at_mut(level);
            for (node, children) in below[level - 1].iter().enumerate() {
                above[0][node / WIDTH].set(node % WIDTH, &children.union(simd));
            }
        }
    }
}

/// A tree as one question walks it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    side: TreeSide<'a>,
    snapshot: Option<&'a Snapshot>,
    levels: &'a [Vec<Boxes8>],
    /// What has to be added to the lower and to the upper corners of boxes.
    pub(crate) moved_min: [f64; 3],
    pub(crate) moved_max: [f64; 3],
    /// No box, displacement or sum of both has a larger coordinate; 2^-21 of it covers the rounding of boxes.
    pub(crate) largest: f64,
}

impl<'a> View<'a> {
    /// The tree as it is kept.
    pub(crate) fn of_tree(side: TreeSide<'a>) -> Self {
        let (moved_min, moved_max) = side.tree.anchor.moved();
        let largest = side.tree.anchor.largest().into();
        Self { side, snapshot: None, levels: &side.tree.levels, moved_min, moved_max, largest }
    }

    /// The tree as it was taken, of a body that has not changed since.
    pub(crate) fn of_snapshot(side: TreeSide<'a>, snapshot: &'a Snapshot) -> Self {
        let bounds = side.body.bounds();
        let largest = bounds.low().abs().max(bounds.high().abs()).max_element().into();
        let (moved_min, moved_max) = ([0.0; 3], [0.0; 3]);
        Self { side, snapshot: Some(snapshot), levels: &snapshot.levels, moved_min, moved_max, largest }
    }

    /// Where a walk starts; `None` if there are no triangles.
    #[inline(always)]
    pub(crate) fn root(&self) -> Option<Node> {
        (self.side.tree.arrangement.leaf_count() > 0).then_some(Node { height: self.levels.len() as u32, index: 0 })
    }

    /// The boxes of a group; `room` may be used for them.
    #[inline(always)]
    pub(crate) fn boxes<'b, S: Simd>(&self, simd: S, group: Node, room: &'b mut Boxes8) -> &'b Boxes8
    where
        'a: 'b,
    {
        if self.snapshot.is_none() && group.height == 1 {
            self.side.tree.note_reached(group.index);
            if !self.side.tree.keeps_leaves() {
                let (min, max) = self.side.tree.fitted_leaves(simd, group.index as usize, self.side.body);
                *room = Boxes8::of(min, max);
                return room;
            }
        }
        &self.levels[group.height as usize - 1][group.index as usize]
    }

    /// Which lanes of a group are in use: one bit each.
    #[inline(always)]
    pub(crate) fn in_use(&self, group: Node) -> u32 {
        // Only the last group of a level has others; a level has as many nodes as the one below it has groups.
        let nodes = match group.height {
            1 => self.side.tree.arrangement.leaf_count(),
            height => self.levels[height as usize - 2].len(),
        };
        0xff >> (WIDTH - (nodes - WIDTH * group.index as usize).min(WIDTH))
    }

    /// The triangles of a leaf, and in which lanes they are, one bit each; `None` if it has none. `room` may be used for
    /// them.
    #[inline(always)]
    pub(crate) fn leaf<'b, S: Simd>(&self, simd: S, leaf: u32, room: &'b mut Leaf8) -> Option<(&'b Leaf8, u32)>
    where
        'a: 'b,
    {
        let in_use = u32::from(self.side.tree.arrangement.in_use[leaf as usize]);
        if let Some(snapshot) = self.snapshot {
            return (in_use != 0).then(|| (&snapshot.leaves[leaf as usize], in_use));
        }
        let triangles = gather(simd, self.side, leaf as usize)?;
        *room = Leaf8([triangles.p.store(), triangles.q.store(), triangles.r.store()]);
        Some((room, in_use))
    }

    /// The number in its mesh of the triangle in a lane of a leaf.
    #[inline(always)]
    pub(crate) fn number(&self, leaf: u32, lane: usize) -> u32 {
        self.side.tree.arrangement.numbers(leaf as usize)[lane]
    }

    /// The corners of the triangle in a lane of a leaf, without rounding.
    #[inline(always)]
    pub(crate) fn exact_triangle(&self, triangles: &Leaf8, leaf: u32, lane: usize) -> [[f64; 3]; 3] {
        if self.side.body.is_wide() {
            let vertices = self.side.body.mesh().indices()[self.number(leaf, lane) as usize];
            return self.side.body.exact_corners(vertices);
        }
        triangles.triangle(lane).map(|corner| corner.map(f64::from))
    }

    /// At least as much as any coordinate of a triangle of a leaf is off.
    pub(crate) fn rounding(&self) -> f32 {
        self.side.body.rounding()
    }

    /// The box of the body.
    pub(crate) fn bounds(&self) -> Aabb {
        self.side.body.bounds()
    }
}

/// A leaf, at height 0, or a group of eight boxes: those of the nodes one below.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Node {
    pub(crate) height: u32,
    pub(crate) index: u32,
}

impl Node {
    /// The node in a lane of this group.
    #[inline(always)]
    pub(crate) fn below(self, lane: usize) -> Self {
        Self { height: self.height - 1, index: self.index * WIDTH as u32 + lane as u32 }
    }
}

/// The triangles of a leaf in lanes, those not in use repeating one that is; `None` if there is none.
#[inline(always)]
fn gather<S: Simd>(simd: S, side: TreeSide<'_>, leaf: usize) -> Option<Triangle8<S>> {
    let (vertices, arrangement) = (side.body.vertices(), &side.tree.arrangement);
    let (mut triangles, in_use) = (*arrangement.leaf(leaf), arrangement.in_use[leaf]);
    let (first, _) = arrangement.leaf_in_use(leaf).next()?;
    bits(!in_use).for_each(|lane| triangles[lane] = triangles[first]);
    let mut corners = [[Vec4::ZERO; WIDTH]; 3];
    for lane in 0..WIDTH {
        for k in 0..3 {
            corners[k][lane] = vertices.four(triangles[lane][k]);
        }
    }
    Some(Triangle8 {
        p: Vec8::gather(simd, corners[0].each_ref()),
        q: Vec8::gather(simd, corners[1].each_ref()),
        r: Vec8::gather(simd, corners[2].each_ref()),
    })
}
