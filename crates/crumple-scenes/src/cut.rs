//! A sheet is cut in two by a moving blade, and its halves fall: the scene for triangles that come and go.
//!
//! Every frame says what to remove and what to add. The blade follows a straight line across the sheet; a triangle that
//! crosses the line is removed once the blade has passed it, and its parts are added, on each side of the line with
//! vertices of their own:
//!
//! ```text
//!           a                       a
//!          ╱ ╲                     ╱ ╲
//!     ────┼───┼────  line        p ─── q      one side: a p q
//!        ╱     ╲           ─►    p'─── q'     the other: p' b c and p' c q'
//!       ╱       ╲               ╱       ╲
//!      b ─────── c             b ─────── c
//! ```
//!
//! p and p' are in the same place; neighbours that are cut share them, each on its side.
//! Where the blade has passed, the halves move apart; when it has passed everything, they fall on a ball.
//! A triangle keeps its number for ever: the sheet's own come first, added ones follow in order, no number is used twice.
//! As everywhere in this crate, positions are a function of the frame.

use std::collections::HashMap;

use crate::blade;
use crate::bumpy::{Ball, with_ball};
use crate::digest::Digest;
use crate::error::{SceneError, check};
use crate::grid::sheet;
use crate::scene::Scene;
use crate::vector::{Vector, mix, round, smooth_step};

const FRAMES: usize = 100;
/// The cut's line on the sheet is x = SLANT · z + OFFSET; the blade moves towards greater z.
pub(crate) const SLANT: f64 = 0.17;
pub(crate) const OFFSET: f64 = 0.012_345;
/// Where the blade's tip is in the first frame, and how far it goes in a frame; the sheet lies between -1 and 1.
const START: f64 = -1.2;
const ADVANCE: f64 = 0.041;
/// How far each half moves aside.
const OPENING: f64 = 0.06;
const GRAVITY: f64 = 0.0011;

/// How far along z the cut has come.
pub(crate) fn front(frame: usize) -> f64 {
    START + ADVANCE * frame as f64
}

/// The first frame in which the whole sheet lies behind the blade's tip.
const PARTED: usize = 54;

/// What changes in a body as a frame begins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Edit {
    /// Numbers of the triangles that go, ascending.
    pub remove: Vec<u32>,
    /// Positions, in this frame, of the vertices that come; they follow the vertices there were.
    pub add_vertices: Vec<[f32; 3]>,
    /// Triangles that come; they follow the triangles there were, removed ones counted. They may use the new vertices.
    pub add_triangles: Vec<[u32; 3]>,
}

/// Which side of the cut a vertex belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Side {
    Left,
    Right,
}

impl Side {
    fn of(place: [f64; 2]) -> Self {
        if place[0] > SLANT * place[1] + OFFSET { Self::Right } else { Self::Left }
    }

    fn sign(self) -> f64 {
        match self {
            Self::Left => -1.0,
            Self::Right => 1.0,
        }
    }
}

/// A vertex: where it is on the flat sheet (x, z), and which half it goes with.
#[derive(Clone, Copy, Debug)]
struct Vertex {
    place: [f64; 2],
    side: Side,
}

/// Experiment CR5: a sheet that is cut frame by frame, and the bodies around it.
///
/// ```
/// let cutting = crumple_scenes::cutting(9)?;
/// let mut triangles = cutting.triangles().to_vec(); // by number; a real program drops the removed ones
/// let mut positions = Vec::new();
/// for (frame, edit) in cutting.edits().iter().enumerate() {
///     triangles.extend(&edit.add_triangles);
///     cutting.positions(frame, &mut positions); // all vertices of this frame, the added ones included
///     assert!(triangles.as_flattened().iter().all(|&vertex| (vertex as usize) < positions.len()));
/// }
/// # Ok::<(), crumple_scenes::SceneError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Cutting {
    triangles: Vec<[u32; 3]>,
    edits: Vec<Edit>,
    vertices: Vec<Vertex>,
    /// How many of the vertices exist, by frame.
    vertex_counts: Vec<usize>,
    others: Scene,
}

/// Makes experiment CR5 from a sheet of `cells` by `cells` quads; 45 give 4,050 triangles.
///
/// # Errors
///
/// [`SceneError::TooCoarse`] at 0 cells, [`SceneError::TooFine`] beyond 500.
pub fn cutting(cells: u32) -> Result<Cutting, SceneError> {
    check("cells", cells, 1, 500)?;
    let corner = |i: u32| 2.0 * f64::from(i) / f64::from(cells) - 1.0;
    let vertices = (0..=cells)
        .flat_map(|row| (0..=cells).map(move |column| [corner(column), corner(row)]))
        .map(|place| Vertex { place, side: Side::of(place) })
        .collect();
    let ball = Ball { radius: 0.45, centre: [0.0, -0.9, 0.1], drift: [0.0, 0.1, 0.0], seed: 8 };
    let others = with_ball(blade::scene(FRAMES), "ball", ball, 3)?;
    let mut cutting = Cutting {
        // The grid runs in x and y; laid down in x and z it would look down.
        triangles: sheet(cells, cells).into_iter().map(|[a, b, c]| [a, c, b]).collect(),
        edits: Vec::with_capacity(FRAMES),
        vertices,
        vertex_counts: Vec::with_capacity(FRAMES),
        others,
    };
    cutting.cut();
    Ok(cutting)
}

impl Cutting {
    /// The triangles before anything is cut; their numbers are their indices in this list.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// What changes as each frame begins; nothing in frame 0.
    pub fn edits(&self) -> &[Edit] {
        &self.edits
    }

    /// How many frames there are.
    pub fn frame_count(&self) -> usize {
        self.edits.len()
    }

    /// The bodies that keep their triangles: the blade, and the ball the halves fall on.
    pub fn others(&self) -> &Scene {
        &self.others
    }

    /// Writes the positions of every vertex the sheet has in `frame`, those added in it included.
    ///
    /// A frame beyond the last one is the last one.
    pub fn positions(&self, frame: usize, out: &mut Vec<[f32; 3]>) {
        let frame = frame.min(self.edits.len() - 1);
        let vertices = &self.vertices[..self.vertex_counts[frame]];
        out.clear();
        out.extend(vertices.iter().map(|vertex| vertex.position(frame)));
    }

    /// The triangles there are in `frame`, each with its number, ascending.
    pub fn triangles_at(&self, frame: usize) -> Vec<(u32, [u32; 3])> {
        let frame = frame.min(self.edits.len() - 1);
        let mut all: Vec<Option<[u32; 3]>> = self.triangles.iter().copied().map(Some).collect();
        for edit in &self.edits[..=frame] {
            for &number in &edit.remove {
                all[number as usize] = None;
            }
            all.extend(edit.add_triangles.iter().copied().map(Some));
        }
        (0..).zip(all).filter_map(|(number, triangle)| Some((number, triangle?))).collect()
    }

    /// The first frame in which no triangle and no vertex joins the halves any more.
    pub fn parted_at(&self) -> usize {
        PARTED
    }

    /// The numbers of the triangles of each half, from [`parted_at`](Self::parted_at) on.
    pub fn halves(&self) -> [Vec<u32>; 2] {
        let triangles = self.triangles_at(PARTED);
        [Side::Left, Side::Right].map(|side| {
            let on_side = |triangle: &[u32; 3]| self.vertices[triangle[0] as usize].side == side;
            triangles.iter().filter(|(_, triangle)| on_side(triangle)).map(|&(number, _)| number).collect()
        })
    }

    /// The digest of everything: the sheet's triangles and edits, its positions in some frames, the other bodies.
    pub fn digest(&self) -> Digest {
        let mut digest = self.others.digest();
        digest.triangles(&self.triangles);
        for edit in &self.edits {
            digest.bytes(&(edit.remove.len() as u64).to_le_bytes());
            for number in &edit.remove {
                digest.bytes(&number.to_le_bytes());
            }
            digest.positions(&edit.add_vertices);
            digest.triangles(&edit.add_triangles);
        }
        let mut positions = Vec::new();
        for frame in [0, 30, PARTED, FRAMES - 1] {
            self.positions(frame, &mut positions);
            digest.positions(&positions);
        }
        digest
    }

    /// Works out the edits of all frames.
    fn cut(&mut self) {
        // The blade has passed a triangle when it has passed all of it.
        let side = |vertex: u32| self.vertices[vertex as usize].side;
        let mut crossing: Vec<(f64, u32)> = Vec::new();
        for (number, &[a, b, c]) in (0..).zip(&self.triangles) {
            if side(a) != side(b) || side(b) != side(c) {
                let end = [a, b, c].map(|vertex| self.vertices[vertex as usize].place[1]);
                crossing.push((end[0].max(end[1]).max(end[2]), number));
            }
        }
        let mut added = HashMap::new();
        for frame in 0..FRAMES {
            let mut edit = Edit::default();
            let before = self.vertices.len();
            if frame > 0 {
                let passed = |&(end, _): &(f64, u32)| end <= front(frame) && end > front(frame - 1);
                edit.remove = crossing.iter().filter(|at| passed(at)).map(|&(_, number)| number).collect();
            }
            for &number in &edit.remove {
                self.split(self.triangles[number as usize], &mut added, &mut edit.add_triangles);
            }
            edit.add_vertices = self.vertices[before..].iter().map(|vertex| vertex.position(frame)).collect();
            self.edits.push(edit);
            self.vertex_counts.push(self.vertices.len());
        }
    }

    /// Cuts one triangle into three: the corner that is alone on its side, and the two halves of what is left.
    fn split(&mut self, triangle: [u32; 3], added: &mut HashMap<(u32, u32, Side), u32>, parts: &mut Vec<[u32; 3]>) {
        let sides = triangle.map(|vertex| self.vertices[vertex as usize].side);
        let alone = (0..3).find(|&i| sides[i] != sides[(i + 1) % 3] && sides[i] != sides[(i + 2) % 3]).unwrap_or(0);
        let [a, b, c] = [0, 1, 2].map(|i| triangle[(alone + i) % 3]);
        let (near, far) = (sides[alone], sides[(alone + 1) % 3]);
        let [p, q] = [b, c].map(|to| self.on_cut(a, to, near, added));
        parts.push([a, p, q]);
        let [p, q] = [b, c].map(|to| self.on_cut(a, to, far, added));
        parts.extend([[p, b, c], [p, c, q]]);
    }

    /// The vertex where the edge between `a` and `b` meets the cut, on the given side of it.
    fn on_cut(&mut self, a: u32, b: u32, side: Side, added: &mut HashMap<(u32, u32, Side), u32>) -> u32 {
        // One order for both triangles of the edge, so that they compute the same place.
        let (a, b) = (a.min(b), a.max(b));
        *added.entry((a, b, side)).or_insert_with(|| {
            let [from, to] = [a, b].map(|vertex| self.vertices[vertex as usize].place);
            let height = |[x, z]: [f64; 2]| x - SLANT * z - OFFSET;
            let share = height(from) / (height(from) - height(to));
            let [x, z, _] = mix([from[0], from[1], 0.0], [to[0], to[1], 0.0], share);
            self.vertices.push(Vertex { place: [x, z], side });
            (self.vertices.len() - 1) as u32
        })
    }
}

impl Vertex {
    fn position(self, frame: usize) -> [f32; 3] {
        let [x, z] = self.place;
        let time = frame as f64;
        let sign = self.side.sign();
        // Ahead of the blade nothing opens; behind it the edges move aside and sag, most of all at the cut.
        let open = OPENING * smooth_step((front(frame) - z) / 0.8);
        let from_cut = (x - SLANT * z - OFFSET).abs();
        let sag = open / (1.0 + 4.0 * from_cut);
        let wave = 0.03 * libm::sin(3.0 * x + 2.0 * z + 0.15 * time);
        let place = [x + sign * open, wave - sag, z];
        round(fall(place, sign, time - (PARTED as f64)))
    }
}

/// A half that has come loose drops, and its inner edge swings down.
fn fall(place: Vector, sign: f64, time: f64) -> Vector {
    if time <= 0.0 {
        return place;
    }
    let angle = sign * 0.012 * time;
    let (sin, cos) = (libm::sin(angle), libm::cos(angle));
    let middle = 0.5 * sign;
    let (x, y) = (place[0] - middle, place[1]);
    [middle + cos * x - sin * y + sign * 0.002 * time, sin * x + cos * y - 0.5 * GRAVITY * time * time, place[2]]
}
