//! `--continuous`: what meets in the step between two frames.

use anyhow::{Result, bail};
use crumple::FeaturePair;
use crumple::{Between, BodyId, Frame, Impact, Scene, SceneError};
use crumple_io::report::{FeaturesRecord, ImpactRecord};

use crumple_io::words::counted;

use crate::error::hinted;
use crate::meetings::name;
use crate::options::Options;
use crate::sink::View;

/// What is looked for between two frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Continuous {
    /// Only the first impact of each step.
    first: bool,
    /// The thickness of every body.
    thickness: f64,
}

impl Continuous {
    /// What the options ask for, if anything.
    pub(crate) fn new(options: &Options) -> Option<Self> {
        options.continuous.then_some(Self { first: options.first, thickness: options.thickness.unwrap_or_default() })
    }

    /// Gives a body its thickness.
    pub(crate) fn prepare(self, scene: &mut Scene, id: BodyId, name: &str) -> Result<()> {
        scene.set_thickness(id, self.thickness).map_err(|error| match error {
            SceneError::BadThickness { thickness, most, .. } => hinted(
                format!("the thickness is {thickness}, but the longest side of {name} is {most}"),
                "--thickness is in the unit of the file and at most the size of the smallest body",
            ),
            other => other.into(),
        })
    }

    /// The impacts of the step that led to a frame, sorted by time: those asked for, or `all`.
    pub(crate) fn find(self, now: Frame<'_>, all: bool) -> Result<Vec<ImpactRecord>> {
        match self.first && !all {
            true => now.first_impact().into_iter().map(record).collect(),
            false => now.impacts().iter().map(record).collect(),
        }
    }
}

fn record(found: &Between<Impact>) -> Result<ImpactRecord> {
    let (mut a, mut b) = (found.a.index() as u32, found.b.index() as u32);
    let features = match found.features {
        FeaturePair::Triangles { pair } => FeaturesRecord::Already { triangles: [pair.a.0, pair.b.0] },
        FeaturePair::VertexFace { vertex, triangle, vertex_of_b } => {
            if vertex_of_b {
                (a, b) = (b, a);
            }
            FeaturesRecord::VertexFace { vertex: vertex.0, triangle: triangle.0 }
        }
        FeaturePair::EdgeEdge { edge_a, edge_b } => {
            FeaturesRecord::EdgeEdge { edge_a: edge_a.map(|vertex| vertex.0), edge_b: edge_b.map(|vertex| vertex.0) }
        }
        kind => bail!("an impact of a kind that reports cannot represent: {kind:?}"),
    };
    Ok(ImpactRecord { t: [found.time.lo, found.time.hi], a, b, features })
}

/// One line per step: how many impacts it has, and the first.
pub(crate) fn lines(view: &View<'_>, only_first: bool, names: &[String]) -> Option<String> {
    let impacts = view.listed.impacts.as_deref().unwrap_or_default();
    let first = description(impacts.first()?, names);
    let (from, to) = (view.before.unwrap_or_default(), view.listed.name());
    if only_first {
        return Some(format!("frames {from} to {to}: first impact {first}"));
    }
    let count = counted(impacts.len() as u64, "impact");
    Some(format!("frames {from} to {to}: {count}, the first {first}"))
}

/// When and which features.
fn description(impact: &ImpactRecord, names: &[String]) -> String {
    let (a, b) = (name(impact.a, names), name(impact.b, names));
    let features = match impact.features {
        FeaturesRecord::Already { triangles: [i, j] } => {
            return format!("at the start, where triangle {i} of {a} meets triangle {j} of {b}");
        }
        FeaturesRecord::VertexFace { vertex, triangle } => {
            format!("vertex {vertex} of {a} meets triangle {triangle} of {b}")
        }
        FeaturesRecord::EdgeEdge { edge_a: [p, q], edge_b: [r, s] } => {
            format!("edge {p}-{q} of {a} meets edge {r}-{s} of {b}")
        }
        _ => impact.features.kind().to_owned(),
    };
    // Six digits are enough to read; records have all of them.
    let time = format!("{:.6}", impact.t[0]);
    let time = time.trim_end_matches('0').trim_end_matches('.');
    format!("at {time} of the step, where {features}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_impact_is_described_by_time_and_features() {
        let names = ["bullet", "wall"].map(str::to_owned);
        let text = |t, a, b, features| description(&ImpactRecord { t, a, b, features }, &names);
        let vertex = FeaturesRecord::VertexFace { vertex: 3, triangle: 7 };
        assert_eq!(
            text([0.25; 2], 1, 0, vertex),
            "at 0.25 of the step, where vertex 3 of wall meets triangle 7 of bullet"
        );
        let edges = FeaturesRecord::EdgeEdge { edge_a: [0, 1], edge_b: [2, 4] };
        assert_eq!(text([1.0; 2], 0, 1, edges), "at 1 of the step, where edge 0-1 of bullet meets edge 2-4 of wall");
        assert_eq!(text([1e-7; 2], 0, 0, edges), "at 0 of the step, where edge 0-1 of bullet meets edge 2-4 of bullet");
        let already = FeaturesRecord::Already { triangles: [5, 6] };
        assert_eq!(text([0.0; 2], 0, 1, already), "at the start, where triangle 5 of bullet meets triangle 6 of wall");
    }
}
