//! A progress bar on stderr, for a person only.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar of `steps` steps. It draws nothing with `quiet`, nor where stderr is not a terminal.
///
/// It never draws by itself, from a thread of its own: that thread would show in the times that are measured.
pub(crate) fn bar(steps: usize, quiet: bool) -> ProgressBar {
    let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(Some(steps as u64), target);
    let style = ProgressStyle::with_template("{bar:32} {pos}/{len}  {elapsed}, {eta} left  {wide_msg}");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
