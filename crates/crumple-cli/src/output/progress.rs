//! A progress bar on stderr, if that is a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// A bar of `steps` steps. It draws nothing where stderr is not a terminal.
///
/// It never draws from a thread of its own: that thread would disturb the times that are measured.
pub(crate) fn bar(steps: usize) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(steps as u64), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{bar:32} {pos}/{len}  {elapsed}, {eta} left  {wide_msg}");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// A bar that is never drawn, for `--quiet`.
pub(crate) fn hidden(_steps: usize) -> ProgressBar {
    ProgressBar::hidden()
}

/// A bar of `steps` steps, hidden if `quiet`.
pub(crate) fn unless(quiet: bool, steps: usize) -> ProgressBar {
    if quiet { hidden(steps) } else { bar(steps) }
}

/// A bar over files.
pub(crate) fn files(count: usize, quiet: bool) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:32} file {pos}/{len}, {eta} left");
    unless(quiet, count).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// A bar over the frames of files, which also shows the frames per second.
pub(crate) fn frames(count: usize, quiet: bool) -> ProgressBar {
    if quiet {
        return hidden(count);
    }
    let template = "{bar:32} frame {pos}/{len}  {per_second} frames per second, {eta} left";
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let per_second = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        let rate = state.per_sec();
        // An error here means that the terminal is gone.
        let _ = if rate < 10.0 { write!(out, "{rate:.1}") } else { write!(out, "{rate:.0}") };
    };
    bar(count).with_style(style.with_key("per_second", per_second))
}
