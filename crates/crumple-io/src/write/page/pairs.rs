//! What each two bodies have in every frame: what the chart of one pair is drawn from.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::report::ContactRecord;

/// More numbers than these are dropped, all of them: the page then shows when two bodies meet, but no chart of them alone.
const MOST: usize = 200_000;

/// The columns of every two bodies that meet.
#[derive(Debug, Default)]
pub(super) struct PairColumns {
    of_bodies: BTreeMap<(u32, u32), PairColumn>,
    count: usize,
}

/// Two bodies in the frames in which they meet.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct PairColumn {
    a: u32,
    b: u32,
    /// Places of frames, counted from 0 in the page.
    at: Vec<u32>,
    /// Pairs of triangles.
    pairs: Vec<u64>,
    /// Depths; empty where none is known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    depth: Vec<Option<f64>>,
}

impl PairColumns {
    /// Takes in the contacts of the next frame.
    pub(super) fn add(&mut self, at: usize, contacts: &[ContactRecord<'_>]) {
        self.count += contacts.len();
        if self.count > MOST {
            self.of_bodies.clear();
            return;
        }
        for contact in contacts.iter().filter(|contact| contact.count > 0) {
            let (a, b) = (contact.a, contact.b);
            let column = self.of_bodies.entry((a, b)).or_insert_with(|| PairColumn { a, b, ..PairColumn::default() });
            column.at.push(at as u32);
            column.pairs.push(contact.count);
            column.depth.push(contact.depth);
        }
    }

    /// All of them, sorted by bodies.
    pub(super) fn finish(self) -> Vec<PairColumn> {
        let mut columns: Vec<PairColumn> = self.of_bodies.into_values().collect();
        for column in columns.iter_mut().filter(|column| column.depth.iter().all(Option::is_none)) {
            column.depth = Vec::new();
        }
        columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contact(a: u32, b: u32, count: u64, depth: Option<f64>) -> ContactRecord<'static> {
        ContactRecord { a, b, count, depth, area: None, volume: None, pairs: None }
    }

    #[test]
    fn each_two_bodies_have_a_column_of_the_frames_in_which_they_meet() {
        let mut columns = PairColumns::default();
        columns.add(0, &[contact(0, 1, 5, None), contact(1, 2, 7, Some(0.5))]);
        columns.add(2, &[contact(0, 1, 6, None)]);
        let text = serde_json::to_string(&columns.finish()).unwrap();
        assert_eq!(
            text,
            r#"[{"a":0,"b":1,"at":[0,2],"pairs":[5,6]},{"a":1,"b":2,"at":[0],"pairs":[7],"depth":[0.5]}]"#
        );
    }

    #[test]
    fn too_many_numbers_are_dropped() {
        let mut columns = PairColumns::default();
        let many: Vec<_> = (0..1000).map(|b| contact(0, b, 1, None)).collect();
        (0..=MOST / 1000).for_each(|frame| columns.add(frame, &many));
        assert!(columns.finish().is_empty());
    }
}
