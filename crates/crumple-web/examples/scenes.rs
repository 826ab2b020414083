//! The built-in scenes as WebAssembly, for the tests of the npm package: the frames that the tests in Rust use, bit for bit.
//!
//! JavaScript writes the name of a scene to `name_of`, calls `scene_open`, and reads lists at the addresses that it is given.
#![expect(unsafe_code, reason = "a function is exported under its own name by an attribute that counts as unsafe")]
// SAFETY of every `no_mangle` below: the names are unique in this module, which is linked with nothing else.

use std::cell::RefCell;

use crumple_scenes::Scene;

#[derive(Default)]
struct State {
    name: Vec<u8>,
    scene: Option<Scene>,
    positions: Vec<[f32; 3]>,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

/// Of an open scene; 0 if there is none.
fn of_scene(ask: impl FnOnce(&Scene) -> usize) -> u32 {
    STATE.with_borrow(|state| state.scene.as_ref().map_or(0, ask) as u32)
}

#[unsafe(no_mangle)]
extern "C" fn name_of(bytes: u32) -> u32 {
    STATE.with_borrow_mut(|state| {
        state.name = vec![0; bytes as usize];
        state.name.as_ptr().addr() as u32
    })
}

/// How many bodies the scene of this name has; 0 if there is none.
#[unsafe(no_mangle)]
extern "C" fn scene_open() -> u32 {
    STATE.with_borrow_mut(|state| {
        let name = String::from_utf8_lossy(&state.name).into_owned();
        let small = crumple_scenes::small().into_iter().find(|scene| scene.name() == name);
        state.scene = small.or_else(|| crumple_scenes::by_name(&name).ok());
        state.scene.as_ref().map_or(0, |scene| scene.bodies().len() as u32)
    })
}

#[unsafe(no_mangle)]
extern "C" fn scene_frames() -> u32 {
    of_scene(Scene::frame_count)
}

#[unsafe(no_mangle)]
extern "C" fn vertex_count(body: u32) -> u32 {
    of_scene(|scene| scene.bodies()[body as usize].vertex_count())
}

#[unsafe(no_mangle)]
extern "C" fn triangle_count(body: u32) -> u32 {
    of_scene(|scene| scene.bodies()[body as usize].triangles().len())
}

#[unsafe(no_mangle)]
extern "C" fn triangles_address(body: u32) -> u32 {
    of_scene(|scene| scene.bodies()[body as usize].triangles().as_ptr().addr())
}

/// Where the positions of a body in a frame are, until the next call.
#[unsafe(no_mangle)]
extern "C" fn positions_address(body: u32, frame: u32) -> u32 {
    STATE.with_borrow_mut(|State { scene, positions, .. }| {
        if let Some(scene) = scene {
            scene.bodies()[body as usize].positions(frame as usize, positions);
        }
        positions.as_ptr().addr() as u32
    })
}
