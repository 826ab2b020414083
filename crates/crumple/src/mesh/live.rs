//! Which triangles of a mesh are still there.
//!
//! A triangle that is removed leaves its number behind: numbers are never reused, so a number
//! that a caller has kept never means another triangle.

/// The triangles that have been removed.
#[derive(Clone, Debug, Default)]
pub(super) struct Live {
    /// Whether a triangle was removed; may be shorter than the list of triangles, which are there from its end on.
    removed: Vec<bool>,
    removed_count: usize,
}

impl Live {
    #[inline]
    pub(super) fn holds(&self, triangle: u32) -> bool {
        !self.removed.get(triangle as usize).is_some_and(|&removed| removed)
    }

    pub(super) fn removed_count(&self) -> usize {
        self.removed_count
    }

    /// Takes a triangle out that is there.
    pub(super) fn remove(&mut self, triangle: u32) {
        let at = triangle as usize;
        if self.removed.len() <= at {
            self.removed.resize(at + 1, false);
        }
        if !std::mem::replace(&mut self.removed[at], true) {
            self.removed_count += 1;
        }
    }

    /// Puts a triangle back that was taken out.
    pub(super) fn restore(&mut self, triangle: u32) {
        if let Some(removed) = self.removed.get_mut(triangle as usize)
            && std::mem::replace(removed, false)
        {
            self.removed_count -= 1;
        }
    }
}
