//! `check` and its report: the same check as the command's, with arrays as bodies.
//!
//! A run has a thread of its own, so that this one can look for signals: Ctrl-C ends a run after the frame it is at. Frames of a
//! caller's bodies are asked for from that thread, which takes the interpreter for as long.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crumple::Precision;
use crumple_check::bodies::FileBody;
use crumple_check::sink::{Records, Sinks, TableStyle, files_in_use};
use crumple_check::{Caller, Check, Ended, Options, Outcome};
use crumple_io::report::Frame;
use crumple_io::{AnimatedBody, FrameSource, Room, Source};
use numpy::{PyArray2, PyReadonlyArray1};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arrays::{self, Given};
use crate::errors::{Refusal, raised};
use crate::mesh::Mesh;

/// How often signals are looked for while a run is under way.
const SIGNALS: Duration = Duration::from_millis(20);

/// A body of the caller's; see `crumple._check.Source`.
#[derive(FromPyObject)]
pub(crate) struct SourceRow<'py> {
    name: String,
    mesh: Py<Mesh>,
    frames: Py<PyAny>,
    count: usize,
    vertices: usize,
    is_f64: bool,
    weld: bool,
    cast: bool,
    first_number: Option<u64>,
    face_of_triangle: Option<PyReadonlyArray1<'py, u32>>,
}

impl SourceRow<'_> {
    fn body(self) -> PyResult<FileBody> {
        let mesh = self.mesh.get().with_positions(self.vertices)?;
        let faces = self.face_of_triangle.map(|faces| faces.as_array().to_vec());
        let source = Frames {
            name: self.name.clone(),
            frames: self.frames,
            count: self.count,
            precision: if self.is_f64 { Precision::F64 } else { Precision::F32 },
            cast: self.cast,
            first_number: self.first_number,
        };
        let triangles = mesh.indices().to_vec();
        let body = AnimatedBody::from_source(self.name, self.vertices, triangles, faces, Box::new(source));
        Ok(FileBody::new(body, self.weld))
    }
}

/// Frames that Python hands out by their numbers.
#[derive(Debug)]
struct Frames {
    name: String,
    frames: Py<PyAny>,
    count: usize,
    precision: Precision,
    cast: bool,
    /// The caller's number of the first frame, if it has one.
    first_number: Option<u64>,
}

impl Frames {
    fn copy(&self, frame: usize, room: Room<'_>) -> PyResult<()> {
        Python::attach(|py| {
            let what = format!("positions of {}", self.name);
            let array = arrays::positions(&self.frames.bind(py).get_item(frame)?, self.cast, &what)?;
            let (given, vertices) = match (array.given()?, room) {
                (Given::F32(from), Room::F32(to)) => (from.len(), copied(from, to)),
                (Given::F64(from), Room::F64(to)) => (from.len(), copied(from, to)),
                (Given::F32(from), Room::F64(to)) => {
                    let wide: Vec<[f64; 3]> = from.iter().map(|point| point.map(f64::from)).collect();
                    (from.len(), copied(&wide, to))
                }
                (Given::F64(_), Room::F32(_)) => {
                    let message =
                        format!("{what} are float64 in frame {frame}, but float32 before: use one type for all");
                    return Err(Refusal::new("DtypeError", message).into());
                }
            };
            if given == vertices {
                return Ok(());
            }
            let message = format!("{what} have {given} rows in frame {frame}, but {vertices} are needed");
            Err(Refusal::new("PositionsError", message).into())
        })
    }
}

/// Copies rows if there are as many as there is room for; returns how many these are.
fn copied<T: Copy>(from: &[T], to: &mut [T]) -> usize {
    if from.len() == to.len() {
        to.copy_from_slice(from);
    }
    to.len()
}

impl FrameSource for Frames {
    fn frame_count(&self) -> usize {
        self.count
    }

    fn precision(&self) -> Precision {
        self.precision
    }

    fn frame_number(&self, frame: usize) -> Option<u64> {
        self.first_number.map(|first| first + frame as u64)
    }

    fn frame(&mut self, frame: usize, positions: Room<'_>) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        Ok(self.copy(frame, positions)?)
    }
}

/// What is checked: files as the command takes them, or bodies of the caller's.
#[derive(FromPyObject)]
pub(crate) enum Bodies<'py> {
    Files(Vec<PathBuf>),
    Sources(Vec<SourceRow<'py>>),
}

/// What was found: all frames, and what they come to.
#[pyclass(frozen, module = "crumple._crumple")]
#[derive(Debug)]
pub(crate) struct Checked {
    frames: Vec<Frame<'static>>,
    outcome: Outcome,
    notes: Vec<String>,
}

fn prepared(py: Python<'_>, bodies: Bodies<'_>, options: &str) -> PyResult<Check> {
    let options = Options::from_json(options).map_err(raised)?;
    match bodies {
        Bodies::Files(files) => {
            let files: Vec<OsString> = files.into_iter().map(Into::into).collect();
            py.detach(|| Check::of_files(&files, &options)).map_err(raised)
        }
        Bodies::Sources(rows) => {
            let bodies = rows.into_iter().map(SourceRow::body).collect::<PyResult<Vec<_>>>()?;
            py.detach(|| Check::new(bodies, &options)).map_err(raised)
        }
    }
}

/// Ends a run when Python was interrupted, and calls back after every frame.
struct Watcher<'a> {
    is_stopped: &'a AtomicBool,
    progress: Option<Py<PyAny>>,
    failed: &'a Mutex<Option<PyErr>>,
}

impl Caller for Watcher<'_> {
    fn is_stopped(&mut self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    fn frame_is_done(&mut self) {
        let Some(progress) = &self.progress else { return };
        if let Err(error) = Python::attach(|py| progress.call0(py).map(drop)) {
            self.is_stopped.store(true, Ordering::Relaxed);
            *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        }
    }
}

/// Runs `work` on a thread of its own and looks for signals meanwhile.
fn watched<T: Send>(
    py: Python<'_>,
    progress: Option<Py<PyAny>>,
    work: impl FnOnce(&mut (dyn Caller + Send)) -> anyhow::Result<T> + Send,
) -> PyResult<T> {
    let (is_stopped, failed) = (AtomicBool::new(false), Mutex::new(None));
    let mut watcher = Watcher { is_stopped: &is_stopped, progress, failed: &failed };
    let stop = &is_stopped;
    let (done, waits) = mpsc::channel::<()>();
    let (found, interrupted) = py.detach(move || {
        thread::scope(|scope| {
            let running = scope.spawn(move || {
                let _done = done;
                work(&mut watcher)
            });
            let mut interrupted = None;
            while waits.recv_timeout(SIGNALS) == Err(RecvTimeoutError::Timeout) {
                if interrupted.is_none() {
                    interrupted = Python::attach(|py| py.check_signals().err());
                    stop.fetch_or(interrupted.is_some(), Ordering::Relaxed);
                }
            }
            (running.join(), interrupted)
        })
    });
    if let Some(error) = interrupted.or(failed.into_inner().unwrap_or_else(PoisonError::into_inner)) {
        return Err(error);
    }
    match found {
        Ok(found) => found.map_err(raised),
        Err(_) => Err(Refusal::new("CrumpleError", "the check ended without an answer").into()),
    }
}

fn checked(notes: Vec<String>, records: &Records, outcome: Outcome) -> PyResult<Checked> {
    match outcome.ended {
        Ended::Failed(error) => Err(raised(error)),
        Ended::Stopped => Err(PyKeyboardInterrupt::new_err("the check was interrupted")),
        _ => Ok(Checked { frames: records.take(), outcome, notes }),
    }
}

/// Checks bodies; `options` is JSON, `progress` is called after every frame. The files that options ask for are written.
#[pyfunction]
#[pyo3(signature = (bodies, options, progress=None))]
pub(crate) fn check_bodies(
    py: Python<'_>,
    bodies: Bodies<'_>,
    options: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<Checked> {
    let sources: Vec<Source> = match &bodies {
        Bodies::Files(files) => files.iter().map(|file| Source::from(&**file)).collect(),
        Bodies::Sources(_) => Vec::new(),
    };
    let check = prepared(py, bodies, options)?;
    let in_use = files_in_use(check.options(), &sources).map_err(raised)?;
    let records = Records::default();
    let sinks = Sinks::of_files(&check, &in_use).map_err(raised)?.with(Box::new(records.clone()));
    let notes = check.notes().iter().chain(check.choices()).cloned().collect();
    let (outcome, _) = watched(py, progress, |caller| check.run(sinks, caller))?;
    checked(notes, &records, outcome)
}

/// Takes in frames that were checked before or elsewhere, and writes the report and the page of them. `records` is what
/// [`check_bodies`] has returned, or an iterator of what [`Checked::lines`] returns.
#[pyfunction]
#[pyo3(signature = (bodies, options, records, *, json=None, html=None, title=None, times=true, keep=false, progress=None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn replay_bodies(
    py: Python<'_>,
    bodies: Bodies<'_>,
    options: &str,
    records: &Bound<'_, PyAny>,
    json: Option<PathBuf>,
    html: Option<PathBuf>,
    title: Option<&str>,
    times: bool,
    keep: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Checked> {
    let check = prepared(py, bodies, options)?;
    let mut sinks = Sinks::default();
    if let Some(file) = &json {
        sinks = sinks.with_report(file, &check, times).map_err(raised)?;
    }
    if let Some(file) = &html {
        sinks = sinks.with_page(file, &check, title, times).map_err(raised)?;
    }
    let kept = Records::default();
    if keep {
        sinks = sinks.with(Box::new(kept.clone()));
    }
    let notes = check.notes().iter().chain(check.choices()).cloned().collect();
    let (outcome, _) = match records.cast::<Checked>() {
        Ok(found) => {
            let found = found.get();
            let frames = found.frames.iter().map(|frame| Ok(frame.clone()));
            watched(py, progress, |caller| check.replay(frames, sinks, caller))?
        }
        Err(_) => {
            let lines = Lines { parts: records.try_iter()?.unbind().into_any(), frames: Vec::new().into_iter() };
            watched(py, progress, |caller| check.replay(lines, sinks, caller))?
        }
    };
    checked(notes, &kept, outcome)
}

/// Frames out of an iterator of Python's over parts, each of which is lines of JSON.
struct Lines {
    parts: Py<PyAny>,
    frames: std::vec::IntoIter<Frame<'static>>,
}

impl Lines {
    fn next_part(&self) -> anyhow::Result<Option<Vec<Frame<'static>>>> {
        let part = Python::attach(|py| -> PyResult<Option<Vec<u8>>> {
            match self.parts.bind(py).try_iter()?.next() {
                Some(part) => Ok(Some(part?.cast::<PyBytes>()?.as_bytes().to_vec())),
                None => Ok(None),
            }
        });
        let Some(part) = part? else { return Ok(None) };
        let lines = part.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        Ok(Some(lines.map(serde_json::from_slice).collect::<Result<_, _>>()?))
    }
}

impl Iterator for Lines {
    type Item = anyhow::Result<Frame<'static>>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(frame) = self.frames.next() {
                return Some(Ok(frame));
            }
            match self.next_part() {
                Ok(Some(frames)) => self.frames = frames.into_iter(),
                Ok(None) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// The names of the bodies, and the positions of the frames that a check of them would look at.
#[pyfunction]
pub(crate) fn plan_of_bodies(py: Python<'_>, bodies: Bodies<'_>, options: &str) -> PyResult<(Vec<String>, Vec<usize>)> {
    let check = prepared(py, bodies, options)?;
    Ok((check.header().bodies.iter().map(|body| body.name.clone()).collect(), check.frames().collect()))
}

#[pymethods]
impl Checked {
    fn __len__(&self) -> usize {
        self.frames.len()
    }

    /// The positions of the frames.
    #[getter]
    fn frames(&self) -> Vec<u64> {
        self.frames.iter().map(|frame| frame.frame).collect()
    }

    /// The first record of a report, in JSON.
    #[getter]
    fn header(&self) -> PyResult<String> {
        json(&self.outcome.header)
    }

    /// What all frames come to, in JSON.
    #[getter]
    fn summary(&self) -> PyResult<String> {
        json(&self.outcome.summary)
    }

    /// What there is to say about what was checked.
    #[getter]
    fn notes(&self) -> Vec<String> {
        let outcome = &self.outcome;
        let stale = outcome.stale_entries();
        self.notes.iter().chain(&outcome.notes).chain(&outcome.remarks).chain(&stale).cloned().collect()
    }

    /// Each finding in a sentence.
    #[getter]
    fn sentences(&self) -> Vec<String> {
        self.outcome.findings().iter().map(|finding| self.outcome.sentence(finding)).collect()
    }

    /// The table that the command prints.
    #[getter]
    fn table(&self) -> String {
        self.outcome.table(TableStyle::PLAIN)
    }

    /// The record of a frame in JSON without its pairs, and the pairs of each of its contacts.
    fn record<'py>(&self, py: Python<'py>, index: usize) -> PyResult<(String, Vec<Bound<'py, PyArray2<u32>>>)> {
        let frame = self.frames.get(index).ok_or_else(|| Refusal::new("NoSuchFrameError", "there is no such frame"))?;
        let pairs = frame.contacts.iter().map(|contact| arrays::rows(py, contact.listed().to_vec()));
        Ok((json(&frame.without_pairs())?, pairs.collect::<PyResult<_>>()?))
    }

    /// Frame, bodies and number of pairs of every contact: (k, 4).
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let of_frame = |frame: &Frame<'_>| {
            let number = frame.frame as u32;
            let rows = frame.contacts.iter().map(move |contact| [number, contact.a, contact.b, contact.count as u32]);
            rows.collect::<Vec<_>>()
        };
        arrays::rows(py, self.frames.iter().flat_map(of_frame).collect())
    }

    /// Frame, bodies and triangles of every pair: (k, 5).
    fn pairs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let mut rows = Vec::new();
        for frame in &self.frames {
            for contact in &frame.contacts {
                let (number, a, b) = (frame.frame as u32, contact.a, contact.b);
                rows.extend(contact.listed().iter().map(|&[i, j]| [number, a, b, i, j]));
            }
        }
        arrays::rows(py, rows)
    }

    /// The records as lines of JSON, without the first `skip`.
    fn lines<'py>(&self, py: Python<'py>, skip: usize) -> PyResult<Bound<'py, PyBytes>> {
        let mut lines = Vec::new();
        for frame in self.frames.iter().skip(skip) {
            serde_json::to_writer(&mut lines, frame).map_err(|error| raised(error.into()))?;
            lines.push(b'\n');
        }
        Ok(PyBytes::new(py, &lines))
    }
}

fn json(record: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(record).map_err(|error| raised(error.into()))
}
