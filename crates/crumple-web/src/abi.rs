//! The functions that JavaScript calls, over plain numbers.
//!
//! A call that can be refused returns a number from 0 up, or -1 with a message in the text buffer. Addresses go out, never
//! in: nothing here follows a pointer. `web/src/module.ts` declares these functions once more, for TypeScript.
#![expect(unsafe_code, reason = "a function is exported under its own name by an attribute that counts as unsafe")]
// SAFETY of every `no_mangle` below: the names are unique in this module, which is linked with nothing else.

use std::cell::RefCell;

#[cfg(feature = "depths")]
use crumple::VertexDepth;

use crate::buffers::{Buffers, Refusal};
use crate::pack;
use crate::world::{Options, World};

/// Everything there is. WebAssembly has one thread per instance.
#[derive(Debug, Default)]
struct State {
    worlds: Vec<Option<World>>,
    buffers: Buffers,
    #[cfg(feature = "depths")]
    depths: Vec<VertexDepth>,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

/// What a call that was refused returns.
const REFUSED: i32 = -1;

fn with_state(call: impl FnOnce(&mut State) -> Result<u32, Refusal>) -> i32 {
    STATE.with_borrow_mut(|state| match call(state) {
        Ok(answer) => answer as i32,
        Err(refusal) => {
            state.buffers.refuse(refusal);
            REFUSED
        }
    })
}

fn with_world(scene: u32, call: impl FnOnce(&mut World, &mut Buffers) -> Result<u32, Refusal>) -> i32 {
    with_state(|state| {
        let world = state.worlds.get_mut(scene as usize).and_then(Option::as_mut).ok_or_else(disposed)?;
        call(world, &mut state.buffers)
    })
}

fn disposed() -> Refusal {
    Refusal("this scene was disposed of".to_owned())
}

/// An address, as JavaScript counts: from 0 to 4 GB.
fn address<T>(list: &[T]) -> u32 {
    list.as_ptr().addr() as u32
}

/// Room for a text; returns its address.
#[unsafe(no_mangle)]
extern "C" fn text_of(bytes: u32) -> i32 {
    with_state(|state| Ok(address(state.buffers.text_of(bytes as usize)?)))
}

/// Room for a body; returns its address.
#[unsafe(no_mangle)]
extern "C" fn mesh_of(vertices: u32, triangles: u32) -> i32 {
    with_state(|state| Ok(address(state.buffers.mesh_of(vertices as usize, triangles as usize)?)))
}

#[unsafe(no_mangle)]
extern "C" fn text_address() -> u32 {
    STATE.with_borrow(|state| address(&state.buffers.text))
}

#[unsafe(no_mangle)]
extern "C" fn text_length() -> u32 {
    STATE.with_borrow(|state| state.buffers.text.len() as u32)
}

#[unsafe(no_mangle)]
extern "C" fn numbers_address() -> u32 {
    STATE.with_borrow(|state| address(&state.buffers.numbers))
}

#[unsafe(no_mangle)]
extern "C" fn reals_address() -> u32 {
    STATE.with_borrow(|state| address(&state.buffers.reals))
}

/// A scene without bodies; the text names the method, the default one if it is empty.
#[unsafe(no_mangle)]
extern "C" fn scene_new() -> i32 {
    with_state(|state| {
        let world = World::new(&state.buffers.text())?;
        let free = state.worlds.iter().position(Option::is_none);
        let at = free.unwrap_or(state.worlds.len());
        if free.is_none() {
            state.worlds.push(None);
        }
        state.worlds[at] = Some(world);
        Ok(at as u32)
    })
}

#[unsafe(no_mangle)]
extern "C" fn scene_free(scene: u32) {
    STATE.with_borrow_mut(|state| {
        if let Some(world) = state.worlds.get_mut(scene as usize) {
            *world = None;
        }
    });
}

/// Adds the body in the mesh buffer under the name in the text.
#[unsafe(no_mangle)]
extern "C" fn body_add(scene: u32, vertices: u32, self_collision: u32, weld: u32, thickness: f64) -> i32 {
    let options = Options { self_collision: self_collision != 0, weld: weld != 0, thickness };
    with_world(scene, |world, buffers| {
        let given = buffers.body(vertices as usize)?;
        let added = world.add(buffers.text(), given, options);
        buffers.free_mesh();
        added
    })
}

/// Gives a body the mesh in the mesh buffer.
#[unsafe(no_mangle)]
extern "C" fn body_set_mesh(scene: u32, body: u32, vertices: u32, weld: u32) -> i32 {
    with_world(scene, |world, buffers| {
        let given = buffers.body(vertices as usize)?;
        let set = world.set_mesh(body, given, weld != 0);
        buffers.free_mesh();
        set.map(|()| 0)
    })
}

#[unsafe(no_mangle)]
extern "C" fn body_remove(scene: u32, body: u32) -> i32 {
    with_world(scene, |world, _| world.remove(body).map(|()| 0))
}

/// Where the positions of the next frame are to be written.
#[unsafe(no_mangle)]
extern "C" fn body_positions(scene: u32, body: u32) -> i32 {
    with_world(scene, |world, _| world.draft(body).map(|draft| address(draft)))
}

/// Takes in what was written there, as a new step or as a correction of the last one.
#[unsafe(no_mangle)]
extern "C" fn body_take_in(scene: u32, body: u32, correct: u32) -> i32 {
    with_world(scene, |world, _| world.take_in(body, correct != 0).map(|()| 0))
}

#[unsafe(no_mangle)]
extern "C" fn body_ignore(scene: u32, a: u32, b: u32, on: u32) -> i32 {
    with_world(scene, |world, _| {
        let other = world.id(b)?;
        let ignore = |scene: &mut crumple::Scene, id| match on {
            0 => scene.stop_ignoring(id, other),
            _ => scene.ignore(id, other),
        };
        world.change(a, ignore).map(|()| 0)
    })
}

#[unsafe(no_mangle)]
extern "C" fn body_self_collision(scene: u32, body: u32, on: u32) -> i32 {
    with_world(scene, |world, _| world.change(body, |scene, id| scene.set_self_collision(id, on != 0)).map(|()| 0))
}

#[unsafe(no_mangle)]
extern "C" fn scene_update(scene: u32) -> i32 {
    with_world(scene, |world, _| world.update().map(|()| 0))
}

#[unsafe(no_mangle)]
extern "C" fn frame_contacts(scene: u32) -> i32 {
    with_world(scene, |world, buffers| pack::contacts(world, buffers))
}

#[cfg(feature = "near")]
#[unsafe(no_mangle)]
extern "C" fn frame_near(scene: u32, d: f64) -> i32 {
    with_world(scene, |world, buffers| pack::near(world, d, buffers))
}

#[cfg(feature = "distance")]
#[unsafe(no_mangle)]
extern "C" fn frame_distance(scene: u32, a: u32, b: u32) -> i32 {
    with_world(scene, |world, buffers| pack::distance(world, a, b, buffers))
}

#[cfg(feature = "impacts")]
#[unsafe(no_mangle)]
extern "C" fn frame_first_impact(scene: u32) -> i32 {
    with_world(scene, |world, buffers| pack::first_impact(world, buffers))
}

/// The fraction is the first of the reals.
#[cfg(feature = "impacts")]
#[unsafe(no_mangle)]
extern "C" fn frame_safe_step(scene: u32) -> i32 {
    with_world(scene, |world, buffers| {
        buffers.reals.clear();
        buffers.reals.push(world.frame()?.safe_step());
        Ok(0)
    })
}

#[cfg(feature = "depths")]
#[unsafe(no_mangle)]
extern "C" fn frame_depths(scene: u32, a: u32, b: u32) -> i32 {
    with_state(|State { worlds, buffers, depths }| {
        let world = worlds.get(scene as usize).and_then(Option::as_ref).ok_or_else(disposed)?;
        pack::depths(world, a, b, depths, buffers)
    })
}
