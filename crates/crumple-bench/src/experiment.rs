//! What an experiment consists of.

use anyhow::Result;
use crumple_methods::Method;

use crate::settings::Settings;
use crate::show::figures::Figures;
use crate::show::plot::Panel;
use crate::show::summary::Summaries;

/// Something to measure, and how it is shown.
#[derive(Debug)]
pub(crate) struct Experiment {
    /// Its name for the user.
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
        /// What is run, in this order.
        trials: &'static [Trial],
        /// How the result is shown.
        view: View,
        /// What the result means, one line each, beside the paper's figures if it has some.
        remarks: fn(&[Summaries]) -> Vec<String>,
    },
    /// By a function of its own.
    Custom(Custom),
}

impl Experiment {
    /// The trials; none if it is run by a function of its own.
    pub(crate) fn trials(&self) -> &'static [Trial] {
        match self.kind {
            Kind::Trials { trials, .. } => trials,
            Kind::Custom(_) => &[],
        }
    }
}

/// A scene, a question and the methods that answer it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trial {
    /// Its name in records; it can also be run alone by that name.
    pub(crate) name: &'static str,
    pub(crate) scene: SceneSource,
    pub(crate) question: Question,
    pub(crate) variants: fn() -> Vec<Variant>,
}

/// Where the scene of a trial comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SceneSource {
    /// A published scene, by name.
    Published(&'static str),
    /// Two waving bodies of the mesh in this file of the data folder; without a folder there is no such trial.
    Waving(&'static str),
}

/// What is computed in every frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Every pair of triangles of two bodies.
    AllPairs,
    /// One pair per two bodies that meet.
    FirstPair,
    /// Every pair, also within a body.
    SelfPairs,
}

/// How the trials of an experiment are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum View {
    /// One table of methods per trial, times over frames.
    Frames,
    /// The same, with the baseline once more without its update, and another table of the frames in contact.
    Contact,
    /// One table with a row per size, times over triangles.
    Sizes,
}

/// A method with options, and its name in records.
#[derive(Clone, Debug)]
pub struct Variant {
    /// Its name in records.
    pub label: String,
    /// The method with its options.
    pub method: Method,
    /// Whether the poses of bodies are handed to the scene, where a scene publishes them.
    pub with_poses: bool,
}

impl Variant {
    pub(crate) fn new(label: &str, method: Method) -> Self {
        Self { label: label.to_owned(), method, with_poses: true }
    }
}

/// How an experiment runs that does not run methods over the frames of a scene.
///
/// It is a function of [`Settings`] that returns [`Findings`]; the list, files, records and threads are as for every other
/// experiment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Custom {
    /// The files of the data folder it cannot do without.
    pub(crate) needs: &'static [&'static str],
    /// The names that the user may choose methods by; none if the experiment is not about methods.
    pub(crate) methods: fn() -> Vec<String>,
    pub(crate) run: fn(&Settings) -> Result<Findings>,
}

/// What an experiment found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Findings {
    pub(crate) tables: Vec<Figures>,
    /// Tables too long to be shown: only files and records have them.
    pub(crate) details: Vec<Figures>,
    pub(crate) panels: Vec<Panel>,
    /// What the tables mean, one line each, beside the paper's figures if it has some.
    pub(crate) remarks: Vec<String>,
}
