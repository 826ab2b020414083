//! Sampled overlaps on a page: bars along their samples.

use anyhow::Result;
use crumple::{Aabb, Axis, Frame};
use crumple_io::write::{Overlap, PageFrame};
use crumple_ldi::{OverlapSpan, Resolution};

use crate::measure::{Page, Row};

/// An overlap, sampled along an axis of a box.
pub(super) struct Sampled<'a> {
    pub(super) volume: f64,
    pub(super) bounds: Aabb,
    pub(super) axis: Axis,
    pub(super) resolution: Resolution,
    pub(super) spans: &'a [OverlapSpan],
}

impl Sampled<'_> {
    /// Adds a frame to a page: what overlaps is that of the first body and the last.
    pub(super) fn show(&self, row: &Row<'_>, now: Frame<'_>, page: &mut Page) -> Result<()> {
        let (found, (bars, footprint)) = (row.found(now), self.bars());
        let last = now.bodies().count() as u32 - 1;
        let overlap = Overlap { a: 0, b: last, volume: self.volume, footprint, spans: &bars };
        page.frame(now, None, PageFrame { overlaps: &[overlap], ..PageFrame::from(&found) })
    }

    /// The ends of every span, and how wide a sample is along the two other axes, in their order.
    fn bars(&self) -> (Vec<[[f32; 3]; 2]>, [f32; 2]) {
        let (low, extent) = (self.bounds.min(), self.bounds.extent());
        let [u, v] = self.axis.others().map(|axis| axis as usize);
        let mut step = [0.0; 3];
        step[u] = extent[u] / self.resolution.columns as f32;
        step[v] = extent[v] / self.resolution.rows as f32;
        let bar = |OverlapSpan { sample: [column, row], span }: &OverlapSpan| {
            [span.low, span.high].map(|depth| {
                let mut end = [depth as f32; 3];
                end[u] = low[u] + (*column as f32 + 0.5) * step[u];
                end[v] = low[v] + (*row as f32 + 0.5) * step[v];
                end
            })
        };
        (self.spans.iter().map(bar).collect(), [step[u.min(v)], step[u.max(v)]])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crumple_ldi::Span;

    #[test]
    fn bars_lie_in_the_middle_of_their_samples_whatever_the_axis() {
        let bounds = Aabb::new([0.0, 10.0, 20.0], [4.0, 18.0, 36.0]);
        let spans = [OverlapSpan { sample: [1, 0], span: Span { low: 5.0, high: 6.0 } }];
        for (axis, footprint, bar) in [
            (Axis::X, [4.0, 4.0], [[5.0, 16.0, 22.0], [6.0, 16.0, 22.0]]),
            (Axis::Y, [1.0, 8.0], [[0.5, 5.0, 32.0], [0.5, 6.0, 32.0]]),
            (Axis::Z, [2.0, 2.0], [[3.0, 11.0, 5.0], [3.0, 11.0, 6.0]]),
        ] {
            let resolution = Resolution { columns: 2, rows: 4 };
            let sampled = Sampled { volume: 1.0, bounds, axis, resolution, spans: &spans };
            assert_eq!(sampled.bars(), (vec![bar], footprint), "{axis:?}");
        }
    }
}
