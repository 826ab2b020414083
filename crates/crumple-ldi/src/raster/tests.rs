//! The plain twin of the scan in lanes, one triangle and row at a time, and the comparison of the two.

use super::*;
use crate::simd::all_levels;
use crate::{Direction, Resolution};
use crumple::Aabb;

#[derive(Clone, Copy)]
struct Corner {
    x: f64,
    y: f64,
    z: f64,
    row: u32,
}

/// Where an edge crosses a row, and how deep.
fn cross(low: Corner, high: Corner, y: f64) -> (f64, f64) {
    let part = ((y - low.y) * (1.0 / (high.y - low.y))).min(1.0);
    let x = low.x + part * (high.x - low.x);
    (x.max(low.x.min(high.x)).min(low.x.max(high.x)), low.z + part * (high.z - low.z))
}

/// The segments of one triangle.
fn plain(window: &Window, corners: [[f32; 3]; 3]) -> Vec<Segment> {
    let Resolution { columns, rows } = window.resolution;
    let to_window = window.placer();
    let mut corners = corners.map(|vertex| {
        let Placed { x, y, z } = to_window(vertex.map(f64::from));
        Corner { x, y, z, row: cell(y, rows) }
    });
    let mut swaps = 0;
    for (i, j) in [(0, 1), (1, 2), (0, 1)] {
        if corners[j].row < corners[i].row {
            corners.swap(i, j);
            swaps += 1;
        }
    }
    let [low, middle, high] = corners;
    let mut segments = Vec::new();
    for row in low.row..high.row {
        let y = f64::from(row + 1);
        let (long_x, long_z) = cross(low, high, y);
        let (short_x, short_z) = if row < middle.row { cross(low, middle, y) } else { cross(middle, high, y) };
        let (long_cell, short_cell) = (cell(long_x, columns), cell(short_x, columns));
        let right = long_cell < short_cell;
        let counter_clockwise = right == (swaps % 2 == 0);
        let (x, z) = if right { (long_x, long_z) } else { (short_x, short_z) };
        let (first, end) = (long_cell.min(short_cell), long_cell.max(short_cell));
        let slope = (short_z - long_z) / (short_x - long_x);
        let segment = Segment {
            z: z + (f64::from(first + 1) - x) * slope,
            slope,
            row: row as u16,
            first: first as u16,
            end: end as u16,
            exit: u16::from(counter_clockwise == window.direction.is_positive()),
        };
        let depth = if window.far == Far::Cuts { window.depth() } else { f64::INFINITY };
        segments.extend((first < end).then_some(segment).and_then(|segment| segment.before(depth)));
    }
    segments
}

fn bits(triangle: u32, segment: &Segment) -> (u32, u16, u16, u16, u16, u64, u64) {
    let Segment { z, slope, row, first, end, exit } = *segment;
    (triangle, row, first, end, exit, z.to_bits(), slope.to_bits())
}

/// Corners from a few decimals or from anywhere, so that both ties and long slivers occur.
fn vertices(count: usize, seed: u64) -> Vec<[f32; 3]> {
    let mut random = crumple_scenes::Random::new(seed);
    let mut next = || random.between(0.0, 1.0) as f32;
    (0..count)
        .map(|k| {
            let [x, y, z] = [next(), next(), next()];
            let rough = |x: f32| (x * 8.0).round() / 8.0;
            if k % 2 == 0 { [x, y, z] } else { [rough(x), rough(y), rough(z)] }
        })
        .collect()
}

#[test]
fn lanes_give_the_segments_of_the_plain_scan_bit_for_bit_at_every_level() {
    let vertices = vertices(600, 1);
    // Not a multiple of lanes or batches.
    let triangles: Vec<[u32; 3]> = (0..1003).map(|k| [k % 600, (k * 7 + 1) % 600, (k * 13 + 2) % 600]).collect();
    for (bounds, far) in [
        (Aabb::new([0.0; 3], [1.0; 3]), Far::HoldsBody),
        (Aabb::new([0.25, 0.125, 0.0], [0.5, 0.75, 0.5]), Far::Cuts),
        (Aabb::new([0.5; 3], [0.5 + 1e-4, 2.0, 0.75]), Far::Cuts),
    ] {
        for direction in Direction::ALL {
            for resolution in [[1, 1], [8, 8], [37, 64], [4096, 100]].map(Resolution::from) {
                let window = Window::new(&bounds, direction, resolution, far);
                let mut cells = vec![0; vertices.len()];
                place_vertices(&window, &vertices, &mut cells);
                let mut expected: Vec<_> = (0..)
                    .zip(&triangles)
                    .filter(|(_, t)| may_cover(cells[t[0] as usize], cells[t[1] as usize], cells[t[2] as usize]))
                    .flat_map(|(number, t)| {
                        let segments = plain(&window, t.map(|vertex| vertices[vertex as usize]));
                        segments.into_iter().map(move |segment| bits(5 + number, &segment))
                    })
                    .collect();
                expected.sort_unstable();
                for level in all_levels() {
                    let mut found = Vec::new();
                    dispatch!(level, simd => scan_lanes(simd, &window, &vertices, &cells, 5, &triangles, |number, segment, keep| {
                        if keep {
                            found.push(bits(number, &segment));
                        }
                    }));
                    found.sort_unstable();
                    assert!(found == expected, "{bounds:?} {direction:?} {resolution}");
                }
            }
        }
    }
}
