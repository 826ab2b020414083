//! Which files are read when a [`Source`] is: what no output may overwrite.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::error::ReadError;
use crate::sequence::{self, Numbered, Source};
use crate::uri::beside;

/// What a glTF document says about its buffers; everything else is passed over.
#[derive(Deserialize)]
struct Buffers {
    #[serde(default)]
    buffers: Vec<Buffer>,
}

#[derive(Deserialize)]
struct Buffer {
    uri: Option<String>,
}

/// The first word of a GLB file.
const GLB_MAGIC: &[u8] = b"glTF";
/// Header of a GLB file and of its first chunk.
const GLB_HEADER: usize = 20;

impl Source {
    /// The files that are read: every mesh of a sequence, a mesh and its point cache, a glTF document and its buffers.
    ///
    /// What cannot be opened or understood is named as far as it is known; reading it reports what is wrong.
    pub fn files(&self) -> Vec<PathBuf> {
        let paths = |found: Result<Vec<Numbered>, ReadError>| {
            found.unwrap_or_default().into_iter().map(|numbered| numbered.file).collect()
        };
        match self {
            Source::Cached { mesh, cache } => vec![mesh.clone(), cache.clone()],
            Source::File(folder) if folder.is_dir() => paths(sequence::meshes_in(folder)),
            Source::Pattern(pattern) if !pattern.is_file() => paths(sequence::matching(pattern)),
            Source::File(file) | Source::Pattern(file) => {
                let buffers = buffers_of(file).unwrap_or_default();
                std::iter::once(file.clone()).chain(buffers).collect()
            }
        }
    }
}

/// The buffers of a glTF document that are files of their own.
fn buffers_of(file: &Path) -> Option<Vec<PathBuf>> {
    let extension = file.extension()?.to_str()?.to_ascii_lowercase();
    if !["gltf", "glb", "vrm"].contains(&&*extension) {
        return None;
    }
    let mut bytes = Vec::new();
    let mut open = File::open(file).ok()?;
    open.by_ref().take(GLB_HEADER as u64).read_to_end(&mut bytes).ok()?;
    let is_binary = bytes.starts_with(GLB_MAGIC);
    let rest = match bytes.get(12..16) {
        // Of a binary file only the document is read, not the buffer behind it.
        Some(length) if is_binary => u64::from(u32::from_le_bytes(length.try_into().ok()?)),
        _ => u64::MAX,
    };
    open.take(rest).read_to_end(&mut bytes).ok()?;
    let document = if is_binary { bytes.get(GLB_HEADER..)? } else { &bytes };
    let Buffers { buffers } =
        serde_json::from_slice(document.strip_prefix(b"\xef\xbb\xbf").unwrap_or(document)).ok()?;
    let is_file = |uri: &String| !uri.starts_with("data:");
    Some(
        buffers
            .into_iter()
            .filter_map(|buffer| buffer.uri)
            .filter(is_file)
            .filter_map(|uri| beside(file, &uri).ok())
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_names_every_file_that_is_read_for_it() {
        let folder = std::env::temp_dir().join(format!("crumple-inputs-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let at = |name: &str| folder.join(name);
        let document = br#"{"buffers":[{"uri":"a%20b.bin"},{"uri":"data:,"},{"byteLength":4},{"uri":"c.bin"}]}"#;
        std::fs::write(at("x.gltf"), document).unwrap();
        let mut binary = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
        binary.extend((document.len() as u32).to_le_bytes());
        binary.extend(b"JSON");
        binary.extend(document);
        binary.extend([7; 100]);
        std::fs::write(at("x.glb"), binary).unwrap();
        for name in ["s_1.ply", "s_2.ply", "other.ply"] {
            std::fs::write(at(name), "").unwrap();
        }
        let names = |name: &str| Source::from(&*at(name)).files();
        for document in ["x.gltf", "x.glb"] {
            assert_eq!(names(document), [document, "a b.bin", "c.bin"].map(at));
        }
        assert_eq!(names("s_#.ply"), ["s_1.ply", "s_2.ply"].map(at));
        assert_eq!(Source::parse("a.ply@b.pc2").files(), ["a.ply", "b.pc2"].map(PathBuf::from));
        assert_eq!(names("missing.obj"), [at("missing.obj")]);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
