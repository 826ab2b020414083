//! What the cost of an image grows with: triangles and crossings; and what a second thread saves.

use anyhow::Result;
use crumple_scenes::torus_knot;
use indicatif::ProgressBar;

use super::{DRAGON, KNOT, RESOLUTION, body, image_us};
use crate::experiment::Findings;
use crate::settings::Settings;
use crate::show::figures::{Cell, Figures};
use crate::show::plot::{Panel, Scale, Series};
use crumple_io::words::{count, number, ratio, time};

/// Cells around the tube of knots of 11,520 to 1,658,880 triangles.
pub(super) const KNOTS: [u32; 5] = [24, 48, 96, 192, 288];

/// The same body in finer and finer triangles.
pub(super) fn over_triangles(settings: &Settings, bar: &ProgressBar, found: &mut Findings) -> Result<()> {
    let columns = [
        ("triangles", "triangles"),
        ("crossings", "crossings"),
        ("image", "image_us"),
        ("ns per triangle", "ns_a_triangle"),
        ("ns per further triangle", "ns_a_further_triangle"),
    ];
    let caption = format!("a knot of more and more triangles at {RESOLUTION} x {RESOLUTION} samples, medians");
    let mut figures = Figures::new("triangles", caption, &columns);
    let mut further = Further::default();
    for detail in KNOTS {
        bar.set_message(format!("knot of {} triangles", count(20 * u64::from(detail * detail))));
        let shape = torus_knot(detail)?;
        let (image, us) = image_us(&body(&shape)?, RESOLUTION, settings)?;
        let triangles = shape.triangles.len();
        figures.row(vec![
            Cell::count(triangles),
            Cell::count(image.stats().crossings),
            Cell::Micros(us),
            Cell::Number(1000.0 * us / triangles as f64),
            further.cell(triangles, us),
        ]);
        bar.inc(1);
    }
    found.remarks.push(further.remark("triangle"));
    found.panels.push(Panel {
        title: "HE2: image of a knot at 128 x 128 samples".to_owned(),
        x: "triangles".to_owned(),
        x_scale: Scale::Logarithmic,
        y: "milliseconds per image".to_owned(),
        series: line(&figures, "triangles"),
    });
    found.tables.push(figures);
    Ok(())
}

/// Samples per side for the cost of crossings.
pub(super) const SIDES: [u32; 5] = [128, 256, 512, 1024, 2048];

/// The same body at more and more samples.
pub(super) fn over_crossings(settings: &Settings, bar: &ProgressBar, found: &mut Findings) -> Result<()> {
    let columns = [
        ("samples", "samples"),
        ("crossings", "crossings"),
        ("image", "image_us"),
        ("ns per crossing", "ns_a_crossing"),
        ("ns per further crossing", "ns_a_further_crossing"),
    ];
    // Triangles coarser than the samples: with finer ones, more of them reach a sample at every step, and cost too.
    let shape = KNOT.shape(settings)?;
    let triangles = count(shape.triangles.len() as u64);
    let caption = format!("the knot of {triangles} triangles at more and more samples, medians");
    let mut figures = Figures::new("crossings", caption, &columns);
    let knot = body(&shape)?;
    let mut further = Further::default();
    for side in SIDES {
        bar.set_message(format!("knot at {side} x {side}"));
        let (image, us) = image_us(&knot, side, settings)?;
        let crossings = image.stats().crossings;
        figures.row(vec![
            Cell::text(format!("{side} x {side}")),
            Cell::count(crossings),
            Cell::Micros(us),
            Cell::Number(1000.0 * us / crossings.max(1) as f64),
            further.cell(crossings, us),
        ]);
        bar.inc(1);
    }
    found.remarks.push(further.remark("crossing"));
    found.panels.push(Panel {
        title: format!("HE2: image of the knot of {triangles} triangles"),
        x: "crossings".to_owned(),
        x_scale: Scale::Logarithmic,
        y: "milliseconds per image".to_owned(),
        series: line(&figures, "crossings"),
    });
    found.tables.push(figures);
    Ok(())
}

/// Samples per side at which a second thread is measured.
const SHARED: u32 = 1024;

/// The largest body at many samples, on one thread and on two.
pub(super) fn on_two_threads(settings: &Settings, bar: &ProgressBar) -> Result<String> {
    bar.set_message("dragon on two threads");
    let shape = DRAGON.shape(settings)?;
    let body = body(&shape)?;
    let on = |threads: usize| -> Result<f64> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        Ok(pool.install(|| image_us(&body, SHARED, settings))?.1)
    };
    let (one, two) = (on(1)?, on(2)?);
    bar.inc(1);
    Ok(format!(
        "the dragon of {} triangles at {SHARED} x {SHARED} samples: {} on one thread, {} on two: {} as fast",
        count(shape.triangles.len() as u64),
        time(one),
        time(two),
        ratio(one / two)
    ))
}

/// The image's time over a column.
fn line(figures: &Figures, over: &str) -> Vec<Series> {
    let mut series = figures.series(&[], over, "image_us", 0.001);
    series.iter_mut().for_each(|line| line.label = "depth image".to_owned());
    series
}

/// The cost of each further triangle or crossing: the same at every size if cost is linear.
#[derive(Debug, Default)]
struct Further {
    last: Option<(usize, f64)>,
    costs: Vec<f64>,
}

impl Further {
    fn cell(&mut self, things: usize, us: f64) -> Cell {
        let cost = self
            .last
            .replace((things, us))
            .map(|(before, us_before)| 1000.0 * (us - us_before) / (things as f64 - before as f64));
        self.costs.extend(cost);
        cost.map_or(Cell::Nothing, Cell::Number)
    }

    fn remark(&self, thing: &str) -> String {
        let costs: Vec<String> = self.costs.iter().copied().map(number).collect();
        format!("each further {thing} costs {} ns, from size to size", costs.join(", "))
    }
}
