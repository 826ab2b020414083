//! FC1: when contact began between two frames, with trees that are refitted against trees that are built.
//!
//! Paper: Larsson & Akenine-Möller 2001, section 3: a discrete method can go back in simulation time to find the first
//! contact, and needs one pair per time it looks at. Three ways to look, by the same bisection and with the same answer:
//!
//! ```text
//! refit        Frame::onset: the trees that the scene has, refitted for every time
//! built once   new trees for every search, refitted for every time
//! built        new trees for every time
//! ```
//!
//! Searched are the step of LE1 in which its bodies first meet, and the first contacts that begin in LE3-spheres-apart.

use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use crumple::{Body, BodyId, Mesh, Scene};
use crumple_methods::Method;

use crate::experiment::Findings;
use crate::measure::Recording;
use crate::methods;
use crate::settings::Settings;
use crate::show::figures::{Cell, Figures};
use crate::show::summary::median;
use crumple_io::words::ratio;

/// The brackets are narrowed to this part of a step.
const TOLERANCE: f64 = 1.0 / 1_048_576.0;

/// The scenes, and how many contacts that begin are searched at most.
const SCENES: [(&str, usize); 2] = [("LE1", 1), ("LE3-spheres-apart", 20)];

/// Two bodies that come into contact in the step to a frame: where they were, and where they are.
struct Step {
    meshes: [Arc<Mesh>; 2],
    from: [Vec<[f32; 3]>; 2],
    to: [Vec<[f32; 3]>; 2],
}

/// The last time the bodies were seen apart, and the first at which they were seen in contact.
type Bracket = (f64, f64);

pub(crate) fn fc1(settings: &Settings) -> Result<Findings> {
    let columns = [
        ("scene", "scene"),
        ("method", "method"),
        ("searches", "searches"),
        ("refit", "refit_us"),
        ("built once", "built_once_us"),
        ("built", "built_us"),
        ("built once / refit", "built_once_ratio"),
        ("built / refit", "built_ratio"),
    ];
    let caption = "median time of a search, by trees that are refitted, built once, and built for every time";
    let mut table = Figures::new("searches", caption, &columns);
    let mut remarks = Vec::new();
    for (name, most) in SCENES {
        let scene = crumple_scenes::by_name(name)?;
        let recording = Recording::of(&scene, settings.frames_of(scene.frame_count())?)?;
        let steps = steps(&recording, most)?;
        let variants: Vec<_> = methods::methods().into_iter().filter(|it| settings.wants(&it.label)).collect();
        let bar = settings.bar(variants.len() * steps.len());
        // The answers of the first method, which the others are held to.
        let mut brackets: Vec<Bracket> = Vec::new();
        for variant in &variants {
            bar.set_message(format!("{name}: {}", variant.label));
            let mut times: [Vec<f64>; 3] = Default::default();
            for (at, step) in steps.iter().enumerate() {
                let Searched { us, bracket } = step.search(variant.method, settings)?;
                times.iter_mut().zip(us).for_each(|(times, us)| times.push(us));
                if at == brackets.len() {
                    brackets.push(bracket);
                }
                ensure!(
                    bracket == brackets[at],
                    "{name}: {} finds another time than {}",
                    variant.label,
                    variants[0].label
                );
                bar.inc(1);
            }
            let [refit, once, built] = times.map(|mut times| {
                times.sort_unstable_by(f64::total_cmp);
                median(&times)
            });
            let cells = [Cell::text(name), Cell::text(&variant.label), Cell::count(steps.len())];
            let us = [refit, once, built].map(Cell::Micros);
            let ratios = [once / refit, built / refit].map(Cell::Ratio);
            table.row(cells.into_iter().chain(us).chain(ratios).collect());
            if !steps.is_empty() {
                remarks.push(format!(
                    "{name}: {} finds the time of first contact {} as fast by refitting as by building",
                    variant.label,
                    ratio(built / refit)
                ));
            }
        }
        bar.finish_and_clear();
    }
    remarks.push("all methods and all ways find the same bracket".to_owned());
    Ok(Findings { tables: vec![table], remarks, ..Findings::default() })
}

/// The first steps, `most` at most, in which two bodies come into contact.
fn steps(recording: &Recording, most: usize) -> Result<Vec<Step>> {
    let (mut all, ids) = recording.scene_at(Method::default(), 0)?;
    let mut steps = Vec::new();
    for at in 0..recording.len() {
        for (&id, positions) in ids.iter().zip(recording.frame(at)) {
            all.set_positions(id, positions)?;
        }
        for contact in all.update()?.began().filter(|_| at > 0) {
            let bodies = [contact.a, contact.b].map(BodyId::index);
            let of = |at: usize| bodies.map(|body| recording.frame(at)[body].clone());
            let meshes = bodies.map(|body| Arc::clone(&recording.meshes()[body]));
            steps.push(Step { meshes, from: of(at - 1), to: of(at) });
        }
        if steps.len() >= most {
            break;
        }
    }
    steps.truncate(most);
    Ok(steps)
}

/// What the three ways took, and what all of them found.
struct Searched {
    us: [f64; 3],
    bracket: Bracket,
}

impl Step {
    fn search(&self, method: Method, settings: &Settings) -> Result<Searched> {
        let (mut scene, [a, b]) = self.scene(method, 0.0)?;
        self.move_to(&mut scene, [a, b], 1.0)?;
        let frame = scene.update()?;
        // The simulation has found the contact: the trees are up to date.
        frame.witnesses();
        let onset = || frame.onset(a, b, TOLERANCE);
        let found = onset()?.context("bodies in contact have no onset")?;
        let bracket = (found.last_free.context("bodies are in contact before contact begins")?, found.in_contact);
        let built_once = || -> Result<Bracket> {
            let (mut scene, ids) = self.scene(method, 1.0)?;
            bisect(|time| {
                self.move_to(&mut scene, ids, time)?;
                Ok(!scene.update()?.witnesses().is_empty())
            })
        };
        let built =
            || -> Result<Bracket> { bisect(|time| Ok(!self.scene(method, time)?.0.update()?.witnesses().is_empty())) };
        ensure!(built_once()? == bracket && built()? == bracket, "{method}: the ways find different times");
        let us = [settings.best_us(onset), settings.best_us(built_once), settings.best_us(built)];
        Ok(Searched { us, bracket })
    }

    /// The two bodies in a scene of their own, with new trees.
    fn scene(&self, method: Method, time: f64) -> Result<(Scene, [BodyId; 2])> {
        let mut scene = method.scene();
        let body = |side: usize| Body::new(Arc::clone(&self.meshes[side]), &self.positions(side, time));
        let ids = [scene.add(body(0)?), scene.add(body(1)?)];
        Ok((scene, ids))
    }

    fn move_to(&self, scene: &mut Scene, ids: [BodyId; 2], time: f64) -> Result<()> {
        for (side, id) in ids.into_iter().enumerate() {
            scene.set_positions(id, &self.positions(side, time))?;
        }
        Ok(())
    }

    /// Where the vertices are on the straight lines of the step: in f64, rounded once.
    fn positions(&self, side: usize, time: f64) -> Vec<[f32; 3]> {
        let between = |(from, to): (&[f32; 3], &[f32; 3])| {
            std::array::from_fn(|axis| {
                let (from, to) = (f64::from(from[axis]), f64::from(to[axis]));
                if time >= 1.0 { to as f32 } else { (from + (to - from) * time) as f32 }
            })
        };
        self.from[side].iter().zip(&self.to[side]).map(between).collect()
    }
}

/// Narrows the step, apart at its start and in contact at its end, to the tolerance.
fn bisect(mut meet_at: impl FnMut(f64) -> Result<bool>) -> Result<Bracket> {
    ensure!(meet_at(1.0)? && !meet_at(0.0)?, "contact does not begin in this step");
    let (mut free, mut contact) = (0.0, 1.0);
    while contact - free > TOLERANCE {
        let middle = 0.5 * (free + contact);
        if meet_at(middle)? { contact = middle } else { free = middle }
    }
    Ok((free, contact))
}
