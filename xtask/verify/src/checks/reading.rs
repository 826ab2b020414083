//! Every file is read with as many vertices, triangles and frames as its description says.

use anyhow::Result;

use crate::Tally;
use crate::data::Data;

/// File, triangles, vertices (if known), frames.
const COUNTS: [(&str, usize, Option<usize>, usize); 23] = [
    ("deforming/cloth_ball92.ply", 92_230, Some(46_598), 1),
    ("deforming/cloth_ball93.ply", 92_230, Some(46_598), 1),
    ("deforming/tshirt.ply@deforming/tshirt.pc2", 2_745, Some(1_426), 251),
    ("deforming/cesium_man.ply@deforming/cesium_man.pc2", 4_672, Some(2_338), 61),
    ("deforming/fox_run.ply@deforming/fox_run.pc2", 576, Some(290), 70),
    ("deforming/cheburashka_poses.ply@deforming/cheburashka_poses.pc2", 13_334, Some(6_669), 11),
    ("deforming/cow_poses.ply@deforming/cow_poses.pc2", 23_328, Some(11_666), 7),
    ("static/knot_12k.ply", 11_520, Some(5_760), 1),
    ("static/bunny_60k.ply", 59_664, Some(29_834), 1),
    ("static/armadillo_100k.ply", 99_994, Some(49_999), 1),
    ("static/koala_100k.ply", 99_994, Some(49_999), 1),
    ("static/skull_100k.ply", 100_002, Some(49_999), 1),
    ("static/scorpion_100k_selfx.ply", 99_990, Some(49_997), 1),
    ("static/spot_23k.ply", 23_062, Some(11_533), 1),
    ("static/hand_16k.ply", 15_982, Some(7_993), 1),
    ("static/dragon_150k.ply", 150_000, Some(74_892), 1),
    ("static/dragon_520k.ply", 520_000, Some(259_892), 1),
    ("static/self_intersect_17k_selfx.ply", 17_160, Some(8_582), 1),
    ("scenes/spheres_a.ply@scenes/spheres_a.pc2", 20_480, None, 6),
    ("scenes/spheres_b.ply@scenes/spheres_b.pc2", 20_480, None, 6),
    ("scenes/cloth.ply@scenes/cloth.pc2", 80_000, None, 4),
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
