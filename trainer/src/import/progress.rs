//! Where an import stands: a bar on a terminal, a line now and then in a log.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use crate::terminal::progress_bar::progress_bar;

/// Between two lines in a log.
const BETWEEN: Duration = Duration::from_secs(30);

/// A stage's progress, by the bytes of its inputs as they lie on the disk.
pub struct Progress {
    bar: ProgressBar,
    what: String,
    total: u64,
    done: AtomicU64,
    told: Mutex<Instant>,
    begun: Instant,
}

impl Progress {
    /// Of so many bytes.
    pub fn new(what: &str, total: u64) -> Self {
        let template = "{msg} {wide_bar} {bytes}/{total_bytes}, {eta} left";
        let bar = progress_bar(Some(total), template);
        bar.set_message(what.to_owned());
        let begun = Instant::now();
        let (done, told) = (AtomicU64::new(0), Mutex::new(begun));
        Self { bar, what: what.into(), total, done, told, begun }
    }

    /// So many bytes more were read.
    pub fn advance(&self, bytes: u64) {
        let done = self.done.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.bar.set_position(done);
        // Whoever finds it taken has nothing to tell: another thread does.
        let Ok(mut told) = self.told.try_lock() else { return };
        if !self.bar.is_hidden() || told.elapsed() < BETWEEN {
            return;
        }
        *told = Instant::now();
        let share = done as f64 / self.total.max(1) as f64;
        let left = self.begun.elapsed().as_secs_f64() * (1.0 - share) / share.max(1e-9);
        eprintln!("{}: {:.0} %, about {:.0} s left", self.what, 100.0 * share, left.max(0.0));
    }

    /// The stage is over.
    pub fn finish(&self, result: &str) {
        self.bar.finish_and_clear();
        eprintln!("{}: {result}", self.what);
    }
}
