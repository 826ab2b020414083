//! A table for pyarrow, polars, DuckDB and whoever else reads the Arrow C data interface; none of them is needed.
//!
//! A stream of one batch, whose columns have no nulls. A column is `uint32`, or a dictionary of strings with `uint32` indices.
//! Batches share the memory of the table and keep it alive.
//! Held by: `tests/test_arrow.py`, which reads it by hand.

use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::UInt32Type;
use arrow_array::{
    ArrayRef, DictionaryArray, RecordBatch, RecordBatchIterator, RecordBatchOptions, StringArray, UInt32Array,
};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, Field, Schema};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::errors::Refusal;

/// What was found, as a table that any reader of Arrow takes: `pyarrow.table(t)`, `polars.DataFrame(t)`, `duckdb.sql("from t")`.
#[pyclass(frozen, module = "crumple")]
#[derive(Debug)]
pub(crate) struct ArrowTable(RecordBatch);

#[pymethods]
impl ArrowTable {
    /// From columns of one length: name, values, and the strings that the values are indices into, if they are.
    #[new]
    fn new(columns: Vec<(String, PyReadonlyArray1<'_, u32>, Option<Vec<String>>)>) -> PyResult<Self> {
        let rows = columns.first().map_or(0, |(_, values, _)| values.as_array().len());
        let (mut fields, mut arrays) = (Vec::new(), Vec::new());
        for (name, values, strings) in columns {
            if name.contains('\0') {
                return Err(Refusal::new("ReportError", "a column's name has a null in it").into());
            }
            let values = UInt32Array::from(values.as_array().to_vec());
            let array: ArrayRef = match strings {
                Some(strings) => {
                    let strings = Arc::new(StringArray::from(strings));
                    Arc::new(DictionaryArray::<UInt32Type>::try_new(values, strings).map_err(refused)?)
                }
                None => Arc::new(values),
            };
            fields.push(Field::new(name, array.data_type().clone(), false));
            arrays.push(array);
        }
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        let schema = Arc::new(Schema::new(fields));
        Ok(Self(RecordBatch::try_new_with_options(schema, arrays, &options).map_err(refused)?))
    }

    /// The columns by name.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.0.schema_ref().fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The schema, as a capsule named "arrow_schema".
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(&**self.0.schema_ref()).map_err(refused)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// The table, as a capsule named "arrow_array_stream". A schema asked for is not cast to.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let batches = RecordBatchIterator::new([Ok(self.0.clone())], self.0.schema());
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), c"arrow_array_stream")
    }

    fn __len__(&self) -> usize {
        self.0.num_rows()
    }
}

/// Columns that do not fit together, as an error of the package.
fn refused(error: ArrowError) -> PyErr {
    Refusal::new("ReportError", error.to_string()).into()
}
