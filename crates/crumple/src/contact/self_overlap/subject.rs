//! The body that is computed with: the one that was given, or one with a plain mesh in its place (`mesh::resolved`).

use std::sync::Arc;

use super::{Holes, SelfOverlapError};
use crate::body::Body;
use crate::contact::VertexGradient;
use crate::geom::{Precision, TrianglePair, VertexId};
use crate::mesh::{Mesh, Resolved};
use crate::narrow::wide_tree::{Tree, WideTree};
use crate::narrow::{PairMethod, Search, Side, Wanted};

/// Coordinates of a size below this are taken to be 0 in means: those of bodies are not smaller (`exact::predicates`).
const SMALLEST: f64 = f64::from_bits((1023 - 300) << 52);

/// What is computed with.
#[derive(Debug, Default)]
pub(super) struct Subject {
    is_resolved: bool,
    holes: Holes,
    /// The body in place of the one that was given.
    body: Option<Body>,
    positions: Vec<[f64; 3]>,
    positions_f32: Vec<[f32; 3]>,
    /// Gradients by vertices of the body that was given, and in which order they came.
    collected: Vec<(u32, u32, [f64; 3])>,
}

impl Subject {
    /// Takes in a body as it is now.
    pub(super) fn take(&mut self, body: &Body, holes: Holes) -> Result<(), SelfOverlapError> {
        let mesh = body.mesh();
        if let Some(representatives) = mesh.representatives() {
            let is_parted =
                |&(vertex, &of): &(u32, &u32)| of != vertex && body.exact_position(vertex) != body.exact_position(of);
            if let Some((vertex, &of)) = (0..).zip(representatives).find(is_parted) {
                return Err(SelfOverlapError::Parted { vertex: VertexId(vertex), other: VertexId(of) });
            }
        }
        self.is_resolved = !mesh.single_fans().is_plain();
        self.holes = holes;
        if !self.is_resolved {
            return Ok(());
        }
        let resolved = self.resolved_of(mesh)?;
        let place = |vertex: usize| {
            let sources = resolved.sources(vertex);
            let first = body.exact_position(sources[0]);
            let mut sum = [0.0; 3];
            for &source in &sources[1..] {
                let p = body.exact_position(source);
                (0..3).for_each(|axis| sum[axis] += p[axis] - first[axis]);
            }
            let count = sources.len() as f64;
            [0, 1, 2].map(|axis| {
                let x = first[axis] + sum[axis] / count;
                if x.abs() < SMALLEST { 0.0 } else { x }
            })
        };
        self.positions.clear();
        self.positions.extend((0..resolved.mesh.vertex_count()).map(place));
        // Means of f32 numbers are no f32 numbers.
        let in_f64 = cfg!(feature = "f64") && (body.precision() == Precision::F64 || resolved.has_means());
        let precision = if in_f64 { Precision::F64 } else { Precision::F32 };
        if !in_f64 {
            self.positions_f32.clear();
            self.positions_f32.extend(self.positions.iter().map(|p| p.map(|x| x as f32)));
        }
        let is_same = |known: &&mut Body| Arc::ptr_eq(known.mesh(), &resolved.mesh) && known.precision() == precision;
        let placed = match (self.body.as_mut().filter(is_same), in_f64) {
            (Some(known), true) => known.set_positions_f64(&self.positions).map(|_| None),
            (Some(known), false) => known.set_positions(&self.positions_f32).map(|_| None),
            (None, true) => Body::new_f64(resolved.mesh.clone(), &self.positions).map(Some),
            (None, false) => Body::new(resolved.mesh.clone(), &self.positions_f32).map(Some),
        };
        if let Some(new) = placed.map_err(|source| SelfOverlapError::Middle { source })? {
            self.body = Some(new);
        }
        Ok(())
    }

    /// Whether another body is in place of the one that was given.
    pub(super) fn is_resolved(&self) -> bool {
        self.is_resolved
    }

    /// The body to compute with.
    pub(super) fn body<'a>(&'a self, given: &'a Body) -> &'a Body {
        self.body.as_ref().filter(|_| self.is_resolved).unwrap_or(given)
    }

    /// What its mesh was made of, if it is another one.
    pub(super) fn resolved<'a>(&self, given: &'a Body) -> Option<&'a Resolved> {
        if self.is_resolved { self.resolved_of(given.mesh()).ok() } else { None }
    }

    fn resolved_of<'a>(&self, mesh: &'a Mesh) -> Result<&'a Resolved, SelfOverlapError> {
        let cap = self.holes == Holes::Cap;
        mesh.resolved(cap).map_err(|fault| match cap {
            true => SelfOverlapError::Misoriented { fault },
            false => SelfOverlapError::NotClosed { fault },
        })
    }

    /// Makes a gradient by the vertices of the body that is computed with one by those of the body that was given.
    pub(super) fn give_back(&mut self, given: &Body, gradient: &mut Vec<VertexGradient>) {
        let Some(resolved) = self.resolved(given) else { return };
        collect(resolved, gradient.drain(..), &mut self.collected);
        gradient.extend(merged(&mut self.collected));
    }
}

/// Lists gradients by the vertices that others are means of: each gets its part.
pub(super) fn collect(
    resolved: &Resolved,
    gradient: impl Iterator<Item = VertexGradient>,
    collected: &mut Vec<(u32, u32, [f64; 3])>,
) {
    collected.clear();
    for of_vertex in gradient {
        let sources = resolved.sources(of_vertex.vertex.index());
        let part = 1.0 / sources.len() as f64;
        for &source in sources {
            collected.push((source, collected.len() as u32, of_vertex.gradient.map(|x| x * part)));
        }
    }
}

/// The sums for each vertex, in order; those of one vertex are added in the order in which they were listed.
pub(super) fn merged(collected: &mut [(u32, u32, [f64; 3])]) -> impl Iterator<Item = VertexGradient> + '_ {
    collected.sort_unstable_by_key(|&(vertex, order, _)| (vertex, order));
    collected.chunk_by(|one, other| one.0 == other.0).map(|alike| {
        let mut gradient = [0.0; 3];
        alike.iter().for_each(|(_, _, part)| (0..3).for_each(|axis| gradient[axis] += part[axis]));
        VertexGradient { vertex: VertexId(alike[0].0), gradient }
    })
}

/// Finds the pairs of a body that collide, where nobody has found them yet; keeps the tree of the last body.
#[derive(Debug, Default)]
pub(super) struct SelfSearch {
    method: WideTree,
    tree: Option<(Arc<Mesh>, Tree)>,
    search: Search<WideTree>,
    found: Vec<TrianglePair>,
}

impl SelfSearch {
    /// The pairs, sorted, and how many triangles of the body have no area.
    pub(super) fn pairs(&mut self, body: &Body) -> (&[TrianglePair], u64) {
        let Self { method, tree, search, found } = self;
        match tree {
            Some((mesh, tree)) if Arc::ptr_eq(mesh, body.mesh()) => method.update(tree, body),
            _ => *tree = Some((body.mesh().clone(), method.build(body))),
        }
        found.clear();
        let mut without_area = 0;
        if let Some((_, tree)) = tree {
            without_area = search.self_pairs(method, Side { body, tree }, Wanted::All, found).degenerate;
        }
        (found, without_area)
    }
}
