//! Second derivatives: a block per stencil, or numbers with their places.

use super::BodyVertices;
use super::local::Block;
use super::stencil::{BodyVertex, Stencil};

/// The second derivatives of an energy: the sum of a block for each stencil.
#[derive(Clone, Copy, Debug)]
pub struct Hessian<'a> {
    pub(super) stencils: &'a [Stencil],
    pub(super) blocks: &'a [Block],
    pub(super) vertices: &'a BodyVertices,
}

/// The second derivatives for the vertices of one stencil.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct HessianBlock<'a> {
    /// The vertices, two to four.
    pub vertices: &'a [BodyVertex],
    /// Three rows for each vertex; rows and columns beyond those of the vertices are 0.
    pub values: &'a [[f64; 12]; 12],
}

impl<'a> Hessian<'a> {
    /// The blocks, in the order of the stencils.
    pub fn blocks(&self) -> impl ExactSizeIterator<Item = HessianBlock<'a>> + use<'a> {
        self.stencils
            .iter()
            .zip(self.blocks)
            .map(|(stencil, values)| HessianBlock { vertices: &stencil.vertices[..stencil.points()], values })
    }

    /// Row, column and value of every entry of every block, for a sparse matrix that adds up what stands in one place. Row and
    /// column are three times the number of the vertex among all, and the axis.
    pub fn triplets(&self) -> impl Iterator<Item = (usize, usize, f64)> + use<'a> {
        let vertices = self.vertices;
        self.blocks().flat_map(move |HessianBlock { vertices: of, values }| {
            let place = move |i: usize| 3 * vertices.index(of[i / 3]) + i % 3;
            let rows = 3 * of.len();
            (0..rows * rows).map(move |at| {
                let (i, j) = (at / rows, at % rows);
                (place(i), place(j), values[i][j])
            })
        })
    }
}
