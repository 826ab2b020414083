//! Values for some indices, all forgotten at once.

/// A value per index, there only if it was set since the last start.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks<T> {
    stamp: u32,
    entries: Vec<(u32, T)>,
}

impl<T: Copy + Default> Marks<T> {
    /// Forgets all values; indices are below `len`.
    pub(super) fn start(&mut self, len: usize) {
        if self.stamp == u32::MAX {
            self.entries.clear();
            self.stamp = 0;
        }
        self.stamp += 1;
        self.entries.resize(self.entries.len().max(len), (0, T::default()));
    }

    /// How many indices there is room for.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    #[inline]
    pub(super) fn get(&self, index: u32) -> Option<T> {
        let (stamp, value) = self.entries[index as usize];
        (stamp == self.stamp).then_some(value)
    }

    #[inline]
    pub(super) fn set(&mut self, index: u32, value: T) {
        self.entries[index as usize] = (self.stamp, value);
    }
}

impl<T: Copy + Default + PartialEq> Marks<T> {
    /// Sets a value; says whether it was another one before, or none.
    #[inline]
    pub(super) fn is_new(&mut self, index: u32, value: T) -> bool {
        let is_new = self.get(index) != Some(value);
        self.set(index, value);
        is_new
    }
}
