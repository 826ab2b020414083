//! The experiments of crumple: what four papers measured, repeated, and some of our own.
//!
//! `crumple bench` runs them; the order of the modules is the order of the work:
//!
//! ```text
//! catalogue ─► an experiment is a list of trials (scene, question, methods) or a function of the settings
//! measure   ─► every method goes through all frames several times; the pairs found must agree; so does the floor
//! show      ─► medians and ratios, as tables, records, CSV and plots
//! ```
//!
//! The *floor* is the lower bound every method is compared with: read the vertices once, and confirm the known answer.
//!
//! ```
//! use crumple_bench::Selection;
//!
//! let selection = Selection::new(&["LE1".to_owned()], false)?;
//! assert!(selection.includes("LE1"));
//! println!("{}", selection.list());
//! # Ok::<(), anyhow::Error>(())
//! ```

mod catalogue;
mod experiment;
mod experiments;
mod methods;
mod run;
mod settings;

pub mod gpu;
pub mod measure;
pub mod show;

pub use experiment::{Question, Variant};
pub use methods::methods;
pub use run::{Form, Output, Results, Selection};
pub use settings::Settings;
