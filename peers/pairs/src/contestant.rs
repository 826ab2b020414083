//! What is asked of everybody: take in the vertices of a frame, then find all pairs of triangles that meet.

use anyhow::Result;

/// The vertices of all bodies in one frame.
pub(crate) type Positions = [Vec<[f32; 3]>];

/// Two bodies and a triangle of each.
pub(crate) type Pair = [u32; 4];

/// A library, or one of crumple's methods.
pub(crate) trait Contestant {
    /// What tables call it.
    fn label(&self) -> &str;

    /// Takes in a frame; timed. Conversion into the library's own vectors is part of it.
    fn update(&mut self, positions: &Positions) -> Result<()>;

    /// Finds the pairs; timed.
    fn query(&mut self) -> Result<()>;

    /// The pairs last found, in any order; not timed.
    fn found(&mut self) -> Result<Vec<Pair>>;

    /// Goes through a pass in the threads the contestant may use.
    fn within(&mut self, pass: Pass<'_>) -> Result<()>;
}

/// A pass over all frames.
pub(crate) type Pass<'a> = &'a mut (dyn FnMut(&mut dyn Contestant) -> Result<()> + Send);

/// Which bodies are asked about: each two whose boxes overlap, or each one by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    Pairs,
    Own,
}

/// A box as two corners.
pub(crate) type Corners = ([f32; 3], [f32; 3]);

/// The bodies to ask about by a library that has no broad phase of its own.
pub(crate) fn jobs(boxes: &[Corners], question: Question) -> Vec<(usize, usize)> {
    if question == Question::Own {
        return (0..boxes.len()).map(|body| (body, body)).collect();
    }
    let overlap = |(low, high): &Corners, (other_low, other_high): &Corners| {
        (0..3).all(|axis| low[axis] <= other_high[axis] && other_low[axis] <= high[axis])
    };
    let later = |a: usize| (a + 1..boxes.len()).map(move |b| (a, b));
    (0..boxes.len()).flat_map(later).filter(|&(a, b)| overlap(&boxes[a], &boxes[b])).collect()
}

/// The box of a body.
pub(crate) fn corners_of(positions: &[[f32; 3]]) -> Corners {
    let empty = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    positions.iter().fold(empty, |(low, high), p| {
        (std::array::from_fn(|axis| low[axis].min(p[axis])), std::array::from_fn(|axis| high[axis].max(p[axis])))
    })
}
