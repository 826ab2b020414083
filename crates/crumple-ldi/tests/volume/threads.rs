//! The same answers, bit for bit, at every number of threads.

use crate::support::shapes;
use crumple_ldi::{
    Direction, LayeredDepthImage, OverlapOptions, OverlapSampler, OverlapSpan, PointsInside, PointsOptions,
};
use crumple_scenes::Random;

#[derive(Debug, PartialEq)]
struct Answer {
    crossings: Vec<u64>,
    volume: u64,
    error: u64,
    centroid: Option<[f64; 3]>,
    spans: Vec<OverlapSpan>,
    inside: Vec<bool>,
    exactly: Vec<bool>,
}

fn answer() -> Answer {
    // Large enough for threads to be used: 20,480 and 32,000 triangles, 320 by 300 samples.
    let a = shapes::bumpy(5).body();
    let b = shapes::torus(200, 80, 0.45).translated([0.3, 0.2, 0.4]).body();
    let image = LayeredDepthImage::of_body(&a, Direction::NegativeX, [320, 300]).unwrap();
    let samples = (0..300).flat_map(|row| (0..320).map(move |column| (column, row)));
    let mut overlap = OverlapSampler::new(OverlapOptions::default().with_resolution([320, 300]));
    let found = overlap.compute(&a, &b).unwrap();
    let mut random = Random::new(11);
    let mut coordinate = || random.between(-1.5, 1.5) as f32;
    let points: Vec<[f32; 3]> = (0..40_000).map(|_| [coordinate(), coordinate(), coordinate()]).collect();
    let test = |options| PointsInside::new(options).test(&a, &points).unwrap().to_vec();
    Answer {
        crossings: samples
            .flat_map(|(column, row)| image.column(column, row).crossings())
            .map(|crossing| crossing.depth.to_bits() | crossing.kind as u64)
            .collect(),
        volume: found.volume().to_bits(),
        error: found.error_estimate().to_bits(),
        centroid: found.centroid(),
        spans: found.spans().collect(),
        inside: test(PointsOptions::default()),
        exactly: test(PointsOptions::default().with_exact()),
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let with = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(answer);
    let one = with(1);
    assert!(one.crossings.len() > 100_000 && one.spans.len() > 1000);
    for threads in [2, 3, 8] {
        assert!(with(threads) == one, "{threads} threads");
    }
}
