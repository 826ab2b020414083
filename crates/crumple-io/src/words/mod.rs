//! Numbers, names and tables as people read them, for the terminal and the page.

mod names;
mod numbers;
mod table;
mod unique;

pub use names::{cell, escaped, shown};
pub use numbers::{area, bytes, count, counted, length, number, ratio, size, time};
pub use table::{Align, Table};
pub use unique::UniqueNames;
