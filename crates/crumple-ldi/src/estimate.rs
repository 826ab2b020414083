//! How wrong a sampled volume may be, judged by how neighbouring columns differ.
//!
//! The volume is a midpoint sum over L, the length inside of each column. Where L runs straight from column to column the
//! sum is exact; it errs where L bends or jumps, and that is what second differences D = L[i−1] − 2 L[i] + L[i+1] see.
//! A jump of height J between two samples may lie anywhere between them: the sum errs by J · e with e even over ±½, of
//! variance J²/12, while D is J at one side of it and −J at the other, so ΣD² = 2J². Hence
//!
//! ```text
//! variance = ΣD² / 24
//! ```
//!
//! in units of a pixel's area. That is right for jumps that fall anyhow, as along a curved outline; the two directions
//! are added, although most jumps are seen by both, because jumps in neighbouring rows are not quite independent. A flat
//! side along the grid, however, makes the *same* error in every row: it is seen as a jump of the row sums or the
//! column sums, which are smooth otherwise, so the second differences of these are added in the same way.
//!
//! An estimate and no bound: what is thinner than a pixel falls between the samples and leaves no trace.

use crate::threads;

/// Working memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Working {
    /// The sum of each column.
    sums: Vec<f64>,
    of_rows: Vec<OfRow>,
}

/// What a row adds.
#[derive(Clone, Copy, Debug, Default)]
struct OfRow {
    sum: f64,
    /// Squares of second differences along it.
    along: f64,
    /// The same between it and the two rows before.
    across: f64,
}

/// The standard error of the sum of `lengths`, `width` to a row.
///
/// Fewer than three samples along a side say nothing about what lies between them; the estimate is then the sum itself.
pub(super) fn standard_error(lengths: &[f64], width: usize, Working { sums, of_rows }: &mut Working) -> f64 {
    let rows = lengths.len() / width.max(1);
    if width < 3 || rows < 3 {
        return lengths.iter().sum();
    }
    let row = |number: usize| &lengths[number * width..][..width];
    // What each row adds is summed up by itself, so that rows can be shared among threads and the order of sums stays.
    of_rows.clear();
    of_rows.resize(rows, OfRow::default());
    threads::each(threads::for_items(lengths.len()), of_rows, |number, found| {
        let here = row(number);
        (found.along, found.sum) = (bends(here), here.iter().sum());
        if number >= 2 {
            let across = row(number - 2).iter().zip(row(number - 1)).zip(here);
            found.across = across.map(|((a, b), c)| square(a - 2.0 * b + c)).sum();
        }
    });
    let mut squares = 0.0;
    sums.clear();
    sums.resize(width, 0.0);
    for (number, found) in of_rows.iter().enumerate() {
        squares += found.along;
        sums.iter_mut().zip(row(number)).for_each(|(sum, length)| *sum += length);
        if number >= 2 {
            squares += found.across;
            squares += bends(&[of_rows[number - 2].sum, of_rows[number - 1].sum, found.sum]);
        }
    }
    squares += bends(sums);
    (squares / 24.0).sqrt()
}

fn bends(values: &[f64]) -> f64 {
    values.windows(3).map(|w| square(w[0] - 2.0 * w[1] + w[2])).sum()
}

fn square(x: f64) -> f64 {
    x * x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ramp_has_no_error_and_a_side_along_the_grid_errs_in_every_row_alike() {
        let image = |length: &dyn Fn(usize, usize) -> f64| -> Vec<f64> {
            (0..64).flat_map(|row| (0..64).map(move |column| (row, column))).map(|(r, c)| length(r, c)).collect()
        };
        let mut working = Working::default();
        assert_eq!(standard_error(&image(&|row, column| (2 * row + 3 * column) as f64), 64, &mut working), 0.0);
        // A step of 1 between columns 9 and 10: the error may be half of 64 rows; its standard deviation is 64/√12.
        let step = standard_error(&image(&|_, column| f64::from(u8::from(column < 10))), 64, &mut working);
        assert!((18.0..20.0).contains(&step), "{step}");
        // A slanted step errs at random, row by row: √64/√12, twice that with the two directions counted.
        let slanted = standard_error(&image(&|row, column| f64::from(u8::from(column < row))), 64, &mut working);
        assert!((2.0..4.0).contains(&slanted), "{slanted}");
    }
}
