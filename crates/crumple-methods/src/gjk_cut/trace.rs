//! What each cut leaves of two bodies, to be looked at.
//!
//! Paper: Hatab & Kheddar 2006, figure 1. The cuts are those of the paper's algorithm 4.2 on the whole bodies, before anything
//! is split. Costs what the cuts cost, and a copy of what is left after each; for pictures, not for searches.

use super::corners::LocalCoordinates;
use super::cut::{AfterCut, Cutter, TopList, between_vertices};
use super::lists::{ListStack, Memory};
use super::options::GjkCutOptions;
use crumple::{Aabb, Body, TriangleId};

/// A cut of two bodies along a direction.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CutStep {
    /// The direction from the first body to the second, of length one.
    pub direction: [f64; 3],
    /// The triangles of both bodies that are left, in ascending order; none if the direction separates the bodies.
    pub left: [Vec<TriangleId>; 2],
}

/// The cuts with which the paper's search of two bodies begins, one after another, until a cut takes nothing from one of them
/// or separates them. None if the boxes of the bodies are apart.
///
/// ```
/// use crumple_methods::gjk_cut::cut_steps;
/// use crumple::{Body, Mesh, TriangleId};
///
/// // Two strips of two triangles overlap at their ends: a triangle of the first strip does not reach the second.
/// let mesh = || Mesh::new(4, vec![[0, 1, 2], [1, 3, 2]]);
/// let along_x = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 1.0, 0.0], [8.0, 1.0, 0.0]];
/// let a = Body::new(mesh()?, &along_x)?;
/// let b = Body::new(mesh()?, &along_x.map(|[x, y, z]| [x + 6.0, y, z]))?;
/// let steps = cut_steps(&a, &b);
/// assert_eq!(steps[0].left[0], [TriangleId(1)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cut_steps(a: &Body, b: &Body) -> Vec<CutStep> {
    let region = a.bounds().intersection(&b.bounds());
    let mut steps = Vec::new();
    if region.is_empty() {
        return steps;
    }
    let options = GjkCutOptions::of_the_paper();
    let local = LocalCoordinates::new(&a.bounds().union(&b.bounds()), &region, a.rounding().max(b.rounding()));
    let cutter = Cutter::new(&local, &options);
    let mut memory = [Memory::default(), Memory::default()];
    let [memory_a, memory_b] = &mut memory;
    let mut stacks =
        [ListStack::new(a, &local, memory_a, options.support), ListStack::new(b, &local, memory_b, options.support)];
    stacks.iter_mut().for_each(|stack| {
        stack.push_body(&stack.body.bounds());
    });
    let [stack_a, stack_b] = &mut stacks;
    let mut a = TopList { stack: stack_a, start: 0, bounds: Aabb::EMPTY };
    let mut b = TopList { stack: stack_b, start: 0, bounds: Aabb::EMPTY };
    let mut direction = between_vertices(&a, &b);
    loop {
        let after = cutter.cut_once(direction, &mut a, &mut b);
        let left = match after {
            AfterCut::Apart => Default::default(),
            _ => [numbers(&a), numbers(&b)],
        };
        steps.push(CutStep { direction: direction.to_array(), left });
        match after {
            AfterCut::GoOn(next) => direction = next,
            AfterCut::Apart | AfterCut::Done => return steps,
        }
    }
}

fn numbers(list: &TopList<'_, '_>) -> Vec<TriangleId> {
    // Lists keep their order, and bodies begin with that of their numbers.
    list.stack.list(list.start).iter().map(|item| item.triangle).collect()
}
