//! `crumple diff OLD NEW`: what is new, worse, better or gone between two reports of `check`.
//!
//! Findings are compared as with a baseline: by kind, names of bodies, region and animation, not by frame.

use std::path::Path;

use anyhow::{Result, bail};
use crumple_io::report::{Episodes, Finding, FindingKind, Header, Record};
use crumple_io::words::{Align, Table, count, counted, shown, size};
use serde::Serialize;

use super::read::Report;
use crate::args::DiffArgs;
use crate::output::{Out, Verdict, stdout};
use crumple_check::excuse::baseline::{Changed, Key, Worst, compared};

/// The schema of what `--json` prints.
const SCHEMA: &str = "crumple.diff/1";

/// How the findings about two bodies have changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
enum Change {
    New,
    Worse,
    Better,
    Gone,
    Same,
}

/// The findings about two bodies in both reports.
#[derive(Debug, Serialize)]
struct Row {
    change: Change,
    #[serde(flatten)]
    key: Key,
    #[serde(skip_serializing_if = "Option::is_none")]
    old: Option<Worst>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new: Option<Worst>,
}

#[derive(Debug, Serialize)]
struct Differences {
    schema: &'static str,
    changes: Vec<Row>,
}

pub(crate) fn run(args: DiffArgs) -> Result<Verdict> {
    let [old, new] = [&args.old, &args.new].map(|file| findings(file, args.allow_partial));
    let ((old, of_old), (new, of_new)) = (old?, new?);
    let rows = rows(compared((&old, &of_old), (&new, &of_new)));
    let is_worse = rows.iter().any(|row| matches!(row.change, Change::New | Change::Worse));
    let mut answer = stdout();
    if args.json {
        answer.record(&Differences { schema: SCHEMA, changes: rows })?;
    } else {
        print(&rows, &mut answer)?;
    }
    answer.finish()?;
    Ok(if is_worse { Verdict::Collides } else { Verdict::Done })
}

/// The findings of a report: those it lists or, where it ends early, those of its frames.
fn findings(file: &Path, allow_partial: bool) -> Result<(Vec<Finding>, Header)> {
    let mut report = Report::open(file, allow_partial)?;
    let header = report.header.clone();
    let mut episodes = Episodes::default();
    while let Some((record, _)) = report.next()? {
        match record {
            Record::Frame(frame) => episodes.add(&frame),
            Record::Summary(summary) => {
                if let Some(findings) = summary.summary.findings {
                    return Ok((findings, header));
                }
            }
            _ => bail!("{}: it is not a report of `crumple check`", file.display()),
        }
    }
    Ok((episodes.finish(), header))
}

/// All of both, what is worst first.
fn rows(changed: Vec<Changed>) -> Vec<Row> {
    let row = |Changed { key, old, new, is_worse, is_better }| {
        let change = match (&old, &new) {
            (None, _) => Change::New,
            (_, None) => Change::Gone,
            _ if is_worse => Change::Worse,
            _ if is_better => Change::Better,
            _ => Change::Same,
        };
        Row { change, key, old, new }
    };
    let mut rows: Vec<Row> = changed.into_iter().map(row).collect();
    rows.sort_by_key(|row| row.change);
    rows
}

fn print(rows: &[Row], answer: &mut Out) -> Result<()> {
    let same = rows.iter().filter(|row| row.change == Change::Same).count() as u64;
    if rows.len() as u64 == same {
        let same = if same == 0 { "no findings".to_owned() } else { counted(same, "finding") };
        return answer.line(format_args!("nothing has changed: {same} in both reports"));
    }
    let right = |name| (name, Align::Right);
    let columns = [("", Align::Left), ("bodies", Align::Left), right("frames"), right("worst pairs"), right("depth")];
    let mut table = Table::new(&columns);
    for row in rows.iter().filter(|row| row.change != Change::Same) {
        let [a, b] = [&row.key.a, &row.key.b].map(|name| shown(name));
        let bodies = match row.key.kind {
            FindingKind::Inside => format!("{a} inside {b}"),
            _ if a == b => format!("{a} × itself"),
            _ => format!("{a} × {b}"),
        };
        let region = row.key.region.as_ref().map(|name| format!(": {}", shown(name))).unwrap_or_default();
        let kind = if row.key.kind == FindingKind::Near { " (too close)" } else { "" };
        let animation = row.key.animation.as_ref().map(|name| format!(", {}", shown(name))).unwrap_or_default();
        let number = |of: fn(&Worst) -> u64| from_to(row, |worst| count(of(worst)));
        let depth = |worst: &Worst| worst.depth.or(worst.distance).map_or("-".to_owned(), |depth| size(depth, 4));
        table.row(vec![
            format!("{:?}", row.change).to_lowercase(),
            format!("{bodies}{region}{kind}{animation}"),
            number(|worst| worst.frames),
            number(|worst| worst.pairs),
            from_to(row, depth),
        ]);
    }
    table.fit(1, answer.style().columns);
    answer.table(&table)?;
    if same > 0 {
        answer.line(format_args!("{} the same in both", counted(same, "finding")))?;
    }
    Ok(())
}

/// A value before and after; once if it is the same.
fn from_to(row: &Row, cell: impl Fn(&Worst) -> String) -> String {
    match (row.old.as_ref().map(&cell), row.new.as_ref().map(&cell)) {
        (Some(old), Some(new)) if old != new => format!("{old} -> {new}"),
        (old, new) => new.or(old).unwrap_or_default(),
    }
}
