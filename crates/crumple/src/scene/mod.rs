//! Runs the stages for many bodies, frame after frame: the usual way in.
//!
//! ```text
//! set_positions ─► update ─► broad: which bodies? ─► their trees ─► Frame ─► contacts, … answered when asked
//! ```
//!
//! A scene is written between frames and read within them. [`Scene::update`] ends one frame and begins the next; it is
//! the only step that can find a frame impossible. The [`Frame`] it returns borrows the scene, so that nothing moves
//! while answers are read, and answers by `&self`, from any thread: each question is answered when it is first asked and
//! kept until the next frame.
//!
//! What holds between the stages: a body's box is right from the moment its positions are accepted; a tree is brought up
//! to date when the broad phase first pairs its body in a frame, so a body that is far from all others costs one pass
//! over its vertices; an answer about two bodies of which neither moved is taken over from the last frame.

mod contact_regions;
mod contacts;
mod depths;
mod distances;
mod engine;
mod error;
mod filter;
mod frame;
mod impacts;
mod jobs;
mod near;
mod overlaps;
mod per_frame;
mod positions;
mod probes;
mod region_depths;
mod regions;
mod self_overlaps;
mod step;
mod table;
mod topology;
mod trees;
mod update;

pub use contacts::{ContactIter, Contacts};
pub use depths::VertexDepth;
pub use error::SceneError;
pub(crate) use filter::check_rest;
pub use frame::{Between, Frame};
pub use near::{NearGroup, NearIter, NearPairs};
pub use overlaps::Overlaps;
pub use probes::FrameHit;
pub use topology::{Fused, Split};

use std::sync::Arc;

use crate::body::Body;
use crate::broad::{Auto, BroadPhase};
use crate::contact::BodyPair;
use crate::exclusions::Exclusions;
use crate::geom::{Aabb, BodyId};
use crate::narrow::wide_tree::WideTree;
use crate::narrow::{PairMethod, Wanted};
use engine::{Engine, Runner};
use filter::Filter;
use frame::Answers;
use jobs::Job;
use per_frame::PerFrame;
use step::Phase;
use table::Table;

/// Bodies that deform and collide.
///
/// ```
/// use crumple::{Body, Mesh, Scene};
///
/// let triangle = || Mesh::new(3, vec![[0, 1, 2]]);
/// let mut scene = Scene::new();
/// let floor = scene.add(Body::new(triangle()?, &[[-9.0, 0.0, -9.0], [9.0, 0.0, -9.0], [0.0, 0.0, 9.0]])?);
/// let leaf = scene.add(Body::new(triangle()?, &[[0.0, 2.0, 0.0], [1.0, 3.0, 0.0], [0.0, 3.0, 1.0]])?);
/// assert!(scene.update()?.contacts().is_empty());
///
/// scene.set_positions(leaf, &[[0.0, -1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 1.0]])?;
/// let frame = scene.update()?;
/// for contact in frame.contacts() {
///     assert_eq!((contact.a, contact.b, contact.pairs.len()), (floor, leaf, 1));
///     let Some([of_floor, of_leaf]) = contact.triangles(contact.pairs[0]) else { continue };
///     assert_eq!((of_floor.0[2], of_leaf.0[0]), ([0.0, 0.0, 9.0], [0.0, -1.0, 0.0]));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Nothing can be moved while a frame is being read:
///
/// ```compile_fail,E0499
/// # use crumple::{Body, Mesh, Scene};
/// # let mut scene = Scene::new();
/// # let body = Body::new(Mesh::new(3, vec![[0, 1, 2]]).unwrap(), &[[0.0; 3]; 3]).unwrap();
/// # let leaf = scene.add(body);
/// let frame = scene.update().unwrap();
/// scene.set_positions(leaf, &[[0.0; 3]; 3]).unwrap(); // refused by the compiler: `frame` is read below
/// assert!(frame.contacts().is_empty());
/// ```
///
/// A copy has bodies of the same ids: for going back to an earlier frame.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The wide tree and its trees. Where pairs are found by another method, a tree is built when a question first needs it.
    wide: Runner<WideTree>,
    /// The method by which pairs are found, if it is not the wide tree.
    other: Option<Box<dyn Engine>>,
    broad: Box<dyn BroadPhase>,
    bodies: Table<Entry>,
    filter: Filter,
    /// The questions of this frame: pairs of bodies whose boxes overlap, and bodies that are asked about themselves.
    jobs: Vec<Job>,
    /// The slots of the bodies in these jobs.
    slots_asked: Vec<u32>,
    /// Working memory: by slot, the box of all that a body is asked against.
    asked_against: Vec<Aabb>,
    /// Bodies whose box the broad phase has not been given yet.
    boxes_changed: Vec<BodyId>,
    /// Bodies that have moved in this step.
    moved: Vec<BodyId>,
    /// Bodies with positions written in place that have not been taken in.
    written: Vec<BodyId>,
    phase: Phase,
    /// The number of frames so far.
    frame: u64,
    /// How many pairs of triangles are listed per contact.
    wanted: Wanted,
    answers: Answers,
}

/// A body and what the scene knows about it.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    body: Body,
    /// A box that is sure to hold the body this frame, while its vertices have not been read.
    loose: Option<Aabb>,
    settings: Settings,
    /// Which of its features are left out against each other.
    exclusions: Exclusions,
    /// Whether it is among those whose box the broad phase has not been given yet.
    box_changed: bool,
}

/// What the caller has said about a body; bodies that are made from it keep that.
#[derive(Clone, Copy, Debug)]
struct Settings {
    asks_itself: bool,
    group: u32,
    membership: u32,
    mask: u32,
    /// How thick the surface is, for impacts.
    thickness: f64,
    /// Features this few edges apart are left out against each other.
    rings: u32,
}

impl Entry {
    /// The smallest box that is known to hold the body this frame.
    fn bounds(&self) -> Aabb {
        self.loose.unwrap_or(self.body.bounds())
    }
}

impl Default for Scene {
    fn default() -> Self {
        Self::new()
    }
}

impl Scene {
    /// A scene without bodies, which finds its pairs by the wide tree.
    pub fn new() -> Self {
        // Without `engines`, which could make a second engine of any method: so that a program of one method has no code for
        // engines whose method is not known.
        Self::on(Runner::new(WideTree::default()), None)
    }

    /// A scene that finds its pairs by another method, also one of the caller's own.
    pub fn with_method(method: impl PairMethod) -> Self {
        let (wide, other) = engine::engines(method);
        Self::on(wide, other)
    }

    fn on(wide: Runner<WideTree>, other: Option<Box<dyn Engine>>) -> Self {
        Self {
            wide,
            other,
            broad: Box::new(Auto::default()),
            bodies: Table::default(),
            filter: Filter::default(),
            jobs: Vec::new(),
            slots_asked: Vec::new(),
            asked_against: Vec::new(),
            boxes_changed: Vec::new(),
            moved: Vec::new(),
            written: Vec::new(),
            phase: Phase::Shown,
            frame: 0,
            wanted: Wanted::All,
            answers: Answers::default(),
        }
    }

    /// The same bodies, with the same ids, under another method: for comparing methods.
    pub fn under(&self, method: impl PairMethod) -> Self {
        let (wide, other) = engine::engines(method);
        let mut scene = Self {
            wide,
            other,
            phase: self.phase.max(Phase::Changed),
            answers: self.answers.under_another_method(),
            ..self.clone()
        };
        self.bodies.iter().for_each(|(id, _)| scene.insert_tree(id.slot()));
        scene
    }

    /// Finds which bodies are near each other by a broad phase of the caller's choice, in place of [`Auto`].
    ///
    /// Bodies that were added before are handed over to it.
    pub fn with_broad_phase(mut self, broad: impl BroadPhase + 'static) -> Self {
        self.broad = Box::new(broad);
        let ids: Vec<BodyId> = self.bodies.iter().map(|(id, _)| id).collect();
        ids.into_iter().for_each(|id| self.note_box(id));
        self
    }

    /// Adds a body and builds its tree. In its first frame it stands still.
    pub fn add(&mut self, mut body: Body) -> BodyId {
        body.hold_still();
        body.drop_written();
        self.insert(body)
    }

    /// Adds a body with the motion it has.
    fn insert(&mut self, body: Body) -> BodyId {
        let settings =
            Settings { asks_itself: false, group: 0, membership: u32::MAX, mask: u32::MAX, thickness: 0.0, rings: 0 };
        let entry = Entry { body, loose: None, settings, exclusions: Exclusions::default(), box_changed: false };
        let id = self.bodies.insert(entry);
        self.insert_tree(id.slot());
        self.note_box(id);
        id
    }

    /// Builds the tree by which the pairs of the body in a slot are found.
    fn insert_tree(&mut self, slot: u32) {
        let body = &self.bodies.in_slot(slot).body;
        match &mut self.other {
            None => self.wide.insert(slot, body),
            Some(other) => {
                self.wide.remove(slot);
                other.insert(slot, body);
            }
        }
    }

    /// Takes a body out and returns it; its id is never valid again.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn remove(&mut self, id: BodyId) -> Result<Body, SceneError> {
        let entry = self.bodies.remove(id)?;
        self.wide.remove(id.slot());
        self.other.iter_mut().for_each(|other| other.remove(id.slot()));
        self.broad.remove(id.slot());
        self.filter.forget(id);
        self.answers.forget(id);
        self.raise(Phase::Changed);
        Ok(entry.body)
    }

    /// A body as it is now.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn body(&self, id: BodyId) -> Result<&Body, SceneError> {
        Ok(&self.bodies.get(id)?.body)
    }

    /// The bodies in the order of their ids.
    pub fn bodies(&self) -> impl Iterator<Item = (BodyId, &Body)> {
        self.bodies.iter().map(|(id, entry)| (id, &entry.body))
    }

    /// Names a body, or takes its name away; see [`Body::with_name`].
    ///
    /// # Errors
    /// If there is no such body.
    pub fn set_name(&mut self, id: BodyId, name: Option<&str>) -> Result<(), SceneError> {
        self.bodies.get_mut(id)?.body.set_name(name.map(Arc::from));
        Ok(())
    }

    /// Keeps a number of the caller's own with a body; see [`Body::with_user_data`].
    ///
    /// # Errors
    /// If there is no such body.
    pub fn set_user_data(&mut self, id: BodyId, user_data: u64) -> Result<(), SceneError> {
        self.bodies.get_mut(id)?.body.set_user_data(user_data);
        Ok(())
    }

    /// Limits how many pairs of triangles are listed per contact; all are listed by default, and with `None`.
    ///
    /// The first in order are listed, by every method and with any number of threads, and [`Contact::count`](crate::Contact::count) counts all. A
    /// search then needs memory for a few times as many pairs as are listed, however many meet, so that bodies of which
    /// everything meets everything can be asked about. Pairs that share a vertex (of a body with itself) and pairs that
    /// pass a filter of the caller's own are all collected first.
    ///
    /// Counts as a change, so that contacts are found anew, and ends what [`Frame::began`] and [`Frame::ended`] compare with.
    pub fn set_max_pairs(&mut self, most: Option<usize>) {
        self.wanted = most.map_or(Wanted::All, Wanted::AtMost);
        self.answers.contacts = PerFrame::default();
        self.raise(Phase::Changed);
    }

    /// Whether collisions of a body with itself are looked for; off by default.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn set_self_collision(&mut self, id: BodyId, on: bool) -> Result<(), SceneError> {
        self.bodies.get_mut(id)?.settings.asks_itself = on;
        self.raise(Phase::Changed);
        Ok(())
    }
}
