//! GE2: two bodies stand still, deep in each other, while their triangles are taken away at random.
//!
//! Paper: Hatab & Kheddar 2006, section 6, figures 3 and 4: nothing has to be updated when a triangle goes, so the time
//! falls with the triangles that are left. Beside GJK with the cut, every other method is measured too; the
//! update of a method that keeps a tree is what the change costs it.

use std::time::Instant;

use anyhow::{Result, ensure};
use crumple::{Body, BodyId, Edit, Mesh, Scene, TriangleId};
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

/// In so many equal steps everything is taken away.
const STEPS: usize = 20;

/// Every so many steps are shown to people.
const SHOWN: usize = 5;

/// In which order, for each of the two bodies.
const SEEDS: [u64; 2] = [11, 12];

/// Time over the triangles that are left.
pub(crate) fn ge2(settings: &Settings) -> Result<Findings> {
    let scene = match settings.data {
        Some(_) => crumple_scenes::deep("deep cows", settings.shape(COW)?),
        None => crumple_scenes::by_name("GE2")?,
    };
    let steps = settings.frames_of(STEPS + 1)?;
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
        ("triangles left", "triangles"),
        ("pairs", "pairs"),
        ("method", "method"),
        ("update", "update_us"),
        ("query", "query_us"),
        ("both", "frame_us"),
    ];
    let caption = format!("{} ({}): time per frame after each removal", scene.name(), scene.digest());
    let mut figures = Figures::new("removal", caption, &columns);
    let mut every = Figures::new("removal-steps", "", &columns);
    for step in steps.clone() {
        for run in &runs {
            let [update, query] = run.best[step];
            let cells = vec![
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
    let panel = Panel {
        title: "GE2: time per frame after each removal".to_owned(),
        x: "triangles left in both bodies".to_owned(),
        x_scale: Scale::Linear,
        y: "milliseconds, update and query".to_owned(),
        series: every.series(&["method"], "triangles", "frame_us", 0.001),
    };
    let remarks = remarks(&runs, steps.start, triangles, &found);
    Ok(Findings { tables: vec![figures], details: vec![every], panels: vec![panel], remarks })
}

/// How many of `count` triangles are gone after so many steps.
fn removed(count: usize, step: usize) -> usize {
    count * step / STEPS
}

fn remarks(runs: &[Run], first: usize, triangles: usize, found: &[Found]) -> Vec<String> {
    let mut remarks = vec![format!(
        "{} pairs at first (paper: 258); every method finds the same pairs after every removal",
        count(found[first].pair_count())
    )];
    // From the first frame in which something went: before it, those with a tree have nothing to build.
    let first = first.max(1);
    let half = first.max(STEPS / 2);
    for run in runs.iter().filter(|run| run.best.len() > half) {
        let all = |step: usize| run.best[step].iter().sum::<f64>();
        remarks.push(format!(
            "{}: with {} triangles left a frame takes {} the time it took with {} (paper: falls steadily)",
            run.variant.label,
            count((triangles - removed(triangles, half)) as u64),
            ratio(all(half) / all(first)),
            count((triangles - removed(triangles, first)) as u64)
        ));
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

    /// Takes the triangles away step by step, up to the step before `end`.
    fn pass(&mut self, bodies: &crumple_scenes::Scene, end: usize, found: &mut Vec<Found>) -> Result<()> {
        let mut scene = Scene::new(self.variant.method);
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
                if !edit.remove.is_empty() {
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

/// What goes in a step; nothing in the first.
fn edit(order: &[u32], step: usize) -> Edit {
    let from = removed(order.len(), step.saturating_sub(1));
    let remove = order[from..removed(order.len(), step)].iter().copied().map(TriangleId).collect();
    Edit { remove, ..Edit::default() }
}
