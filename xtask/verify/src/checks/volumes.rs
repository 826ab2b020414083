//! Volumes of overlaps of real meshes, at several resolutions, against those an exact boolean found.

use std::collections::HashMap;

use anyhow::Result;
use crumple::Body;
use crumple_ldi::{OverlapOptions, OverlapSampler};

use super::mesh_pairs::{placed, rows};
use crate::Tally;
use crate::data::{Data, Sequence};

/// Samples a side, and where it is promised the most the error may be: its median and its worst, of the overlap.
const RESOLUTIONS: [(u32, Option<[f64; 2]>); 6] =
    [(32, None), (64, None), (128, Some([5e-4, 1e-2])), (256, None), (512, None), (1024, Some([1e-5, 1e-4]))];
/// At N samples a side the error is at most this over N² of the volume of interest: a law that was observed.
const OF_VOLUME_OF_INTEREST: f64 = 4.0;

/// The errors of all poses at one resolution.
#[derive(Clone, Debug, Default)]
struct Errors {
    /// Of the overlap's own volume.
    relative: Vec<f64>,
    /// Of the estimate that comes with the volume.
    of_estimate: Vec<f64>,
    /// Of the volume of interest over N².
    of_voi: Vec<f64>,
}

fn median_and_worst(values: &[f64]) -> [f64; 2] {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    [sorted.get(sorted.len() / 2), sorted.last()].map(|value| value.copied().unwrap_or_default())
}

pub(crate) fn check(data: &Data) -> Result<Tally> {
    let table = data.table("ground_truth/static_meshes.csv")?;
    let mut meshes: HashMap<String, (Sequence, bool)> = HashMap::new();
    for row in &table.rows {
        let intersects_itself = table.number::<usize>(row, "si_pairs")? > 0;
        meshes.insert(row[0].clone(), (data.mesh(&row[0])?, intersects_itself));
    }
    let mut tally = Tally::default();
    // Meshes that intersect themselves apart: the exact boolean is not exact there.
    let mut errors = [vec![Errors::default(); RESOLUTIONS.len()], vec![Errors::default(); RESOLUTIONS.len()]];
    for row in rows(data)? {
        let [(a, a_twice), (b, b_twice)] = row.names.each_ref().map(|name| &meshes[name]);
        let errors = &mut errors[usize::from(*a_twice || *b_twice)];
        let body_a = Body::new(a.mesh.clone(), &a.frames[0])?;
        let body_b = Body::new(b.mesh.clone(), &placed(&b.frames[0], &row))?;
        for ((resolution, _), errors) in RESOLUTIONS.into_iter().zip(errors) {
            let mut overlap = OverlapSampler::new(OverlapOptions::default().with_resolution(resolution));
            let answer = overlap.compute(&body_a, &body_b)?;
            if row.volume == 0.0 {
                tally.compare(answer.volume(), 0.0, || format!("{:?} at {:?}, {resolution}", row.names, row.offset));
                continue;
            }
            let error = (answer.volume() - row.volume).abs();
            let voi = answer.volume_of_interest().map_or(0.0, |voi| voi.volume());
            errors.relative.push(error / row.volume);
            errors.of_estimate.push(error / answer.error_estimate());
            errors.of_voi.push(error / voi * f64::from(resolution).powi(2));
        }
    }
    for (errors, kind) in errors.iter().zip(["clean meshes", "meshes that intersect themselves"]) {
        println!("  {} overlaps of {kind}: error, median and worst", errors[0].relative.len());
        println!("  {:>6} {:>22} {:>18} {:>14}", "N", "of the overlap", "of VoI / N²", "of estimate");
        for ((resolution, allowed), errors) in RESOLUTIONS.into_iter().zip(errors) {
            let [median, worst] = median_and_worst(&errors.relative);
            let [voi_median, voi_worst] = median_and_worst(&errors.of_voi);
            let [estimate_median, estimate_worst] = median_and_worst(&errors.of_estimate);
            println!(
                "  {resolution:6} {:10.5}% {:9.5}% {voi_median:9.3} {voi_worst:8.3} {estimate_median:7.2} {estimate_worst:6.2}",
                100.0 * median,
                100.0 * worst
            );
            tally.expect(voi_worst <= OF_VOLUME_OF_INTEREST, || {
                format!("{kind} at {resolution}: an error of {voi_worst}/N² of the volume of interest")
            });
            if let (Some([most_median, most_worst]), "clean meshes") = (allowed, kind) {
                tally.expect(median <= most_median, || format!("{resolution}: a median error of {median:e}"));
                tally.expect(worst <= most_worst, || format!("{resolution}: an error of {worst:e}"));
            }
        }
    }
    Ok(tally)
}
