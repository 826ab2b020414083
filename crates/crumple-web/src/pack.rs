//! Answers as lists of numbers. `web/src/frame.ts` reads them; the order of the numbers is agreed on here.

#[cfg(any(feature = "impacts", feature = "near"))]
use crumple::FeaturePair;
#[cfg(feature = "depths")]
use crumple::VertexDepth;

use crate::buffers::{Buffers, Refusal};
use crate::world::World;

/// Contacts: body a, body b, the address of the pairs and how many there are; the pairs are read where the library has them.
pub(crate) fn contacts(world: &World, buffers: &mut Buffers) -> Result<u32, Refusal> {
    let contacts = world.frame()?.contacts();
    let numbers = &mut buffers.numbers;
    numbers.clear();
    for contact in contacts {
        let address = contact.pairs.as_ptr().addr() as u32;
        numbers.extend([world.number(contact.a), world.number(contact.b), address, contact.pairs.len() as u32]);
    }
    Ok(contacts.len() as u32)
}

#[cfg(feature = "near")]
/// Near features in groups. Numbers: body a, body b, how many pairs of vertex and face, how many of edges; then three numbers
/// per vertex and face (whether the vertex is of body b, vertex, triangle) and four per pair of edges. Reals: per pair the
/// distance, three weights and three of the direction.
pub(crate) fn near(world: &World, d: f64, buffers: &mut Buffers) -> Result<u32, Refusal> {
    let near = world.frame()?.near(d);
    let Buffers { numbers, reals, .. } = buffers;
    numbers.clear();
    reals.clear();
    let mut groups = 0;
    for group in near.groups() {
        groups += 1;
        let faces = group.pairs.iter().filter(|pair| matches!(pair.features, FeaturePair::VertexFace { .. })).count();
        let head = [world.number(group.a), world.number(group.b), faces as u32, (group.pairs.len() - faces) as u32];
        numbers.extend(head);
        // Vertices and faces come first: pairs are sorted by features.
        for pair in group.pairs {
            match pair.features {
                FeaturePair::VertexFace { vertex_of_b, vertex, triangle } => {
                    numbers.extend([u32::from(vertex_of_b), vertex.0, triangle.0]);
                }
                FeaturePair::EdgeEdge { edge_a: [p, q], edge_b: [r, s] } => numbers.extend([p.0, q.0, r.0, s.0]),
                _ => return Err(unknown_kind()),
            }
            reals.push(pair.distance());
            reals.extend(pair.barycentric);
            reals.extend(pair.direction);
        }
    }
    Ok(groups)
}

#[cfg(feature = "distance")]
/// Reals: both bounds of the distance, both points. Numbers: both triangles.
pub(crate) fn distance(world: &World, a: u32, b: u32, buffers: &mut Buffers) -> Result<u32, Refusal> {
    let (frame, a, b) = (world.frame()?, world.id(a)?, world.id(b)?);
    let closest = frame.distance(a, b).map_err(|error| world.in_words(&error))?;
    let Buffers { numbers, reals, .. } = buffers;
    numbers.clear();
    numbers.extend([closest.triangles.a.0, closest.triangles.b.0]);
    reals.clear();
    reals.extend([closest.distance.lo, closest.distance.hi]);
    reals.extend(closest.points.as_flattened());
    Ok(1)
}

#[cfg(feature = "impacts")]
/// The first impact, or 0 if there is none. Numbers: body a, body b, the kind (0 already, 1 vertex and face, 2 edges), four
/// about the features. Reals: both bounds of the time, the point, the normal.
pub(crate) fn first_impact(world: &World, buffers: &mut Buffers) -> Result<u32, Refusal> {
    let Some(impact) = world.frame()?.first_impact() else { return Ok(0) };
    let Buffers { numbers, reals, .. } = buffers;
    numbers.clear();
    numbers.extend([world.number(impact.a), world.number(impact.b)]);
    numbers.extend(match impact.features {
        FeaturePair::Triangles { pair } => [0, pair.a.0, pair.b.0, 0, 0],
        FeaturePair::VertexFace { vertex, triangle, vertex_of_b } => {
            [1, u32::from(vertex_of_b), vertex.0, triangle.0, 0]
        }
        FeaturePair::EdgeEdge { edge_a: [p, q], edge_b: [r, s] } => [2, p.0, q.0, r.0, s.0],
        _ => return Err(unknown_kind()),
    });
    reals.clear();
    reals.extend([impact.time.lo, impact.time.hi]);
    reals.extend(impact.point);
    reals.extend(impact.normal);
    Ok(1)
}

#[cfg(feature = "depths")]
/// The vertices of one body inside another. Numbers: vertex, triangle. Reals: depth, the way out.
pub(crate) fn depths(
    world: &World,
    a: u32,
    b: u32,
    found: &mut Vec<VertexDepth>,
    buffers: &mut Buffers,
) -> Result<u32, Refusal> {
    let (frame, a, b) = (world.frame()?, world.id(a)?, world.id(b)?);
    frame.depths(a, b, found).map_err(|error| world.in_words(&error))?;
    let Buffers { numbers, reals, .. } = buffers;
    numbers.clear();
    reals.clear();
    for vertex in found.iter() {
        numbers.extend([vertex.vertex.0, vertex.triangle.0]);
        reals.push(vertex.depth);
        reals.extend(vertex.normal);
    }
    Ok(found.len() as u32)
}

#[cfg(any(feature = "near", feature = "impacts"))]
/// The library may learn of more kinds of features than this module was written for.
fn unknown_kind() -> Refusal {
    Refusal("the library has found features of a kind that this package does not know".to_owned())
}
