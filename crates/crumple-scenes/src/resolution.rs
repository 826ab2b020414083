//! A sphere in two resolutions: which fine triangles stand for which coarse one, and what closes the gap between them.
//!
//! Halving the edges of a triangle again and again gives a *patch* of fine triangles over the same surface; the vertices of
//! the coarse triangle are vertices of the patch, too. Where a patch is shown beside a coarse triangle, the vertices along
//! their common edge would leave cracks: the coarse triangle is then exchanged for a *fan*, from the corner that is not on
//! that edge to the parts of the edge.
//!
//! ```text
//!   coarse        fine below, coarse above: a fan
//!      /\              /|\
//!     /  \            /||\\
//!    /____\          /_||__\
//!                    \/\/\/     patch
//! ```
//!
//! One fan has one fine edge; [`Patches::closure`] makes a triangle fine that would have two.

use crate::error::{SceneError, check};
use crate::shape::{Solid, subdivided};

/// The patches of a sphere, and the fans between coarse and fine.
///
/// All triangles are over the vertices of the fine sphere, the first of which are those of the coarse one.
#[derive(Clone, Debug)]
pub struct Patches {
    coarse: Vec<[u32; 3]>,
    fine: Vec<[u32; 3]>,
    fans: Vec<[u32; 3]>,
    neighbours: Vec<[u32; 3]>,
    parts: usize,
}

/// The triangles of a sphere of `coarse` levels and of one of `fine` levels, more than those, with the fans between them.
///
/// # Errors
///
/// [`SceneError::TooFine`] beyond 9 levels, [`SceneError::TooCoarse`] if `fine` is not above `coarse`.
pub fn patches(solid: Solid, coarse: u32, fine: u32) -> Result<Patches, SceneError> {
    check("levels", fine, coarse + 1, 9)?;
    let (coarse_sphere, fine_sphere) = (subdivided(solid, coarse)?, subdivided(solid, fine)?);
    let halvings = fine - coarse;
    let parts = 1 << halvings;
    let mut fans = Vec::with_capacity(3 * parts * coarse_sphere.triangles.len());
    for (triangle, corners) in coarse_sphere.triangles.iter().enumerate() {
        for edge in 0..3 {
            let tip = corners[(edge + 2) % 3];
            along(&fine_sphere.triangles, triangle, edge, halvings, &mut |[from, to]| fans.push([tip, from, to]));
        }
    }
    let coarse = coarse_sphere.triangles.to_vec();
    Ok(Patches { neighbours: neighbours(&coarse), coarse, fine: fine_sphere.triangles.to_vec(), fans, parts })
}

impl Patches {
    /// The coarse triangles.
    pub fn coarse(&self) -> &[[u32; 3]] {
        &self.coarse
    }

    /// The fine triangles: [`per_patch`](Self::per_patch) for each coarse one, in its order.
    pub fn fine(&self) -> &[[u32; 3]] {
        &self.fine
    }

    /// The triangles of the fans: [`per_fan`](Self::per_fan) for each edge of each coarse triangle, in their order.
    pub fn fans(&self) -> &[[u32; 3]] {
        &self.fans
    }

    /// How many fine triangles stand for a coarse one.
    pub fn per_patch(&self) -> usize {
        self.parts * self.parts
    }

    /// How many triangles a fan has.
    pub fn per_fan(&self) -> usize {
        self.parts
    }

    /// Makes those coarse triangles fine, too, that have two or three fine neighbours, until none is left.
    pub fn closure(&self, is_fine: &mut [bool]) {
        let mut open: Vec<u32> = (0..self.coarse.len() as u32).collect();
        while let Some(triangle) = open.pop() {
            let around = self.neighbours[triangle as usize];
            let fine = around.iter().filter(|&&neighbour| is_fine[neighbour as usize]).count();
            if !is_fine[triangle as usize] && fine > 1 {
                is_fine[triangle as usize] = true;
                open.extend(around);
            }
        }
    }

    /// The edge along which a coarse triangle needs a fan, after [`closure`](Self::closure).
    pub fn fan_edge(&self, triangle: usize, is_fine: &[bool]) -> Option<usize> {
        let fine = |&edge: &usize| is_fine[self.neighbours[triangle][edge] as usize];
        (0..3).find(fine).filter(|_| !is_fine[triangle])
    }
}

/// Calls `each` with the parts of an edge of a triangle that was halved so many times, from its start to its end.
fn along(fine: &[[u32; 3]], triangle: usize, edge: usize, halvings: u32, each: &mut dyn FnMut([u32; 2])) {
    if halvings == 0 {
        let corners = fine[triangle];
        each([corners[edge], corners[(edge + 1) % 3]]);
        return;
    }
    // `subdivided` puts the quarter at each corner at the place of that corner, and the middle one last.
    for corner in [edge, (edge + 1) % 3] {
        along(fine, 4 * triangle + corner, edge, halvings - 1, each);
    }
}

/// The triangle beyond each edge, of a closed surface.
fn neighbours(triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let mut edges: Vec<([u32; 2], u32, usize)> = Vec::with_capacity(3 * triangles.len());
    for (number, corners) in triangles.iter().enumerate() {
        for edge in 0..3 {
            let (from, to) = (corners[edge], corners[(edge + 1) % 3]);
            edges.push(([from.min(to), from.max(to)], number as u32, edge));
        }
    }
    edges.sort_unstable();
    let mut beyond = vec![[0; 3]; triangles.len()];
    for two in edges.chunks_exact(2) {
        let [(_, a, edge_a), (_, b, edge_b)] = [two[0], two[1]];
        beyond[a as usize][edge_a] = b;
        beyond[b as usize][edge_b] = a;
    }
    beyond
}
