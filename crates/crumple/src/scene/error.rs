//! What can go wrong with a scene.

use std::fmt;
use std::sync::Arc;

use super::BodyId;
use crate::body::{BodyError, EditError};
use crate::broad::BroadError;
use crate::contact::SelfOverlapError;
use crate::geom::Shown;
use crate::mesh::EdgeFault;
use crate::probe::QueryError;

/// Why a call on a scene was refused; the scene is then as it was before.
///
/// The message is complete: it includes that of a field `source`, since most programs print an error without its causes. So
/// [`Error::source`](std::error::Error::source) returns nothing, and a program that prints causes, too, prints nothing twice.
// Written `r#source`, a field is not taken for a source by `thiserror`.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// The id names no body of this scene.
    #[error("there is no body {body} in this scene: it was removed, or the id is another scene's")]
    UnknownBody {
        /// The id as given.
        body: BodyId,
    },
    /// Positions were refused.
    #[error("the positions of body {} were refused: {source}", Label(*body, name.as_deref()))]
    Body {
        /// Whose positions.
        body: BodyId,
        /// The name of the body, if it has one.
        name: Option<Arc<str>>,
        /// What is wrong with them.
        r#source: BodyError,
    },
    /// A change of triangles was refused.
    #[error("the change of triangles of body {body} was refused: {source}")]
    Edit {
        /// Whose triangles.
        body: BodyId,
        /// What is wrong with the change.
        r#source: EditError,
    },
    /// The triangles of a body were to be changed while it is not known where its vertices are.
    #[error("body {body} is known only by its loose box: give its vertices before its triangles are changed")]
    EditWithoutVertices {
        /// The body.
        body: BodyId,
    },
    /// A body was to be fused with itself.
    #[error("body {body} cannot be fused with itself: name two bodies")]
    FuseWithItself {
        /// The body.
        body: BodyId,
    },
    /// A body known only by its loose box came near another, or is asked about by name.
    #[error(
        "only the loose box of body {body} is known, but its vertices are needed to ask about body {near}: set its \
         positions, or use update_with"
    )]
    VerticesNeeded {
        /// The body whose vertices are needed.
        body: BodyId,
        /// The body that is near; the same one if it is asked about itself.
        near: BodyId,
    },
    /// A thickness is no length, or larger than the body.
    #[error(
        "the thickness of body {body} is {}, but it must be a number from 0 to {}, the body's longest side",
        Shown(*thickness), Shown(*most)
    )]
    BadThickness {
        /// The body.
        body: BodyId,
        /// The thickness as given.
        thickness: f64,
        /// The longest side of the body's box.
        most: f64,
    },
    /// A body without triangles is at no distance from another.
    #[error("body {body} has no triangles, so nothing is at any distance from it")]
    NoTriangles {
        /// The body.
        body: BodyId,
    },
    /// The distance of a body from itself was asked for.
    #[error("the distance of body {body} from itself was asked for: name two bodies, or use Frame::near")]
    DistanceFromItself {
        /// The body.
        body: BodyId,
    },
    /// The broad phase refused the box of a body.
    #[error("the broad phase refused the box of body {body}: {source}")]
    BroadPhase {
        /// The body.
        body: BodyId,
        /// Why.
        r#source: BroadError,
    },
    /// A body does not enclose a volume.
    #[error(
        "body {body} encloses no volume: along {} edges more triangles run one way than the other, the first from vertex {} \
         to vertex {} (triangle {}); close the surface and turn its triangles the same way round",
        fault.count, fault.from, fault.to, fault.triangle.0
    )]
    NotClosed {
        /// The body.
        body: BodyId,
        /// How many edges, and the first.
        fault: EdgeFault,
    },
    /// The overlap of a body with itself was asked for.
    #[error("the overlap of body {body} with itself was asked for: name two bodies, or use Frame::self_overlap")]
    OverlapWithItself {
        /// The body.
        body: BodyId,
    },
    /// How much a body overlaps itself cannot be computed.
    #[error("how much body {body} overlaps itself cannot be computed: {source}")]
    SelfOverlap {
        /// The body.
        body: BodyId,
        /// Why.
        r#source: SelfOverlapError,
    },
    /// How deep a body is in itself, or how it is parted from itself, was asked for.
    #[error("body {body} cannot be parted from itself: name two bodies to ask how deep they are in each other")]
    DepthInItself {
        /// The body.
        body: BodyId,
    },
    /// A search can not be narrowed to this.
    #[error("the tolerance is {}, but it must be a number from 0 up", Shown(*tolerance))]
    BadTolerance {
        /// The tolerance as given.
        tolerance: f64,
    },
    /// A question for closest points was refused.
    #[error("the closest points of body {body} cannot be found: {source}")]
    ClosestPoint {
        /// The body.
        body: BodyId,
        /// Why.
        r#source: QueryError,
    },
    /// A ray was refused.
    #[error("the rays cannot be cast: {source}")]
    Ray {
        /// Why.
        r#source: QueryError,
    },
}

/// A body in a message: by its name, or else by its number.
struct Label<'a>(BodyId, Option<&'a str>);

impl fmt::Display for Label<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            Some(name) => write!(f, "\"{name}\""),
            None => self.0.fmt(f),
        }
    }
}
