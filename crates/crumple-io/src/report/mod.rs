//! The records every report is made of: `--json` prints one per line; the page and Python read them.
//!
//! ```text
//! check, volume, inside,  Header, then one Frame, VolumeFrame (ExactVolumeFrame if nothing is sampled), InsideFrame or
//! distance                DistanceFrame per frame, then a summary
//! bench                   BenchHeader, then one BenchFrame per (method, frame), then one BenchSummary per method; if an
//!                         experiment has tables of its own, one BenchRow per row
//! info                    Info alone
//! ```
//!
//! Plain values that derive serde's traits; the caller chooses the text format. Lists of pairs are
//! borrowed when a report is written and owned when it is read back. Fields that may be
//! missing are left out, not null. The schema's number changes when a field changes its meaning or goes away; new
//! fields may appear at any time, so a reader steps over what it does not know.

mod bench;
mod distance;
mod exact;
mod impact;
mod volume;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::time::Duration;

use crumple::Contact;
use serde::{Deserialize, Serialize};

pub use bench::{BenchFrame, BenchHeader, BenchRow, BenchSummary, MethodSummary, Value};
pub use distance::{DistanceFrame, DistanceSummary, NearRecord, NearestFrame};
pub use exact::{ExactVolumeFrame, RegionRecord};
pub use impact::{FeaturesRecord, ImpactRecord};
pub use volume::{
    Axis, BoxRecord, InsideFrame, InsideSummary, PenetrationRecord, Samples, VolumeFrame, VolumeOfInterest,
    VolumeSummary, WorstVolume,
};

/// The schema the first record of every report names.
pub const SCHEMA: &str = "crumple.report/1";

/// Any record, for reading a report back line by line; which one it is shows in its fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Record {
    /// The first record.
    Header(Header),
    /// The first record of a bench.
    BenchHeader(BenchHeader),
    /// What `info` reports.
    Info(Info),
    /// A frame of `check`.
    Frame(Frame<'static>),
    /// A frame of `volume`.
    VolumeFrame(VolumeFrame),
    /// A frame of `volume --exact`.
    ExactVolumeFrame(ExactVolumeFrame),
    /// A frame of `inside`.
    InsideFrame(InsideFrame),
    /// A frame of `distance`.
    DistanceFrame(DistanceFrame),
    /// A frame of one method of `bench`.
    BenchFrame(BenchFrame),
    /// The last record of one method of `bench`.
    BenchSummary(BenchSummary),
    /// A row of a table of `bench`.
    BenchRow(BenchRow),
    /// The last record of `check`.
    Summary(Summary),
    /// The last record of `volume`.
    VolumeSummary(LastRecord<VolumeSummary>),
    /// The last record of `inside`.
    InsideSummary(LastRecord<InsideSummary>),
    /// The last record of `distance`.
    DistanceSummary(LastRecord<DistanceSummary>),
}

/// The first record: what was looked at, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// [`SCHEMA`].
    pub schema: String,
    /// The method, by its name on the command line.
    pub method: String,
    /// The bodies; their ids are their indices in this list.
    pub bodies: Vec<BodyRecord>,
    /// How many frames were asked for.
    pub frames: u64,
}

impl Header {
    /// A header of the present schema.
    pub fn new(method: impl Into<String>, bodies: Vec<BodyRecord>, frames: u64) -> Self {
        Header { schema: SCHEMA.into(), method: method.into(), bodies, frames }
    }
}

/// One body of the scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyRecord {
    /// What the other records call it.
    pub id: u32,
    /// What its file calls it.
    pub name: String,
    /// How many triangles it has.
    pub triangles: u64,
    /// How many vertices it has.
    pub vertices: u64,
    /// Whether its surface is closed.
    pub closed: bool,
    /// The file's face each triangle was cut from, where the file had polygons.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub face_of_triangle: Option<Vec<u32>>,
}

/// What `info` reports about files: their bodies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Info {
    /// [`SCHEMA`].
    pub schema: String,
    /// The bodies; their ids are their indices in this list.
    pub bodies: Vec<InfoBody>,
    /// The animations of glTF files, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub animations: Vec<AnimationRecord>,
}

impl Info {
    /// A record of the present schema.
    pub fn new(bodies: Vec<InfoBody>) -> Self {
        Info { schema: SCHEMA.into(), bodies, animations: Vec::new() }
    }

    /// The same record with animations.
    pub fn with_animations(self, animations: Vec<AnimationRecord>) -> Self {
        Info { animations, ..self }
    }
}

/// An animation that can be asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnimationRecord {
    /// The file that has it, as it was named.
    pub file: String,
    /// Its name, or its number where it has none.
    pub name: String,
    /// The time of its last key.
    pub seconds: f64,
}

/// One body of [`Info`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InfoBody {
    /// What every report contains about a body.
    #[serde(flatten)]
    pub body: BodyRecord,
    /// How many frames it has; 1 if it stands still.
    pub frames: u64,
    /// Edges that belong to an odd number of triangles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<EdgesRecord>,
    /// Edges of more than two triangles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub non_manifold: Option<EdgesRecord>,
    /// Edges whose two triangles are turned against each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub misoriented: Option<EdgesRecord>,
}

/// How many edges break a rule, and the first of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EdgesRecord {
    /// How many.
    pub count: u64,
    /// The first triangle with such an edge.
    pub triangle: u32,
    /// The vertex its edge starts from.
    pub from: u32,
    /// The vertex it ends at.
    pub to: u32,
}

/// A frame of `check`: which triangles meet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Frame<'a> {
    /// The frame, counted from 0.
    pub frame: u64,
    /// The number that the files give the frame, such as the one in the name of a numbered mesh; missing where they give
    /// none, or different ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// The bodies that meet, sorted by (a, b).
    pub contacts: Vec<ContactRecord<'a>>,
    /// The bodies wholly inside another that they do not meet, sorted by (inner, outer); looked for only when asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contained: Vec<ContainedRecord>,
    /// What meets in the step from the frame before to this one, sorted by time; missing where that was not asked, and in
    /// the first frame, to which no step leads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impacts: Option<Cow<'a, [ImpactRecord]>>,
    /// The bodies that are closer than the clearance, sorted by (a, b); missing where that was not asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub near: Option<Vec<NearRecord>>,
    /// Microseconds from the new vertices to a scene that can be asked.
    pub update_us: f64,
    /// Microseconds from the question to the sorted list of pairs.
    pub query_us: f64,
    /// Microseconds from the question to the sorted list of impacts, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impacts_us: Option<f64>,
    /// Microseconds from the question to the list of what is near, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub near_us: Option<f64>,
    /// Microseconds for the depths of all contacts, where they were asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth_us: Option<f64>,
}

/// Two bodies that meet, or one that meets itself (`a == b`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContactRecord<'a> {
    /// One body.
    pub a: u32,
    /// The other body.
    pub b: u32,
    /// How many pairs of triangles meet.
    pub count: u64,
    /// How deep the deepest vertex of one body is inside the other, in the file's unit; missing where that was not asked,
    /// or no body of the two is closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<f64>,
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

    fn map_contacts<'b>(&'b self, contact: impl Fn(&'b ContactRecord<'_>) -> ContactRecord<'b>) -> Frame<'b> {
        Frame {
            frame: self.frame,
            number: self.number,
            contacts: self.contacts.iter().map(contact).collect(),
            contained: self.contained.clone(),
            impacts: self.impacts.as_deref().map(Cow::Borrowed),
            near: self.near.clone(),
            update_us: self.update_us,
            query_us: self.query_us,
            impacts_us: self.impacts_us,
            near_us: self.near_us,
            depth_us: self.depth_us,
        }
    }
}

impl ContactRecord<'_> {
    /// The pairs that are listed; none where they are only counted.
    pub fn listed(&self) -> &[[u32; 2]] {
        self.pairs.as_deref().unwrap_or_default()
    }

    /// The same record with its own copy of the pairs.
    pub fn into_owned(self) -> ContactRecord<'static> {
        let pairs = self.pairs.map(|pairs| Cow::Owned(pairs.into_owned()));
        ContactRecord { a: self.a, b: self.b, count: self.count, depth: self.depth, pairs }
    }

    fn without_pairs(&self) -> ContactRecord<'static> {
        ContactRecord { a: self.a, b: self.b, count: self.count, depth: self.depth, pairs: None }
    }
}

/// A body that lies inside a closed one without meeting it. Of a body in several parts, one part inside is enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ContainedRecord {
    /// The body inside.
    pub inner: u32,
    /// The closed body around it.
    pub outer: u32,
}

/// A last record: `{"summary": ...}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LastRecord<S> {
    /// What there is to sum up.
    pub summary: S,
}

/// The last record of `check`.
pub type Summary = LastRecord<CheckSummary>;

/// What all frames of a `check` come to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CheckSummary {
    /// How many frames were looked at.
    pub frames: u64,
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
    /// In how many frames a body lies inside another without meeting it, where that was asked.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub frames_with_containment: u64,
    /// The impacts of all steps between frames together, where they were looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impacts: Option<u64>,
    /// In how many frames something is closer than the clearance, where that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frames_too_close: Option<u64>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl CheckSummary {
    /// Takes one more frame in; frames must come in order. Of equally bad frames the first counts as the worst.
    pub fn add(&mut self, frame: &Frame<'_>) {
        let count = frame.contacts.iter().map(|contact| contact.count).sum();
        self.frames += 1;
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

/// The frame with the most of what is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorstFrame {
    /// The frame.
    pub frame: u64,
    /// Its pairs, or its points inside.
    pub count: u64,
}

/// A duration as records carry it: microseconds, with the nanoseconds behind the point.
pub fn micros(duration: Duration) -> f64 {
    duration.as_nanos() as f64 / 1000.0
}
