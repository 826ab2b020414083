//! The records of `check --first-contact`: when bodies came into contact.

use serde::{Deserialize, Serialize};

/// Two bodies that came into contact in the step that led to a frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OnsetRecord {
    /// One body.
    pub a: u32,
    /// The other body; the same where a body came to meet itself.
    pub b: u32,
    /// When, as fractions of the step: the last time they were seen apart, and the first at which they were seen in contact.
    pub t: [f64; 2],
    /// A triangle of `a` and one of `b` that meet then.
    pub triangles: [u32; 2],
}

#[cfg(test)]
mod tests {
    use super::super::tests::text;
    use super::super::{Frame, Record};
    use super::*;

    #[test]
    fn a_frame_lists_the_contacts_that_began_where_that_was_asked() {
        let onset = OnsetRecord { a: 0, b: 2, t: [0.25, 0.5], triangles: [7, 1] };
        let frame = Frame { frame: 3, onsets: Some(vec![onset]), onsets_us: Some(2.5), ..Frame::default() };
        let printed = r#"{"frame":3,"contacts":[],"onsets":[{"a":0,"b":2,"t":[0.25,0.5],"triangles":[7,1]}],"update_us":0.0,"query_us":0.0,"onsets_us":2.5}"#;
        assert_eq!(text(Record::Frame(frame)), printed);
    }
}
