//! Why a volume was refused, in terms of the command: bodies by name, options as they are typed.

use anyhow::{Error, anyhow};
use crumple::Mesh;
use crumple::mesh::EdgeFault;
use crumple_bench::gpu::GpuFailure;
use crumple_check::bodies::{FileBody, MovingBodies};
use crumple_io::words::counted;
use crumple_ldi::{VolumeError, WhichBody};

use super::hinted;

/// Refuses a surface that encloses no volume, which an exact overlap needs.
pub(crate) fn unless_solid(mesh: &Mesh, name: &str) -> Result<(), Error> {
    let topology = mesh.topology();
    let body = WhichBody::A;
    let error = match (topology.open, topology.unbalanced) {
        (Some(fault), _) => VolumeError::Open { body, fault },
        (_, Some(fault)) => VolumeError::Unbalanced { body, fault },
        _ if mesh.live_count() == 0 => VolumeError::NoTriangles { body },
        _ => return Ok(()),
    };
    // Nothing makes --exact accept it: what helps is another method.
    let hint = match error {
        VolumeError::Open { .. } => Some("close it, or sample the volume: leave out --exact, with --assume-closed"),
        VolumeError::Unbalanced { .. } => Some("turn its triangles one way, or sample the volume with --parity"),
        _ => None,
    };
    let refused = in_words(&error, &[name]);
    Err(match hint {
        Some(hint) => hinted(refused.to_string(), hint),
        None => refused,
    })
}

/// The error to show for one body, or for two; with the frame if there are several.
pub(crate) fn explained(failure: GpuFailure, bodies: &MovingBodies, frame: Option<usize>) -> Error {
    let names: Vec<_> = bodies.files().map(FileBody::shown).collect();
    let names: Vec<&str> = names.iter().map(|name| &**name).collect();
    let words = match failure {
        GpuFailure::Volume(error) => in_words(&error, &names),
        GpuFailure::Other(error) => return error,
    };
    match frame {
        Some(frame) => words.context(format!("frame {frame}")),
        None => words,
    }
}

fn in_words(error: &VolumeError, names: &[&str]) -> Error {
    let name = |body: &WhichBody| match body {
        WhichBody::B => names.last().copied().unwrap_or_default(),
        _ => names.first().copied().unwrap_or_default(),
    };
    let first = |fault: &EdgeFault| {
        let EdgeFault { triangle, from, to, .. } = fault;
        format!("the first from vertex {from} to vertex {to} of triangle {}", triangle.0)
    };
    match error {
        VolumeError::Open { body, fault } => {
            let edges = counted(fault.count as u64, "edge");
            let what = format!("{} is open along {edges}, {}, so it has no inside", name(body), first(fault));
            hinted(what, "close it, or go on with --assume-closed")
        }
        VolumeError::Unbalanced { body, fault } => {
            let (name, edges) = (name(body), counted(fault.count as u64, "edge"));
            let what = format!("{name} is turned over along {edges}, {}, so its inside is not defined", first(fault));
            hinted(what, "turn its triangles one way, or go on with --parity or --assume-closed")
        }
        VolumeError::NoTriangles { body } => anyhow!("{} has no triangles, so it has no inside", name(body)),
        VolumeError::Flat { body, min, max } => {
            anyhow!("{} is flat, so it has no inside: it reaches from {min:?} to {max:?}", name(body))
        }
        VolumeError::TooManyCrossings { body, crossings } => {
            let name = name(body);
            let what = format!("the depth image of {name} would hold {crossings} crossings, more than can be numbered");
            hinted(what, "lower --resolution")
        }
        other => anyhow!("{other}"),
    }
}
