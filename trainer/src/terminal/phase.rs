//! The progress of a long phase: a bar on a terminal, else a line now and then.

use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use super::progress_bar::progress_bar;

/// The time between two lines.
const BETWEEN: Duration = Duration::from_secs(10);

/// A phase of so many steps.
pub struct Phase {
    bar: ProgressBar,
    name: &'static str,
    what: &'static str,
    all: usize,
    done: usize,
    told: Instant,
}

impl Phase {
    /// A phase, such as `reading`, of so many steps, such as `pages`.
    pub fn new(name: &'static str, all: usize, what: &'static str) -> Self {
        let template = format!("{name} {{wide_bar}} {{human_pos}}/{{human_len}} {what}, {{eta}}");
        let bar = progress_bar(Some(all as u64), &template);
        Self { bar, name, what, all, done: 0, told: Instant::now() }
    }

    /// A step is done.
    pub fn step(&mut self) {
        self.done += 1;
        self.bar.inc(1);
        if self.bar.is_hidden() && self.told.elapsed() >= BETWEEN {
            self.told = Instant::now();
            eprintln!("{}: {} of {} {}", self.name, self.done, self.all, self.what);
        }
    }
}

impl Drop for Phase {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
