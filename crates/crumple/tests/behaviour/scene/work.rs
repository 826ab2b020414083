//! What is done for an answer, and what is not: counted by a method that keeps a diary.

use std::sync::{Arc, Mutex};

use crumple::narrow::brute::{BruteForce, Scratch};
use crumple::narrow::{Flow, PairMethod, PairTest, SelfTest, Side, Wanted};
use crumple::{Body, Scene, Stats};

use super::shapes::{at, tetrahedron};

/// What a method was asked to do; bodies by the order in which their trees were built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    Built(usize),
    Updated(usize),
    Asked(usize, usize, Wanted),
}

use Event::{Asked, Built, Updated};
use Wanted::{All, First};

#[derive(Clone, Debug, Default)]
struct Diary(Arc<Mutex<Vec<Event>>>);

impl Diary {
    fn note(&self, event: Event) {
        self.0.lock().unwrap().push(event);
    }

    /// What was done since the last look.
    fn take(&self) -> Vec<Event> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

/// Brute force with a diary; its tree is a number.
#[derive(Clone, Debug, Default)]
struct Noted {
    diary: Diary,
    built: Arc<Mutex<usize>>,
}

impl PairMethod for Noted {
    type Tree = usize;
    type Scratch = Scratch;

    fn build(&self, _: &Body) -> usize {
        let mut built = self.built.lock().unwrap();
        *built += 1;
        self.diary.note(Built(*built - 1));
        *built - 1
    }

    fn update(&self, tree: &mut usize, _: &Body) {
        self.diary.note(Updated(*tree));
    }

    fn find_pairs(
        &self,
        a: Side<'_, usize>,
        b: Side<'_, usize>,
        scratch: &mut Scratch,
        test: &mut PairTest<'_>,
    ) -> Flow {
        self.diary.note(Asked(*a.tree, *b.tree, test.wanted()));
        let (a, b) = (Side { body: a.body, tree: &() }, Side { body: b.body, tree: &() });
        BruteForce.find_pairs(a, b, scratch, test)
    }

    fn find_self_pairs(&self, side: Side<'_, usize>, scratch: &mut Scratch, test: &mut SelfTest<'_>) -> Flow {
        self.diary.note(Asked(*side.tree, *side.tree, test.wanted()));
        BruteForce.find_self_pairs(Side { body: side.body, tree: &() }, scratch, test)
    }
}

fn noted() -> (Scene, Diary) {
    let method = Noted::default();
    let diary = method.diary.clone();
    (Scene::with_method(method), diary)
}

#[test]
fn a_tree_is_built_once_and_updated_only_if_its_body_has_moved() {
    let (mut scene, diary) = noted();
    let ids = [0.0, 0.5].map(|x| scene.add(tetrahedron(x)));
    assert_eq!(diary.take(), [Built(0), Built(1)]);
    scene.update().unwrap().contacts();
    assert_eq!(diary.take(), [Asked(0, 1, All)]);
    scene.set_positions(ids[1], &at(0.25)).unwrap();
    scene.update().unwrap().contacts();
    assert_eq!(diary.take(), [Updated(1), Asked(0, 1, All)]);
}

#[test]
fn positions_set_several_times_before_a_question_cost_one_update() {
    let (mut scene, diary) = noted();
    let ids = [0.0, 0.5].map(|x| scene.add(tetrahedron(x)));
    diary.take();
    for x in [9.0, 0.1, 0.2] {
        scene.set_positions(ids[1], &at(x)).unwrap();
    }
    scene.update().unwrap();
    assert_eq!(diary.take(), [Updated(1)]);
    scene.update().unwrap().contacts();
    assert_eq!(diary.take(), [Asked(0, 1, All)]);
}

#[test]
fn bodies_far_from_all_others_are_neither_updated_nor_asked_about() {
    let (mut scene, diary) = noted();
    let ids = [0.0, 0.5, 50.0].map(|x| scene.add(tetrahedron(x)));
    diary.take();
    scene.set_positions(ids[2], &at(40.0)).unwrap();
    scene.update().unwrap().contacts();
    assert_eq!(diary.take(), [Asked(0, 1, All)]);
    // Once it comes near, its tree catches up.
    scene.set_positions(ids[2], &at(1.25)).unwrap();
    scene.update().unwrap().contacts();
    assert_eq!(diary.take(), [Updated(2), Asked(1, 2, All)]);
}

#[test]
fn two_bodies_of_which_neither_moved_are_answered_from_the_last_frame() {
    let (mut scene, diary) = noted();
    let ids = [0.0, 0.25, 0.5].map(|x| scene.add(tetrahedron(x)));
    scene.set_self_collision(ids[0], true).unwrap();
    let first: Vec<_> = scene.update().unwrap().contacts().iter().map(|contact| contact.pairs.to_vec()).collect();
    diary.take();
    for _ in 0..3 {
        scene.set_positions(ids[2], &at(0.5)).unwrap();
        let again: Vec<_> = scene.update().unwrap().contacts().iter().map(|contact| contact.pairs.to_vec()).collect();
        assert_eq!(again, first);
        assert_eq!(diary.take(), [Updated(2), Asked(0, 2, All), Asked(1, 2, All)]);
    }
    // Nothing moved at all.
    scene.update().unwrap().contacts();
    assert_eq!(diary.take(), []);
}

#[test]
fn an_answer_taken_over_counts_no_work() {
    let (mut scene, _) = noted();
    let ids = [0.0, 0.25].map(|x| scene.add(tetrahedron(x)));
    let worked = scene.update().unwrap().contacts().stats();
    assert!(worked.box_tests > 0 && worked.candidates > 0);
    assert_eq!(scene.update().unwrap().contacts().stats(), Stats::default());
    scene.set_positions(ids[0], &at(0.0)).unwrap();
    assert_eq!(scene.update().unwrap().contacts().stats(), worked);
}

#[test]
fn all_pairs_are_no_answer_to_a_question_for_the_first_and_the_other_way_round() {
    let (mut scene, diary) = noted();
    for x in [0.0, 0.25] {
        scene.add(tetrahedron(x));
    }
    diary.take();
    scene.update().unwrap().witnesses();
    scene.update().unwrap().witnesses();
    scene.update().unwrap().contacts();
    assert_eq!(diary.take(), [Asked(0, 1, First), Asked(0, 1, All)]);
}

#[test]
fn a_refused_update_and_a_change_of_what_may_touch_cost_no_update() {
    let (mut scene, diary) = noted();
    let ids = [0.0, 0.25].map(|x| scene.add(tetrahedron(x)));
    scene.update().unwrap().contacts();
    diary.take();
    scene.set_positions(ids[0], &[[f32::NAN; 3]; 4]).unwrap_err();
    scene.set_positions(ids[0], &[[0.0; 3]; 3]).unwrap_err();
    scene.update().unwrap().contacts();
    assert_eq!(diary.take(), []);
    scene.ignore(ids[0], ids[1]).unwrap();
    scene.update().unwrap().contacts();
    scene.stop_ignoring(ids[0], ids[1]).unwrap();
    scene.update().unwrap().contacts();
    assert_eq!(diary.take(), [Asked(0, 1, All)]);
}

#[test]
fn a_pose_is_handed_to_the_tree() {
    let (mut scene, diary) = noted();
    let ids = [0.0, 0.25].map(|x| scene.add(tetrahedron(x)));
    diary.take();
    scene.set_pose(ids[0], crumple::Pose::IDENTITY).unwrap();
    scene.update().unwrap().contacts();
    assert_eq!(diary.take(), [Updated(0), Asked(0, 1, All)]);
}

#[test]
fn bodies_that_may_touch_are_not_updated_for_it() {
    let (mut scene, diary) = noted();
    let ids = [0.0, 0.25].map(|x| scene.add(tetrahedron(x)));
    scene.ignore(ids[0], ids[1]).unwrap();
    diary.take();
    scene.set_positions(ids[0], &at(0.1)).unwrap();
    scene.update().unwrap().contacts();
    assert_eq!(diary.take(), []);
}
