//! The part of a page that is text: what was found, for a reader without WebGL, scripts or eyes for them.
//!
//! Names come from files and may be anything. They enter the page through [`escaped`] (in text) or [`json`] (in a data
//! element) and nowhere else; neither lets a `<` through, so no name can open or close an element.

use std::fmt::Write;

use serde::Serialize;

use super::Head;
use super::ranges::{Finished, Range};
use crate::FrameRun;
use crate::report::{BodyRecord, FrameName, FrameNames};
use crate::words::{count, counted, size, time};

/// Bodies listed in the text; the rest are counted.
const BODIES_LISTED: usize = 500;

/// Everything the text speaks of.
#[derive(Debug)]
pub(super) struct Report<'a> {
    pub(super) head: &'a Head,
    pub(super) names: &'a FrameNames,
    pub(super) ranges: Finished,
    /// Bodies inside others: `a` is the inner one.
    pub(super) ranges_inside: Finished,
    pub(super) notes: &'a [String],
    /// The volume of the overlap, where it was computed: the largest, and its frame.
    pub(super) largest_overlap: Option<(f64, u64)>,
    /// Microseconds of update and query, the median of all frames.
    pub(super) median_us: Option<[f64; 2]>,
}

impl Report<'_> {
    /// The report as HTML.
    pub(super) fn html(&self) -> String {
        let mut out = String::from("<section id=\"report\" aria-labelledby=\"report-title\">\n");
        out += &format!("<h1>{}</h1>\n<h2 id=\"report-title\">Report</h2>\n", escaped(&self.head.title));
        out += "<noscript><p class=\"notice\">Scripts are switched off, so the bodies are not drawn. \
                The report is complete without them.</p></noscript>\n";
        self.put_answer(&mut out);
        self.put_facts(&mut out);
        self.put_ranges(&mut out);
        self.put_ranges_inside(&mut out);
        for note in self.notes {
            out += &format!("<pre class=\"note\">{}</pre>\n", escaped(note));
        }
        self.put_bodies(&mut out);
        out + "</section>\n"
    }

    fn put_answer(&self, out: &mut String) {
        let summary = &self.head.summary;
        let frames = counted(summary.frames, "frame");
        let answer = match (summary.first, summary.last, &summary.worst) {
            (Some(first), Some(last), Some(worst)) if first == last => {
                let (pairs, first) = (counted(worst.count, "pair"), self.name_of(first));
                format!("Triangles meet in 1 of {frames}: {pairs} in frame {first}.")
            }
            (Some(first), Some(last), Some(worst)) => format!(
                "Triangles meet in {} of {frames}: first in frame {}, last in frame {}. \
                 The worst is frame {} with {}.",
                count(summary.frames_in_contact),
                self.name_of(first),
                self.name_of(last),
                self.name_of(worst.frame),
                counted(worst.count, "pair"),
            ),
            _ if summary.frames == 0 => "There are no frames to look at.".into(),
            _ if summary.frames_with_containment > 0
                || summary.impacts.is_some_and(|impacts| impacts > 0)
                || self.largest_overlap.is_some_and(|(volume, _)| volume > 0.0) =>
            {
                format!("No triangles meet in {frames}.")
            }
            _ => format!("Nothing collides in {frames}."),
        };
        let inside = match summary.frames_with_containment {
            0 => String::new(),
            inside => format!(" A body lies inside another in {}.", counted(inside, "frame")),
        };
        let between = match summary.impacts {
            None => String::new(),
            Some(0) => " Nothing meets between them.".into(),
            Some(impacts) => format!(
                " Between frames there {} {}.",
                if impacts == 1 { "is" } else { "are" },
                counted(impacts, "impact")
            ),
        };
        let stopped = match self.head.header.frames {
            meant if summary.frames < meant => {
                format!(" Stopped early: {} of {} were looked at.", count(summary.frames), counted(meant, "frame"))
            }
            _ => String::new(),
        };
        *out += &format!("<p class=\"answer\">{answer}{inside}{between}{stopped}</p>\n");
    }

    fn put_facts(&self, out: &mut String) {
        *out += "<dl>\n";
        let mut fact = |name: &str, value: String| *out += &format!("<div><dt>{name}</dt><dd>{value}</dd></div>\n");
        let bodies = &self.head.header.bodies;
        fact("Bodies", count(bodies.len() as u64));
        fact("Triangles", count(bodies.iter().map(|body| body.triangles).sum()));
        fact("Pairs, all frames", count(self.head.summary.pairs));
        if let Some(impacts) = self.head.summary.impacts {
            fact("Impacts, all steps", count(impacts));
        }
        fact("Method", escaped(&self.head.header.method));
        if let Some([update, query]) = self.median_us {
            fact("Median frame", format!("{} update, {} query", duration(update), duration(query)));
        }
        if let Some((volume, frame)) = self.largest_overlap {
            let (volume, frame) = (size(volume, 4), self.name_of(frame));
            fact("Largest overlap", format!("{volume} cubic units in frame {frame}"));
        }
        *out += "</dl>\n";
    }

    fn put_ranges(&self, out: &mut String) {
        let names = ["First", "Last", "Worst", "Pairs there"];
        put_table(out, "ranges", "Frames in contact", &names, &self.ranges, |range| Row {
            bodies: self.pair_name(range.a, range.b),
            frames: [&ends(range.frames)[..], &ends(range.worst)[..1]].concat(),
            count: Some(range.most),
        });
    }

    fn put_ranges_inside(&self, out: &mut String) {
        let caption = "Frames of a body inside another";
        put_table(out, "ranges-inside", caption, &["First", "Last"], &self.ranges_inside, |range| Row {
            bodies: format!("{} inside {}", self.name(range.a), self.name(range.b)),
            frames: ends(range.frames).to_vec(),
            count: None,
        });
    }

    fn put_bodies(&self, out: &mut String) {
        *out += "<table id=\"body-table\"><caption>Bodies</caption>\n<thead><tr><th scope=\"col\">Name</th>\
                 <th scope=\"col\">Triangles</th><th scope=\"col\">Vertices</th><th scope=\"col\">Surface</th></tr></thead>\n<tbody>\n";
        for body in self.head.header.bodies.iter().take(BODIES_LISTED) {
            let (triangles, vertices) = (count(body.triangles), count(body.vertices));
            let surface = if body.closed { "closed" } else { "open" };
            let _ = writeln!(
                out,
                "<tr><th scope=\"row\">{}</th><td>{triangles}</td><td>{vertices}</td><td>{surface}</td></tr>",
                shown_name(body)
            );
        }
        *out += "</tbody></table>\n";
        let more = self.head.header.bodies.len().saturating_sub(BODIES_LISTED);
        if more > 0 {
            *out += &format!("<p>{} more bodies are not listed.</p>\n", count(more as u64));
        }
    }

    /// What a frame is called, in HTML.
    fn name_of(&self, frame: u64) -> String {
        let FrameName { number, animation } = self.names.of(frame);
        animation.map_or_else(|| number.to_string(), |name| format!("{number} of animation {}", isolated(name)))
    }

    fn pair_name(&self, a: u32, b: u32) -> String {
        let [name_a, name_b] = [a, b].map(|body| self.name(body));
        if a == b { format!("{name_a} with itself") } else { format!("{name_a} × {name_b}") }
    }

    fn name(&self, body: u32) -> String {
        self.head.header.bodies.get(body as usize).map_or_else(String::new, shown_name)
    }
}

/// What a table says of a range besides its animation.
struct Row {
    bodies: String,
    /// Frames and their numbers.
    frames: Vec<(u64, u64)>,
    count: Option<u64>,
}

/// The first and the last frame of a run, each with its number.
fn ends(run: FrameRun) -> [(u64, u64); 2] {
    let [first, last] = run.numbers();
    [(run.first(), first), (run.last(), last)]
}

/// A table with one row per range, which names its frames by their numbers; scripts find the frames in `data-frames`.
fn put_table(
    out: &mut String,
    id: &str,
    caption: &str,
    names: &[&str],
    ranges: &Finished,
    row: impl Fn(&Range) -> Row,
) {
    if ranges.kept.is_empty() {
        return;
    }
    let has_animations = ranges.kept.iter().any(|range| range.animation.is_some());
    let names = ["Bodies"].iter().chain(has_animations.then_some(&"Animation")).chain(names);
    let names: String = names.map(|name| format!("<th scope=\"col\">{name}</th>")).collect();
    *out += &format!("<table id=\"{id}\"><caption>{caption}</caption>\n<thead><tr>{names}</tr></thead>\n<tbody>\n");
    for range in &ranges.kept {
        let Row { bodies, frames, count: of_worst } = row(range);
        let places: Vec<String> = frames.iter().map(|(frame, _)| frame.to_string()).collect();
        let animation = has_animations
            .then(|| format!("<td class=\"name\">{}</td>", isolated(range.animation.as_deref().unwrap_or(""))));
        // Frames are names and stay as they are; only the count behind them is set in groups.
        let numbers: String = frames.iter().map(|(_, number)| format!("<td>{number}</td>")).collect();
        let of_worst = of_worst.map(|of_worst| format!("<td>{}</td>", count(of_worst)));
        // Writing to a string cannot fail.
        let (a, b, places) = (range.a, range.b, places.join(" "));
        let row = format!("<tr data-frames=\"{places}\" data-a=\"{a}\" data-b=\"{b}\">");
        let (animation, of_worst) = (animation.unwrap_or_default(), of_worst.unwrap_or_default());
        let _ = writeln!(out, "{row}<th scope=\"row\">{bodies}</th>{animation}{numbers}{of_worst}</tr>");
    }
    *out += "</tbody></table>\n";
    if ranges.left_out > 0 {
        *out += &format!("<p>{} more ranges are not listed.</p>\n", count(ranges.left_out as u64));
    }
}

fn shown_name(body: &BodyRecord) -> String {
    isolated(&body.name)
}

/// A name, isolated, so that one that runs from right to left leaves the rest of the row where it is.
fn isolated(name: &str) -> String {
    format!("<bdi>{}</bdi>", escaped(name))
}

/// Text that means itself in HTML, in an attribute too.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            // Not allowed in HTML, not even by number.
            control if control.is_control() && control != '\n' && control != '\t' => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}

/// A value as JSON for a `<script type="application/json">`: inside strings, where alone these can stand, the
/// characters with a meaning in HTML are written by number.
pub(super) fn json(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(serde_json::to_string(value)?.replace('&', "\\u0026").replace('<', "\\u003c").replace('>', "\\u003e"))
}

/// A time in microseconds, kept on one line.
fn duration(us: f64) -> String {
    time(us).replace("us", "µs").replace(' ', "\u{a0}")
}
