//! CD1, CD2, CD3: continuous detection over the steps of a scene, from each frame to the next.
//!
//! A step's time is *update* (`set_positions` for all bodies and `Scene::update`) and *query* (`Frame::first_impact` or
//! `Frame::impacts`: boxes over the step, walk, exact tests, the sorted list). As for pairs, every frame is made before the
//! clock starts, the best of several passes counts, and passes of both questions and the floor alternate.
//!
//! The floor is that of pairs: one streaming pass for the boxes of all bodies (those of the start were made a step ago), then
//! a triangle test of one pair of triangles for each impact of the answer, triangles that have the features that meet.

use std::collections::{BTreeMap, HashMap};
use std::hint::black_box;
use std::time::Instant;

use anyhow::{Result, ensure};
use crumple::motion::ImpactKind;
use crumple::{BodyId, FrameImpact, Mesh, Method, Scene, VertexId};
use crumple_io::report::micros;
use indicatif::ProgressBar;

use super::figures::{Cell, Figures};
use super::floor::{self, Now};
use super::own::{Findings, Settings};
use super::plot::{Panel, Scale};
use super::recording::Recording;
use super::summary::median;

pub(super) fn cd1(settings: &Settings) -> Result<Findings> {
    run("CD1", &["LE1"], false, settings)
}

pub(super) fn cd2(settings: &Settings) -> Result<Findings> {
    run("CD2", &["CR1"], true, settings)
}

pub(super) fn cd3(settings: &Settings) -> Result<Findings> {
    run("CD3", &["LE3-spheres", "LE3-arms"], false, settings)
}

/// What is asked about every step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    First,
    All,
}

impl Question {
    const BOTH: [Self; 2] = [Self::First, Self::All];

    fn name(self) -> &'static str {
        match self {
            Self::First => "first impact",
            Self::All => "all impacts",
        }
    }
}

/// Update and query of a step, in microseconds.
type Times = [f64; 2];

/// What became of a scene and a question, step by step.
struct Outcome {
    question: Question,
    best: Vec<Times>,
    floor: Vec<Times>,
}

fn run(name: &'static str, scenes: &[&str], own: bool, settings: &Settings) -> Result<Findings> {
    let mut findings = Findings::default();
    let mut steps = Figures::new(
        "steps",
        "",
        &[
            ("scene", "scene"),
            ("question", "question"),
            ("to frame", "frame"),
            ("impacts", "impacts"),
            ("update", "update_us"),
            ("query", "query_us"),
            ("both", "step_us"),
            ("floor", "floor_us"),
        ],
    );
    for &scene in scenes {
        let scene = crumple_scenes::by_name(scene)?;
        let frames = settings.frames_of(scene.frame_count())?;
        ensure!(frames.len() > 1, "a step needs two frames");
        let bar = settings.bar(3 * settings.repeat as usize);
        bar.set_message(format!("{}: making every frame", scene.name()));
        bar.tick();
        let recording = Recording::of(&scene, frames)?;
        let (found, outcomes) = measure(&recording, own, settings, &bar)?;
        bar.finish_and_clear();
        for outcome in &outcomes {
            for (at, (best, floor)) in outcome.best.iter().zip(&outcome.floor).enumerate() {
                steps.row(vec![
                    Cell::text(&recording.scene),
                    Cell::text(outcome.question.name()),
                    Cell::Count(recording.number(at + 1)),
                    Cell::count(found[at].len()),
                    Cell::Micros(best[0]),
                    Cell::Micros(best[1]),
                    Cell::Micros(total(best)),
                    Cell::Micros(total(floor)),
                ]);
            }
        }
        findings.tables.push(summary(&recording, &found, &outcomes));
    }
    findings.panels.push(Panel {
        title: format!("{name}: impacts of every step"),
        x: "frame the step leads to".to_owned(),
        x_scale: Scale::Linear,
        y: "milliseconds, update and query".to_owned(),
        series: steps.series(&["scene", "question"], "frame", "step_us", 0.001),
    });
    findings.details.push(steps);
    Ok(findings)
}

/// All impacts of every step, and the times of both questions.
fn measure(
    recording: &Recording,
    own: bool,
    settings: &Settings,
    bar: &ProgressBar,
) -> Result<(Vec<Vec<FrameImpact>>, Vec<Outcome>)> {
    let steps = recording.len() - 1;
    let never = || vec![[f64::INFINITY, 0.0]; steps];
    let (mut scene, ids) = recording.stage(Method::default(), 0)?;
    for &id in &ids {
        scene.set_self_collision(id, own)?;
    }
    let mut outcomes = Question::BOTH.map(|question| Outcome { question, best: never(), floor: never() });
    let mut caller: Vec<Vec<[f32; 3]>> = ids.iter().map(|_| Vec::new()).collect();
    let mut found: Vec<Vec<FrameImpact>> = vec![Vec::new(); steps];
    // What the floor confirms, in the order of the questions.
    let mut known: [Vec<FloorPairs>; 2] = Default::default();
    for pass in 0..settings.repeat {
        // All impacts first: what the other question finds must be the first of them.
        for outcome in outcomes.iter_mut().rev() {
            let question = outcome.question;
            bar.set_message(format!("{}: {}", recording.scene, question.name()));
            begin(&mut scene, &ids, recording)?;
            for (at, best) in outcome.best.iter_mut().enumerate() {
                fill(&mut caller, recording.frame(at + 1));
                let start = Instant::now();
                for (&id, positions) in ids.iter().zip(&caller) {
                    scene.set_positions(id, positions)?;
                }
                let frame = scene.update()?;
                let updated = Instant::now();
                let impacts = match question {
                    Question::First => frame.first_impact().map(std::slice::from_ref).unwrap_or_default(),
                    Question::All => frame.impacts(),
                };
                let done = Instant::now();
                keep_best(best, [micros(updated - start), micros(done - updated)]);
                match question {
                    Question::All if pass == 0 => found[at] = impacts.to_vec(),
                    Question::All => ensure!(impacts == found[at], "another pass found other impacts"),
                    Question::First => {
                        ensure!(impacts.first() == found[at].first(), "the first impact is not the first of all");
                    }
                }
            }
            bar.inc(1);
        }
        if pass == 0 {
            let triangles: Vec<Triangles> = recording.meshes().iter().map(|mesh| Triangles::new(mesh)).collect();
            let pairs = |impacts: &[FrameImpact]| floor_pairs(impacts, &ids, &triangles);
            known[0] = found.iter().map(|impacts| pairs(&impacts[..impacts.len().min(1)])).collect();
            known[1] = found.iter().map(|impacts| pairs(impacts)).collect();
        }
        for (outcome, known) in outcomes.iter_mut().zip(&known) {
            floor_pass(recording, known, &mut outcome.floor, &mut caller);
        }
        bar.inc(1);
    }
    Ok((found, outcomes.into()))
}

/// Brings the bodies to the first frame, where they rest for a step, and lets the trees be made while no clock runs.
fn begin(scene: &mut Scene, ids: &[BodyId], recording: &Recording) -> Result<()> {
    for _ in 0..2 {
        for (&id, positions) in ids.iter().zip(recording.frame(0)) {
            scene.set_positions(id, positions)?;
        }
        scene.update()?;
    }
    scene.update()?.first_impact();
    Ok(())
}

/// The pairs the floor tests for a step, by bodies.
type FloorPairs = Vec<(usize, usize, Vec<[u32; 2]>)>;

fn floor_pass(recording: &Recording, pairs: &[FloorPairs], best: &mut [Times], caller: &mut [Vec<[f32; 3]>]) {
    let mut boxes = Vec::new();
    for (at, (pairs, best)) in pairs.iter().zip(best).enumerate() {
        fill(caller, recording.frame(at + 1));
        let now = |body: usize| Now { triangles: recording.meshes()[body].triangles(), positions: &caller[body] };
        let start = Instant::now();
        floor::boxes(caller, &mut boxes);
        let updated = Instant::now();
        for (a, b, pairs) in pairs {
            black_box(floor::test_pairs(now(*a), now(*b), pairs));
        }
        let done = Instant::now();
        keep_best(best, [micros(updated - start), micros(done - updated)]);
    }
}

/// A triangle for every vertex and edge of a body.
struct Triangles {
    of_vertex: Vec<u32>,
    of_edge: HashMap<[u32; 2], u32>,
}

impl Triangles {
    fn new(mesh: &Mesh) -> Self {
        let mut of_vertex = vec![0; mesh.vertex_count()];
        let mut of_edge = HashMap::new();
        for (number, &[a, b, c]) in (0..).zip(mesh.triangles()) {
            for vertex in [a, b, c] {
                of_vertex[vertex as usize] = number;
            }
            for (p, q) in [(a, b), (b, c), (c, a)] {
                of_edge.insert([p.min(q), p.max(q)], number);
            }
        }
        Self { of_vertex, of_edge }
    }

    fn with_vertex(&self, vertex: VertexId) -> u32 {
        self.of_vertex[vertex.index()]
    }

    fn with_edge(&self, edge: [VertexId; 2]) -> u32 {
        self.of_edge.get(&edge.map(|vertex| vertex.0)).copied().unwrap_or_default()
    }
}

/// For each two bodies, a pair of triangles for each of their impacts.
fn floor_pairs(impacts: &[FrameImpact], ids: &[BodyId], triangles: &[Triangles]) -> FloorPairs {
    let mut all: BTreeMap<(usize, usize), Vec<[u32; 2]>> = BTreeMap::new();
    for impact in impacts {
        let [a, b] = [impact.a, impact.b].map(|id| ids.iter().position(|&other| other == id).unwrap_or_default());
        let (of_a, of_b) = (&triangles[a], &triangles[b]);
        let pair = match impact.kind {
            ImpactKind::Already { pair } => [pair.a.0, pair.b.0],
            ImpactKind::VertexFace { vertex, triangle, vertex_of_b: false } => [of_a.with_vertex(vertex), triangle.0],
            ImpactKind::VertexFace { vertex, triangle, vertex_of_b: true } => [triangle.0, of_b.with_vertex(vertex)],
            ImpactKind::EdgeEdge { edge_a, edge_b } => [of_a.with_edge(edge_a), of_b.with_edge(edge_b)],
            _ => continue,
        };
        all.entry((a, b)).or_default().push(pair);
    }
    all.into_iter().map(|((a, b), pairs)| (a, b, pairs)).collect()
}

fn summary(recording: &Recording, found: &[Vec<FrameImpact>], outcomes: &[Outcome]) -> Figures {
    let first = found.iter().position(|impacts| !impacts.is_empty());
    let count: usize = found.iter().map(Vec::len).sum();
    let contact = match first {
        Some(at) => format!("first impact between frames {} and {}", recording.number(at), recording.number(at + 1)),
        None => "no impacts".to_owned(),
    };
    let caption = format!(
        "{} ({}): {} steps, {count} impacts in all, {} in the last step, {contact}",
        recording.scene,
        recording.digest,
        found.len(),
        found.last().map_or(0, Vec::len),
    );
    let mut figures = Figures::new(
        "summary",
        caption,
        &[
            ("question", "question"),
            ("apart", "apart_us"),
            ("first contact", "first_contact_us"),
            ("median", "median_us"),
            ("last", "last_us"),
            ("worst", "worst_us"),
            ("apart / floor", "apart_ratio_to_floor"),
            ("median / floor", "ratio_to_floor"),
            ("last / floor", "last_ratio_to_floor"),
        ],
    );
    for outcome in outcomes {
        let [ours, floor] = [&outcome.best, &outcome.floor].map(|times| Summary::of(times, first));
        let name = outcome.question.name();
        for (label, times) in [(name.to_owned(), &ours), (format!("floor of {name}"), &floor)] {
            let mut row = vec![Cell::text(label)];
            row.extend([times.apart, times.first, Some(times.median), times.last, times.worst].map(microseconds));
            let ratio = |time: Option<f64>, floor: Option<f64>| {
                time.zip(floor).map_or(Cell::Nothing, |(time, floor)| Cell::Ratio(time / floor))
            };
            row.push(ratio(times.apart, floor.apart));
            row.push(ratio(Some(times.median), Some(floor.median)));
            row.push(ratio(times.last, floor.last));
            figures.row(row);
        }
    }
    figures
}

/// Times of whole steps.
struct Summary {
    /// The median of the steps before the first impact.
    apart: Option<f64>,
    /// The first step with an impact.
    first: Option<f64>,
    median: f64,
    last: Option<f64>,
    worst: Option<f64>,
}

impl Summary {
    fn of(times: &[Times], first: Option<usize>) -> Self {
        let totals: Vec<f64> = times.iter().map(total).collect();
        let middle = |of: &[f64]| {
            let mut sorted = of.to_vec();
            sorted.sort_by(f64::total_cmp);
            median(&sorted)
        };
        let apart = &totals[..first.unwrap_or(totals.len())];
        Self {
            apart: (!apart.is_empty()).then(|| middle(apart)),
            first: first.map(|at| totals[at]),
            median: middle(&totals),
            last: totals.last().copied(),
            worst: totals.iter().copied().max_by(f64::total_cmp),
        }
    }
}

fn microseconds(time: Option<f64>) -> Cell {
    time.map_or(Cell::Nothing, Cell::Micros)
}

fn total(times: &Times) -> f64 {
    times[0] + times[1]
}

fn keep_best(best: &mut Times, times: Times) {
    if total(&times) < total(best) {
        *best = times;
    }
}

/// The caller's own buffers, as a simulation would have written them just now.
fn fill(caller: &mut [Vec<[f32; 3]>], positions: &[Vec<[f32; 3]>]) {
    for (buffer, positions) in caller.iter_mut().zip(positions) {
        buffer.clone_from(positions);
    }
    black_box(caller);
}
