//! Methods that keep no topology allocate nothing in a second identical pass over a sequence.

// Counting allocations needs an allocator of one's own.
#![allow(unsafe_code)]

#[allow(dead_code)]
mod common;
mod soups;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use crumple::narrow::bucket_tree::{BucketScratch, BucketTree, BucketTreeOptions, Filing, LevelChoice, Soup};
use crumple::narrow::gjk_cut::{GjkCut, GjkCutOptions, gjk_distance};
use crumple::narrow::{PairMethod, Side, Wanted};
use crumple::{Body, Triangle, TrianglePair};
use soups::bumpy;

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call goes to the system's allocator unchanged; counting touches a thread-local number without a
// destructor and allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promise about `layout` is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the pointer came from `System` with this layout, by the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: as for `dealloc`, and the caller's promise about `size` is passed on.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn allocations() -> usize {
    ALLOCATIONS.with(Cell::get)
}

/// Allocations of the second of two passes over a sequence.
fn second_pass<M: PairMethod>(method: &M, frames: &[[Body; 2]]) -> usize {
    let mut trees = frames[0].each_ref().map(|body| method.build(body));
    let (mut scratch, mut found) = (M::Scratch::default(), Vec::<TrianglePair>::new());
    let mut before = 0;
    for _ in 0..2 {
        before = allocations();
        for [a, b] in frames {
            method.update(&mut trees[0], a);
            method.update(&mut trees[1], b);
            let (a, b) = (Side { body: a, tree: &trees[0] }, Side { body: b, tree: &trees[1] });
            found.clear();
            method.find_pairs(a, b, Wanted::All, &mut scratch, &mut found);
            method.find_self_pairs(a, Wanted::All, &mut scratch, &mut found);
        }
    }
    allocations() - before
}

#[test]
fn a_second_identical_pass_allocates_nothing() {
    let frames = bumpy(3, &(0..200).step_by(20).collect::<Vec<usize>>());
    for filing in [Filing::ByEquation, Filing::BySorting] {
        for levels in [LevelChoice::FromData, LevelChoice::Fixed(2), LevelChoice::Fixed(5)] {
            for split_above in [None, Some(3), Some(16)] {
                let options = BucketTreeOptions::default().with_filing(filing).with_levels(levels);
                let method = BucketTree::new(options.with_split_above(split_above)).unwrap();
                assert_eq!(second_pass(&method, &frames), 0, "{method:?}");
            }
        }
    }
    for percent in [40, 100] {
        let method = GjkCut::new(GjkCutOptions::default().with_cut_threshold(percent)).unwrap();
        assert_eq!(second_pass(&method, &frames), 0, "{method:?}");
    }
}

#[test]
fn a_soup_whose_primitives_are_replaced_one_by_one_allocates_nothing_after_the_first_round() {
    let frames = bumpy(2, &[150, 199]);
    let triangles: Vec<Triangle> = {
        let of = |body: &Body| (0..320).map(|t| body.triangle(crumple::TriangleId(t)).unwrap()).collect::<Vec<_>>();
        frames.iter().flat_map(|[a, _]| of(a)).collect()
    };
    let mut soup = Soup::new(BucketTreeOptions::default().with_filing(Filing::BySorting)).unwrap();
    let mut ids: Vec<_> = triangles[..320].iter().map(|&triangle| soup.insert(triangle).unwrap()).collect();
    let mut scratch = BucketScratch::default();
    let mut before = 0;
    for round in 0..4 {
        if round == 2 {
            before = allocations();
        }
        for i in 0..320 {
            soup.remove(ids[i]).unwrap();
            ids[i] = soup.insert(triangles[(round % 2) * 320 + i]).unwrap();
            if i % 40 == 0 {
                soup.update().unwrap();
                soup.self_candidates(&mut scratch, |_, _| std::ops::ControlFlow::Continue(())).unwrap();
            }
        }
    }
    assert_eq!(allocations() - before, 0);
}

#[test]
fn the_distance_of_two_hulls_allocates_nothing() {
    let [[a, b]] = &bumpy(2, &[10])[..] else { unreachable!() };
    let (a, b): (Vec<[f32; 3]>, Vec<[f32; 3]>) = (a.positions().to_vec(), b.positions().to_vec());
    let before = allocations();
    let result = gjk_distance(&a, &b).unwrap();
    assert_eq!(allocations() - before, 0);
    assert!(result.lower_bound > 0.0);
}
