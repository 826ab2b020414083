//! What is computed once, when it is first asked for, and kept: for a frame ([`PerFrame`]), for as long as it is true
//! ([`Memo`]), or as working memory ([`Pool`]).
//!
//! Several threads may ask at once. None waits for another: whoever finds no answer yet computes it, and the first to be
//! done publishes it. To wait would be a trap: a thread of a pool that waits inside may be handed the very task that asks
//! again, and would then wait for itself. For the same reason no lock is held while anything is computed. A computation
//! that panics loses the memory it was given and nothing else.
//!
//! Memory is used again. When an answer needs more room than all before it, as much is set aside at once for the answers
//! to come, and smaller memory is given up when it comes back: so a sequence that is played again allocates nothing,
//! whichever answer falls into which memory.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// How much room each list of an answer has.
pub(super) type Room = [usize; 5];

/// An answer whose memory takes in the answers of later frames.
pub(super) trait Reusable: Default {
    /// Whether the next frame looks at this one's answer. If not, its memory is free as soon as the frame ends.
    const IS_READ_NEXT: bool = false;

    /// Forgets what was found, not the memory.
    fn clear(&mut self);

    /// How much room its lists have: only if it is read in the next frame, so that memories take turns. Not how long the lists
    /// are: a search may find more than it keeps.
    fn room(&self) -> Room {
        Room::default()
    }

    /// Makes at least so much room.
    fn make_room(&mut self, _: &Room) {}
}

/// Makes room for so many elements in a list.
pub(super) fn at_least<T>(list: &mut Vec<T>, room: usize) {
    list.reserve_exact(room.saturating_sub(list.len()));
}

/// What became of a computation.
pub(super) enum Computed {
    /// The memory holds the answer.
    Anew,
    /// The answer of the frame before still holds; what is in the memory does not matter.
    AsBefore,
}

/// The answers to one question about a frame, by what it was asked with.
#[derive(Debug)]
pub(super) struct PerFrame<K, A> {
    first: Link<K, A>,
    /// The answers of the last frame before this one in which the question was asked.
    before: Answers<K, A>,
    spare: Mutex<Spare<K, A>>,
}

/// The end of a chain, to which whoever asks first with another key adds.
type Link<K, A> = OnceLock<Box<Kept<K, A>>>;

/// Boxed as they are in the chain: what is taken from here and put there is not moved.
type Answers<K, A> = Vec<Box<Kept<K, A>>>;

#[derive(Clone, Debug, Default)]
struct Kept<K, A> {
    key: K,
    answer: A,
    /// The answer is the one of the frame before.
    is_as_before: bool,
    next: Link<K, A>,
}

impl<K, A> Kept<K, A> {
    /// Takes the rest of the chain. Of a question without a key there is none: known beforehand, this leaves out code.
    #[inline]
    fn following(&mut self) -> Option<Box<Self>> {
        if size_of::<K>() == 0 { None } else { self.next.take() }
    }
}

/// Memory for answers to come.
#[derive(Debug)]
struct Spare<K, A> {
    memories: Answers<K, A>,
    /// The most room that any answer has needed.
    most: Room,
}

impl<K, A> Default for PerFrame<K, A> {
    fn default() -> Self {
        let spare = Spare { memories: Vec::new(), most: Room::default() };
        Self { first: OnceLock::new(), before: Vec::new(), spare: Mutex::new(spare) }
    }
}

/// Answers go along; memory does not.
impl<K: Clone, A: Clone> Clone for PerFrame<K, A> {
    fn clone(&self) -> Self {
        Self { first: self.first.clone(), before: self.before.clone(), ..Self::default() }
    }
}

impl<K: Copy + Default + PartialEq, A: Reusable> PerFrame<K, A> {
    /// This frame's answer. If there is none yet, `compute` sees that of the last frame that was asked and fills memory
    /// that has been cleared.
    pub(super) fn get(&self, key: K, compute: impl FnOnce(Option<&A>, &mut A)) -> &A {
        self.get_or_keep(key, |before, answer| {
            compute(before, answer);
            Computed::Anew
        })
    }

    /// The same, where `compute` may find that the answer of the frame before still holds.
    pub(super) fn get_or_keep(&self, key: K, compute: impl FnOnce(Option<&A>, &mut A) -> Computed) -> &A {
        match self.asked(key) {
            Some(answer) => answer,
            None => self.compute(key, compute),
        }
    }

    /// This frame's answer, if it was asked for.
    pub(super) fn asked(&self, key: K) -> Option<&A> {
        let mut at = &self.first;
        while let Some(kept) = at.get() {
            if kept.key == key {
                return if kept.is_as_before { self.before(key) } else { Some(&kept.answer) };
            }
            at = &kept.next;
        }
        None
    }

    /// The answer of the last frame before this one in which the question was asked.
    pub(super) fn before(&self, key: K) -> Option<&A> {
        self.before.iter().find(|kept| kept.key == key).map(|kept| &kept.answer)
    }

    #[inline(never)]
    fn compute(&self, key: K, compute: impl FnOnce(Option<&A>, &mut A) -> Computed) -> &A {
        let memory = self.spare().memories.pop();
        let mut kept = memory.unwrap_or_default();
        kept.key = key;
        kept.answer.clear();
        kept.is_as_before = matches!(compute(self.before(key), &mut kept.answer), Computed::AsBefore);
        self.note_room(&mut kept.answer);
        let (mut end, mut unpublished) = (&self.first, Some(kept));
        while let Some(kept) = unpublished.take() {
            // Others may have added to the chain meanwhile.
            if let Err(kept) = end.set(kept)
                && let Some(there) = end.get()
            {
                if there.key == key {
                    self.spare().keep(kept);
                } else {
                    (end, unpublished) = (&there.next, Some(kept));
                }
            }
        }
        self.asked(key).unwrap_or_else(|| unreachable!("an answer was published above"))
    }

    /// Ends a frame: its answers, if there are any, are those before from now on.
    pub(super) fn end_frame(&mut self) {
        let Self { first, before, spare } = self;
        let spare = spare.get_mut().unwrap_or_else(PoisonError::into_inner);
        let Some(mut next) = first.take() else { return };
        if !A::IS_READ_NEXT {
            while let Some(following) = next.following() {
                spare.keep(std::mem::replace(&mut next, following));
            }
            return spare.keep(next);
        }
        let known = before.len();
        loop {
            let following = next.following();
            if next.is_as_before
                && let Some(same) = before[..known].iter_mut().find(|kept| kept.key == next.key)
            {
                std::mem::swap(&mut next.answer, &mut same.answer);
            }
            before.push(next);
            let Some(following) = following else { break };
            next = following;
        }
        before.drain(..known).for_each(|kept| spare.keep(kept));
    }

    fn spare(&self) -> MutexGuard<'_, Spare<K, A>> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// If an answer needed more room than all before it, makes as much for those to come.
    fn note_room(&self, answer: &mut A) {
        let (mut spare, room) = (self.spare(), answer.room());
        if is_enough(&spare.most, &room) {
            return;
        }
        spare.most = std::array::from_fn(|list| room[list].max(spare.most[list]));
        let Spare { memories, most } = &mut *spare;
        answer.make_room(most);
        // One answer per key for this frame and one for the frame before, of which this one is there already.
        let keys = 1 + std::iter::successors(self.first.get(), |kept| kept.next.get()).count();
        let memories_needed = 2 * keys.max(self.before.len()) - 1;
        memories.resize_with(memories.len().max(memories_needed), Box::default);
        memories.iter_mut().for_each(|kept| kept.answer.make_room(most));
    }
}

impl<K, A: Reusable> Spare<K, A> {
    fn keep(&mut self, kept: Box<Kept<K, A>>) {
        if is_enough(&kept.answer.room(), &self.most) {
            self.memories.push(kept);
        }
    }
}

fn is_enough(room: &Room, needed: &Room) -> bool {
    (0..room.len()).all(|list| room[list] >= needed[list])
}

/// Working memory that nobody uses at the moment.
#[derive(Debug)]
pub(super) struct Pool<T>(Mutex<Vec<T>>);

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Default> Pool<T> {
    /// Lends memory, that of the last who had some.
    pub(super) fn lend<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        let locked = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let memory = locked().pop();
        let mut memory = memory.unwrap_or_default();
        let done = work(&mut memory);
        locked().push(memory);
        done
    }
}

/// Values by keys, kept over frames; the value says what it is true of. Locked only to look one up.
#[derive(Debug)]
pub(super) struct Memo<K, V>(Mutex<Vec<(K, Option<V>)>>);

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Copy + Ord, V: Clone> Memo<K, V> {
    pub(super) fn get(&self, key: K) -> Option<V> {
        let list = self.list();
        list[list.binary_search_by_key(&key, |entry| entry.0).ok()?].1.clone()
    }

    /// The value, which is then no longer known: for one whose memory is to be used again.
    pub(super) fn take(&self, key: K) -> Option<V> {
        let mut list = self.list();
        let at = list.binary_search_by_key(&key, |entry| entry.0).ok()?;
        list[at].1.take()
    }

    pub(super) fn put(&self, key: K, value: V) {
        let mut list = self.list();
        match list.binary_search_by_key(&key, |entry| entry.0) {
            Ok(at) => list[at].1 = Some(value),
            Err(at) => list.insert(at, (key, Some(value))),
        }
    }

    /// Forgets the values of keys for which `is_gone`.
    pub(super) fn forget(&mut self, is_gone: impl Fn(K) -> bool) {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner).retain(|entry| !is_gone(entry.0));
    }

    fn list(&self) -> MutexGuard<'_, Vec<(K, Option<V>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Numbers, read again in the next frame.
    #[derive(Clone, Debug, Default)]
    struct Numbers(Vec<usize>);

    impl Reusable for Numbers {
        const IS_READ_NEXT: bool = true;

        fn clear(&mut self) {
            self.0.clear();
        }

        fn room(&self) -> Room {
            [self.0.capacity(), 0, 0, 0, 0]
        }

        fn make_room(&mut self, room: &Room) {
            at_least(&mut self.0, room[0]);
        }
    }

    /// Numbers that only their own frame reads.
    #[derive(Debug, Default)]
    struct Once(Vec<usize>);

    impl Reusable for Once {
        fn clear(&mut self) {
            self.0.clear();
        }
    }

    fn count_of_memories<K, A>(question: &PerFrame<K, A>) -> usize {
        question.spare.lock().unwrap().memories.len()
    }

    #[test]
    fn asking_again_computes_nothing_and_answers_stay_where_they_are() {
        let (question, computed) = (PerFrame::<u8, Numbers>::default(), Cell::new(0));
        let ask = |key: u8| {
            question.get(key, |_, answer| {
                computed.set(computed.get() + 1);
                answer.0.push(usize::from(key));
            })
        };
        assert!(question.asked(1).is_none());
        let first = ask(1);
        for key in 1..9 {
            assert_eq!(ask(key).0, [usize::from(key)]);
        }
        assert_eq!((computed.get(), first.0.as_slice()), (8, &[1][..]));
        assert!(std::ptr::eq(first, ask(1)) && std::ptr::eq(first, question.asked(1).unwrap()));
    }

    #[test]
    fn one_that_asks_while_it_computes_does_not_wait_for_itself_and_its_memory_is_kept() {
        let mut question = PerFrame::<(), Once>::default();
        let answer = question.get((), |_, outer| {
            outer.0.push(1);
            assert_eq!(question.get((), |_, inner| inner.0.push(2)).0, [2]);
        });
        assert_eq!(answer.0, [2], "the first to be done is published");
        assert_eq!(count_of_memories(&question), 1, "the memory of the other is used again");
        question.end_frame();
        assert_eq!(count_of_memories(&question), 2);
    }

    #[test]
    fn threads_that_start_together_all_compute_and_get_one_answer() {
        let (question, started, computed) = (PerFrame::<(), Once>::default(), Barrier::new(4), AtomicUsize::new(0));
        let ask = |number: usize| {
            let answer = question.get((), |_, answer| {
                // If one waited for another to be done, or held a lock, they would not come together here.
                started.wait();
                computed.fetch_add(1, Ordering::Relaxed);
                answer.0.push(number);
            });
            std::ptr::from_ref(answer) as usize
        };
        let found: Vec<usize> = std::thread::scope(|scope| {
            let asked: Vec<_> = (0..4).map(|number| scope.spawn(move || ask(number))).collect();
            asked.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(found.iter().all(|&at| at == found[0]));
        assert_eq!((computed.into_inner(), count_of_memories(&question)), (4, 3));
    }

    #[test]
    fn a_panic_loses_the_memory_it_was_given_and_nothing_else() {
        let mut question = PerFrame::<u8, Numbers>::default();
        question.get(1, |_, answer| answer.0.push(1));
        let failed = catch_unwind(AssertUnwindSafe(|| question.get(2, |_, _| panic!("on purpose")).0.len()));
        assert!(failed.is_err());
        assert!(question.asked(2).is_none());
        assert_eq!(question.asked(1).unwrap().0, [1]);
        assert_eq!(question.get(2, |_, answer| answer.0.push(2)).0, [2]);
        question.end_frame();
        assert_eq!(question.before(1).unwrap().0, [1]);
        let pool = Pool::<Vec<u8>>::default();
        assert!(catch_unwind(AssertUnwindSafe(|| pool.lend(|_| panic!("on purpose")))).is_err());
        pool.lend(|memory| memory.push(1));
        assert_eq!(pool.lend(|memory| memory.len()), 1);
    }

    #[test]
    fn the_answers_before_are_those_of_the_last_frame_that_was_asked() {
        let mut question = PerFrame::<u8, Numbers>::default();
        question.get(1, |before, answer| {
            assert!(before.is_none());
            answer.0.push(10);
        });
        question.get(2, |_, answer| answer.0.push(20));
        question.end_frame();
        question.end_frame();
        assert!(question.asked(1).is_none());
        assert_eq!(question.before(2).unwrap().0, [20]);
        let where_it_was = question.before(1).unwrap().0.as_ptr();
        let kept = question.get_or_keep(1, |before, _| {
            assert_eq!(before.unwrap().0, [10]);
            Computed::AsBefore
        });
        assert_eq!((kept.0.as_slice(), kept.0.as_ptr()), (&[10][..], where_it_was));
        question.end_frame();
        assert!(question.before(2).is_none(), "that frame asked only about the other");
        assert_eq!(question.before(1).unwrap().0.as_ptr(), where_it_was);
        assert_eq!(question.clone().before(1).unwrap().0, [10]);
    }

    #[test]
    fn a_sequence_that_is_played_again_needs_no_more_memory() {
        // An odd number of frames, the largest answer last.
        let sizes = [[3, 40], [7, 2], [1, 0], [0, 9], [70, 300]];
        let mut question = PerFrame::<usize, Numbers>::default();
        let mut play = |seen: &mut Vec<*const usize>| {
            for frame in sizes {
                for (key, len) in frame.into_iter().enumerate() {
                    let answer = question.get(key, |_, answer| answer.0.extend(0..len));
                    seen.push(answer.0.as_ptr());
                }
                question.end_frame();
            }
            seen.sort();
            seen.dedup();
        };
        let (mut first, mut second) = (Vec::new(), Vec::new());
        play(&mut first);
        play(&mut second);
        // What the last frame set aside may not have been seen in the first pass.
        let mut third = Vec::new();
        play(&mut third);
        assert!(third.iter().all(|memory| second.contains(memory)));
        assert_eq!(third.len(), 4, "two keys, two frames");
    }

    #[test]
    fn a_memo_knows_what_was_put_last() {
        let mut memo = Memo::default();
        for (key, value) in [(5, 'a'), (3, 'b'), (9, 'c'), (3, 'd')] {
            memo.put(key, value);
        }
        assert_eq!((memo.get(3), memo.get(5), memo.get(4)), (Some('d'), Some('a'), None));
        assert_eq!((memo.take(5), memo.take(5), memo.get(5)), (Some('a'), None, None));
        memo.forget(|key| key == 9);
        assert_eq!((memo.get(9), memo.get(3)), (None, Some('d')));
    }
}
