//! One frame, to be read.

use super::step::Phase;
use super::{BodyId, Contact, Contacts, Scene, SceneError};
use crate::body::Body;

/// The bodies of a scene at one moment, and every answer about it.
///
/// Made by [`Scene::update`]. It borrows the scene: bodies can be read while contacts are, and nothing moves. Every
/// question takes `&self`, from any number of threads; it is answered when it is first asked, and asking again costs
/// nothing. No question does the work of another.
///
/// ```
/// use crumple::{Body, Mesh, Scene, Triangle};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut scene = Scene::new();
/// let plate = [[-1.0, 0.0, -1.0], [1.0, 0.0, -1.0], [0.0, 0.0, 1.0]];
/// scene.add(Body::new(Mesh::new(3, vec![[0, 1, 2]])?, &plate)?.with_name("plate"));
/// let leaf = scene.add(Body::new(Mesh::new(3, vec![[0, 1, 2]])?, &plate.map(|[x, _, z]| [x, z * 0.1, z]))?);
/// let frame = scene.update()?;
/// // Push every vertex of the leaf's triangles that collide along the other triangle's normal.
/// let mut forces = vec![[0.0; 3]; frame.body(leaf)?.positions().len()];
/// for contact in frame.contacts_of(leaf) {
///     let Some(side) = contact.seen_from(leaf) else { continue };
///     for (own, other) in side.pairs() {
///         let Some(Triangle([p, q, r])) = side.other.triangle(other) else { continue };
///         let vertices = side.own.mesh().triangles()[own.index()];
///         let (u, v) = ([q[0] - p[0], q[1] - p[1], q[2] - p[2]], [r[0] - p[0], r[1] - p[1], r[2] - p[2]]);
///         let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
///         for vertex in vertices {
///             (0..3).for_each(|axis| forces[vertex as usize][axis] += 0.1 * normal[axis]);
///         }
///     }
/// }
/// assert!(forces.iter().all(|force| force[1] != 0.0));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    pub(super) scene: &'a Scene,
}

impl Scene {
    /// The frame that the last [`update`](Self::update) began, for callers that cannot keep its borrow.
    ///
    /// `None` before the first update, and once anything that may change an answer has been called since: the scene is then
    /// between frames. Names and user data change no answer.
    pub fn frame(&self) -> Option<Frame<'_>> {
        (self.phase == Phase::Shown && self.frame > 0).then(|| Frame::new(self))
    }
}

impl<'a> Frame<'a> {
    pub(super) fn new(scene: &'a Scene) -> Self {
        Self { scene }
    }

    /// The number of the frame: 1 after the first update.
    pub fn number(&self) -> u64 {
        self.scene.frame
    }

    /// A body at this moment.
    ///
    /// # Errors
    /// If there is no such body.
    pub fn body(&self, id: BodyId) -> Result<&'a Body, SceneError> {
        self.scene.body(id)
    }

    /// The bodies in the order of their ids.
    pub fn bodies(&self) -> impl Iterator<Item = (BodyId, &'a Body)> + use<'a> {
        self.scene.bodies()
    }

    /// All pairs of triangles that meet, grouped by bodies; sorted by bodies, and by triangles within them.
    pub fn contacts(&self) -> Contacts<'a> {
        Contacts::new(self.scene.contacts.answer(self.scene), self.scene)
    }

    /// One pair of triangles, any one, for each two bodies that meet: what it takes to know *whether* they do.
    pub fn witnesses(&self) -> Contacts<'a> {
        Contacts::new(self.scene.witnesses.answer(self.scene), self.scene)
    }

    /// The contacts of one body, with others and with itself; none if there is no such body.
    pub fn contacts_of(&self, id: BodyId) -> impl Iterator<Item = Contact<'a>> + use<'a> {
        self.contacts().into_iter().filter(move |contact| contact.a == id || contact.b == id)
    }

    /// The contact of two bodies, in either order, or of one with itself; `None` if they do not meet.
    pub fn contact(&self, a: BodyId, b: BodyId) -> Option<Contact<'a>> {
        self.contacts().get(a, b)
    }
}
