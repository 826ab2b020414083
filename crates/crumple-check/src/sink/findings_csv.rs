//! `--output-format csv`: one line per finding, RFC 4180 with plain line ends. Frames have the numbers of their files.

use anyhow::Result;
use crumple_io::words::cell;

use super::{Out, Sink};
use crate::outcome::Outcome;
use crumple_io::report::Finding;

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
const HEAD: &str = "kind,name_a,name_b,animation,first,last,frames,worst_frame,worst_pairs,pairs,depth,area,distance,status,\
     region,carrier_a,carrier_b,bones_apart,region_area,x,y,z,rest_a_x,rest_a_y,rest_a_z,rest_b_x,rest_b_y,rest_b_z";

/// The columns of a region where there is none.
const REGION_COLUMNS: &str = ",,,,,,,,,,,,,,";

fn write(outcome: &Outcome, out: &mut Out) -> Result<()> {
    out.line(head(outcome.asked.volume))?;
    rows(outcome).into_iter().try_for_each(|row| out.line(row))
}

/// The findings of several outcomes, with the file of each in a last column.
pub(crate) fn write_all(outcomes: &[(&str, Result<&Outcome, &str>)], out: &mut Out) -> Result<()> {
    let has_volumes = outcomes.iter().any(|(_, outcome)| outcome.is_ok_and(|outcome| outcome.asked.volume));
    out.line(format_args!("{},file", head(has_volumes)))?;
    for (file, outcome) in outcomes {
        let of_file = match outcome {
            Ok(outcome) => rows(outcome),
            Err(_) => vec![format!("error{}", ",".repeat(head(has_volumes).matches(',').count()))],
        };
        of_file.into_iter().try_for_each(|row| out.line(format_args!("{row},{}", cell(file))))?;
    }
    Ok(())
}

/// The columns; volumes have one where they were asked.
fn head(has_volumes: bool) -> String {
    format!("{HEAD}{}", if has_volumes { ",volume" } else { "" })
}

/// A row per finding, and one that says so if the run ended early.
fn rows(outcome: &Outcome) -> Vec<String> {
    let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    let volume = |value| if outcome.asked.volume { format!(",{}", number(value)) } else { String::new() };
    let region = |finding: &Finding| {
        let Some(region) = &finding.region else { return REGION_COLUMNS[1..].to_owned() };
        let [of_a, of_b] =
            region.carriers.as_ref().map(|names| names.each_ref().map(|name| cell(name))).unwrap_or_default();
        let apart = region.apart.map(|apart| apart.to_string()).unwrap_or_default();
        let [x, y, z] = region.centroid;
        let rest = region.place.rest.as_flattened().iter().map(f64::to_string).collect::<Vec<_>>().join(",");
        format!("{},{of_a},{of_b},{apart},{},{x},{y},{z},{rest}", region.number, region.area)
    };
    let row = |finding: &Finding| {
        let status = finding.status.map(|status| format!("{status:?}").to_lowercase()).unwrap_or_default();
        let numbers = finding.own_numbers();
        format!(
            "{},{},{},{},{},{},{},{},{},{},{},{},{},{status},{}{}",
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
            region(finding),
            volume(finding.volume),
        )
    };
    let mut rows: Vec<String> = outcome.findings().iter().map(row).collect();
    if outcome.incomplete().is_some() {
        let reached = outcome.reached();
        let animation = cell(reached.and_then(|frame| frame.animation).unwrap_or_default());
        let reached = reached.map(|frame| frame.number.to_string()).unwrap_or_default();
        // The last frame that was checked; what is new about it is that there is no more.
        let frames = outcome.summary.frames;
        rows.push(format!("incomplete,,,{animation},,{reached},{frames},,,,,,,{REGION_COLUMNS}{}", volume(None)));
    }
    rows
}
