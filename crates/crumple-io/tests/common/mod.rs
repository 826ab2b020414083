//! What the tests of this crate share.
#![allow(dead_code, reason = "each test file uses its own part of this")]

pub(crate) mod glb;

use std::path::{Path, PathBuf};

use crumple_io::{AnimatedBody, ReadError};

/// A folder of a test's own, gone when the test ends.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("crumple-io-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// An error as a person reads it: what is wrong, what the system said about it, and what to try.
pub(crate) fn told(error: &ReadError) -> String {
    let mut told = error.to_string();
    if let ReadError::Io { source, .. } = error {
        told += &format!(": {}", source.kind());
    }
    error.hint().map_or(told.clone(), |hint| format!("{told}; hint: {hint}"))
}

/// A frame of a body, checked.
pub(crate) fn frame_of(body: &mut AnimatedBody, frame: usize) -> Result<Vec<[f32; 3]>, ReadError> {
    let mut positions = vec![[0.0; 3]; body.vertex_count()];
    body.frame(frame, &mut positions)?;
    body.check(frame, &positions)?;
    Ok(positions)
}

/// Random numbers, the same on every machine (an LCG with its upper half as output).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed ^ 0x9e37_79b9_7f4a_7c15)
    }

    pub(crate) fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 32) as u32
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        ((u64::from(self.next()) * end as u64) >> 32) as usize
    }
}

/// Finite floats of every size, with both zeros, the extremes and subnormals among them.
pub(crate) fn awkward_floats() -> Vec<[f32; 3]> {
    let mut all = vec![0.0, -0.0, 1.0, f32::MAX, f32::MIN, f32::MIN_POSITIVE, f32::from_bits(1), 0.1, 16777216.0];
    let mut random = Random::new(1);
    while all.len() < 3000 {
        let value = f32::from_bits(random.next());
        if value.is_finite() {
            all.push(value);
        }
    }
    all.as_chunks::<3>().0.to_vec()
}
