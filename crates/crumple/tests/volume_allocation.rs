//! A second identical pass over a sequence allocates nothing on one thread.
#![allow(unsafe_code, reason = "counting allocations takes an allocator, and that trait is unsafe to implement")]

mod shapes;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use crumple::volume::{
    ImageOptions, LayeredDepthImage, Overlap, OverlapOptions, Penetration, PointsInside, PointsOptions, SelfOverlap,
};

struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is handed to the system's allocator unchanged; counting touches no memory of it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// One test in this file, so that nothing else allocates meanwhile.
#[test]
fn a_second_pass_over_a_sequence_allocates_nothing() {
    let (shape_a, shape_b) = (shapes::bumpy(5), shapes::torus(100, 50, 0.4));
    let (mut a, mut b) = (shape_a.body(), shape_b.body());
    let frames: Vec<_> = (0..6)
        .map(|frame| {
            let swell = 1.0 + 0.1 * (frame as f32).sin();
            let moved = shape_b.translated([0.1 * frame as f32, 0.2, 0.3]);
            (shape_a.moved(|p| [p[0] * swell, p[1], p[2] / swell]).positions, moved.positions)
        })
        .collect();
    let points: Vec<_> = shape_b.positions.clone();
    let mut image = LayeredDepthImage::new();
    let mut overlap = Overlap::new(OverlapOptions::default());
    let mut inside = PointsInside::new(PointsOptions::default());
    let mut exactly = PointsInside::new(PointsOptions::default().with_exact());
    let mut penetration = Penetration::new(OverlapOptions::default().with_resolution(32));
    let mut self_overlap = SelfOverlap::new(ImageOptions::default());
    let mut depths = Vec::new();
    let mut pass = || {
        let mut total = 0.0;
        for (positions_a, positions_b) in &frames {
            a.set_positions(positions_a).unwrap();
            b.set_positions(positions_b).unwrap();
            image.render(&a, &ImageOptions::default().with_resolution([200, 100])).unwrap();
            image.depths_of_vertices(&b, &mut depths);
            total += image.volume() + overlap.compute(&a, &b).unwrap().volume();
            total += f64::from(u8::from(overlap.collides(&a, &b).unwrap()));
            total += inside.test(&a, &points).unwrap().iter().filter(|&&inside| inside).count() as f64;
            total += exactly.test(&a, &points).unwrap().iter().filter(|&&inside| inside).count() as f64;
            total += penetration.compute(&a, &b).unwrap().depth() + self_overlap.find(&a).unwrap().volume;
        }
        total
    };
    #[cfg(feature = "parallel")]
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let counted = move || {
        let first = pass();
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        let second = pass();
        (first, second, ALLOCATIONS.load(Ordering::Relaxed) - before)
    };
    #[cfg(feature = "parallel")]
    let (first, second, allocations) = pool.install(counted);
    #[cfg(not(feature = "parallel"))]
    let (first, second, allocations) = {
        let mut counted = counted;
        counted()
    };
    assert_eq!((first, allocations), (second, 0));
}
