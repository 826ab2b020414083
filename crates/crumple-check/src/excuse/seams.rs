//! Parts of one body that `--split materials` has made bodies of: what they share is no finding.
//!
//! Along a seam two parts have the same vertices and so always touch there. They are judged as the triangles of one body are: two
//! triangles that share a vertex collide only where they meet beyond what they share (`exact::self_pair_meets`); all others collide
//! if they share a point. Between frames, features that share a vertex are left out, and so is what only meets already when a
//! step starts. The distance of parts with a seam is always 0 and is not asked for.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use crumple::Contact;
use crumple::exact::{SharedVertices, self_pair_meets};
use crumple_io::report::{ContactRecord, FeaturesRecord, ImpactRecord};

use crate::bodies::Motion;

/// Which bodies have a seam, and which vertices of them are the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seams {
    /// Per body and vertex the vertex of the body that it is a part of, of vertices that coincide the first.
    vertices: Vec<Option<Vec<u32>>>,
    /// Two bodies, the smaller number first.
    joined: BTreeSet<(u32, u32)>,
}

impl Seams {
    /// Those of all bodies.
    pub(crate) fn new<'a>(bodies: impl Iterator<Item = &'a Motion>) -> Self {
        let mut seams = Self::default();
        let mut with_vertex: HashMap<(usize, u32), Vec<u32>> = HashMap::new();
        for (number, body) in (0..).zip(bodies) {
            let seam = body.file().seam();
            seams.vertices.push(seam.map(|(_, vertices)| vertices.to_vec()));
            for &vertex in seam.iter().flat_map(|(_, vertices)| vertices.iter()) {
                let whole = seam.map_or(0, |(whole, _)| whole);
                let others = with_vertex.entry((whole, vertex)).or_default();
                if others.last() != Some(&number) {
                    seams.joined.extend(others.iter().map(|&other| (other, number)));
                    others.push(number);
                }
            }
        }
        seams
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.joined.is_empty()
    }

    /// Whether two bodies have a seam.
    pub(crate) fn join(&self, a: u32, b: u32) -> bool {
        self.joined.contains(&(a.min(b), a.max(b)))
    }

    /// A contact without the pairs that only meet in what they share; `None` if nothing is left.
    pub(crate) fn judge<'a>(&self, contact: Contact<'a>) -> Option<ContactRecord<'a>> {
        let record = ContactRecord::from(contact);
        if !self.join(record.a, record.b) {
            return Some(record);
        }
        let (mesh_a, mesh_b) = (contact.body_a().mesh(), contact.body_b().mesh());
        let mut pairs = Vec::new();
        for pair in contact.pairs {
            let corners_a = mesh_a.indices()[pair.a.index()].map(|vertex| self.vertex(record.a, vertex));
            let corners_b = mesh_b.indices()[pair.b.index()].map(|vertex| self.vertex(record.b, vertex));
            let Some([one, other]) = contact.triangles(*pair) else { continue };
            let shared = SharedVertices::between(&one.0, corners_a, &other.0, corners_b);
            if shared.count() == 0 || self_pair_meets(&one, &other, shared) {
                pairs.push([pair.a.0, pair.b.0]);
            }
        }
        let count = pairs.len() as u64;
        (count > 0).then_some(ContactRecord { count, pairs: Some(Cow::Owned(pairs)), ..record })
    }

    /// Drops impacts of features that share a vertex, and of parts with a seam that meet already when the step starts.
    pub(crate) fn judge_impacts(&self, impacts: &mut Vec<ImpactRecord>, triangles: &[&[[u32; 3]]]) {
        impacts.retain(|impact| {
            let (a, b) = (impact.a, impact.b);
            if !self.join(a, b) {
                return true;
            }
            match &impact.features {
                FeaturesRecord::Already { .. } => false,
                FeaturesRecord::VertexFace { vertex, triangle } => {
                    let corners = triangles[b as usize][*triangle as usize];
                    !corners.iter().any(|&corner| self.vertex(b, corner) == self.vertex(a, *vertex))
                }
                FeaturesRecord::EdgeEdge { edge_a, edge_b } => {
                    let ends = edge_a.map(|vertex| self.vertex(a, vertex));
                    !edge_b.iter().any(|&vertex| ends.contains(&self.vertex(b, vertex)))
                }
                _ => true,
            }
        });
    }

    fn vertex(&self, body: u32, vertex: u32) -> u32 {
        let vertices = self.vertices.get(body as usize).and_then(Option::as_ref);
        vertices.map_or(vertex, |vertices| vertices[vertex as usize])
    }
}

/// How many bodies there are if parts of one count as one; of those that `counts` means.
pub(crate) fn whole_bodies<'a>(bodies: impl Iterator<Item = (&'a Motion, bool)>) -> usize {
    let mut wholes: BTreeMap<usize, ()> = BTreeMap::new();
    let mut alone = 0;
    for (body, _) in bodies.filter(|(_, counts)| *counts) {
        match body.file().whole() {
            Some(whole) => drop(wholes.insert(whole, ())),
            None => alone += 1,
        }
    }
    wholes.len() + alone
}
