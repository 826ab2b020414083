//! What is intended, and so no finding: bodies that are left out, seams of parts, the rest pose, shallow contacts, known findings.

pub mod baseline;
pub(crate) mod gate;
pub(crate) mod rest;
pub(crate) mod seams;
pub(crate) mod select;
