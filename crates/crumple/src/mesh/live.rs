//! Which triangles of a mesh are still there.
//!
//! A triangle that is removed leaves its number behind: numbers are never reused, so a number
//! that a caller has kept never means another triangle.

use crate::geom::lanes::bits;

/// The triangles that have been removed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Live {
    /// One bit per triangle, set if it was removed; may be shorter than the list of triangles, which are there from its end
    /// on.
    removed: Vec<u64>,
    removed_count: usize,
}

/// Where the bit of a triangle is: which word, and the bit in it.
#[inline]
fn place(triangle: u32) -> (usize, u64) {
    ((triangle / u64::BITS) as usize, 1 << (triangle % u64::BITS))
}

impl Live {
    #[inline]
    pub(crate) fn holds(&self, triangle: u32) -> bool {
        let (word, bit) = place(triangle);
        self.removed.get(word).is_none_or(|removed| removed & bit == 0)
    }

    pub(super) fn removed_count(&self) -> usize {
        self.removed_count
    }

    /// Takes a triangle out.
    pub(super) fn remove(&mut self, triangle: u32) {
        let (word, bit) = place(triangle);
        if self.removed.len() <= word {
            self.removed.resize(word + 1, 0);
        }
        self.removed_count += usize::from(self.removed[word] & bit == 0);
        self.removed[word] |= bit;
    }

    /// Puts a triangle back.
    pub(super) fn restore(&mut self, triangle: u32) {
        let (word, bit) = place(triangle);
        if let Some(removed) = self.removed.get_mut(word) {
            self.removed_count -= usize::from(*removed & bit != 0);
            *removed &= !bit;
        }
    }

    /// The triangles that are there in one of the two only, in order.
    pub(crate) fn changed_since<'a>(&'a self, before: &'a Self) -> impl Iterator<Item = u32> + 'a {
        let word = |of: &Self, at: usize| of.removed.get(at).copied().unwrap_or(0);
        (0..self.removed.len().max(before.removed.len())).flat_map(move |at| {
            bits(word(self, at) ^ word(before, at)).map(move |bit| at as u32 * u64::BITS + bit as u32)
        })
    }
}
