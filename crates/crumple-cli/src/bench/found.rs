//! What was found in a frame: kept to compare the methods with one another, and for the floor.

use anyhow::{Result, bail, ensure};
use crumple::Contacts;
use crumple::exact::triangles_meet;
use crumple_scenes::Digest;

use super::experiments::Question;
use super::recording::Recording;

/// The pairs of one frame, by bodies, sorted.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Found {
    /// Body, body, and triangles of the two.
    pub(crate) contacts: Vec<(usize, usize, Vec<[u32; 2]>)>,
}

impl Found {
    /// Copies an answer.
    pub(crate) fn of(contacts: Contacts<'_>) -> Self {
        let copy = |contact: crumple::Contact<'_>| {
            (contact.a.index(), contact.b.index(), bytemuck::cast_slice(contact.pairs).to_vec())
        };
        Self { contacts: contacts.iter().map(copy).collect() }
    }

    /// How many pairs there are, over all bodies.
    pub(crate) fn pair_count(&self) -> u64 {
        self.contacts.iter().map(|(_, _, pairs)| pairs.len() as u64).sum()
    }

    fn bodies(&self) -> impl Iterator<Item = (usize, usize)> {
        self.contacts.iter().map(|&(a, b, _)| (a, b))
    }

    /// Takes all pairs into a digest.
    pub(crate) fn digest(&self, digest: &mut Digest) {
        for (a, b, pairs) in &self.contacts {
            for number in [*a as u64, *b as u64, pairs.len() as u64] {
                digest.bytes(&number.to_le_bytes());
            }
            for triangle in pairs.as_flattened() {
                digest.bytes(&triangle.to_le_bytes());
            }
        }
    }

    /// Makes sure that two methods say the same of a frame.
    ///
    /// All pairs must be equal as lists. Of first pairs any one will do: the same bodies must meet, and the pair must
    /// be one that does.
    pub(crate) fn ensure_agrees(
        &self,
        theirs: &Found,
        [method, other]: [&str; 2],
        question: Question,
        recording: &Recording,
        at: usize,
    ) -> Result<()> {
        let place = format!("in frame {} of {}", recording.number(at), recording.scene);
        if question == Question::FirstPair {
            ensure!(self.bodies().eq(theirs.bodies()), "{method} and {other} disagree {place} about which bodies meet");
            for (a, b, pairs) in &self.contacts {
                let &[[i, j]] = pairs.as_slice() else {
                    bail!("{method} found {} first pairs of bodies {a} and {b} {place}", pairs.len());
                };
                let meet = triangles_meet(&recording.triangle(at, *a, i), &recording.triangle(at, *b, j));
                ensure!(meet, "{method} found triangles {i} and {j} of bodies {a} and {b} {place}, which do not meet");
            }
        } else if self != theirs {
            let counts = [self.pair_count(), theirs.pair_count()];
            bail!("{method} found {} pairs {place}, {other} {}: the lists differ", counts[0], counts[1]);
        }
        Ok(())
    }
}
