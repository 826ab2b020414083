//! The connected parts of the overlaps of a frame.

use super::jobs::{Gathered, Records, Worker};
use super::per_frame::{PerFrame, Reusable};
use super::{Between, Frame, Scene};
use crate::contact::{History, Naming, Region, RegionFinder, Regions};

impl<'a> Frame<'a> {
    /// The connected parts of the overlaps of all bodies, sorted by bodies: volume, area, centroid, normal and what lies in
    /// each.
    ///
    /// A region has the id of the region of the last frame with which it shares the most triangles; "last" is the last
    /// frame in which regions were asked for. As for [`overlaps`](Self::overlaps), bodies whose surfaces enclose no volume
    /// are left out, and so are pairs of bodies that the scene ignores.
    pub fn regions(&self) -> impl Iterator<Item = Between<Region<'a>>> + use<'a> {
        let scene = self.scene;
        let NamedRegions { now, history } = &scene.answers.regions;
        let answer = now.get((), |_, answer| scene.find_regions(history, answer));
        answer
            .found
            .used()
            .iter()
            .flat_map(|(job, regions)| regions.iter().map(|of| Between { a: job.a, b: job.b, of }))
    }
}

/// The regions of this frame, and the names of those of the last one in which they were asked for.
///
/// A copy has this frame's regions, if they were asked for, and those of the last: ids go on as in the original.
#[derive(Clone, Debug, Default)]
pub(super) struct NamedRegions {
    now: PerFrame<(), RegionAnswer>,
    history: History,
}

impl NamedRegions {
    pub(super) fn end_frame(&mut self) {
        let Self { now, history } = self;
        if let Some(answer) = now.asked(()) {
            history.clear(answer.next);
            for (job, regions) in answer.found.used() {
                history.remember([job.a, job.b], regions);
            }
        }
        now.end_frame();
    }
}

/// Regions of one frame.
#[derive(Debug, Default)]
pub(super) struct RegionAnswer {
    found: Records<Regions>,
    /// The first id that has not been used.
    next: u64,
    workers: Vec<Worker<RegionFinder, Records<Regions>>>,
    naming: Naming,
}

impl Reusable for RegionAnswer {
    fn clear(&mut self) {
        self.found.clear();
    }
}

/// Working memory does not go along.
impl Clone for RegionAnswer {
    fn clone(&self) -> Self {
        Self { found: self.found.clone(), next: self.next, ..Self::default() }
    }
}

impl Scene {
    fn find_regions(&self, history: &History, answer: &mut RegionAnswer) {
        let RegionAnswer { found, next, workers, naming } = answer;
        *next = history.next();
        self.each_two_closed(workers, found, |bodies, cuts, windings, finder, regions| {
            finder.find(bodies, cuts, windings, regions);
            !regions.is_empty()
        });
        for (job, regions) in found.used_mut() {
            history.name([job.a, job.b], regions, next, naming);
        }
    }
}
