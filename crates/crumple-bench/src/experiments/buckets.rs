//! The experiments of Ganovelli, Dingliana & O'Sullivan 2000: points in motion, filed in an octree of buckets.

use std::ops::{ControlFlow, RangeInclusive};
use std::time::Instant;

use anyhow::Result;
use crumple_io::report::micros;
use crumple_methods::bucket_tree::{BucketScratch, BucketTreeOptions, Filing, NodeBoxes, Opening, Soup, UpdateStage};
use crumple_scenes::PointSoup;

use super::bucket_bodies;
use crate::experiment::Findings;
use crate::settings::Settings;
use crate::show::figures::{Cell, Figures};
use crate::show::plot::{Panel, Scale};
use crumple_io::words::{count, ratio};

/// The algorithms of section 3.1, as the paper counts them; the second also with its arrays in the order of slabs only.
pub(super) const ALGORITHMS: [(&str, Filing); 3] = [
    ("1, by equation", Filing::ByEquation),
    ("2, by sorting", Filing::BySorting),
    ("2, by exchange", Filing::ByExchange),
];

/// How far a point may turn from the common direction, in degrees.
const COHERENT: f64 = 1.0;
const MOTIONS: [(&str, f64); 3] = [("rigid, 0°", 0.0), ("coherent, 1°", COHERENT), ("incoherent, 180°", 180.0)];

/// Levels below the root in the paper's figure 3.
const LEVELS: u32 = 4;

/// Levels and primitives of figure 4; table 1 does not say how many primitives, so the same.
const LEVEL_RANGE: RangeInclusive<u32> = 1..=6;
const PRIMITIVES: usize = 15_000;

/// How far two bodies are apart along each axis for table 1, in parts of their size.
const APART: f32 = 0.75;

/// Frames a measurement takes in; their mean counts.
const FRAMES: usize = 20;

/// Which points: the same ones in every experiment.
const SEED: u64 = 5;

/// Update time of both algorithms over the number of primitives.
pub(crate) fn be1(settings: &Settings) -> Result<Findings> {
    const COUNTS: [usize; 8] = [1_000, 2_000, 5_000, 10_000, 15_000, 20_000, 50_000, 100_000];
    let columns = [
        ("primitives", "primitives"),
        ("motion", "motion"),
        ("algorithm", "algorithm"),
        ("update", "update_us"),
        ("of it filing", "filing_us"),
        ("filing per primitive", "filing_ns_a_primitive"),
        ("filing / algorithm 1", "filing_ratio_to_algorithm_1"),
        ("update / algorithm 1", "ratio_to_algorithm_1"),
    ];
    let caption = format!(
        "time to bring an octree of {LEVELS} levels up to date, mean frame; filing: from reference points to buckets, \
         without reading primitives and passing stamps on"
    );
    let mut figures = Figures::new("update", caption, &columns);
    let bar = settings.bar(COUNTS.len() * MOTIONS.len() * ALGORITHMS.len());
    let mut remarks = Vec::new();
    for count in COUNTS {
        for (motion, degrees) in MOTIONS {
            let frames = recorded(count, degrees, settings)?;
            let mut times = Vec::new();
            for (algorithm, filing) in ALGORITHMS {
                bar.set_message(format!("{count} primitives, {motion}, algorithm {algorithm}"));
                let options = BucketTreeOptions::of_the_paper(LEVELS).with_filing(filing);
                let taken = update_us(&frames, options, settings)?;
                let to_first = |part: fn(&UpdateTime) -> f64| {
                    times.first().map_or(Cell::Nothing, |first| Cell::Ratio(part(&taken) / part(first)))
                };
                figures.row(vec![
                    Cell::count(count),
                    Cell::text(motion),
                    Cell::text(algorithm),
                    Cell::Micros(taken.whole),
                    Cell::Micros(taken.filing),
                    Cell::Number(1000.0 * taken.filing / count as f64),
                    to_first(|taken| taken.filing),
                    to_first(|taken| taken.whole),
                ]);
                times.push(taken);
                bar.inc(1);
            }
            if count == 15_000 {
                for ((algorithm, _), taken) in ALGORITHMS.iter().zip(&times).skip(1) {
                    let [filing, whole] = [taken.filing / times[0].filing, taken.whole / times[0].whole].map(ratio);
                    remarks.push(format!(
                        "15,000 primitives, {motion}: algorithm {algorithm} takes {filing} the time of algorithm 1 to file, \
                         {whole} for the update"
                    ));
                }
            }
        }
    }
    bar.finish_and_clear();
    remarks.push("paper: faster with coherence, almost the same without up to 15,000 primitives".to_owned());
    let (bodies, remark) = bucket_bodies::linear(settings)?;
    remarks.push(remark);
    let panel = Panel {
        title: "BE1: both algorithms over the number of primitives".to_owned(),
        x: "primitives".to_owned(),
        x_scale: Scale::Logarithmic,
        y: "milliseconds per update".to_owned(),
        series: figures.series(&["algorithm", "motion"], "primitives", "update_us", 0.001),
    };
    Ok(Findings { tables: vec![figures, bodies], panels: vec![panel], remarks, ..Findings::default() })
}

/// Update time of both algorithms over the number of levels.
pub(crate) fn be2(settings: &Settings) -> Result<Findings> {
    let columns = [("levels", "levels"), ("buckets", "buckets"), ("algorithm", "algorithm"), ("update", "update_us")];
    let caption =
        format!("time to bring an octree over {} primitives up to date, mean frame", count(PRIMITIVES as u64));
    let mut figures = Figures::new("levels", caption, &columns);
    let bar = settings.bar(ALGORITHMS.len() * LEVEL_RANGE.count());
    let frames = recorded(PRIMITIVES, COHERENT, settings)?;
    let mut remarks = Vec::new();
    for (algorithm, filing) in ALGORITHMS {
        let mut times = Vec::new();
        for levels in LEVEL_RANGE {
            bar.set_message(format!("algorithm {algorithm}, {levels} levels"));
            let options = BucketTreeOptions::of_the_paper(levels).with_filing(filing);
            times.push(update_us(&frames, options, settings)?.whole);
            bar.inc(1);
        }
        for (levels, &us) in LEVEL_RANGE.zip(&times) {
            let buckets = Cell::Count(1 << (3 * levels));
            figures.row(vec![Cell::Count(levels.into()), buckets, Cell::text(algorithm), Cell::Micros(us)]);
        }
        let [to_four, to_six] = [times[3] / times[0], times[5] / times[3]].map(ratio);
        remarks.push(format!("algorithm {algorithm}: {to_four} the time from 1 level to 4, {to_six} from 4 to 6"));
    }
    bar.finish_and_clear();
    remarks.push("paper: linear up to 4 levels, exponential from the fifth on".to_owned());
    let (outlier, remark) = bucket_bodies::outlier(settings)?;
    remarks.push(remark);
    let panel = Panel {
        title: format!("BE2: levels, {} primitives", count(PRIMITIVES as u64)),
        x: "levels".to_owned(),
        x_scale: Scale::Linear,
        y: "milliseconds per update".to_owned(),
        series: figures.series(&["algorithm"], "levels", "update_us", 0.001),
    };
    Ok(Findings { tables: vec![figures, outlier], panels: vec![panel], remarks, ..Findings::default() })
}

/// Time to find a thousand pairs of overlapping buckets.
pub(crate) fn be3(settings: &Settings) -> Result<Findings> {
    /// The paper's table 1, in milliseconds on a Pentium II of 300 MHz.
    const PAPER: [(u32, f64); 3] = [(3, 95.0), (4, 325.0), (5, 684.0)];
    const OPENINGS: [(&str, Opening); 2] = [("the smaller", Opening::Smaller), ("the bigger", Opening::Bigger)];
    let columns = [
        ("levels", "levels"),
        ("opened", "opened"),
        ("pairs of buckets", "bucket_pairs"),
        ("box tests per pair", "box_tests_a_pair"),
        ("ns per box test", "ns_a_box_test"),
        ("for 1,000 pairs", "thousand_pairs_us"),
        ("paper", "paper_us"),
    ];
    let caption = "boxes of cells, without the contents of buckets; all frames together";
    let mut figures = Figures::new("traversal", caption, &columns);
    let frames = settings.frames_of(FRAMES)?;
    let bar = settings.bar(PAPER.len() * OPENINGS.len());
    let mut remarks = Vec::new();
    for (opened, opening) in OPENINGS {
        let mut times = Vec::new();
        for (levels, paper) in PAPER {
            bar.set_message(format!("{levels} levels, {opened} opened"));
            let options = BucketTreeOptions::of_the_paper(levels).with_opening(opening);
            let mut scratch = BucketScratch::default();
            let (mut pairs, mut box_tests, mut us) = (0, 0, 0.0);
            let [mut a, mut b] = [SEED, SEED + 1].map(|seed| PointSoup::new(PRIMITIVES, COHERENT, seed));
            for frame in 0..frames.end {
                for points in [&mut a, &mut b] {
                    points.advance();
                }
                if frame < frames.start {
                    continue;
                }
                let (soup_a, soup_b) = (filed(a.positions(), 0.0, options)?, filed(b.positions(), APART, options)?);
                let mut traverse = || {
                    let mut found = 0;
                    let stats = soup_a.bucket_pairs(&soup_b, NodeBoxes::Cells, &mut scratch, |_, _| {
                        found += 1;
                        ControlFlow::Continue(())
                    });
                    stats.map(|stats| (found, stats.box_tests))
                };
                let (found, tests) = traverse()?;
                pairs += found;
                box_tests += tests;
                us += settings.best_us(traverse);
            }
            let thousand = 1000.0 * us / pairs as f64;
            figures.row(vec![
                Cell::Count(levels.into()),
                Cell::text(opened),
                Cell::Count(pairs),
                Cell::Number(box_tests as f64 / pairs as f64),
                Cell::Number(1000.0 * us / box_tests as f64),
                Cell::Micros(thousand),
                Cell::Micros(1000.0 * paper),
            ]);
            times.push(thousand);
            bar.inc(1);
        }
        let [to_four, to_five] = [times[1] / times[0], times[2] / times[1]].map(ratio);
        remarks.push(format!(
            "{opened} opened: {to_four} from 3 levels to 4, {to_five} from 4 to 5 (paper: 3.42x, 2.10x)"
        ));
    }
    bar.finish_and_clear();
    let panel = Panel {
        title: "BE3: 1,000 pairs of buckets".to_owned(),
        x: "levels".to_owned(),
        x_scale: Scale::Linear,
        y: "milliseconds".to_owned(),
        series: figures.series(&["opened"], "levels", "thousand_pairs_us", 0.001),
    };
    Ok(Findings { tables: vec![figures], panels: vec![panel], remarks, ..Findings::default() })
}

/// An octree over points, moved along the diagonal.
fn filed(points: &[[f32; 3]], by: f32, options: BucketTreeOptions) -> Result<Soup<[f32; 3]>> {
    let mut soup = Soup::new(options)?;
    for point in points {
        soup.insert(point.map(|x| x + by))?;
    }
    soup.update()?;
    Ok(soup)
}

/// Frames of points in motion.
type Frames = Vec<Vec<[f32; 3]>>;

/// The frame before those that are asked for, and those.
fn recorded(count: usize, degrees: f64, settings: &Settings) -> Result<Frames> {
    let wanted = settings.frames_of(FRAMES)?;
    let mut points = PointSoup::new(count, degrees, SEED);
    let mut frames = vec![points.positions().to_vec()];
    for frame in 0..wanted.end {
        points.advance();
        if frame + 1 == wanted.start {
            frames.clear();
        }
        frames.push(points.positions().to_vec());
    }
    Ok(frames)
}

/// What an update takes, in microseconds.
struct UpdateTime {
    whole: f64,
    /// The part in which primitives get into their buckets.
    filing: f64,
}

/// The time of an update: of each frame but the first the best time, of those the mean.
fn update_us(frames: &Frames, options: BucketTreeOptions, settings: &Settings) -> Result<UpdateTime> {
    let mut best = vec![[f64::INFINITY; 2]; frames.len() - 1];
    for _ in 0..settings.repeat {
        let mut soup = Soup::new(options)?;
        for &point in &frames[0] {
            soup.insert(point)?;
        }
        soup.update()?;
        for (positions, [whole, filing]) in frames[1..].iter().zip(&mut best) {
            for ((_, point), &position) in soup.iter_mut().zip(positions) {
                *point = position;
            }
            let start = Instant::now();
            let mut taken_in = start;
            soup.update_in_stages(|stage| match stage {
                UpdateStage::TakenIn => taken_in = Instant::now(),
                UpdateStage::Filed => *filing = filing.min(micros(taken_in.elapsed())),
                _ => {}
            })?;
            *whole = whole.min(micros(start.elapsed()));
        }
    }
    let mean = |part: usize| best.iter().map(|best| best[part]).sum::<f64>() / best.len() as f64;
    Ok(UpdateTime { whole: mean(0), filing: mean(1) })
}
