//! What can be wrong with what a page is asked to show.

use std::io;

/// Why a page could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PageError {
    /// The system would not take the page.
    #[error("the page could not be written")]
    Io(#[from] io::Error),
    /// The header names more or fewer bodies than there are lists of triangles or positions.
    #[error("the header names {bodies} bodies, but there are {what} of {given}; give one for each body")]
    Bodies {
        /// Bodies of the header.
        bodies: usize,
        /// Bodies given something.
        given: usize,
        /// What they were given.
        what: &'static str,
    },
    /// A body has another number of triangles or vertices than its record says.
    #[error("body {body} has {expected} {what} by its record, but {given} were given")]
    Count {
        /// The body, by its index in the header.
        body: usize,
        /// What is counted.
        what: &'static str,
        /// By the record.
        expected: u64,
        /// As given.
        given: usize,
    },
    /// A triangle uses a vertex the body does not have.
    #[error("body {body}: triangle {triangle} uses vertex {vertex}, but there are {vertices} vertices")]
    NoSuchVertex {
        /// The body.
        body: usize,
        /// The triangle.
        triangle: usize,
        /// The vertex it names.
        vertex: u32,
        /// How many there are.
        vertices: u64,
    },
    /// A contact names a body, triangle or vertex that is not there.
    #[error("frame {frame}: a contact names {what} {given}, but there are {len}")]
    NoSuch {
        /// The frame's number.
        frame: u64,
        /// Body, triangle or vertex.
        what: &'static str,
        /// As named.
        given: u32,
        /// How many there are.
        len: usize,
    },
    /// A span of an overlap has an end that is NaN or infinite.
    #[error("frame {frame}: span {span} of an overlap ends at {value}, which is not a finite number")]
    SpanNotFinite {
        /// The frame's number.
        frame: u64,
        /// The span.
        span: usize,
        /// The coordinate.
        value: f32,
    },
}
