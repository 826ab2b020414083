//! What carries the triangles of a body, so that a place on it has a name: the bones that pull at its vertices, with their
//! weights, or its materials.

use std::sync::Arc;

use crate::labels::Labels;
use crate::read::{GltfMotion, Skeleton};

/// What carries the triangles of a body.
#[derive(Clone, Debug)]
pub struct Carriers(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Bones(Bones),
    Materials(Arc<Labels>),
}

/// The bones that pull at each vertex, as nodes of the file.
#[derive(Clone, Debug)]
struct Bones {
    skeleton: Arc<Skeleton>,
    /// Where the pulls of each vertex start, and where those of the last one end.
    starts: Arc<[u32]>,
    pulls: Arc<[(u32, f32)]>,
}

impl Carriers {
    /// The bones of a body of a glTF file whose vertices are these of what moves; `None` if it has no skin.
    pub(crate) fn bones(motion: &GltfMotion, vertices: impl Iterator<Item = usize>) -> Option<Self> {
        let skeleton = Arc::clone(motion.skeleton()?);
        let (mut starts, mut pulls) = (vec![0], Vec::new());
        for vertex in vertices {
            pulls.extend(motion.pulls(vertex));
            starts.push(pulls.len() as u32);
        }
        Some(Self(Kind::Bones(Bones { skeleton, starts: starts.into(), pulls: pulls.into() })))
    }

    /// The materials of a body; `None` if it has only one.
    pub(crate) fn materials(labels: &Arc<Labels>) -> Option<Self> {
        let several = labels.materials.as_ref().is_some_and(|materials| materials.names.len() > 1);
        several.then(|| Self(Kind::Materials(Arc::clone(labels))))
    }

    /// Calls `each` with everything that carries a triangle, given its vertices, and with how much.
    pub fn of_triangle(&self, triangle: u32, vertices: [u32; 3], mut each: impl FnMut(u32, f64)) {
        match &self.0 {
            Kind::Bones(Bones { starts, pulls, .. }) => {
                for vertex in vertices {
                    let Some(&[start, end]) = starts.get(vertex as usize..vertex as usize + 2) else { continue };
                    pulls[start as usize..end as usize]
                        .iter()
                        .for_each(|&(bone, weight)| each(bone, f64::from(weight)));
                }
            }
            Kind::Materials(labels) => {
                let materials = labels.materials.as_ref();
                if let Some(&material) = materials.and_then(|materials| materials.of_triangle.get(triangle as usize)) {
                    each(material, 1.0);
                }
            }
        }
    }

    /// What a carrier is called.
    pub fn name(&self, carrier: u32) -> &str {
        match &self.0 {
            Kind::Bones(bones) => bones.skeleton.name(carrier),
            Kind::Materials(labels) => {
                let materials = labels.materials.as_ref();
                materials.and_then(|materials| materials.names.get(carrier as usize)).map_or("?", String::as_str)
            }
        }
    }

    /// The names of all carriers, some of them more than once.
    pub fn names(&self) -> Vec<&str> {
        match &self.0 {
            Kind::Bones(bones) => {
                let mut nodes: Vec<u32> = bones.pulls.iter().map(|(bone, _)| *bone).collect();
                nodes.sort_unstable();
                nodes.dedup();
                nodes.into_iter().map(|node| bones.skeleton.name(node)).collect()
            }
            Kind::Materials(labels) => {
                labels.materials.iter().flat_map(|materials| materials.names.iter().map(String::as_str)).collect()
            }
        }
    }

    /// How many bones are above a bone in its skeleton; 0 for a material.
    pub fn depth(&self, carrier: u32) -> u32 {
        match &self.0 {
            Kind::Bones(bones) => bones.skeleton.depth(carrier),
            Kind::Materials(_) => 0,
        }
    }

    /// How many bones a carrier of this body and one of another are apart: 0 for the same, 1 for a bone and its parent. `None` unless
    /// both are bones of one skeleton.
    pub fn distance(&self, carrier: u32, other: &Self, of_other: u32) -> Option<u32> {
        match (&self.0, &other.0) {
            (Kind::Bones(one), Kind::Bones(two)) if Arc::ptr_eq(&one.skeleton, &two.skeleton) => {
                one.skeleton.distance(carrier, of_other)
            }
            _ => None,
        }
    }
}
