//! `--output-format csv`: one line per finding, RFC 4180 with plain line ends. Frames have the numbers of their files.

use anyhow::Result;

use super::{Out, Sink};
use crate::outcome::Outcome;

/// The answer in this format.
pub(super) struct FindingsCsv(pub(super) Out);

impl Sink for FindingsCsv {
    fn end(mut self: Box<Self>, outcome: &Outcome) -> Result<Option<String>> {
        write(outcome, &mut self.0)?;
        self.0.finish()?;
        Ok(None)
    }
}

/// The columns.
const HEAD: &str =
    "kind,name_a,name_b,animation,first,last,frames,worst_frame,worst_pairs,pairs,depth,area,distance,status";

fn write(outcome: &Outcome, out: &mut Out) -> Result<()> {
    // A column of its own where volumes were asked.
    let has_volumes = outcome.asked.volume;
    out.line(format_args!("{HEAD}{}", if has_volumes { ",volume" } else { "" }))?;
    for finding in outcome.findings() {
        let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        let status = finding.status.map(|status| format!("{status:?}").to_lowercase()).unwrap_or_default();
        let numbers = finding.own_numbers();
        out.line(format_args!(
            "{},{},{},{},{},{},{},{},{},{},{},{},{},{status}{}",
            finding.kind.name(),
            cell(outcome.name(finding.a)),
            cell(outcome.name(finding.b)),
            cell(finding.animation.as_deref().unwrap_or_default()),
            numbers.first,
            numbers.last,
            finding.frames,
            numbers.worst,
            finding.worst.count,
            finding.pairs,
            number(finding.depth),
            number(finding.area),
            number(finding.distance),
            if has_volumes { format!(",{}", number(finding.volume)) } else { String::new() },
        ))?;
    }
    if outcome.incomplete().is_some() {
        let reached = outcome.reached();
        let animation = cell(reached.and_then(|frame| frame.animation).unwrap_or_default());
        let reached = reached.map(|frame| frame.number.to_string()).unwrap_or_default();
        // The last frame that was checked; what is new about it is that there is no more.
        out.line(format_args!(
            "incomplete,,,{animation},,{reached},{},,,,,,,{}",
            outcome.summary.frames,
            if has_volumes { "," } else { "" }
        ))?;
    }
    Ok(())
}

/// A cell, quoted where it has to be; what would break the line is escaped.
fn cell(text: &str) -> String {
    let text = crumple_io::words::escaped(text);
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.into_owned() }
}

#[cfg(test)]
mod tests {
    use super::cell;

    #[test]
    fn cells_are_quoted_where_they_have_to_be() {
        assert_eq!([cell("arm"), cell("a,b"), cell("5\" pipe")], ["arm", "\"a,b\"", "\"5\"\" pipe\""]);
        assert!(!cell("two\nlines").contains('\n'));
    }
}
