//! Where a training stands: a bar on a terminal, a line for each epoch in a log.

use indicatif::ProgressBar;

use crate::terminal::progress_bar::progress_bar;

/// A bar over all steps, or none where standard error is no terminal.
pub struct Progress {
    bar: ProgressBar,
    silent: bool,
}

impl Progress {
    /// A bar of so many steps.
    pub fn new(steps: u64) -> Self {
        let bar = progress_bar(Some(steps), "{wide_bar} {percent:>3} %, {eta} left{msg}");
        Self { bar, silent: false }
    }

    /// No bar and no lines: for one training among many.
    pub fn silent() -> Self {
        Self { bar: ProgressBar::hidden(), silent: true }
    }

    /// The training resumes after an epoch.
    pub fn resumed(&self, epoch: u64, steps: u64) {
        self.bar.set_position(steps);
        if !self.silent {
            eprintln!("resuming after epoch {epoch}");
        }
    }

    /// A step was taken.
    pub fn step(&self) {
        self.bar.inc(1);
    }

    /// An epoch is over.
    pub fn epoch(
        &self,
        epoch: u64,
        epochs: u64,
        loss: f64,
        selected: Option<(&str, f64)>,
        undefined: u64,
    ) {
        if self.silent {
            return;
        }
        let mut line = format!("epoch {epoch}/{epochs}, loss {loss:.5}");
        if let Some((name, value)) = selected {
            line.push_str(&format!(", validation {name} {value:.4}"));
        }
        if undefined > 0 {
            line.push_str(&format!(", {undefined} undefined gradients"));
        }
        if self.bar.is_hidden() {
            eprintln!("{line}");
        } else {
            self.bar.set_message(format!(", {line}"));
        }
    }

    /// The training is over.
    pub fn finish(&self) {
        self.bar.finish();
    }
}
