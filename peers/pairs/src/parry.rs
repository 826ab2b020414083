//! parry3d: meshes refitted by `set_vertices`, candidates from its tree walks, decided by crumple's triangle test. Its own
//! test measures a distance and reports near misses.

use anyhow::Result;
use crumple::Triangle;
use crumple::exact::triangles_meet;
use parry3d::math::Vector;
use parry3d::partitioning::BvhWorkspace;
use parry3d::shape::{TriMesh, TriMeshFlags};

use crate::contestant::{Contestant, Pair, Pass, Positions, Question, jobs};

pub(crate) struct Parry {
    meshes: Vec<TriMesh>,
    workspace: BvhWorkspace,
    question: Question,
    found: Vec<Pair>,
}

impl Parry {
    pub(crate) fn new(scene: &crumple_scenes::Scene, question: Question, start: usize) -> Result<Self> {
        let mut meshes = Vec::new();
        for body in scene.bodies() {
            let vertices = body.positions_at(start).into_iter().map(Vector::from).collect();
            meshes.push(TriMesh::with_flags(vertices, body.triangles().to_vec(), TriMeshFlags::DEFORMABLE)?);
        }
        Ok(Self { meshes, workspace: BvhWorkspace::default(), question, found: Vec::new() })
    }
}

fn corners(mesh: &TriMesh, triangle: u32) -> Triangle {
    Triangle(mesh.indices()[triangle as usize].map(|vertex| mesh.vertices()[vertex as usize].into()))
}

impl Contestant for Parry {
    fn label(&self) -> &str {
        "parry3d 0.31"
    }

    fn update(&mut self, positions: &Positions) -> Result<()> {
        for (mesh, positions) in self.meshes.iter_mut().zip(positions) {
            mesh.update_vertices(|vertices| {
                for (vertex, &position) in vertices.iter_mut().zip(positions) {
                    *vertex = Vector::from(position);
                }
            });
        }
        Ok(())
    }

    fn query(&mut self) -> Result<()> {
        let Self { meshes, workspace, question, found } = self;
        found.clear();
        let bounds = |mesh: &TriMesh| {
            let bounds = mesh.bvh().root_aabb();
            (bounds.mins.into(), bounds.maxs.into())
        };
        let boxes: Vec<_> = meshes.iter().map(bounds).collect();
        for (a, b) in jobs(&boxes, *question) {
            let (first, second) = (&meshes[a], &meshes[b]);
            if a == b {
                first.bvh().traverse_bvtt_single_tree::<false>(workspace, &mut |s, t| {
                    let (i, j) = (first.indices()[s as usize], first.indices()[t as usize]);
                    let share_no_vertex = i.iter().all(|vertex| !j.contains(vertex));
                    if share_no_vertex && triangles_meet(&corners(first, s), &corners(first, t)) {
                        found.push([a as u32, b as u32, s.min(t), s.max(t)]);
                    }
                });
            } else {
                for (s, t) in first.bvh().leaf_pairs(second.bvh(), |s, t| s.intersects(t)) {
                    if triangles_meet(&corners(first, s), &corners(second, t)) {
                        found.push([a as u32, b as u32, s, t]);
                    }
                }
            }
        }
        Ok(())
    }

    fn within(&mut self, pass: Pass<'_>) -> Result<()> {
        pass(self)
    }

    fn found(&mut self) -> Result<Vec<Pair>> {
        Ok(self.found.clone())
    }
}
