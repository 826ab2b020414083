//! Two triangles with f64 corners: the exact predicates, and bodies made of them, say what whole numbers of any length say.
//!
//! The input is read as: how corners are made, an exponent and an offset per axis, then the corners: on a small grid with
//! the last bits changed, so that they nearly touch, or of any bits.

#![no_main]

use crumple::exact::{has_no_area, triangles_meet_f64};
use crumple::{Body, Mesh};
use crumple_fuzz::Bytes;
use libfuzzer_sys::fuzz_target;

use whole_f64::{Wide, whole_pair};

#[allow(dead_code)]
#[path = "../../crates/crumple/tests/exactness/triangles/reference.rs"]
mod reference;
#[path = "../../crates/crumple/tests/exactness/triangles/whole_f64.rs"]
mod whole_f64;

/// A coordinate that bodies take; 0 for one that they do not.
fn in_range(x: f64) -> f64 {
    let size = x.abs();
    if size >= 2f64.powi(-300) && size <= f64::from(f32::MAX) { x } else { 0.0 }
}

fn corners(bytes: &mut Bytes<'_>) -> [Wide; 2] {
    let any_bits = bytes.next() % 4 == 0;
    let axes = [0; 3].map(|_: u8| {
        let exponent = [0, -20, 20, -100, -250, 90][bytes.next() as usize % 6];
        let offset = [0.0, 1.0, 3.0e6, 2f64.powi(40), -2f64.powi(45), 0.1][bytes.next() as usize % 6];
        (2f64.powi(exponent), offset)
    });
    let mut coordinate = |axis: usize| {
        if any_bits {
            return in_range(f64::from_bits(u64::from_le_bytes([0; 8].map(|_: u8| bytes.next()))));
        }
        let (scale, offset) = axes[axis];
        let (step, change) = (f64::from(bytes.next() as i8 / 16), bytes.next());
        let x = (step + offset) * scale;
        in_range(match change {
            0..=127 => x,
            128..=191 => x.next_up(),
            _ => x * (1.0 - 2f64.powi(-i32::from(change - 160))),
        })
    };
    [0; 2].map(|_: u8| [0; 3].map(|_: u8| [0, 1, 2].map(&mut coordinate)))
}

fuzz_target!(|data: &[u8]| {
    let [a, b] = corners(&mut Bytes(data));
    let [whole_a, whole_b] = whole_pair(&a, &b);
    let truth = reference::share_a_point(&whole_a, &whole_b);
    assert_eq!(triangles_meet_f64(&a, &b), truth, "{a:?} {b:?}");
    assert_eq!(triangles_meet_f64(&b, &a), truth, "{b:?} {a:?}");
    assert_eq!(has_no_area(&a), reference::has_no_area(&whole_a), "{a:?}");
    // Bodies are refused if all of their coordinates are tiny.
    let body = |corners: &Wide| Body::new_f64(Mesh::new(3, vec![[0, 1, 2]]).expect("three vertices"), corners);
    if let (Ok(a), Ok(b)) = (body(&a), body(&b)) {
        assert_eq!(crumple::pairs(&a, &b).len(), usize::from(truth), "as bodies: {a:?} {b:?}");
    }
});
