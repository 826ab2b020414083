//! Bodies that lie inside others without meeting them: what no pair of triangles shows.
//!
//! Where two surfaces do not meet, a connected component of one is wholly inside or wholly outside the other, so that one of
//! its vertices decides for all; which side that vertex is on is decided by exact signs. A body of several components counts as
//! inside with the first one that is. Only closed surfaces have an inside; by winding number where they enclose a volume, else
//! by parity.
//!
//! Cost per frame: a comparison of boxes for each two bodies and, for those that pass, a pass over the outer body's
//! triangles.

use std::collections::BTreeSet;
use std::sync::Arc;

use anyhow::{Context, Result};
use crumple::{Body, BodyId, Frame, Mesh, VertexId};
use crumple_io::report::{ContactRecord, ContainedRecord};
use crumple_ldi::{InsideRule, PointsInside, PointsOptions};

/// Looks for bodies inside others, frame after frame.
#[derive(Debug)]
pub(crate) struct Containment {
    /// A vertex of every connected component of every body.
    components: Vec<Vec<VertexId>>,
    by_winding: PointsInside,
    by_parity: PointsInside,
    /// The body each of `points` belongs to.
    inner: Vec<u32>,
    points: Vec<[f32; 3]>,
}

impl Containment {
    pub(crate) fn new(meshes: &[Arc<Mesh>]) -> Self {
        let exact = |rule| PointsInside::new(PointsOptions::default().with_exact().with_inside(rule));
        Self {
            components: meshes.iter().map(|mesh| mesh.component_vertices()).collect(),
            by_winding: exact(InsideRule::WindingNumber),
            by_parity: exact(InsideRule::Parity),
            inner: Vec::new(),
            points: Vec::new(),
        }
    }

    /// The bodies inside others now, sorted; not those that meet, which `contacts` lists, nor those that are
    /// not tested.
    pub(crate) fn find(
        &mut self,
        now: Frame<'_>,
        ids: &[BodyId],
        contacts: &[ContactRecord<'_>],
        tests: impl Fn(u32, u32) -> bool,
    ) -> Result<Vec<ContainedRecord>> {
        let meeting: BTreeSet<(u32, u32)> = contacts.iter().map(|contact| (contact.a, contact.b)).collect();
        let mut found = Vec::new();
        for (outer, &id) in (0..).zip(ids) {
            let body = now.body(id)?;
            if !encloses(body) {
                continue;
            }
            self.gather(now, ids, outer, body, |pair| meeting.contains(&pair) || !tests(pair.0, pair.1))?;
            if self.points.is_empty() {
                continue;
            }
            let tester = if body.mesh().topology().is_solid() { &mut self.by_winding } else { &mut self.by_parity };
            let inside = tester.test(body, &self.points).with_context(|| format!("inside body {outer}"))?;
            let inner = self.inner.iter().zip(inside).filter(|(_, inside)| **inside).map(|(&inner, _)| inner);
            found.extend(inner.map(|inner| ContainedRecord { inner, outer, volume: None }));
        }
        found.sort_by_key(|found: &ContainedRecord| (found.inner, found.outer));
        found.dedup();
        Ok(found)
    }

    /// The points that could be inside `body`: a vertex of every component of the others that lies in its box.
    fn gather(
        &mut self,
        now: Frame<'_>,
        ids: &[BodyId],
        outer: u32,
        body: &Body,
        is_settled: impl Fn((u32, u32)) -> bool,
    ) -> Result<()> {
        self.inner.clear();
        self.points.clear();
        for ((inner, &id), components) in (0..).zip(ids).zip(&self.components) {
            if inner == outer || is_settled((inner.min(outer), inner.max(outer))) {
                continue;
            }
            let other = now.body(id)?;
            if !body.bounds().overlaps(&other.bounds()) {
                continue;
            }
            let points = components.iter().filter_map(|&vertex| other.positions().get(vertex.index()).copied());
            for point in points.filter(|&point| body.bounds().contains(point)) {
                self.inner.push(inner);
                self.points.push(point);
            }
        }
        Ok(())
    }
}

/// Whether anything can be inside: the surface is closed and its box has a volume.
fn encloses(body: &Body) -> bool {
    let bounds = body.bounds();
    body.mesh().topology().is_closed() && !bounds.is_empty() && bounds.extent().iter().all(|&side| side > 0.0)
}
