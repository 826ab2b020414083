//! Sharing work among the threads of the caller's rayon pool: the work is split, never the answer.
//!
//! With one thread, or without the feature `parallel`, everything runs in order on the caller's own thread and nothing is
//! allocated.

/// Below this many items (triangles, samples, points) of little work each, waking another thread costs more than it
/// saves.
const WORTH_IT: usize = 16_384;

/// How many threads may work on `items` items of little work each.
pub(crate) fn for_items(items: usize) -> usize {
    #[cfg(feature = "parallel")]
    if items >= WORTH_IT {
        return rayon::current_num_threads();
    }
    let _ = items;
    1
}

/// Runs `ask` on a thread of the pool if it is to be shared among several. From any other thread each [`join`] is handed
/// over to the pool and waited for, which takes longer than many of them do: this does it once for all joins in `ask`.
pub(crate) fn within_pool<T: Send>(threads: usize, ask: impl FnOnce() -> T + Send) -> T {
    #[cfg(feature = "parallel")]
    if threads > 1 {
        return rayon::scope(|_| ask());
    }
    let _ = threads;
    ask()
}

/// Runs both, on two threads if `threads` allows.
pub(crate) fn join<A: Send, B: Send>(
    threads: usize,
    a: impl FnOnce() -> A + Send,
    b: impl FnOnce() -> B + Send,
) -> (A, B) {
    #[cfg(feature = "parallel")]
    if threads > 1 {
        return rayon::join(a, b);
    }
    let _ = threads;
    (a(), b())
}

/// Calls `work` with every item and its number.
pub(crate) fn each<T: Send>(threads: usize, items: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
    halves(threads, 0, items, &work);
}

fn halves<T: Send>(threads: usize, first: usize, items: &mut [T], work: &(impl Fn(usize, &mut T) + Sync)) {
    if threads == 1 || items.len() < 2 {
        (first..).zip(items).for_each(|(number, item)| work(number, item));
        return;
    }
    let middle = items.len() / 2;
    let (left, right) = items.split_at_mut(middle);
    join(threads, || halves(threads, first, left, work), || halves(threads, first + middle, right, work));
}

/// Calls `work` with stretches of `from` and the stretches of `into` beside them, both of equal length.
pub(crate) fn each_stretch<T: Sync, U: Send>(
    threads: usize,
    from: &[T],
    into: &mut [U],
    work: &(impl Fn(&[T], &mut [U]) + Sync),
) {
    if threads == 1 || into.len() <= WORTH_IT / 4 {
        return work(from, into);
    }
    let middle = into.len() / 2;
    let (from, from_right) = from.split_at(middle);
    let (left, right) = into.split_at_mut(middle);
    join(threads, || each_stretch(threads, from, left, work), || each_stretch(threads, from_right, right, work));
}
