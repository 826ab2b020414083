//! `crumple volume`: how much two bodies overlap, frame by frame.
//!
//! By depth images in `images`; by the exact pairs of triangles in `exact`; a body and itself in `self_overlap` and `exact_self`.

mod bars;
mod exact;
mod exact_self;
mod images;
mod self_overlap;
mod words;

use std::ffi::OsString;

use anyhow::Result;
use crumple_check::bodies::files;
use crumple_io::report::{ExactSelfOverlapFrame, ExactVolumeFrame, SelfOverlapFrame};
use crumple_ldi::{ImageOptions, InsideRule, OverlapOptions};

use crate::args::{ImageArgs, VolumeArgs};
use crate::bodies;
use crate::measure::{Job, Outputs};
use crate::output::{Verdict, hinted, refusal};
use exact::Exact;
use exact_self::ExactSelfOverlaps;
use images::Images;
use self_overlap::SelfOverlaps;
pub(crate) use words::{on, unordered};

/// The name of depth images in reports.
pub(crate) const METHOD: &str = "depth-images";

/// The name of what is exact.
pub(crate) const EXACT: &str = "exact";

/// Bytes kept of each frame: a row of the table, and what a page keeps.
pub(crate) const PER_FRAME: u64 = 256;

/// The same for exact volumes.
const PER_EXACT_FRAME: u64 = 384;

pub(crate) fn run(args: VolumeArgs) -> Result<Verdict> {
    let VolumeArgs { a, b, bodies, self_overlap, body, exact, penetration, html, csv, fail_above, image, motion } =
        args;
    let files: Vec<OsString> = [Some(a), b].into_iter().flatten().collect();
    let outputs = Outputs::new(&files, html, csv, motion.json)?;
    let found = bodies::read(&files, &motion.options.reading)?;
    let chosen = match self_overlap {
        true => vec![files::one(found, body.as_deref())?],
        false => files::two(found, bodies.as_deref(), overlaps_itself)?.into(),
    };
    let (method, per_frame) = if exact { (EXACT, PER_EXACT_FRAME) } else { (METHOD, PER_FRAME) };
    let mut job = Job::start(chosen, &mut [], method, motion, outputs, per_frame)?;
    job.fail_above = fail_above;
    if exact {
        for (file, body) in job.bodies.files().zip(job.bodies.all()) {
            refusal::unless_solid(body.mesh(), &file.shown())?;
        }
        job.start_page(None, None)?;
        if self_overlap {
            job.start_table::<ExactSelfOverlapFrame>()?;
            return job.run(|| Ok(ExactSelfOverlaps));
        }
        job.start_table::<ExactVolumeFrame>()?;
        return job.run(move || Ok(Exact { penetration }));
    }
    let gpu = image.gpu.device()?;
    if self_overlap {
        let id = job.bodies.ids()[0];
        job.bodies.scene.set_self_collision(id, true)?;
    }
    job.start_page(None, None)?;
    let (many, shows) = (job.has_many_frames(), job.has_page());
    if self_overlap {
        job.start_table::<SelfOverlapFrame>()?;
        let mut options = ImageOptions::default().with_resolution(image.resolution);
        options.assume_closed = image.assume_closed;
        return job.run(move || SelfOverlaps::new(options, gpu, many));
    }
    let options = OverlapOptions::default().with_resolution(image.resolution).with_inside(inside_rule(&image));
    let options = if image.assume_closed { options.with_assumed_closed() } else { options };
    job.run(move || Images::new(options, penetration, gpu, shows, many))
}

/// Refuses one body twice.
fn overlaps_itself(name: &str) -> anyhow::Error {
    hinted(format!("{name} was named twice"), "`crumple volume --self-overlap` measures how much of it overlaps itself")
}

/// What counts as inside.
pub(crate) fn inside_rule(image: &ImageArgs) -> InsideRule {
    if image.parity { InsideRule::Parity } else { InsideRule::WindingNumber }
}
