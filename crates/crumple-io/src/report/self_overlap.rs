//! The record of `volume --self-overlap`.

use serde::{Deserialize, Serialize};

use super::Samples;

/// A frame of `volume --self-overlap`: how much of a body is inside it more than once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SelfOverlapFrame {
    /// The frame, counted from 0.
    pub frame: u64,
    /// The number that the files give the frame; missing where they give none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// The animation that the frame belongs to, where several are played one after another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub animation: Option<String>,
    /// The volume that is inside the body more than once, in cubes of the file's unit.
    pub self_overlap: f64,
    /// The volume that is turned inside out.
    pub inverted: f64,
    /// How many columns of the depth image show either.
    pub columns: u64,
    /// How many triangles bound it in those columns; missing where the GPU has computed it, which does not name them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub triangles: Option<u64>,
    /// Samples along the sides of the depth image.
    pub resolution: Samples,
    /// The most layers any column has.
    pub depth_complexity: u32,
    /// Microseconds from the body's vertices to the volumes.
    pub query_us: f64,
}

#[cfg(test)]
mod tests {
    use super::super::tests::text;
    use super::super::{LastRecord, Record, VolumeSummary};
    use super::*;

    #[test]
    fn a_frame_is_known_by_its_volume_and_sums_up_as_volumes_do() {
        let record = |frame, self_overlap| SelfOverlapFrame {
            frame,
            number: None,
            animation: None,
            self_overlap,
            inverted: 0.125,
            columns: 7,
            triangles: Some(4),
            resolution: Samples::Square(64),
            depth_complexity: 6,
            query_us: 2.5,
        };
        assert_eq!(
            text(Record::SelfOverlapFrame(record(3, 0.25))),
            r#"{"frame":3,"self_overlap":0.25,"inverted":0.125,"columns":7,"triangles":4,"resolution":64,"depth_complexity":6,"query_us":2.5}"#
        );
        let mut summary = VolumeSummary::default();
        for (frame, volume) in [(3, 0.25), (4, 0.0), (5, 0.5)] {
            summary.add_self_overlap(&record(frame, volume));
        }
        assert_eq!(
            text(Record::VolumeSummary(LastRecord { summary })),
            r#"{"summary":{"frames":3,"frames_overlapping":2,"first":3,"last":5,"worst":{"frame":5,"volume":0.5}}}"#
        );
    }
}
