//! What Python found in a frame, as the records that pages and reports are made of.

use std::sync::Arc;

use crumple::Precision;
use crumple_io::report::{BodyRecord, ContactRecord, FeaturesRecord, Frame, ImpactRecord};
use numpy::{PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::mesh::Mesh;

/// An impact: its time, its bodies, its kind and the numbers of its features.
pub(crate) type ImpactRow = (f64, f64, u32, u32, String, Vec<u32>);

/// Two bodies that meet, and the triangles at which they do.
pub(crate) type ContactRow<'py> = (u32, u32, Bound<'py, PyArray2<u32>>);

/// A body: its name, its mesh, its number of vertices, the face of the file that each triangle was cut from, and whether its
/// positions are f64 numbers.
pub(crate) type BodyRow<'py> = (String, Py<Mesh>, usize, Option<PyReadonlyArray1<'py, u32>>, bool);

/// The bodies of a header, and their meshes.
pub(crate) fn bodies(rows: Vec<BodyRow<'_>>) -> PyResult<(Vec<BodyRecord>, Vec<Arc<crumple::Mesh>>)> {
    let (mut records, mut meshes) = (Vec::new(), Vec::new());
    for (id, (name, mesh, vertices, faces, is_f64)) in (0..).zip(rows) {
        let mesh = mesh.get().with_positions(vertices)?;
        records.push(BodyRecord {
            id,
            name,
            triangles: mesh.triangles().len() as u64,
            vertices: vertices as u64,
            closed: mesh.topology().is_closed(),
            face_of_triangle: faces.map(|faces| faces.as_array().to_vec()),
            precision: is_f64.then(|| Precision::F64.to_string()),
        });
        meshes.push(mesh);
    }
    Ok((records, meshes))
}

/// The record of a frame; `times` are microseconds of update and query.
pub(crate) fn frame(
    number: u64,
    contacts: Vec<ContactRow<'_>>,
    impacts: Option<Vec<ImpactRow>>,
    times: (f64, f64),
) -> PyResult<Frame<'static>> {
    let mut found = Frame { frame: number, update_us: times.0, query_us: times.1, ..Frame::default() };
    for (a, b, pairs) in contacts {
        let pairs: Vec<[u32; 2]> = pairs.try_readonly()?.as_array().rows().into_iter().map(|r| [r[0], r[1]]).collect();
        found.contacts.push(ContactRecord {
            a,
            b,
            count: pairs.len() as u64,
            depth: None,
            area: None,
            pairs: Some(pairs.into()),
        });
    }
    found.impacts = impacts.map(|rows| rows.iter().filter_map(impact).collect::<Vec<_>>().into());
    Ok(found)
}

fn impact((lo, hi, a, b, kind, numbers): &ImpactRow) -> Option<ImpactRecord> {
    let features = match (kind.as_str(), <&[u32; 4]>::try_from(&numbers[..]).ok()?) {
        ("vertex-face", &[vertex, triangle, _, _]) => FeaturesRecord::VertexFace { vertex, triangle },
        ("edge-edge", &[p, q, r, s]) => FeaturesRecord::EdgeEdge { edge_a: [p, q], edge_b: [r, s] },
        (_, &[i, j, _, _]) => FeaturesRecord::Already { triangles: [i, j] },
    };
    Some(ImpactRecord { t: [*lo, *hi], a: *a, b: *b, features })
}
