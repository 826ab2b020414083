//! The records of `distance` and of `check --clearance`: how far apart bodies are.

use serde::{Deserialize, Serialize};

/// A frame of `distance`: where two surfaces are nearest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DistanceFrame {
    /// The frame, counted from 0.
    pub frame: u64,
    /// The number that the files give the frame; missing where they give none, or different ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// The animation that the frame belongs to, where several are played one after another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub animation: Option<String>,
    /// The distance of the surfaces is within these bounds, in the file's unit; `[0, 0]` exactly if they share a point.
    pub distance: [f64; 2],
    /// The nearest point of the first body and that of the second.
    pub points: [[f64; 3]; 2],
    /// The triangles they lie on.
    pub triangles: [u32; 2],
    /// Microseconds from the new vertices to a scene that can be asked.
    pub update_us: f64,
    /// Microseconds from the question to the answer.
    pub query_us: f64,
}

/// What all frames of a `distance` come to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DistanceSummary {
    /// How many frames were looked at.
    pub frames: u64,
    /// In how many of them the surfaces share a point.
    pub frames_touching: u64,
    /// The frame in which they are nearest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nearest: Option<NearestFrame>,
}

/// A frame and how far apart surfaces are in it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NearestFrame {
    /// The frame.
    pub frame: u64,
    /// The bounds of the distance.
    pub distance: [f64; 2],
}

impl DistanceSummary {
    /// Takes one more frame in; frames must come in order. Of equally near frames the first counts as the nearest.
    pub fn add(&mut self, frame: &DistanceFrame) {
        self.frames += 1;
        self.frames_touching += u64::from(frame.distance == [0.0; 2]);
        if self.nearest.is_none_or(|nearest| frame.distance[1] < nearest.distance[1]) {
            self.nearest = Some(NearestFrame { frame: frame.frame, distance: frame.distance });
        }
    }
}

/// Two bodies that are closer than the clearance asked for, or parts of one (`a == b`).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NearRecord {
    /// One body.
    pub a: u32,
    /// The other body.
    pub b: u32,
    /// How far apart they are, in the file's unit; 0 if they meet.
    pub distance: f64,
}

#[cfg(test)]
mod tests {
    use super::super::tests::text;
    use super::super::{CheckSummary, Frame, LastRecord, Record, Summary};
    use super::*;

    #[test]
    fn a_frame_of_distance_is_told_from_other_frames() {
        let mut record = DistanceFrame {
            frame: 2,
            number: None,
            animation: None,
            distance: [0.5, 0.75],
            points: [[0.0; 3], [0.5, 0.0, 0.0]],
            triangles: [3, 4],
            update_us: 1.0,
            query_us: 2.0,
        };
        assert_eq!(
            text(Record::DistanceFrame(record.clone())),
            r#"{"frame":2,"distance":[0.5,0.75],"points":[[0.0,0.0,0.0],[0.5,0.0,0.0]],"triangles":[3,4],"update_us":1.0,"query_us":2.0}"#
        );
        let mut summary = DistanceSummary::default();
        summary.add(&record);
        (record.frame, record.distance) = (3, [0.0; 2]);
        summary.add(&record);
        assert_eq!(
            text(Record::DistanceSummary(LastRecord { summary })),
            r#"{"summary":{"frames":2,"frames_touching":1,"nearest":{"frame":3,"distance":[0.0,0.0]}}}"#
        );
    }

    #[test]
    fn a_frame_of_check_lists_what_is_near_where_that_was_asked() {
        let near = vec![NearRecord { a: 0, b: 1, distance: 0.25 }];
        let record = Frame { frame: 7, near: Some(near), near_us: Some(1.5), ..Frame::default() };
        assert_eq!(record.without_pairs(), record);
        let mut summary = CheckSummary::default();
        summary.add(&record);
        assert_eq!(
            text(Record::Frame(record)),
            r#"{"frame":7,"contacts":[],"near":[{"a":0,"b":1,"distance":0.25}],"update_us":0.0,"query_us":0.0,"near_us":1.5}"#
        );
        assert_eq!(
            text(Record::Summary(Summary { summary })),
            r#"{"summary":{"frames":1,"frames_in_contact":0,"pairs":0,"frames_too_close":1}}"#
        );
    }
}
