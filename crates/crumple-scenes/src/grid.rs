//! Sheets: a rectangle of square cells, two triangles a cell.

/// The triangles of a sheet of `columns` by `rows` cells; vertex `row · (columns + 1) + column` is the lower left corner
/// of a cell. Diagonals alternate like a chessboard, so that the sheet bends alike in both directions.
pub(crate) fn sheet(columns: u32, rows: u32) -> Vec<[u32; 3]> {
    let mut triangles = Vec::with_capacity((columns * rows * 2) as usize);
    for row in 0..rows {
        for column in 0..columns {
            let a = row * (columns + 1) + column;
            let (b, c, d) = (a + 1, a + columns + 1, a + columns + 2);
            triangles.extend(if (row + column) % 2 == 0 {
                [[a, b, d], [a, d, c]]
            } else {
                [[a, b, c], [b, d, c]]
            });
        }
    }
    triangles
}
