//! The small pieces every block of a page is made of: numbers of few bytes, boxes, and a block as text.
//!
//! A block is a run of bytes, deflated with zlib's frame around it (so the browser checks a sum over it) and written as
//! base64. Numbers that are mostly small are written seven bits per byte, the lowest first, the eighth bit saying that
//! more follow; numbers of either sign are folded first: 0, -1, 1, -2, 2 become 0, 1, 2, 3, 4.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use miniz_oxide::deflate::compress_to_vec_zlib;

/// Low, because the errors of good guesses hardly repeat: on the 200-frame demo level 6 took twice as long and saved
/// two bytes in a hundred.
const LEVEL: u8 = 2;

/// Appends `value`, seven bits per byte.
pub(super) fn put_count(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends the step from `before` to `value`, folded.
pub(super) fn put_step(out: &mut Vec<u8>, before: u32, value: u32) {
    let step = i64::from(value) - i64::from(before);
    put_count(out, ((step << 1) ^ (step >> 63)) as u64);
}

/// Appends the bits of `values`, lowest byte first.
pub(super) fn put_floats(out: &mut Vec<u8>, values: &[f32]) {
    out.extend(values.iter().flat_map(|value| value.to_le_bytes()));
}

/// A block as the page carries it.
pub(super) fn to_text(block: &[u8]) -> String {
    STANDARD.encode(compress_to_vec_zlib(block, LEVEL))
}

/// A box around points, in single precision as the points are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bounds {
    pub(super) min: [f32; 3],
    pub(super) max: [f32; 3],
}

impl Bounds {
    /// Around nothing.
    pub(super) const EMPTY: Bounds = Bounds { min: [f32::INFINITY; 3], max: [f32::NEG_INFINITY; 3] };

    pub(super) fn is_empty(&self) -> bool {
        self.min[0] > self.max[0]
    }

    pub(super) fn of(points: &[[f32; 3]]) -> Self {
        let mut bounds = Bounds::EMPTY;
        bounds.add(points);
        bounds
    }

    pub(super) fn add(&mut self, points: &[[f32; 3]]) {
        for point in points {
            for axis in 0..3 {
                self.min[axis] = self.min[axis].min(point[axis]);
                self.max[axis] = self.max[axis].max(point[axis]);
            }
        }
    }

    /// Takes in all that another box holds, which is nothing if it is empty.
    pub(super) fn add_bounds(&mut self, other: &Bounds) {
        for axis in 0..3 {
            self.min[axis] = self.min[axis].min(other.min[axis]);
            self.max[axis] = self.max[axis].max(other.max[axis]);
        }
    }

    /// Appends both corners; those of an empty box are zero.
    pub(super) fn put(&self, out: &mut Vec<u8>) {
        if self.is_empty() {
            put_floats(out, &[0.0; 6]);
        } else {
            put_floats(out, &self.min);
            put_floats(out, &self.max);
        }
    }

    /// Where `value` lies between the walls of the box, in whole steps from 0 to `steps`.
    pub(super) fn steps(&self, axis: usize, value: f32, steps: u16) -> u16 {
        let (min, max) = (f64::from(self.min[axis]), f64::from(self.max[axis]));
        if max > min { ((f64::from(value) - min) / (max - min) * f64::from(steps)).round() as u16 } else { 0 }
    }
}
