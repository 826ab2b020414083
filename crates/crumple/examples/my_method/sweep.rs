//! A method of one's own: boxes sorted along x, each compared with those that begin before it ends (sweep and prune).

use crumple::{
    Body, TriangleId,
    narrow::{Boxed, Flow, PairMethod, PairTest, SelfTest, Side},
};

/// Kept per body: its triangles with their boxes, by where they begin along x.
type Boxes = Vec<Boxed>;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sweep;

impl PairMethod for Sweep {
    type Tree = Boxes;
    type Scratch = ();

    fn build(&self, body: &Body) -> Boxes {
        let mut boxes = Vec::new();
        self.update(&mut boxes, body);
        boxes
    }

    fn update(&self, boxes: &mut Boxes, body: &Body) {
        boxes.clear();
        let live = body.mesh().live_triangles().map(|(triangle, _)| triangle);
        boxes.extend(live.map(|triangle| Boxed { bounds: body.triangle_box(triangle), triangle }));
        boxes.sort_unstable_by(|a, b| begin(a).total_cmp(&begin(b)));
    }

    fn find_pairs(&self, a: Side<'_, Boxes>, b: Side<'_, Boxes>, (): &mut (), test: &mut PairTest<'_>) -> Flow {
        // Each pair once: by whichever begins first, and of two that begin together by the one of `a`.
        for one in a.tree {
            let others = b.tree.partition_point(|other| begin(other) < begin(one));
            sweep(one, &b.tree[others..], |other| test.candidate(one.triangle, other))?;
        }
        b.tree.iter().try_for_each(|one| {
            let others = a.tree.partition_point(|other| begin(other) <= begin(one));
            sweep(one, &a.tree[others..], |other| test.candidate(other, one.triangle))
        })
    }

    fn find_self_pairs(&self, side: Side<'_, Boxes>, (): &mut (), test: &mut SelfTest<'_>) -> Flow {
        (1..)
            .zip(side.tree)
            .try_for_each(|(next, one)| sweep(one, &side.tree[next..], |other| test.candidate(one.triangle, other)))
    }
}

fn begin(one: &Boxed) -> f32 {
    one.bounds.min()[0]
}

/// Hands over which of `others`, none of which begins before `one` does, overlap it.
fn sweep(one: &Boxed, others: &[Boxed], candidate: impl FnMut(TriangleId) -> Flow) -> Flow {
    let lasting = others.iter().take_while(|other| begin(other) <= one.bounds.max()[0]);
    lasting.filter(|other| other.bounds.overlaps(&one.bounds)).map(|other| other.triangle).try_for_each(candidate)
}
