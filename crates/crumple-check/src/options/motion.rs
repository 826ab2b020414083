//! What frames are read, and how: the options of everything that takes files.

use std::num::NonZeroUsize;

use crumple::Precision;
use crumple_io::{FrameRange, Mask, ObjBodies, ReadOptions, Split};
use serde::Deserialize;

use super::values::{self, MaxWork};

/// Frames per second if none are given.
const FPS: f64 = 30.0;
/// What `--animation` calls all of them.
const ALL: &str = "all";

/// Which frames are processed, and what that may take.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(default, rename_all = "kebab-case")]
pub struct MotionOptions {
    /// Process only these frames: 10..20 (10 to 19), 10..=20, 10.. or 10. Frames have the numbers that files give them, as point
    /// caches with a start frame and numbered meshes do; others count from 0.
    #[cfg_attr(feature = "cli", arg(long, value_name = "RANGE"))]
    #[serde(deserialize_with = "values::frames")]
    pub frames: Option<FrameRange>,
    /// Match the frames of bodies by their position, first with first, instead of by the numbers of their files.
    #[cfg_attr(feature = "cli", arg(long))]
    pub by_position: bool,
    /// Use N threads; as many as the machine has if omitted.
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", value_parser = crate::threads::parse))]
    #[serde(deserialize_with = "values::thread_count")]
    pub threads: Option<NonZeroUsize>,
    /// Refuse work that would need more memory than this, as in 8G or 512M; what the machine has available if omitted.
    #[cfg_attr(feature = "cli", arg(long, value_name = "SIZE", value_parser = crate::bodies::memory::parse))]
    #[serde(deserialize_with = "values::size")]
    pub max_memory: Option<u64>,
    /// Refuse a frame that would take more steps of work than this, each about 10 ns, as in 1e9; none for any amount.
    #[cfg_attr(feature = "cli", arg(long, value_name = "STEPS", default_value = "1e9", value_parser = crate::work::parse))]
    #[serde(deserialize_with = "values::max_work")]
    pub max_work: MaxWork,
    /// Let a body with fewer frames than the others keep its last one.
    #[cfg_attr(feature = "cli", arg(long))]
    pub hold: bool,
    /// How files are read.
    #[cfg_attr(feature = "cli", command(flatten))]
    #[serde(flatten)]
    pub reading: ReadingOptions,
}

/// How files are read.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(default, rename_all = "kebab-case")]
pub struct ReadingOptions {
    /// Sample glTF animations at N frames per second; 30 if omitted.
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", value_parser = values::parse_fps))]
    #[serde(deserialize_with = "values::fps")]
    pub fps: Option<f64>,
    /// Play this animation of a glTF file, by name or number, or all of them one after another; the first one if omitted.
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME"))]
    #[serde(deserialize_with = "values::text")]
    pub animation: Option<String>,
    /// Make a body of every object or group of an OBJ file.
    #[cfg_attr(feature = "cli", arg(long, value_name = "WHAT", default_value = "file"))]
    pub obj_bodies: Parts,
    /// Make a body of every material (body/skin; glTF and OBJ have materials) or of every loose part (body/part 2). The triangles of
    /// such a body are counted anew; face_of_triangle in reports gives those of the file.
    #[cfg_attr(feature = "cli", arg(long, value_name = "WHAT", default_value = "none", hide_default_value = true))]
    pub split: SplitBy,
    /// Read only triangles with a vertex in this vertex group, or with ! before its name all others; may be repeated. An attribute
    /// _NAME of glTF or a scalar property of PLY vertices, 0.5 or more being inside, or a group of OBJ.
    #[cfg_attr(feature = "cli", arg(long, value_name = "[!]NAME"))]
    pub mask: Vec<String>,
    /// Keep coordinates as 64-bit numbers instead of rounding them to 32 bits: those of OBJ, OFF and XYZ, and `double` ones of PLY.
    /// It matters for coordinates of more than 24 significant bits (7 digits): CAD data, geo-referenced data, simulators in
    /// double precision.
    #[cfg_attr(feature = "cli", arg(long))]
    pub f64: bool,
    /// Do not treat vertices that coincide in the first frame as connected.
    #[cfg_attr(feature = "cli", arg(long))]
    pub no_weld: bool,
}

/// Which parts of an OBJ file become separate bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Parts {
    /// The whole file.
    #[default]
    File,
    /// Every object (`o`).
    Objects,
    /// Every group (`g`).
    Groups,
}

/// What becomes a body of its own beyond what the files say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum SplitBy {
    /// Nothing.
    #[default]
    None,
    /// Every material.
    Materials,
    /// Every loose part.
    Parts,
}

impl ReadingOptions {
    /// The options of the readers.
    pub fn of_readers(&self) -> ReadOptions {
        let parts = match self.obj_bodies {
            Parts::File => ObjBodies::File,
            Parts::Objects => ObjBodies::Objects,
            Parts::Groups => ObjBodies::Groups,
        };
        let split = match self.split {
            SplitBy::None => Split::None,
            SplitBy::Materials => Split::Materials,
            SplitBy::Parts => Split::Parts,
        };
        let mut options = ReadOptions::default().with_obj_bodies(parts).with_fps(self.frames_per_second());
        options = options.with_split(split).with_masks(self.mask.iter().map(|text| mask(text)).collect());
        if self.f64 {
            options = options.with_precision(Precision::F64);
        }
        if self.no_weld {
            options = options.without_welding();
        }
        match self.animation.as_deref() {
            Some(ALL) => options.with_all_animations(),
            Some(animation) => options.with_animation(animation),
            None => options,
        }
    }

    /// The speed animations are sampled and shown at.
    pub fn frames_per_second(&self) -> f64 {
        self.fps.unwrap_or(FPS)
    }
}

/// A vertex group, with `!` before its name if it is left out.
fn mask(text: &str) -> Mask {
    let name = text.strip_prefix('!');
    Mask { name: name.unwrap_or(text).to_owned(), leaves_out: name.is_some() }
}
