//! Overlap volumes of real meshes against the exact ones of `mesh_pairs.csv`.

use std::path::Path;

use crumple::volume::{Overlap, OverlapOptions};
use crumple_io::MeshFile;

use crate::data::{Error, Table, body, mesh};
use crate::{Outcome, Report};

/// Samples a side; allowed error of the median and of the worst pose, relative to the overlap, where it is promised.
const RESOLUTIONS: [(u32, Option<[f64; 2]>); 6] =
    [(32, None), (64, None), (128, Some([5e-4, 1e-2])), (256, None), (512, None), (1024, Some([1e-5, 1e-4]))];
/// The error at N samples a side is at most this over N² of the volume of interest.
const OF_VOLUME_OF_INTEREST: f64 = 4.0;

/// Mesh B as the table wants it: coordinates in another order, then moved with one f32 addition each.
fn placed(file: &MeshFile, order: &str, by: [f32; 3]) -> Result<MeshFile, Error> {
    let mut axes = [0; 3];
    for (axis, letter) in axes.iter_mut().zip(order.chars()) {
        *axis = "xyz".find(letter).ok_or_else(|| format!("no axis {letter:?}"))?;
    }
    let place = |p: &[f32; 3]| std::array::from_fn(|k| p[axes[k]] + by[k]);
    Ok(MeshFile { positions: file.positions.iter().map(place).collect(), ..file.clone() })
}

#[derive(Clone, Default)]
struct Errors {
    /// Relative to the overlap.
    relative: Vec<f64>,
    /// Relative to the estimate that came with the volume.
    of_estimate: Vec<f64>,
    /// Times N², relative to the volume of interest: the worst.
    of_voi: f64,
}

impl Errors {
    fn median_and_worst(values: &[f64]) -> [f64; 2] {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        [sorted.get(sorted.len() / 2).copied().unwrap_or(0.0), sorted.last().copied().unwrap_or(0.0)]
    }
}

pub(crate) fn verify(folder: &Path, report: &mut Report) -> Outcome {
    let truth = Table::read(&folder.join("ground_truth/mesh_pairs.csv"))?;
    let meshes = Table::read(&folder.join("ground_truth/static_meshes.csv"))?;
    let intersects_itself = |name: &str| -> Result<bool, Error> {
        let row = meshes.rows_with("mesh", name).next().ok_or_else(|| format!("no mesh {name}"))?;
        Ok(meshes.number(row, "si_pairs")? > 0.0)
    };
    // First those without self-intersections, then the others, whose exact volume is itself approximate.
    let mut errors = vec![[Errors::default(), Errors::default()]; RESOLUTIONS.len()];
    let mut poses = [0, 0];
    for row in 0..truth.len() {
        let (name_a, name_b) = (truth.get(row, "mesh_a")?, truth.get(row, "mesh_b")?);
        let kind = usize::from(intersects_itself(name_a)? || intersects_itself(name_b)?);
        let mut by = [0.0; 3];
        for (by, column) in by.iter_mut().zip(["tx", "ty", "tz"]) {
            *by = truth.get(row, column)?.parse()?;
        }
        let a = body(&mesh(folder, name_a)?)?;
        let b = body(&placed(&mesh(folder, name_b)?, truth.get(row, "b_axis_order")?, by)?)?;
        let exact = truth.number(row, "intersection_volume")?;
        poses[kind] += usize::from(exact > 0.0);
        for ((resolution, _), errors) in RESOLUTIONS.into_iter().zip(&mut errors) {
            let mut overlap = Overlap::new(OverlapOptions::default().with_resolution(resolution));
            let answer = overlap.compute(&a, &b)?;
            let error = (answer.volume() - exact).abs();
            let voi = answer.volume_of_interest().map_or(0.0, |voi| voi.volume());
            if exact == 0.0 {
                report.expect(answer.volume() == 0.0, || format!("{name_a} and {name_b} at {by:?} do not overlap"));
                continue;
            }
            let errors = &mut errors[kind];
            errors.relative.push(error / exact);
            errors.of_estimate.push(error / answer.error_estimate());
            errors.of_voi = errors.of_voi.max(error * f64::from(resolution).powi(2) / voi);
        }
    }
    for (kind, title) in
        ["without self-intersections", "with self-intersections (exact volume approximate)"].iter().enumerate()
    {
        println!("\nOverlap of {} poses of meshes {title}: error", poses[kind]);
        println!(
            "{:>10} {:>12} {:>12} {:>16} {:>12} {:>12}",
            "resolution", "median", "worst", "worst N²/VoI", "/ estimate", "worst"
        );
        for ((resolution, allowed), errors) in RESOLUTIONS.into_iter().zip(&errors) {
            let Errors { relative, of_estimate, of_voi } = &errors[kind];
            let [median, worst] = Errors::median_and_worst(relative);
            let [estimate, worst_estimate] = Errors::median_and_worst(of_estimate);
            println!(
                "{resolution:10} {:11.5}% {:11.5}% {of_voi:16.3} {estimate:12.3} {worst_estimate:12.3}",
                100.0 * median,
                100.0 * worst
            );
            report.expect(*of_voi <= OF_VOLUME_OF_INTEREST, || {
                format!("{of_voi}/N² of the volume of interest at {resolution}")
            });
            if let (Some([most_median, most_worst]), 0) = (allowed, kind) {
                report.expect(median <= most_median && worst <= most_worst, || {
                    format!("relative error {median:e} and {worst:e} at {resolution}, allowed {most_median:e} and {most_worst:e}")
                });
            }
        }
    }
    Ok(())
}
