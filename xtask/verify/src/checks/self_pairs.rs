//! Meshes and sequences against themselves: how many pairs, which triangles, and what the surface is like.

use anyhow::{Context, Result};

use crate::data::{Data, LISTED, MESHES, Sequence, involved, sequence_files};
use crate::{Tally, methods};

/// Pairs, triangles involved, triangles without area.
type Counts = (usize, usize, u64);

fn counts(method: crumple_methods::Method, sequence: &Sequence) -> Result<Vec<Counts>> {
    let count = |(pairs, degenerate): &(Vec<[u32; 2]>, u64)| {
        (pairs.len(), involved(pairs.iter().flatten().copied()), *degenerate)
    };
    Ok(sequence.self_pairs(method)?.iter().map(count).collect())
}

pub(crate) fn meshes(data: &Data) -> Result<Tally> {
    let table = data.table("ground_truth/static_meshes.csv")?;
    let mut tally = Tally::default();
    for name in MESHES {
        let row = table.rows.iter().find(|row| row[0] == name);
        let row = row.with_context(|| format!("static_meshes.csv says nothing about {name}"))?;
        let sequence = data.mesh(name)?;
        let topology = sequence.mesh.topology();
        let flag = |column: &str| Ok::<_, anyhow::Error>(table.number::<u8>(row, column)? == 1);
        let edges = |fault: Option<crumple::mesh::EdgeFault>| fault.map_or(0, |fault| fault.count);
        let what = |part: &str| format!("{name}: {part}");
        tally.compare(sequence.mesh.vertex_count(), table.number(row, "verts")?, || what("vertices"));
        tally.compare(sequence.mesh.triangles().len(), table.number(row, "tris")?, || what("triangles"));
        tally.compare(topology.is_closed(), flag("closed")?, || what("closed"));
        tally.compare(topology.misoriented.is_none(), flag("oriented")?, || what("oriented"));
        tally.compare(edges(topology.open), table.number(row, "boundary_edges")?, || what("open edges"));
        tally.compare(edges(topology.non_manifold), table.number(row, "nm_edges")?, || what("edges of many triangles"));
        let truth = (table.number(row, "si_pairs")?, table.number(row, "si_faces")?, table.number(row, "degenerate")?);
        for (method_name, method) in methods::for_self_pairs() {
            let found = counts(method, &sequence)?;
            tally.compare(found, vec![truth], || format!("{name}: self pairs by {method_name}"));
        }
    }
    Ok(tally)
}

pub(crate) fn lists(data: &Data) -> Result<Tally> {
    let mut tally = Tally::default();
    for name in LISTED {
        let mut truth = data.numbers::<2>(&format!("ground_truth/self_pairs_{name}.txt"))?;
        truth.sort_unstable();
        let sequence = data.mesh(name)?;
        for (method_name, method) in methods::for_self_pairs() {
            let found = &sequence.self_pairs(method)?[0].0;
            tally.compare_lists(found, &truth, || format!("{name} by {method_name}"));
        }
    }
    Ok(tally)
}

pub(crate) fn sequences(data: &Data) -> Result<Tally> {
    let table = data.table("ground_truth/sequences.csv")?;
    let mut tally = Tally::default();
    for (name, files) in sequence_files() {
        let mut truth: Vec<Counts> = Vec::new();
        for row in table.rows.iter().filter(|row| row[0] == name) {
            let frame: usize = table.number(row, "frame")?;
            anyhow::ensure!(frame == truth.len(), "sequences.csv: the frames of {name} are out of order");
            truth.push((
                table.number(row, "si_pairs")?,
                table.number(row, "si_faces")?,
                table.number(row, "degenerate")?,
            ));
        }
        let sequence = data.sequence(&files)?;
        for (method_name, method) in methods::for_self_pairs() {
            let found = counts(method, &sequence)?;
            tally.compare(found.len(), truth.len(), || format!("{name}: frames"));
            for (frame, (found, truth)) in found.into_iter().zip(&truth).enumerate() {
                tally.compare(found, *truth, || format!("{name}: frame {frame} by {method_name}"));
            }
        }
    }
    Ok(tally)
}
