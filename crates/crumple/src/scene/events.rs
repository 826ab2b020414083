//! Which bodies began to touch, which go on, which ended.
//!
//! An event is a difference between two answers: this frame's contacts and the last ones that were asked for. So no event
//! is lost where contacts are not asked for in every frame.

use super::answer::{Answer, Record};
use super::engine::Job;
use super::{BodyId, BodyPair, Contact, Frame};

impl<'a> Frame<'a> {
    /// The contacts of bodies that did not meet when contacts were last asked for in an earlier frame.
    pub fn began(&self) -> impl Iterator<Item = Contact<'a>> + use<'a> {
        let before = self.scene.contacts.before();
        self.contacts().into_iter().filter(move |contact| !meet(before, contact.a, contact.b))
    }

    /// The contacts of bodies that also met when contacts were last asked for in an earlier frame.
    pub fn persisted(&self) -> impl Iterator<Item = Contact<'a>> + use<'a> {
        let before = self.scene.contacts.before();
        self.contacts().into_iter().filter(move |contact| meet(before, contact.a, contact.b))
    }

    /// The bodies that met when contacts were last asked for in an earlier frame and do not meet now, sorted. Bodies that
    /// were removed since are included.
    pub fn ended(&self) -> impl Iterator<Item = BodyPair> + use<'a> {
        let now = self.scene.contacts.answer(self.scene);
        let before = &self.scene.contacts.before().records;
        let ended = move |record: &&Record| record.count() > 0 && !meet(now, record.job.a, record.job.b);
        before.iter().filter(ended).map(|record| BodyPair { a: record.job.a, b: record.job.b })
    }
}

/// Whether two bodies, in the order of their ids, meet by an answer.
fn meet(answer: &Answer, a: BodyId, b: BodyId) -> bool {
    let found = answer.records.binary_search_by_key(&Job { a, b }, |record| record.job);
    found.is_ok_and(|index| answer.records[index].count() > 0)
}
