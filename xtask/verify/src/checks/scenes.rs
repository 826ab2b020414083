//! Scenes whose pairs are listed one by one.

use std::sync::Arc;

use anyhow::Result;
use crumple::Body;

use crate::data::Data;
use crate::{Tally, methods};

/// The pairs of each of `frames` frames, sorted.
fn listed(data: &Data, file: &str, frames: usize) -> Result<Vec<Vec<[u32; 2]>>> {
    let mut lists = vec![Vec::new(); frames];
    for [frame, i, j] in data.numbers::<3>(file)? {
        anyhow::ensure!((frame as usize) < frames, "{file} speaks of frame {frame}, but there are {frames}");
        lists[frame as usize].push([i, j]);
    }
    lists.iter_mut().for_each(|list| list.sort_unstable());
    Ok(lists)
}

pub(crate) fn pairs(data: &Data) -> Result<Tally> {
    let a = data.sequence("scenes/spheres_a.ply@scenes/spheres_a.pc2")?;
    let b = data.sequence("scenes/spheres_b.ply@scenes/spheres_b.pc2")?;
    let truth = listed(data, "scenes/spheres_pairs.txt", a.frames.len())?;
    let mut tally = Tally::default();
    tally.compare(truth.iter().map(Vec::len).collect::<Vec<_>>(), vec![0, 24, 50, 592, 1_075, 3_761], || {
        "spheres: pairs in the list".to_owned()
    });
    for (method_name, method) in methods::for_pairs() {
        let mut scene = method.scene();
        let mut ids = Vec::new();
        for side in [&a, &b] {
            ids.push(scene.add(Body::new(Arc::clone(&side.mesh), &side.frames[0])?));
        }
        for (frame, truth) in truth.iter().enumerate() {
            scene.set_positions(ids[0], &a.frames[frame])?;
            scene.set_positions(ids[1], &b.frames[frame])?;
            let contacts = scene.update()?.contacts();
            let found: Vec<[u32; 2]> =
                contacts.iter().flat_map(|contact| contact.pairs).map(|pair| [pair.a.0, pair.b.0]).collect();
            tally.compare_lists(&found, truth, || format!("spheres: frame {frame} by {method_name}"));
        }
    }
    Ok(tally)
}

pub(crate) fn self_pairs(data: &Data) -> Result<Tally> {
    let cloth = data.sequence("scenes/cloth.ply@scenes/cloth.pc2")?;
    let truth = listed(data, "scenes/cloth_self_pairs.txt", cloth.frames.len())?;
    let mut tally = Tally::default();
    tally.compare(truth.iter().map(Vec::len).collect::<Vec<_>>(), vec![0, 221, 3_716, 13_159], || {
        "cloth: pairs in the list".to_owned()
    });
    for (method_name, method) in methods::for_self_pairs() {
        for (frame, ((found, _), truth)) in cloth.self_pairs(method)?.iter().zip(&truth).enumerate() {
            tally.compare_lists(found, truth, || format!("cloth: frame {frame} by {method_name}"));
        }
    }
    Ok(tally)
}
