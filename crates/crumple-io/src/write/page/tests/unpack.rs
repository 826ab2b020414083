//! Unpacks a page again, written from the layouts in the headers of `motion.rs`, `contacts.rs`, `impacts.rs`,
//! `regions.rs`, `near.rs` and `depths.rs`, not from their code.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use miniz_oxide::inflate::decompress_to_vec_zlib;

/// The text of the element with this id.
pub(super) fn element<'a>(html: &'a str, id: &str) -> &'a str {
    let (_, inside) = html.split_once(&format!("id=\"{id}\">")).unwrap_or_else(|| panic!("no element {id}"));
    &inside[..inside.find("</script>").unwrap()]
}

/// What a chunk holds: positions by body, frame and vertex, and what was found in each frame.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    pub(super) kinds: Vec<u8>,
    pub(super) positions: Vec<Vec<Vec<[f64; 3]>>>,
    pub(super) contacts: Vec<Vec<Contact>>,
    pub(super) overlaps: Vec<Vec<Spans>>,
    pub(super) impacts: Vec<Vec<Impact>>,
    pub(super) regions: Vec<Vec<Region>>,
    pub(super) curves: Vec<Vec<Curve>>,
    pub(super) near: Vec<Near>,
    pub(super) depths: Vec<Vec<Depths>>,
}

#[derive(Debug, PartialEq)]
pub(super) struct Contact {
    pub(super) a: u64,
    pub(super) b: u64,
    pub(super) count: u64,
    pub(super) pairs: Vec<[i64; 2]>,
}

/// Kind, time, and all numbers in their order.
pub(super) type Impact = (u8, f32, Vec<u64>);

#[derive(Debug, PartialEq)]
pub(super) struct Region {
    pub(super) bodies: [u64; 2],
    pub(super) id: u64,
    /// Volume, centroid, normal.
    pub(super) measures: [f32; 7],
    pub(super) triangles: [Vec<i64>; 2],
}

/// Whether it is closed, and its points.
pub(super) type Curve = (bool, Vec<[f64; 3]>);

/// By body, the vertices and their levels; and the segments, by bodies.
pub(super) type Near = (Vec<(u64, Vec<(i64, u8)>)>, Vec<([u64; 2], [f32; 6])>);

/// The inner and the outer body, the deepest, and the vertices with their levels.
pub(super) type Depths = ([u64; 2], f32, Vec<(i64, u8)>);

#[derive(Debug)]
pub(super) struct Spans {
    pub(super) footprint: [f32; 2],
    pub(super) spans: Vec<[[f64; 3]; 2]>,
}

pub(super) struct Block {
    bytes: Vec<u8>,
    at: usize,
}

impl Block {
    pub(super) fn of(html: &str, id: &str) -> Self {
        let packed = STANDARD.decode(element(html, id)).unwrap();
        Block { bytes: decompress_to_vec_zlib(&packed).unwrap(), at: 0 }
    }

    pub(super) fn byte(&mut self) -> u8 {
        self.at += 1;
        self.bytes[self.at - 1]
    }

    pub(super) fn count(&mut self) -> u64 {
        let byte = u64::from(self.byte());
        if byte < 128 { byte } else { byte - 128 + 128 * self.count() }
    }

    pub(super) fn step(&mut self) -> i64 {
        let folded = self.count() as i64;
        if folded % 2 == 0 { folded / 2 } else { -(folded + 1) / 2 }
    }

    pub(super) fn is_done(&self) -> bool {
        self.at == self.bytes.len()
    }

    fn float(&mut self) -> f32 {
        f32::from_le_bytes([self.byte(), self.byte(), self.byte(), self.byte()])
    }

    fn floats3(&mut self) -> [f32; 3] {
        [self.float(), self.float(), self.float()]
    }

    /// A body's frames; `None` where an earlier chunk has them.
    fn motion(&mut self, kind: u8, vertices: usize, frames: usize) -> Option<Vec<Vec<[f64; 3]>>> {
        if kind == 2 {
            self.count();
            return None;
        }
        let (low, high) = (self.floats3(), self.floats3());
        let mut steps: Vec<Vec<i64>> = vec![];
        for frame in 0..if kind == 0 { frames } else { 1 } {
            let guess = self.byte();
            let low: Vec<u8> = (0..3 * vertices).map(|_| self.byte()).collect();
            let mut now = vec![];
            for i in 0..3 * vertices {
                let folded = i64::from(low[i]) + 256 * i64::from(self.byte());
                let error = if folded % 2 == 0 { folded / 2 } else { -(folded + 1) / 2 };
                let (before, leads) = (|back: usize, i: usize| steps[frame - back][i], i % vertices == 0);
                let expected = match guess {
                    0 if leads => 0,
                    0 => now[i - 1],
                    1 => before(1, i),
                    2 => 2 * before(1, i) - before(2, i),
                    3 => 3 * before(1, i) - 3 * before(2, i) + before(3, i),
                    4 if leads => before(1, i),
                    4 => before(1, i) + now[i - 1] - before(1, i - 1),
                    other => panic!("guess {other}"),
                };
                now.push((expected + error).rem_euclid(65536));
            }
            steps.push(now);
        }
        let at = |steps: &Vec<i64>, vertex: usize, axis: usize| {
            let (low, high) = (f64::from(low[axis]), f64::from(high[axis]));
            low + (high - low) * steps[axis * vertices + vertex] as f64 / 65535.0
        };
        let place = |steps| (0..vertices).map(|vertex| [0, 1, 2].map(|axis| at(steps, vertex, axis))).collect();
        Some(steps.iter().map(place).collect())
    }

    fn contacts(&mut self) -> Vec<Contact> {
        let contacts = self.count();
        let contact = |_| {
            let (a, b, count, listed) = (self.count(), self.count(), self.count(), self.count());
            let mut pair = [0, 0];
            let pairs = (0..listed).map(|_| {
                pair = [pair[0] + self.step(), pair[1] + self.step()];
                pair
            });
            Contact { a, b, count, pairs: pairs.collect() }
        };
        (0..contacts).map(contact).collect()
    }

    fn overlaps(&mut self) -> Vec<Spans> {
        let overlaps = self.count();
        let overlap = |_| {
            self.count();
            self.count();
            let footprint = [self.float(), self.float()];
            let spans = self.count();
            let (low, high) = (self.floats3(), self.floats3());
            let place = |steps: [i64; 3]| {
                [0, 1, 2]
                    .map(|axis| f64::from(low[axis]) + f64::from(high[axis] - low[axis]) * steps[axis] as f64 / 1023.0)
            };
            let mut entry = [0; 3];
            let spans = (0..spans).map(|_| {
                entry = entry.map(|before| before + self.step());
                [place(entry), place(entry.map(|before| before + self.step()))]
            });
            Spans { footprint, spans: spans.collect() }
        };
        (0..overlaps).map(overlap).collect()
    }

    fn impacts(&mut self) -> Vec<Impact> {
        let impacts = self.count();
        let impact = |_| {
            let (kind, time) = (self.byte(), self.float());
            let numbers = if kind == 2 { 6 } else { 4 };
            (kind, time, (0..numbers).map(|_| self.count()).collect())
        };
        (0..impacts).map(impact).collect()
    }

    fn regions(&mut self) -> Vec<Region> {
        let regions = self.count();
        let region = |_| {
            let (bodies, id) = ([self.count(), self.count()], self.count());
            let measures = [(); 7].map(|()| self.float());
            let triangles = [(); 2].map(|()| {
                let (count, mut triangle) = (self.count(), 0);
                let next = |_| {
                    triangle += self.step();
                    triangle
                };
                (0..count).map(next).collect()
            });
            Region { bodies, id, measures, triangles }
        };
        (0..regions).map(region).collect()
    }

    fn curves(&mut self) -> Vec<Curve> {
        let curves = self.count();
        if curves == 0 {
            return Vec::new();
        }
        let (low, high) = (self.floats3(), self.floats3());
        let curve = |_| {
            let (is_closed, points) = (self.byte() == 1, self.count());
            let mut steps = [0; 3];
            let point = |_| {
                steps = steps.map(|before| before + self.step());
                [0, 1, 2]
                    .map(|axis| f64::from(low[axis]) + f64::from(high[axis] - low[axis]) * steps[axis] as f64 / 65535.0)
            };
            (is_closed, (0..points).map(point).collect())
        };
        (0..curves).map(curve).collect()
    }

    fn near(&mut self) -> Near {
        let bodies = self.count();
        let body = |_| {
            let (body, count, mut vertex) = (self.count(), self.count(), 0);
            let level = |_| {
                vertex += self.step();
                (vertex, self.byte())
            };
            (body, (0..count).map(level).collect())
        };
        let distances = (0..bodies).map(body).collect();
        let segments = self.count();
        (distances, (0..segments).map(|_| ([self.count(), self.count()], [(); 6].map(|()| self.float()))).collect())
    }

    fn depths(&mut self) -> Vec<Depths> {
        let groups = self.count();
        let group = |_| {
            let (bodies, deepest) = ([self.count(), self.count()], self.float());
            let (count, mut vertex) = (self.count(), 0);
            let level = |_| {
                vertex += self.step();
                (vertex, self.byte())
            };
            (bodies, deepest, (0..count).map(level).collect())
        };
        (0..groups).map(group).collect()
    }
}

/// Unpacks every chunk of a page; bodies that stand still are given in every frame.
pub(super) fn chunks(html: &str, vertices: &[usize], frames: &[usize]) -> Vec<Chunk> {
    let head: serde_json::Value = serde_json::from_str(element(html, "head")).expect("a head");
    let [has_near, has_depths] = ["clearance", "deepest"].map(|name| head.get(name).is_some());
    let mut out: Vec<Chunk> = vec![];
    for (number, &frames) in frames.iter().enumerate() {
        let mut block = Block::of(html, &format!("chunk-{number}"));
        let mut chunk = Chunk::default();
        for (body, &vertices) in vertices.iter().enumerate() {
            let kind = block.byte();
            let earlier = || out.last().expect("an earlier chunk").positions[body].clone();
            let mut motion = block.motion(kind, vertices, frames).unwrap_or_else(earlier);
            motion.truncate(frames);
            motion.resize(frames, motion[0].clone());
            chunk.kinds.push(kind);
            chunk.positions.push(motion);
        }
        for _ in 0..frames {
            chunk.contacts.push(block.contacts());
            chunk.overlaps.push(block.overlaps());
            chunk.impacts.push(block.impacts());
            chunk.regions.push(block.regions());
            chunk.curves.push(block.curves());
            if has_near {
                chunk.near.push(block.near());
            }
            if has_depths {
                chunk.depths.push(block.depths());
            }
        }
        assert!(block.is_done(), "bytes left over in chunk {number}");
        out.push(chunk);
    }
    out
}
