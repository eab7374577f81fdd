//! Bars on a terminal.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// A bar of this length, if it is known; a hidden one where standard error is no terminal.
pub fn progress_bar(length: Option<u64>, template: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = length.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

/// Whether the phases of a long work have bars, one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phases {
    /// On a terminal.
    Shown,
    /// Not even there: the work is a part of another, which has its own bar.
    Hidden,
}

impl Phases {
    /// A bar of a phase of so many steps.
    pub fn phase(self, what: &str, steps: usize) -> ProgressBar {
        let template = format!("{what} {{wide_bar}} {{pos}} of {{len}}, {{eta}} left");
        self.bar(|| progress_bar(Some(steps as u64), &template))
    }

    /// A sign of a phase whose steps are not known.
    pub fn wait(self, what: &str) -> ProgressBar {
        let bar = self.bar(|| progress_bar(None, &format!("{{spinner}} {what}, {{elapsed}}")));
        if !bar.is_hidden() {
            bar.enable_steady_tick(Duration::from_millis(100));
        }
        bar
    }

    /// A count of texts whose number is not known before they are read.
    pub fn texts(self, what: &str) -> ProgressBar {
        let template = format!("{what}: {{human_pos}} texts, {{per_sec}}, {{elapsed}}");
        self.bar(|| progress_bar(None, &template))
    }

    fn bar(self, make: impl FnOnce() -> ProgressBar) -> ProgressBar {
        match self {
            Self::Shown => make(),
            Self::Hidden => ProgressBar::hidden(),
        }
    }
}
