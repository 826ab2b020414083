//! Notes about sizes that suggest a mistake: bodies in different units, a frame that explodes or collapses.
//!
//! Nothing is wrong with the answer then, but it is seldom the one that was wanted.

use crumple::Frame;
use crumple_io::report::FrameName;

/// How many times larger than another a body is that may be in another unit.
const OTHER_UNIT: f64 = 50.0;
/// How many times larger than in its first frame a body is that has exploded.
const EXPLODED: f64 = 1e6;

/// The sizes of bodies, and what is odd about them.
#[derive(Debug, Default)]
pub(crate) struct Sizes {
    /// The diagonal of each body's box in the first frame.
    first: Vec<f64>,
    /// Whether something was noted about each body since.
    is_noted: Vec<bool>,
    pub(crate) notes: Vec<String>,
}

impl Sizes {
    /// Takes one more frame in.
    pub(crate) fn add(&mut self, name: FrameName<'_>, now: Frame<'_>, names: &[String]) {
        let sizes = now.bodies().map(|(_, body)| {
            let extent = body.bounds().extent().map(f64::from);
            if body.bounds().is_empty() { None } else { Some(extent.iter().map(|x| x * x).sum::<f64>().sqrt()) }
        });
        if self.first.is_empty() {
            // A body without vertices is of no size, and nothing is said about it.
            self.first = sizes.map(|size| size.unwrap_or(f64::NAN)).collect();
            self.is_noted = vec![false; self.first.len()];
            self.compare(names);
            return;
        }
        for (body, size) in sizes.enumerate() {
            let (Some(size), first) = (size, self.first[body]) else { continue };
            let of_body = &names[body];
            let note = if size == 0.0 && first > 0.0 {
                format!("note: {of_body} collapses to a point in frame {name}")
            } else if size > EXPLODED * first && first > 0.0 {
                format!("note: {of_body} is more than a million times as large in frame {name} as in the first")
            } else {
                continue;
            };
            if !std::mem::replace(&mut self.is_noted[body], true) {
                self.notes.push(note);
            }
        }
    }

    /// Notes the largest and the smallest body if they may be in different units.
    fn compare(&mut self, names: &[String]) {
        let sizes = || self.first.iter().copied().enumerate().filter(|(_, size)| *size > 0.0);
        let largest = sizes().max_by(|a, b| a.1.total_cmp(&b.1));
        let smallest = sizes().min_by(|a, b| a.1.total_cmp(&b.1));
        if let (Some((large, most)), Some((small, least))) = (largest, smallest)
            && most > OTHER_UNIT * least
        {
            let times = (most / least).round();
            let (large, small) = (&names[large], &names[small]);
            self.notes.push(format!("note: {large} is {times} times as large as {small}: are both in the same unit?"));
        }
    }
}
