//! GE2: two bodies stand still, deep in each other, while their triangles are taken away at random and then added again.
//!
//! Paper: Hatab & Kheddar 2006, section 6, figures 3 and 4: nothing has to be updated when a triangle goes, so the time
//! falls with the triangles that are left, with fluctuations, since other triangles make other cuts; adding is said to be the
//! inverse. Beside GJK with the cut, every other method is measured too; the update of a method that keeps a tree is what the
//! change costs it.

use std::time::Instant;

use anyhow::{Result, ensure};
use crumple::{Body, BodyId, Edit, Mesh, TriangleId};
use crumple_io::report::micros;
use crumple_scenes::removal_order;

use crate::catalogue::COW;
use crate::experiment::{Findings, Variant};
use crate::measure::Found;
use crate::methods::methods;
use crate::settings::Settings;
use crate::show::figures::{Cell, Figures};
use crate::show::plot::{Panel, Scale};
use crumple_io::words::{count, ratio};

/// In so many equal steps everything is taken away, and in as many added again: as many points as the paper's curve seems to
/// have.
const STEPS: usize = 100;

/// Every so many steps are shown to people.
const SHOWN: usize = 25;

/// In which order, for each of the two bodies.
const SEEDS: [u64; 2] = [11, 12];

/// Time over the triangles that are left.
pub(crate) fn ge2(settings: &Settings) -> Result<Findings> {
    let scene = match settings.data {
        Some(_) => crumple_scenes::deep("deep cows", settings.shape(COW)?),
        None => crumple_scenes::by_name("GE2")?,
    };
    let steps = settings.frames_of(2 * STEPS + 1)?;
    let mut runs: Vec<Run> =
        methods().into_iter().filter(|method| settings.wants(&method.label)).map(Run::new).collect();
    let bar = settings.bar(runs.len() * settings.repeat as usize);
    let mut found: Vec<Found> = Vec::new();
    for _ in 0..settings.repeat {
        for run in &mut runs {
            bar.set_message(run.variant.label.clone());
            run.pass(&scene, steps.end, &mut found)?;
            bar.inc(1);
        }
    }
    bar.finish_and_clear();

    let triangles: usize = scene.bodies().iter().map(|body| body.triangles().len()).sum();
    let columns = [
        ("triangles are", "change"),
        ("triangles left", "triangles"),
        ("pairs", "pairs"),
        ("method", "method"),
        ("update", "update_us"),
        ("query", "query_us"),
        ("both", "frame_us"),
    ];
    let caption = format!("{} ({}): time per frame after each change", scene.name(), scene.digest());
    let mut figures = Figures::new("removal", caption, &columns);
    let mut every = Figures::new("removal-steps", "", &columns);
    for step in steps.clone() {
        for run in &runs {
            let [update, query] = run.best[step];
            let cells = vec![
                Cell::text(change(step)),
                Cell::count(triangles - removed(triangles, step)),
                Cell::Count(found[step].pair_count()),
                Cell::text(&run.variant.label),
                Cell::Micros(update),
                Cell::Micros(query),
                Cell::Micros(update + query),
            ];
            if step % SHOWN == 0 {
                figures.row(cells.clone());
            }
            every.row(cells);
        }
    }
    let mut series = every.series(&["method", "change"], "triangles", "frame_us", 0.001);
    for line in &mut series {
        // Triangles that are added come from none to all: from the left to the right, as the axis does.
        line.points.sort_by(|one, other| one.0.total_cmp(&other.0));
    }
    let panel = Panel {
        title: "GE2: time per frame after each change".to_owned(),
        x: "triangles left in both bodies".to_owned(),
        x_scale: Scale::Linear,
        y: "milliseconds, update and query".to_owned(),
        series,
    };
    let remarks = remarks(&runs, steps.start, triangles, &found);
    Ok(Findings { tables: vec![figures], details: vec![every], panels: vec![panel], remarks })
}

/// How many of `count` triangles are gone after so many steps.
fn removed(count: usize, step: usize) -> usize {
    count * step.min(2 * STEPS - step) / STEPS
}

/// What happens in a step.
fn change(step: usize) -> &'static str {
    if step <= STEPS { "removed" } else { "added" }
}

fn remarks(runs: &[Run], first: usize, triangles: usize, found: &[Found]) -> Vec<String> {
    let mut remarks = vec![format!(
        "{} pairs at first (paper: 258); every method finds the same pairs after every removal and every addition",
        count(found[first].pair_count())
    )];
    // From the first frame in which something went: before it, those with a tree have nothing to build.
    let first = first.max(1);
    for Run { variant, best } in runs {
        let time = |step: usize| best[step].iter().sum::<f64>();
        let (half, end) = (first.max(STEPS / 2), best.len());
        if half < end {
            let left = |step: usize| count((triangles - removed(triangles, step)) as u64);
            remarks.push(format!(
                "{}: with {} triangles left a frame takes {} the time it took with {} (paper: falls, with fluctuations)",
                variant.label,
                left(half),
                ratio(time(half) / time(first)),
                left(first)
            ));
        }
        let removals = first + 1..end.min(STEPS + 1);
        let rises = removals.clone().filter(|&step| time(step) > 1.02 * time(step - 1)).count();
        let most = removals.clone().map(|step| time(step) / time(step - 1)).fold(0.0, f64::max);
        if !removals.is_empty() {
            remarks.push(format!(
                "{}: after {rises} of {} removals a frame takes over 2 % longer than before it, at most {} as long",
                variant.label,
                removals.len(),
                ratio(most)
            ));
        }
        // The same triangles after a removal and after an addition.
        let both: Vec<usize> = (first..STEPS).filter(|step| 2 * STEPS - step < end).collect();
        if !both.is_empty() {
            let sum = |steps: &mut dyn Iterator<Item = usize>| steps.map(time).sum::<f64>();
            let adding = sum(&mut both.iter().map(|step| 2 * STEPS - step)) / sum(&mut both.iter().copied());
            remarks.push(format!(
                "{}: adding takes {} the time of removing over all steps (paper: almost the inverse)",
                variant.label,
                ratio(adding)
            ));
        }
    }
    remarks
}

/// A method and its best times: update and query of every step.
struct Run {
    variant: Variant,
    best: Vec<[f64; 2]>,
}

impl Run {
    fn new(variant: Variant) -> Self {
        Self { variant, best: Vec::new() }
    }

    /// Takes the triangles away step by step and adds them again, up to the step before `end`.
    fn pass(&mut self, bodies: &crumple_scenes::Scene, end: usize, found: &mut Vec<Found>) -> Result<()> {
        let mut scene = self.variant.method.scene();
        let mut removals: Vec<(BodyId, Vec<u32>)> = Vec::new();
        for (body, seed) in bodies.bodies().iter().zip(SEEDS) {
            let mesh = Mesh::new(body.vertex_count(), body.triangles().to_vec())?;
            let id = scene.add(Body::new(mesh, &body.positions_at(0))?);
            removals.push((id, removal_order(body.triangles().len() as u32, seed)));
        }
        let positions: Vec<_> = bodies.bodies().iter().map(|body| body.positions_at(0)).collect();
        // Trees are built here, before any clock runs.
        scene.update()?.contacts();
        self.best.resize(end, [f64::INFINITY, 0.0]);
        for step in 0..end {
            let edits: Vec<(BodyId, Edit)> = removals.iter().map(|(id, order)| (*id, edit(order, step))).collect();
            let start = Instant::now();
            for ((id, edit), positions) in edits.iter().zip(&positions) {
                if *edit != Edit::default() {
                    scene.edit(*id, edit)?;
                }
                // They stand still, but a simulation would pass their positions in every frame.
                scene.set_positions(*id, positions)?;
            }
            let frame = scene.update()?;
            let updated = Instant::now();
            let contacts = frame.contacts();
            let done = Instant::now();
            let times = [micros(updated - start), micros(done - updated)];
            if times.iter().sum::<f64>() < self.best[step].iter().sum() {
                self.best[step] = times;
            }
            let theirs = Found::of(contacts);
            match found.get(step) {
                Some(found) => {
                    ensure!(theirs == *found, "{} disagrees with the others in step {step}", self.variant.label);
                }
                None => found.push(theirs),
            }
        }
        Ok(())
    }
}

/// What goes or comes in a step; nothing in the first.
fn edit(order: &[u32], step: usize) -> Edit {
    let (before, now) = (removed(order.len(), step.saturating_sub(1)), removed(order.len(), step));
    let numbers = |from: usize, to: usize| order[from..to].iter().copied().map(TriangleId).collect();
    if before <= now {
        Edit { remove: numbers(before, now), ..Edit::default() }
    } else {
        Edit { restore: numbers(now, before), ..Edit::default() }
    }
}
