//! The tests of `exact::vertex_face_impact` and `exact::edge_edge_impact` against an independent exact reference.

mod polynomial;
mod reference;

mod cases;
mod families;

use crumple::exact::{ImpactTime, edge_edge_impact, vertex_face_impact};

pub(crate) type Points = [[f64; 3]; 4];

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    VertexFace,
    EdgeEdge,
}

pub(crate) const KINDS: [Kind; 2] = [Kind::VertexFace, Kind::EdgeEdge];

impl Kind {
    pub(crate) fn impact(self, start: &Points, end: &Points) -> Option<ImpactTime> {
        match self {
            Self::VertexFace => vertex_face_impact(start, end),
            Self::EdgeEdge => edge_edge_impact(start, end),
        }
    }

    /// Orders of the points that leave the features what they are.
    pub(crate) fn orders(self) -> &'static [[usize; 4]] {
        match self {
            Self::VertexFace => &[[0, 2, 3, 1], [0, 3, 1, 2], [0, 1, 3, 2], [0, 3, 2, 1], [0, 2, 1, 3]],
            Self::EdgeEdge => {
                &[[1, 0, 2, 3], [0, 1, 3, 2], [1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 0, 1], [2, 3, 1, 0], [3, 2, 1, 0]]
            }
        }
    }
}

/// Compares a query with the reference; if `in_all_orders`, bit for bit in every order of the points and at other
/// scales, and yes or no backwards in time. Whether the features meet.
pub(crate) fn check(kind: Kind, start: &Points, end: &Points, in_all_orders: bool) -> bool {
    let found = kind.impact(start, end);
    let truth = reference::impact(kind, start, end);
    assert_eq!(found.map(|time| [time.lo, time.hi]), truth, "{kind:?} {start:?} {end:?}");
    if in_all_orders {
        for order in kind.orders() {
            let [start, end] = [start, end].map(|points| order.map(|i| points[i]));
            assert_eq!(kind.impact(&start, &end), found, "in another order: {kind:?} {start:?} {end:?}");
        }
        assert_eq!(kind.impact(end, start).is_some(), found.is_some(), "backwards: {kind:?} {start:?} {end:?}");
        for power in [-300, -40, 7, 60, 300].map(|power| 2f64.powi(power)) {
            let scale = |points: &Points, power: f64| points.map(|point| point.map(|x| x * power));
            let (small_start, small_end) = (scale(start, power), scale(end, power));
            // Scaled back it has to be the same, or numbers were rounded.
            if scale(&small_start, 1.0 / power) == *start && scale(&small_end, 1.0 / power) == *end {
                assert_eq!(kind.impact(&small_start, &small_end), found, "times {power}: {kind:?} {start:?} {end:?}");
            }
        }
    }
    found.is_some()
}
