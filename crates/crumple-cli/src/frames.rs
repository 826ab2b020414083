//! Goes from frame to frame, with a progress bar, until the last one or until the user interrupts.

use std::io::IsTerminal;
use std::ops::Range;

use anyhow::Result;

use crate::interrupt;
use crate::output::{Verdict, progress};
use crumple_check::MaxWork;

/// Calls `process` with every frame in order; returns whether it came to the end.
///
/// There is no bar with `quiet`, nor if lines of the answer are `printed` to the same terminal meanwhile: they would overwrite
/// each other.
pub(crate) fn each_frame(
    frames: Range<usize>,
    quiet: bool,
    printed: bool,
    max_work: MaxWork,
    mut process: impl FnMut(usize) -> Result<()>,
) -> Result<Verdict> {
    let bar = progress::frames(frames.len(), quiet || (printed && std::io::stdout().is_terminal()));
    let watching = interrupt::watch(quiet);
    for frame in frames {
        if interrupt::asked() {
            bar.finish_and_clear();
            return Ok(Verdict::Interrupted);
        }
        max_work.frame(frame, || process(frame))?;
        watching.frame_is_done();
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(Verdict::Done)
}
