//! Sharing work among threads: the work is split, never the answer.
//!
//! Work runs in the rayon pool of the caller: inside `pool.install(..)` in that pool, else in the global one. With one
//! thread, or without the feature `parallel`, everything runs in order on the caller's own thread and rayon is not
//! touched, so nothing is allocated. A limit to the work (`crate::work`) goes along to other threads.

#[cfg(feature = "parallel")]
use crate::work;

/// More threads than this do not help where one puts their answers together.
pub(crate) const MOST_THREADS: usize = 64;

/// Below this many items (triangles, samples, points) of little work each, waking another thread costs more than it
/// saves.
const WORTH_IT: usize = 16_384;

/// How many threads there are.
pub(crate) fn available() -> usize {
    #[cfg(feature = "parallel")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "parallel"))]
    1
}

/// How many threads may work on `items` items of little work each.
pub(crate) fn for_items(items: usize) -> usize {
    if items >= WORTH_IT { available() } else { 1 }
}

/// How many threads may work on `items` items, where `worth_one` of them are worth waking a thread; at most [`MOST_THREADS`].
pub(crate) fn for_work(items: usize, worth_one: usize) -> usize {
    let worth = (items / worth_one).min(MOST_THREADS);
    if worth > 1 { worth.min(available()) } else { 1 }
}

/// Runs both, on two threads if `threads` allows.
pub(crate) fn join<A: Send, B: Send>(
    threads: usize,
    a: impl FnOnce() -> A + Send,
    b: impl FnOnce() -> B + Send,
) -> (A, B) {
    #[cfg(feature = "parallel")]
    if threads > 1 {
        let limit = work::current();
        return rayon::join(|| work::within(limit.clone(), a), || work::within(limit.clone(), b));
    }
    let _ = threads;
    (a(), b())
}

/// Calls `work` with every item and its number. Where the items are the memories of threads, each call takes its share
/// of the work: a thread that never wakes up leaves nothing undone as long as the others take what is left.
pub(crate) fn each<T: Send>(threads: usize, items: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
    // Nothing beside them, which takes no memory.
    let mut nothing = vec![(); items.len()];
    each_beside(threads, items, &mut nothing, |number, item, ()| work(number, item));
}

/// The same with the item of the same number in a second list of equal length.
pub(crate) fn each_beside<T: Send, U: Send>(
    threads: usize,
    items: &mut [T],
    beside: &mut [U],
    work: impl Fn(usize, &mut T, &mut U) + Sync,
) {
    halves(threads, 0, (items, beside), &work);
}

fn halves<T: Send, U: Send>(
    threads: usize,
    first: usize,
    (items, beside): (&mut [T], &mut [U]),
    work: &(impl Fn(usize, &mut T, &mut U) + Sync),
) {
    if threads == 1 || items.len() < 2 {
        for ((number, item), beside) in (first..).zip(items).zip(beside) {
            work(number, item, beside);
        }
        return;
    }
    let middle = items.len() / 2;
    let ((left, right), (below, above)) = (items.split_at_mut(middle), beside.split_at_mut(middle));
    join(
        threads,
        || halves(threads, first, (left, below), work),
        || halves(threads, first + middle, (right, above), work),
    );
}

/// Calls `work` with the items at the given indices, which are sorted, each once; so many parts may be worked on side by
/// side.
pub(crate) fn each_at<T: Send>(parts: usize, indices: &[u32], items: &mut [T], work: &(impl Fn(u32, &mut T) + Sync)) {
    each_from(0, parts, indices, items, work);
}

/// The same with the items from index `first` on.
fn each_from<T: Send>(
    first: u32,
    parts: usize,
    indices: &[u32],
    items: &mut [T],
    work: &(impl Fn(u32, &mut T) + Sync),
) {
    if parts < 2 || indices.len() < 2 {
        return indices.iter().for_each(|&index| work(index, &mut items[(index - first) as usize]));
    }
    let (before, after) = indices.split_at(indices.len() / 2);
    let (left, right) = items.split_at_mut((after[0] - first) as usize);
    join(
        parts,
        || each_from(first, parts / 2, before, left, work),
        || each_from(after[0], parts / 2, after, right, work),
    );
}

/// Calls `work` with stretches of `from` and the stretches of `into` beside them, both of equal length; of little work for each
/// item.
pub(crate) fn each_stretch<T: Sync, U: Send>(
    threads: usize,
    from: &[T],
    into: &mut [U],
    work: &(impl Fn(&[T], &mut [U]) + Sync),
) {
    each_stretch_of(WORTH_IT / 4, threads, from, into, work);
}

/// The same with stretches of at most so many items, if there are several threads.
pub(crate) fn each_stretch_of<T: Sync, U: Send>(
    most: usize,
    threads: usize,
    from: &[T],
    into: &mut [U],
    work: &(impl Fn(&[T], &mut [U]) + Sync),
) {
    if threads == 1 || into.len() <= most {
        return work(from, into);
    }
    let middle = into.len() / 2;
    let ((left, right), (below, above)) = (from.split_at(middle), into.split_at_mut(middle));
    join(
        threads,
        || each_stretch_of(most, threads, left, below, work),
        || each_stretch_of(most, threads, right, above, work),
    );
}
