//! "Do these share a point?", decided on the numbers as they are, f32 or f64: always right, never within a tolerance.
//!
//! Layers, each asked only what the one before it could not tell: `quick` decides nearly all pairs in f32; `flat` those in one
//! plane, eight at a time; `filter`
//! evaluates a determinant in f64 and knows how wrong it can be; `predicates` takes over with adaptive exact arithmetic
//! where a sign is in doubt; `triangle_pair` asks only for such signs, and `proper` whether a pair that meets passes through. What falls out of the general case — coplanar
//! triangles, triangles without area — is decided in `simplex_pair`. `axis_ray` asks for the same signs to tell whether a
//! point is inside a surface, `fan` whether the triangles around a vertex overlap, `contour` whether a piece of surface lies side by side seen along an axis, `ray` where a ray meets a triangle;
//! `nudged` asks for them after an infinitesimal motion of one body, `own_motions` of every vertex by itself, so that none is 0. `impact` asks when two features meet that
//! move, on f64 numbers.
//!
//! All but `quick` work on f64 numbers, to which f32 numbers widen without change. f64 numbers must be 0 or of a size
//! between 2^-300 and 2^128, so that nothing underflows or overflows (`predicates`); bodies take in no others.
//!
//! Held by: `tests/exactness/triangles` (independent references on whole numbers), `fixtures/tri_tri.csv`.

mod axis_ray;
mod contour;
mod fan;
mod filter;
mod flat;
mod impact;
mod nudged;
mod own_motions;
mod predicates;
mod proper;
mod quick;
mod ray;
mod self_pair;
mod simplex_pair;
mod triangle_pair;

pub use axis_ray::{BeforePoint, before_point_f64};
pub(crate) use contour::{Contour, Look, all_turn_left};
pub(crate) use fan::lies_side_by_side;
pub(crate) use flat::seen_along_an_axis;
pub(crate) use impact::{Features, candidate_impact, lanes};
pub use impact::{ImpactTime, edge_edge_impact, vertex_face_impact};
pub(crate) use nudged::{Moved, NudgedPair, winding_step};
pub(crate) use own_motions::OwnMotions;
#[cfg(test)]
pub(crate) use own_motions::motion;
pub use proper::{triangles_cross, triangles_cross_f64};
pub(crate) use quick::{Verdict, meet};
pub(crate) use ray::{ExactRay, RayMeeting};
pub use self_pair::{SharedVertices, self_pair_meets, self_pair_meets_f64};
pub use simplex_pair::{has_no_area, segment_meets_triangle};
pub(crate) use triangle_pair::{corners_meet, decide};
pub use triangle_pair::{triangles_meet, triangles_meet_f64};

/// A corner in f64, to which f32 numbers widen without change.
type Point = [f64; 3];

/// On which side of a plane or line something lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Negative = -1,
    Zero = 0,
    Positive = 1,
}

impl Sign {
    fn of(value: f64) -> Self {
        if value > 0.0 {
            Self::Positive
        } else if value < 0.0 {
            Self::Negative
        } else {
            Self::Zero
        }
    }

    fn opposite(self) -> Self {
        match self {
            Self::Negative => Self::Positive,
            Self::Zero => Self::Zero,
            Self::Positive => Self::Negative,
        }
    }
}

fn widened(corners: &[[f32; 3]; 3]) -> [Point; 3] {
    corners.map(|corner| corner.map(f64::from))
}
