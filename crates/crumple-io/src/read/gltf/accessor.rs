//! The buffers of a glTF file, and numbers out of them: every index and range checked before a byte is read.

use std::cell::{Cell, OnceCell};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::error::{Fault, ReadError};
use crate::read::bytes_of;
use crate::uri;

use super::document::{Accessor, Buffer, Document, Meshopt};
use super::meshopt;

/// What accessors read from.
pub(super) struct Buffers<'a> {
    document: &'a Document,
    buffers: Vec<Bytes<'a>>,
    /// The views that are compressed, decoded when they are first read.
    decoded: Vec<OnceCell<Vec<u8>>>,
    /// How many more numbers may be read. Accessors may overlap or have no bytes at all, so a short file could ask for
    /// any amount of memory; no valid file comes near sixteen numbers per byte.
    left: Cell<u64>,
    /// How many more bytes compressed data may become. It has no bound of its own that a short file could not exceed a
    /// thousandfold, and views may overlap.
    may_decompress: Cell<u64>,
}

/// The bytes of one buffer.
enum Bytes<'a> {
    /// In the file itself.
    Chunk(&'a [u8]),
    /// In another file, or in a URI. Several buffers may name one file, which is read once: a short document could name a
    /// long file very often.
    Read(Rc<Vec<u8>>),
}

impl Deref for Bytes<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Chunk(bytes) => bytes,
            Bytes::Read(bytes) => bytes,
        }
    }
}

/// How many bytes any file may become when it is decompressed, and how many more for each byte it has.
const MAY_DECOMPRESS: (u64, u64) = (1 << 28, 64);

impl<'a> Buffers<'a> {
    /// Collects the bytes of every buffer: from the GLB's own chunk, from a data URI or from a file beside `file`.
    pub(super) fn load(
        document: &'a Document,
        chunk: Option<&'a [u8]>,
        file: &Path,
        size: usize,
    ) -> Result<Self, ReadError> {
        let mut buffers = Vec::with_capacity(document.buffers.len());
        let mut files: HashMap<PathBuf, Rc<Vec<u8>>> = HashMap::new();
        let mut total = size as u64;
        for (b, buffer) in document.buffers.iter().enumerate() {
            let fault = |fault: Fault| fault.inside(&format!("buffer {b}")).in_file(file);
            let mut counted = |bytes: Vec<u8>| {
                total += bytes.len() as u64;
                Rc::new(bytes)
            };
            let bytes = match &buffer.uri {
                None if buffer.is_fallback() => {
                    buffers.push(Bytes::Chunk(&[]));
                    continue;
                }
                None => match chunk {
                    Some(chunk) if b == 0 => Bytes::Chunk(chunk),
                    _ => return Err(fault(Fault::file("it has no URI, and the file no bytes of its own for it"))),
                },
                Some(text) => Bytes::Read(match text.strip_prefix("data:") {
                    Some(data) => counted(uri::data(data).map_err(fault)?),
                    None => {
                        let path = uri::beside(file, text).map_err(fault)?;
                        match files.entry(path.canonicalize().unwrap_or_else(|_| path.clone())) {
                            Entry::Occupied(known) => known.get().clone(),
                            Entry::Vacant(new) => new.insert(counted(bytes_of(&path)?)).clone(),
                        }
                    }
                }),
            };
            check_len(buffer, &bytes).map_err(fault)?;
            buffers.push(bytes);
        }
        let decoded = document.buffer_views.iter().map(|_| OnceCell::new()).collect();
        let may_decompress = MAY_DECOMPRESS.0.saturating_add(total.saturating_mul(MAY_DECOMPRESS.1));
        Ok(Buffers {
            document,
            buffers,
            decoded,
            left: Cell::new(total.saturating_mul(16)),
            may_decompress: Cell::new(may_decompress),
        })
    }

    /// The elements of an accessor of type `kind` with `N` numbers each, as they are meant: normalised where so marked.
    pub(super) fn floats<const N: usize>(&self, index: usize, kind: &str) -> Result<Vec<[f32; N]>, Fault> {
        self.elements(index, kind, |component, normalized, bytes| match component {
            Component::F32 => f32::from_bits(component.bits(bytes)),
            Component::I8 => component.meaning(normalized, f64::from(component.bits(bytes) as i8)),
            Component::I16 => component.meaning(normalized, f64::from(component.bits(bytes) as i16)),
            _ => component.meaning(normalized, f64::from(component.bits(bytes))),
        })
    }

    /// Makes of numbers that were stored elsewhere for an accessor what they mean.
    pub(super) fn as_meant(&self, index: usize, numbers: &mut [f32]) -> Result<(), Fault> {
        let accessor = self.accessor(index)?;
        let component = Component::of(accessor.component_type);
        if let Some(component) = component.filter(|_| accessor.normalized) {
            numbers.iter_mut().for_each(|number| *number = component.meaning(true, f64::from(*number)));
        }
        Ok(())
    }

    /// The elements of an accessor of whole numbers.
    pub(super) fn wholes<const N: usize>(&self, index: usize, kind: &str) -> Result<Vec<[u32; N]>, Fault> {
        let accessor = self.accessor(index)?;
        match Component::of(accessor.component_type) {
            Some(Component::U8 | Component::U16 | Component::U32) => {}
            _ => {
                return Err(Fault::file(format!("accessor {index}: its numbers are not unsigned and whole")));
            }
        }
        self.elements(index, kind, |component, _, bytes| component.bits(bytes))
    }

    /// How many elements an accessor has.
    pub(super) fn count(&self, index: usize) -> Result<usize, Fault> {
        self.accessor(index).map(|accessor| accessor.count)
    }

    /// Whether an accessor says where its elements are. Those of one that does not are 0, unless an extension has them.
    pub(super) fn has_bytes(&self, index: usize) -> Result<bool, Fault> {
        self.accessor(index).map(|accessor| accessor.buffer_view.is_some() || accessor.sparse.is_some())
    }

    /// As [`floats`](Self::floats), but refuses an accessor that does not say where its elements are: keys and matrices that
    /// are all 0 are hardly meant.
    pub(super) fn given_floats<const N: usize>(&self, index: usize, kind: &str) -> Result<Vec<[f32; N]>, Fault> {
        if !self.has_bytes(index)? {
            return Err(Fault::file(format!("accessor {index} has no bytes")));
        }
        self.floats(index, kind)
    }

    /// The bytes of a view.
    pub(super) fn view(&self, view: usize) -> Result<&[u8], String> {
        let Some(place) = self.document.buffer_views.get(view) else {
            return Err(format!("there is no buffer view {view}"));
        };
        let Some(compressed) = place.meshopt() else {
            return self.bytes(view, (place.buffer, place.byte_offset, place.byte_length));
        };
        if let Some(decoded) = self.decoded[view].get() {
            return Ok(decoded);
        }
        let Meshopt { buffer, byte_offset, byte_length, .. } = *compressed;
        let bytes = self.bytes(view, (buffer, byte_offset, byte_length))?;
        let size = (compressed.count as u64).saturating_mul(compressed.byte_stride as u64);
        let decoded = self.decompressed(size).and_then(|()| meshopt::decode(bytes, compressed));
        let decoded = decoded.map_err(|what| format!("buffer view {view}: {what}"))?;
        Ok(self.decoded[view].get_or_init(|| decoded))
    }

    fn bytes(&self, view: usize, (buffer, offset, len): (usize, usize, usize)) -> Result<&[u8], String> {
        let Some(bytes) = self.buffers.get(buffer) else {
            return Err(format!("buffer view {view}: there is no buffer {buffer}"));
        };
        let end = offset.checked_add(len);
        end.and_then(|end| bytes.get(offset..end)).ok_or_else(|| {
            let has = bytes.len();
            format!(
                "buffer view {view}: {len} bytes from byte {offset} on go past the end of buffer {buffer}, which has {has}"
            )
        })
    }

    /// How many more bytes compressed data may become.
    pub(super) fn may_decompress(&self) -> u64 {
        self.may_decompress.get()
    }

    /// Takes note that compressed data becomes this many bytes; accessors may then read as much more.
    pub(super) fn decompressed(&self, bytes: u64) -> Result<(), String> {
        let Some(left) = self.may_decompress.get().checked_sub(bytes) else {
            let may = self.may_decompress.get();
            return Err(format!("it would be {bytes} bytes when decompressed, but only {may} are left for this file"));
        };
        self.may_decompress.set(left);
        self.left.set(self.left.get().saturating_add(bytes.saturating_mul(16)));
        Ok(())
    }

    fn accessor(&self, index: usize) -> Result<&'a Accessor, Fault> {
        self.document.accessors.get(index).ok_or_else(|| Fault::file(format!("there is no accessor {index}")))
    }

    fn elements<const N: usize, T: Copy + Default>(
        &self,
        index: usize,
        kind: &str,
        read: impl Fn(Component, bool, &[u8]) -> T,
    ) -> Result<Vec<[T; N]>, Fault> {
        let fault = |what: String| Fault::file(format!("accessor {index}: {what}"));
        let accessor = self.accessor(index)?;
        if accessor.kind != kind {
            return Err(fault(format!("its type is {}, but {kind} is needed here", accessor.kind.escape_debug())));
        }
        let component = Component::of(accessor.component_type)
            .ok_or_else(|| fault(format!("{} is not a component type", accessor.component_type)))?;
        let size = component.size() * N;
        let element = |bytes: &[u8]| {
            let mut element = [T::default(); N];
            for (value, bytes) in element.iter_mut().zip(bytes.chunks_exact(component.size())) {
                *value = read(component, accessor.normalized, bytes);
            }
            element
        };
        // First, since what is decompressed may be read.
        accessor.buffer_view.map_or(Ok(&[][..]), |view| self.view(view)).map_err(fault)?;
        self.spend(accessor.count, N).map_err(fault)?;
        let mut elements: Vec<[T; N]> = match accessor.buffer_view {
            None => vec![[T::default(); N]; accessor.count],
            Some(view) => {
                let (bytes, stride) = self.range(view, accessor.byte_offset, size, accessor.count).map_err(fault)?;
                let at = (0..accessor.count).map(|k| &bytes[k * stride..k * stride + size]);
                at.map(element).collect()
            }
        };
        if let Some(sparse) = &accessor.sparse {
            self.spend(sparse.count, N).map_err(fault)?;
            let (indices, values) = (&sparse.indices, &sparse.values);
            let index_type = match Component::of(indices.component_type) {
                Some(component @ (Component::U8 | Component::U16 | Component::U32)) => component,
                _ => {
                    return Err(fault("its sparse indices are not unsigned and whole".into()));
                }
            };
            let (index_bytes, index_stride) =
                self.range(indices.buffer_view, indices.byte_offset, index_type.size(), sparse.count).map_err(fault)?;
            let (bytes, stride) =
                self.range(values.buffer_view, values.byte_offset, size, sparse.count).map_err(fault)?;
            for k in 0..sparse.count {
                let index = index_type.bits(&index_bytes[k * index_stride..]) as usize;
                let Some(kept) = elements.get_mut(index) else {
                    return Err(fault(format!("its sparse element {index} is past its count, {}", accessor.count)));
                };
                *kept = element(&bytes[k * stride..k * stride + size]);
            }
        }
        Ok(elements)
    }

    /// The bytes of `count` elements of `size` bytes from `offset` of a view on, and the distance between them.
    fn range(&self, view: usize, offset: usize, size: usize, count: usize) -> Result<(&[u8], usize), String> {
        let bytes = self.view(view)?;
        let stride = self.document.buffer_views[view].byte_stride.unwrap_or(size);
        let need = match count {
            0 => Some(0),
            _ => (count - 1).checked_mul(stride).and_then(|before| before.checked_add(size)),
        };
        let need = need.and_then(|need| need.checked_add(offset));
        match need.and_then(|need| bytes.get(offset.min(need)..need)) {
            Some(bytes) => Ok((bytes, stride)),
            None => Err(format!("{count} elements do not fit in buffer view {view}, which has {} bytes", bytes.len())),
        }
    }

    /// Takes the cost of elements off what may still be read.
    pub(super) fn spend(&self, count: usize, numbers: usize) -> Result<(), String> {
        let cost = (count as u64).saturating_mul(numbers as u64);
        match self.left.get().checked_sub(cost) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => Err(format!("{count} elements are more than a file of this size can hold")),
        }
    }
}

/// The types a number may have.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn of(code: u32) -> Option<Self> {
        Some(match code {
            5120 => Component::I8,
            5121 => Component::U8,
            5122 => Component::I16,
            5123 => Component::U16,
            5125 => Component::U32,
            5126 => Component::F32,
            _ => return None,
        })
    }

    fn size(self) -> usize {
        match self {
            Component::I8 | Component::U8 => 1,
            Component::I16 | Component::U16 => 2,
            Component::U32 | Component::F32 => 4,
        }
    }

    /// The number a stored one stands for: whole numbers may stand for fractions of the largest one.
    fn meaning(self, normalized: bool, value: f64) -> f32 {
        match (normalized, self) {
            (false, _) | (_, Component::F32) => value as f32,
            (true, Component::I8) => (value / 127.0).max(-1.0) as f32,
            (true, Component::I16) => (value / 32767.0).max(-1.0) as f32,
            (true, Component::U8) => (value / 255.0) as f32,
            (true, Component::U16 | Component::U32) => (value / 65535.0) as f32,
        }
    }

    fn bits(self, bytes: &[u8]) -> u32 {
        match self.size() {
            1 => u32::from(bytes[0]),
            2 => u32::from(u16::from_le_bytes([bytes[0], bytes[1]])),
            _ => u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
        }
    }
}

fn check_len(buffer: &Buffer, bytes: &[u8]) -> Result<(), Fault> {
    if bytes.len() < buffer.byte_length {
        let what = format!("{} bytes are announced, but there are {}", buffer.byte_length, bytes.len());
        return Err(Fault::file(what).with_hint("it may be truncated"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_several_buffers_name_is_read_once() {
        let folder = std::env::temp_dir().join(format!("crumple-buffers-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("a b.bin"), [1, 2, 3, 4]).unwrap();
        let uris = ["a%20b.bin", "./a b.bin", "a b.bin", "data:x;base64,AQIDBA=="];
        let buffers: Vec<_> = uris.iter().map(|uri| serde_json::json!({"byteLength": 4, "uri": uri})).collect();
        let text = serde_json::json!({"asset": {"version": "2.0"}, "buffers": buffers}).to_string();
        let (document, chunk) = super::super::document::parse(text.as_bytes()).map_err(|_| "a fault").unwrap();
        let loaded = Buffers::load(&document, chunk, &folder.join("x.gltf"), text.len()).unwrap();
        assert!(loaded.buffers.iter().all(|bytes| **bytes == [1, 2, 3, 4]));
        let address = |b: usize| loaded.buffers[b].as_ptr();
        assert_eq!([address(1), address(2)], [address(0); 2]);
        assert_ne!(address(3), address(0));
        assert_eq!(loaded.left.get(), 16 * (text.len() as u64 + 4 + 4));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
