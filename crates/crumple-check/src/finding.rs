//! Findings in words.

use crumple_io::report::{Finding, FindingKind, Status, of_animation};
use crumple_io::words::{self, counted, shown, size};

use crate::meetings::{region_title, volume_words};
use crate::outcome::Outcome;
use crate::question::depth::depth_words;

impl Outcome {
    /// The name of a body.
    pub fn name(&self, body: u32) -> &str {
        self.header.bodies.get(body as usize).map_or("?", |body| body.name.as_str())
    }

    /// The file that a body came from, as it was named.
    pub fn file(&self, body: u32) -> &str {
        self.files.get(body as usize).map_or("", String::as_str)
    }

    /// Two bodies by name.
    pub(crate) fn pair(&self, a: u32, b: u32) -> String {
        let [name_a, name_b] = [a, b].map(|body| shown(self.name(body)));
        if a == b { format!("{name_a} × itself") } else { format!("{name_a} × {name_b}") }
    }

    /// What a finding is about: two bodies.
    pub(crate) fn subject(&self, finding: &Finding) -> String {
        match finding.kind {
            FindingKind::Inside => {
                format!("{} inside {}", shown(self.name(finding.a)), shown(self.name(finding.b)))
            }
            _ => {
                let bodies = (finding.a, finding.b);
                let number = |finding: &Finding| finding.region.as_ref().map_or(0, |region| region.number);
                let is_second = |other: &Finding| (other.a, other.b) == bodies && number(other) > 1;
                let is_one_of_several = number(finding) > 1 || self.findings().iter().any(is_second);
                let number = is_one_of_several.then_some(number(finding));
                let region = finding.region.as_ref().map(|region| (region.carriers.as_ref(), number));
                let name = |body| shown(self.name(body)).into_owned();
                region_title(bodies, region, name, self.header.bodies.len())
            }
        }
    }

    /// A finding in a sentence.
    pub fn sentence(&self, finding: &Finding) -> String {
        let (subject, numbers) = (self.subject(finding), finding.own_numbers());
        let frames = match (numbers.first, numbers.last) {
            (first, last) if first == last => format!("in frame {first}"),
            (first, last) => format!("in frames {first} to {last}"),
        };
        let (animation, worst) = (of_animation(finding.animation.as_deref()), numbers.worst);
        let deep =
            depth_words(finding.depth, finding.area, self.header.unit.as_deref()) + &volume_words(finding.volume);
        let what = match finding.kind {
            FindingKind::Contact => {
                let pairs = counted(finding.worst.count, "pair");
                format!("{subject} collide {frames}{animation}; worst in frame {worst}: {pairs} of triangles{deep}")
            }
            FindingKind::Inside => format!("{subject} {frames}{animation}{}", volume_words(finding.volume)),
            FindingKind::Impact => {
                let impacts = counted(finding.pairs, "impact");
                format!(
                    "{subject} meet between frames: {impacts} in the steps that lead to {}{animation}",
                    &frames[3..]
                )
            }
            FindingKind::Near => {
                let distance = size(finding.distance.unwrap_or_default(), 6);
                format!("{subject} are too close {frames}{animation}; nearest in frame {worst}: {distance}")
            }
        };
        let status = match finding.status {
            Some(Status::New) => " (new)",
            Some(Status::Worse) => " (worse than the baseline)",
            None => "",
        };
        format!("{what}{status}")
    }

    /// Where a finding is, as the end of a sentence: in its worst frame, and both sides in the rest pose.
    pub(crate) fn place(&self, finding: &Finding) -> String {
        let Some(region) = &finding.region else { return String::new() };
        let point = |at: [f64; 3]| format!("({})", at.map(|x| size(x, 6)).join(", "));
        let [of_a, of_b] = region.place.rest.map(point);
        let triangles = words::area(region.area, 6, self.header.unit.as_deref());
        format!(
            "; at {}, in the rest pose {of_a} and {of_b}, triangles with an area of {triangles}",
            point(region.centroid)
        )
    }

    /// What was looked at and what counts, in a sentence.
    pub(crate) fn total(&self) -> String {
        let findings = match self.findings().len() as u64 {
            0 => "no findings".to_owned(),
            some => counted(some, "finding"),
        };
        let known = match self.summary.known {
            0 => String::new(),
            known => format!(", {known} known to the baseline"),
        };
        format!("{findings}{known} in {}", counted(self.summary.frames, "frame"))
    }
}

/// What a kind of finding means, for programs that list rules.
pub(crate) fn meaning(kind: FindingKind) -> &'static str {
    match kind {
        FindingKind::Contact => "Triangles of two bodies, or of one, share a point.",
        FindingKind::Inside => "A body lies inside a closed one without meeting it.",
        FindingKind::Impact => "Surfaces meet in the step between two frames.",
        FindingKind::Near => "Bodies are closer than the clearance.",
    }
}

/// All kinds, the most severe first.
pub(crate) const KINDS: [FindingKind; 4] =
    [FindingKind::Inside, FindingKind::Contact, FindingKind::Impact, FindingKind::Near];

#[cfg(test)]
mod tests {
    use super::*;
    use crumple_io::report::{BodyRecord, CheckSummary, FindingNumbers, Header, WorstFrame};

    #[test]
    fn a_finding_is_told_in_a_sentence() {
        let body = |(id, name): (u32, &str)| BodyRecord {
            id,
            name: name.to_owned(),
            triangles: 1,
            vertices: 3,
            closed: false,
            face_of_triangle: None,
            precision: None,
        };
        let header = Header::new("wide-tree", [(0, "arm"), (1, "case")].map(body).to_vec(), 9);
        let outcome = Outcome::for_tests(header, CheckSummary { frames: 9, known: 2, ..CheckSummary::default() });
        let contact = Finding {
            kind: FindingKind::Contact,
            a: 0,
            b: 1,
            animation: Some("run".into()),
            first: 33,
            last: 35,
            numbers: Some(FindingNumbers { first: 3, last: 5, worst: 4 }),
            region: None,
            frames: 3,
            worst: WorstFrame { frame: 34, count: 7 },
            pairs: 12,
            most_pairs: 7,
            depth: Some(0.25),
            area: Some(1.5),
            volume: None,
            distance: None,
            status: Some(Status::New),
        };
        assert_eq!(
            outcome.sentence(&contact),
            "arm × case collide in frames 3 to 5 of animation run; worst in frame 4: 7 pairs of triangles, 0.250000 deep, an area of 1.50000 inside (new)"
        );
        let plain = Finding { animation: None, status: None, first: 3, last: 3, numbers: None, ..contact };
        let inside = Finding { kind: FindingKind::Inside, b: 1, ..plain.clone() };
        assert_eq!(outcome.sentence(&inside), "arm inside case in frame 3");
        let impact = Finding { kind: FindingKind::Impact, b: 0, ..plain.clone() };
        assert_eq!(
            outcome.sentence(&impact),
            "arm × itself meet between frames: 12 impacts in the steps that lead to frame 3"
        );
        let near = Finding { kind: FindingKind::Near, distance: Some(0.5), ..plain };
        assert_eq!(outcome.sentence(&near), "arm × case are too close in frame 3; nearest in frame 34: 0.500000");
        assert_eq!(outcome.total(), "no findings, 2 known to the baseline in 9 frames");
    }
}
