//! The scene that is checked, moved from frame to frame.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use crumple::contact::OverlapFinder;
use crumple::{Body, BodyId, Scene};
use crumple_io::report::{FeaturesRecord, Frame, ImpactRecord, micros};

use super::containment::Containment;
use super::onsets::Onsets;
use super::{Plan, clearance, depth};
use crate::input::moving::Motion;
use crate::input::sources;

/// The scene, and the files its bodies come from.
pub(super) struct MovingScene {
    scene: Scene,
    ids: Vec<BodyId>,
    motions: Vec<Motion>,
    containment: Option<Containment>,
    onsets: Option<Onsets>,
    /// Memory for the areas of contacts.
    finder: OverlapFinder,
}

/// What was found in a frame.
pub(super) struct FrameAnswer<'a> {
    /// With all pairs, borrowed from the scene.
    pub(super) found: Frame<'a>,
    pub(super) now: crumple::Frame<'a>,
    /// How long it took, without the reading.
    pub(super) took: Duration,
}

impl MovingScene {
    pub(super) fn new(plan: &Plan, bodies: Vec<(Motion, Body)>) -> Result<Self> {
        let mut scene = plan.method.scene();
        scene.set_max_pairs(Some(plan.kept_pairs));
        let (mut ids, mut motions, mut meshes) = (Vec::new(), Vec::new(), Vec::new());
        for (number, (motion, body)) in (0..).zip(bodies) {
            meshes.push(Arc::clone(body.mesh()));
            let id = scene.add(body);
            scene.set_self_collision(id, plan.own && plan.selection.tests(number, number))?;
            if let Some(continuous) = plan.continuous {
                continuous.prepare(&mut scene, id, &plan.names[number as usize])?;
            }
            ids.push(id);
            motions.push(motion);
        }
        plan.selection.apply(&mut scene, &ids)?;
        plan.rest.apply(&mut scene, &ids)?;
        let containment = plan.containment.then(|| Containment::new(&meshes));
        let onsets = plan.first_contact.then(Onsets::default);
        Ok(Self { scene, ids, motions, containment, onsets, finder: OverlapFinder::default() })
    }

    /// Moves the bodies to a frame and finds what meets.
    pub(super) fn frame<'a>(&'a mut self, frame: usize, plan: &Plan) -> Result<FrameAnswer<'a>> {
        let Self { scene, ids, motions, containment, onsets, finder } = self;
        let mut took = Duration::ZERO;
        for (motion, &id) in motions.iter_mut().zip(&*ids) {
            took += motion.go_to_in(frame, scene, id)?;
        }
        let start = Instant::now();
        let now = scene.update()?;
        let updated = Instant::now();
        // One pair could be one of a seam.
        let is_first = plan.first && plan.seams.is_empty();
        let contacts = if is_first { now.witnesses() } else { now.contacts() };
        let done = Instant::now();
        plan.check_room(frame, contacts)?;
        let animation = sources::animation(motions.iter().map(Motion::file), frame);
        let mut found = Frame {
            frame: frame as u64,
            number: sources::frame_number(motions.iter().map(Motion::file), frame),
            animation: animation.map(|(name, _)| name.to_owned()),
            contacts: contacts.iter().filter_map(|contact| plan.seams.judge(contact)).collect(),
            update_us: micros(took + (updated - start)),
            query_us: micros(done - updated),
            ..Frame::default()
        };
        took += done - start;
        // The first frame has no step: what bodies showed before it is not part of the answer. Neither has the first frame of
        // an animation that is played after another.
        let has_step = frame > plan.frames.start && animation.is_none_or(|(_, number)| number > 0);
        if let Some(continuous) = plan.continuous.filter(|_| has_step) {
            let start = Instant::now();
            let mut impacts = continuous.find(now, !plan.seams.is_empty())?;
            if !plan.seams.is_empty() {
                let triangles: Vec<_> = now.bodies().map(|(_, body)| body.mesh().indices()).collect();
                plan.seams.judge_impacts(&mut impacts, &triangles);
                impacts.truncate(if plan.first { 1 } else { usize::MAX });
            }
            impacts.retain(|impact| !is_at_rest(impact, plan));
            found.impacts = Some(impacts.into());
            let done = start.elapsed();
            found.impacts_us = Some(micros(done));
            took += done;
        }
        if let Some(onsets) = onsets {
            let start = Instant::now();
            if has_step {
                found.onsets = Some(onsets.find(now, ids, &found)?);
                let done = start.elapsed();
                found.onsets_us = Some(micros(done));
                took += done;
            } else {
                onsets.start(&found, &plan.names)?;
            }
        }
        let tests = |a, b| plan.selection.tests(a, b) && !plan.rest.excuses(a, b) && !plan.seams.join(a, b);
        if let Some(clearance) = plan.clearance {
            let start = Instant::now();
            let tests = |a, b| tests(a, b) && !plan.rest.excuses_near(a, b);
            found.near = Some(clearance::find(now, ids, clearance, plan.own, tests)?);
            let done = start.elapsed();
            found.near_us = Some(micros(done));
            took += done;
        }
        if plan.depth {
            let start = Instant::now();
            depth::fill(now, ids, &mut found.contacts)?;
            if let Some(most) = plan.gate.max_depth {
                depth::fill_crossings(now, ids, &mut found.contacts, most)?;
            }
            if !plan.first {
                depth::fill_areas(now, ids, &mut found.contacts, finder, |a, b| !plan.seams.join(a, b))?;
            }
            let done = start.elapsed();
            found.depth_us = Some(micros(done));
            took += done;
        }
        if let Some(containment) = containment {
            found.contained = containment.find(now, ids, &found.contacts, tests)?;
        }
        Ok(FrameAnswer { found, now, took })
    }
}

/// Whether an impact is only that two triangles meet which also do in the rest pose.
fn is_at_rest(impact: &ImpactRecord, plan: &Plan) -> bool {
    match impact.features {
        FeaturesRecord::Already { triangles } => impact.a == impact.b && plan.rest.excuses_pair(impact.a, triangles),
        _ => false,
    }
}
