//! `--output-format github`: workflow commands of GitHub Actions, which show as annotations.

use anyhow::Result;

use super::Told;
use crate::output::Answer;

pub(super) fn write(told: &Told<'_>, answer: &mut Answer) -> Result<()> {
    for finding in told.findings {
        answer.line(format_args!(
            "::error file={},title={}::{}",
            property(told.file(finding.a)),
            property(&format!("crumple: {}", told.subject(finding))),
            data(&told.sentence(finding))
        ))?;
    }
    if let Some(sentence) = told.incomplete {
        answer.line(format_args!("::warning title=crumple%3A incomplete::{}", data(sentence)))?;
    }
    let notice = if told.findings.is_empty() { "notice" } else { "warning" };
    answer.line(format_args!("::{notice} title=crumple::{}", data(&told.total())))
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
