//! `--max-work`: a frame that takes longer than anybody would wait is refused, with its number.

use anyhow::Result;
use crumple::WorkLimit;
use crumple_io::words::count;

use crate::error::hinted;

/// The default: about ten seconds of one thread. The largest frame of a scanned figure of a million triangles against
/// itself takes a hundredth of it.
const DEFAULT: u64 = 1_000_000_000;

/// How many steps of work a frame may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaxWork(Option<u64>);

impl Default for MaxWork {
    fn default() -> Self {
        Self(Some(DEFAULT))
    }
}

impl MaxWork {
    /// Answers what is asked about a frame.
    ///
    /// # Errors
    /// If that takes more work.
    pub fn frame<T>(self, frame: usize, process: impl FnOnce() -> Result<T>) -> Result<T> {
        let Some(steps) = self.0 else { return process() };
        WorkLimit::new(steps).run(process).unwrap_or_else(|_| {
            let what = format!(
                "frame {frame}: this takes more than {} steps of work (--max-work), each about 10 ns: triangles that overlap \
                 by the thousand, such as long thin ones or copies in one place, are compared each with each",
                count(steps)
            );
            Err(hinted(what, "remove such triangles, or allow more: --max-work 1e10, or none for any amount"))
        })
    }
}

/// Reads a number of steps, as in 1000000 or 1e9, or `none`.
pub(crate) fn parse(text: &str) -> Result<MaxWork, String> {
    if text == "none" {
        return Ok(MaxWork(None));
    }
    let steps = text.parse::<f64>().ok().filter(|steps| (1.0..=1e18).contains(steps));
    steps.map(|steps| MaxWork(Some(steps as u64))).ok_or_else(|| "write a number from 1 to 1e18, or none".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{MaxWork, parse};

    #[test]
    fn steps_are_read_as_numbers_or_none() {
        assert_eq!(parse("1e9"), Ok(MaxWork::default()));
        assert_eq!(parse("20"), Ok(MaxWork(Some(20))));
        assert_eq!(parse("none"), Ok(MaxWork(None)));
        for wrong in ["0", "-1", "nan", "inf", "1e19", "many", ""] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
