//! Every option of a check, once: the arguments of the command, the keys of `crumple.toml` and the keywords of Python are these.
//!
//! With the feature `cli` they are arguments of clap; they are read from JSON as well, where a value is what it is on the
//! command line, as a text or as a number.

mod motion;
mod values;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::Result;
use crumple_methods::Method;
use serde::Deserialize;

use crate::error::hinted;
pub use motion::{MotionOptions, Parts, ReadingOptions, SplitBy};
pub use values::MaxWork;

/// What a check finds, what it leaves out, and what it writes.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(default, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Options {
    /// Also find where a body meets itself; a single body is always checked against itself.
    #[cfg_attr(feature = "cli", arg(long = "self", num_args = 0, default_missing_value = "true"))]
    #[serde(rename = "self")]
    pub own: Option<bool>,
    /// Stop at any one pair per two bodies, and at the first impact of each step: enough to know whether they meet.
    #[cfg_attr(feature = "cli", arg(long))]
    pub first: bool,
    /// Count only pairs of triangles that pass through each other: their insides have a point in common, and they are not in one
    /// plane. What only touches does not count, such as stacked boxes and the faces of a fresh cut.
    #[cfg_attr(feature = "cli", arg(long, conflicts_with_all = ["containment", "volume", "max_volume"]))]
    pub proper: bool,
    /// List the pairs of triangles instead of only counting them.
    #[cfg_attr(feature = "cli", arg(long))]
    pub pairs: bool,
    /// Find the pairs by this method; all find the same ones.
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME", default_value_t))]
    #[serde(deserialize_with = "values::method")]
    pub method: Method,
    /// Do not report contacts of these two bodies, by name or pattern (arm*,body); repeat for each pair that may touch. A,A
    /// lets a body touch itself, A alone leaves a body out. Bones and materials can be named too (LeftHand,Hips).
    #[cfg_attr(feature = "cli", arg(long, value_name = "A[,B]"))]
    pub ignore: Vec<String>,
    /// Check only these two bodies, by name or pattern, or all pairs with one of them; may be repeated.
    #[cfg_attr(feature = "cli", arg(long, value_name = "A[,B]"))]
    pub only: Vec<String>,
    /// Leave out where a skinned body meets itself between bones that are at most N apart in its skeleton, as in armpits and knees:
    /// 1 for a bone and its parent; 0 leaves out nothing.
    #[cfg_attr(feature = "cli", arg(long, value_name = "N"))]
    pub joint_distance: Option<u32>,
    /// Where surfaces touch in this pose, they may: regions that meet in it, with their neighbourhoods. A frame, or an animation of
    /// a glTF file and a frame of it (its first if omitted).
    #[cfg_attr(feature = "cli", arg(long, value_name = "FRAME|ANIMATION[:FRAME]"))]
    #[serde(deserialize_with = "values::text")]
    pub rest: Option<String>,
    /// With --rest, count N rings of triangles around what meets in that pose to it; 3 if omitted.
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", requires = "rest"))]
    pub rest_rings: Option<u32>,
    /// Report only what is new or worse than in this file, which --write-baseline has written.
    #[cfg_attr(feature = "cli", arg(long, value_name = "FILE"))]
    pub baseline: Option<PathBuf>,
    /// Write what is found as known findings for --baseline; exit code 0 unless something fails.
    #[cfg_attr(feature = "cli", arg(long, value_name = "FILE"))]
    pub write_baseline: Option<PathBuf>,
    /// Accept contacts up to this depth, in the file's unit, region by region; those without a depth (open surfaces of which nothing
    /// is cut off) are still reported.
    #[cfg_attr(feature = "cli", arg(long, value_name = "D", value_parser = values::parse_distance, allow_negative_numbers = true))]
    #[serde(deserialize_with = "values::distance")]
    pub max_depth: Option<f64>,
    /// Also report bodies completely inside a closed one, where no triangles meet.
    #[cfg_attr(feature = "cli", arg(long))]
    pub containment: bool,
    /// Also find what meets or passes through between two frames; every vertex moves in a straight line.
    #[cfg_attr(feature = "cli", arg(long))]
    pub continuous: bool,
    /// Count surfaces nearer than this as meeting between frames, in the file's unit; 0 if omitted.
    #[cfg_attr(feature = "cli", arg(long, value_name = "D", requires = "continuous", value_parser = values::parse_distance, allow_negative_numbers = true))]
    #[serde(deserialize_with = "values::distance")]
    pub thickness: Option<f64>,
    /// Also report when contacts began: the time between two frames, to a millionth of the step, by going back from the frame
    /// that shows the contact; every vertex moves in a straight line. Bodies must be apart in the first frame. What passes
    /// through between two frames is found by --continuous.
    #[cfg_attr(feature = "cli", arg(long))]
    pub first_contact: bool,
    /// Also report bodies closer than this, in the file's unit; with --self also parts of a body that share no vertex.
    #[cfg_attr(feature = "cli", arg(long, value_name = "D", value_parser = values::parse_clearance, allow_negative_numbers = true))]
    #[serde(deserialize_with = "values::clearance")]
    pub clearance: Option<f64>,
    /// Also report how deep bodies that meet are in each other, the deepest vertex of one inside the other, and the area of their
    /// surfaces that is inside. Nothing is inside an open body.
    #[cfg_attr(feature = "cli", arg(long))]
    pub depth: bool,
    /// Also report the volume that closed bodies share, exactly (with --self also that by which a body overlaps itself), and how all
    /// bodies that are tested lie to each other: apart, near (with --clearance), touching, crossing or inside.
    #[cfg_attr(feature = "cli", arg(long))]
    pub volume: bool,
    /// Accept contacts of bodies that share up to this volume, in cubes of the file's unit, and of a body with itself that overlaps
    /// itself by no more; those of open bodies have no volume and are still reported.
    #[cfg_attr(feature = "cli", arg(long, value_name = "V", value_parser = values::parse_distance, allow_negative_numbers = true))]
    #[serde(deserialize_with = "values::distance")]
    pub max_volume: Option<f64>,
    /// List at most N pairs per two bodies and frame, the first in order; all are counted, no more are kept.
    #[cfg_attr(feature = "cli", arg(long, value_name = "N"))]
    pub max_pairs: Option<usize>,
    /// Write a page to look at: the bodies in motion, with what collides in red.
    #[cfg_attr(feature = "cli", arg(long, value_name = "FILE"))]
    pub html: Option<PathBuf>,
    /// Give the page this title; the names of the bodies if omitted.
    #[cfg_attr(feature = "cli", arg(long, value_name = "TEXT", requires = "html"))]
    #[serde(deserialize_with = "values::text")]
    pub title: Option<String>,
    /// Check every file on its own, side by side: a line, a test suite or a run per file; --html writes a page that links one per
    /// file.
    #[cfg_attr(feature = "cli", arg(long))]
    pub each: bool,
    /// Write the pairs as a table: frame, two bodies, their triangles and names; with --continuous the impacts
    /// too, with --clearance the bodies that are too close. - writes it to standard output, in place of the answer.
    #[cfg_attr(feature = "cli", arg(long, value_name = "FILE"))]
    pub csv: Option<PathBuf>,
    /// Write the bodies that collide, one file per frame, with the colliding triangles marked; --max-pairs does not limit
    /// which.
    #[cfg_attr(feature = "cli", arg(long, value_name = "DIR"))]
    pub export: Option<PathBuf>,
    /// Write them in this format: ply has colliding triangles in red, obj in a group.
    #[cfg_attr(feature = "cli", arg(long, value_name = "FORMAT", default_value = "ply", requires = "export"))]
    pub export_format: ExportFormat,
    /// Print the answer in this format: one finding per line or entry in csv, junit, sarif and github; json is --json.
    #[cfg_attr(feature = "cli", arg(long, value_name = "FORMAT"))]
    pub output_format: Option<OutputFormat>,
    /// Process only every Nth of the frames.
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", value_parser = values::parse_every))]
    #[serde(deserialize_with = "values::every")]
    pub every: Option<NonZeroUsize>,
    /// Frames by position, first, end and step as a slice of Python has them; not on the command line.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub slice: Option<[Option<i64>; 3]>,
    /// Whether the first frame only begins the step to the second, being the last of another part; not on the command line.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub continued: bool,
    /// What frames are read, and how.
    #[cfg_attr(feature = "cli", command(flatten))]
    #[serde(flatten)]
    pub motion: MotionOptions,
}

/// In which format the answer is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum OutputFormat {
    /// A table for people.
    #[default]
    Text,
    /// One record per line (schema crumple.report/1).
    Json,
    /// A table with one line per finding.
    Csv,
    /// JUnit XML: a test case per two bodies.
    Junit,
    /// SARIF 2.1.0.
    Sarif,
    /// Annotations of GitHub Actions.
    Github,
}

/// In which format meshes are exported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum ExportFormat {
    /// Binary, one colour per face.
    #[default]
    Ply,
    /// Text, two groups.
    Obj,
}

impl Options {
    /// Options from JSON: a key is the long name of an option.
    ///
    /// # Errors
    /// If a value is not one that the option takes; unknown keys are not looked at.
    pub fn from_json(text: &str) -> Result<Self> {
        let options: Self = serde_json::from_str(text).map_err(|error| {
            let words = error.to_string();
            anyhow::anyhow!("{}", words.split_once(" at line ").map_or(words.as_str(), |(what, _)| what))
        })?;
        if options.thickness.is_some_and(|thickness| thickness > 0.0) && !options.continuous {
            return Err(hinted("--thickness does nothing without --continuous", "add --continuous"));
        }
        if options.proper && options.needs_containment() {
            let hint = "leave out --containment, --volume and --max-volume, or --proper";
            return Err(hinted(
                "--proper says nothing about bodies that only touch, and volumes are about all that meet",
                hint,
            ));
        }
        Ok(options)
    }

    /// Whether volumes that bodies share are needed.
    pub(crate) fn needs_volume(&self) -> bool {
        self.volume || self.max_volume.is_some()
    }

    /// Whether bodies inside others are looked for: they share a volume without a contact.
    pub(crate) fn needs_containment(&self) -> bool {
        self.containment || self.needs_volume()
    }

    /// Whether depths of contacts are needed.
    pub(crate) fn needs_depth(&self) -> bool {
        self.depth || self.max_depth.is_some()
    }
}
