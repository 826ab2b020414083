//! The scene that is checked, moved from frame to frame.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use crumple::contact::OverlapFinder;
use crumple::{Body, BodyId, Scene};
use crumple_io::report::{Frame, FrameName, micros};

use crate::bodies::{Motion, files};
use crate::plan::Plan;
use crate::question::containment::Containment;
use crate::question::onsets::Onsets;
use crate::question::regions::Regions;
use crate::question::{depth, near, overlap};

/// The scene, and the files its bodies come from.
pub(crate) struct Finder {
    scene: Scene,
    ids: Vec<BodyId>,
    motions: Vec<Motion>,
    containment: Option<Containment>,
    onsets: Option<Onsets>,
    regions: Regions,
    /// Memory for the areas of contacts.
    finder: OverlapFinder,
}

/// What was found in a frame.
pub(crate) struct FoundFrame<'a> {
    /// With all pairs, borrowed from the scene.
    pub(crate) found: Frame<'a>,
    pub(crate) now: crumple::Frame<'a>,
    /// How long it took, without the reading.
    pub(crate) took: Duration,
}

impl Finder {
    pub(crate) fn new(plan: &Plan, bodies: Vec<(Motion, Body)>) -> Result<Self> {
        let regions = Regions::new(bodies.iter().map(|(motion, body)| (motion, body)));
        let mut scene = plan.options.method.scene();
        scene.set_max_pairs(Some(plan.kept_pairs));
        scene.set_crossings_only(plan.options.proper);
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
        let containment = plan.options.needs_containment().then(|| Containment::new(&meshes));
        let onsets = plan.options.first_contact.then(Onsets::default);
        Ok(Self { scene, ids, motions, containment, onsets, regions, finder: OverlapFinder::default() })
    }

    /// Moves the bodies to a frame; returns how long taking it in took, without the reading.
    fn move_to(&mut self, frame: usize) -> Result<Duration> {
        let mut took = Duration::ZERO;
        for (motion, &id) in self.motions.iter_mut().zip(&self.ids) {
            took += motion.go_to_in(frame, &mut self.scene, id)?;
        }
        Ok(took)
    }

    /// Moves the bodies to a frame in which nothing is to be found.
    pub(crate) fn place(&mut self, frame: usize) -> Result<crumple::Frame<'_>> {
        self.move_to(frame)?;
        Ok(self.scene.update()?)
    }

    /// Moves the bodies to a frame and finds what meets.
    pub(crate) fn frame<'a>(&'a mut self, frame: usize, plan: &Plan) -> Result<FoundFrame<'a>> {
        let mut took = self.move_to(frame)?;
        let Self { scene, ids, motions, containment, onsets, regions, finder } = self;
        let start = Instant::now();
        let now = scene.update()?;
        let updated = Instant::now();
        // One pair could be one of a seam, or of a region that is left out or not deep.
        let is_first =
            plan.options.first && plan.seams.is_empty() && !plan.leaves_out_regions() && plan.gate.max_depth.is_none();
        let contacts = if is_first { now.witnesses() } else { now.contacts() };
        let done = Instant::now();
        let number = files::frame_number(motions.iter().map(Motion::file), frame);
        let animation = files::animation(motions.iter().map(Motion::file), frame);
        let name =
            FrameName { number: number.unwrap_or(frame as u64), animation: animation.map(|(animation, _)| animation) };
        plan.check_room(name, contacts)?;
        let mut found = Frame {
            frame: frame as u64,
            number,
            animation: animation.map(|(name, _)| name.to_owned()),
            contacts: contacts.iter().filter_map(|contact| plan.seams.judge(contact)).collect(),
            update_us: micros(took + (updated - start)),
            query_us: micros(done - updated),
            ..Frame::default()
        };
        took += done - start;
        // The first frame has no step: what bodies showed before it is not part of the answer. Neither has the first frame of
        // an animation that is played after another.
        let has_step = plan.frames.before(frame).is_some() && animation.is_none_or(|(_, number)| number > 0);
        if let Some(continuous) = plan.continuous.filter(|_| has_step) {
            let start = Instant::now();
            let mut impacts = continuous.find(now, !plan.seams.is_empty())?;
            if !plan.seams.is_empty() {
                let triangles: Vec<_> = now.bodies().map(|(_, body)| body.mesh().indices()).collect();
                plan.seams.judge_impacts(&mut impacts, &triangles);
                impacts.truncate(if plan.options.first { 1 } else { usize::MAX });
            }
            if !plan.rest.is_empty() {
                let triangles: Vec<_> = now.bodies().map(|(_, body)| body.mesh().indices()).collect();
                impacts.retain(|impact| !plan.rest.excuses_impact(impact, &triangles));
            }
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
                onsets.start(&found, &plan.names, plan.options.continued)?;
            }
        }
        let tests = |a, b| plan.selection.tests(a, b) && !plan.rest.excuses(a, b) && !plan.seams.join(a, b);
        if let Some(clearance) = plan.options.clearance {
            let start = Instant::now();
            let tests = |a, b| tests(a, b) && !plan.rest.excuses_near(a, b);
            found.near = Some(near::find(now, ids, clearance, plan.own, tests)?);
            let done = start.elapsed();
            found.near_us = Some(micros(done));
            took += done;
        }
        if plan.options.needs_depth() {
            let start = Instant::now();
            depth::fill(now, ids, &mut found.contacts)?;
            if !plan.options.first {
                depth::fill_areas(now, ids, &mut found.contacts, finder, |a, b| !plan.seams.join(a, b))?;
            }
            let done = start.elapsed();
            found.depth_us = Some(micros(done));
            took += done;
        }
        if let Some(containment) = containment {
            found.contained = containment.find(now, ids, &found.contacts, tests)?;
        }
        if plan.options.needs_volume() {
            let start = Instant::now();
            overlap::fill(now, ids, &mut found)?;
            let done = start.elapsed();
            found.volume_us = Some(micros(done));
            took += done;
        }
        // Last: bodies that meet only in regions that are left out do meet.
        if !is_first && !found.contacts.is_empty() {
            let start = Instant::now();
            let of_depths = regions.fill(now, ids, motions, plan, &mut found)?;
            let done = start.elapsed();
            found.regions_us = (!found.regions.is_empty()).then(|| micros(done.saturating_sub(of_depths)));
            found.depth_us = found.depth_us.map(|before| before + micros(of_depths));
            took += done;
        }
        Ok(FoundFrame { found, now, took })
    }
}
