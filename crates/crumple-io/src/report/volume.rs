//! The records of `volume` and `inside`.

use serde::{Deserialize, Serialize};

use super::{ExactSelfOverlapFrame, ExactVolumeFrame, SelfOverlapFrame, WorstFrame};

/// A frame of `volume`: how much two bodies overlap.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct VolumeFrame {
    /// The frame, counted from 0.
    pub frame: u64,
    /// The number that the files give the frame; missing where they give none, or different ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// The animation that the frame belongs to, where several are played one after another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub animation: Option<String>,
    /// The volume of the overlap, in cubes of the file's unit.
    pub volume: f64,
    /// How far off it is likely to be: an estimate, no bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_estimate: Option<f64>,
    /// The overlap's centre of mass; missing where nothing overlaps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub centroid: Option<[f64; 3]>,
    /// The box around the overlap; missing where nothing overlaps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<BoxRecord>,
    /// How deep the bodies are in each other, where that was asked and they overlap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub penetration: Option<PenetrationRecord>,
    /// Samples along the sides of the depth images.
    pub resolution: Samples,
    /// The most layers any column of each body has.
    pub depth_complexity: [u32; 2],
    /// Columns of each body in which entries and exits do not alternate; missing where there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unordered_columns: Option<[u64; 2]>,
    /// The box that was looked into; missing when the bodies' boxes are apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub voi: Option<VolumeOfInterest>,
    /// Microseconds for the volume of interest and the depth images.
    pub stage12_us: f64,
    /// Microseconds for combining them.
    pub stage3_us: f64,
}

/// How many samples a depth image has: one number for a square, `[columns, rows]` for a rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Samples {
    /// As many along both sides.
    Square(u32),
    /// Along the first and along the second side.
    Rectangle([u32; 2]),
}

impl From<[u32; 2]> for Samples {
    fn from([columns, rows]: [u32; 2]) -> Self {
        if columns == rows { Self::Square(columns) } else { Self::Rectangle([columns, rows]) }
    }
}

/// A box with its sides along the axes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BoxRecord {
    /// The corner with the smallest coordinates.
    pub min: [f32; 3],
    /// The corner with the largest coordinates.
    pub max: [f32; 3],
}

/// How two bodies are parted by the shortest way: along an axis and sampled where the volume is, in any direction where it
/// is exact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PenetrationRecord {
    /// How far.
    pub depth: f64,
    /// By what the first body has to be moved.
    pub translation: [f64; 3],
}

/// The box depth images are made of, and the direction they look along.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct VolumeOfInterest {
    /// The corner with the smallest coordinates.
    pub min: [f32; 3],
    /// The corner with the largest coordinates.
    pub max: [f32; 3],
    /// The direction.
    pub axis: Axis,
}

/// A coordinate axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "there is no more to say")]
pub enum Axis {
    X,
    Y,
    Z,
}

impl From<crumple::Axis> for Axis {
    fn from(axis: crumple::Axis) -> Self {
        match axis {
            crumple::Axis::X => Self::X,
            crumple::Axis::Y => Self::Y,
            crumple::Axis::Z => Self::Z,
        }
    }
}

impl From<Axis> for crumple::Axis {
    fn from(axis: Axis) -> Self {
        match axis {
            Axis::X => Self::X,
            Axis::Y => Self::Y,
            Axis::Z => Self::Z,
        }
    }
}

/// A frame of `inside`: which points lie inside the body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct InsideFrame {
    /// The frame, counted from 0.
    pub frame: u64,
    /// The number that the files give the frame; missing where they give none, or different ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// The animation that the frame belongs to, where several are played one after another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub animation: Option<String>,
    /// The points inside, counted from 0 in their file, ascending.
    pub inside: Vec<u32>,
    /// Columns of the body in which entries and exits do not alternate; missing where there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unordered_columns: Option<u64>,
    /// Microseconds from the body's vertices to the answers.
    #[serde(default)]
    pub query_us: f64,
}

/// What all frames of a `volume` come to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct VolumeSummary {
    /// How many frames were looked at.
    pub frames: u64,
    /// In how many of them the bodies overlap, or the body overlaps itself.
    pub frames_overlapping: u64,
    /// The first of those.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<u64>,
    /// The last of those.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<u64>,
    /// The one with the largest volume.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worst: Option<WorstVolume>,
}

impl VolumeSummary {
    /// Takes one more frame in; frames must come in order. Of equally bad frames the first counts as the worst.
    pub fn add(&mut self, frame: &VolumeFrame) {
        self.add_volume(frame.frame, Some(frame.volume).filter(|volume| *volume > 0.0));
    }

    /// The same for a frame whose volume is exact.
    pub fn add_exact(&mut self, frame: &ExactVolumeFrame) {
        self.add_volume(frame.frame, Some(frame.volume).filter(|_| frame.overlaps()));
    }

    /// The same for a frame about one body: what is inside it more than once.
    pub fn add_self_overlap(&mut self, frame: &SelfOverlapFrame) {
        self.add_volume(frame.frame, Some(frame.self_overlap).filter(|volume| *volume > 0.0));
    }

    /// The same where that is exact.
    pub fn add_exact_self_overlap(&mut self, frame: &ExactSelfOverlapFrame) {
        self.add_volume(frame.frame, Some(frame.self_overlap).filter(|_| frame.overlaps()));
    }

    /// Volumes of bodies that are inside out are negative.
    fn add_volume(&mut self, frame: u64, volume: Option<f64>) {
        self.frames += 1;
        let Some(volume) = volume else { return };
        self.frames_overlapping += 1;
        self.first.get_or_insert(frame);
        self.last = Some(frame);
        if self.worst.is_none_or(|worst| volume.abs() > worst.volume.abs()) {
            self.worst = Some(WorstVolume { frame, volume });
        }
    }
}

/// The frame with the largest overlap.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WorstVolume {
    /// The frame.
    pub frame: u64,
    /// Its volume.
    pub volume: f64,
}

/// What all frames of an `inside` come to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct InsideSummary {
    /// How many frames were looked at.
    pub frames: u64,
    /// How many points there are.
    pub points: u64,
    /// In how many frames some of them are inside.
    pub frames_with_points_inside: u64,
    /// The first of those.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<u64>,
    /// The last of those.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<u64>,
    /// The one with the most points inside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worst: Option<WorstFrame>,
}

impl InsideSummary {
    /// Takes one more frame in; frames must come in order. Of frames with equally many the first counts as the worst.
    pub fn add(&mut self, frame: &InsideFrame) {
        let count = frame.inside.len() as u64;
        self.frames += 1;
        if count > 0 {
            self.frames_with_points_inside += 1;
            self.first.get_or_insert(frame.frame);
            self.last = Some(frame.frame);
            if self.worst.is_none_or(|worst| count > worst.count) {
                self.worst = Some(WorstFrame { frame: frame.frame, count });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::text;
    use super::super::{LastRecord, Record};
    use super::*;

    #[test]
    fn a_volume_frame_leaves_the_box_out_when_there_is_none() {
        let mut record = VolumeFrame {
            frame: 3,
            number: None,
            animation: None,
            volume: 0.125,
            error_estimate: Some(0.001),
            centroid: Some([0.5, 0.25, 1.0]),
            bounds: Some(BoxRecord { min: [0.0; 3], max: [1.0, 0.5, 2.0] }),
            penetration: Some(PenetrationRecord { depth: 0.5, translation: [0.0, -0.5, 0.0] }),
            resolution: Samples::from([128, 128]),
            depth_complexity: [2, 4],
            unordered_columns: None,
            voi: Some(VolumeOfInterest { min: [0.0, -1.0, 0.1], max: [1.0, 1.0, 2.5], axis: Axis::Z }),
            stage12_us: 420.25,
            stage3_us: 13.0,
        };
        assert_eq!(
            text(Record::VolumeFrame(record.clone())),
            r#"{"frame":3,"volume":0.125,"error_estimate":0.001,"centroid":[0.5,0.25,1.0],"bounds":{"min":[0.0,0.0,0.0],"max":[1.0,0.5,2.0]},"penetration":{"depth":0.5,"translation":[0.0,-0.5,0.0]},"resolution":128,"depth_complexity":[2,4],"voi":{"min":[0.0,-1.0,0.1],"max":[1.0,1.0,2.5],"axis":"z"},"stage12_us":420.25,"stage3_us":13.0}"#
        );
        record = VolumeFrame { volume: 0.0, error_estimate: None, centroid: None, bounds: None, voi: None, ..record };
        record.penetration = None;
        record.resolution = Samples::from([128, 64]);
        assert_eq!(
            text(Record::VolumeFrame(record)),
            r#"{"frame":3,"volume":0.0,"resolution":[128,64],"depth_complexity":[2,4],"stage12_us":420.25,"stage3_us":13.0}"#
        );
    }

    #[test]
    fn the_summary_of_volumes_finds_the_worst_frame() {
        let mut summary = VolumeSummary::default();
        for (frame, volume) in [(3, 0.0), (4, 0.25), (5, 0.5), (6, 0.5), (7, 0.0)] {
            summary.add(&VolumeFrame {
                frame,
                number: None,
                animation: None,
                volume,
                error_estimate: None,
                centroid: None,
                bounds: None,
                penetration: None,
                resolution: Samples::Square(8),
                depth_complexity: [0, 0],
                unordered_columns: None,
                voi: None,
                stage12_us: 0.0,
                stage3_us: 0.0,
            });
        }
        assert_eq!(
            text(Record::VolumeSummary(LastRecord { summary })),
            r#"{"summary":{"frames":5,"frames_overlapping":3,"first":4,"last":6,"worst":{"frame":5,"volume":0.5}}}"#
        );
    }

    #[test]
    fn an_inside_frame_lists_points() {
        let record = |frame, inside| InsideFrame {
            frame,
            number: None,
            animation: None,
            inside,
            unordered_columns: None,
            query_us: 2.5,
        };
        assert_eq!(text(Record::InsideFrame(record(0, vec![1, 5]))), r#"{"frame":0,"inside":[1,5],"query_us":2.5}"#);
        let mut summary = InsideSummary { points: 9, ..InsideSummary::default() };
        summary.add(&record(0, vec![]));
        summary.add(&record(1, vec![1, 5]));
        assert_eq!(
            text(Record::InsideSummary(LastRecord { summary })),
            r#"{"summary":{"frames":2,"points":9,"frames_with_points_inside":1,"first":1,"last":1,"worst":{"frame":1,"count":2}}}"#
        );
    }
}
