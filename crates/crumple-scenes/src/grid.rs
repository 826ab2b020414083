//! Sheets and blocks: rectangles of cells, two triangles a cell.

use std::collections::HashMap;

use crate::vector::Vector;

/// The triangles of a sheet of `columns` by `rows` cells; vertex `row · (columns + 1) + column` is the lower left corner
/// of a cell. Diagonals alternate like a chessboard, so that the sheet bends alike in both directions.
pub(crate) fn sheet(columns: u32, rows: u32) -> Vec<[u32; 3]> {
    let mut triangles = Vec::with_capacity((columns * rows * 2) as usize);
    for row in 0..rows {
        for column in 0..columns {
            let a = row * (columns + 1) + column;
            let (b, c, d) = (a + 1, a + columns + 1, a + columns + 2);
            triangles.extend(if (row + column) % 2 == 0 { [[a, b, d], [a, d, c]] } else { [[a, b, c], [b, d, c]] });
        }
    }
    triangles
}

/// The closed surface of a block of `cells`, vertices shared, facing outward; it fills the cube from -1 to 1.
pub(crate) fn block(cells: [u32; 3]) -> (Vec<Vector>, Vec<[u32; 3]>) {
    let mut positions = Vec::new();
    let mut triangles = Vec::new();
    // Looked up, never walked through: the map's own order cannot reach the mesh.
    let mut vertices = HashMap::new();
    for (u, v, w) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
        for side in [0, cells[w]] {
            for i in 0..cells[u] {
                for j in 0..cells[v] {
                    let [a, b, c, d] = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(di, dj)| {
                        let mut place = [0; 3];
                        (place[u], place[v], place[w]) = (i + di, j + dj, side);
                        *vertices.entry(place).or_insert_with(|| {
                            positions.push(
                                [0, 1, 2].map(|axis| 2.0 * f64::from(place[axis]) / f64::from(cells[axis]) - 1.0),
                            );
                            (positions.len() - 1) as u32
                        })
                    });
                    // Seen from outside, u turns into v on the upper side and v into u on the lower.
                    triangles.extend(if side > 0 { [[a, b, d], [a, d, c]] } else { [[a, d, b], [a, c, d]] });
                }
            }
        }
    }
    (positions, triangles)
}
