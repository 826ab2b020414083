//! Runs the stages for many bodies, frame after frame: the usual way in.
//!
//! ```text
//! set_positions ─► body, box ─► broad: which bodies? ─► update their trees ─► narrow: which triangles? ─► contacts
//! ```
//!
//! What holds between the stages: a body's box is right from the moment its positions are accepted, so the broad phase
//! can not be stale; a tree is brought up to date when the broad phase first pairs its body in a frame, so a body that
//! is far from all others costs one pass over its vertices; an answer about two bodies of which neither moved is last
//! frame's.

mod contacts;
mod engine;
mod error;
mod first_contact;
mod ignore;
mod in_place;
#[cfg(feature = "parallel")]
mod parallel;
mod slots;
mod topology;

pub use contacts::{Contact, ContactIter, Contacts};
pub use error::SceneError;
pub use first_contact::FirstContact;
pub use in_place::ScenePositionsMut;
pub use slots::BodyId;
pub use topology::{Fused, Split};

use crate::body::{Body, BodyError};
use crate::broad::{Auto, BroadPhase};
use crate::geom::{Aabb, Pose};
use crate::narrow::{Method, PairMethod, Wanted};
use contacts::Record;
use engine::{Engine, Found, Job, Stale};
use ignore::Ignored;
use slots::Slots;

/// Bodies that deform and collide.
///
/// ```
/// use crumple::{Body, Mesh, Method, Scene};
///
/// let triangle = || Mesh::new(3, vec![[0, 1, 2]]);
/// let mut scene = Scene::new(Method::default());
/// let floor = scene.add(Body::new(triangle()?, &[[-9.0, 0.0, -9.0], [9.0, 0.0, -9.0], [0.0, 0.0, 9.0]])?);
/// let leaf = scene.add(Body::new(triangle()?, &[[0.0, 2.0, 0.0], [1.0, 3.0, 0.0], [0.0, 3.0, 1.0]])?);
/// assert_eq!(scene.contacts()?.len(), 0);
///
/// scene.set_positions(leaf, &[[0.0, -1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 1.0]])?;
/// for contact in scene.contacts()? {
///     assert_eq!((contact.a, contact.b, contact.pairs.len()), (floor, leaf, 1));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Scene {
    engine: Box<dyn Engine>,
    broad: Box<dyn BroadPhase>,
    bodies: Slots<Entry>,
    ignored: Ignored,
    /// The questions of this frame: pairs of bodies whose boxes overlap, and bodies asked about themselves.
    jobs: Vec<Job>,
    /// Those that last frame's answer does not answer too, and their answers.
    open: Vec<Job>,
    found: Found,
    /// The trees that are behind their bodies.
    stale_trees: Vec<Stale>,
    /// Whether boxes have changed since `jobs` was made.
    stale: bool,
    /// The number of this frame, and whether it has been asked about: whatever moves after that moves in the next.
    frame: u64,
    is_asked: bool,
    now: Answer,
    before: Answer,
}

/// A body and what the scene knows about it.
#[derive(Debug)]
pub(crate) struct Entry {
    body: Body,
    /// A box that is sure to hold the body this frame, while its vertices have not been read.
    loose: Option<Aabb>,
    asks_itself: bool,
    group: u32,
    /// The frame of the body that its tree is up to date with.
    tree_frame: u64,
    /// The triangles of the body that its tree is up to date with.
    tree_topology: u64,
    /// The scene's frame in which the body was last moved.
    moved_in: u64,
}

impl Entry {
    /// The smallest box that is known to hold the body this frame.
    fn bounds(&self) -> Aabb {
        self.loose.unwrap_or(self.body.bounds())
    }
}

#[derive(Debug, Default)]
struct Answer {
    records: Vec<Record>,
    pairs: Vec<crate::contact::TrianglePair>,
}

impl Answer {
    fn clear(&mut self) {
        self.records.clear();
        self.pairs.clear();
    }
}

impl Scene {
    /// A scene without bodies.
    pub fn new(method: Method) -> Self {
        Self::on(engine::engine(method))
    }

    /// A scene that finds its pairs by a method of the caller's own.
    pub fn with_method(method: impl PairMethod + 'static) -> Self {
        Self::on(Box::new(engine::Runner::new(method)))
    }

    /// Finds which bodies are near each other by a broad phase of the caller's choice, in place of [`Auto`].
    ///
    /// Bodies that are already there are handed over.
    pub fn with_broad_phase(self, mut broad: impl BroadPhase + 'static) -> Self {
        for (id, entry) in self.bodies.iter() {
            broad.set(id.slot(), entry.bounds());
        }
        Self { broad: Box::new(broad), stale: true, ..self }
    }

    fn on(engine: Box<dyn Engine>) -> Self {
        Self {
            engine,
            broad: Box::new(Auto::default()),
            bodies: Slots::default(),
            ignored: Ignored::default(),
            jobs: Vec::new(),
            open: Vec::new(),
            found: Found::default(),
            stale_trees: Vec::new(),
            stale: false,
            frame: 1,
            is_asked: false,
            now: Answer::default(),
            before: Answer::default(),
        }
    }

    /// Adds a body and builds its tree.
    pub fn add(&mut self, body: Body) -> BodyId {
        let (bounds, tree_frame, tree_topology) = (body.bounds(), body.frame(), body.topology_version());
        let entry = Entry { body, loose: None, asks_itself: false, group: 0, tree_frame, tree_topology, moved_in: 0 };
        let id = self.bodies.insert(entry);
        if let Ok(entry) = self.bodies.get(id) {
            self.engine.insert(id.slot(), &entry.body);
        }
        self.broad.set(id.slot(), bounds);
        self.stale = true;
        id
    }

    /// Takes a body out and returns it; its id is never valid again.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn remove(&mut self, id: BodyId) -> Result<Body, SceneError> {
        let entry = self.bodies.remove(id)?;
        self.engine.remove(id.slot());
        self.broad.remove(id.slot());
        self.ignored.forget(id);
        self.stale = true;
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

    /// Moves every vertex of a body: the positions of the next frame, in the order of the vertices.
    ///
    /// This one call brings everything up to date: the body, its box, the broad phase, and what is kept for queries.
    ///
    /// # Errors
    /// If there is no such body, not one position a vertex, or one is not finite. The body then stays as it was.
    pub fn set_positions<P>(&mut self, id: BodyId, positions: &P) -> Result<(), SceneError>
    where
        P: AsRef<[[f32; 3]]> + ?Sized,
    {
        let entry = self.bodies.get_mut(id)?;
        entry.body.set_positions(positions).map_err(|source| SceneError::Body { body: id, source })?;
        self.note_moved(id)
    }

    /// Room for the next frame's positions of a body in its own memory: as [`set_positions`](Self::set_positions), but
    /// without a copy for whoever can write them there. See [`Body::positions_mut`].
    ///
    /// # Errors
    /// If there is no such body.
    pub fn positions_mut(&mut self, id: BodyId) -> Result<ScenePositionsMut<'_>, SceneError> {
        self.bodies.get(id)?;
        Ok(ScenePositionsMut { scene: self, id })
    }

    /// Brings up to date what depends on where a body is.
    fn note_moved(&mut self, id: BodyId) -> Result<(), SceneError> {
        let entry = self.bodies.get_mut(id)?;
        entry.loose = None;
        if std::mem::take(&mut self.is_asked) || entry.moved_in == self.frame {
            self.frame += 1;
        }
        entry.moved_in = self.frame;
        self.broad.set(id.slot(), entry.body.bounds());
        self.stale = true;
        Ok(())
    }

    /// Says for the next frame only in which box the body is, not where its vertices are.
    ///
    /// The vertices are read, by [`contacts_with`](Self::contacts_with), only if the box comes near another body, or the
    /// body is asked about itself: a body that is far from all others then costs nothing a vertex. Until they are read
    /// or set, [`body`](Self::body) shows them where they were last.
    ///
    /// # Errors
    /// If there is no such body, or the box is empty and the body is not: a promise it can not keep.
    pub fn set_loose_box(&mut self, id: BodyId, promised: Aabb) -> Result<(), SceneError> {
        let entry = self.bodies.get_mut(id)?;
        let vertices = entry.body.mesh().vertex_count();
        if promised.is_empty() && vertices > 0 {
            return Err(SceneError::Body { body: id, source: BodyError::EmptyLooseBox { promised, vertices } });
        }
        entry.loose = Some(promised);
        self.frame += u64::from(std::mem::take(&mut self.is_asked));
        self.broad.set(id.slot(), promised);
        self.stale = true;
        Ok(())
    }

    /// Says how a body as a whole is placed; see [`Body::set_pose`].
    ///
    /// # Errors
    /// If there is no such body.
    pub fn set_pose(&mut self, id: BodyId, world_from_body: Pose) -> Result<(), SceneError> {
        self.bodies.get_mut(id)?.body.set_pose(world_from_body);
        self.stale = true;
        Ok(())
    }

    /// Whether a body is also asked about collisions with itself; off unless it is said.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn set_self_collision(&mut self, id: BodyId, on: bool) -> Result<(), SceneError> {
        self.bodies.get_mut(id)?.asks_itself = on;
        self.stale = true;
        Ok(())
    }

    /// Lets two bodies touch: they are no longer asked about, until [`watch`](Self::watch) says so.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn ignore(&mut self, a: BodyId, b: BodyId) -> Result<(), SceneError> {
        self.both_exist(a, b)?;
        self.ignored.ignore_bodies(a, b);
        self.stale = true;
        Ok(())
    }

    /// Takes back an [`ignore`](Self::ignore).
    ///
    /// # Errors
    /// If there is no such body.
    pub fn watch(&mut self, a: BodyId, b: BodyId) -> Result<(), SceneError> {
        self.both_exist(a, b)?;
        self.ignored.watch_bodies(a, b);
        self.stale = true;
        Ok(())
    }

    /// Puts a body into a group; every body starts in group 0.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn set_group(&mut self, id: BodyId, group: u32) -> Result<(), SceneError> {
        self.bodies.get_mut(id)?.group = group;
        self.stale = true;
        Ok(())
    }

    /// Lets bodies of two groups touch; twice the same group lets the bodies within it touch each other.
    pub fn ignore_groups(&mut self, a: u32, b: u32) {
        self.ignored.ignore_groups(a, b);
        self.stale = true;
    }

    /// Takes back an [`ignore_groups`](Self::ignore_groups).
    pub fn watch_groups(&mut self, a: u32, b: u32) {
        self.ignored.watch_groups(a, b);
        self.stale = true;
    }

    /// All pairs of triangles that meet, grouped by bodies; sorted by bodies, and by triangles within them.
    ///
    /// # Errors
    /// If a body known only by a loose box came near another: its vertices are needed, see
    /// [`contacts_with`](Self::contacts_with).
    pub fn contacts(&mut self) -> Result<Contacts<'_>, SceneError> {
        self.update()?;
        Ok(self.answer(Wanted::All))
    }

    /// All pairs, reading the vertices of bodies known by a loose box from `positions_of` where they are needed.
    ///
    /// # Errors
    /// If positions so read are refused: not one a vertex, not finite, or outside the loose box. That body then still
    /// has its old positions and is still known by its loose box.
    pub fn contacts_with<'p>(
        &mut self,
        positions_of: impl FnMut(BodyId) -> &'p [[f32; 3]],
    ) -> Result<Contacts<'_>, SceneError> {
        self.update_with(positions_of)?;
        Ok(self.answer(Wanted::All))
    }

    /// One pair, any one, for each two bodies that meet: what it takes to know *whether* they do.
    ///
    /// # Errors
    /// As for [`contacts`](Self::contacts).
    pub fn first_pairs(&mut self) -> Result<Contacts<'_>, SceneError> {
        self.update()?;
        Ok(self.answer(Wanted::First))
    }

    /// Brings everything up to date that a query needs. Queries do this by themselves; calling it apart serves to tell
    /// the cost of the update from that of the query.
    ///
    /// # Errors
    /// As for [`contacts`](Self::contacts).
    pub fn update(&mut self) -> Result<(), SceneError> {
        self.refresh(|body, near, _| Err(SceneError::VerticesNeeded { body, near }))
    }

    /// As [`update`](Self::update), reading vertices where they are needed.
    ///
    /// # Errors
    /// As for [`contacts_with`](Self::contacts_with).
    pub fn update_with<'p>(
        &mut self,
        mut positions_of: impl FnMut(BodyId) -> &'p [[f32; 3]],
    ) -> Result<(), SceneError> {
        let frame = self.frame;
        self.refresh(|body, _, entry| {
            let read = entry.body.set_positions_within(positions_of(body), entry.loose);
            read.map_err(|source| SceneError::Body { body, source })?;
            entry.loose = None;
            entry.moved_in = frame;
            Ok(())
        })
    }

    fn both_exist(&self, a: BodyId, b: BodyId) -> Result<(), SceneError> {
        self.bodies.get(a).and_then(|_| self.bodies.get(b)).map(|_| ())
    }

    /// Finds which bodies must be asked about, makes sure of their vertices through `read`, and updates their trees.
    fn refresh(
        &mut self,
        mut read: impl FnMut(BodyId, BodyId, &mut Entry) -> Result<(), SceneError>,
    ) -> Result<(), SceneError> {
        if !self.stale {
            return Ok(());
        }
        let mut make_known = |id: BodyId, near: BodyId, entry: &mut Entry| {
            if entry.loose.is_some() { read(id, near, entry) } else { Ok(()) }
        };
        self.jobs.clear();
        for (id, entry) in self.bodies.iter_mut() {
            if entry.asks_itself {
                make_known(id, id, entry)?;
                self.jobs.push(Job { a: id, b: id });
            }
        }
        for &(slot_a, slot_b) in self.broad.pairs() {
            let (Some(a), Some(b)) = (self.bodies.id_in(slot_a), self.bodies.id_in(slot_b)) else { continue };
            let group = |id| self.bodies.get(id).map_or(0, |entry: &Entry| entry.group);
            if self.ignored.holds((a, group(a)), (b, group(b))) {
                continue;
            }
            // A loose box may come near where the body itself, once it is read, does not. The broad phase keeps such a
            // box until positions are set: hence the boxes are compared again before each reading.
            for (id, near) in [(a, b), (b, a)] {
                if are_near(&self.bodies, a, b)? {
                    make_known(id, near, self.bodies.get_mut(id)?)?;
                }
            }
            if are_near(&self.bodies, a, b)? {
                self.jobs.push(Job { a, b });
            }
        }
        self.jobs.sort_unstable();
        self.update_trees()?;
        self.stale = false;
        Ok(())
    }

    /// Brings the trees of all bodies that are asked about up to date with them.
    fn update_trees(&mut self) -> Result<(), SceneError> {
        self.stale_trees.clear();
        for job in &self.jobs {
            for id in [job.a, job.b] {
                let entry = self.bodies.get_mut(id)?;
                let (frame, topology) = (entry.body.frame(), entry.body.topology_version());
                let has_other_triangles = entry.tree_topology != topology;
                if has_other_triangles || entry.tree_frame != frame {
                    self.stale_trees.push(Stale { slot: id.slot(), has_other_triangles });
                    (entry.tree_frame, entry.tree_topology) = (frame, topology);
                }
            }
        }
        self.stale_trees.sort_unstable_by_key(|stale| stale.slot);
        self.engine.update(&self.stale_trees, &|slot| &self.bodies.in_slot(slot).body);
        Ok(())
    }

    /// Answers this frame's questions, taking over what neither body's motion has touched.
    fn answer(&mut self, wanted: Wanted) -> Contacts<'_> {
        self.is_asked = true;
        std::mem::swap(&mut self.now, &mut self.before);
        self.open.clear();
        self.found.clear();
        let frames_of = |job: Job| [job.a, job.b].map(|id| self.bodies.in_slot(id.slot()).body.frame());
        let mut earlier = self.before.records.iter().peekable();
        for &job in &self.jobs {
            // Both lists are sorted by bodies: walk them side by side.
            while earlier.next_if(|record| record.job < job).is_some() {}
            let frames = frames_of(job);
            let same = earlier.peek().filter(|r| r.job == job && r.frames == frames && r.wanted == wanted);
            if same.is_none() {
                self.open.push(job);
            }
        }
        self.engine.find(&self.open, &|slot| &self.bodies.in_slot(slot).body, wanted, &mut self.found);
        let mut earlier = self.before.records.iter().peekable();
        let mut open = self.open.iter().enumerate().peekable();
        for &job in &self.jobs {
            let start = self.now.pairs.len();
            let (pairs, stats) = match open.next_if(|(_, asked)| **asked == job) {
                Some((at, _)) => self.found.of(at),
                None => {
                    while earlier.next_if(|record| record.job < job).is_some() {}
                    let Some(record) = earlier.peek() else { continue };
                    (&self.before.pairs[record.pairs.clone()], record.stats.without_work())
                }
            };
            self.now.pairs.extend_from_slice(pairs);
            let pairs = start..self.now.pairs.len();
            self.now.records.push(Record { job, frames: frames_of(job), wanted, pairs, stats });
        }
        // The two answers take turns: room for one is room for both, or a sequence of an odd number of frames would
        // still allocate when it is played again.
        self.before.clear();
        self.before.records.reserve(self.now.records.len());
        self.before.pairs.reserve(self.now.pairs.len());
        Contacts::new(&self.now.records, &self.now.pairs)
    }
}

/// Whether the boxes of two bodies overlap, as far as they are known.
fn are_near(bodies: &Slots<Entry>, a: BodyId, b: BodyId) -> Result<bool, SceneError> {
    Ok(bodies.get(a)?.bounds().overlaps(&bodies.get(b)?.bounds()))
}
