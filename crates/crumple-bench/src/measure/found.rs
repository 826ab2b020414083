//! What a method found in a frame: kept to compare methods with each other, and for the floor.

use anyhow::{Result, bail, ensure};
use crumple::Contacts;
use crumple::exact::triangles_meet;
use crumple_io::report::ContactRecord;
use crumple_scenes::Digest;

use crate::experiment::Question;
use crate::measure::Recording;

/// The contacts of one frame with all their pairs, sorted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// One record per two bodies that meet.
    pub contacts: Vec<ContactRecord<'static>>,
}

impl Found {
    /// Copies an answer.
    pub fn of(contacts: Contacts<'_>) -> Self {
        let copy = |contact| ContactRecord::from(contact).into_owned();
        Self { contacts: contacts.iter().map(copy).collect() }
    }

    /// How many pairs there are, over all bodies.
    pub fn pair_count(&self) -> u64 {
        self.contacts.iter().map(|contact| contact.count).sum()
    }

    fn bodies(&self) -> impl Iterator<Item = (u32, u32)> {
        self.contacts.iter().map(|contact| (contact.a, contact.b))
    }

    /// Takes all pairs into a digest.
    pub(crate) fn digest(&self, digest: &mut Digest) {
        for contact in &self.contacts {
            for number in [u64::from(contact.a), u64::from(contact.b), contact.count] {
                digest.bytes(&number.to_le_bytes());
            }
            for triangle in contact.listed().as_flattened() {
                digest.bytes(&triangle.to_le_bytes());
            }
        }
    }

    /// Makes sure that two methods found the same in a frame.
    ///
    /// All pairs must be equal as lists. Of first pairs any one is right: the same bodies must meet, and the pair must
    /// be one that does.
    pub(crate) fn ensure_agrees(
        &self,
        theirs: &Found,
        [method, other]: [&str; 2],
        question: Question,
        recording: &Recording,
        at: usize,
    ) -> Result<()> {
        let frame = format!("in frame {} of {}", recording.number(at), recording.scene);
        if question == Question::FirstPair {
            ensure!(self.bodies().eq(theirs.bodies()), "{method} and {other} disagree {frame} about which bodies meet");
            for contact in &self.contacts {
                let (a, b) = (contact.a as usize, contact.b as usize);
                let &[[i, j]] = contact.listed() else {
                    bail!("{method} found {} first pairs of bodies {a} and {b} {frame}", contact.count);
                };
                let meet = triangles_meet(&recording.triangle(at, a, i), &recording.triangle(at, b, j));
                ensure!(meet, "{method} found triangles {i} and {j} of bodies {a} and {b} {frame}, which do not meet");
            }
        } else if self != theirs {
            let counts = [self.pair_count(), theirs.pair_count()];
            bail!("{method} found {} pairs {frame}, {other} {}: the lists differ", counts[0], counts[1]);
        }
        Ok(())
    }
}
