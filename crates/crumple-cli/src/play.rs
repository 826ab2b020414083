//! Goes from frame to frame, with a progress bar, until the last one or until the user has had enough.

use std::io::IsTerminal;
use std::ops::Range;

use anyhow::Result;

use crate::out::Verdict;
use crate::{interrupt, progress};

/// Calls `look` with every frame in order; tells whether it came to the end.
///
/// There is no bar with `quiet`, nor where lines of the answer are `printed` to the same screen meanwhile: they would write over
/// each other.
pub(crate) fn each_frame(
    frames: Range<usize>,
    quiet: bool,
    printed: bool,
    mut look: impl FnMut(usize) -> Result<()>,
) -> Result<Verdict> {
    let bar = progress::frames(frames.len(), quiet || (printed && std::io::stdout().is_terminal()));
    interrupt::watch();
    for frame in frames {
        if interrupt::asked() {
            bar.finish_and_clear();
            return Ok(Verdict::Interrupted);
        }
        look(frame)?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(Verdict::Done)
}
