//! Every closed mesh and frame, at three resolutions, from all six directions: no column is odd, ever; none fails to
//! alternate where the mesh does not intersect itself.

use std::path::Path;

use crumple::Body;
use crumple::volume::{Direction, ImageOptions, LayeredDepthImage};

use crate::data::{Error, Sequence, Table, body, mesh};
use crate::{Outcome, Report};

const RESOLUTIONS: [u32; 3] = [16, 128, 1024];
const SEQUENCES: [&str; 4] = ["cesium_man", "fox_run", "cheburashka_poses", "cow_poses"];

/// Columns that were odd and columns that did not alternate, a resolution.
type Counts = [[usize; 2]; 3];

fn count(image: &mut LayeredDepthImage, body: &Body) -> Result<Counts, Error> {
    let mut counts = Counts::default();
    for (resolution, [odd, unordered]) in RESOLUTIONS.into_iter().zip(&mut counts) {
        for direction in Direction::ALL {
            let options = ImageOptions::default().with_direction(direction).with_resolution(resolution);
            image.render(body, &options)?;
            *odd += image.odd_columns();
            *unordered += image.unordered_columns();
        }
    }
    Ok(counts)
}

fn check(report: &mut Report, name: &str, frame: usize, pairs: f64, counts: Counts) {
    let odd: usize = counts.iter().map(|count| count[0]).sum();
    report.expect(odd == 0, || format!("{name}, frame {frame}: {odd} odd columns"));
    let unordered: usize = counts.iter().map(|count| count[1]).sum();
    report.expect(pairs > 0.0 || unordered == 0, || {
        format!("{name}, frame {frame}: {unordered} columns do not alternate, but it does not intersect itself")
    });
}

fn print_row(name: &str, frames: usize, pairs: &str, counts: Counts) {
    let [a, b, c] = counts;
    println!("{name:28} {frames:6} {pairs:>12}   {:6} {:6} {:6}   {:6} {:6} {:6}", a[0], b[0], c[0], a[1], b[1], c[1]);
}

pub(crate) fn verify(folder: &Path, report: &mut Report) -> Outcome {
    println!("\nColumns over all six directions: odd, and not alternating, at {RESOLUTIONS:?} samples a side");
    println!("{:28} {:>6} {:>12}   {:>20}   {:>20}", "mesh", "frames", "self pairs", "odd", "not alternating");
    let mut image = LayeredDepthImage::new();
    let truth = Table::read(&folder.join("ground_truth/static_meshes.csv"))?;
    for row in truth.rows_with("closed", "1") {
        let (name, pairs) = (truth.get(row, "mesh")?, truth.number(row, "si_pairs")?);
        let counts = count(&mut image, &body(&mesh(folder, name)?)?)?;
        check(report, name, 0, pairs, counts);
        print_row(name, 1, &pairs.to_string(), counts);
    }
    let truth = Table::read(&folder.join("ground_truth/sequences.csv"))?;
    for name in SEQUENCES {
        let mut sequence = Sequence::open(&folder.join("deforming"), name)?;
        let mut pairs = truth.rows_with("sequence", name).map(|row| truth.number(row, "si_pairs"));
        let mut total = Counts::default();
        let (mut least, mut most) = (f64::INFINITY, 0.0f64);
        for frame in 0..sequence.frames {
            sequence.go_to(frame)?;
            let pairs = pairs.next().ok_or("a frame without truth")??;
            (least, most) = (least.min(pairs), most.max(pairs));
            let counts = count(&mut image, &sequence.body)?;
            check(report, name, frame, pairs, counts);
            for (total, counts) in total.iter_mut().flatten().zip(counts.iter().flatten()) {
                *total += counts;
            }
        }
        print_row(name, sequence.frames, &format!("{least} to {most}"), total);
    }
    Ok(())
}
