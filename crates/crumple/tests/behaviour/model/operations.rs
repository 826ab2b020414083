//! What is done to a scene, as plain data: any operation can be applied to any scene, so that a walk stays one when
//! operations are taken out of it.

use crumple_methods::Method;
use crumple_scenes::Random;

/// Corners on a grid of whole numbers.
pub(super) type Corners = Vec<[i8; 3]>;

/// How positions reach a body.
#[derive(Clone, Copy, Debug)]
pub(super) enum How {
    Set,
    Correct,
    Write,
    InPlace,
    InPlaceTakenIn,
}

/// What is wrong with positions that must be refused.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fault {
    NotFinite,
    NotFiniteCorrection,
    NotFiniteWritten,
    NotFiniteInPlace,
    OneTooMany,
    /// f64 numbers that are no f32 numbers, for an f32 body; numbers that are too small, for an f64 body.
    NotOfThisPrecision,
}

/// Bodies are named by how many were added before them, modulo how many there ever were: some of them are gone.
#[derive(Clone, Debug)]
pub(super) enum Operation {
    Add {
        triangles: Vec<[usize; 3]>,
        corners: Corners,
        in_f64: bool,
    },
    /// A closed box, for what is asked about volumes.
    AddBox {
        low: [i8; 3],
        size: [i8; 3],
        in_f64: bool,
    },
    Remove(usize),
    Move {
        body: usize,
        corners: Corners,
        how: How,
    },
    /// All vertices by the same, so that closed bodies keep their shape.
    Shift {
        body: usize,
        by: [i8; 3],
        how: How,
    },
    MoveBadly {
        body: usize,
        fault: Fault,
    },
    Commit(usize),
    /// A loose box around corners that are given when asked for; `room` below 0 makes it too small.
    Loose {
        body: usize,
        corners: Corners,
        room: i8,
    },
    Pose {
        body: usize,
        quaternion: [i8; 4],
        translation: [i8; 3],
    },
    Ignore(usize, usize),
    StopIgnoring(usize, usize),
    Group(usize, u32),
    IgnoreGroups(u32, u32),
    StopIgnoringGroups(u32, u32),
    Mask {
        body: usize,
        membership: u32,
        mask: u32,
    },
    SelfCollision(usize, bool),
    Limit(Option<usize>),
    Filter(bool),
    Thickness(usize, f64),
    /// Removes and restores triangles by their numbers, which may be wrong, and adds one vertex and one triangle.
    Edit {
        body: usize,
        remove: Vec<u32>,
        restore: Vec<u32>,
        add: Option<([i8; 3], [usize; 3])>,
    },
    Split {
        body: usize,
        off: Vec<u32>,
    },
    Fuse(usize, usize),
    Compact(usize),
    Swap {
        body: usize,
        triangles: Vec<[usize; 3]>,
        corners: Corners,
    },
    /// Goes on with a copy.
    Clone,
    /// Goes on under another method.
    Under(usize),
    /// Begins a frame and asks those questions whose bits are set.
    Update {
        may_read: bool,
        questions: u32,
    },
}

impl Operation {
    pub(super) fn random(random: &mut Random) -> Self {
        use Operation::*;
        let body = random.below(8) as usize;
        let other = random.below(8) as usize;
        match random.below(100) {
            0..7 => Add { triangles: triangles(random), corners: corners(random), in_f64: random.once_in(3) },
            7..12 => {
                let size = std::array::from_fn(|_| random.integer(1, 2) as i8);
                AddBox { low: corner(random), size, in_f64: random.once_in(3) }
            }
            12..14 => Remove(body),
            14..26 => Move { body, corners: corners(random), how: how(random) },
            26..36 => Shift { body, by: corner(random).map(|x| x - 1), how: how(random) },
            36..40 => {
                use Fault::*;
                let faults = [
                    NotFinite,
                    NotFiniteCorrection,
                    NotFiniteWritten,
                    NotFiniteInPlace,
                    OneTooMany,
                    NotOfThisPrecision,
                ];
                MoveBadly { body, fault: faults[random.below(6) as usize] }
            }
            40 => Commit(body),
            41..45 => Loose { body, corners: corners(random), room: random.integer(-1, 2) as i8 },
            45 => {
                let quaternion = std::array::from_fn(|_| random.integer(-2, 2) as i8);
                Pose { body, quaternion, translation: corner(random) }
            }
            46 => Ignore(body, other),
            47 => StopIgnoring(body, other),
            48 => Group(body, random.below(3) as u32),
            49 => IgnoreGroups(random.below(3) as u32, random.below(3) as u32),
            50 => StopIgnoringGroups(random.below(3) as u32, random.below(3) as u32),
            51 => Mask { body, membership: random.below(4) as u32, mask: random.below(4) as u32 },
            52..54 => SelfCollision(body, !random.once_in(4)),
            54..56 => Limit((!random.once_in(3)).then(|| random.below(4) as usize)),
            56..58 => Filter(random.once_in(2)),
            58..60 => Thickness(body, random.below(5) as f64 * 0.3),
            60..64 => {
                let add = random.once_in(2).then(|| (corner(random), three(random)));
                Edit { body, remove: numbers(random), restore: numbers(random), add }
            }
            64..66 => Split { body, off: numbers(random) },
            66..68 => Fuse(body, other),
            68 => Compact(body),
            69 => Swap { body, triangles: triangles(random), corners: corners(random) },
            70..72 => Clone,
            72 => Under(random.below(Method::all().len() as u64) as usize),
            _ => {
                // Usually everything is asked.
                let questions = if random.once_in(2) { u32::MAX } else { random.bits() as u32 };
                Update { may_read: random.once_in(2), questions }
            }
        }
    }
}

fn how(random: &mut Random) -> How {
    [How::Set, How::Set, How::Correct, How::Write, How::InPlace, How::InPlaceTakenIn][random.below(6) as usize]
}

fn corner(random: &mut Random) -> [i8; 3] {
    std::array::from_fn(|_| random.below(4) as i8)
}

fn corners(random: &mut Random) -> Corners {
    (0..1 + random.below(6)).map(|_| corner(random)).collect()
}

fn three(random: &mut Random) -> [usize; 3] {
    std::array::from_fn(|_| random.below(8) as usize)
}

fn triangles(random: &mut Random) -> Vec<[usize; 3]> {
    (0..random.below(6)).map(|_| three(random)).collect()
}

fn numbers(random: &mut Random) -> Vec<u32> {
    (0..random.below(3)).map(|_| random.below(6) as u32).collect()
}
