//! The records of `volume --exact`: the overlap of two closed bodies, and its regions.

use crumple::{Between, Region};
use serde::{Deserialize, Serialize};

use super::PenetrationRecord;

/// A frame of `volume --exact`: how much two closed bodies overlap, exact up to rounding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ExactVolumeFrame {
    /// The frame, counted from 0.
    pub frame: u64,
    /// The number that the files give the frame; missing where they give none, or different ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// The animation that the frame belongs to, where several are played one after another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub animation: Option<String>,
    /// The volume of the overlap, in cubes of the file's unit; negative if one of the bodies is inside out.
    pub volume: f64,
    /// `true`: nothing was sampled.
    pub exact: bool,
    /// The area of the overlap's surface.
    pub area: f64,
    /// The overlap's centre of mass; missing where nothing overlaps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub centroid: Option<[f64; 3]>,
    /// The connected parts of the overlap.
    pub regions: Vec<RegionRecord>,
    /// How the bodies are parted, where that was asked and they overlap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub penetration: Option<PenetrationRecord>,
    /// Microseconds from the new vertices to a scene that can be asked.
    pub update_us: f64,
    /// Microseconds from the question to the regions.
    pub query_us: f64,
}

impl ExactVolumeFrame {
    /// Whether the bodies have a volume in common. Bodies that merely touch have no region.
    pub fn overlaps(&self) -> bool {
        !self.regions.is_empty()
    }
}

/// A connected part of the overlap of two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RegionRecord {
    /// What names it from frame to frame, as long as it shares triangles with itself in the frame before.
    pub id: u64,
    /// Its volume.
    pub volume: f64,
    /// The area of its surface.
    pub area: f64,
    /// Its centre of mass.
    pub centroid: [f64; 3],
    /// The direction in which the first body comes out fastest, of length 1; 0 if no translation changes the volume at
    /// first, as where one body is inside the other.
    pub normal: [f64; 3],
    /// The area of the region as seen along the normal.
    pub contact_area: f64,
    /// How many triangles of each body are at least partly in its surface.
    pub triangles: [u64; 2],
    /// How many vertices of each body are inside the other, on its surface.
    pub vertices: [u64; 2],
}

impl From<Between<Region<'_>>> for RegionRecord {
    fn from(found: Between<Region<'_>>) -> Self {
        let region = found.of;
        Self {
            id: region.id.0,
            volume: region.volume,
            area: region.area,
            centroid: region.centroid,
            normal: region.normal,
            contact_area: region.contact_area,
            triangles: [region.triangles_a.len() as u64, region.triangles_b.len() as u64],
            vertices: [region.vertices_a.len() as u64, region.vertices_b.len() as u64],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::text;
    use super::super::{LastRecord, Record, VolumeSummary};
    use super::*;

    #[test]
    fn a_frame_of_an_exact_volume_is_told_from_a_sampled_one() {
        let region = RegionRecord {
            id: 4,
            volume: 0.125,
            area: 1.5,
            centroid: [0.25; 3],
            normal: [0.0, -1.0, 0.0],
            contact_area: 0.25,
            triangles: [6, 8],
            vertices: [1, 0],
        };
        let mut record = ExactVolumeFrame {
            frame: 3,
            number: None,
            animation: None,
            volume: 0.125,
            exact: true,
            area: 1.5,
            centroid: Some([0.25; 3]),
            regions: vec![region],
            penetration: None,
            update_us: 1.0,
            query_us: 2.0,
        };
        assert_eq!(
            text(Record::ExactVolumeFrame(record.clone())),
            r#"{"frame":3,"volume":0.125,"exact":true,"area":1.5,"centroid":[0.25,0.25,0.25],"regions":[{"id":4,"volume":0.125,"area":1.5,"centroid":[0.25,0.25,0.25],"normal":[0.0,-1.0,0.0],"contact_area":0.25,"triangles":[6,8],"vertices":[1,0]}],"update_us":1.0,"query_us":2.0}"#
        );
        let mut summary = VolumeSummary::default();
        summary.add_exact(&record);
        // Bodies that touch have no region, whatever rounding makes of their volume.
        record = ExactVolumeFrame { frame: 4, volume: 1e-19, centroid: None, regions: Vec::new(), ..record };
        summary.add_exact(&record);
        assert_eq!(
            text(Record::ExactVolumeFrame(record)),
            r#"{"frame":4,"volume":1e-19,"exact":true,"area":1.5,"regions":[],"update_us":1.0,"query_us":2.0}"#
        );
        assert_eq!(
            text(Record::VolumeSummary(LastRecord { summary })),
            r#"{"summary":{"frames":2,"frames_overlapping":1,"first":3,"last":3,"worst":{"frame":3,"volume":0.125}}}"#
        );
    }
}
