//! What files say about single triangles: their material, and whether they belong to a vertex group.
//!
//! Read only where bodies are split by material or masked. OBJ and PLY are then read a second time, so that reading without labels
//! costs nothing; glTF hands its labels over with its meshes.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use crate::body::{AnimatedBody, ReadOptions};
use crate::error::ReadError;
use crate::read::{self, MeshFormat};
use crate::split::Split;

/// What faces without a material are called beside others that have one.
const NO_MATERIAL: &str = "no material";

/// A vertex belongs to a group if its weight is at least this.
pub(crate) const LEAST_WEIGHT: f32 = 0.5;

/// What is known about the triangles of a body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Labels {
    /// `None` if the file has no materials.
    pub(crate) materials: Option<Materials>,
    /// For each mask asked for, which triangles it means; `None` if the body has no such group.
    pub(crate) masks: Vec<Option<Vec<bool>>>,
}

/// The materials of a body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Materials {
    /// In the order of their first triangles.
    pub(crate) names: Vec<String>,
    /// The material of each triangle.
    pub(crate) of_triangle: Vec<u32>,
}

impl Materials {
    /// Of a name for each triangle; an empty name is none. `None` if there are only such.
    pub(crate) fn of<'a>(names: impl Iterator<Item = &'a str>) -> Option<Self> {
        let mut found = Self::default();
        let mut number_of: HashMap<&str, u32> = HashMap::new();
        let mut is_any_named = false;
        for name in names {
            is_any_named |= !name.is_empty();
            let number = *number_of.entry(name).or_insert_with(|| {
                found.names.push(if name.is_empty() { NO_MATERIAL } else { name }.to_owned());
                found.names.len() as u32 - 1
            });
            found.of_triangle.push(number);
        }
        is_any_named.then_some(found)
    }
}

/// Whether a body has to have labels.
pub(crate) fn are_wanted(options: &ReadOptions) -> bool {
    options.split == Split::Materials || !options.masks.is_empty()
}

/// Reads the labels of bodies of one source, other than glTF.
pub(crate) fn read(bodies: &mut [AnimatedBody], options: &ReadOptions) -> Result<(), ReadError> {
    let Some(file) = bodies.first().map(|body| body.file().to_owned()) else { return Ok(()) };
    match MeshFormat::of(&file) {
        Some(MeshFormat::Obj) => of_obj(bodies, &file, options),
        Some(MeshFormat::Ply) => of_ply(bodies, &file, options),
        Some(MeshFormat::Stl | MeshFormat::Off) => {
            let masks = vec![None; options.masks.len()];
            bodies
                .iter_mut()
                .for_each(|body| body.labels = Some(Arc::new(Labels { materials: None, masks: masks.clone() })));
            Ok(())
        }
        None => Ok(()),
    }
}

fn of_obj(bodies: &mut [AnimatedBody], file: &Path, options: &ReadOptions) -> Result<(), ReadError> {
    let bytes = read::bytes_of(file)?;
    let materials = match options.split {
        Split::Materials => read::obj_materials(&bytes, file)?,
        _ => Vec::new(),
    };
    let groups = if options.masks.is_empty() { Vec::new() } else { read::obj_groups(&bytes, file)? };
    for body in bodies {
        // Runs and triangles both come in the file's order.
        let run_of = |runs: &[(u32, String)]| -> Vec<usize> {
            body.faces().map(|face| runs.partition_point(|(first, _)| *first <= face)).collect()
        };
        let name = |&run: &usize| run.checked_sub(1).map_or("", |run| &*materials[run].1);
        let of_triangle = run_of(&materials);
        let in_group = run_of(&groups);
        let masks = options.masks.iter().map(|mask| {
            let means = |names: &str| names == mask.name || names.split_whitespace().any(|name| name == mask.name);
            let is_meant: Vec<bool> = groups.iter().map(|(_, names)| means(names)).collect();
            let triangles: Vec<bool> =
                in_group.iter().map(|&run| run.checked_sub(1).is_some_and(|run| is_meant[run])).collect();
            triangles.contains(&true).then_some(triangles)
        });
        body.labels =
            Some(Arc::new(Labels { masks: masks.collect(), materials: Materials::of(of_triangle.iter().map(name)) }));
    }
    Ok(())
}

fn of_ply(bodies: &mut [AnimatedBody], file: &Path, options: &ReadOptions) -> Result<(), ReadError> {
    let bytes = if options.masks.is_empty() { Vec::new() } else { read::bytes_of(file)? };
    for body in bodies {
        let mut masks = Vec::new();
        for mask in &options.masks {
            let weights = read::ply_weights(&bytes, file, &mask.name)?;
            masks.push(weights.map(|weights| {
                let is_inside =
                    |&vertex: &u32| weights.get(vertex as usize).is_some_and(|&weight| weight >= LEAST_WEIGHT);
                body.triangles().iter().map(|corners| corners.iter().any(is_inside)).collect()
            }));
        }
        body.labels = Some(Arc::new(Labels { materials: None, masks }));
    }
    Ok(())
}
