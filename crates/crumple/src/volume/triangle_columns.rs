//! Triangles by the columns of a grid they reach into, to decide single points exactly.
//!
//! ```text
//!   ┌──┬──┬──┐     a cell lists every triangle whose box, seen along the axis, meets the cell;
//!   │  │◣ │  │     the line through a point can only cross triangles of its own cell, because cells come from one
//!   ├──┼──┼──┤     growing function of the coordinate, for points and corners alike
//!   └──┴──┴──┘
//! ```
//!
//! Each of these triangles is asked by `exact::before_point` whether the point's line crosses it before the point;
//! of f64 numbers, cells are those of copies rounded to f32, which is a growing function as well (`body::wide`);
//! entries and exits are counted as in an image, but with nothing rounded. Nothing here depends on an image's samples:
//! the grid is chosen for about one triangle per cell, and coarsened while triangles reach into too many cells.
//!
//! Cost: O(triangles) to sort in, then the few triangles of a cell for each point; memory is reused.

use glam::Vec4;

use super::InsideRule;
use super::window::held_box;
use crate::body::{Body, PointSource, Points};
use crate::exact::{BeforePoint, before_point_f64};
use crate::geom::TriangleId;
use crate::geom::{Aabb, Axis, Coordinate};
use crate::threads;

/// The most cells per side.
const MOST_CELLS: u32 = 1024;
/// A grid in which triangles reach into more cells than this on average is coarsened.
const CELLS_A_TRIANGLE: usize = 16;

/// Lists of triangles, one per cell, in one flat array.
#[derive(Clone, Debug)]
pub(super) struct TriangleColumns {
    grid: Grid,
    axis: Axis,
    bounds: Aabb,
    /// Where each cell's list starts, and where the last one ends.
    starts: Vec<u32>,
    triangles: Vec<u32>,
}

impl Default for TriangleColumns {
    fn default() -> Self {
        let (axis, bounds) = (Axis::Z, Aabb::EMPTY);
        Self { grid: Grid::default(), axis, bounds, starts: Vec::new(), triangles: Vec::new() }
    }
}

/// Square-ish cells over two coordinates.
#[derive(Clone, Copy, Debug, Default)]
struct Grid {
    axes: [usize; 2],
    low: [f64; 2],
    per_unit: [f64; 2],
    cells: [u32; 2],
}

impl Grid {
    fn new(bounds: &Aabb, axis: Axis, side: u32) -> Self {
        let axes = axis.others().map(|axis| axis as usize);
        let low = axes.map(|k| f64::from(bounds.min()[k]));
        // The box has volume, so this divides by no zero.
        let per_unit = axes.map(|k| f64::from(side) / (f64::from(bounds.max()[k]) - f64::from(bounds.min()[k])));
        Self { axes, low, per_unit, cells: [side; 2] }
    }

    /// The cell a coordinate along one of the two sides falls into; growing, whatever is rounded.
    #[inline]
    fn cell(&self, side: usize, coordinate: f32) -> u32 {
        (((f64::from(coordinate) - self.low[side]) * self.per_unit[side]) as u32).min(self.cells[side] - 1)
    }

    /// The first and last cells a triangle reaches into, along both sides.
    #[inline]
    fn reach(&self, corners: [Vec4; 3]) -> [[u32; 2]; 2] {
        let low = corners[0].min(corners[1]).min(corners[2]);
        let high = corners[0].max(corners[1]).max(corners[2]);
        [0, 1].map(|side| [self.cell(side, low[self.axes[side]]), self.cell(side, high[self.axes[side]])])
    }

    /// The numbers of the cells from the first to the last along both sides.
    #[inline]
    fn cells_in(&self, [columns, rows]: [[u32; 2]; 2]) -> impl Iterator<Item = usize> + use<> {
        let width = self.cells[0];
        (rows[0]..=rows[1]).flat_map(move |row| {
            let first = row * width;
            (first + columns[0]..first + columns[1] + 1).map(|cell| cell as usize)
        })
    }
}

impl TriangleColumns {
    /// Sorts in the triangles of a body whose box has volume, seen along `axis`.
    pub(super) fn sort_in(&mut self, body: &Body, axis: Axis) {
        let (mesh, vertices) = (body.mesh(), body.vertices());
        (self.axis, self.bounds) = (axis, held_box(body));
        let mut side = ((mesh.live_count() as f64).sqrt() as u32).clamp(1, MOST_CELLS);
        let reach = |grid: &Grid, triangle: [u32; 3]| grid.reach(triangle.map(|vertex| vertices.get(vertex)));
        let total = loop {
            self.grid = Grid::new(&self.bounds, axis, side);
            let cells = |[columns, rows]: [[u32; 2]; 2]| {
                (columns[1] - columns[0] + 1) as usize * (rows[1] - rows[0] + 1) as usize
            };
            let total: usize = mesh.live_triangles().map(|(_, triangle)| cells(reach(&self.grid, triangle))).sum();
            if total <= CELLS_A_TRIANGLE * mesh.live_count() {
                break total;
            }
            side = (side / 2).max(1);
        };
        let grid = self.grid;
        self.starts.clear();
        self.starts.resize((grid.cells[0] * grid.cells[1]) as usize + 1, 0);
        self.triangles.resize(total, 0);
        // Count; turn counts into where each list starts; fill, which moves that to where it ends, one entry early.
        let lists = &mut self.starts[1..];
        for (_, triangle) in mesh.live_triangles() {
            for cell in grid.cells_in(reach(&grid, triangle)) {
                lists[cell] += 1;
            }
        }
        let mut start = 0;
        for count in lists.iter_mut() {
            start += std::mem::replace(count, start);
        }
        for (TriangleId(number), triangle) in mesh.live_triangles() {
            for cell in grid.cells_in(reach(&grid, triangle)) {
                self.triangles[lists[cell] as usize] = number;
                lists[cell] += 1;
            }
        }
    }

    /// For each of `points` whether it lies inside the body that was sorted in, or on its surface.
    pub(super) fn contains_points<C: Coordinate>(
        &self,
        body: &Body,
        rule: InsideRule,
        points: &[[C; 3]],
        inside: &mut Vec<bool>,
    ) {
        match body.points() {
            Points::F32(vertices) => self.contain(body, vertices, rule, points, inside),
            Points::F64(vertices) => self.contain(body, vertices, rule, points, inside),
        }
    }

    fn contain<C: Coordinate, P: PointSource>(
        &self,
        body: &Body,
        vertices: P,
        rule: InsideRule,
        points: &[[C; 3]],
        inside: &mut Vec<bool>,
    ) {
        inside.clear();
        inside.resize(points.len(), false);
        threads::each_stretch(threads::for_items(points.len()), points, inside, &|points, inside| {
            for (&point, inside) in points.iter().zip(inside) {
                *inside = self.contains(body, vertices, rule, C::exact(point));
            }
        });
    }

    fn contains(&self, body: &Body, vertices: impl PointSource, rule: InsideRule, exact: [f64; 3]) -> bool {
        let point = exact.map(|x| x as f32);
        // Also turns away what is not finite.
        if !self.bounds.contains(point) {
            return false;
        }
        let [column, row] = [0, 1].map(|side| self.grid.cell(side, point[self.grid.axes[side]]) as usize);
        let cell = row * self.grid.cells[0] as usize + column;
        let list = &self.triangles[self.starts[cell] as usize..self.starts[cell + 1] as usize];
        let (mut entries, mut exits) = (0, 0);
        for &triangle in list {
            let triangle = vertices.corners(body.mesh().triangles()[triangle as usize]);
            match before_point_f64(self.axis, &triangle, exact) {
                BeforePoint::Nothing => {}
                BeforePoint::Entry => entries += 1,
                BeforePoint::Exit => exits += 1,
                BeforePoint::OnSurface => return true,
            }
        }
        rule.holds(entries, exits)
    }
}
