//! Every error of the library as an exception with a class of its own; the classes are in `crumple.errors`.

use std::error::Error;
use std::io::ErrorKind;

use crumple::{MeshError, OverlapError, QueryError, SceneError, SelfOverlapError};
use crumple_io::ReadError;
use crumple_ldi::VolumeError;
use crumple_methods::UnknownMethod;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

/// An exception to be raised: its class by name, and its message. It can be made while the interpreter is released.
#[derive(Debug)]
pub(crate) struct Refusal {
    class: &'static str,
    message: String,
}

impl Refusal {
    pub(crate) fn new(class: &'static str, message: impl Into<String>) -> Self {
        Self { class, message: message.into() }
    }

    fn of(class: &'static str, error: &dyn Error) -> Self {
        Self::new(class, with_causes(error))
    }

    /// What a scene has refused; `name` is what Python calls the body.
    pub(crate) fn of_scene(error: &SceneError, name: &str) -> Self {
        match error {
            SceneError::Body { source, .. } => {
                Self::new("PositionsError", format!("the positions of body {name} were refused: {source}"))
            }
            SceneError::UnknownBody { .. } => Self::unknown_body(name),
            SceneError::BadThickness { thickness, most, .. } => Self::new(
                "ThicknessError",
                format!(
                    "the thickness of body {name} is {thickness}, but it must be a number from 0 to {most}, the body's longest side"
                ),
            ),
            SceneError::DistanceFromItself { .. } => {
                let message =
                    format!("the distance of body {name} from itself was asked for: name two bodies, or use near");
                Self::new("SceneError", message)
            }
            SceneError::OverlapWithItself { .. } => Self::new(
                "SceneError",
                format!("the overlap of body {name} with itself was asked for: name two bodies, or use self_overlap"),
            ),
            SceneError::SelfOverlap { source, .. } => Self::new(
                "VolumeError",
                format!("how much body {name} overlaps itself cannot be computed: {}", in_python(source)),
            ),
            SceneError::DepthInItself { .. } => Self::new(
                "SceneError",
                format!(
                    "body {name} cannot be parted from itself: name two bodies to ask how deep they are in each other"
                ),
            ),
            SceneError::NotClosed { fault, .. } => Self::new(
                "VolumeError",
                format!(
                    "body {name} encloses no volume: along {} edges more triangles run one way than the other, the first from \
                     vertex {} to vertex {} (triangle {}); close the surface and turn its triangles the same way round",
                    fault.count, fault.from, fault.to, fault.triangle
                ),
            ),
            SceneError::NoTriangles { .. } => Self::no_triangles(name),
            SceneError::ClosestPoint { source, .. } => {
                let message = format!("the closest points of body {name} cannot be found: {source}");
                Self::new(
                    class_of_query(source),
                    message.replace("ask for the distance without a sign", "pass signed=False"),
                )
            }
            SceneError::Ray { source } => Self::new(class_of_query(source), source.to_string()),
            other => Self::of("SceneError", other),
        }
    }

    pub(crate) fn unknown_body(name: &str) -> Self {
        Self::new(
            "UnknownBodyError",
            format!("there is no body {name} in this scene: it was never added, or it was removed"),
        )
    }

    pub(crate) fn no_triangles(name: &str) -> Self {
        Self::new("SceneError", format!("body {name} has no triangles, so nothing is at any distance from it"))
    }

    pub(crate) fn stale() -> Self {
        let message =
            "this frame is over, since its scene has been changed: read what you need before moving bodies again";
        Self::new("StaleFrameError", message)
    }
}

impl From<Refusal> for PyErr {
    fn from(refusal: Refusal) -> Self {
        Python::attach(|py| {
            let class = py.import("crumple.errors").and_then(|module| module.getattr(refusal.class));
            match class.and_then(|class| class.call1((refusal.message,))) {
                Ok(exception) => PyErr::from_value(exception),
                Err(error) => error,
            }
        })
    }
}

impl From<MeshError> for Refusal {
    fn from(error: MeshError) -> Self {
        Self::of("MeshError", &error)
    }
}

impl From<crumple::BodyError> for Refusal {
    fn from(error: crumple::BodyError) -> Self {
        Self::of("PositionsError", &error)
    }
}

impl From<crumple::Stopped> for Refusal {
    fn from(error: crumple::Stopped) -> Self {
        Self::new("WorkLimitError", error.to_string().replace("raise the limit", "raise max_work"))
    }
}

impl From<UnknownMethod> for Refusal {
    fn from(error: UnknownMethod) -> Self {
        Self::of("UnknownMethodError", &error)
    }
}

impl From<VolumeError> for Refusal {
    /// In the words of Python: its options have other names than those of Rust.
    fn from(error: VolumeError) -> Self {
        let message = with_causes(&error);
        let message = message.replace("say `with_assumed_closed`", "pass assume_closed=True");
        Self::new("VolumeError", message.replace("use `InsideRule::Parity`", "pass parity=True"))
    }
}

impl From<OverlapError> for Refusal {
    fn from(error: OverlapError) -> Self {
        Self::of("VolumeError", &error)
    }
}

impl From<SelfOverlapError> for Refusal {
    fn from(error: SelfOverlapError) -> Self {
        Self::new("VolumeError", in_python(&error))
    }
}

/// In the words of Python, where capping is an option.
fn in_python(error: &SelfOverlapError) -> String {
    with_causes(error).replace("have its holes capped", "pass cap_holes=True")
}

impl From<ReadError> for Refusal {
    fn from(error: ReadError) -> Self {
        let class = match &error {
            ReadError::Io { source, .. } if source.kind() == ErrorKind::NotFound => "MissingFileError",
            ReadError::NoSuchFrame { .. } => "NoSuchFrameError",
            _ => "ReadError",
        };
        let hint = error.hint().map(|hint| format!("; {hint}")).unwrap_or_default();
        Self::new(class, with_causes(&error) + &hint)
    }
}

fn class_of_query(error: &QueryError) -> &'static str {
    match error {
        QueryError::PointNotFinite { .. } | QueryError::RayNotFinite { .. } | QueryError::NoDirection { .. } => {
            "PositionsError"
        }
        QueryError::Open { .. } | QueryError::Unbalanced { .. } => "VolumeError",
        _ => "SceneError",
    }
}

/// The error and its causes in one line.
fn with_causes(error: &dyn Error) -> String {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        message.push_str(&format!(": {error}"));
        cause = error.source();
    }
    message
}

/// What a check has refused, in the words of Python: options are keywords there.
pub(crate) fn raised(error: anyhow::Error) -> PyErr {
    // What a caller's own code has raised goes through as it is.
    let own = error.chain().find_map(|cause| cause.downcast_ref::<PyErr>());
    if let Some(own) = own {
        return Python::attach(|py| own.clone_ref(py));
    }
    let class = error.chain().find_map(class_of).unwrap_or("OptionError");
    let hint = crumple_check::error::hint(&error).map(|hint| format!("; {hint}")).unwrap_or_default();
    let message = as_keywords(&format!("{}{hint}", crumple_check::error::what_happened(&error)));
    match error.chain().find_map(|cause| cause.downcast_ref::<std::io::Error>()) {
        Some(_) if class == "OptionError" => PyOSError::new_err(message),
        _ => Refusal::new(class, message).into(),
    }
}

fn class_of(cause: &(dyn Error + 'static)) -> Option<&'static str> {
    if let Some(read) = cause.downcast_ref::<ReadError>() {
        return Some(match read {
            ReadError::Io { source, .. } if source.kind() == ErrorKind::NotFound => "MissingFileError",
            ReadError::NotFinite { .. } | ReadError::Refused { .. } => "PositionsError",
            _ => "ReadError",
        });
    }
    if cause.is::<MeshError>() {
        return Some("MeshError");
    }
    (cause.is::<SceneError>() || cause.is::<crumple::BodyError>()).then_some("PositionsError")
}

/// A message with options as keywords: `--max-depth` is `max_depth`, `--hold` is `hold=True`.
fn as_keywords(message: &str) -> String {
    const FLAGS: [&str; 6] = ["hold", "continuous", "by_position", "containment", "depth", "first"];
    let mut words = message.split("--");
    let mut text = words.next().unwrap_or_default().to_owned();
    for word in words {
        let end = word.find(|letter: char| !(letter.is_ascii_lowercase() || letter == '-')).unwrap_or(word.len());
        let (name, rest) = word.split_at(end);
        let name = match name.replace('-', "_").as_str() {
            "self" => "self_collision=True".to_owned(),
            flag if FLAGS.contains(&flag) => format!("{flag}=True"),
            name => name.to_owned(),
        };
        text += &name;
        text += rest;
    }
    text
}
