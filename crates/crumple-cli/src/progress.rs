//! A progress bar on stderr, for a person only.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// A bar of `steps` steps. It draws nothing with `quiet`, nor where stderr is not a terminal.
///
/// It never draws by itself, from a thread of its own: that thread would show in the times that are measured.
pub(crate) fn bar(steps: usize, quiet: bool) -> ProgressBar {
    let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(Some(steps as u64), target);
    let style = ProgressStyle::with_template("{bar:32} {pos}/{len}  {elapsed}, {eta} left  {wide_msg}");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// A bar over the frames of files, which also tells how many are done in a second.
pub(crate) fn frames(count: usize, quiet: bool) -> ProgressBar {
    let template = "{bar:32} frame {pos}/{len}  {per_second} frames per second, {eta} left";
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let per_second = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        let rate = state.per_sec();
        // Nothing to be done where words cannot be drawn.
        let _ = if rate < 10.0 { write!(out, "{rate:.1}") } else { write!(out, "{rate:.0}") };
    };
    bar(count, quiet).with_style(style.with_key("per_second", per_second))
}
