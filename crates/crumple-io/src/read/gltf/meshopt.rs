//! Decodes buffer views that are compressed by meshoptimizer (`EXT_meshopt_compression`, `KHR_meshopt_compression`).
//!
//! Written after the specifications of the extensions: attributes of versions 0 and 1, triangles, indices, and the three
//! filters that positions, joints, weights and keyframes may have. Our own, since the crate for it (`meshopt-rs` 0.1.2)
//! lacks version 1, decodes only sizes known when it is compiled, and its quaternions lose their signs.
//!
//! Attributes come in blocks of up to 256 elements. In a block, each byte of the elements is a channel of its own: groups of
//! 16 differences to the element before, stored in 0, 1, 2, 4 or 8 bits, where the largest number that fits announces a
//! whole byte further on. Triangles name their corners by what was used shortly before: an edge of the last 16, a vertex of
//! the last 16, the next new one, or a difference.
//!
//! Memory: a triangle takes a byte at least; an element of attributes takes less, but a block has a length that no count
//! can talk its way around, and the output grows block by block. Every read is checked.
//! Held by: `tests/files/compressed.rs`, on samples of the encoder on npm; `fuzz_targets/read_gltf_compressed.rs`.

use super::document::Meshopt;

/// The bytes of a view as if they had not been compressed; otherwise what is wrong.
pub(super) fn decode(bytes: &[u8], view: &Meshopt) -> Result<Vec<u8>, String> {
    let Meshopt { count, byte_stride: stride, .. } = *view;
    let mut source = Source { bytes, at: 0 };
    let decoded = match view.mode.as_str() {
        "ATTRIBUTES" if stride > 0 && stride <= 256 && stride.is_multiple_of(4) => {
            attributes(&mut source, count, stride)
        }
        "TRIANGLES" if matches!(stride, 2 | 4) && count.is_multiple_of(3) => triangles(&mut source, count, stride),
        "INDICES" if matches!(stride, 2 | 4) => indices(&mut source, count, stride),
        mode => {
            let mode = mode.escape_debug();
            return Err(format!("{count} elements of {stride} bytes cannot be compressed in the mode `{mode}`"));
        }
    };
    let mut decoded = decoded.ok_or("its compressed bytes are damaged")?;
    match view.filter.as_deref().unwrap_or("NONE") {
        "NONE" => {}
        "EXPONENTIAL" => exponential(&mut decoded),
        "QUATERNION" if stride == 8 => quaternions(&mut decoded),
        "OCTAHEDRAL" if matches!(stride, 4 | 8) => octahedral(&mut decoded, stride),
        filter => return Err(format!("the filter `{}` is not read for {stride} bytes", filter.escape_debug())),
    }
    Ok(decoded)
}

/// Bytes being read; `None` stands for their end.
struct Source<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Source<'a> {
    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let taken = self.bytes.get(self.at..self.at.checked_add(count)?)?;
        self.at += count;
        Some(taken)
    }

    /// A number in groups of seven bits, the lowest first.
    fn number(&mut self) -> Option<u32> {
        let mut number = 0;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            number |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// A difference that may be negative.
    fn difference(&mut self) -> Option<u32> {
        self.number().map(|number| (number >> 1) ^ (number & 1).wrapping_neg())
    }

    /// Shortens what is left by `count` bytes at its end, and gives those.
    fn take_last(&mut self, count: usize) -> Option<&'a [u8]> {
        let start = self.bytes.len().checked_sub(count).filter(|&start| start >= self.at)?;
        let (rest, last) = self.bytes.split_at(start);
        self.bytes = rest;
        Some(last)
    }
}

fn attributes(source: &mut Source<'_>, count: usize, stride: usize) -> Option<Vec<u8>> {
    let version = match source.byte()? {
        0xa0 => 0,
        0xa1 => 1,
        _ => return None,
    };
    // At the end, after zeros that fill it up: what the first element is a difference to, and how channels are joined.
    let (len, at_least) = if version == 0 { (stride, 32) } else { (stride + stride / 4, 24) };
    let tail = source.take_last(len.max(at_least))?;
    let (first, joined) = tail[tail.len() - len..].split_at(stride);
    let mut last: Vec<u8> = first.to_vec();
    let in_block = ((8192 / stride) & !15).min(256);
    let mut deltas = vec![[0_u8; 256]; stride];
    let mut decoded = Vec::new();
    for start in (0..count).step_by(in_block) {
        let len = in_block.min(count - start);
        let control = source.take(if version == 0 { 0 } else { stride / 4 })?;
        for (channel, deltas) in deltas.iter_mut().enumerate() {
            let mode = control.get(channel / 4).map(|byte| byte >> (2 * (channel % 4)) & 3);
            match mode {
                None => groups(source, [0, 2, 4, 8], deltas, len)?,
                Some(0) => groups(source, [0, 1, 2, 4], deltas, len)?,
                Some(1) => groups(source, [1, 2, 4, 8], deltas, len)?,
                Some(2) => deltas.fill(0),
                Some(_) => deltas[..len].copy_from_slice(source.take(len)?),
            }
        }
        for element in 0..len {
            for four in 0..stride / 4 {
                let at = |byte: usize| deltas[4 * four + byte][element];
                let delta = [at(0), at(1), at(2), at(3)];
                let before = &mut last[4 * four..4 * four + 4];
                add(joined.get(four).copied().unwrap_or(0), delta, before)?;
            }
            decoded.extend_from_slice(&last);
        }
    }
    (source.at == source.bytes.len()).then_some(decoded)
}

/// Reads the differences of one channel, 16 at a time; two bits say which of the sizes a group has.
fn groups(source: &mut Source<'_>, sizes: [u32; 4], deltas: &mut [u8; 256], len: usize) -> Option<()> {
    let count = len.div_ceil(16);
    let header = source.take(count.div_ceil(4))?;
    for (group, deltas) in deltas.as_chunks_mut::<16>().0.iter_mut().take(count).enumerate() {
        let bits = sizes[usize::from(header[group / 4] >> (2 * (group % 4)) & 3)];
        match bits {
            0 => deltas.fill(0),
            8 => deltas.copy_from_slice(source.take(16)?),
            _ => {
                let packed = source.take(2 * bits as usize)?;
                let largest = (1_u8 << bits) - 1;
                for (k, delta) in deltas.iter_mut().enumerate() {
                    let in_byte = 8 / bits as usize;
                    let within = (k % in_byte) as u32 * bits;
                    // Single bits start from the lowest, larger numbers from the highest.
                    let shift = if bits == 1 { within } else { 8 - bits - within };
                    *delta = packed[k / in_byte] >> shift & largest;
                    if *delta == largest {
                        *delta = source.byte()?;
                    }
                }
            }
        }
    }
    Some(())
}

/// Adds the differences of four bytes to those of the element before: as bytes, as two numbers of two bytes, or by turning
/// and combining all of them.
fn add(joined: u8, delta: [u8; 4], before: &mut [u8]) -> Option<()> {
    match joined & 3 {
        0 => {
            for (byte, delta) in before.iter_mut().zip(delta) {
                *byte = byte.wrapping_add((delta >> 1) ^ (delta & 1).wrapping_neg());
            }
        }
        1 => {
            for (two, delta) in before.as_chunks_mut::<2>().0.iter_mut().zip(delta.as_chunks::<2>().0) {
                let delta = u16::from_le_bytes(*delta);
                let delta = (delta >> 1) ^ (delta & 1).wrapping_neg();
                *two = u16::from_le_bytes(*two).wrapping_add(delta).to_le_bytes();
            }
        }
        2 => {
            let turned = u32::from_le_bytes(delta).rotate_right(u32::from(joined >> 4));
            for four in before.as_chunks_mut::<4>().0 {
                *four = (u32::from_le_bytes(*four) ^ turned).to_le_bytes();
            }
        }
        _ => return None,
    }
    Some(())
}

/// The last sixteen of something; `nth(0)` is the newest.
struct Recent<T> {
    items: [T; 16],
    next: usize,
}

impl<T: Copy + Default> Recent<T> {
    fn new() -> Self {
        Recent { items: [T::default(); 16], next: 0 }
    }

    fn push(&mut self, item: T) {
        self.items[self.next] = item;
        self.next = (self.next + 1) % 16;
    }

    fn nth(&self, back: usize) -> T {
        self.items[(self.next + 15 - back) % 16]
    }
}

fn triangles(source: &mut Source<'_>, count: usize, stride: usize) -> Option<Vec<u8>> {
    if source.byte()? != 0xe1 {
        return None;
    }
    let common_codes = source.take_last(16)?;
    let codes = source.take(count / 3)?;
    let mut edges = Recent::<[u32; 2]>::new();
    let mut vertices = Recent::<u32>::new();
    let (mut next, mut last) = (0_u32, 0_u32);
    let mut decoded = Vec::with_capacity(count * stride);
    for &code in codes {
        let (high, low) = (code >> 4, code & 15);
        let triangle = if high < 15 {
            let [a, b] = edges.nth(usize::from(high));
            let c = match low {
                0 => new_vertex(&mut next),
                13..=15 => {
                    let difference = [u32::MAX, 1].get(usize::from(low - 13)).copied();
                    last = last.wrapping_add(match difference {
                        Some(difference) => difference,
                        None => source.difference()?,
                    });
                    last
                }
                back => vertices.nth(usize::from(back)),
            };
            if low == 0 || low > 12 {
                vertices.push(c);
            }
            edges.push([c, b]);
            edges.push([a, c]);
            [a, b, c]
        } else {
            let others = if low < 14 { common_codes[usize::from(low)] } else { source.byte()? };
            if low >= 14 && others == 0 {
                next = 0;
            }
            let mut corners = [0; 3];
            let stated = [if low == 15 { 15 } else { 0 }, others >> 4, others & 15];
            for (corner, code) in corners.iter_mut().zip(stated) {
                *corner = match code {
                    0 => new_vertex(&mut next),
                    15 if low >= 14 => {
                        last = last.wrapping_add(source.difference()?);
                        last
                    }
                    // Counted from before this triangle.
                    back => vertices.nth(usize::from(back) - 1),
                };
            }
            let [a, b, c] = corners;
            for (corner, code) in corners.into_iter().zip(stated) {
                if code == 0 || (code == 15 && low >= 14) {
                    vertices.push(corner);
                }
            }
            edges.push([b, a]);
            edges.push([c, b]);
            edges.push([a, c]);
            [a, b, c]
        };
        for corner in triangle {
            push_index(corner, stride, &mut decoded);
        }
    }
    (source.at == source.bytes.len()).then_some(decoded)
}

/// The next vertex that was not used before.
fn new_vertex(next: &mut u32) -> u32 {
    let new = *next;
    *next = next.wrapping_add(1);
    new
}

fn indices(source: &mut Source<'_>, count: usize, stride: usize) -> Option<Vec<u8>> {
    if source.byte()? != 0xd1 {
        return None;
    }
    source.take_last(4)?;
    // Each takes a byte at least.
    let mut decoded = Vec::with_capacity(count.min(source.bytes.len()) * stride);
    let mut last = [0_u32; 2];
    for _ in 0..count {
        let number = source.number()?;
        let (which, number) = (number as usize & 1, number >> 1);
        last[which] = last[which].wrapping_add((number >> 1) ^ (number & 1).wrapping_neg());
        push_index(last[which], stride, &mut decoded);
    }
    (source.at == source.bytes.len()).then_some(decoded)
}

fn push_index(index: u32, stride: usize, decoded: &mut Vec<u8>) {
    decoded.extend_from_slice(&index.to_le_bytes()[..stride]);
}

/// 24 bits that are multiplied by 2 to the power of the 8 highest, both signed.
fn exponential(decoded: &mut [u8]) {
    for four in decoded.as_chunks_mut::<4>().0 {
        let bits = i32::from_le_bytes(*four);
        let (exponent, mantissa) = (bits >> 24, bits << 8 >> 8);
        *four = (mantissa as f32 * f32::from_bits(((exponent + 127) as u32) << 23)).to_le_bytes();
    }
}

/// Four numbers of 16 bits, the largest of which is left out: its number and the scale of the others are in the last.
fn quaternions(decoded: &mut [u8]) {
    for eight in decoded.as_chunks_mut::<8>().0 {
        let stored = std::array::from_fn::<_, 4, _>(|k| i16::from_le_bytes([eight[2 * k], eight[2 * k + 1]]));
        let scale = std::f32::consts::FRAC_1_SQRT_2 / f32::from(stored[3] | 3);
        let parts = [0, 1, 2].map(|k| f32::from(stored[k]) * scale);
        let left_out = (1.0 - parts.iter().map(|part| part * part).sum::<f32>()).max(0.0).sqrt();
        for (k, part) in [left_out, parts[0], parts[1], parts[2]].into_iter().enumerate() {
            let at = 2 * ((stored[3] as usize + k) % 4);
            eight[at..at + 2].copy_from_slice(&((part * 32767.0).round() as i16).to_le_bytes());
        }
    }
}

/// Directions folded onto an octahedron; the third number says what stands for 1, and the fourth is something else.
fn octahedral(decoded: &mut [u8], stride: usize) {
    let size = stride / 4;
    let one = if size == 1 { 127.0 } else { 32767.0 };
    for element in decoded.chunks_exact_mut(stride) {
        let number = |k: usize| match size {
            1 => f32::from(element[k] as i8),
            _ => f32::from(i16::from_le_bytes([element[2 * k], element[2 * k + 1]])),
        };
        let (x, y, scale) = (number(0), number(1), number(2));
        let z = scale - x.abs() - y.abs();
        let folded = z.min(0.0);
        let [x, y] = [x, y].map(|c| c + if c >= 0.0 { folded } else { -folded });
        let length = (x * x + y * y + z * z).sqrt();
        for (k, c) in [x, y, z].into_iter().enumerate() {
            let bytes = ((c * one / length).round() as i16).to_le_bytes();
            element[size * k..size * (k + 1)].copy_from_slice(&bytes[..size]);
        }
    }
}
