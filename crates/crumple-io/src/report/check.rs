//! The records of `check`: which triangles meet, frame by frame, and what that comes to.

use std::borrow::Cow;

use crumple::{Contact, TrianglePair};
use serde::{Deserialize, Serialize};

use super::{ContactRegionRecord, Finding, ImpactRecord, LastRecord, NearRecord, OnsetRecord, Tested, WorstFrame};

/// A frame of `check`: which triangles meet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Frame<'a> {
    /// The frame, counted from 0.
    pub frame: u64,
    /// The number that the files give the frame, such as the one in the name of a numbered mesh; missing where they give
    /// none, or different ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// The animation that the frame belongs to, where several are played one after another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub animation: Option<String>,
    /// The bodies that meet, sorted by (a, b).
    pub contacts: Vec<ContactRecord<'a>>,
    /// The places in which they meet, sorted by (a, b); none of contacts of which pairs were left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub regions: Vec<ContactRegionRecord>,
    /// How many regions of contacts were left out, with their pairs, because the skeleton joins what carries them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub joined_regions: u64,
    /// The bodies wholly inside another that they do not meet, sorted by (inner, outer); looked for only when asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contained: Vec<ContainedRecord>,
    /// What meets in the step from the frame before to this one, sorted by time; missing where that was not asked, and in
    /// the first frame, to which no step leads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impacts: Option<Cow<'a, [ImpactRecord]>>,
    /// The bodies that came into contact in the step from the frame before to this one, sorted by (a, b), and when; missing
    /// where that was not asked, and in the first frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub onsets: Option<Vec<OnsetRecord>>,
    /// The bodies that are closer than the clearance, sorted by (a, b); missing where that was not asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub near: Option<Vec<NearRecord>>,
    /// Microseconds from the new vertices to a scene that can be asked.
    pub update_us: f64,
    /// Microseconds from the question to the sorted list of pairs.
    pub query_us: f64,
    /// Microseconds for the regions of all contacts, where something meets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regions_us: Option<f64>,
    /// Microseconds from the question to the sorted list of impacts, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impacts_us: Option<f64>,
    /// Microseconds for the times of first contact, where they were asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub onsets_us: Option<f64>,
    /// Microseconds from the question to the list of what is near, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub near_us: Option<f64>,
    /// Microseconds for the volumes of all contacts, where they were asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume_us: Option<f64>,
    /// Microseconds for the depths of all contacts, where they were asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth_us: Option<f64>,
}

/// Two bodies that meet, or one that meets itself (`a == b`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ContactRecord<'a> {
    /// One body.
    pub a: u32,
    /// The other body.
    pub b: u32,
    /// How many pairs of triangles meet.
    pub count: u64,
    /// How deep the deepest vertex of one body is inside the other, or its deepest region, in the file's unit; missing where that was
    /// not asked, or no region has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<f64>,
    /// The area of the surface of each body inside the other, if that one is closed, in squares of the file's unit; missing where
    /// depths were not asked, or no body of the two is closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area: Option<f64>,
    /// The volume that both bodies share, or by which a body overlaps itself, in cubes of the file's unit, 0 if they merely touch;
    /// missing where that was not asked, or a body of the two is not closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume: Option<f64>,
    /// The pairs, sorted: a triangle of `a` and one of `b`; within one body the smaller number first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairs: Option<Cow<'a, [[u32; 2]]>>,
}

impl<'a> From<Contact<'a>> for ContactRecord<'a> {
    /// A contact with all its pairs, which are borrowed, and without its depth.
    fn from(contact: Contact<'a>) -> Self {
        Self {
            a: contact.a.index() as u32,
            b: contact.b.index() as u32,
            count: contact.count,
            depth: None,
            area: None,
            volume: None,
            pairs: Some(Cow::Borrowed(bytemuck::cast_slice(contact.pairs))),
        }
    }
}

impl Frame<'_> {
    /// The same record with at most `most` pairs listed per contact; `count` still counts all. Pairs are borrowed.
    pub fn listing_at_most(&self, most: usize) -> Frame<'_> {
        self.map_contacts(|contact| {
            let pairs = contact.pairs.as_deref().map(|pairs| Cow::Borrowed(&pairs[..most.min(pairs.len())]));
            ContactRecord { pairs, ..contact.without_pairs() }
        })
    }

    /// The same record with pairs counted, but not listed.
    pub fn without_pairs(&self) -> Frame<'_> {
        self.map_contacts(|contact| contact.without_pairs())
    }

    /// The same record with its own copies of everything.
    pub fn to_owned_record(&self) -> Frame<'static> {
        Frame {
            contacts: self.contacts.iter().map(|contact| contact.clone().into_owned()).collect(),
            impacts: self.impacts.as_deref().map(|impacts| Cow::Owned(impacts.to_vec())),
            animation: self.animation.clone(),
            regions: self.regions.clone(),
            contained: self.contained.clone(),
            onsets: self.onsets.clone(),
            near: self.near.clone(),
            ..*self
        }
    }

    fn map_contacts<'b>(&'b self, contact: impl Fn(&'b ContactRecord<'_>) -> ContactRecord<'b>) -> Frame<'b> {
        Frame {
            frame: self.frame,
            number: self.number,
            animation: self.animation.clone(),
            contacts: self.contacts.iter().map(contact).collect(),
            regions: self.regions.clone(),
            joined_regions: self.joined_regions,
            contained: self.contained.clone(),
            impacts: self.impacts.as_deref().map(Cow::Borrowed),
            onsets: self.onsets.clone(),
            near: self.near.clone(),
            update_us: self.update_us,
            query_us: self.query_us,
            regions_us: self.regions_us,
            impacts_us: self.impacts_us,
            onsets_us: self.onsets_us,
            near_us: self.near_us,
            depth_us: self.depth_us,
            volume_us: self.volume_us,
        }
    }
}

impl ContactRecord<'_> {
    /// The pairs that are listed; none where they are only counted.
    pub fn listed(&self) -> &[[u32; 2]] {
        self.pairs.as_deref().unwrap_or_default()
    }

    /// The same pairs as the library has them.
    pub fn triangle_pairs(&self) -> &[TrianglePair] {
        bytemuck::cast_slice(self.listed())
    }

    /// The same record with its own copy of the pairs.
    pub fn into_owned(self) -> ContactRecord<'static> {
        let counted = self.without_pairs();
        ContactRecord { pairs: self.pairs.map(|pairs| Cow::Owned(pairs.into_owned())), ..counted }
    }

    fn without_pairs(&self) -> ContactRecord<'static> {
        ContactRecord { pairs: None, ..*self }
    }
}

/// A body that lies inside a closed one without meeting it. Of a body in several parts, one part inside is enough.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ContainedRecord {
    /// The body inside.
    pub inner: u32,
    /// The closed body around it.
    pub outer: u32,
    /// The volume that both share, where that was asked and both are closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume: Option<f64>,
}

/// How two bodies lie to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum BodyStatus {
    /// They do not meet, nor are they closer than a clearance that was asked.
    Apart,
    /// They are closer than the clearance.
    Near,
    /// Their surfaces meet, and they share no volume.
    Touching,
    /// They share a volume; or their surfaces meet and one of them is open, so that nothing more is known.
    Crossing,
    /// One lies wholly inside the other.
    Inside,
}

/// How two bodies that were tested lie to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StatusRecord {
    /// One body.
    pub a: u32,
    /// The other body.
    pub b: u32,
    /// The worst of all frames.
    pub status: BodyStatus,
}

/// The last record of `check`.
pub type Summary = LastRecord<CheckSummary>;

/// What all frames of a `check` come to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CheckSummary {
    /// How many frames were looked at.
    pub frames: u64,
    /// False if the run ended before its last frame, interrupted or by an error; missing otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub complete: Option<bool>,
    /// The last frame that was looked at, if the run ended before its last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reached: Option<u64>,
    /// In how many of them something meets.
    pub frames_in_contact: u64,
    /// The first of those.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<u64>,
    /// The last of those.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<u64>,
    /// The one with the most pairs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worst: Option<WorstFrame>,
    /// The pairs of all frames together.
    pub pairs: u64,
    /// How many regions of contacts were left out because the skeleton joins what carries them, in all frames together.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub joined_regions: u64,
    /// In how many frames a body lies inside another without meeting it, where that was asked.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub frames_with_containment: u64,
    /// The impacts of all steps between frames together, where they were looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impacts: Option<u64>,
    /// In how many frames something is closer than the clearance, where that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frames_too_close: Option<u64>,
    /// What was tested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tested: Option<Tested>,
    /// How bodies lie to each other, in the frame in which it is worst; where volumes were asked, unless very many are tested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statuses: Option<Vec<StatusRecord>>,
    /// What counts, the most severe first; an empty list if nothing does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub findings: Option<Vec<Finding>>,
    /// How many findings a baseline accepts, which are not listed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub known: u64,
    /// Frames that are missing from a report that was put together from several, as first and last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<[u64; 2]>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl CheckSummary {
    /// Takes one more frame in; frames must come in order. Of equally bad frames the first counts as the worst.
    pub fn add(&mut self, frame: &Frame<'_>) {
        let count = frame.contacts.iter().map(|contact| contact.count).sum();
        self.frames += 1;
        self.joined_regions += frame.joined_regions;
        self.frames_with_containment += u64::from(!frame.contained.is_empty());
        if let Some(impacts) = &frame.impacts {
            *self.impacts.get_or_insert(0) += impacts.len() as u64;
        }
        if let Some(near) = &frame.near {
            *self.frames_too_close.get_or_insert(0) += u64::from(!near.is_empty());
        }
        if count == 0 {
            return;
        }
        self.frames_in_contact += 1;
        self.pairs += count;
        self.first.get_or_insert(frame.frame);
        self.last = Some(frame.frame);
        if self.worst.is_none_or(|worst| count > worst.count) {
            self.worst = Some(WorstFrame { frame: frame.frame, count });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Record, tests::text};
    use super::*;

    fn frame(frame: u64, counts: &[u64]) -> Frame<'static> {
        let contact = |&count| ContactRecord { a: 0, b: 1, count, depth: None, area: None, volume: None, pairs: None };
        Frame {
            frame,
            contacts: counts.iter().map(contact).collect(),
            update_us: 12.5,
            query_us: 1000.0,
            ..Frame::default()
        }
    }

    #[test]
    fn a_frame_lists_pairs_only_when_asked() {
        let mut record = frame(7, &[2]);
        assert_eq!(
            text(Record::Frame(record.clone())),
            r#"{"frame":7,"contacts":[{"a":0,"b":1,"count":2}],"update_us":12.5,"query_us":1000.0}"#
        );
        record.contacts[0].pairs = Some(Cow::Borrowed(&[[3, 4], [3, 9]]));
        assert_eq!(record.without_pairs(), frame(7, &[2]));
        assert_eq!(record.listing_at_most(1).contacts[0].listed(), [[3, 4]]);
        assert_eq!(record.listing_at_most(9), record);
        assert_eq!(
            text(Record::Frame(record)),
            r#"{"frame":7,"contacts":[{"a":0,"b":1,"count":2,"pairs":[[3,4],[3,9]]}],"update_us":12.5,"query_us":1000.0}"#
        );
    }

    #[test]
    fn a_frame_carries_the_number_that_files_give_it() {
        let record = Frame { number: Some(107), ..frame(7, &[]) };
        assert_eq!(record.without_pairs(), record);
        assert_eq!(
            text(Record::Frame(record)),
            r#"{"frame":7,"number":107,"contacts":[],"update_us":12.5,"query_us":1000.0}"#
        );
    }

    #[test]
    fn a_frame_tells_of_bodies_inside_others_only_where_there_are_some() {
        let mut record = frame(7, &[]);
        record.contained = vec![ContainedRecord { inner: 1, outer: 0, volume: None }];
        let mut summary = CheckSummary::default();
        summary.add(&record);
        assert_eq!(
            text(Record::Frame(record)),
            r#"{"frame":7,"contacts":[],"contained":[{"inner":1,"outer":0}],"update_us":12.5,"query_us":1000.0}"#
        );
        assert_eq!(
            text(Record::Summary(Summary { summary })),
            r#"{"summary":{"frames":1,"frames_in_contact":0,"pairs":0,"frames_with_containment":1}}"#
        );
    }

    #[test]
    fn the_summary_counts_frames_and_finds_the_worst() {
        let mut summary = CheckSummary::default();
        for record in [frame(5, &[]), frame(6, &[1, 2]), frame(7, &[4]), frame(8, &[4]), frame(9, &[])] {
            summary.add(&record);
        }
        assert_eq!(
            text(Record::Summary(Summary { summary })),
            r#"{"summary":{"frames":5,"frames_in_contact":3,"first":6,"last":8,"worst":{"frame":7,"count":4},"pairs":11}}"#
        );
        let summary = CheckSummary { frames: 2, ..CheckSummary::default() };
        assert_eq!(
            text(Record::Summary(Summary { summary })),
            r#"{"summary":{"frames":2,"frames_in_contact":0,"pairs":0}}"#
        );
    }
}
