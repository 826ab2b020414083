//! How files are read: the options of every subcommand that takes files.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use crumple::Precision;
use crumple_io::{Mask, ObjBodies, ReadOptions, Split};

/// Frames per second if none are given.
const FPS: f64 = 30.0;
/// What `--animation` calls all of them.
const ALL: &str = "all";

#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ReadArgs {
    /// Sample glTF animations at N frames per second; 30 if omitted.
    #[arg(long, value_name = "N", value_parser = frames_per_second)]
    pub(crate) fps: Option<f64>,
    /// Play this animation of a glTF file, by name or number, or all of them one after another; the first one if omitted.
    #[arg(long, value_name = "NAME")]
    pub(crate) animation: Option<String>,
    /// Make a body of every object or group of an OBJ file.
    #[arg(long, value_name = "WHAT", default_value = "file")]
    pub(crate) obj_bodies: Parts,
    /// Make a body of every material (body/skin; glTF and OBJ have materials) or of every loose part (body/part 2). The triangles of
    /// such a body are counted anew; face_of_triangle in reports gives those of the file.
    #[arg(long, value_name = "WHAT", default_value = "none", hide_default_value = true)]
    pub(crate) split: SplitBy,
    /// Read only triangles with a vertex in this vertex group, or with ! before its name all others; may be repeated. An attribute
    /// _NAME of glTF or a scalar property of PLY vertices, 0.5 or more being inside, or a group of OBJ.
    #[arg(long, value_name = "[!]NAME")]
    pub(crate) mask: Vec<String>,
    /// Keep coordinates as 64-bit numbers instead of rounding them to 32 bits: those of OBJ, OFF and XYZ, and `double` ones of PLY.
    /// It matters for coordinates of more than 24 significant bits (7 digits): CAD data, geo-referenced data, simulators in
    /// double precision.
    #[arg(long)]
    pub(crate) f64: bool,
    /// Do not treat vertices that coincide in the first frame as connected.
    #[arg(long)]
    pub(crate) no_weld: bool,
    /// Take options from this file instead of a crumple.toml beside the input or above it.
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub(crate) config: Option<PathBuf>,
    /// Take no options from a file.
    #[arg(long)]
    pub(crate) no_config: bool,
}

/// Which parts of an OBJ file become separate bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Parts {
    /// The whole file.
    #[default]
    File,
    /// Every object (`o`).
    Objects,
    /// Every group (`g`).
    Groups,
}

/// What becomes a body of its own beyond what the files say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum SplitBy {
    /// Nothing.
    #[default]
    None,
    /// Every material.
    Materials,
    /// Every loose part.
    Parts,
}

impl ReadArgs {
    /// The options of the readers.
    pub(crate) fn options(&self) -> ReadOptions {
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
    pub(crate) fn frames_per_second(&self) -> f64 {
        self.fps.unwrap_or(FPS)
    }
}

/// A vertex group, with `!` before its name if it is left out.
fn mask(text: &str) -> Mask {
    let name = text.strip_prefix('!');
    Mask { name: name.unwrap_or(text).to_owned(), leaves_out: name.is_some() }
}

fn frames_per_second(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(fps) if fps.is_finite() && fps > 0.0 => Ok(fps),
        _ => Err("write a number above 0, as in 24 or 29.97".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::frames_per_second;

    #[test]
    fn frames_per_second_are_a_number_above_zero() {
        assert_eq!(frames_per_second("29.97"), Ok(29.97));
        for text in ["0", "-1", "nan", "inf", "fast", ""] {
            assert!(frames_per_second(text).is_err(), "{text:?}");
        }
    }
}
