//! Every file is read with as many vertices, triangles and frames as its description says.

use anyhow::Result;

use crate::Tally;
use crate::data::Data;

/// File, triangles, vertices (where they are told), frames.
const COUNTS: [(&str, usize, Option<usize>, usize); 9] = [
    ("deforming/cloth_ball92.ply", 92_230, Some(46_598), 1),
    ("deforming/cloth_ball93.ply", 92_230, Some(46_598), 1),
    ("deforming/tshirt.ply@deforming/tshirt.pc2", 2_745, Some(1_426), 251),
    ("deforming/cesium_man.ply@deforming/cesium_man.pc2", 4_672, Some(2_338), 61),
    ("deforming/fox_run.ply@deforming/fox_run.pc2", 576, Some(290), 70),
    ("deforming/cheburashka_poses.ply@deforming/cheburashka_poses.pc2", 13_334, Some(6_669), 11),
    ("deforming/cow_poses.ply@deforming/cow_poses.pc2", 23_328, Some(11_666), 7),
    ("fcl/env.obj", 2_180, None, 1),
    ("fcl/rob.obj", 216, None, 1),
];

pub(crate) fn check(data: &Data) -> Result<Tally> {
    let mut tally = Tally::default();
    for (file, triangles, vertices, frames) in COUNTS {
        let sequence = data.sequence(file)?;
        let found = (sequence.mesh.triangles().len(), sequence.mesh.vertex_count(), sequence.frames.len());
        tally.compare(found, (triangles, vertices.unwrap_or(found.1), frames), || file.to_owned());
    }
    Ok(tally)
}
