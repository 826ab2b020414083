//! Everybody through the same frames, in turns; the best time of each frame counts, and the answers must be equal.

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use crate::contestant::{Contestant, Pair, Positions, Question};

/// What a contestant took for every frame.
pub(crate) struct Times {
    pub(crate) label: String,
    pub(crate) frames: Vec<Time>,
}

#[derive(Clone, Copy)]
pub(crate) struct Time {
    pub(crate) update: Duration,
    pub(crate) query: Duration,
}

impl Time {
    pub(crate) fn total_us(&self) -> f64 {
        (self.update + self.query).as_secs_f64() * 1e6
    }
}

/// A scene with everybody's times.
pub(crate) struct Outcome {
    pub(crate) scene: String,
    /// How many pairs there are in each frame; of one body, pairs that share no vertex.
    pub(crate) pairs: Vec<usize>,
    pub(crate) times: Vec<Times>,
}

pub(crate) fn run(
    scene: &crumple_scenes::Scene,
    question: Question,
    contestants: &mut [Box<dyn Contestant>],
    repeat: usize,
) -> Result<Outcome> {
    let frames: Vec<_> = (0..scene.frame_count()).map(|frame| scene.frame(frame)).collect();
    let mut times: Vec<Times> = contestants
        .iter()
        .map(|contestant| Times { label: contestant.label().to_owned(), frames: Vec::new() })
        .collect();
    let mut caller: Vec<Vec<[f32; 3]>> = vec![Vec::new(); scene.bodies().len()];
    let mut lists: Vec<Vec<Pair>> = Vec::new();
    for round in 0..repeat {
        for (contestant, times) in contestants.iter_mut().zip(&mut times) {
            eprintln!("{}: {}, round {} of {repeat}", scene.name(), contestant.label(), round + 1);
            let label = contestant.label().to_owned();
            contestant.within(&mut |contestant| {
                for (at, frame) in frames.iter().enumerate() {
                    let time = time(contestant, frame, &mut caller)?;
                    match times.frames.get_mut(at) {
                        Some(best) if best.total_us() <= time.total_us() => {}
                        Some(best) => *best = time,
                        None => times.frames.push(time),
                    }
                    if round > 0 {
                        continue;
                    }
                    let found = comparable(contestant.found()?, scene, question);
                    match lists.get(at) {
                        None => lists.push(found),
                        Some(list) => {
                            let (theirs, ours) = (found.len(), list.len());
                            let scene = scene.name();
                            ensure!(
                                *list == found,
                                "{scene}, frame {at}: {label} finds {theirs} pairs, crumple {ours}"
                            );
                        }
                    }
                }
                Ok(())
            })?;
        }
    }
    Ok(Outcome { scene: scene.name().to_owned(), pairs: lists.iter().map(Vec::len).collect(), times })
}

/// Times one frame.
fn time(contestant: &mut dyn Contestant, frame: &Positions, caller: &mut [Vec<[f32; 3]>]) -> Result<Time> {
    // As a simulation would have written them just now.
    for (buffer, positions) in caller.iter_mut().zip(frame) {
        buffer.clone_from(positions);
    }
    black_box(&mut *caller);
    let start = Instant::now();
    contestant.update(caller)?;
    let updated = Instant::now();
    contestant.query()?;
    let done = Instant::now();
    Ok(Time { update: updated - start, query: done - updated })
}

/// Sorted, and of one body only the pairs that share no vertex: the others only crumple decides.
fn comparable(mut found: Vec<Pair>, scene: &crumple_scenes::Scene, question: Question) -> Vec<Pair> {
    if question == Question::Own {
        found.retain(|&[body, _, s, t]| {
            let triangles = scene.bodies()[body as usize].triangles();
            triangles[s as usize].iter().all(|vertex| !triangles[t as usize].contains(vertex))
        });
    }
    found.sort_unstable();
    found
}
