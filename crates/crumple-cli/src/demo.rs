//! `crumple demo`: two bumpy spheres collide, by every method there is.

mod page;
mod volumes;

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use anyhow::{Context, Result};
use crumple::Method;

use crate::args::DemoArgs;
use crate::bench::experiments::{self, Contestant, Question};
use crate::bench::recording::Recording;
use crate::bench::run::{self, Outcome};
use crate::bench::summary::Summaries;
use crate::bench::{self, plot, view};
use crate::frames::{self, FrameRange};
use crate::out::{Answer, Destination, Verdict};
use crate::table::{Align, Table, count, counted, time};
use crate::{progress, threads};

const SCENE: &str = "LE1";
const PLOT: &str = "crumple-demo.svg";
const PAGE: &str = "crumple-demo.html";

/// Passes over the frames: enough for a steady figure, few enough to be done soon.
const REPEAT: u32 = 2;

/// Brute force takes seconds a frame: it looks at this many.
const FRAMES_CHECKED: usize = 3;

/// What to show, with everything about it known to be right.
struct Plan {
    contestants: Vec<Contestant>,
    frames: Option<FrameRange>,
    plot: Destination,
    page: File,
    quiet: bool,
}

pub(crate) fn run(args: DemoArgs) -> Result<Verdict> {
    let plot = Destination::create(Path::new(PLOT))?;
    let contestants = experiments::methods();
    let page = File::create(PAGE).with_context(|| format!("{PAGE}: cannot be written"))?;
    let plan = Plan { contestants, frames: args.frames, plot, page, quiet: args.quiet };
    threads::within(Some(threads::ONE), || show(plan))
}

fn show(mut plan: Plan) -> Result<Verdict> {
    let scene = crumple_scenes::by_name(SCENE)?;
    let frames = frames::chosen(plan.frames, scene.frame_count())?;
    let bar = progress::bar(run::steps(plan.contestants.len(), REPEAT) + FRAMES_CHECKED, plan.quiet);
    bar.set_message("making every frame");
    bar.tick();
    let recording = Recording::of(&scene, frames)?;
    let outcome = run::run(recording, Question::AllPairs, &plan.contestants, REPEAT, &bar)?;
    let checked = frames_to_check(&outcome);
    run::check_by_brute_force(&outcome, &checked, &bar)?;
    bar.finish_and_clear();

    let summaries = Summaries::of(SCENE, Question::AllPairs, &outcome);
    plan.plot.write(&plot::draw(&[view::frames_panel(view::caption(&summaries), &outcome)])?)?;
    page::write(BufWriter::new(plan.page), &scene, &outcome, brief(&summaries)).context(PAGE)?;
    tell(&outcome, &summaries, &checked)
}

fn tell(outcome: &Outcome, summaries: &Summaries, checked: &[usize]) -> Result<Verdict> {
    let mut answer = Answer::new();
    let in_last = outcome.found.last().map_or(0, |found| found.pair_count());
    answer.line(format_args!(
        "Two bumpy spheres of {} triangles deform and move into each other: {} in the last frame.",
        count(summaries.triangles),
        counted(in_last, "pair")
    ))?;
    answer.line(format_args!("{}\n", view::caption(summaries)))?;
    answer.line(view::methods(summaries))?;
    let frames: Vec<String> = checked.iter().map(|&at| outcome.recording.number(at).to_string()).collect();
    answer.line(format_args!(
        "All methods found the same pairs in every frame; {} agrees in frame {}.",
        Method::BruteForce,
        frames.join(", ")
    ))?;
    answer.line(volumes::told(&outcome.recording)?)?;
    answer
        .line(format_args!("{PAGE} shows the spheres in motion, with what collides in red: open it in a browser."))?;
    answer.line(format_args!("{PLOT} shows the time of every frame.\n"))?;
    answer.line("What to try next (without installing: `cargo run --release --` in place of `crumple`):")?;
    answer.line(format_args!("  crumple scene {SCENE} --out spheres"))?;
    let files = ["sphere-a", "sphere-b"].map(|name| format!("spheres/{name}.ply@spheres/{name}.pc2"));
    answer.line(format_args!("  crumple check {} --html spheres.html", files.join(" ")))?;
    answer.line(format_args!("  crumple volume {}", files.join(" ")))?;
    let names: Vec<&str> = bench::names().collect();
    answer.line(format_args!("  crumple bench {}", names.join(" ")))?;
    answer.finish()?;
    Ok(Verdict::Done)
}

/// A table of the methods that fits beside the picture.
fn brief(summaries: &Summaries) -> String {
    let mut table = Table::new(&[("method", Align::Left), ("median", Align::Right), ("last", Align::Right)]);
    for summary in &summaries.methods {
        table.row(vec![summary.method.clone(), time(summary.median_us), time(summary.last_us)]);
    }
    format!("Time a frame by every method:\n\n{table:#}")
}

/// The first frame with a contact, the last frame, and one in between.
fn frames_to_check(outcome: &Outcome) -> Vec<usize> {
    let last = outcome.found.len() - 1;
    let first = outcome.found.iter().position(|found| found.pair_count() > 0).unwrap_or(0);
    let mut frames: Vec<usize> =
        (0..FRAMES_CHECKED).map(|i| first + (last - first) * i / (FRAMES_CHECKED - 1)).collect();
    frames.dedup();
    frames
}
