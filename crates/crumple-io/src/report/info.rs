//! The record of `info`: what files contain.

use serde::{Deserialize, Serialize};

use super::{BodyRecord, SCHEMA};

/// What `info` reports about files: their bodies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Info {
    /// [`SCHEMA`].
    pub schema: String,
    /// The bodies; their ids are their indices in this list.
    pub bodies: Vec<InfoBody>,
    /// The animations of glTF files, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub animations: Vec<AnimationRecord>,
}

impl Info {
    /// A record of the present schema.
    pub fn new(bodies: Vec<InfoBody>) -> Self {
        Info { schema: SCHEMA.into(), bodies, animations: Vec::new() }
    }

    /// The same record with animations.
    pub fn with_animations(self, animations: Vec<AnimationRecord>) -> Self {
        Info { animations, ..self }
    }
}

/// An animation that can be asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AnimationRecord {
    /// The file that has it, as it was named.
    pub file: String,
    /// Its name, or its number where it has none.
    pub name: String,
    /// The time of its last key.
    pub seconds: f64,
}

/// One body of [`Info`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct InfoBody {
    /// What every report contains about a body.
    #[serde(flatten)]
    pub body: BodyRecord,
    /// How many frames it has; 1 if it stands still.
    pub frames: u64,
    /// The numbers that its files give the first and the last frame; missing where they give none, or count from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub numbers: Option<[u64; 2]>,
    /// The sides of the box around it in its first frame; missing if it has no vertices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<[f64; 3]>,
    /// The unit of its coordinates, where its format has one: `m` of glTF.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Edges that belong to an odd number of triangles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<EdgesRecord>,
    /// Edges of more than two triangles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub non_manifold: Option<EdgesRecord>,
    /// Edges whose two triangles are turned against each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub misoriented: Option<EdgesRecord>,
}

/// How many edges break a rule, and the first of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EdgesRecord {
    /// How many.
    pub count: u64,
    /// The first triangle with such an edge.
    pub triangle: u32,
    /// The vertex its edge starts from.
    pub from: u32,
    /// The vertex it ends at.
    pub to: u32,
}

#[cfg(test)]
mod tests {
    use super::super::{Record, tests::text};
    use super::*;

    #[test]
    fn info_names_what_is_known_and_what_is_wrong_with_a_surface() {
        let body = BodyRecord {
            id: 0,
            name: "knot".into(),
            triangles: 2,
            vertices: 4,
            closed: false,
            face_of_triangle: None,
            precision: None,
        };
        let open = Some(EdgesRecord { count: 4, triangle: 0, from: 1, to: 2 });
        let (numbers, size, unit) = (Some([1001, 1060]), Some([1.0, 2.5, 0.0]), Some("m".into()));
        let body = InfoBody { body, frames: 60, numbers, size, unit, open, non_manifold: None, misoriented: None };
        assert_eq!(
            text(Record::Info(Info::new(vec![body]))),
            r#"{"schema":"crumple.report/1","bodies":[{"id":0,"name":"knot","triangles":2,"vertices":4,"closed":false,"frames":60,"numbers":[1001,1060],"size":[1.0,2.5,0.0],"unit":"m","open":{"count":4,"triangle":0,"from":1,"to":2}}]}"#
        );
    }
}
