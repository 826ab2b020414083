//! The experiments by name. To add one, add an entry to [`EXPERIMENTS`].

use anyhow::Result;
use crumple_io::Hinted;

use crate::experiment::{Custom, Experiment, Kind, Question, SceneSource, Trial, View};
use crate::experiments::{
    buckets, cutting, depth_images, distance, doubles, exact_overlap, first_contact, hatab, larsson, motion, particles,
    removal, resolutions, wide,
};
use crate::methods;

/// Files of the data folder: a cow of 23,062 triangles, used instead of the bull of Hatab & Kheddar 2006, and an armadillo of 99,994.
pub(crate) const COW: &str = "spot_23k.ply";
const ARMADILLO: &str = "armadillo_100k.ply";

/// Files of the data folder: two consecutive frames of one mesh, a cloth that falls on a ball (UNC dynamic scene benchmark).
pub(crate) const CLOTH: [&str; 2] = ["cloth_ball92.ply", "cloth_ball93.ply"];

/// A trial of all pairs, by every method, of a scene of the same name.
const fn all_pairs(name: &'static str) -> Trial {
    Trial { name, scene: SceneSource::Published(name), question: Question::AllPairs, variants: methods::methods }
}

/// A trial of all pairs, by every method, of two waving bodies from a file.
const fn waving(name: &'static str, file: &'static str) -> Trial {
    Trial { scene: SceneSource::Waving(file), ..all_pairs(name) }
}

/// Every experiment, in the order of the papers.
pub(crate) const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        name: "LE1",
        about: "two bumpy spheres of 20,480 triangles: time per frame, all pairs and first pair (Larsson 2001, figure 3)",
        kind: Kind::Trials {
            trials: &[
                Trial { variants: methods::methods_and_variants, ..all_pairs("LE1") },
                Trial {
                    name: "LE1-first",
                    question: Question::FirstPair,
                    variants: methods::methods_and_updates,
                    ..all_pairs("LE1")
                },
            ],
            view: View::Frames,
            remarks: larsson::le1,
        },
    },
    Experiment {
        name: "LE2",
        about: "spheres of 1,280 to 65,536 triangles, bumps as fine as the mesh: first contact and worst frame (Larsson 2001, table 1)",
        kind: Kind::Trials {
            trials: &[
                all_pairs("LE2-paper-1280"),
                all_pairs("LE2-paper-5120"),
                all_pairs("LE2-paper-8192"),
                all_pairs("LE2-paper-16384"),
                all_pairs("LE2-paper-20480"),
                all_pairs("LE2-paper-32768"),
                all_pairs("LE2-paper-65536"),
            ],
            view: View::Sizes,
            remarks: larsson::le2,
        },
    },
    Experiment {
        name: "LE2-same-bumps",
        about: "the spheres of LE1 from 1,280 to 65,536 triangles, the same bumps at every size: first contact and worst frame",
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
            remarks: larsson::growth,
        },
    },
    Experiment {
        name: "LE3",
        about: "27 bodies of 5,120 triangles that hit each other and are pushed apart, spheres and arms: mean frame (Larsson 2001, figure 4)",
        kind: Kind::Trials {
            trials: &[
                Trial { variants: methods::methods_in_a_crowd, ..all_pairs("LE3-spheres-apart") },
                Trial { variants: methods::methods_in_a_crowd, ..all_pairs("LE3-arms-apart") },
            ],
            view: View::Frames,
            remarks: larsson::le3,
        },
    },
    Experiment {
        name: "LE3-deep",
        about: "27 bodies of 5,120 triangles crowd together, deep in each other, spheres and arms: mean frame",
        kind: Kind::Trials {
            trials: &[all_pairs("LE3-spheres"), all_pairs("LE3-arms")],
            view: View::Frames,
            remarks: larsson::le3,
        },
    },
    Experiment {
        name: "FC1",
        about: "time of first contact between two frames: trees refitted against trees built (Larsson 2001, section 3)",
        kind: Kind::Custom(Custom {
            needs: &[],
            methods: || methods::labels(methods::methods()),
            run: first_contact::fc1,
        }),
    },
    Experiment {
        name: "BE1",
        about: "points filed in buckets by equation and by insertion sort, with and without coherence (Ganovelli 2000, figure 3)",
        kind: Kind::Custom(Custom { needs: &[], methods: Vec::new, run: buckets::be1 }),
    },
    Experiment {
        name: "BE2",
        about: "15,000 points filed in octrees of 1 to 6 levels (Ganovelli 2000, figure 4)",
        kind: Kind::Custom(Custom { needs: &[], methods: Vec::new, run: buckets::be2 }),
    },
    Experiment {
        name: "BE3",
        about: "time to find 1,000 pairs of overlapping buckets at 3, 4 and 5 levels (Ganovelli 2000, table 1)",
        kind: Kind::Custom(Custom { needs: &[], methods: Vec::new, run: buckets::be3 }),
    },
    Experiment {
        name: "GE1",
        about: "cut if the overlap is below 40 to 100 %, as in the paper and by default, 12,500 triangles (Hatab 2006, figure 2)",
        kind: Kind::Trials {
            trials: &[
                Trial { name: "GE1", variants: methods::cut_thresholds, ..all_pairs("GE3-13000") },
                Trial { variants: methods::cut_thresholds, ..waving("GE1-cow", COW) },
            ],
            view: View::Frames,
            remarks: hatab::ge1,
        },
    },
    Experiment {
        name: "GE2",
        about: "two bodies of 12,500 triangles deep in each other, triangles removed until none is left and added again (Hatab 2006, figure 4)",
        kind: Kind::Custom(Custom { needs: &[], methods: || methods::labels(methods::methods()), run: removal::ge2 }),
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
            view: View::Contact,
            remarks: hatab::ge3,
        },
    },
    Experiment {
        name: "HE1",
        about: "overlap volumes of knot, rabbit, reptile, santa and dragon, simple and complex (Heidelberger 2003, table 1)",
        kind: Kind::Custom(Custom { needs: &[], methods: Vec::new, run: depth_images::he1 }),
    },
    Experiment {
        name: "HE2",
        about: "depth images of the same bodies and 100,000 points, and what the cost grows with (Heidelberger 2003, table 2)",
        kind: Kind::Custom(Custom { needs: &[], methods: Vec::new, run: depth_images::he2 }),
    },
    Experiment {
        name: "HE3",
        about: "20,000 particles fall on a breathing body of 10,368 triangles: frames per second (Heidelberger 2003, figure 12)",
        kind: Kind::Custom(Custom { needs: &[], methods: Vec::new, run: particles::he3 }),
    },
    Experiment {
        name: "HE4",
        about: "a ball of 5,000 triangles passes through a body of 151,380, both deforming: time per frame (Heidelberger 2003, report, figure 1)",
        kind: Kind::Custom(Custom { needs: &[], methods: Vec::new, run: depth_images::he4 }),
    },
    Experiment {
        name: "HE5",
        about: "how much of a swelling knot overlaps itself, and what that costs beyond the image (Heidelberger 2003, future work)",
        kind: Kind::Custom(Custom { needs: &[], methods: Vec::new, run: depth_images::he5 }),
    },
    Experiment {
        name: "CR1",
        about: "a cloth of 80,000 triangles rolls up on itself: every self-collision, mean frame",
        kind: Kind::Trials {
            trials: &[Trial { question: Question::SelfPairs, variants: methods::every_method, ..all_pairs("CR1") }],
            view: View::Frames,
            remarks: wide::mean,
        },
    },
    Experiment {
        name: "CR2",
        about: "LE1 at 327,680 triangles per body, 20 frames: mean frame",
        kind: Kind::Trials {
            trials: &[Trial { variants: methods::trees, ..all_pairs("CR2") }],
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
        about: "bodies twisted, scattered and turned inside out: what rebuilding a worn tree gains",
        kind: Kind::Trials {
            trials: &[
                Trial { variants: methods::rebuilt_or_not, ..all_pairs("CR4-twist") },
                Trial { variants: methods::rebuilt_or_not, ..all_pairs("CR4-scatter") },
                Trial { variants: methods::rebuilt_or_not, ..all_pairs("CR4-inside-out") },
            ],
            view: View::Frames,
            remarks: wide::rebuilds,
        },
    },
    Experiment {
        name: "CR5",
        about: "a sheet of 4,050 triangles is cut, splits and falls on a ball: every method against brute force",
        kind: Kind::Custom(Custom {
            needs: &[],
            methods: || methods::labels(methods::with_brute_force()),
            run: cutting::cr5,
        }),
    },
    Experiment {
        name: "CR6",
        about: "1,000 and 10,000 boxes of 12 triangles fall into a heap: mean frame",
        kind: Kind::Trials {
            trials: &[all_pairs("CR6-1000"), all_pairs("CR6-10000")],
            view: View::Frames,
            remarks: wide::mean,
        },
    },
    Experiment {
        name: "MR1",
        about: "two spheres in two resolutions, fine triangles where they are near each other: every method against fine everywhere",
        kind: Kind::Custom(Custom {
            needs: &[],
            methods: || methods::labels(methods::with_brute_force()),
            run: resolutions::mr1,
        }),
    },
    Experiment {
        name: "CD1",
        about: "LE1 by continuous detection: the first impact and all impacts of every step",
        kind: Kind::Custom(Custom { needs: &[], methods: Vec::new, run: motion::cd1 }),
    },
    Experiment {
        name: "CD2",
        about: "the cloth of CR1 by continuous detection: where it meets itself between frames",
        kind: Kind::Custom(Custom { needs: &[], methods: Vec::new, run: motion::cd2 }),
    },
    Experiment {
        name: "CD3",
        about: "the 27 bodies of LE3-deep by continuous detection",
        kind: Kind::Custom(Custom { needs: &[], methods: Vec::new, run: motion::cd3 }),
    },
    Experiment {
        name: "CD4",
        about: "a simulated cloth of 92,230 triangles on a ball, one step, by continuous detection; needs --data",
        kind: Kind::Custom(Custom { needs: &CLOTH, methods: Vec::new, run: motion::cd4 }),
    },
    Experiment {
        name: "DE1",
        about: "LE1 before contact: how far apart the bodies are, starting from the last answer and from nothing",
        kind: Kind::Custom(Custom { needs: &[], methods: Vec::new, run: distance::de1 }),
    },
    Experiment {
        name: "DE2",
        about: "the cloth of CR1 in every sixth frame: all features closer than 1 % and 0.1 % of its size",
        kind: Kind::Custom(Custom { needs: &[], methods: Vec::new, run: distance::de2 }),
    },
    Experiment {
        name: "DE3",
        about: "a body of LE1 as it deforms: 100,000 closest points, without and with a sign",
        kind: Kind::Custom(Custom { needs: &[], methods: Vec::new, run: distance::de3 }),
    },
    Experiment {
        name: "DE4",
        about: "a body of LE1 as it deforms: 1,000,000 rays",
        kind: Kind::Custom(Custom { needs: &[], methods: Vec::new, run: distance::de4 }),
    },
    Experiment {
        name: "DP1",
        about: "LE1 with f64 positions that f32 cannot hold, beside LE1 in f32",
        kind: Kind::Custom(Custom { needs: &[], methods: Vec::new, run: doubles::dp1 }),
    },
    Experiment {
        name: "VE1",
        about: "LE1: the exact overlap with its gradient and regions, beside depth images of 128² and 256² samples",
        kind: Kind::Custom(Custom { needs: &[], methods: Vec::new, run: exact_overlap::ve1 }),
    },
    Experiment {
        name: "VE2",
        about: "the bodies of HE1: the exact overlap beside depth images",
        kind: Kind::Custom(Custom { needs: &[], methods: Vec::new, run: exact_overlap::ve2 }),
    },
    Experiment {
        name: "VE3",
        about: "real meshes in 33 poses: the exact overlap beside depth images; needs --data",
        kind: Kind::Custom(Custom { needs: &exact_overlap::FILES, methods: Vec::new, run: exact_overlap::ve3 }),
    },
];

/// An experiment and those of its trials that were asked for; none if it runs by a function of its own.
pub(crate) type Chosen = (&'static Experiment, Vec<Trial>);

/// The experiments of these names, upper and lower case alike, in the order asked for; all of them for no name.
///
/// A trial can be named too, and is then run by itself. Without a folder of `data` there are no trials on its meshes.
pub(crate) fn chosen(names: &[String], data: bool) -> Result<Vec<Chosen>> {
    if names.is_empty() {
        let runs = |experiment: &&Experiment| data || needs(experiment).is_empty();
        return Ok(EXPERIMENTS
            .iter()
            .filter(runs)
            .map(|experiment| (experiment, possible(experiment, data)))
            .collect());
    }
    names.iter().map(|name| one(name, data)).collect()
}

fn one(name: &str, data: bool) -> Result<Chosen> {
    for experiment in EXPERIMENTS {
        if experiment.name.eq_ignore_ascii_case(name) {
            if let Some(file) = needs(experiment).first().filter(|_| !data) {
                return Err(needs_mesh(name, file));
            }
            return Ok((experiment, possible(experiment, data)));
        }
    }
    for experiment in EXPERIMENTS {
        let Some(trial) = experiment.trials().iter().find(|trial| trial.name.eq_ignore_ascii_case(name)) else {
            continue;
        };
        if let SceneSource::Waving(file) = trial.scene
            && !data
        {
            return Err(
                Hinted::new(format!("{name} needs the mesh {file}"), "--data names the folder that holds it").into()
            );
        }
        return Ok((experiment, vec![*trial]));
    }
    let names: Vec<&str> = EXPERIMENTS.iter().map(|experiment| experiment.name).collect();
    Err(Hinted::new(format!("there is no experiment {name}"), format!("there are {}", names.join(", "))).into())
}

fn needs_mesh(name: &str, file: &str) -> anyhow::Error {
    Hinted::new(format!("{name} needs the mesh {file}"), "--data names the folder that holds it").into()
}

/// The files without which an experiment cannot run at all.
fn needs(experiment: &Experiment) -> &'static [&'static str] {
    match experiment.kind {
        Kind::Trials { .. } => &[],
        Kind::Custom(custom) => custom.needs,
    }
}

/// The trials whose meshes are available.
fn possible(experiment: &Experiment, data: bool) -> Vec<Trial> {
    let has_all = |trial: &&Trial| data || matches!(trial.scene, SceneSource::Published(_));
    experiment.trials().iter().filter(has_all).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::BASELINE;
    use std::collections::HashSet;

    #[test]
    fn every_trial_has_a_scene_and_a_name_of_its_own() {
        let mut names = HashSet::new();
        for trial in EXPERIMENTS.iter().flat_map(Experiment::trials) {
            assert!(names.insert(trial.name), "{} comes twice", trial.name);
            if let SceneSource::Published(scene) = trial.scene {
                let known = crumple_scenes::catalogue().iter().any(|entry| entry.name == scene);
                assert!(known, "{} has no scene {scene}", trial.name);
            }
            let labels: HashSet<String> = (trial.variants)().into_iter().map(|c| c.label).collect();
            assert_eq!(labels.len(), (trial.variants)().len(), "{}: a variant comes twice", trial.name);
            assert!(labels.contains(BASELINE), "{}: no method to compare with", trial.name);
        }
    }

    #[test]
    fn experiments_and_trials_are_found_in_upper_and_lower_case() {
        let names = |wanted: &[&str]| -> Vec<&str> {
            let wanted: Vec<String> = wanted.iter().map(|&name| name.to_owned()).collect();
            chosen(&wanted, true).unwrap().iter().flat_map(|(_, trials)| trials).map(|trial| trial.name).collect()
        };
        assert_eq!(names(&["le1"]), ["LE1", "LE1-first"]);
        assert_eq!(names(&["le2-5120", "LE3"]), ["LE2-5120", "LE3-spheres-apart", "LE3-arms-apart"]);
        assert_eq!(names(&["le3-deep"]), ["LE3-spheres", "LE3-arms"]);
        assert_eq!(names(&[]).len(), EXPERIMENTS.iter().map(|experiment| experiment.trials().len()).sum::<usize>());
    }
}
