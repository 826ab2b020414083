//! Exact overlaps of real meshes against an exact boolean: volumes, and the parts with their volumes and centroids.
//!
//! The numbers in `overlaps.csv` are those of manifold3d on the same f32 positions, widened to f64; made by
//! `python3 peers/overlap.py DATA --numbers FILE`.

use std::collections::HashMap;

use anyhow::{Result, ensure};
use crumple::contact::regions;
use crumple::{Body, overlap};

use super::mesh_pairs::{placed, rows};
use crate::Tally;
use crate::data::{Data, Sequence};

const NUMBERS: &str = include_str!("overlaps.csv");

/// The most that numbers may differ, relative to the volume, or to the size of the meshes, which is 1.
const MOST: f64 = 1e-12;

/// A volume and its centroid.
type Part = (f64, [f64; 3]);

pub(crate) fn check(data: &Data) -> Result<Tally> {
    let mut tally = Tally::default();
    let mut meshes: HashMap<String, Sequence> = HashMap::new();
    let (mut worst_volume, mut worst_part, mut worst_centroid) = (0.0f64, 0.0f64, 0.0f64);
    let rows = rows(data)?;
    let lines: Vec<&str> = NUMBERS.lines().skip(1).collect();
    ensure!(lines.len() == rows.len(), "overlaps.csv has {} lines for {} poses", lines.len(), rows.len());
    for (row, line) in rows.iter().zip(lines) {
        let cells: Vec<&str> = line.split(',').collect();
        let [a, b, _, x, y, z, volume, parts] = cells[..] else { anyhow::bail!("eight cells expected: {line}") };
        let offset = [x, y, z].map(|x| x.parse::<f32>().unwrap_or(f32::NAN));
        ensure!(row.names == [a, b] && row.offset == offset, "{line} is not about {:?}", row.names);
        for name in &row.names {
            if !meshes.contains_key(name) {
                meshes.insert(name.clone(), data.mesh(name)?);
            }
        }
        let [a, b] = row.names.each_ref().map(|name| &meshes[name]);
        let body_a = Body::new(a.mesh.clone(), &a.frames[0])?;
        let body_b = Body::new(b.mesh.clone(), &placed(&b.frames[0], row))?;
        let volume: f64 = volume.parse()?;
        let expected: Vec<Part> = parts.split(';').filter(|part| !part.is_empty()).map(part).collect::<Result<_>>()?;
        let what = || format!("{:?} at {:?}", row.names, row.offset);

        let found = overlap(&body_a, &body_b)?;
        let off = (found.volume() - volume).abs() / volume.max(f64::MIN_POSITIVE);
        if volume > 0.0 {
            worst_volume = worst_volume.max(off);
        }
        tally.expect(off <= MOST, || format!("{}: a volume of {:e}, {volume:e} expected", what(), found.volume()));
        let found = regions(&body_a, &body_b)?;
        tally.compare(found.len(), expected.len(), || format!("{}: regions", what()));
        let mut found: Vec<Part> = found.iter().map(|region| (region.volume, region.centroid)).collect();
        found.sort_by(|p, q| q.0.total_cmp(&p.0));
        for (&(found, at), &(expected, there)) in found.iter().zip(&expected) {
            let (off, moved) = ((found - expected).abs() / volume, (0..3).map(|k| (at[k] - there[k]).abs()));
            // A centroid of a part is a quotient: a small part's is less certain.
            let moved = moved.fold(0.0, f64::max) * (expected / volume).min(1.0);
            (worst_part, worst_centroid) = (worst_part.max(off), worst_centroid.max(moved));
            tally.expect(off <= MOST && moved <= MOST, || {
                format!("{}: a region of {found:e} at {at:?}, {expected:e} at {there:?} expected", what())
            });
        }
    }
    println!(
        "  worst: volume {worst_volume:.1e} relative, regions {worst_part:.1e} of it, centroids {worst_centroid:.1e}"
    );
    Ok(tally)
}

fn part(words: &str) -> Result<Part> {
    let numbers: Vec<f64> = words.split(' ').map(str::parse).collect::<Result<_, _>>()?;
    let [volume, x, y, z] = numbers[..] else { anyhow::bail!("four numbers expected: {words}") };
    Ok((volume, [x, y, z]))
}
