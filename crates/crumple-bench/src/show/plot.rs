//! Draws times as SVG: one panel per experiment, one line per method, time on a logarithmic scale.
//!
//! Lines differ in colour *and* in their dashes, so that nobody needs to distinguish colours. The text needs no font of this
//! machine: the program that shows the picture has one.

use anyhow::{Context, Result, anyhow};
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::element::DashedPathElement;
use plotters::prelude::*;

use crate::methods::FLOOR;

/// Lines over one pair of axes.
#[derive(Clone, Debug)]
pub struct Panel {
    /// The line above it.
    pub title: String,
    /// What the horizontal axis shows.
    pub x: String,
    /// How the horizontal axis is divided.
    pub x_scale: Scale,
    /// What the vertical axis shows; it is logarithmic.
    pub y: String,
    /// The lines.
    pub series: Vec<Series>,
}

/// How an axis is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal steps are equal differences.
    Linear,
    /// Equal steps are equal ratios.
    Logarithmic,
}

/// One line.
#[derive(Clone, Debug)]
pub struct Series {
    /// Its name in the legend.
    pub label: String,
    /// Its points, from left to right.
    pub points: Vec<(f64, f64)>,
}

const WIDTH: u32 = 960;
const HEIGHT: u32 = 480;

/// After Okabe and Ito: eight colours that most people can distinguish, without the yellow, which is hard to see on white.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(90, 90, 90),
];

/// Length of dash and gap in pixels, of lines one after another. Three and seven have no common factor, so 21 lines differ.
const DASHES: [(u32, u32); 3] = [(UNBROKEN, 0), (9, 4), (3, 3)];

/// Longer than any line.
const UNBROKEN: u32 = 1 << 20;

/// How a line is drawn.
fn style(at: usize, label: &str) -> (ShapeStyle, (u32, u32)) {
    match label {
        FLOOR => (BLACK.stroke_width(1), (1, 2)),
        _ => (COLOURS[at % COLOURS.len()].stroke_width(2), DASHES[at % DASHES.len()]),
    }
}

/// Draws the panels below one another, as SVG.
///
/// # Errors
/// If the plot cannot be drawn.
pub fn draw(panels: &[Panel]) -> Result<String> {
    let mut svg = String::new();
    {
        let size = (WIDTH, HEIGHT * panels.len().max(1) as u32);
        let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        root.fill(&WHITE)?;
        for (area, panel) in root.split_evenly((panels.len().max(1), 1)).iter().zip(panels) {
            let (x, y) = (range(panel, |point| point.0), range(panel, |point| point.1));
            let y = (y.start * 0.8..y.end * 1.25).log_scale();
            match panel.x_scale {
                Scale::Linear => draw_panel(area, panel, x, y)?,
                Scale::Logarithmic => draw_panel(area, panel, (x.start * 0.9..x.end * 1.1).log_scale(), y)?,
            }
        }
        root.present()?;
    }
    Ok(svg)
}

/// From the smallest to the largest number; of some width even where there is one number or none.
fn range(panel: &Panel, of: impl Fn(&(f64, f64)) -> f64) -> std::ops::Range<f64> {
    let numbers = || panel.series.iter().flat_map(|series| &series.points).map(&of);
    let (low, high) = (numbers().fold(f64::INFINITY, f64::min), numbers().fold(f64::NEG_INFINITY, f64::max));
    match (low.is_finite() && high.is_finite(), low < high) {
        (true, true) => low..high,
        (true, false) => low..low + 1.0,
        _ => 1.0..2.0,
    }
}

fn draw_panel<X, Y>(area: &DrawingArea<SVGBackend<'_>, plotters::coord::Shift>, panel: &Panel, x: X, y: Y) -> Result<()>
where
    X: AsRangedCoord<Value = f64>,
    Y: AsRangedCoord<Value = f64>,
    X::CoordDescType: ValueFormatter<f64>,
    Y::CoordDescType: ValueFormatter<f64>,
{
    let mut chart = ChartBuilder::on(area)
        .caption(&panel.title, ("sans-serif", 20))
        .margin(14)
        .x_label_area_size(48)
        .y_label_area_size(72)
        .build_cartesian_2d(x, y)
        .map_err(|error| anyhow!("{error}"))
        .context("the plot cannot be drawn")?;
    chart
        .configure_mesh()
        .x_desc(&panel.x)
        .y_desc(&panel.y)
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.1))
        .x_label_formatter(&|value| format!("{}", value.round()))
        .y_label_formatter(&|value| format!("{value}"))
        .label_style(("sans-serif", 16))
        .draw()
        .map_err(|error| anyhow!("{error}"))?;
    for (at, series) in panel.series.iter().enumerate() {
        let (style, (dash, gap)) = style(at, &series.label);
        let line = DashedLineSeries::new(series.points.iter().copied(), dash, gap, style);
        let drawn = chart.draw_series(line).map_err(|error| anyhow!("{error}"))?;
        let sample = move |(x, y)| DashedPathElement::new([(x, y), (x + 28, y)], dash, gap, style);
        drawn.label(&series.label).legend(sample);
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.85))
        .border_style(BLACK.mix(0.3))
        .label_font(("sans-serif", 16))
        .legend_area_size(34)
        .draw()
        .map_err(|error| anyhow!("{error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plot_names_every_line_and_both_axes() {
        let line = |label: &str, height: f64| Series {
            label: label.to_owned(),
            points: (0..10).map(|i| (f64::from(i), height + f64::from(i))).collect(),
        };
        let panel = |x_scale| Panel {
            title: "LE1".to_owned(),
            x: "frame".to_owned(),
            x_scale,
            y: "milliseconds".to_owned(),
            series: vec![line("hybrid-tree", 1.0), line("floor", 0.01)],
        };
        let svg = draw(&[panel(Scale::Linear), panel(Scale::Linear)]).unwrap();
        for words in ["LE1", "frame", "milliseconds", "hybrid-tree", "floor"] {
            assert_eq!(svg.matches(words).count(), 2, "{words}");
        }
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    }

    #[test]
    fn a_plot_of_nothing_is_still_a_picture() {
        assert!(draw(&[]).unwrap().starts_with("<svg"));
    }
}
