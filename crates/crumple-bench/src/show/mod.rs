//! What was measured, as tables, records, files and plots.

pub(crate) mod csv;
pub(crate) mod figures;
pub mod plot;
pub(crate) mod summary;
pub mod tables;

pub use summary::Summaries;
