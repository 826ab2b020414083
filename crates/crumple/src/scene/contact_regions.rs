//! The regions of the contacts of a frame.

use super::jobs::{Gathered, Records, Worker};
use super::per_frame::Reusable;
use super::{Between, Frame, Scene};
use crate::contact::{ContactRegion, ContactRegionFinder, ContactRegions};

impl<'a> Frame<'a> {
    /// The connected parts of all contacts, sorted by bodies and by their first pairs: pairs are joined where their triangles are
    /// neighbours on both sides. For bodies that meet in several places, and for one that meets itself.
    ///
    /// They are those of [`contacts`](Self::contacts), with its limits and filters, and to ask for them counts as asking for
    /// contacts. Bodies need not be closed.
    ///
    /// ```
    /// use crumple::{Body, Mesh, Scene};
    ///
    /// let mut scene = Scene::new();
    /// let floor = [[-9.0, 0.0, -9.0], [9.0, 0.0, -9.0], [0.0, 0.0, 9.0]];
    /// scene.add(Body::new(Mesh::new(3, vec![[0, 1, 2]])?, &floor)?);
    /// // Two legs of a chair, which share no vertex.
    /// let leg = |x: f32| [[x, -1.0, 0.0], [x + 1.0, 1.0, 0.0], [x, 1.0, 1.0]];
    /// let legs = [leg(-2.0), leg(2.0)].concat();
    /// scene.add(Body::new(Mesh::new(6, vec![[0, 1, 2], [3, 4, 5]])?, &legs)?);
    /// let frame = scene.update()?;
    /// let regions: Vec<_> = frame.contact_regions().map(|region| (region.triangles_b, region.centroid[0] > 0.0)).collect();
    /// assert_eq!(regions.len(), 2);
    /// assert_eq!(regions.iter().map(|(of_legs, right)| (of_legs[0].0, *right)).collect::<Vec<_>>(), [(0, false), (1, true)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn contact_regions(&self) -> impl Iterator<Item = Between<ContactRegion<'a>>> + use<'a> {
        let scene = self.scene;
        let answer = scene.answers.contact_regions.get((), |_, answer| scene.find_contact_regions(answer));
        let found = answer.found.used().iter();
        found.flat_map(|(job, regions)| regions.iter().map(|of| Between { a: job.a, b: job.b, of }))
    }
}

/// The regions of the contacts of one frame.
#[derive(Debug, Default)]
pub(super) struct ContactRegionAnswer {
    found: Records<ContactRegions>,
    workers: Vec<Worker<ContactRegionFinder, Records<ContactRegions>>>,
}

impl Reusable for ContactRegionAnswer {
    fn clear(&mut self) {
        self.found.clear();
    }
}

impl Scene {
    fn find_contact_regions(&self, answer: &mut ContactRegionAnswer) {
        let contacts = Frame::new(self).contacts();
        let ContactRegionAnswer { found, workers } = answer;
        self.answer_jobs(&self.jobs, workers, found, |job, bodies, finder, found| {
            if let Some(contact) = contacts.of(job) {
                found.add(job, |regions| {
                    finder.fill(bodies, job.is_self(), contact.pairs, regions);
                    !regions.is_empty()
                });
            }
        });
    }
}
