//! CR5: a sheet is cut by a moving blade, splits in two and falls on a ball; every method against brute force.
//!
//! Each frame takes triangles away, adds others, moves all vertices and asks for every pair, also within the sheet. All
//! of that is timed: *update* is the edit, the positions and whatever a method does about both.

use std::time::Instant;

use anyhow::{Result, ensure};
use crumple::{Body, BodyId, Edit, Mesh, Renumbering, Scene, TriangleId, VertexId};
use crumple_io::report::micros;
use crumple_methods::Method;
use crumple_scenes::{Cutting, cutting};

use crate::experiment::{Findings, Variant};
use crate::measure::Found;
use crate::methods::with_brute_force;
use crate::settings::Settings;
use crate::show::figures::{Cell, Figures};
use crate::show::plot::{Panel, Scale};
use crate::show::summary::median;
use crumple_io::words::{count, counted};

/// Quads along a side of the sheet: 4,050 triangles before it is cut.
const CELLS: u32 = 45;

/// Brute force: the others have to find the same.
const TRUTH: Method = Method::BruteForce;

/// Time of every method over the frames of the cutting.
pub(crate) fn cr5(settings: &Settings) -> Result<Findings> {
    let cutting = cutting(CELLS)?;
    let frames = settings.frames_of(cutting.frame_count())?;
    let variants: Vec<Variant> =
        (with_brute_force().into_iter()).filter(|c| c.method == TRUTH || settings.wants(&c.label)).collect();
    // Brute force goes through the frames once, as the answer; the others as often as was asked for.
    let bar = settings.bar(1 + (variants.len() - 1) * settings.repeat as usize);
    let mut truth: Vec<Found> = Vec::new();
    let mut best: Vec<Vec<[f64; 2]>> = vec![vec![[f64::INFINITY, 0.0]; frames.end]; variants.len()];
    for repetition in 0..settings.repeat {
        for (variant, best) in variants.iter().zip(&mut best) {
            if variant.method == TRUTH && repetition > 0 {
                continue;
            }
            bar.set_message(variant.label.clone());
            let mut run = Run::new(variant.method, &cutting)?;
            for (frame, best) in best.iter_mut().enumerate() {
                let (times, found) = run.frame(frame, &cutting)?;
                if times.iter().sum::<f64>() < best.iter().sum() {
                    *best = times;
                }
                match truth.get(frame) {
                    Some(truth) => {
                        ensure!(found == *truth, "{} differs from {TRUTH} in frame {frame}", variant.label)
                    }
                    None => truth.push(found),
                }
            }
            bar.inc(1);
        }
    }
    bar.finish_and_clear();

    let columns = [
        ("method", "method"),
        ("median update", "update_us"),
        ("median query", "query_us"),
        ("median frame", "median_us"),
        ("worst frame", "worst_us"),
    ];
    let pairs: u64 = truth[frames.clone()].iter().map(Found::pair_count).sum();
    let caption = format!(
        "a sheet of {} triangles is cut ({}): {}, {} in all",
        count(cutting.triangles().len() as u64),
        cutting.digest(),
        counted(frames.len() as u64, "frame"),
        counted(pairs, "pair")
    );
    let mut summary = Figures::new("summary", caption, &columns);
    let columns = [("frame", "frame"), ("method", "method"), ("pairs", "pairs"), ("time", "frame_us")];
    let mut every = Figures::new("frames", "", &columns);
    for (variant, best) in variants.iter().zip(&best) {
        let best = &best[frames.clone()];
        let median_of = |of: fn(&[f64; 2]) -> f64| {
            let mut times: Vec<f64> = best.iter().map(of).collect();
            times.sort_unstable_by(f64::total_cmp);
            median(&times)
        };
        let worst = best.iter().map(|time| time[0] + time[1]).fold(0.0, f64::max);
        let medians = [median_of(|time| time[0]), median_of(|time| time[1]), median_of(|time| time[0] + time[1])];
        let cells = medians.into_iter().chain([worst]).map(Cell::Micros);
        summary.row([Cell::text(&variant.label)].into_iter().chain(cells).collect());
        for (frame, time) in frames.clone().zip(best) {
            let pairs = Cell::Count(truth[frame].pair_count());
            every.row(vec![Cell::count(frame), Cell::text(&variant.label), pairs, Cell::Micros(time[0] + time[1])]);
        }
    }
    let panel = Panel {
        title: "CR5: a sheet is cut and falls".to_owned(),
        x: "frame".to_owned(),
        x_scale: Scale::Linear,
        y: "milliseconds per frame".to_owned(),
        series: every.series(&["method"], "frame", "frame_us", 0.001),
    };
    let remarks = vec![format!("every method finds what {TRUTH} finds in each of these frames")];
    Ok(Findings { tables: vec![summary], details: vec![every], panels: vec![panel], remarks })
}

/// The scene of one method, and the bodies in it.
struct Run {
    scene: Scene,
    /// Whole at first, then two halves, each with the numbers its vertices had in the whole.
    sheets: Vec<(BodyId, Option<Renumbering>)>,
    others: Vec<BodyId>,
}

impl Run {
    fn new(method: Method, cutting: &Cutting) -> Result<Self> {
        let mut scene = method.scene();
        let mut positions = Vec::new();
        cutting.positions(0, &mut positions);
        let mesh = Mesh::new(positions.len(), cutting.triangles().to_vec())?;
        let sheet = scene.add(Body::new(mesh, &positions)?);
        scene.set_self_collision(sheet, true)?;
        let mut others = Vec::new();
        for body in cutting.others().bodies() {
            let mesh = Mesh::new(body.vertex_count(), body.triangles().to_vec())?;
            others.push(scene.add(Body::new(mesh, &body.positions_at(0))?));
        }
        Ok(Self { scene, sheets: vec![(sheet, None)], others })
    }

    /// Goes on to a frame; returns the microseconds of update and query, and what was found.
    fn frame(&mut self, frame: usize, cutting: &Cutting) -> Result<([f64; 2], Found)> {
        // What a simulation would hand over is made before the clock starts.
        let mut positions = Vec::new();
        cutting.positions(frame, &mut positions);
        let whole = self.sheets.iter().all(|(_, numbers)| numbers.is_none());
        let edit = whole.then(|| edit(frame, cutting));
        let [_, right] = if whole && frame >= cutting.parted_at() { cutting.halves() } else { Default::default() };
        let right: Vec<TriangleId> = right.into_iter().map(TriangleId).collect();
        let others: Vec<_> = cutting.others().bodies().iter().map(|body| body.positions_at(frame)).collect();

        let start = Instant::now();
        if let Some(edit) = edit.filter(|edit| *edit != Edit::default()) {
            self.scene.edit(self.sheets[0].0, &edit)?;
        }
        if !right.is_empty() {
            let split = self.scene.split(self.sheets[0].0, &right)?;
            self.sheets = vec![(split.rest, Some(split.rest_numbers)), (split.off, Some(split.off_numbers))];
        }
        for (sheet, numbers) in &self.sheets {
            match numbers {
                None => self.scene.set_positions(*sheet, &positions)?,
                Some(numbers) => {
                    let old = numbers.old_vertices().iter();
                    let own: Vec<_> = old.map(|&VertexId(old)| positions[old as usize]).collect();
                    self.scene.set_positions(*sheet, &own)?;
                }
            }
        }
        for (&id, positions) in self.others.iter().zip(&others) {
            self.scene.set_positions(id, positions)?;
        }
        let frame = self.scene.update()?;
        let updated = Instant::now();
        let contacts = frame.contacts();
        let done = Instant::now();
        Ok(([micros(updated - start), micros(done - updated)], Found::of(contacts)))
    }
}

/// What changes in the sheet as a frame begins.
fn edit(frame: usize, cutting: &Cutting) -> Edit {
    let edit = &cutting.edits()[frame];
    Edit {
        remove: edit.remove.iter().copied().map(TriangleId).collect(),
        add_vertices: edit.add_vertices.clone(),
        add_triangles: edit.add_triangles.iter().map(|corners| corners.map(VertexId)).collect(),
        ..Edit::default()
    }
}
