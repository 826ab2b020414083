//! How values are read: as on the command line, from a text or, in JSON, from a number.

use std::fmt::Display;
use std::num::NonZeroUsize;
use std::str::FromStr;

use crumple_io::FrameRange;
use crumple_methods::Method;
use serde::Deserialize;
use serde::de::{Deserializer, Error};

use crate::bodies::memory;
pub use crate::work::MaxWork;
use crate::{threads, work};

/// A value in JSON.
#[derive(Deserialize)]
#[serde(untagged)]
enum Value {
    Whole(u64),
    Number(f64),
    Text(String),
}

impl Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Whole(number) => number.fmt(f),
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

fn optional<'de, D: Deserializer<'de>, T>(
    from: D,
    parse: fn(&str) -> Result<T, String>,
) -> Result<Option<T>, D::Error> {
    let value = Option::<Value>::deserialize(from)?;
    let parsed = |value: Value| {
        let text = value.to_string();
        parse(&text).map_err(|error| D::Error::custom(format!("invalid value {text:?}: {error}")))
    };
    value.map(parsed).transpose()
}

macro_rules! optional_values {
    ($($name:ident: $kind:ty = $parse:expr;)*) => {$(
        pub(super) fn $name<'de, D: Deserializer<'de>>(from: D) -> Result<Option<$kind>, D::Error> {
            optional(from, $parse)
        }
    )*};
}

optional_values! {
    text: String = |text| Ok(text.to_owned());
    frames: FrameRange = |text| text.parse();
    every: NonZeroUsize = parse_every;
    thread_count: NonZeroUsize = threads::parse;
    size: u64 = memory::parse;
    distance: f64 = parse_distance;
    clearance: f64 = parse_clearance;
    fps: f64 = parse_fps;
}

/// The method of a name.
pub(super) fn method<'de, D: Deserializer<'de>>(from: D) -> Result<Method, D::Error> {
    let parse = |text: &str| Method::from_str(text).map_err(|error| error.to_string());
    Ok(optional(from, parse)?.unwrap_or_default())
}

/// An amount of work.
pub(super) fn max_work<'de, D: Deserializer<'de>>(from: D) -> Result<MaxWork, D::Error> {
    Ok(optional(from, work::parse)?.unwrap_or_default())
}

/// Reads a distance: a finite number from 0 up.
pub(super) fn parse_distance(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| "write a finite number, 0 or more".to_owned())
}

/// Reads a clearance: a finite number greater than 0, since nothing is closer than 0.
pub(super) fn parse_clearance(text: &str) -> Result<f64, String> {
    let number = parse_distance(text).ok().filter(|number| *number > 0.0);
    number.ok_or_else(|| "write a finite number greater than 0".to_owned())
}

/// Reads a number of frames per second.
pub(super) fn parse_fps(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(fps) if fps.is_finite() && fps > 0.0 => Ok(fps),
        _ => Err("write a number above 0, as in 24 or 29.97".into()),
    }
}

/// Reads a number of frames from one that is processed to the next.
pub(super) fn parse_every(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "write a whole number, 1 or more".to_owned())
}

#[cfg(test)]
mod tests {
    use super::parse_fps;

    #[test]
    fn frames_per_second_are_a_number_above_zero() {
        assert_eq!(parse_fps("29.97"), Ok(29.97));
        for text in ["0", "-1", "nan", "inf", "fast", ""] {
            assert!(parse_fps(text).is_err(), "{text:?}");
        }
    }
}
