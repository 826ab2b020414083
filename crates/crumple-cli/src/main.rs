//! The `crumple` command.
fn main() {}
