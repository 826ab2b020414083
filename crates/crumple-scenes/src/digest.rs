//! A small stable hash, so that a published scene can be pinned and a result can say which scene it was measured on.
//!
//! 64-bit FNV-1a over little-endian bytes. It guards against accidents, not against malice.

use std::fmt;

/// A running 64-bit FNV-1a hash; prints as sixteen hexadecimal digits.
///
/// ```
/// let mut digest = crumple_scenes::Digest::new();
/// digest.positions(&[[0.0, 1.0, 2.0]]);
/// assert_eq!(digest.to_string().len(), 16);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Digest(u64);

impl Digest {
    /// The digest of nothing.
    pub fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Takes in any bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// Takes in the number of triangles and their vertices.
    pub fn triangles(&mut self, triangles: &[[u32; 3]]) {
        self.bytes(&(triangles.len() as u64).to_le_bytes());
        for vertex in triangles.as_flattened() {
            self.bytes(&vertex.to_le_bytes());
        }
    }

    /// Takes in the number of positions and their bits.
    pub fn positions(&mut self, positions: &[[f32; 3]]) {
        self.bytes(&(positions.len() as u64).to_le_bytes());
        for coordinate in positions.as_flattened() {
            self.bytes(&coordinate.to_bits().to_le_bytes());
        }
    }

    /// The hash so far.
    pub fn value(&self) -> u64 {
        self.0
    }
}

impl Default for Digest {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Digest;

    #[test]
    fn it_is_the_published_fnv_1a() {
        let of = |text: &str| {
            let mut digest = Digest::new();
            digest.bytes(text.as_bytes());
            digest.value()
        };
        assert_eq!(of(""), 0xcbf29ce484222325);
        assert_eq!(of("a"), 0xaf63dc4c8601ec8c);
        assert_eq!(of("foobar"), 0x85944171f73967e8);
    }
}
