//! `--output-format csv`: one line per finding, RFC 4180 with plain line ends. Frames have the numbers of their files.

use anyhow::Result;

use super::Told;
use crate::output::Answer;

/// The columns.
const HEAD: &str =
    "kind,name_a,name_b,animation,first,last,frames,worst_frame,worst_pairs,pairs,depth,area,distance,status";

pub(super) fn write(told: &Told<'_>, answer: &mut Answer) -> Result<()> {
    answer.line(HEAD)?;
    for finding in told.findings {
        let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        let status = finding.status.map(|status| format!("{status:?}").to_lowercase()).unwrap_or_default();
        let numbers = finding.own_numbers();
        answer.line(format_args!(
            "{},{},{},{},{},{},{},{},{},{},{},{},{},{status}",
            finding.kind.name(),
            cell(told.name(finding.a)),
            cell(told.name(finding.b)),
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
        ))?;
    }
    if told.incomplete.is_some() {
        let reached = told.reached.map(|frame| frame.number.to_string()).unwrap_or_default();
        let animation = cell(told.reached.and_then(|frame| frame.animation).unwrap_or_default());
        // The last frame that was checked; what is new about it is that there is no more.
        answer.line(format_args!("incomplete,,,{animation},,{reached},{},,,,,,,", told.summary.frames))?;
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
