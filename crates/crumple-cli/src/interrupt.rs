//! Ctrl-C: ends the command at once with exit code 130, or asks it to end with what it has found so far.

use std::sync::atomic::{AtomicBool, Ordering};

/// What a shell, too, reports for a command that was interrupted.
pub(crate) const EXIT_CODE: u8 = 130;

/// Whether someone looks at [`asked`] often enough to be trusted with ending the command.
static WATCHED: AtomicBool = AtomicBool::new(false);
static ASKED: AtomicBool = AtomicBool::new(false);

/// Takes over Ctrl-C. Where that is refused the system's own way stays, which ends the command as well.
pub(crate) fn install() {
    let _ = ctrlc::set_handler(|| {
        let asked_before = ASKED.swap(true, Ordering::Relaxed);
        if asked_before || !WATCHED.load(Ordering::Relaxed) {
            std::process::exit(i32::from(EXIT_CODE));
        }
    });
}

/// From now on the caller looks at [`asked`] between frames; a second Ctrl-C still ends the command at once.
pub(crate) fn watch() {
    WATCHED.store(true, Ordering::Relaxed);
}

/// Whether the user wants the command to end.
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
