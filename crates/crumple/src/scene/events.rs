//! Which bodies began to touch, which go on, which ended.
//!
//! An event is a difference between two answers: this frame's contacts and the last ones that were asked for. So no event
//! is lost where contacts are not asked for in every frame.

use super::answer::{Answer, Record};
use super::engine::Job;
use super::{BodyId, Contact, Frame};

/// Two bodies; the same one twice for a body and itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct BodyPair {
    /// The body with the smaller id.
    pub a: BodyId,
    /// The other one.
    pub b: BodyId,
}

impl<'a> Frame<'a> {
    /// The contacts of bodies that did not meet when contacts were last asked for in an earlier frame.
    pub fn began(&self) -> impl Iterator<Item = Contact<'a>> + use<'a> {
        let before = self.scene.contacts.before();
        self.contacts().into_iter().filter(move |contact| !meet(before, contact.a, contact.b))
    }

    /// The contacts of bodies that met then, too.
    pub fn persisted(&self) -> impl Iterator<Item = Contact<'a>> + use<'a> {
        let before = self.scene.contacts.before();
        self.contacts().into_iter().filter(move |contact| meet(before, contact.a, contact.b))
    }

    /// The bodies that met then and do not meet now, sorted. A body that was removed since is named, too.
    pub fn ended(&self) -> impl Iterator<Item = BodyPair> + use<'a> {
        let now = self.scene.contacts.answer(self.scene);
        let before = &self.scene.contacts.before().records;
        let ended = move |record: &&Record| !record.pairs.is_empty() && !meet(now, record.job.a, record.job.b);
        before.iter().filter(ended).map(|record| BodyPair { a: record.job.a, b: record.job.b })
    }
}

/// Whether two bodies, in the order of their ids, meet by an answer.
fn meet(answer: &Answer, a: BodyId, b: BodyId) -> bool {
    let found = answer.records.binary_search_by_key(&Job { a, b }, |record| record.job);
    found.is_ok_and(|index| !answer.records[index].pairs.is_empty())
}
