//! Finds vertices that lie in the same place.

use std::collections::HashMap;

/// For each vertex the first vertex at the same position; −0 and +0 are the same place.
pub(super) fn by_position(positions: &[[f32; 3]]) -> Vec<u32> {
    let mut first_at = HashMap::with_capacity(positions.len());
    let place = |position: &[f32; 3]| position.map(|x| (x + 0.0).to_bits());
    positions.iter().zip(0..).map(|(position, vertex)| *first_at.entry(place(position)).or_insert(vertex)).collect()
}
