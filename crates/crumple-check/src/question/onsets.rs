//! `--first-contact`: when, between two frames, bodies came into contact.
//!
//! Contact that a frame shows and the frame before it does not began in the step between them; `Frame::onset` searches for
//! the time there. Contact in a frame to which no step leads began at a time that the files do not show: that is an error.

use anyhow::Result;
use crumple::{BodyId, Frame};
use crumple_io::report::{self, FrameName, OnsetRecord, of_animation};

use crate::error::hinted;
use crate::meetings::pair_name;
use crate::sink::View;

/// How far the time is narrowed down, as a fraction of the step.
const TOLERANCE: f64 = 1e-6;

/// The bodies that were in contact in the last frame.
#[derive(Debug, Default)]
pub(crate) struct Onsets {
    touching: Vec<(u32, u32)>,
}

impl Onsets {
    /// Finds when the contacts of a frame began that were not there in the frame before.
    pub(crate) fn find(
        &mut self,
        now: Frame<'_>,
        ids: &[BodyId],
        record: &report::Frame<'_>,
    ) -> Result<Vec<OnsetRecord>> {
        let mut found = Vec::new();
        for contact in &record.contacts {
            let (a, b) = (contact.a, contact.b);
            if self.touching.contains(&(a, b)) {
                continue;
            }
            if let Some(onset) = now.onset(ids[a as usize], ids[b as usize], TOLERANCE)? {
                // Without such a time bodies met in the frame before, too, but only as seams do: in between they began to
                // meet as this frame shows them, and no more is known.
                let t = onset.last_free.map_or([0.0, 1.0], |free| [free, onset.in_contact]);
                found.push(OnsetRecord { a, b, t, triangles: [onset.pair.a.0, onset.pair.b.0] });
            }
        }
        self.note(record);
        Ok(found)
    }

    /// Takes in a frame to which no step leads.
    ///
    /// # Errors
    /// If bodies are in contact in it, unless another part has looked at the step to it.
    pub(crate) fn start(&mut self, record: &report::Frame<'_>, names: &[String], is_continued: bool) -> Result<()> {
        if let Some(contact) = record.contacts.first().filter(|_| !is_continued) {
            let (bodies, frame) = (pair_name((contact.a, contact.b), names), record.name());
            let what =
                format!("{bodies}: in contact in frame {frame} already, the first: when contact began is not known");
            let hint = "begin with a frame in which they are apart (--frames), leave them out (--ignore), or name the pose in \
                        which they may touch (--rest)";
            return Err(hinted(what, hint));
        }
        self.note(record);
        Ok(())
    }

    fn note(&mut self, record: &report::Frame<'_>) {
        self.touching.clear();
        self.touching.extend(record.contacts.iter().map(|contact| (contact.a, contact.b)));
    }
}

/// One line per contact that began in the step to a frame.
pub(crate) fn lines(view: &View<'_>, names: &[String]) -> Vec<String> {
    let (from, to) = (view.before.unwrap_or_default(), view.listed.name());
    view.listed.onsets.iter().flatten().map(|onset| description(from, to, onset, names)).collect()
}

/// When, in frames, and which triangles.
fn description(from: u64, to: FrameName<'_>, onset: &OnsetRecord, names: &[String]) -> String {
    // Files may number every second frame.
    let step = to.number.saturating_sub(from) as f64;
    // Seven digits keep the two apart; records have all of them.
    let [free, contact] = onset.t.map(|t| format!("{:.7}", from as f64 + t * step));
    let (bodies, [i, j]) = (pair_name((onset.a, onset.b), names), onset.triangles);
    let animation = of_animation(to.animation);
    format!("{bodies}: contact began between frames {free} and {contact}{animation}, where triangles {i} and {j} meet")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_onset_is_described_in_frames() {
        let names = ["cloth", "body"].map(str::to_owned);
        let onset = OnsetRecord { a: 0, b: 1, t: [0.25, 0.2500009], triangles: [7, 1] };
        let between = |from, number, animation| description(from, FrameName { number, animation }, &onset, &names);
        assert_eq!(
            between(59, 60, None),
            "cloth × body: contact began between frames 59.2500000 and 59.2500009, where triangles 7 and 1 meet"
        );
        assert_eq!(
            between(100, 102, Some("fall")),
            "cloth × body: contact began between frames 100.5000000 and 100.5000018 of animation fall, where triangles 7 and 1 \
             meet"
        );
    }
}
