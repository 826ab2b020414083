//! Real meshes against each other: how many pairs of triangles, and how many triangles on each side.

use std::collections::HashMap;
use std::sync::Arc;

use anyhow::{Context, Result};
use crumple::Body;

use crate::data::{Data, Sequence, involved};
use crate::{Tally, methods};

/// The truth about two meshes: pairs, triangles of the first, triangles of the second.
type Counts = [usize; 3];

/// How the second mesh is placed, and what is true then.
pub(crate) struct Row {
    pub(crate) names: [String; 2],
    axis_order: [usize; 3],
    pub(crate) offset: [f32; 3],
    truth: Counts,
    /// The volume of what the two solids share.
    pub(crate) volume: f64,
}

pub(crate) fn check(data: &Data) -> Result<Tally> {
    let rows = rows(data)?;
    let mut meshes: HashMap<&str, Sequence> = HashMap::new();
    for name in rows.iter().flat_map(|row| &row.names) {
        if !meshes.contains_key(name.as_str()) {
            meshes.insert(name, data.mesh(name)?);
        }
    }
    let mut tally = Tally::default();
    for (method_name, method) in methods::for_pairs() {
        for group in rows.chunk_by(|row, next| row.names == next.names) {
            // One scene for the rows of two meshes: the second one moves, as it would in a simulation.
            let [a, b] = [0, 1].map(|side| &meshes[group[0].names[side].as_str()]);
            let mut scene = method.scene();
            scene.add(Body::new(Arc::clone(&a.mesh), &a.frames[0])?);
            let moved = scene.add(Body::new(Arc::clone(&b.mesh), &b.frames[0])?);
            for row in group {
                scene.set_positions(moved, &placed(&b.frames[0], row))?;
                let contacts = scene.update()?.contacts();
                let pairs = || contacts.iter().flat_map(|contact| contact.pairs);
                let found =
                    [pairs().count(), involved(pairs().map(|pair| pair.a.0)), involved(pairs().map(|pair| pair.b.0))];
                let what = || format!("{method_name}: {} and {} at {:?}", row.names[0], row.names[1], row.offset);
                tally.compare(found, row.truth, what);
            }
        }
    }
    Ok(tally)
}

pub(crate) fn rows(data: &Data) -> Result<Vec<Row>> {
    let table = data.table("ground_truth/mesh_pairs.csv")?;
    let row = |row: &Vec<String>| -> Result<Row> {
        let name = |column: &str| Ok::<_, anyhow::Error>(table.cell(row, column)?.to_owned());
        let offset = [table.number(row, "tx")?, table.number(row, "ty")?, table.number(row, "tz")?];
        Ok(Row {
            names: [name("mesh_a")?, name("mesh_b")?],
            axis_order: axis_order(table.cell(row, "b_axis_order")?)?,
            offset,
            truth: [
                table.number(row, "intersecting_triangle_pairs")?,
                table.number(row, "triangles_of_a")?,
                table.number(row, "triangles_of_b")?,
            ],
            volume: table.number(row, "intersection_volume")?,
        })
    };
    table.rows.iter().map(row).collect()
}

/// `zxy` takes its first coordinate from z.
fn axis_order(word: &str) -> Result<[usize; 3]> {
    let axes: Option<Vec<usize>> = word.chars().map(|axis| "xyz".find(axis)).collect();
    let axes: Option<[usize; 3]> = axes.and_then(|axes| axes.try_into().ok());
    axes.with_context(|| format!("{word:?} is no order of axes"))
}

/// The vertices permuted, then moved by one addition a coordinate, as the truth was computed.
pub(crate) fn placed(positions: &[[f32; 3]], row: &Row) -> Vec<[f32; 3]> {
    let place = |position: &[f32; 3]| std::array::from_fn(|axis| position[row.axis_order[axis]] + row.offset[axis]);
    positions.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::axis_order;

    #[test]
    fn an_order_of_axes_names_each_once() {
        assert_eq!(axis_order("xyz").unwrap(), [0, 1, 2]);
        assert_eq!(axis_order("zxy").unwrap(), [2, 0, 1]);
        assert!(axis_order("xy").is_err() && axis_order("xyw").is_err());
    }
}
