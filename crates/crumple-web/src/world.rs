//! A scene with its bodies by number, as JavaScript names them.
//!
//! Numbers count from 0 in the order of adding and are never used again. A body whose positions JavaScript writes has a *draft* of
//! them, which JavaScript fills before it calls. An update compares the draft with the body and takes it in where it differs,
//! so that a body that is written but not moved stands still; both cost one pass over memory.

use std::collections::HashMap;

use crumple::{Body, BodyId, Frame, Mesh, Scene, SceneError};

use crate::buffers::{Given, Refusal};

/// How a body is added.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    pub(crate) self_collision: bool,
    /// Whether vertices at equal positions count as one for topology.
    pub(crate) weld: bool,
    pub(crate) thickness: f64,
}

#[derive(Debug)]
struct Entry {
    id: BodyId,
    name: Option<String>,
    draft: Vec<[f32; 3]>,
}

/// A scene, and what its bodies are called outside.
#[derive(Debug)]
pub(crate) struct World {
    scene: Scene,
    /// By number; none where a body was removed.
    bodies: Vec<Option<Entry>>,
    numbers: HashMap<BodyId, u32>,
}

impl World {
    pub(crate) fn new(method: &str) -> Result<Self, Refusal> {
        Ok(Self { scene: scene(method)?, bodies: Vec::new(), numbers: HashMap::new() })
    }

    /// Adds a body and returns its number.
    pub(crate) fn add(&mut self, name: String, given: Given<'_>, options: Options) -> Result<u32, Refusal> {
        let number = self.bodies.len() as u32;
        let name = (!name.is_empty()).then_some(name);
        let id = self.scene.add(Body::new(mesh(given, options.weld)?, given.positions)?);
        let prepared = self.scene.set_self_collision(id, options.self_collision);
        let prepared = prepared.and_then(|()| self.scene.set_thickness(id, options.thickness));
        if let Err(error) = prepared {
            // As if it had never been added.
            let _ = self.scene.remove(id);
            return Err(in_words(&error, &label(number, name.as_deref())));
        }
        self.numbers.insert(id, number);
        self.bodies.push(Some(Entry { id, name, draft: Vec::new() }));
        Ok(number)
    }

    /// Takes a body out; its number is never valid again.
    pub(crate) fn remove(&mut self, number: u32) -> Result<(), Refusal> {
        self.change(number, |scene, id| scene.remove(id).map(|_| ()))?;
        if let Some(entry) = self.bodies[number as usize].take() {
            self.numbers.remove(&entry.id);
        }
        Ok(())
    }

    /// Gives a body other triangles and vertices under the same number.
    pub(crate) fn set_mesh(&mut self, number: u32, given: Given<'_>, weld: bool) -> Result<(), Refusal> {
        let mesh = mesh(given, weld)?;
        self.change(number, |scene, id| scene.swap_mesh(id, mesh, given.positions))?;
        let entry = self.entry_mut(number)?;
        if !entry.draft.is_empty() {
            entry.draft = given.positions.to_vec();
        }
        Ok(())
    }

    /// The positions of a body in the next frame, to be written; they start as the current ones.
    pub(crate) fn draft(&mut self, number: u32) -> Result<&mut [[f32; 3]], Refusal> {
        let id = self.id(number)?;
        let current = self.scene.body(id)?.positions();
        let entry = self.bodies[number as usize].as_mut().ok_or_else(|| unknown(number))?;
        if entry.draft.len() != current.len() {
            entry.draft = current.to_vec();
        }
        Ok(&mut entry.draft)
    }

    /// Takes in the draft of a body now; a draft that is refused is taken back.
    pub(crate) fn take_in(&mut self, number: u32, correct: bool) -> Result<(), Refusal> {
        let mut draft = std::mem::take(&mut self.entry_mut(number)?.draft);
        let taken = self.change(number, |scene, id| match correct {
            true => scene.correct_positions(id, &draft),
            false => scene.set_positions(id, &draft),
        });
        if taken.is_err() {
            let id = self.id(number)?;
            let current = self.scene.body(id)?.positions();
            // In place: views of it stay valid.
            draft.iter_mut().zip(current).for_each(|(to, &from)| *to = from);
        }
        self.entry_mut(number)?.draft = draft;
        taken
    }

    /// Takes in every draft that differs from its body, and begins the next frame.
    pub(crate) fn update(&mut self) -> Result<(), Refusal> {
        for entry in self.bodies.iter().flatten().filter(|entry| !entry.draft.is_empty()) {
            if differs(self.scene.body(entry.id)?.positions(), &entry.draft) {
                let taken = self.scene.set_positions(entry.id, &entry.draft);
                taken.map_err(|error| self.in_words(&error))?;
            }
        }
        let updated = self.scene.update().map(|_| ());
        updated.map_err(|error| self.in_words(&error))
    }

    /// The frame that the last update began.
    pub(crate) fn frame(&self) -> Result<Frame<'_>, Refusal> {
        let over =
            "this frame is over, since its scene has been changed: read what you need before changing bodies again";
        self.scene.frame().ok_or_else(|| Refusal(over.to_owned()))
    }

    /// Changes a body; an error names it as JavaScript does.
    pub(crate) fn change(
        &mut self,
        number: u32,
        change: impl FnOnce(&mut Scene, BodyId) -> Result<(), SceneError>,
    ) -> Result<(), Refusal> {
        let id = self.id(number)?;
        change(&mut self.scene, id).map_err(|error| self.in_words(&error))
    }

    /// What the library has refused, with the body named as JavaScript names it.
    pub(crate) fn in_words(&self, error: &SceneError) -> Refusal {
        let body = match error {
            SceneError::Body { body, .. }
            | SceneError::BadThickness { body, .. }
            | SceneError::DistanceFromItself { body }
            | SceneError::NoTriangles { body }
            | SceneError::NotClosed { body, .. }
            | SceneError::ClosestPoint { body, .. } => self.numbers.get(body),
            _ => None,
        };
        let named = body.map(|&number| {
            let entry = self.bodies.get(number as usize).and_then(Option::as_ref);
            label(number, entry.and_then(|entry| entry.name.as_deref()))
        });
        named.map_or_else(|| Refusal::from(error.clone()), |name| in_words(error, &name))
    }

    pub(crate) fn id(&self, number: u32) -> Result<BodyId, Refusal> {
        let entry = self.bodies.get(number as usize).and_then(Option::as_ref);
        entry.map(|entry| entry.id).ok_or_else(|| unknown(number))
    }

    /// The number of a body of this scene.
    pub(crate) fn number(&self, id: BodyId) -> u32 {
        self.numbers.get(&id).copied().unwrap_or(u32::MAX)
    }

    fn entry_mut(&mut self, number: u32) -> Result<&mut Entry, Refusal> {
        self.bodies.get_mut(number as usize).and_then(Option::as_mut).ok_or_else(|| unknown(number))
    }
}

/// A scene by the name of a method; the default one if it is empty.
#[cfg(feature = "methods")]
fn scene(method: &str) -> Result<Scene, Refusal> {
    let method: crumple_methods::Method =
        if method.is_empty() { crumple_methods::Method::default() } else { method.parse()? };
    Ok(method.scene())
}

/// A scene by the default method: naming no other leaves them out of the module.
#[cfg(not(feature = "methods"))]
fn scene(method: &str) -> Result<Scene, Refusal> {
    if method.is_empty() || method == "wide-tree" {
        return Ok(Scene::new());
    }
    Err(Refusal(format!("this build has only the method wide-tree, not {method}: await init() without `only`")))
}

fn mesh(Given { positions, triangles }: Given<'_>, weld: bool) -> Result<Mesh, Refusal> {
    let mesh = Mesh::new(positions.len(), triangles.to_vec())?;
    Ok(if weld { mesh.welded(positions)? } else { mesh })
}

/// What an error calls a body.
fn label(number: u32, name: Option<&str>) -> String {
    name.map_or_else(|| number.to_string(), |name| format!("\"{name}\""))
}

fn unknown(number: u32) -> Refusal {
    Refusal(format!("there is no body {number} in this scene: it was never added, or it was removed"))
}

/// The library's message about a body, under the name that it has here.
fn in_words(error: &SceneError, name: &str) -> Refusal {
    match error {
        SceneError::Body { source, .. } => Refusal(format!("the positions of body {name} were refused: {source}")),
        // The library's number of the body is the first number in its message.
        SceneError::BadThickness { body, .. } => Refusal(error.to_string().replacen(&body.to_string(), name, 1)),
        SceneError::DistanceFromItself { .. } => {
            Refusal(format!("the distance of body {name} from itself was asked for: name two bodies, or use near"))
        }
        SceneError::NoTriangles { .. } => {
            Refusal(format!("body {name} has no triangles, so nothing is at any distance from it"))
        }
        SceneError::ClosestPoint { source, .. } => {
            Refusal(format!("the closest points of body {name} cannot be found: {source}"))
        }
        SceneError::NotClosed { fault, .. } => Refusal(format!(
            "body {name} encloses no volume: along {} edges more triangles run one way than the other, the first from \
             vertex {} to vertex {} (triangle {}); close the surface and turn its triangles the same way round",
            fault.count, fault.from, fault.to, fault.triangle
        )),
        other => Refusal::from(other.clone()),
    }
}

/// Whether a coordinate differs; NaN differs from everything, and is refused when it is taken in.
fn differs(current: &[[f32; 3]], draft: &[[f32; 3]]) -> bool {
    // In pieces without a branch inside, so that the compiler compares several at once.
    let pieces = current.as_flattened().chunks(96).zip(draft.as_flattened().chunks(96));
    pieces.into_iter().any(|(old, new)| old.iter().zip(new).fold(false, |found, (a, b)| found | (a != b)))
}
