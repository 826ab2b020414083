//! The records of `bench`.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::{LastRecord, SCHEMA};

/// The first record of a bench.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BenchHeader {
    /// [`SCHEMA`].
    pub schema: String,
    /// The experiments that follow, by name.
    pub experiments: Vec<String>,
    /// The processor they were measured on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
    /// The commit they were measured at, or the version where there is no commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// How many threads methods could use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<u64>,
}

impl BenchHeader {
    /// A header of the present schema.
    pub fn new(experiments: Vec<String>) -> Self {
        BenchHeader { schema: SCHEMA.into(), experiments, machine: None, commit: None, threads: None }
    }
}

/// What one method did in one frame of an experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BenchFrame {
    /// The experiment.
    pub experiment: String,
    /// The method.
    pub method: String,
    /// The frame, counted from 0.
    pub frame: u64,
    /// How many pairs it found.
    pub pairs: u64,
    /// Microseconds from the new vertices to a scene that can be asked.
    pub update_us: f64,
    /// Microseconds from the question to the sorted list of pairs.
    pub query_us: f64,
}

/// The last record of one method of an experiment.
pub type BenchSummary = LastRecord<MethodSummary>;

/// What one method did in an experiment. Times are of whole frames: update and query.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MethodSummary {
    /// The experiment.
    pub experiment: String,
    /// The method.
    pub method: String,
    /// How many frames were timed.
    pub frames: u64,
    /// The pairs of all frames together.
    pub pairs: u64,
    /// Microseconds, the median of all frames.
    pub median_us: f64,
    /// Microseconds, the mean of all frames.
    #[serde(default)]
    pub mean_us: f64,
    /// The first frame with a contact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_contact: Option<u64>,
    /// Microseconds in that frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_contact_us: Option<f64>,
    /// Microseconds in the last frame.
    pub last_us: f64,
    /// Microseconds in the slowest frame.
    #[serde(default)]
    pub worst_us: f64,
    /// How many times faster than `local-tree` of the same run, by the median.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio_to_local_tree: Option<f64>,
    /// How many times slower than the floor of the same run, by the median.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio_to_floor: Option<f64>,
    /// The digest of the scene it was measured on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scene_digest: Option<String>,
    /// The digest of the lists of pairs of all frames.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairs_digest: Option<String>,
}

/// A row of a table of an experiment that has tables of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BenchRow {
    /// The experiment.
    pub experiment: String,
    /// The table, by name.
    pub table: String,
    /// The cells by column; a cell without a figure is left out. Times are in microseconds, in columns that end in `_us`.
    pub row: BTreeMap<String, Value>,
}

/// A cell of a [`BenchRow`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Value {
    /// Something counted.
    Count(u64),
    /// Something measured.
    Number(f64),
    /// Words.
    Text(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(number) => number.fmt(f),
            Self::Number(number) => number.fmt(f),
            Self::Text(words) => words.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::{Record, micros, tests::text};
    use super::*;

    #[test]
    fn a_bench_gives_a_record_a_frame_and_a_summary_a_method() {
        assert_eq!(
            text(Record::BenchHeader(BenchHeader::new(vec!["LE1".into()]))),
            r#"{"schema":"crumple.report/1","experiments":["LE1"]}"#
        );
        let record = BenchFrame {
            experiment: "LE1".into(),
            method: "hybrid-tree".into(),
            frame: 60,
            pairs: 24,
            update_us: micros(Duration::from_nanos(1234567)),
            query_us: 0.5,
        };
        assert_eq!(
            text(Record::BenchFrame(record)),
            r#"{"experiment":"LE1","method":"hybrid-tree","frame":60,"pairs":24,"update_us":1234.567,"query_us":0.5}"#
        );
        let mut summary = MethodSummary {
            experiment: "LE1".into(),
            method: "hybrid-tree".into(),
            frames: 200,
            pairs: 100000,
            median_us: 900.5,
            mean_us: 1000.0,
            first_contact: Some(60),
            first_contact_us: Some(400.0),
            last_us: 1800.0,
            worst_us: 1900.0,
            ratio_to_local_tree: Some(3.5),
            ratio_to_floor: Some(6.25),
            scene_digest: Some("97f0".into()),
            pairs_digest: Some("0a1b".into()),
        };
        assert_eq!(
            text(Record::BenchSummary(BenchSummary { summary: summary.clone() })),
            r#"{"summary":{"experiment":"LE1","method":"hybrid-tree","frames":200,"pairs":100000,"median_us":900.5,"mean_us":1000.0,"first_contact":60,"first_contact_us":400.0,"last_us":1800.0,"worst_us":1900.0,"ratio_to_local_tree":3.5,"ratio_to_floor":6.25,"scene_digest":"97f0","pairs_digest":"0a1b"}}"#
        );
        summary.first_contact = None;
        summary.first_contact_us = None;
        summary.ratio_to_local_tree = None;
        summary.ratio_to_floor = None;
        summary.scene_digest = None;
        summary.pairs_digest = None;
        assert_eq!(
            text(Record::BenchSummary(BenchSummary { summary })),
            r#"{"summary":{"experiment":"LE1","method":"hybrid-tree","frames":200,"pairs":100000,"median_us":900.5,"mean_us":1000.0,"last_us":1800.0,"worst_us":1900.0}}"#
        );
    }
}
