//! `crumple demo`: two bumpy spheres collide, by every method there is; and a soft block comes to rest on another.

mod blocks;
mod page;
mod soft;
mod volumes;

use std::path::Path;

use anyhow::{Context, Result};
use crumple_methods::Method;

use crumple_bench::measure::{Outcome, Recording, passes};
use crumple_bench::show::{Summaries, plot, tables};
use crumple_bench::{Question, Variant};
use crumple_io::FrameRange;
use crumple_io::words::{Align, Table, count, counted, time};
use crumple_io::write::PLAYGROUND;

use crate::args::DemoArgs;
use crate::output::{Destination, FilesInUse, Verdict, progress, stdout};
use crumple_check::threads;

const SCENE: &str = "LE1";
const PLOT: &str = "crumple-demo.svg";
const PAGE: &str = "crumple-demo.html";
const LIVE: &str = "crumple-live.html";
const BLOCKS: &str = "crumple-blocks.html";

/// Passes over the frames: enough for a steady figure, few enough to be done soon.
const REPEAT: u32 = 2;

/// Brute force takes seconds per frame: it checks this many.
const FRAMES_CHECKED: usize = 3;

/// What to show, checked.
struct Plan {
    variants: Vec<Variant>,
    frames: Option<FrameRange>,
    plot: Destination,
    page: Destination,
    blocks: Destination,
    quiet: bool,
}

pub(crate) fn run(args: DemoArgs) -> Result<Verdict> {
    if args.live {
        return write_live();
    }
    let (plot, page, blocks) = (Path::new(PLOT), Path::new(PAGE), Path::new(BLOCKS));
    let mut in_use = FilesInUse::new();
    in_use.write("the plot", plot)?;
    in_use.write("the page", page)?;
    in_use.write("the page", blocks)?;
    let (plot, page) = (Destination::create(plot)?, Destination::create(page)?);
    let blocks = Destination::create(blocks)?;
    let variants = crumple_bench::methods();
    let plan = Plan { variants, frames: args.frames, plot, page, blocks, quiet: args.quiet };
    threads::within(Some(threads::ONE), || show(plan))
}

/// Writes the page that collides by itself.
fn write_live() -> Result<Verdict> {
    let page = Path::new(LIVE);
    let mut in_use = FilesInUse::new();
    in_use.write("the page", page)?;
    Destination::create(page)?.write(PLAYGROUND)?;
    let mut answer = stdout();
    answer.line(format_args!(
        "{LIVE} simulates a cloth and soft balls: open it in a browser, drag them, cut the cloth, or drop a glTF file on it."
    ))?;
    answer.finish()?;
    Ok(Verdict::Done)
}

fn show(plan: Plan) -> Result<Verdict> {
    let scene = crumple_scenes::by_name(SCENE)?;
    let frames = FrameRange::chosen(plan.frames, scene.frame_count())?;
    let bar = progress::unless(plan.quiet, passes::steps(plan.variants.len(), REPEAT) + FRAMES_CHECKED);
    bar.set_message("making every frame");
    bar.tick();
    let recording = Recording::of(&scene, frames)?;
    let outcome = passes::run(recording, Question::AllPairs, &plan.variants, REPEAT, &bar)?;
    let checked = frames_to_check(&outcome);
    passes::check_by_brute_force(&outcome, &checked, &bar)?;
    bar.finish_and_clear();

    let summaries = Summaries::of(SCENE, Question::AllPairs, &outcome);
    plan.plot.write(&plot::draw(&[tables::frames_panel(tables::caption(&summaries), &outcome)])?)?;
    page::write(plan.page.into_file(), &scene, &outcome, brief(&summaries))
        .and_then(|file| Ok(file.finish()?))
        .context(PAGE)?;
    let (file, blocks) = blocks::write(plan.blocks.into_file()).context(BLOCKS)?;
    file.finish().context(BLOCKS)?;
    print(&outcome, &summaries, &checked, &blocks.sentence(BLOCKS))
}

fn print(outcome: &Outcome, summaries: &Summaries, checked: &[usize], blocks: &str) -> Result<Verdict> {
    let mut answer = stdout();
    let in_last = outcome.found.last().map_or(0, |found| found.pair_count());
    answer.line(format_args!(
        "Two bumpy spheres of {} triangles deform and move into each other: {} in the last frame.",
        count(summaries.triangles),
        counted(in_last, "pair")
    ))?;
    answer.line(format_args!("{}\n", tables::caption(summaries)))?;
    answer.table(&tables::methods(summaries))?;
    answer.line("")?;
    let frames: Vec<String> = checked.iter().map(|&at| outcome.recording.number(at).to_string()).collect();
    answer.line(format_args!(
        "All methods found the same pairs in every frame; {} agrees in frame {}.",
        Method::BruteForce,
        frames.join(", ")
    ))?;
    answer.line(volumes::sentence(&outcome.recording)?)?;
    answer
        .line(format_args!("{PAGE} shows the spheres in motion, with what collides in red: open it in a browser."))?;
    answer.line(blocks)?;
    answer.line(format_args!("{PLOT} shows the time of every frame.\n"))?;
    answer.line("What to try next (without installing: `cargo run --release --` in place of `crumple`):")?;
    answer.line(format_args!("  crumple scene {SCENE} --out spheres"))?;
    let files = ["sphere-a", "sphere-b"].map(|name| format!("spheres/{name}.ply@spheres/{name}.pc2"));
    answer.line(format_args!("  crumple check {} --html spheres.html", files.join(" ")))?;
    answer.line(format_args!("  crumple volume --exact {} --html overlap.html", files.join(" ")))?;
    answer.line("  crumple demo --live")?;
    answer.line("  crumple bench --list")?;
    answer.finish()?;
    Ok(Verdict::Done)
}

/// A table of the methods that fits beside the picture.
fn brief(summaries: &Summaries) -> String {
    let mut table = Table::new(&[("method", Align::Left), ("median", Align::Right), ("last", Align::Right)]);
    for summary in &summaries.methods {
        table.row(vec![summary.method.clone(), time(summary.median_us), time(summary.last_us)]);
    }
    format!("Time per frame by every method:\n\n{table}")
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
