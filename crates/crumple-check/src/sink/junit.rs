//! `--output-format junit`: a test case per two bodies that are tested, which fails with their findings.
//!
//! After the XML schema of the Jenkins xUnit plugin (`junit-10.xsd`), which the readers of other programs follow. Where very
//! many bodies are tested, only those with findings have a case of their own, and one case stands for the rest.

use anyhow::Result;

use super::{Out, Sink};
use crate::outcome::Outcome;

/// A case: its name and why it fails; the kind, a sentence, and where.
struct Case {
    name: String,
    failures: Vec<(&'static str, String, String)>,
}

/// The answer in this format.
pub(super) struct Junit(pub(super) Out);

impl Sink for Junit {
    fn end(mut self: Box<Self>, outcome: &Outcome) -> Result<Option<String>> {
        write(&[("crumple check", Ok(outcome))], &mut self.0)?;
        self.0.finish()?;
        Ok(None)
    }
}

/// What is counted of a suite, or of all.
#[derive(Default)]
struct Counts {
    tests: usize,
    failures: usize,
    errors: usize,
    seconds: f64,
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { tests, failures, errors, seconds } = self;
        write!(f, "tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{seconds:.3}\"")
    }
}

/// Writes a suite per outcome; instead of an outcome there may be the error that has prevented one.
pub(crate) fn write(suites: &[(&str, Result<&Outcome, &str>)], out: &mut Out) -> Result<()> {
    let mut all = Counts::default();
    let mut of_suites = Vec::new();
    for (name, outcome) in suites {
        let cases = outcome.map(cases).unwrap_or_default();
        let error = match outcome {
            Ok(outcome) => outcome.incomplete().map(|sentence| ("all frames", "incomplete", sentence)),
            Err(error) => Some(("the file", "error", (*error).to_owned())),
        };
        let counts = Counts {
            tests: cases.len() + usize::from(error.is_some()),
            failures: cases.iter().filter(|case| !case.failures.is_empty()).count(),
            errors: usize::from(error.is_some()),
            seconds: outcome.map_or(0.0, |outcome| outcome.took.as_secs_f64()),
        };
        all.tests += counts.tests;
        all.failures += counts.failures;
        all.errors += counts.errors;
        all.seconds += counts.seconds;
        of_suites.push((name, counts, cases, error));
    }
    out.line(r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    out.line(format_args!("<testsuites name=\"crumple check\" {all}>"))?;
    for (name, counts, cases, error) in of_suites {
        out.line(format_args!("  <testsuite name=\"{}\" {counts} skipped=\"0\">", escaped(name)))?;
        cases.iter().try_for_each(|case| write_case(case, out))?;
        if let Some((case, kind, sentence)) = error {
            let sentence = escaped(&sentence);
            out.line(format_args!("    <testcase classname=\"crumple.check\" name=\"{case}\" time=\"0\">"))?;
            out.line(format_args!("      <error type=\"{kind}\" message=\"{sentence}\">{sentence}</error>"))?;
            out.line("    </testcase>")?;
        }
        out.line("  </testsuite>")?;
    }
    out.line("</testsuites>")
}

fn write_case(Case { name, failures }: &Case, out: &mut Out) -> Result<()> {
    let start = format!("    <testcase classname=\"crumple.check\" name=\"{}\" time=\"0\"", escaped(name));
    let Some((kind, message, _)) = failures.first() else { return out.line(format_args!("{start}/>")) };
    // One failure per case: some readers show no more.
    let sentences: Vec<String> = failures.iter().map(|(_, sentence, place)| format!("{sentence}{place}")).collect();
    out.line(format_args!("{start}>"))?;
    out.line(format_args!(
        "      <failure type=\"{kind}\" message=\"{}\">{}</failure>",
        escaped(message),
        escaped(&sentences.join("\n"))
    ))?;
    out.line("    </testcase>")
}

fn cases(outcome: &Outcome) -> Vec<Case> {
    let failures_of = |a: u32, b: u32| {
        let about =
            outcome.findings().iter().filter(|finding| (finding.a.min(finding.b), finding.a.max(finding.b)) == (a, b));
        about.map(|finding| (finding.kind.name(), outcome.sentence(finding), outcome.place(finding))).collect()
    };
    if let Some(tested) = &outcome.tested {
        return tested.iter().map(|&(a, b)| Case { name: outcome.pair(a, b), failures: failures_of(a, b) }).collect();
    }
    let mut pairs: Vec<(u32, u32)> =
        outcome.findings().iter().map(|finding| (finding.a.min(finding.b), finding.a.max(finding.b))).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let mut cases: Vec<Case> =
        pairs.iter().map(|&(a, b)| Case { name: outcome.pair(a, b), failures: failures_of(a, b) }).collect();
    cases.push(Case { name: "all other bodies".to_owned(), failures: Vec::new() });
    cases
}

/// Text in XML; characters that XML does not have become the one that stands for such.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\n' => safe += "&#10;",
            '\t' => safe += "&#9;",
            '\u{0}'..='\u{1f}' | '\u{7f}' | '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn no_name_breaks_the_document() {
        assert_eq!(escaped("<a & \"b\">\n\u{1b}"), "&lt;a &amp; &quot;b&quot;&gt;&#10;\u{fffd}");
    }
}
