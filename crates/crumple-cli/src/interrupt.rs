//! Ctrl-C and the signals that end a process.
//!
//! Ctrl-C ends the command at once with exit code 130, or asks it to end with what it has found so far, which it does after
//! the frame it is at. A frame may take long: in the first one, where nothing is lost, the command ends after [`GRACE`]
//! anyway; later, or if a file waits to be completed, it says what it is doing, and a second Ctrl-C ends it. SIGTERM and
//! SIGHUP end it at once, as if it did nothing about them. Files that are not complete are removed in any case, so that
//! those of earlier runs stay.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crumple_io::write::{abandon_all, has_unfinished};

use crate::output::say;

/// What a shell, too, reports for a command that was interrupted.
pub(crate) const EXIT_CODE: u8 = 130;

/// How long a frame may go on after Ctrl-C before anything is done about it.
const GRACE: Duration = Duration::from_millis(900);

/// Whether someone looks at [`asked`] often enough to be trusted with ending the command.
static WATCHED: AtomicBool = AtomicBool::new(false);
/// Whether frames are being processed, of which one may take long.
static IN_FRAMES: AtomicBool = AtomicBool::new(false);
/// Whether a frame is done, whose answer would be lost.
static FRAME_DONE: AtomicBool = AtomicBool::new(false);
/// Whether nothing but the result is to be printed.
static QUIET: AtomicBool = AtomicBool::new(false);
static ASKED: AtomicBool = AtomicBool::new(false);

/// Takes over the signals. Where that is refused the system's own way stays, which ends the command as well. Called
/// before there are other threads, since they inherit which signals are left to the one that waits for them.
pub(crate) fn install() {
    #[cfg(unix)]
    termination::install();
    let _ = ctrlc::set_handler(|| {
        let asked_before = ASKED.swap(true, Ordering::Relaxed);
        if asked_before || !WATCHED.load(Ordering::Relaxed) {
            end();
        }
        // Not here, where it would keep the next Ctrl-C waiting.
        let _ = std::thread::Builder::new().name("grace".into()).spawn(|| {
            std::thread::sleep(GRACE);
            if !IN_FRAMES.load(Ordering::Relaxed) {
                // The files are being completed, or there is only the summary to print.
            } else if !FRAME_DONE.load(Ordering::Relaxed) && !has_unfinished() {
                end();
            } else if !QUIET.load(Ordering::Relaxed) {
                say("stopping after this frame, to report those before it; Ctrl-C again stops now, without a report");
            }
        });
    });
}

/// Ends the command at once.
fn end() {
    abandon_all(|| std::process::exit(i32::from(EXIT_CODE)));
}

/// From now on the caller looks at [`asked`] between frames, until it drops what is returned; a second Ctrl-C still ends the
/// command at once.
pub(crate) fn watch(quiet: bool) -> Watching {
    WATCHED.store(true, Ordering::Relaxed);
    QUIET.store(quiet, Ordering::Relaxed);
    IN_FRAMES.store(true, Ordering::Relaxed);
    Watching
}

/// While it lives, frames are being processed.
#[derive(Debug)]
pub(crate) struct Watching;

impl Watching {
    /// Says that there is something to report from now on.
    pub(crate) fn frame_is_done(&self) {
        FRAME_DONE.store(true, Ordering::Relaxed);
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        IN_FRAMES.store(false, Ordering::Relaxed);
    }
}

/// Whether the user wants the command to end.
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

#[cfg(unix)]
mod termination {
    use crumple_io::write::abandon_all;
    use nix::sys::signal::{SigSet, Signal, raise};

    /// Lets a thread of its own wait for the signals: a handler could not remove files.
    pub(super) fn install() {
        let mut signals = SigSet::empty();
        signals.add(Signal::SIGTERM);
        signals.add(Signal::SIGHUP);
        if signals.thread_block().is_err() {
            return;
        }
        let waiting = std::thread::Builder::new().name("signals".into()).spawn(move || {
            let Ok(signal) = signals.wait() else { return };
            abandon_all(|| {
                // Now it does what it does by default, so that the parent sees which signal it was.
                let _ = signals.thread_unblock();
                let _ = raise(signal);
                std::process::exit(128 + signal as i32)
            })
        });
        if waiting.is_err() {
            let _ = signals.thread_unblock();
        }
    }
}
