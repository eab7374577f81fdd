//! Ending by a signal (Ctrl-C, SIGTERM, a terminal that is closed): temporary files are removed, and the
//! program ends by that signal, as if it did not know it.

#[cfg(unix)]
use std::io;

#[cfg(unix)]
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
#[cfg(unix)]
use signal_hook::iterator::Signals;

#[cfg(unix)]
use super::partial;

/// Waits for signals from now on. A signal that whoever started the program had it ignore, as `nohup`
/// does, stays ignored.
#[cfg(unix)]
pub fn watch() {
    let wait = || -> io::Result<()> {
        let signals = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|&signal| !is_ignored(signal));
        let mut signals = Signals::new(signals)?;
        let end = move || {
            if let Some(signal) = signals.forever().next() {
                end_by(signal);
            }
        };
        std::thread::Builder::new().name("signals".into()).spawn(end).map(drop)
    };
    if let Err(error) = wait() {
        eprintln!("note: temporary files will be left if this is interrupted: {error}");
    }
}

/// Elsewhere a program that is interrupted ends at once.
#[cfg(not(unix))]
pub fn watch() {}

#[cfg(unix)]
fn end_by(signal: i32) {
    let _until_the_end = partial::remove_all();
    let _returns_only_if_it_fails = signal_hook::low_level::emulate_default_handler(signal);
    std::process::exit(128 + signal);
}

/// Whether a signal is ignored.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    // No action is set: the one there is is written to `action`, all of whose bits may be 0.
    #[allow(unsafe_code)]
    let action = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        (libc::sigaction(signal, std::ptr::null(), &raw mut action) == 0).then_some(action)
    };
    action.is_some_and(|action| action.sa_sigaction == libc::SIG_IGN)
}
