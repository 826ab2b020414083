//! Columns read back from the device, in the words of `crate::LayeredDepthImage`.

use crate::{Crossing, CrossingKind, Direction, InsideRule, Resolution, Span};
use crumple::Aabb;

use crate::gpu::columns::Side;
use crate::gpu::read_back::ReadBack;
use crate::gpu::window::{Status, Window};
use crate::gpu::{Gpu, GpuError};

/// Sorted entries and exits along the rays of a grid of samples, as the device found them.
#[derive(Clone, Debug)]
pub struct DepthColumns {
    resolution: Resolution,
    inside: InsideRule,
    window: Window,
    status: Status,
    offsets: Vec<u32>,
    lengths: Vec<u32>,
    keys: Vec<u32>,
}

impl DepthColumns {
    pub(crate) fn read(
        gpu: &Gpu,
        side: &Side,
        window: &Window,
        fragments: u32,
        inside: InsideRule,
    ) -> Result<Self, GpuError> {
        let pixels = side.resolution.sample_count() as u64;
        let parts =
            [(&side.offsets, 4 * (pixels + 1)), (&side.lengths, 4 * pixels), (&side.keys, 4 * u64::from(fragments))];
        let total: u64 = parts.iter().map(|(_, size)| size).sum::<u64>() + Status::SIZE;
        let mut read_back = ReadBack::new(gpu, total)?;
        let mut encoder = gpu.encoder();
        read_back.copy(&mut encoder, &side.status, Status::SIZE, 0);
        let mut at = Status::SIZE;
        for (buffer, size) in parts.into_iter().filter(|(_, size)| *size > 0) {
            read_back.copy(&mut encoder, buffer, size, at);
            at += size;
        }
        gpu.submit(encoder);
        let bytes = read_back.read(gpu, total)?;
        let status = Status::read(bytes);
        let mut rest = &bytes[size_of::<Status>()..];
        let [offsets, lengths, keys] = parts.map(|(_, size)| {
            let (words, behind) = rest.split_at(size as usize);
            rest = behind;
            bytemuck::pod_collect_to_vec(words)
        });
        Ok(Self { resolution: side.resolution, inside, window: *window, status, offsets, lengths, keys })
    }

    /// How many samples there are.
    pub fn resolution(&self) -> Resolution {
        self.resolution
    }

    /// Where the image looks.
    pub fn direction(&self) -> Direction {
        self.window.direction()
    }

    /// The box the image was taken of.
    pub fn bounds(&self) -> Aabb {
        let [min, max] = self.window.corners();
        Aabb::new(min, max)
    }

    /// Depths are whole multiples of this.
    pub fn depth_step(&self) -> f64 {
        self.window.depth_step()
    }

    /// The most crossings in any column: n_max of the paper.
    pub fn depth_complexity(&self) -> u32 {
        self.status.depth_complexity
    }

    /// Columns with an odd number of crossings; 0 for every closed body on the compute path.
    pub fn odd_columns(&self) -> usize {
        self.status.odd as usize
    }

    /// Columns in which entries and exits do not alternate, or which end inside although the image holds the whole body.
    pub fn unordered_columns(&self) -> usize {
        self.status.unordered as usize
    }

    /// How many crossings there are in all.
    pub fn crossing_count(&self) -> usize {
        self.status.kept as usize
    }

    fn keys(&self, column: u32, row: u32) -> &[u32] {
        if column >= self.resolution.columns || row >= self.resolution.rows {
            return &[];
        }
        let number = row as usize * self.resolution.columns as usize + column as usize;
        let start = self.offsets[number] as usize;
        &self.keys[start..start + self.lengths[number] as usize]
    }

    /// The crossings along the ray of a sample, nearest first; none for a sample that is not there.
    pub fn crossings(&self, column: u32, row: u32) -> impl ExactSizeIterator<Item = Crossing> + '_ {
        let step = self.depth_step();
        self.keys(column, row).iter().map(move |&key| Crossing {
            depth: f64::from(key >> 1) * step,
            kind: if key & 1 == 1 { CrossingKind::Exit } else { CrossingKind::Entry },
        })
    }

    /// What lies inside along the ray of a sample; a span still open at the far plane ends there.
    pub fn spans(&self, column: u32, row: u32) -> Vec<Span> {
        let (mut spans, mut winding, mut low) = (Vec::new(), 0i64, None);
        let is_inside = |winding: i64| match self.inside {
            InsideRule::WindingNumber => winding != 0,
            InsideRule::Parity => winding % 2 != 0,
        };
        let step = self.depth_step();
        for tied in self.keys(column, row).chunk_by(|a, b| a >> 1 == b >> 1) {
            let here = f64::from(tied[0] >> 1) * step;
            winding += tied.iter().map(|key| if key & 1 == 1 { -1 } else { 1 }).sum::<i64>();
            match (low, is_inside(winding)) {
                (None, true) => low = Some(here),
                (Some(begin), false) => {
                    spans.push(Span { low: begin, high: here });
                    low = None;
                }
                _ => {}
            }
        }
        let far = f64::from(self.window.depth()) * step;
        spans.extend(low.filter(|&low| low < far).map(|low| Span { low, high: far }));
        spans
    }

    /// The volume inside: the length of all spans times the area of a pixel.
    pub fn volume(&self) -> f64 {
        let Resolution { columns, rows } = self.resolution;
        let samples = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        let length: f64 = samples.flat_map(|(column, row)| self.spans(column, row)).map(|span| span.length()).sum();
        length * self.window.pixel_area()
    }
}
