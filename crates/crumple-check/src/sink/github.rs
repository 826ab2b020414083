//! `--output-format github`: workflow commands of GitHub Actions, which show as annotations.

use anyhow::Result;

use super::{Out, Sink};
use crate::outcome::Outcome;

/// The answer in this format.
pub(super) struct Github(pub(super) Out);

impl Sink for Github {
    fn end(mut self: Box<Self>, outcome: &Outcome) -> Result<Option<String>> {
        write(outcome, &mut self.0)?;
        self.0.finish()?;
        Ok(None)
    }
}

pub(super) fn write(outcome: &Outcome, out: &mut Out) -> Result<()> {
    for finding in outcome.findings() {
        out.line(format_args!(
            "::error file={},title={}::{}",
            property(outcome.file(finding.a)),
            property(&format!("crumple: {}", outcome.subject(finding))),
            data(&outcome.sentence(finding))
        ))?;
    }
    if let Some(sentence) = outcome.incomplete() {
        out.line(format_args!("::warning title=crumple%3A incomplete::{}", data(&sentence)))?;
    }
    let notice = if outcome.findings().is_empty() { "notice" } else { "warning" };
    out.line(format_args!("::{notice} title=crumple::{}", data(&outcome.total())))
}

/// Writes that a file could not be checked.
pub(super) fn write_error(file: &str, error: &str, out: &mut Out) -> Result<()> {
    out.line(format_args!("::error file={},title=crumple::{}", property(file), data(error)))
}

/// Text after the colons.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_command_or_a_property_is_escaped() {
        assert_eq!(data("50%\nof a, b: c"), "50%25%0Aof a, b: c");
        assert_eq!(property("a,b: c%"), "a%2Cb%3A c%25");
    }
}
