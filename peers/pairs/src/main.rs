//! crumple's methods, parry3d and Embree on the same frames, in one run: how many times as fast?
//!
//! Fair means: the same vertices in plain arrays, whose way into a library's own vectors counts as update; the same answer,
//! compared frame by frame; the same triangle test for every peer; one thread against one thread; the best of several
//! rounds of each frame, everybody taking turns. crumple's list is sorted, the peers' lists are not.

mod contestant;
mod embree;
mod measure;
mod ours;
mod parry;
mod report;

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use crumple_methods::Method;

use contestant::{Contestant, Question};

/// Scenes, what is asked, and how many rounds are enough.
const SCENES: [(&str, Question, usize); 5] = [
    ("LE1", Question::Pairs, 15),
    ("LE3-spheres", Question::Pairs, 6),
    ("LE3-arms", Question::Pairs, 6),
    ("CR1", Question::Own, 3),
    ("CR2", Question::Pairs, 10),
];

const USAGE: &str =
    "usage: crumple-peers [--embree LIBRARY] [--machine NAME] [--commit COMMIT] [--out FOLDER] [SCENE...]";

fn main() -> Result<()> {
    let (mut library, mut out, mut names) = (None, None, Vec::new());
    let mut origin = report::Origin { machine: "unknown".to_owned(), commit: "unknown".to_owned() };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--embree" => library = Some(PathBuf::from(words.next().context(USAGE)?)),
            "--machine" => origin.machine = words.next().context(USAGE)?,
            "--commit" => origin.commit = words.next().context(USAGE)?,
            "--out" => out = Some(PathBuf::from(words.next().context(USAGE)?)),
            _ if word.starts_with('-') => bail!("{USAGE}"),
            _ => names.push(word.to_uppercase()),
        }
    }
    let is_asked = |name: &str| names.is_empty() || names.iter().any(|asked| name.eq_ignore_ascii_case(asked));
    let chosen: Vec<_> = SCENES.into_iter().filter(|(name, ..)| is_asked(name)).collect();
    if chosen.len() < names.len() {
        let known: Vec<&str> = SCENES.iter().map(|(name, ..)| *name).collect();
        bail!("there is no such scene here; there are {}", known.join(", "));
    }
    let mut outcomes = Vec::new();
    for (name, question, rounds) in chosen {
        let scene = crumple_scenes::by_name(name)?;
        let mut contestants: Vec<Box<dyn Contestant>> = Vec::new();
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        for (method, threads) in [("wide-tree", 1), ("wide-tree", threads), ("hybrid-tree", 1)] {
            let method: Method = method.parse()?;
            contestants.push(Box::new(ours::Ours::new(method, threads, &scene, question, 0)?));
        }
        contestants.push(Box::new(parry::Parry::new(&scene, question, 0)?));
        if let Some(library) = &library {
            contestants.push(Box::new(embree::Embree::new(library, &scene, question, 0)?));
        }
        outcomes.push(measure::run(&scene, question, &mut contestants, rounds)?);
    }
    report::print(&outcomes);
    if let Some(folder) = out {
        report::write(&outcomes, &origin, &folder)?;
    }
    Ok(())
}
