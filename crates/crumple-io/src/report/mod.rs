//! The records every report is made of: `--json` prints one per line; the page and Python read them.
//!
//! ```text
//! check, volume, inside,  Header, then one Frame, VolumeFrame (ExactVolumeFrame if nothing is sampled, SelfOverlapFrame or
//! distance                ExactSelfOverlapFrame if it is about one body), InsideFrame or DistanceFrame per frame, then a summary
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
mod check;
mod contact_region;
mod distance;
mod exact;
mod exact_self;
mod findings;
mod frame_name;
mod impact;
mod info;
mod onset;
#[cfg(test)]
mod schema;
mod self_overlap;
mod volume;

use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use bench::{BenchFrame, BenchHeader, BenchRow, BenchSummary, MethodSummary, Value};
pub use check::{BodyStatus, CheckSummary, ContactRecord, ContainedRecord, Frame, StatusRecord, Summary};
pub use contact_region::{ContactRegionRecord, FollowedRegion, MergedRegion, RegionFollower, RestPlace};
pub use distance::{DistanceFrame, DistanceSummary, NearRecord, NearestFrame};
pub use exact::{ExactVolumeFrame, RegionRecord};
pub use exact_self::{ExactSelfOverlapFrame, SelfRegionRecord};
pub use findings::{Episodes, Finding, FindingKind, FindingNumbers, FindingRegion, Status, Tested, are_joined};
pub use frame_name::{FrameName, FrameNames, of_animation};
pub use impact::{FeaturesRecord, ImpactRecord};
pub use info::{AnimationRecord, EdgesRecord, Info, InfoBody};
pub use onset::OnsetRecord;
pub use self_overlap::SelfOverlapFrame;
pub use volume::{
    Axis, BoxRecord, InsideFrame, InsideSummary, PenetrationRecord, Samples, VolumeFrame, VolumeOfInterest,
    VolumeSummary, WorstVolume,
};

/// The schema the first record of every report names.
pub const SCHEMA: &str = "crumple.report/1";

/// Any record, for reading a report back line by line; which one it is shows in its fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
    /// A frame of `volume --self-overlap --exact`.
    ExactSelfOverlapFrame(ExactSelfOverlapFrame),
    /// A frame of `volume --self-overlap`.
    SelfOverlapFrame(SelfOverlapFrame),
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Header {
    /// [`SCHEMA`].
    pub schema: String,
    /// The method, by its name on the command line.
    pub method: String,
    /// The bodies; their ids are their indices in this list.
    pub bodies: Vec<BodyRecord>,
    /// How many frames were asked for.
    pub frames: u64,
    /// The first of them and how many the files have, where not all were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<PartRecord>,
    /// The animation that was played, where a file has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub animation: Option<String>,
    /// The unit of all numbers that are lengths, areas or volumes, where the formats of all files have one: `m` of glTF.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
}

/// Which part of the frames of its files a report is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PartRecord {
    /// The first frame.
    pub first: u64,
    /// How many frames the files have.
    pub of: u64,
}

impl Header {
    /// A header of the present schema.
    pub fn new(method: impl Into<String>, bodies: Vec<BodyRecord>, frames: u64) -> Self {
        Header { schema: SCHEMA.into(), method: method.into(), bodies, frames, part: None, animation: None, unit: None }
    }
}

/// One body of the scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
    /// `f64` if its positions are such numbers; they are f32 numbers otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precision: Option<String>,
}

/// A last record: `{"summary": ...}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Last{S}"))]
pub struct LastRecord<S> {
    /// What there is to sum up.
    pub summary: S,
}

/// The frame with the most of what is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The text a record becomes, which must also be read back as the same record.
    pub(super) fn text(record: Record) -> String {
        let text = serde_json::to_string(&record).unwrap();
        assert_eq!(serde_json::from_str::<Record>(&text).unwrap(), record);
        text
    }

    #[test]
    fn the_header_names_the_schema_and_the_bodies() {
        let body = BodyRecord {
            id: 0,
            name: "knot".into(),
            triangles: 2,
            vertices: 4,
            closed: false,
            face_of_triangle: None,
            precision: None,
        };
        let quad = BodyRecord { id: 1, face_of_triangle: Some(vec![0, 0]), ..body.clone() };
        assert_eq!(
            text(Record::Header(Header::new("wide-tree", vec![body, quad], 200))),
            r#"{"schema":"crumple.report/1","method":"wide-tree","bodies":[{"id":0,"name":"knot","triangles":2,"vertices":4,"closed":false},{"id":1,"name":"knot","triangles":2,"vertices":4,"closed":false,"face_of_triangle":[0,0]}],"frames":200}"#
        );
    }
}
