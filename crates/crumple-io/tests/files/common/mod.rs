//! What the tests of this crate share.
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
pub(crate) fn message(error: &ReadError) -> String {
    let mut message = error.to_string();
    if let ReadError::Io { source, .. } = error {
        message += &format!(": {}", source.kind());
    }
    error.hint().map_or(message.clone(), |hint| format!("{message}; hint: {hint}"))
}

/// A frame of a body, checked.
pub(crate) fn frame_of(body: &mut AnimatedBody, frame: usize) -> Result<Vec<[f32; 3]>, ReadError> {
    let mut positions = vec![[0.0; 3]; body.vertex_count()];
    body.frame(frame, &mut positions)?;
    body.check(frame, &positions)?;
    Ok(positions)
}

/// Finite floats of every size, with both zeros, the extremes and subnormals among them.
pub(crate) fn awkward_floats() -> Vec<[f32; 3]> {
    let mut all = vec![0.0, -0.0, 1.0, f32::MAX, f32::MIN, f32::MIN_POSITIVE, f32::from_bits(1), 0.1, 16777216.0];
    let mut random = crumple_scenes::Random::new(1);
    while all.len() < 3000 {
        let value = f32::from_bits(random.bits() as u32);
        if value.is_finite() {
            all.push(value);
        }
    }
    all.as_chunks::<3>().0.to_vec()
}
