//! The progress of a long phase: a bar on a terminal, else a line now and then.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use super::progress_bar::progress_bar;

/// The time between two lines.
const BETWEEN: Duration = Duration::from_secs(30);

/// Whether the phases of a long work are told, one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phases {
    /// As bars on a terminal, else as lines.
    Shown,
    /// Not at all: the work is a part of another, which has its own bar.
    Hidden,
}

impl Phases {
    /// A phase of so many steps: see [`Phase::new`].
    pub fn phase(self, name: &str, all: usize, what: &'static str) -> Phase {
        match self {
            Self::Shown => Phase::new(name, all, what),
            Self::Hidden => Phase::of(ProgressBar::hidden(), false, name, all, what),
        }
    }

    /// A sign of a phase whose steps are not known.
    pub fn wait(self, what: &str) -> ProgressBar {
        let bar = self.spinner(&format!("{{spinner}} {what}, {{elapsed}}"));
        if !bar.is_hidden() {
            bar.enable_steady_tick(Duration::from_millis(100));
        }
        bar
    }

    /// A count of texts whose number is not known before they are read.
    pub fn texts(self, what: &str) -> ProgressBar {
        self.spinner(&format!("{what}: {{human_pos}} texts, {{per_sec}}, {{elapsed}}"))
    }

    fn spinner(self, template: &str) -> ProgressBar {
        match self {
            Self::Shown => progress_bar(None, template),
            Self::Hidden => ProgressBar::hidden(),
        }
    }
}

/// A phase of so many steps, which threads may share.
pub struct Phase {
    bar: ProgressBar,
    /// Whether there are lines in place of the bar.
    has_lines: bool,
    name: String,
    what: &'static str,
    all: usize,
    told: Mutex<Instant>,
}

impl Phase {
    /// A phase, such as `reading`, of so many steps, such as `pages`.
    pub fn new(name: &str, all: usize, what: &'static str) -> Self {
        let template = format!("{name} {{wide_bar}} {{human_pos}}/{{human_len}} {what}, {{eta}}");
        let bar = progress_bar(Some(all as u64), &template);
        let has_lines = bar.is_hidden();
        Self::of(bar, has_lines, name, all, what)
    }

    fn of(bar: ProgressBar, has_lines: bool, name: &str, all: usize, what: &'static str) -> Self {
        let told = Mutex::new(Instant::now());
        Self { bar, has_lines, name: name.to_owned(), what, all, told }
    }

    /// Whether lines tell of it, and no bar does.
    #[cfg(feature = "teacher")]
    pub fn has_lines(&self) -> bool {
        self.has_lines
    }

    /// Some steps are done.
    pub fn step(&self, count: usize) {
        self.bar.inc(count as u64);
        if !self.has_lines {
            return;
        }
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.elapsed() >= BETWEEN {
            *told = Instant::now();
            eprintln!("{}: {} of {} {}", self.name, self.bar.position(), self.all, self.what);
        }
    }

    /// Prints what would disturb a bar.
    pub fn suspend(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }
}

impl Drop for Phase {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
