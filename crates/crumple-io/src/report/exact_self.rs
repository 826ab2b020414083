//! The records of `volume --self-overlap --exact`: how much a closed body overlaps itself, and where.

use crumple::SelfRegion;
use serde::{Deserialize, Serialize};

/// A frame of `volume --self-overlap --exact`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ExactSelfOverlapFrame {
    /// The frame, counted from 0.
    pub frame: u64,
    /// The number that the files give the frame; missing where they give none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// The animation that the frame belongs to, where several are played one after another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub animation: Option<String>,
    /// ∫ w (w − 1) / 2 dV, w being the winding number of the surface, in cubes of the file's unit: what is covered twice counts
    /// once, what is covered three times three times, what is inside out once.
    pub self_overlap: f64,
    /// The volume that the surface encloses, ∫ w dV; negative if the body is inside out.
    pub enclosed: f64,
    /// `true`: nothing was sampled.
    pub exact: bool,
    /// The connected parts.
    pub regions: Vec<SelfRegionRecord>,
    /// Microseconds from the new vertices to a scene that can be asked.
    pub update_us: f64,
    /// Microseconds from the question to the regions.
    pub query_us: f64,
}

impl ExactSelfOverlapFrame {
    /// Whether the body overlaps itself by more than rounding.
    pub fn overlaps(&self) -> bool {
        !self.regions.is_empty()
    }
}

/// A connected part of the overlap of a body with itself.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SelfRegionRecord {
    /// Its volume; negative for a hollow within others.
    pub volume: f64,
    /// The area of its surface.
    pub area: f64,
    /// Its centre of mass.
    pub centroid: [f64; 3],
    /// The direction in which the largest of the sheets that meet in it comes out fastest, of length 1; 0 if no translation
    /// changes the volume at first.
    pub normal: [f64; 3],
    /// How many triangles are at least partly in its surface.
    pub triangles: u64,
    /// How many pairs of triangles cross in it.
    pub pairs: u64,
}

impl From<SelfRegion<'_>> for SelfRegionRecord {
    fn from(region: SelfRegion<'_>) -> Self {
        Self {
            volume: region.volume,
            area: region.area,
            centroid: region.centroid,
            normal: region.normal,
            triangles: region.triangles.len() as u64,
            pairs: region.pairs.len() as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::text;
    use super::super::{LastRecord, Record, VolumeSummary};
    use super::*;

    #[test]
    fn an_exact_frame_about_one_body_is_told_from_the_others_and_sums_up_as_volumes_do() {
        let region = SelfRegionRecord {
            volume: 0.125,
            area: 1.5,
            centroid: [0.25; 3],
            normal: [0.0, -1.0, 0.0],
            triangles: 14,
            pairs: 12,
        };
        let record = |frame, regions: Vec<SelfRegionRecord>| ExactSelfOverlapFrame {
            frame,
            number: None,
            animation: None,
            self_overlap: 0.125 * regions.len() as f64,
            enclosed: 2.0,
            exact: true,
            regions,
            update_us: 1.0,
            query_us: 2.0,
        };
        assert_eq!(
            text(Record::ExactSelfOverlapFrame(record(3, vec![region]))),
            r#"{"frame":3,"self_overlap":0.125,"enclosed":2.0,"exact":true,"regions":[{"volume":0.125,"area":1.5,"centroid":[0.25,0.25,0.25],"normal":[0.0,-1.0,0.0],"triangles":14,"pairs":12}],"update_us":1.0,"query_us":2.0}"#
        );
        let mut summary = VolumeSummary::default();
        for regions in [vec![], vec![region], vec![region, region], vec![region]] {
            summary.add_exact_self_overlap(&record(summary.frames, regions));
        }
        assert_eq!(
            text(Record::VolumeSummary(LastRecord { summary })),
            r#"{"summary":{"frames":4,"frames_overlapping":3,"first":1,"last":3,"worst":{"frame":2,"volume":0.25}}}"#
        );
    }
}
