//! How files are read: what can be said about it, for every subcommand that takes files.

use clap::{Args, ValueEnum};
use crumple_io::{ObjBodies, ReadOptions};

/// Frames a second where nothing is said.
const FPS: f64 = 30.0;

#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ReadArgs {
    /// Sample glTF animations at so many frames a second; 30 if it is not said.
    #[arg(long, value_name = "N", value_parser = frames_a_second)]
    pub(crate) fps: Option<f64>,
    /// Play this animation of a glTF file, by name or number; the first one if it is not said.
    #[arg(long, value_name = "NAME")]
    pub(crate) animation: Option<String>,
    /// Make a body of every object or group of an OBJ file.
    #[arg(long, value_name = "WHAT", default_value = "file")]
    pub(crate) obj_bodies: Parts,
    /// Keep vertices apart that lie in one place in the first frame.
    #[arg(long)]
    pub(crate) no_weld: bool,
}

/// What becomes a body of its own in an OBJ file.
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

impl ReadArgs {
    /// What the readers are told.
    pub(crate) fn options(&self) -> ReadOptions {
        let parts = match self.obj_bodies {
            Parts::File => ObjBodies::File,
            Parts::Objects => ObjBodies::Objects,
            Parts::Groups => ObjBodies::Groups,
        };
        let options = ReadOptions::default().with_obj_bodies(parts).with_fps(self.frames_a_second());
        match &self.animation {
            Some(animation) => options.with_animation(animation),
            None => options,
        }
    }

    /// The speed animations are sampled and shown at.
    pub(crate) fn frames_a_second(&self) -> f64 {
        self.fps.unwrap_or(FPS)
    }
}

fn frames_a_second(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(fps) if fps.is_finite() && fps > 0.0 => Ok(fps),
        _ => Err("write a number above 0, as in 24 or 29.97".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::frames_a_second;

    #[test]
    fn frames_a_second_are_a_number_above_zero() {
        assert_eq!(frames_a_second("29.97"), Ok(29.97));
        for text in ["0", "-1", "nan", "inf", "fast", ""] {
            assert!(frames_a_second(text).is_err(), "{text:?}");
        }
    }
}
