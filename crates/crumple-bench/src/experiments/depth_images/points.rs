//! HE2: how long images of whole bodies take, and points in them.

use anyhow::Result;
use crumple_ldi::{PointsInside, PointsOptions};
use crumple_scenes::points_in_box;

use super::growth::{self, KNOTS, SIDES};
use super::on_gpu::OnGpu;
use super::{DRAGON, KNOT, RABBIT, REPTILE, RESOLUTION, SANTA, body, floor_us, image_us, median_us};
use crate::experiment::Findings;
use crate::settings::Settings;
use crate::show::figures::{Cell, Figures};
use crumple_io::words::count;

/// Points asked for in table 2.
const POINTS: usize = 100_000;

/// Images of whole bodies, and 100,000 points: the paper's table 2, and what the cost grows with.
pub(crate) fn he2(settings: &Settings) -> Result<Findings> {
    let bodies = [KNOT, RABBIT, REPTILE, SANTA, DRAGON];
    let columns = [
        ("body", "body"),
        ("triangles", "triangles"),
        ("layers", "depth_complexity"),
        ("floor", "floor_us"),
        ("image", "image_us"),
        ("it / floor", "ratio_to_floor"),
        ("points", "points_us"),
        ("exact points", "exact_points_us"),
        ("paper: layers", "paper_depth_complexity"),
        ("image", "paper_image_us"),
        ("points", "paper_points_us"),
    ];
    let points = count(POINTS as u64);
    let caption =
        format!("whole bodies at {RESOLUTION} x {RESOLUTION} samples, and {points} points in their boxes, medians");
    let mut figures = Figures::new("points", caption, &columns);
    let mut on_gpu = OnGpu::images(settings);
    let bar = settings.bar(bodies.len() + KNOTS.len() + SIDES.len() + 1);
    for paper_body in &bodies {
        bar.set_message(paper_body.name);
        let shape = paper_body.shape(settings)?;
        let mut body = body(&shape)?;
        let (image, image_us) = image_us(&body, RESOLUTION, settings)?;
        let bounds = body.bounds();
        let points = points_in_box(POINTS, 1, bounds.min(), bounds.max());
        let mut inside = Vec::new();
        let points_us = median_us(settings, || image.contains_points(&points, &mut inside));
        let mut exact = PointsInside::new(PointsOptions::default().with_exact());
        exact.test(&body, &points)?;
        // Tested a moment ago, so it cannot be refused.
        let exact_us = median_us(settings, || exact.test(&body, &points).map(<[bool]>::len).unwrap_or_default());
        let floor = floor_us(&shape, settings);
        let [layers, paper_image, paper_points] = paper_body.paper;
        figures.row(vec![
            Cell::text(paper_body.name),
            Cell::count(shape.triangles.len()),
            Cell::Count(u64::from(image.depth_complexity())),
            Cell::Micros(floor),
            Cell::Micros(image_us),
            Cell::Ratio(image_us / floor),
            Cell::Micros(points_us),
            Cell::Micros(exact_us),
            Cell::Count(layers),
            Cell::Micros(1000.0 * paper_image as f64),
            Cell::Micros(1000.0 * paper_points as f64),
        ]);
        let what = [paper_body.name.to_owned(), count(shape.triangles.len() as u64)];
        on_gpu.image(settings, what, &mut body, &shape, &points, [image_us, points_us])?;
        bar.inc(1);
    }
    let mut found = Findings { tables: vec![figures], ..Findings::default() };
    on_gpu.finish(settings, &mut found.tables, &mut found.remarks);
    growth::over_triangles(settings, &bar, &mut found)?;
    growth::over_crossings(settings, &bar, &mut found)?;
    found.remarks.push(growth::on_two_threads(settings, &bar)?);
    bar.finish_and_clear();
    Ok(found)
}
