//! Depth images of every closed mesh and frame, at three resolutions, from all six directions: no column is odd, ever;
//! all alternate where the mesh does not intersect itself. If it does, the number of those that do not is reported.

use anyhow::{Context, Result};
use crumple::Body;
use crumple_ldi::{Direction, ImageOptions, LayeredDepthImage};

use crate::Tally;
use crate::data::{Data, MESHES, Sequence};

const RESOLUTIONS: [u32; 3] = [16, 128, 1024];
/// The sequences that are closed.
pub(crate) const CLOSED: [&str; 4] = ["cesium_man", "cheburashka_poses", "cow_poses", "fox_run"];

/// Columns that do not alternate, a resolution, over all directions.
type Counts = [usize; 3];

pub(crate) fn check(data: &Data) -> Result<Tally> {
    println!("  columns that do not alternate, over six directions and all frames, at {RESOLUTIONS:?} samples a side");
    let mut tally = Tally::default();
    let table = data.table("ground_truth/static_meshes.csv")?;
    for name in MESHES {
        let row = table.rows.iter().find(|row| row[0] == name);
        let row = row.with_context(|| format!("static_meshes.csv says nothing about {name}"))?;
        one(&mut tally, name, &data.mesh(name)?, &[table.number(row, "si_pairs")?])?;
    }
    let table = data.table("ground_truth/sequences.csv")?;
    for name in CLOSED {
        let rows = table.rows.iter().filter(|row| row[0] == name);
        let pairs: Result<Vec<usize>> = rows.map(|row| table.number(row, "si_pairs")).collect();
        let sequence = data.sequence(&format!("deforming/{name}.ply@deforming/{name}.pc2"))?;
        one(&mut tally, name, &sequence, &pairs?)?;
    }
    for name in ["spheres_a", "spheres_b"] {
        let sequence = data.sequence(&format!("scenes/{name}.ply@scenes/{name}.pc2"))?;
        one(&mut tally, name, &sequence, &vec![0; sequence.frames.len()])?;
    }
    Ok(tally)
}

/// All frames of one mesh, each with the number of its self-intersecting pairs.
fn one(tally: &mut Tally, name: &str, sequence: &Sequence, pairs: &[usize]) -> Result<()> {
    tally.compare(pairs.len(), sequence.frames.len(), || format!("{name}: frames"));
    let mut body = Body::new(sequence.mesh.clone(), &sequence.frames[0])?;
    let mut image = LayeredDepthImage::new();
    let mut total = Counts::default();
    for (frame, (positions, &pairs)) in sequence.frames.iter().zip(pairs).enumerate() {
        body.set_positions(positions)?;
        for (resolution, total) in RESOLUTIONS.into_iter().zip(&mut total) {
            for direction in Direction::ALL {
                let options = ImageOptions::default().with_direction(direction).with_resolution(resolution);
                image.render(&body, &options)?;
                let what = |which: &str| format!("{name}, frame {frame}, {direction:?}, {resolution}: {which} columns");
                tally.compare(image.odd_columns(), 0, || what("odd"));
                if pairs == 0 {
                    tally.compare(image.unordered_columns(), 0, || what("not alternating"));
                }
                *total += image.unordered_columns();
            }
        }
    }
    let clean = pairs.iter().filter(|&&pairs| pairs == 0).count();
    let [low, middle, high] = total;
    println!("  {name:26} {:3} frames, {clean:3} clean {low:8} {middle:8} {high:8}", pairs.len());
    Ok(())
}
