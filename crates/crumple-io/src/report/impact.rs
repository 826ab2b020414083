//! The records of `check --continuous`: what meets between two frames.

use serde::{Deserialize, Serialize};

/// Two features that meet in the step that led to a frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ImpactRecord {
    /// When, as a fraction of the step: the true time is in this interval. `[0, 0]` where surfaces meet at its start.
    pub t: [f64; 2],
    /// The body of the vertex; of two edges, or two triangles, that of the first.
    pub a: u32,
    /// The body of the triangle, or of the second edge or triangle; the same as `a` where a body meets itself.
    pub b: u32,
    /// Which features meet.
    #[serde(flatten)]
    pub features: FeaturesRecord,
}

/// The features of an [`ImpactRecord`]; numbers count from 0 in the order of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum FeaturesRecord {
    /// Triangles that meet at the start of the step: contact began before it.
    Already {
        /// The first triangles that do, of `a` and of `b`.
        triangles: [u32; 2],
    },
    /// A vertex meets a triangle.
    VertexFace {
        /// The vertex, of `a`.
        vertex: u32,
        /// The triangle, of `b`.
        triangle: u32,
    },
    /// Two edges meet.
    EdgeEdge {
        /// The vertices of the edge of `a`.
        edge_a: [u32; 2],
        /// The vertices of the edge of `b`.
        edge_b: [u32; 2],
    },
}

impl FeaturesRecord {
    /// What a record calls the kind.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Already { .. } => "already",
            Self::VertexFace { .. } => "vertex-face",
            Self::EdgeEdge { .. } => "edge-edge",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::super::tests::text;
    use super::super::{CheckSummary, Frame, Record, Summary};
    use super::*;

    #[test]
    fn a_frame_lists_impacts_where_they_were_looked_for() {
        let impact = |t, features| ImpactRecord { t, a: 1, b: 0, features };
        let mut record =
            Frame { frame: 3, impacts: Some(Cow::Borrowed(&[])), impacts_us: Some(2.5), ..Frame::default() };
        let mut summary = CheckSummary::default();
        summary.add(&record);
        assert_eq!(
            text(Record::Frame(record.clone())),
            r#"{"frame":3,"contacts":[],"impacts":[],"update_us":0.0,"query_us":0.0,"impacts_us":2.5}"#
        );
        assert_eq!(
            text(Record::Summary(Summary { summary: summary.clone() })),
            r#"{"summary":{"frames":1,"frames_in_contact":0,"pairs":0,"impacts":0}}"#
        );
        let impacts = vec![
            impact([0.0, 0.0], FeaturesRecord::Already { triangles: [4, 5] }),
            impact([0.25, 0.25], FeaturesRecord::VertexFace { vertex: 7, triangle: 2 }),
            impact([0.5, 0.75], FeaturesRecord::EdgeEdge { edge_a: [1, 2], edge_b: [3, 9] }),
        ];
        record.impacts = Some(impacts.into());
        assert_eq!(record.without_pairs(), record);
        summary.add(&record);
        assert_eq!(summary.impacts, Some(3));
        assert_eq!(
            text(Record::Frame(record)),
            r#"{"frame":3,"contacts":[],"impacts":[{"t":[0.0,0.0],"a":1,"b":0,"kind":"already","triangles":[4,5]},{"t":[0.25,0.25],"a":1,"b":0,"kind":"vertex-face","vertex":7,"triangle":2},{"t":[0.5,0.75],"a":1,"b":0,"kind":"edge-edge","edge_a":[1,2],"edge_b":[3,9]}],"update_us":0.0,"query_us":0.0,"impacts_us":2.5}"#
        );
    }
}
