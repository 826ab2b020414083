//! A list per number, all of them in one array: compressed rows.

/// For each number from 0 on a list of items.
#[derive(Clone, Debug)]
pub(crate) struct Lists<T> {
    /// Where each list starts, and where the last one ends.
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self { starts: vec![0], items: Vec::new() }
    }
}

impl<T: Copy + Default> Lists<T> {
    /// Puts every item into the list of its number, in the order given. Numbers are below `count`.
    pub(super) fn of(count: usize, items: impl Iterator<Item = (u32, T)> + Clone) -> Self {
        let mut starts = vec![0u32; count + 1];
        items.clone().for_each(|(number, _)| starts[number as usize + 1] += 1);
        for number in 0..count {
            starts[number + 1] += starts[number];
        }
        let mut next = starts.clone();
        let mut sorted = vec![T::default(); starts[count] as usize];
        for (number, item) in items {
            let place = &mut next[number as usize];
            sorted[*place as usize] = item;
            *place += 1;
        }
        Self { starts, items: sorted }
    }

    /// Appends a list.
    pub(super) fn push(&mut self, items: impl IntoIterator<Item = T>) {
        self.items.extend(items);
        self.starts.push(self.items.len() as u32);
    }

    /// How many lists there are.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The list of a number.
    #[inline]
    pub(crate) fn at(&self, number: usize) -> &[T] {
        &self.items[self.starts[number] as usize..self.starts[number + 1] as usize]
    }

    /// The same, to be put into another order.
    pub(super) fn at_mut(&mut self, number: usize) -> &mut [T] {
        &mut self.items[self.starts[number] as usize..self.starts[number + 1] as usize]
    }

    /// The lists in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[T]> {
        self.starts.windows(2).map(|range| &self.items[range[0] as usize..range[1] as usize])
    }
}
