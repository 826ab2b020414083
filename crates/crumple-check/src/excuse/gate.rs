//! What decides the exit code: findings, without contacts that are shallow or small enough and those that a baseline knows.

use std::borrow::Cow;

use crumple_io::report::{ContactRecord, Episodes, Finding, Frame, Header};

use super::baseline::Baseline;

/// What counts as a finding.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    /// Contacts up to this depth do not count; those without a known depth do.
    pub(crate) max_depth: Option<f64>,
    /// Contacts of bodies that share up to this volume do not count; those without a known volume do.
    pub(crate) max_volume: Option<f64>,
    /// Findings that are known.
    pub(crate) baseline: Option<Baseline>,
}

impl Gate {
    /// What counts of a frame.
    pub(crate) fn counted<'a>(&self, found: &'a Frame<'a>) -> Cow<'a, Frame<'a>> {
        if self.max_depth.is_none() && self.max_volume.is_none() {
            return Cow::Borrowed(found);
        }
        let is_above = |most: Option<f64>, measured: Option<f64>| {
            most.is_some_and(|most| measured.is_none_or(|measured| measured > most))
        };
        let mut counted = found.without_pairs();
        counted.regions.clear();
        counted.contacts.retain(|contact: &ContactRecord<'_>| {
            let is_large = is_above(self.max_volume, contact.volume);
            let own = || found.regions.iter().filter(|region| (region.a, region.b) == (contact.a, contact.b));
            let before = counted.regions.len();
            if !is_large {
                counted.regions.extend(own().filter(|region| is_above(self.max_depth, region.depth)).cloned());
            }
            let has_region = counted.regions.len() > before;
            // Where no region counts and the whole does, as where a part of a body is inside without meeting it, all of them do.
            let is_counted = is_large || has_region || is_above(self.max_depth, contact.depth);
            if is_counted && !has_region {
                counted.regions.extend(own().cloned());
            }
            is_counted
        });
        if self.max_volume.is_some() {
            counted.contained.retain(|contained| is_above(self.max_volume, contained.volume));
        }
        Cow::Owned(counted)
    }

    /// Whether what was found so far decides the exit code already.
    pub(crate) fn is_decided(&self, episodes: &Episodes) -> bool {
        self.baseline.is_none() && !episodes.is_empty()
    }

    /// What counts in the end, the most severe first, and how many findings are known.
    pub(crate) fn judge(&self, mut findings: Vec<Finding>, header: &Header) -> (Vec<Finding>, u64) {
        let known = self.baseline.as_ref().map_or(0, |baseline| baseline.apply(&mut findings, header));
        (findings, known)
    }
}
