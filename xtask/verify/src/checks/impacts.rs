//! When do two moving features meet? The published queries of Wang et al. 2021, whose truth is yes or no.
//!
//! A query has eight rows: the four points at the start, then at the end; a coordinate is a fraction of two whole
//! numbers that may be longer than 64 bits, and is an f64 number exactly. Every query is asked with its points in
//! several orders and backwards in time; an answer has to be right in all of them, and a time the same in all orders.
//! The times it took are printed for information.

use std::fs;
use std::hint::black_box;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use crumple::exact::{ImpactTime, edge_edge_impact, vertex_face_impact};

use crate::Tally;
use crate::data::Data;

type Points = [[f64; 3]; 4];
type Impact = fn(&Points, &Points) -> Option<ImpactTime>;

/// The groups of queries.
const GROUPS: [&str; 7] = [
    "erleben-cube-cliff-edges",
    "erleben-cube-internal-edges",
    "erleben-sliding-spike",
    "erleben-spike-crack",
    "erleben-spike-wedge",
    "erleben-wedges",
    "unit-tests",
];

/// A kind of feature: its folder, its function, and orders of the points that leave the features what they are.
const KINDS: [(&str, Impact, [[usize; 4]; 5]); 2] = [
    ("edge-edge", edge_edge_impact, [[1, 0, 2, 3], [0, 1, 3, 2], [1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]]),
    ("vertex-face", vertex_face_impact, [[0, 2, 3, 1], [0, 3, 1, 2], [0, 1, 3, 2], [0, 3, 2, 1], [0, 2, 1, 3]]),
];

/// The two files of a group and kind.
fn files_of(group: &str, kind: &str) -> [String; 2] {
    ["data_0_0.csv", "data_0_1.csv"].map(|file| format!("ccd_queries/{group}/{kind}/{file}"))
}

/// All files of queries.
pub(crate) fn files() -> impl Iterator<Item = String> {
    GROUPS.into_iter().flat_map(|group| KINDS.into_iter().flat_map(move |(kind, ..)| files_of(group, kind)))
}

struct Query {
    start: Points,
    end: Points,
    truth: bool,
}

pub(crate) fn check(data: &Data) -> Result<Tally> {
    let mut tally = Tally::default();
    for group in GROUPS {
        for (kind, impact, orders) in KINDS {
            let (mut total, mut worst, mut count) = (0.0, 0.0_f64, 0);
            for name in files_of(group, kind) {
                for (number, query) in queries(data, &name)?.iter().enumerate() {
                    let clock = Instant::now();
                    let found = black_box(impact(black_box(&query.start), black_box(&query.end)));
                    let seconds = clock.elapsed().as_secs_f64();
                    (total, worst, count) = (total + seconds, worst.max(seconds), count + 1);
                    let what = |detail: &str| format!("{name}, query {number}{detail}");
                    tally.compare(found.is_some(), query.truth, || what(""));
                    let bounded = |time: ImpactTime| {
                        (0.0..=1.0).contains(&time.lo) && (0.0..=2f64.powi(-32)).contains(&(time.hi - time.lo))
                    };
                    let same = orders.iter().all(|order| {
                        let [start, end] = [&query.start, &query.end].map(|points| order.map(|i| points[i]));
                        impact(&start, &end) == found && impact(&end, &start).is_some() == query.truth
                    });
                    tally.expect(found.is_none_or(bounded) && same, || what(", in other orders"));
                }
            }
            let mean = total / f64::from(count);
            println!("  {group} {kind}: mean {:.2} us, worst {:.1} us", 1e6 * mean, 1e6 * worst);
        }
    }
    Ok(tally)
}

fn queries(data: &Data, file: &str) -> Result<Vec<Query>> {
    let path = data.path(file);
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let rows: Vec<([f64; 3], bool)> =
        text.lines().map(|line| row(line).with_context(|| format!("{file}: {line:?}"))).collect::<Result<_>>()?;
    ensure!(rows.len().is_multiple_of(8), "{file}: the last query is cut off");
    Ok(rows
        .chunks_exact(8)
        .map(|rows| Query {
            start: std::array::from_fn(|i| rows[i].0),
            end: std::array::from_fn(|i| rows[i + 4].0),
            truth: rows[0].1,
        })
        .collect())
}

/// Three fractions, and the truth.
fn row(line: &str) -> Option<([f64; 3], bool)> {
    let words: Vec<&str> = line.split(',').collect();
    let [x, x_over, y, y_over, z, z_over, truth] = words[..] else { return None };
    let fraction = |above: &str, below: &str| Some(whole(above)? / whole(below)?);
    let truth = match truth {
        "0" => false,
        "1" => true,
        _ => return None,
    };
    Some(([fraction(x, x_over)?, fraction(y, y_over)?, fraction(z, z_over)?], truth))
}

/// A whole number that is an f64 number exactly.
fn whole(word: &str) -> Option<f64> {
    let number: f64 = word.parse().ok()?;
    (format!("{number:.0}") == word).then_some(number)
}
