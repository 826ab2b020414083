//! The arguments of every subcommand; each turns its own into one checked struct before it does any work.

mod complaint;
mod config;
mod gpu;

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{ArgGroup, Args, CommandFactory, Parser, Subcommand};
use crumple_check::{MotionOptions, Options, OutputFormat, ReadingOptions, threads};
use crumple_io::FrameRange;
use crumple_ldi::Resolution;

use crate::output;
use complaint::Complaint;
pub(crate) use gpu::{GpuArgs, Path};

/// Collision detection for bodies that deform: which triangles meet, frame by frame, exactly.
#[derive(Debug, Parser)]
#[command(name = "crumple", version, arg_required_else_help = true, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
Exit codes: 0 nothing collides, or the work is done; 1 check found a collision, diff something new or worse, or a value is
above --fail-above; 2 bad usage or input; 130 interrupted.
Options can stand in a file crumple.toml beside the input or above it: [check], then self = true.
Files are written under another name and renamed when complete; none may overwrite an input or another output.
Set NO_COLOR to any value to switch colours off.";

/// A subcommand and its arguments.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Collide two bumpy spheres, and drop a soft block: a table of all methods, a plot, and pages to look at.
    Demo(DemoArgs),
    /// List every colliding pair of triangles, frame by frame.
    Check(Box<CheckArgs>),
    /// Measure how much two bodies overlap, frame by frame: sampled by depth images, or exactly.
    Volume(VolumeArgs),
    /// Find which points are inside a body, frame by frame.
    Inside(InsideArgs),
    /// Measure how far apart two bodies are, frame by frame, and where they are nearest.
    Distance(DistanceArgs),
    /// Describe files: bodies, triangles, frames, and whether surfaces are closed.
    Info(InfoArgs),
    /// Repeat a paper's experiment, or one of our own.
    Bench(BenchArgs),
    /// Write a built-in scene as files other programs can read.
    Scene(SceneArgs),
    /// Compare two JSON reports of check: what is new, worse, better or gone.
    Diff(DiffArgs),
    /// Join JSON reports of parts of an animation, made with --frames elsewhere.
    Merge(MergeArgs),
    /// Print completions for a shell.
    Completions(CompletionsArgs),
    /// Print the manual page, or that of a command.
    Man(ManArgs),
}

#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// Show only these frames: 10..20 (10 to 19), 10..=20, 10.. or 10.
    #[arg(long, value_name = "RANGE")]
    pub(crate) frames: Option<FrameRange>,
    /// Write only crumple-live.html: a page that simulates a cloth and soft bodies, collides them while you drag, and checks
    /// glTF files that are dropped on it.
    #[arg(long, conflicts_with = "frames")]
    pub(crate) live: bool,
    /// Print only the result.
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// A mesh (.obj .ply .stl .off), an animation (.gltf .glb), a folder or name_####.ply of numbered meshes, or a
    /// mesh with a point cache as in body.ply@motion.pc2 (or .mdd). All bodies of all files form one scene.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<OsString>,
    #[command(flatten)]
    pub(crate) options: Options,
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
    /// Print one record per line (schema crumple.report/1).
    #[arg(long, conflicts_with = "output_format")]
    pub(crate) json: bool,
    /// Print only the result.
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("tabled").args(["exact", "self_overlap"]).multiple(true)))]
pub(crate) struct VolumeArgs {
    /// A file as for check.
    pub(crate) a: OsString,
    /// Another file; may be omitted if the first contains two bodies.
    pub(crate) b: Option<OsString>,
    /// The two bodies to measure, if the files contain more.
    #[arg(long, num_args = 2, value_name = "NAME")]
    pub(crate) bodies: Option<Vec<String>>,
    /// Measure how much of one body is covered by itself more than once, or turned inside out; with --exact as one number, in
    /// which what is covered three times counts three times.
    #[arg(long, conflicts_with_all = ["b", "bodies", "penetration", "parity"])]
    pub(crate) self_overlap: bool,
    /// The body to measure with --self-overlap, if the file contains several.
    #[arg(long, value_name = "NAME", requires = "self_overlap")]
    pub(crate) body: Option<String>,
    /// Compute the volume from the exact pairs of triangles instead of sampling it: exact up to rounding, with area,
    /// centroid and the connected regions of the overlap. Bodies must be closed.
    #[arg(long, conflicts_with_all = ["resolution", "parity", "assume_closed", "gpu"])]
    pub(crate) exact: bool,
    /// Also report how far the first body has to be moved to separate them: along an axis, by six more images, or with
    /// --exact in any direction, by a search.
    #[arg(long)]
    pub(crate) penetration: bool,
    /// Write a page to look at: the bodies in motion, and the overlap as bars along its samples; with --exact a tint and a normal
    /// for each region, and the intersection curves.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write a table: with --exact one row per region and frame, else with --self-overlap one row per frame. - writes it to standard
    /// output, in place of the answer.
    #[arg(long, value_name = "FILE", requires = "tabled")]
    pub(crate) csv: Option<PathBuf>,
    /// Exit with code 1 if the volume of a frame is above this, in cubes of the file's unit.
    #[arg(long, value_name = "VOLUME", value_parser = distance, allow_negative_numbers = true)]
    pub(crate) fail_above: Option<f64>,
    #[command(flatten)]
    pub(crate) image: ImageArgs,
    #[command(flatten)]
    pub(crate) motion: MotionArgs,
}

#[derive(Debug, Args)]
pub(crate) struct InsideArgs {
    /// A file as for check.
    pub(crate) body: OsString,
    /// The points: the vertices of a file as for check, of a point cache (.pc2 .mdd), or a .xyz file.
    pub(crate) points: OsString,
    /// The body to test, if the file contains several.
    #[arg(long = "body", value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Decide every point by exact arithmetic instead of to the accuracy of one sample.
    #[arg(long)]
    pub(crate) exact: bool,
    /// List the points instead of only counting them.
    #[arg(long)]
    pub(crate) list: bool,
    /// Exit with code 1 if more points than these are inside in a frame.
    #[arg(long, value_name = "N")]
    pub(crate) fail_above: Option<u64>,
    #[command(flatten)]
    pub(crate) image: ImageArgs,
    #[command(flatten)]
    pub(crate) motion: MotionArgs,
}

#[derive(Debug, Args)]
pub(crate) struct DistanceArgs {
    /// A file as for check.
    pub(crate) a: OsString,
    /// Another file; may be omitted if the first contains two bodies.
    pub(crate) b: Option<OsString>,
    /// The two bodies to measure, if the files contain more.
    #[arg(long, num_args = 2, value_name = "NAME")]
    pub(crate) bodies: Option<Vec<String>>,
    /// Write a page to look at: the bodies in motion, and a line where they are nearest.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) motion: MotionArgs,
}

/// How depth images are made.
#[derive(Debug, Args)]
pub(crate) struct ImageArgs {
    /// Samples along both sides of the depth images, 1 to 4096: 128, or 256x64 for a rectangle.
    #[arg(long, value_name = "N", default_value = "128", value_parser = resolution)]
    pub(crate) resolution: Resolution,
    /// Use the even-odd rule; ignore triangle orientation. Where a body overlaps itself then counts as outside.
    #[arg(long)]
    pub(crate) parity: bool,
    /// Accept a body that is open or not oriented, and report how many columns are inconsistent.
    #[arg(long)]
    pub(crate) assume_closed: bool,
    #[command(flatten)]
    pub(crate) gpu: GpuArgs,
}

/// Which frames are processed, and how the answer is printed.
#[derive(Debug, Args)]
pub(crate) struct MotionArgs {
    #[command(flatten)]
    pub(crate) options: MotionOptions,
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
    /// Print one record per line (schema crumple.report/1).
    #[arg(long)]
    pub(crate) json: bool,
    /// Print only the result.
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// Where options come from that are not on the command line.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ConfigArgs {
    /// Take options from this file instead of a crumple.toml beside the input or above it.
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub(crate) config: Option<PathBuf>,
    /// Take no options from a file.
    #[arg(long)]
    pub(crate) no_config: bool,
}

/// Reads a distance: a finite number from 0 up.
fn distance(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| "write a finite number, 0 or more".to_owned())
}

/// Reads `128` or `256x64`.
fn resolution(text: &str) -> Result<Resolution, String> {
    let side = |text: &str| text.parse().ok().filter(|side| (1..=Resolution::MOST).contains(side));
    let sides = match text.split_once('x') {
        Some((columns, rows)) => side(columns).zip(side(rows)),
        None => side(text).map(|both| (both, both)),
    };
    let (columns, rows) =
        sides.ok_or(format!("a side takes 1 to {} samples, as in 128 or 256x64", Resolution::MOST))?;
    Ok(Resolution { columns, rows })
}

#[derive(Debug, Args)]
pub(crate) struct InfoArgs {
    /// Files as for check.
    #[arg(required_unless_present = "gpu", value_name = "FILE")]
    pub(crate) files: Vec<OsString>,
    #[command(flatten)]
    pub(crate) reading: ReadingOptions,
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
    /// List the GPUs that --gpu of other commands can use, instead of describing files.
    #[arg(long, conflicts_with_all = ["files", "json"], hide = gpu::IS_MISSING)]
    pub(crate) gpu: bool,
    /// Print a record (schema crumple.report/1).
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// Experiments by name, in any order; all of them if none is named.
    pub(crate) names: Vec<String>,
    /// List the experiments instead.
    #[arg(long)]
    pub(crate) list: bool,
    /// Measure only this method beside the floor and local-tree; may be repeated.
    #[arg(long, value_name = "NAME")]
    pub(crate) method: Vec<String>,
    /// Measure only these frames: 10..20 (10 to 19), 10..=20, 10.. or 10.
    #[arg(long, value_name = "RANGE")]
    pub(crate) frames: Option<FrameRange>,
    /// Run through the frames N times and keep the best time of each.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) repeat: u32,
    /// Let methods use N threads.
    #[arg(long, value_name = "N", default_value_t = threads::ONE, value_parser = threads::parse)]
    pub(crate) threads: NonZeroUsize,
    /// Use real meshes from this folder in experiments that take them, instead of or in addition to built-in bodies.
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Also measure HE1 to HE5 on the GPU, by both paths or by this one.
    #[arg(long, value_name = "PATH", num_args = 0..=1, hide = gpu::IS_MISSING)]
    pub(crate) gpu: Option<Option<Path>>,
    /// The GPU to measure, by a part of its name; `crumple info --gpu` lists them.
    #[arg(long, value_name = "NAME", requires = "gpu", hide = gpu::IS_MISSING)]
    pub(crate) adapter: Option<String>,
    /// Draw three moments of HE3 as PNG.
    #[arg(long, value_name = "FILE")]
    pub(crate) picture: Option<PathBuf>,
    /// Print one record per line (schema crumple.report/1) instead of tables.
    #[arg(long)]
    pub(crate) json: bool,
    /// Write every measured time as one row, with machine, commit and, if there is one, the digest of the scene.
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// Draw the times.
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Print only the result.
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SceneArgs {
    /// The scene to write; if omitted, the scenes are listed.
    pub(crate) name: Option<String>,
    /// The folder to write into; created if it does not exist.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// List the scenes.
    #[arg(long)]
    pub(crate) list: bool,
    /// Write only these frames: 10..20 (10 to 19), 10..=20, 10.. or 10.
    #[arg(long, value_name = "RANGE")]
    pub(crate) frames: Option<FrameRange>,
    /// Print only the result.
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// The report to compare with, as --json prints it.
    pub(crate) old: PathBuf,
    /// The report that may have changed.
    pub(crate) new: PathBuf,
    /// Print a record (schema crumple.diff/1).
    #[arg(long)]
    pub(crate) json: bool,
    /// Accept reports of runs that ended before their last frame.
    #[arg(long)]
    pub(crate) allow_partial: bool,
}

#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    /// The parts, in any order, as --json prints them.
    #[arg(required = true, value_name = "REPORT")]
    pub(crate) reports: Vec<PathBuf>,
    /// Write the report to a file instead of standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Accept reports of runs that ended before their last frame.
    #[arg(long)]
    pub(crate) allow_partial: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The command to describe; crumple itself if omitted.
    pub(crate) command: Option<String>,
}

/// The completions for a shell.
pub(crate) fn completions(shell: clap_complete::Shell) -> Vec<u8> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "crumple", &mut text);
    text
}

/// The manual page of a command, or of the whole; `None` if there is no such command.
pub(crate) fn manual(command: Option<&str>) -> Option<std::io::Result<Vec<u8>>> {
    let mut cli = Cli::command();
    cli.build();
    let page = match command {
        Some(name) => {
            let name = cli.find_subcommand(name)?;
            let title = format!("crumple-{}", name.get_name());
            clap_mangen::Man::new(name.clone()).title(title)
        }
        None => clap_mangen::Man::new(cli),
    };
    let mut text = Vec::new();
    Some(page.render(&mut text).map(|()| text))
}

/// The command; if it cannot be parsed, the exit code after the error was printed.
pub(crate) fn parse<W: Into<OsString> + Clone>(words: impl IntoIterator<Item = W>) -> Result<Command, u8> {
    let mut words: Vec<OsString> = words.into_iter().map(Into::into).collect();
    let cli = Cli::command();
    let given = config::Given::of(&cli, &words);
    let file = given.as_ref().and_then(|given| Some((given.file()?, given)));
    let config = match file.map(|(file, given)| config::read(file, &cli, given)).transpose() {
        Ok(config) => config,
        Err(error) => {
            output::complain(&error);
            return Err(2);
        }
    };
    if let Some(config) = &config {
        words.splice(2..2, config.words.iter().cloned());
    }
    let error = match Cli::try_parse_from(words) {
        Ok(cli) => {
            if let Some(config) = config.filter(|config| !config.words.is_empty()) {
                cli.command.say_config(&config.file);
            }
            return Ok(cli.command);
        }
        Err(error) => error,
    };
    if !error.use_stderr() {
        // Help and version; a closed pipe is no error.
        let _ = error.print();
        return Err(0);
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        output::print(error.render().to_string().trim_end());
        return Err(2);
    }
    let complaint = Complaint::of(&error);
    let file = config.filter(|config| complaint.options.iter().any(|option| config.has(option)));
    let what = file.map_or(String::new(), |config| format!("{}: ", config.file.display())) + &complaint.what;
    output::complain_of(&what, Some(&complaint.hint));
    Err(2)
}

impl Command {
    /// Says that options come from a file, where messages are wanted.
    fn say_config(&self, file: &std::path::Path) {
        let is_quiet = match self {
            Self::Check(args) => {
                let CheckArgs { options, json, quiet, .. } = &**args;
                *quiet || *json || options.output_format.is_some_and(|format| format != OutputFormat::Text)
            }
            Self::Volume(VolumeArgs { motion, .. })
            | Self::Inside(InsideArgs { motion, .. })
            | Self::Distance(DistanceArgs { motion, .. }) => motion.quiet || motion.json,
            Self::Info(args) => args.json,
            _ => true,
        };
        if !is_quiet {
            output::say(format_args!("with the options of {}", file.display()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_fit_together() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_complaint_of_clap_becomes_one_line_and_a_hint() {
        let complaint = |words: &[&str]| {
            let Complaint { what, hint, .. } = Complaint::of(&Cli::try_parse_from(words).unwrap_err());
            (what, hint)
        };
        assert_eq!(
            complaint(&["crumple", "bench", "--nope"]),
            ("unexpected argument '--nope' found".into(), "to pass '--nope' as a value, use '-- --nope'".into())
        );
        assert_eq!(
            complaint(&["crumple", "check"]),
            (
                "the following required arguments were not provided: <FILE>...".into(),
                "try `crumple check --help`".into()
            )
        );
    }
}
