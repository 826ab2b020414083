//! Embree, through the library that `cargo xtask peers` builds from `embree.cpp`.

use std::ffi::c_void;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use crumple::Triangle;
use crumple::exact::triangles_meet;
use libloading::{Library, Symbol};

use crate::contestant::{Contestant, Corners, Pair, Pass, Positions, Question, corners_of, jobs};

type Corners3 = [[f32; 3]; 3];
type New = unsafe extern "C" fn(extern "C" fn(*const Corners3, *const Corners3) -> bool) -> *mut c_void;
type Add = unsafe extern "C" fn(*mut c_void, *const f32, usize, *const u32, usize);
type Update = unsafe extern "C" fn(*mut c_void, usize, *const f32);
type Pairs = unsafe extern "C" fn(*mut c_void, usize, usize, *mut *const u32) -> usize;
type ErrorCode = unsafe extern "C" fn(*mut c_void) -> i32;
type Free = unsafe extern "C" fn(*mut c_void);

pub(crate) struct Embree {
    library: &'static Library,
    peer: *mut c_void,
    question: Question,
    boxes: Vec<Corners>,
    found: Vec<Pair>,
}

extern "C" fn meet(a: *const Corners3, b: *const Corners3) -> bool {
    // SAFETY: `embree.cpp` passes two local arrays of three corners each.
    unsafe { triangles_meet(&Triangle(*a), &Triangle(*b)) }
}

impl Embree {
    pub(crate) fn new(path: &Path, scene: &crumple_scenes::Scene, question: Question, start: usize) -> Result<Self> {
        // SAFETY: the library is ours, made from `embree.cpp`; loading it runs nothing but Embree's own start.
        let library = unsafe { Library::new(path) }.with_context(|| path.display().to_string())?;
        // Embree's threads may outlive the last scene: the library stays until the program ends.
        let library: &'static Library = Box::leak(Box::new(library));
        // SAFETY: the types above are those of `embree.cpp`; `meet` lives as long as the program.
        let peer = unsafe {
            let new: Symbol<'_, New> = library.get(b"peer_new")?;
            new(meet)
        };
        ensure!(!peer.is_null(), "Embree has no device");
        let mut boxes = Vec::new();
        for body in scene.bodies() {
            let positions = body.positions_at(start);
            boxes.push(corners_of(&positions));
            let (vertices, triangles) = (positions.as_flattened(), body.triangles().as_flattened());
            // SAFETY: both arrays have the lengths that are said, and are copied before the call returns.
            unsafe {
                let add: Symbol<'_, Add> = library.get(b"peer_add")?;
                add(peer, vertices.as_ptr(), positions.len(), triangles.as_ptr(), body.triangles().len());
            }
        }
        Ok(Self { library, peer, question, boxes, found: Vec::new() })
    }

    fn ensure_is_well(&self) -> Result<()> {
        // SAFETY: as above.
        let code = unsafe { self.library.get::<ErrorCode>(b"peer_error")?(self.peer) };
        ensure!(code == 0, "Embree reports error {code}");
        Ok(())
    }
}

impl Contestant for Embree {
    fn label(&self) -> &str {
        "Embree 3, one thread"
    }

    fn update(&mut self, positions: &Positions) -> Result<()> {
        // SAFETY: as above.
        let update: Symbol<'_, Update> = unsafe { self.library.get(b"peer_update")? };
        for (body, positions) in positions.iter().enumerate() {
            // SAFETY: a body keeps its vertices' number, so as many floats are there as are read.
            unsafe { update(self.peer, body, positions.as_flattened().as_ptr()) };
            // Two bodies need no broad phase: rtcCollide begins with the boxes of both.
            if self.boxes.len() > 2 {
                self.boxes[body] = corners_of(positions);
            }
        }
        Ok(())
    }

    fn query(&mut self) -> Result<()> {
        self.found.clear();
        // SAFETY: as above.
        let pairs: Symbol<'_, Pairs> = unsafe { self.library.get(b"peer_pairs")? };
        let jobs = if self.boxes.len() == 2 { vec![(0, 1)] } else { jobs(&self.boxes, self.question) };
        for (a, b) in jobs {
            let mut start = std::ptr::null();
            // SAFETY: the numbers are valid until the next call, and are copied before it.
            let found = unsafe {
                let count = pairs(self.peer, a, b, &raw mut start);
                if count == 0 { &[] } else { std::slice::from_raw_parts(start, 2 * count) }
            };
            self.found.extend(found.as_chunks::<2>().0.iter().map(|&[s, t]| [a as u32, b as u32, s, t]));
        }
        Ok(())
    }

    fn within(&mut self, pass: Pass<'_>) -> Result<()> {
        pass(self)
    }

    fn found(&mut self) -> Result<Vec<Pair>> {
        self.ensure_is_well()?;
        Ok(self.found.clone())
    }
}

impl Drop for Embree {
    fn drop(&mut self) {
        // SAFETY: made by `peer_new`, and not used after this.
        if let Ok(free) = unsafe { self.library.get::<Free>(b"peer_free") } {
            unsafe { free(self.peer) };
        }
    }
}
