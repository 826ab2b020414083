//! A table in the Arrow C data interface, for pyarrow, polars, DuckDB and whoever else reads it; none of them is needed.
//!
//! Layout: <https://arrow.apache.org/docs/format/CDataInterface.html> and `CStreamInterface.html`. A stream of one batch, which is a
//! struct of columns without nulls. A column is `uint32`, or a dictionary of strings with `uint32` indices. Batches share the
//! memory of the table and keep it alive.
//!
//! `unsafe` is lifted in this file only: the interface is raw pointers and callbacks in C. Two rules make it sound:
//! a structure owns what its pointers point at through `private_data`, a box that `release` takes back; and whoever moves a
//! structure elsewhere sets the `release` of the original to null, so it is released once.
//! Held by: `tests/test_arrow.py`, which reads it by hand.
#![allow(unsafe_code)]

use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr;
use std::sync::Arc;

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::errors::Refusal;

/// What was found, as a table that any reader of Arrow takes: `pyarrow.table(t)`, `polars.DataFrame(t)`, `duckdb.sql("from t")`.
#[pyclass(frozen, module = "crumple")]
#[derive(Debug)]
pub(crate) struct ArrowTable {
    table: Arc<Table>,
}

#[derive(Debug)]
struct Table {
    rows: usize,
    columns: Vec<Column>,
}

#[derive(Debug)]
struct Column {
    name: CString,
    values: Vec<u32>,
    /// What the values are indices into, for a column of strings.
    strings: Option<Strings>,
}

/// Strings one after another, and where each begins and ends.
#[derive(Debug)]
struct Strings {
    offsets: Vec<i32>,
    bytes: Vec<u8>,
}

impl Strings {
    fn new(strings: &[String]) -> Result<Self, Refusal> {
        let (mut offsets, mut bytes) = (vec![0], Vec::new());
        for string in strings {
            bytes.extend_from_slice(string.as_bytes());
            let end =
                i32::try_from(bytes.len()).map_err(|_| Refusal::new("ReportError", "the names take over 2 GiB"))?;
            offsets.push(end);
        }
        Ok(Self { offsets, bytes })
    }
}

#[pymethods]
impl ArrowTable {
    /// From columns of one length: name, values, and the strings that the values are indices into, if they are.
    #[new]
    fn new(columns: Vec<(String, PyReadonlyArray1<'_, u32>, Option<Vec<String>>)>) -> PyResult<Self> {
        let rows = columns.first().map_or(0, |(_, values, _)| values.as_array().len());
        let mut taken = Vec::new();
        for (name, values, strings) in columns {
            let values = values.as_array().to_vec();
            let known = strings.as_ref().map_or(usize::MAX, Vec::len);
            if values.len() != rows || values.iter().any(|&value| value as usize >= known) {
                return Err(Refusal::new("ReportError", format!("the column {name} does not fit the others")).into());
            }
            let name =
                CString::new(name).map_err(|_| Refusal::new("ReportError", "a column's name has a null in it"))?;
            taken.push(Column { name, values, strings: strings.map(|strings| Strings::new(&strings)).transpose()? });
        }
        Ok(Self { table: Arc::new(Table { rows, columns: taken }) })
    }

    /// The columns by name.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.table.columns.iter().map(|column| column.name.to_string_lossy().into_owned()).collect()
    }

    /// The schema, as a capsule named "arrow_schema".
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        PyCapsule::new_with_value(py, ArrowSchema::of(&self.table), c"arrow_schema")
    }

    /// The table, as a capsule named "arrow_array_stream". A schema asked for is not cast to.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        PyCapsule::new_with_value(py, ArrowArrayStream::of(Arc::clone(&self.table)), c"arrow_array_stream")
    }

    fn __len__(&self) -> usize {
        self.table.rows
    }
}

/// `struct ArrowSchema` of the interface.
#[repr(C)]
struct ArrowSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut ArrowSchema,
    dictionary: *mut ArrowSchema,
    release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    private_data: *mut c_void,
}

/// `struct ArrowArray` of the interface.
#[repr(C)]
struct ArrowArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut ArrowArray,
    dictionary: *mut ArrowArray,
    release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    private_data: *mut c_void,
}

/// `struct ArrowArrayStream` of the interface.
#[repr(C)]
struct ArrowArrayStream {
    get_schema: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut ArrowArrayStream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut ArrowArrayStream)>,
    private_data: *mut c_void,
}

// SAFETY: what these point at belongs to them alone or is immutable memory of an `Arc<Table>`, which is `Send` and `Sync`.
unsafe impl Send for ArrowSchema {}
// SAFETY: as above.
unsafe impl Send for ArrowArrayStream {}

/// What a schema or an array owns, besides itself: children and dictionary in boxes of their own, so that a consumer may move
/// them out, and the lists that point at them.
struct Owned<T> {
    children: Vec<*mut T>,
    dictionary: *mut T,
    buffers: Vec<*const c_void>,
    _name: CString,
    _table: Option<Arc<Table>>,
}

impl<T> Drop for Owned<T> {
    fn drop(&mut self) {
        for child in self.children.drain(..).chain([self.dictionary]) {
            if !child.is_null() {
                // SAFETY: made by `Box::into_raw` in this file and freed only here; dropping it releases what was not moved out.
                drop(unsafe { Box::from_raw(child) });
            }
        }
    }
}

fn boxed<T>(values: impl Iterator<Item = T>) -> Vec<*mut T> {
    values.map(|value| Box::into_raw(Box::new(value))).collect()
}

impl ArrowSchema {
    fn of(table: &Table) -> Self {
        let column = |column: &Column| {
            let dictionary = column.strings.as_ref().map(|_| Self::new(c"u", CString::default(), Vec::new(), None));
            Self::new(c"I", column.name.clone(), Vec::new(), dictionary)
        };
        Self::new(c"+s", CString::default(), boxed(table.columns.iter().map(column)), None)
    }

    fn new(format: &'static std::ffi::CStr, name: CString, children: Vec<*mut Self>, dictionary: Option<Self>) -> Self {
        let dictionary = dictionary.map_or(ptr::null_mut(), |schema| Box::into_raw(Box::new(schema)));
        let name_at = name.as_ptr();
        let mut owned = Box::new(Owned { children, dictionary, buffers: Vec::new(), _name: name, _table: None });
        Self {
            format: format.as_ptr(),
            name: name_at,
            metadata: ptr::null(),
            flags: 0,
            n_children: owned.children.len() as i64,
            children: owned.children.as_mut_ptr(),
            dictionary,
            release: Some(release_schema),
            private_data: Box::into_raw(owned).cast(),
        }
    }
}

impl ArrowArray {
    fn of(table: &Arc<Table>) -> Self {
        let column = |column: &Column| {
            let dictionary = column.strings.as_ref().map(|strings| {
                let buffers = vec![ptr::null(), strings.offsets.as_ptr().cast(), strings.bytes.as_ptr().cast()];
                Self::new(table, strings.offsets.len() - 1, buffers, Vec::new(), None)
            });
            Self::new(table, table.rows, vec![ptr::null(), column.values.as_ptr().cast()], Vec::new(), dictionary)
        };
        Self::new(table, table.rows, vec![ptr::null()], boxed(table.columns.iter().map(column)), None)
    }

    fn new(
        table: &Arc<Table>,
        length: usize,
        buffers: Vec<*const c_void>,
        children: Vec<*mut Self>,
        dictionary: Option<Self>,
    ) -> Self {
        let dictionary = dictionary.map_or(ptr::null_mut(), |array| Box::into_raw(Box::new(array)));
        let table = Some(Arc::clone(table));
        let mut owned = Box::new(Owned { children, dictionary, buffers, _name: CString::default(), _table: table });
        Self {
            length: length as i64,
            null_count: 0,
            offset: 0,
            n_buffers: owned.buffers.len() as i64,
            n_children: owned.children.len() as i64,
            buffers: owned.buffers.as_mut_ptr(),
            children: owned.children.as_mut_ptr(),
            dictionary,
            release: Some(release_array),
            private_data: Box::into_raw(owned).cast(),
        }
    }
}

/// What a stream still has to hand out.
struct Rest {
    table: Arc<Table>,
    is_done: bool,
}

impl ArrowArrayStream {
    fn of(table: Arc<Table>) -> Self {
        Self {
            get_schema: Some(get_schema),
            get_next: Some(get_next),
            get_last_error: Some(get_last_error),
            release: Some(release_stream),
            private_data: Box::into_raw(Box::new(Rest { table, is_done: false })).cast(),
        }
    }
}

/// Releases a structure that is dropped by us unless a consumer has released it or moved it away.
macro_rules! released_once {
    ($structure:ty) => {
        impl Drop for $structure {
            fn drop(&mut self) {
                if let Some(release) = self.release {
                    // SAFETY: not released and not moved away, or `release` would be null.
                    unsafe { release(self) };
                }
            }
        }
    };
}

released_once!(ArrowSchema);
released_once!(ArrowArray);
released_once!(ArrowArrayStream);

unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: the interface promises a structure that is not released; its box was made in `ArrowSchema::new`.
    unsafe {
        (*schema).release = None;
        drop(Box::from_raw((*schema).private_data.cast::<Owned<ArrowSchema>>()));
    }
}

unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    // SAFETY: as above, by `ArrowArray::new`.
    unsafe {
        (*array).release = None;
        drop(Box::from_raw((*array).private_data.cast::<Owned<ArrowArray>>()));
    }
}

unsafe extern "C" fn release_stream(stream: *mut ArrowArrayStream) {
    // SAFETY: as above, by `ArrowArrayStream::of`.
    unsafe {
        (*stream).release = None;
        drop(Box::from_raw((*stream).private_data.cast::<Rest>()));
    }
}

unsafe extern "C" fn get_schema(stream: *mut ArrowArrayStream, out: *mut ArrowSchema) -> c_int {
    // SAFETY: the interface promises a stream that is not released, used by one thread at a time, and room at `out`,
    // whose old contents are not dropped.
    unsafe {
        let rest = &*(*stream).private_data.cast::<Rest>();
        out.write(ArrowSchema::of(&rest.table));
    }
    0
}

unsafe extern "C" fn get_next(stream: *mut ArrowArrayStream, out: *mut ArrowArray) -> c_int {
    // SAFETY: as in `get_schema`. The end is told by an array that is released: all zeros is one, since a null pointer and
    // an absent function are zeros.
    unsafe {
        let rest = &mut *(*stream).private_data.cast::<Rest>();
        if std::mem::replace(&mut rest.is_done, true) {
            ptr::write_bytes(out, 0, 1);
        } else {
            out.write(ArrowArray::of(&rest.table));
        }
    }
    0
}

unsafe extern "C" fn get_last_error(_stream: *mut ArrowArrayStream) -> *const c_char {
    // Nothing here fails.
    ptr::null()
}
