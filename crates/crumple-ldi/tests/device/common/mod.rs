//! The built-in bodies, and how far two images are apart.

use crumple_ldi::gpu::DepthColumns;
use crumple_ldi::{Crossing, LayeredDepthImage, OverlapSpan, Resolution, Span};
use crumple_scenes::{Model, Shape, Solid};

pub(crate) fn moved(shape: &Shape, to: impl Fn([f32; 3]) -> [f32; 3]) -> Shape {
    Shape { triangles: shape.triangles.clone(), positions: shape.positions.iter().map(|&at| to(at)).collect() }
}

/// Two shapes in one mesh.
pub(crate) fn joined(a: &Shape, b: &Shape) -> Shape {
    let first = a.positions.len() as u32;
    let behind = b.triangles.iter().map(|corners| corners.map(|vertex| vertex + first));
    Shape {
        triangles: a.triangles.iter().copied().chain(behind).collect(),
        positions: a.positions.iter().chain(&b.positions).copied().collect(),
    }
}

pub(crate) fn cuboid(low: [f32; 3], high: [f32; 3]) -> Shape {
    let corner = |k: usize| [0, 1, 2].map(|axis| if k >> axis & 1 == 1 { high[axis] } else { low[axis] });
    let triangles = vec![
        [0, 2, 1],
        [1, 2, 3],
        [4, 5, 6],
        [5, 7, 6],
        [0, 1, 4],
        [1, 5, 4],
        [2, 6, 3],
        [3, 6, 7],
        [0, 4, 2],
        [2, 4, 6],
        [1, 3, 5],
        [3, 7, 5],
    ];
    Shape { triangles, positions: (0..8).map(corner).collect() }
}

/// The built-in bodies, small enough for software, and boxes whose edges fall on samples.
pub(crate) fn built_in() -> Vec<(&'static str, Shape)> {
    let bumpy = crumple_scenes::bumpy_spheres(Solid::Icosahedron, 4).unwrap();
    let bumpy =
        Shape { triangles: bumpy.bodies()[0].triangles().to_vec(), positions: bumpy.bodies()[0].positions_at(0) };
    let knot = crumple_scenes::torus_knot(16).unwrap();
    let cubes = joined(&cuboid([0.0; 3], [1.0; 3]), &cuboid([0.5, 0.25, 2.0], [0.75, 1.0, 3.0]));
    vec![
        ("sphere", crumple_scenes::sphere(Solid::Icosahedron, 4).unwrap()),
        ("bumpy sphere", bumpy),
        ("knot", knot.clone()),
        ("rabbit", crumple_scenes::smooth_body_of_parts(Model::Rabbit, 25).unwrap()),
        ("reptile", crumple_scenes::smooth_body_of_parts(Model::Reptile, 30).unwrap()),
        ("santa", crumple_scenes::smooth_body_of_parts(Model::Santa, 20).unwrap()),
        ("dragon", crumple_scenes::smooth_body_of_parts(Model::Dragon, 40).unwrap()),
        ("boxes", cubes),
        ("far away", moved(&knot, |p| [p[0] + 4096.0, p[1] - 8192.0, p[2] + 1e5])),
        ("tiny", moved(&knot, |p| p.map(|x| x * 1e-36))),
        ("huge", moved(&knot, |p| p.map(|x| x * 1e38))),
    ]
}

/// How far an image of the device is from the one of the CPU.
#[derive(Debug, Default)]
pub(crate) struct Distance {
    pub(crate) pixels: usize,
    /// Pixels whose columns differ in length.
    pub(crate) other_counts: usize,
    /// The greatest difference of two depths, of the window's depth, where the counts agree.
    pub(crate) depth: f64,
    /// Columns of equal length in which entries and exits come in another order.
    pub(crate) other_order: usize,
    /// The difference of the volumes, of the greater one.
    pub(crate) volume: f64,
}

pub(crate) fn distance(cpu: &LayeredDepthImage, gpu: &DepthColumns) -> Distance {
    let Resolution { columns, rows } = cpu.resolution();
    assert_eq!(
        (gpu.resolution(), Some(gpu.direction()), gpu.bounds()),
        (cpu.resolution(), cpu.direction(), cpu.bounds())
    );
    let k = gpu.direction().axis() as usize;
    let deep = f64::from(cpu.bounds().max()[k]) - f64::from(cpu.bounds().min()[k]);
    let mut found = Distance { pixels: cpu.resolution().sample_count(), ..Distance::default() };
    for (column, row) in (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row))) {
        let ours: Vec<Crossing> = gpu.crossings(column, row).collect();
        let theirs: Vec<Crossing> = cpu.column(column, row).crossings().collect();
        if ours.len() != theirs.len() {
            found.other_counts += 1;
            continue;
        }
        let differ = ours.iter().zip(&theirs).map(|(ours, theirs)| (ours.depth - theirs.depth).abs() / deep);
        found.depth = differ.fold(found.depth, f64::max);
        found.other_order += usize::from(ours.iter().zip(&theirs).any(|(ours, theirs)| ours.kind != theirs.kind));
    }
    let volumes = [cpu.volume(), gpu.volume()];
    found.volume = (volumes[0] - volumes[1]).abs() / volumes[0].max(volumes[1]).max(f64::MIN_POSITIVE);
    found
}

/// Asserts that two lists have the same spans in the same samples and the same order, with ends at most `allowed` apart. The
/// grid of the device joins what is nearer than that, so spans and gaps so short are left out.
pub(crate) fn assert_same_spans(ours: &[OverlapSpan], theirs: &[OverlapSpan], allowed: f64, what: &str) {
    let long = |spans: &[OverlapSpan]| -> Vec<OverlapSpan> {
        let mut joined: Vec<OverlapSpan> = Vec::new();
        for &span in spans {
            match joined.last_mut() {
                Some(last) if last.sample == span.sample && span.span.low - last.span.high < allowed => {
                    last.span.high = span.span.high;
                }
                _ => joined.push(span),
            }
        }
        joined.retain(|found| found.span.length() > 2.0 * allowed);
        joined
    };
    let (ours, theirs) = (long(ours), long(theirs));
    assert_eq!(ours.len(), theirs.len(), "{what}");
    for (ours, theirs) in ours.iter().zip(&theirs) {
        let off = |end: fn(&Span) -> f64| (end(&ours.span) - end(&theirs.span)).abs();
        assert_eq!(ours.sample, theirs.sample, "{what}");
        assert!(off(|span| span.low).max(off(|span| span.high)) <= allowed, "{what}: {ours:?} {theirs:?}");
    }
}
