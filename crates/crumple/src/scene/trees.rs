//! The trees of a scene's bodies, by their slots.
//!
//! Trees are brought up to date between frames, by whoever has the scene to itself, for the bodies that the broad phase has
//! paired. A question may need others as well: then the first to ask does it, within the frame. No thread ever waits for
//! one that waits for it: a tree that is behind is read by nobody, and to bring it up to date takes no other lock and no
//! help from other threads.

use std::sync::{PoisonError, RwLock, RwLockReadGuard, TryLockError};

use crate::body::Body;
use crate::geom::Aabb;
use crate::narrow::PairMethod;

/// A tree and what it is up to date with.
#[derive(Clone, Debug)]
pub(super) struct Kept<T> {
    pub(super) tree: T,
    version: u64,
    topology: u64,
}

impl<T> Kept<T> {
    fn new<M: PairMethod<Tree = T>>(method: &M, body: &Body) -> Self {
        Self { tree: method.build(body), version: body.version(), topology: body.topology_version() }
    }

    fn is_behind(&self, body: &Body) -> bool {
        (self.version, self.topology) != (body.version(), body.topology_version())
    }

    /// Takes in the body as it is now; where queries will be about what is in `near` only, that.
    pub(super) fn update<M: PairMethod<Tree = T>>(&mut self, method: &M, body: &Body, near: Option<&Aabb>) {
        if self.topology != body.topology_version() {
            method.rebuild(&mut self.tree, body);
        } else if let Some(near) = near {
            method.update_near(&mut self.tree, body, near);
        } else {
            method.update(&mut self.tree, body);
        }
        (self.version, self.topology) = (body.version(), body.topology_version());
    }
}

/// The tree of one slot, if there is one.
#[derive(Debug)]
pub(super) struct TreeSlot<T>(RwLock<Option<Kept<T>>>);

impl<T> TreeSlot<T> {
    pub(super) fn get_mut(&mut self) -> Option<&mut Kept<T>> {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner).as_mut()
    }

    /// Whether the tree is there and behind its body.
    pub(super) fn is_behind(&mut self, body: &Body) -> bool {
        self.get_mut().is_some_and(|kept| kept.is_behind(body))
    }
}

impl<T: Clone> Clone for TreeSlot<T> {
    fn clone(&self) -> Self {
        Self(RwLock::new(self.read().clone()))
    }
}

impl<T> TreeSlot<T> {
    fn read(&self) -> RwLockReadGuard<'_, Option<Kept<T>>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The trees by slot.
#[derive(Clone, Debug)]
pub(super) struct Trees<T> {
    pub(super) slots: Vec<TreeSlot<T>>,
}

impl<T> Default for Trees<T> {
    fn default() -> Self {
        Self { slots: Vec::new() }
    }
}

impl<T> Trees<T> {
    /// Empties a slot, and makes it if it is new.
    pub(super) fn clear(&mut self, slot: u32) {
        let slot = slot as usize;
        if self.slots.len() <= slot {
            self.slots.resize_with(slot + 1, || TreeSlot(RwLock::new(None)));
        }
        self.slots[slot] = TreeSlot(RwLock::new(None));
    }

    /// Builds the tree of a body.
    pub(super) fn insert<M: PairMethod<Tree = T>>(&mut self, slot: u32, method: &M, body: &Body) {
        self.clear(slot);
        self.slots[slot as usize] = TreeSlot(RwLock::new(Some(Kept::new(method, body))));
    }

    /// The tree of a slot, as it is.
    pub(super) fn read(&self, slot: u32) -> RwLockReadGuard<'_, Option<Kept<T>>> {
        self.slots[slot as usize].read()
    }

    /// A copy of the tree of a slot, to be refitted elsewhere; a new tree where there is none over the body's triangles.
    pub(super) fn copy<M: PairMethod<Tree = T>>(&self, slot: u32, method: &M, body: &Body) -> T
    where
        T: Clone,
    {
        match &*self.read(slot) {
            Some(kept) if kept.topology == body.topology_version() => kept.tree.clone(),
            _ => method.build(body),
        }
    }

    /// Makes sure that there is an up-to-date tree in a slot.
    pub(super) fn bring_up_to_date<M: PairMethod<Tree = T>>(&self, slot: u32, method: &M, body: &Body) {
        let slot = &self.slots[slot as usize];
        while slot.read().as_ref().is_none_or(|kept| kept.is_behind(body)) {
            // Never waits to write: a thread that reads this tree may, while it waits for work it has shared, be handed
            // another question about it, and a waiting writer would hold that second reading back for good. If the lock
            // is taken, then by someone who looks as we do or brings the tree up to date. That is the one computation that
            // anybody waits for (see `per_frame`): to build a second tree beside it would take as long.
            let Ok(mut slot) = slot.0.try_write().or_else(|error| match error {
                TryLockError::Poisoned(poisoned) => Ok(poisoned.into_inner()),
                TryLockError::WouldBlock => Err(()),
            }) else {
                std::thread::yield_now();
                continue;
            };
            match &mut *slot {
                Some(kept) if kept.is_behind(body) => kept.update(method, body, None),
                Some(_) => {}
                None => *slot = Some(Kept::new(method, body)),
            }
        }
    }
}
