//! Takes in records frame by frame and knows in the end what they come to. It needs no scene, so that reports read back and
//! frames found elsewhere are taken in alike.

use std::collections::{BTreeMap, BTreeSet};

use crumple_io::report::{BodyStatus, CheckSummary, Episodes, Frame, StatusRecord};

use crate::excuse::baseline::{Baseline, Key};
use crate::excuse::gate::Gate;
use crate::meetings::{Meetings, TooClose};
use crate::options::OutputFormat;
use crate::outcome::{Asked, Ended, Outcome, named};
use crate::plan::Plan;
use crate::question::overlap;

/// What was found so far.
#[derive(Debug, Default)]
pub(crate) struct Fold {
    summary: CheckSummary,
    meetings: Meetings,
    too_close: TooClose,
    episodes: Episodes,
    /// The animations of the frames looked at; `None` of a frame that belongs to none.
    animations: BTreeSet<Option<String>>,
    /// The worst status of two bodies that is not apart.
    statuses: BTreeMap<(u32, u32), BodyStatus>,
    /// The number of the last frame, and its animation where several are played.
    reached: Option<(u64, Option<String>)>,
}

impl Fold {
    /// Takes in one more frame; frames come in order.
    pub(crate) fn add(&mut self, found: &Frame<'_>, plan: &Plan) {
        let counted = plan.gate.counted(found);
        let animation = found.animation.as_ref().or(plan.header.animation.as_ref());
        if !self.animations.iter().any(|known| known.as_ref() == animation) {
            self.animations.insert(animation.cloned());
        }
        self.reached = Some((found.own_number(), found.animation.clone()));
        if plan.options.needs_volume() {
            for (bodies, status) in overlap::statuses(found).filter(|((a, b), _)| a != b) {
                let worst = self.statuses.entry(bodies).or_insert(status);
                *worst = status.max(*worst);
            }
        }
        self.summary.add(found);
        self.too_close.add(&counted);
        self.episodes.add_counted(found, &counted);
        self.meetings.add(&counted, self.episodes.numbers());
    }

    /// The number of the last frame.
    pub(crate) fn last_number(&self) -> Option<u64> {
        self.reached.as_ref().map(|(number, _)| *number)
    }

    /// Whether what was found so far decides the exit code already.
    pub(crate) fn is_decided(&self, gate: &Gate) -> bool {
        gate.is_decided(&self.episodes)
    }

    /// What all frames come to.
    pub(crate) fn finish(self, plan: Plan, ended: Ended) -> Outcome {
        let Self { mut summary, mut meetings, mut too_close, episodes, animations, statuses, reached } = self;
        let is_whole = matches!(ended, Ended::Whole | Ended::Unread);
        let all = episodes.finish();
        let mut baseline = Baseline::of(&all, &plan.header);
        let found = all.len() as u64;
        let is_everywhere = meetings.is_everywhere();
        let stale = plan.gate.baseline.as_ref().map_or(0, |known| {
            let is_checked = |key: &Key| key.animation.is_none() || animations.contains(&key.animation);
            let is_all = is_whole && plan.header.part.is_none();
            known.stale(&all, &plan.header, |key| is_all && is_checked(key) && plan.looks_for(key))
        });
        if let Some(known) = plan.gate.baseline.as_ref().filter(|_| plan.replaces_baseline) {
            baseline.keep_others(known, |key| animations.contains(&key.animation));
        }
        let (findings, known) = plan.gate.judge(all, &plan.header);
        if known > 0 {
            meetings.keep(&findings);
            too_close.keep(&findings);
        }
        let is_text = plan.options.output_format.unwrap_or_default() == OutputFormat::Text;
        let has_findings = !findings.is_empty();
        meetings.unit.clone_from(&plan.header.unit);
        summary.tested = Some(plan.tested);
        if let Some(pairs) = plan.tested_pairs.as_ref().filter(|_| plan.options.needs_volume()) {
            let two = pairs.iter().filter(|(a, b)| a != b);
            let status = |&(a, b): &(u32, u32)| {
                let status = statuses.get(&(a, b)).copied().unwrap_or(BodyStatus::Apart);
                StatusRecord { a, b, status }
            };
            summary.statuses = Some(two.map(status).collect());
        }
        (summary.findings, summary.known) = (Some(findings), known);
        let checked = summary.frames as usize;
        if !is_whole {
            summary.complete = Some(false);
            summary.reached = checked.checked_sub(1).map(|last| plan.frames.at(last) as u64);
        }
        Outcome {
            accepts: plan.options.write_baseline.is_some() && is_whole,
            stale,
            notes: Vec::new(),
            remarks: plan.remarks(is_everywhere, &summary),
            took: std::time::Duration::ZERO,
            unchecked: plan.unchecked(checked, named(reached.as_ref())),
            reached,
            is_silent: matches!(ended, Ended::Failed(_)) && (checked == 0 || is_text && !has_findings),
            asked: Asked {
                clearance: plan.options.clearance,
                depth: plan.options.needs_depth(),
                volume: plan.options.needs_volume(),
            },
            meetings,
            too_close,
            baseline: (baseline, found),
            files: plan.files,
            shown: plan.names,
            tested: plan.tested_pairs,
            header: plan.header,
            summary,
            ended,
        }
    }
}
