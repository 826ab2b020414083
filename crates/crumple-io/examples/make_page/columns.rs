//! Spans of the overlap of the first two bodies, by plain columns along z: something to draw, not a method.

use crumple_io::write::Overlap;

use crate::plays::Play;

/// Columns along the longer side.
const RESOLUTION: usize = 48;

/// The spans of two bodies in one frame.
pub(crate) struct Columns {
    width: [f32; 2],
    spans: Vec<[[f32; 3]; 2]>,
}

impl Columns {
    pub(crate) fn overlap(&self) -> Overlap<'_> {
        let depth: f64 = self.spans.iter().map(|[entry, exit]| f64::from(exit[2] - entry[2])).sum();
        let volume = depth * f64::from(self.width[0]) * f64::from(self.width[1]);
        Overlap { a: 0, b: 1, volume, footprint: self.width, spans: &self.spans }
    }
}

/// The overlap of the first two bodies, if their boxes meet.
pub(crate) fn spans(play: &Play, positions: &[Vec<[f32; 3]>]) -> Vec<Columns> {
    let [low, high] = shared_box(&positions[0], &positions[1]);
    if (0..3).any(|axis| low[axis] >= high[axis]) {
        return vec![];
    }
    let width = [0, 1].map(|axis| (high[axis] - low[axis]) / RESOLUTION as f32);
    let centre = |cell: usize, axis: usize| low[axis] + (cell as f32 + 0.5) * width[axis];
    let depths = [0, 1].map(|body| {
        let mut depths = vec![vec![]; RESOLUTION * RESOLUTION];
        for triangle in &play.bodies[body].triangles {
            let corners = triangle.map(|vertex| positions[body][vertex as usize]);
            for y in 0..RESOLUTION {
                for x in 0..RESOLUTION {
                    depths[y * RESOLUTION + x].extend(depth(corners, [centre(x, 0), centre(y, 1)]));
                }
            }
        }
        depths.iter_mut().for_each(|column: &mut Vec<f32>| column.sort_by(f32::total_cmp));
        depths
    });
    let mut spans = vec![];
    for (cell, (a, b)) in depths[0].iter().zip(&depths[1]).enumerate() {
        let [x, y] = [centre(cell % RESOLUTION, 0), centre(cell / RESOLUTION, 1)];
        for a in a.chunks_exact(2) {
            for b in b.chunks_exact(2) {
                let (entry, exit) = (a[0].max(b[0]), a[1].min(b[1]));
                if entry < exit {
                    spans.push([[x, y, entry], [x, y, exit]]);
                }
            }
        }
    }
    vec![Columns { width, spans }]
}

fn shared_box(a: &[[f32; 3]], b: &[[f32; 3]]) -> [[f32; 3]; 2] {
    let low = |points: &[[f32; 3]], axis: usize| points.iter().map(|p| p[axis]).fold(f32::INFINITY, f32::min);
    let high = |points: &[[f32; 3]], axis: usize| points.iter().map(|p| p[axis]).fold(f32::NEG_INFINITY, f32::max);
    [[0, 1, 2].map(|axis| low(a, axis).max(low(b, axis))), [0, 1, 2].map(|axis| high(a, axis).min(high(b, axis)))]
}

/// Where the line along z through a point crosses a triangle.
fn depth(corners: [[f32; 3]; 3], [x, y]: [f32; 2]) -> Option<f32> {
    let area = |p: [f32; 3], q: [f32; 3]| (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]);
    let [u, v, w] = [area(corners[1], corners[2]), area(corners[2], corners[0]), area(corners[0], corners[1])];
    let inside = (u > 0.0 && v > 0.0 && w > 0.0) || (u < 0.0 && v < 0.0 && w < 0.0);
    inside.then(|| (u * corners[0][2] + v * corners[1][2] + w * corners[2][2]) / (u + v + w))
}
