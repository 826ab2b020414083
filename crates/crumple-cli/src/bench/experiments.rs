//! The experiments by name. To add one, add an entry to [`EXPERIMENTS`].

use anyhow::Result;
use crumple::Method;
use crumple::narrow::gjk_cut::{GjkCut, GjkCutOptions};
use crumple::narrow::hybrid_tree::{HybridTreeOptions, TreeKind, Update};
use crumple::narrow::local_tree::LocalTreeOptions;
use crumple::narrow::{Degree, SplitAt};

use super::own::Own;
use super::summary::Summaries;
use super::{buckets, cutting, depth_images, gjk, motion, particles, remarks, removal, wide};
use crate::out::hinted;

/// What the floor is called among the methods.
pub(crate) const FLOOR: &str = "floor";

/// The method every ratio is told against.
pub(crate) const BASELINE: &str = "local-tree";

/// Files of `--data`: a cow of 23,062 triangles, which stands for the bull of Hatab & Kheddar 2006, and an armadillo of 99,994.
pub(crate) const COW: &str = "spot_23k.ply";
const ARMADILLO: &str = "armadillo_100k.ply";

/// Something to measure and what to say about it.
#[derive(Debug)]
pub(crate) struct Experiment {
    /// The name to ask for.
    pub(crate) name: &'static str,
    /// What it is, in one line.
    pub(crate) about: &'static str,
    /// How it is run.
    pub(crate) kind: Kind,
}

/// How an experiment is run.
#[derive(Debug)]
pub(crate) enum Kind {
    /// Methods go through the frames of scenes.
    Trials {
        /// What is run, one after another.
        trials: &'static [Trial],
        /// How the result is shown.
        view: View,
        /// What the result means, a line each; beside the paper's figures where there are some.
        remarks: fn(&[Summaries]) -> Vec<String>,
    },
    /// In its own way.
    Own(Own),
}

impl Experiment {
    /// The trials; none where it is run in its own way.
    fn trials(&self) -> &'static [Trial] {
        match self.kind {
            Kind::Trials { trials, .. } => trials,
            Kind::Own(_) => &[],
        }
    }
}

/// A scene, a question and who answers it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trial {
    /// What records call it; it can also be asked for by itself.
    pub(crate) name: &'static str,
    pub(crate) scene: Stage,
    pub(crate) question: Question,
    pub(crate) contestants: fn() -> Vec<Contestant>,
}

/// Where a trial takes place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// A published scene, by name.
    Published(&'static str),
    /// Two waving bodies of the mesh in this file of `--data`; without that, nowhere.
    Waving(&'static str),
}

/// What is asked about every frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// Every pair of triangles of two bodies.
    AllPairs,
    /// One pair for each two bodies that meet.
    FirstPair,
    /// Every pair, also within a body.
    SelfPairs,
}

/// How the trials of an experiment are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum View {
    /// A table of methods for each trial, times over frames.
    Frames,
    /// One table, a row for each size, times over triangles.
    Sizes,
}

/// A method with options, by the name records call it.
#[derive(Clone, Debug)]
pub(crate) struct Contestant {
    pub(crate) label: String,
    pub(crate) method: Method,
}

impl Contestant {
    pub(super) fn new(label: &str, method: Method) -> Self {
        Self { label: label.to_owned(), method }
    }
}

/// Every method with its default options, but for brute force, which takes seconds a frame.
pub(crate) fn methods() -> Vec<Contestant> {
    let methods = Method::all().into_iter().filter(|method| *method != Method::BruteForce);
    methods.map(|method| Contestant::new(method.name(), method)).collect()
}

/// Every method with its default options, brute force first.
pub(crate) fn with_brute_force() -> Vec<Contestant> {
    let mut all = methods();
    all.insert(0, Contestant::new(Method::BruteForce.name(), Method::BruteForce));
    all
}

fn labels(contestants: Vec<Contestant>) -> Vec<String> {
    contestants.into_iter().map(|contestant| contestant.label).collect()
}

fn hybrid_tree(option: &str, options: HybridTreeOptions) -> Contestant {
    Contestant::new(&format!("hybrid-tree:{option}"), Method::HybridTree(options))
}

/// The methods, and the two updates between which the hybrid one is the compromise: the paper's figure 3.
fn methods_and_updates() -> Vec<Contestant> {
    let hybrid = HybridTreeOptions::default();
    let mut all = methods();
    all.push(hybrid_tree("top-down", hybrid.with_update(Update::TopDown)));
    all.push(hybrid_tree("bottom-up", hybrid.with_update(Update::BottomUp)));
    all
}

/// What the paper also tried and mentions in its text.
fn methods_and_variants() -> Vec<Contestant> {
    let hybrid = HybridTreeOptions::default();
    let mut all = methods_and_updates();
    all.push(hybrid_tree("degree-2", hybrid.with_degree(Degree::Two)));
    all.push(hybrid_tree("degree-4", hybrid.with_degree(Degree::Four)));
    all.push(hybrid_tree("connectivity", hybrid.with_kind(TreeKind::Connectivity)));
    all.push(hybrid_tree("mean-split", hybrid.with_split_at(SplitAt::Mean)));
    let eight = LocalTreeOptions::default().with_degree(Degree::Eight);
    all.push(Contestant::new("local-tree:degree-8", Method::LocalTree(eight)));
    all
}

/// GJK with the cut below every threshold the paper tries, and the tree it is compared with.
fn cut_thresholds() -> Vec<Contestant> {
    let threshold = |percent: u32| {
        let method = GjkCut::new(GjkCutOptions::default().with_cut_threshold(percent)).unwrap_or_default();
        Contestant::new(&format!("gjk-cut:{percent}"), Method::GjkCut(method))
    };
    let mut all: Vec<Contestant> = [40, 55, 70, 85, 100].map(threshold).into();
    all.push(Contestant::new(BASELINE, Method::LocalTree(LocalTreeOptions::default())));
    all
}

/// A trial of all pairs, by every method, of a scene of the same name.
const fn all_pairs(name: &'static str) -> Trial {
    Trial { name, scene: Stage::Published(name), question: Question::AllPairs, contestants: methods }
}

/// A trial of all pairs, by every method, of two waving bodies from a file.
const fn waving(name: &'static str, file: &'static str) -> Trial {
    Trial { scene: Stage::Waving(file), ..all_pairs(name) }
}

/// Every experiment, in the order of the papers.
pub(crate) const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        name: "LE1",
        about: "two bumpy spheres of 20,480 triangles: time a frame, all pairs and first pair (Larsson 2001, figure 3)",
        kind: Kind::Trials {
            trials: &[
                Trial { contestants: methods_and_variants, ..all_pairs("LE1") },
                Trial {
                    name: "LE1-first",
                    question: Question::FirstPair,
                    contestants: methods_and_updates,
                    ..all_pairs("LE1")
                },
            ],
            view: View::Frames,
            remarks: remarks::le1,
        },
    },
    Experiment {
        name: "LE2",
        about: "the same spheres from 1,280 to 65,536 triangles: first contact and worst frame (Larsson 2001, table 1)",
        kind: Kind::Trials {
            trials: &[
                all_pairs("LE2-1280"),
                all_pairs("LE2-5120"),
                all_pairs("LE2-8192"),
                all_pairs("LE2-16384"),
                all_pairs("LE2-20480"),
                all_pairs("LE2-32768"),
                all_pairs("LE2-65536"),
            ],
            view: View::Sizes,
            remarks: remarks::le2,
        },
    },
    Experiment {
        name: "LE3",
        about: "27 bodies of 5,120 triangles in a crowd, spheres and arms: mean frame (Larsson 2001, figure 4)",
        kind: Kind::Trials {
            trials: &[all_pairs("LE3-spheres"), all_pairs("LE3-arms")],
            view: View::Frames,
            remarks: remarks::le3,
        },
    },
    Experiment {
        name: "BE1",
        about: "points filed in buckets by equation and by insertion sort, with and without coherence (Ganovelli 2000, figure 3)",
        kind: Kind::Own(Own { methods: Vec::new, run: buckets::be1 }),
    },
    Experiment {
        name: "BE2",
        about: "15,000 points filed in octrees of 1 to 6 levels (Ganovelli 2000, figure 4)",
        kind: Kind::Own(Own { methods: Vec::new, run: buckets::be2 }),
    },
    Experiment {
        name: "BE3",
        about: "time to find 1,000 pairs of overlapping buckets at 3, 4 and 5 levels (Ganovelli 2000, table 1)",
        kind: Kind::Own(Own { methods: Vec::new, run: buckets::be3 }),
    },
    Experiment {
        name: "GE1",
        about: "cut if the overlap is below 40 to 100 %, on bodies of 12,500 triangles (Hatab 2006, figure 2)",
        kind: Kind::Trials {
            trials: &[
                Trial { name: "GE1", contestants: cut_thresholds, ..all_pairs("GE3-13000") },
                Trial { contestants: cut_thresholds, ..waving("GE1-cow", COW) },
            ],
            view: View::Frames,
            remarks: gjk::ge1,
        },
    },
    Experiment {
        name: "GE2",
        about: "two bodies of 12,500 triangles deep in each other, triangles removed until none is left (Hatab 2006, figure 4)",
        kind: Kind::Own(Own { methods: || labels(methods()), run: removal::ge2 }),
    },
    Experiment {
        name: "GE3",
        about: "waving bodies of 1,620 and 12,500 triangles: GJK against trees (Hatab 2006, figures 5 and 6)",
        kind: Kind::Trials {
            trials: &[
                all_pairs("GE3-1500"),
                all_pairs("GE3-13000"),
                waving("GE3-cow", COW),
                waving("GE3-armadillo", ARMADILLO),
            ],
            view: View::Frames,
            remarks: gjk::ge3,
        },
    },
    Experiment {
        name: "HE1",
        about: "overlap volumes of knot, rabbit, reptile, santa and dragon, simple and complex (Heidelberger 2003, table 1)",
        kind: Kind::Own(Own { methods: Vec::new, run: depth_images::he1 }),
    },
    Experiment {
        name: "HE2",
        about: "depth images of the same bodies and 100,000 points, and what the cost grows with (Heidelberger 2003, table 2)",
        kind: Kind::Own(Own { methods: Vec::new, run: depth_images::he2 }),
    },
    Experiment {
        name: "HE3",
        about: "20,000 particles fall on a breathing body of 10,368 triangles: frames a second (Heidelberger 2003, figure 12)",
        kind: Kind::Own(Own { methods: Vec::new, run: particles::he3 }),
    },
    Experiment {
        name: "CR1",
        about: "a cloth of 80,000 triangles rolls up on itself: every self-collision, mean frame",
        kind: Kind::Trials {
            trials: &[Trial { question: Question::SelfPairs, contestants: wide::every_method, ..all_pairs("CR1") }],
            view: View::Frames,
            remarks: wide::mean,
        },
    },
    Experiment {
        name: "CR2",
        about: "LE1 at 327,680 triangles a body, in 20 frames: mean frame",
        kind: Kind::Trials {
            trials: &[Trial { contestants: wide::trees, ..all_pairs("CR2") }],
            view: View::Frames,
            remarks: wide::mean,
        },
    },
    Experiment {
        name: "CR3",
        about: "1,000 bodies of 80 triangles fall into a heap: mean frame",
        kind: Kind::Trials { trials: &[all_pairs("CR3")], view: View::Frames, remarks: wide::mean },
    },
    Experiment {
        name: "CR4",
        about: "bodies twisted, scattered and turned inside out: what it is worth to build a spoilt tree anew",
        kind: Kind::Trials {
            trials: &[
                Trial { contestants: wide::rebuilt_or_not, ..all_pairs("CR4-twist") },
                Trial { contestants: wide::rebuilt_or_not, ..all_pairs("CR4-scatter") },
                Trial { contestants: wide::rebuilt_or_not, ..all_pairs("CR4-inside-out") },
            ],
            view: View::Frames,
            remarks: wide::rebuilds,
        },
    },
    Experiment {
        name: "CR5",
        about: "a sheet of 4,050 triangles is cut, parts and falls on a ball: every method against brute force",
        kind: Kind::Own(Own { methods: || labels(with_brute_force()), run: cutting::cr5 }),
    },
    Experiment {
        name: "CD1",
        about: "LE1 by continuous detection: the first impact and all impacts of every step",
        kind: Kind::Own(Own { methods: Vec::new, run: motion::cd1 }),
    },
    Experiment {
        name: "CD2",
        about: "the cloth of CR1 by continuous detection: where it meets itself between frames",
        kind: Kind::Own(Own { methods: Vec::new, run: motion::cd2 }),
    },
    Experiment {
        name: "CD3",
        about: "the 27 bodies of LE3 by continuous detection",
        kind: Kind::Own(Own { methods: Vec::new, run: motion::cd3 }),
    },
];

/// An experiment and those of its trials that were asked for; it has none where it runs in its own way.
pub(crate) type Chosen = (&'static Experiment, Vec<Trial>);

/// The experiments of these names, upper and lower case alike, in the order asked for; all of them for no name.
///
/// A trial can be named too, and is then run by itself. Without a folder of `data` there are no trials on meshes of it.
pub(crate) fn chosen(names: &[String], data: bool) -> Result<Vec<Chosen>> {
    if names.is_empty() {
        return Ok(EXPERIMENTS.iter().map(|experiment| (experiment, possible(experiment, data))).collect());
    }
    names.iter().map(|name| one(name, data)).collect()
}

fn one(name: &str, data: bool) -> Result<Chosen> {
    for experiment in EXPERIMENTS {
        if experiment.name.eq_ignore_ascii_case(name) {
            return Ok((experiment, possible(experiment, data)));
        }
    }
    for experiment in EXPERIMENTS {
        let Some(trial) = experiment.trials().iter().find(|trial| trial.name.eq_ignore_ascii_case(name)) else {
            continue;
        };
        if let Stage::Waving(file) = trial.scene
            && !data
        {
            return Err(hinted(format!("{name} needs the mesh {file}"), "--data names the folder that holds it"));
        }
        return Ok((experiment, vec![*trial]));
    }
    let names: Vec<&str> = EXPERIMENTS.iter().map(|experiment| experiment.name).collect();
    Err(hinted(format!("there is no experiment {name}"), format!("there are {}", names.join(", "))))
}

/// The trials for which everything is there.
fn possible(experiment: &Experiment, data: bool) -> Vec<Trial> {
    let has_all = |trial: &&Trial| data || matches!(trial.scene, Stage::Published(_));
    experiment.trials().iter().filter(has_all).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_trial_has_a_scene_and_a_name_of_its_own() {
        let mut names = HashSet::new();
        for trial in EXPERIMENTS.iter().flat_map(Experiment::trials) {
            assert!(names.insert(trial.name), "{} comes twice", trial.name);
            if let Stage::Published(scene) = trial.scene {
                let known = crumple_scenes::catalogue().iter().any(|entry| entry.name == scene);
                assert!(known, "{} has no scene {scene}", trial.name);
            }
            let labels: HashSet<String> = (trial.contestants)().into_iter().map(|c| c.label).collect();
            assert_eq!(labels.len(), (trial.contestants)().len(), "{}: a contestant comes twice", trial.name);
            assert!(labels.contains(BASELINE), "{}: nothing to compare with", trial.name);
        }
    }

    #[test]
    fn experiments_and_trials_are_found_in_upper_and_lower_case() {
        let names = |wanted: &[&str]| -> Vec<&str> {
            let wanted: Vec<String> = wanted.iter().map(|&name| name.to_owned()).collect();
            chosen(&wanted, true).unwrap().iter().flat_map(|(_, trials)| trials).map(|trial| trial.name).collect()
        };
        assert_eq!(names(&["le1"]), ["LE1", "LE1-first"]);
        assert_eq!(names(&["le2-5120", "LE3"]), ["LE2-5120", "LE3-spheres", "LE3-arms"]);
        assert_eq!(names(&[]).len(), EXPERIMENTS.iter().map(|experiment| experiment.trials().len()).sum::<usize>());
    }
}
