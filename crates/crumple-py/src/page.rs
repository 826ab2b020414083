//! The page of a report, written frame by frame.

use std::fs::File;
use std::io::BufWriter;
use std::sync::{Mutex, PoisonError};

use crumple_io::report::{BodyRecord, CheckSummary, ContactRecord, FeaturesRecord, Frame, Header, ImpactRecord};
use crumple_io::write::{PageError, PageWriter};
use numpy::{PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

use crate::arrays::{self, points};
use crate::errors::Refusal;
use crate::mesh::Mesh;

/// An impact: its time, its bodies, its kind and the numbers of its features.
type ImpactRow = (f64, f64, u32, u32, String, Vec<u32>);

/// A body: its name, its mesh, its number of vertices, and the face of the file that each triangle was cut from.
type BodyRow<'py> = (String, Py<Mesh>, usize, Option<PyReadonlyArray1<'py, u32>>);

/// A page that is being written; see `Report.save_html`.
#[pyclass(frozen, module = "crumple._crumple")]
#[derive(Debug)]
pub(crate) struct PageFile {
    open: Mutex<Option<Open>>,
}

#[derive(Debug)]
struct Open {
    writer: PageWriter<BufWriter<File>>,
    summary: CheckSummary,
}

fn refused(error: PageError) -> PyErr {
    match error {
        PageError::Io(source) => PyOSError::new_err(format!("the page could not be written: {source}")),
        other => Refusal::new("ReportError", other.to_string()).into(),
    }
}

#[pymethods]
impl PageFile {
    #[new]
    #[pyo3(signature = (path, title, method, bodies, frames, fps))]
    fn new(path: &str, title: &str, method: &str, bodies: Vec<BodyRow<'_>>, frames: u64, fps: f64) -> PyResult<Self> {
        let (mut records, mut meshes) = (Vec::new(), Vec::new());
        for (id, (name, mesh, vertices, faces)) in (0..).zip(bodies) {
            let mesh = mesh.get().with_positions(vertices)?;
            records.push(BodyRecord {
                id,
                name,
                triangles: mesh.triangles().len() as u64,
                vertices: vertices as u64,
                closed: mesh.topology().is_closed(),
                face_of_triangle: faces.map(|faces| faces.as_array().to_vec()),
            });
            meshes.push(mesh);
        }
        let triangles: Vec<&[[u32; 3]]> = meshes.iter().map(|mesh| mesh.triangles()).collect();
        let out = BufWriter::with_capacity(1 << 16, File::create(path)?);
        let header = Header::new(method, records, frames);
        let writer = PageWriter::new(out, title, &header, &triangles).map_err(refused)?.with_fps(fps);
        Ok(Self { open: Mutex::new(Some(Open { writer, summary: CheckSummary::default() })) })
    }

    /// Adds a frame: positions of all bodies, contacts as (a, b, pairs), impacts, microseconds of update and query.
    fn frame(
        &self,
        number: u64,
        positions: Vec<Bound<'_, PyAny>>,
        contacts: Vec<(u32, u32, Bound<'_, PyArray2<u32>>)>,
        impacts: Option<Vec<ImpactRow>>,
        times: (f64, f64),
    ) -> PyResult<()> {
        let arrays = positions.iter().map(|array| arrays::positions(array, true, "positions"));
        let arrays = arrays.collect::<PyResult<Vec<_>>>()?;
        let positions = arrays.iter().map(points).collect::<PyResult<Vec<_>>>()?;
        let mut found = Frame { frame: number, update_us: times.0, query_us: times.1, ..Frame::default() };
        for (a, b, pairs) in contacts {
            let pairs: Vec<[u32; 2]> =
                pairs.try_readonly()?.as_array().rows().into_iter().map(|r| [r[0], r[1]]).collect();
            found.contacts.push(ContactRecord {
                a,
                b,
                count: pairs.len() as u64,
                depth: None,
                pairs: Some(pairs.into()),
            });
        }
        found.impacts = impacts.map(|rows| rows.iter().filter_map(record).collect::<Vec<_>>().into());
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(Open { writer, summary }) = open.as_mut() else { return Err(finished()) };
        summary.add(&found);
        writer.frame(&positions, &found).map_err(refused)
    }

    /// Completes the page.
    fn finish(&self) -> PyResult<()> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(Open { writer, summary }) = open else { return Err(finished()) };
        writer.finish(summary).map(|_| ()).map_err(refused)
    }
}

fn finished() -> PyErr {
    Refusal::new("ReportError", "this page is complete: nothing can be added to it").into()
}

fn record((lo, hi, a, b, kind, numbers): &ImpactRow) -> Option<ImpactRecord> {
    let features = match (kind.as_str(), <&[u32; 4]>::try_from(&numbers[..]).ok()?) {
        ("vertex-face", &[vertex, triangle, _, _]) => FeaturesRecord::VertexFace { vertex, triangle },
        ("edge-edge", &[p, q, r, s]) => FeaturesRecord::EdgeEdge { edge_a: [p, q], edge_b: [r, s] },
        (_, &[i, j, _, _]) => FeaturesRecord::Already { triangles: [i, j] },
    };
    Some(ImpactRecord { t: [*lo, *hi], a: *a, b: *b, features })
}
