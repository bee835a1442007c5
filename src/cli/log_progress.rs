//! How the reading of logs goes, on stderr: one bar on a terminal, nothing otherwise.

use std::io::IsTerminal as _;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::logfiles::Watcher;

/// The bar's line.
const TEMPLATE: &str = "{prefix} {bar:24} {bytes}/{total_bytes} {bytes_per_sec} left {eta}";

/// Tells a person how far the reading is.
pub(super) struct LogProgress(ProgressBar);

impl LogProgress {
    /// A bar on a terminal, unless all should be quiet.
    pub(super) fn new(is_quiet: bool) -> Self {
        let is_shown = !is_quiet && std::io::stderr().is_terminal();
        let target = if is_shown {
            ProgressDrawTarget::stderr_with_hz(10)
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(None, target);
        let style = ProgressStyle::with_template(TEMPLATE);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self(bar)
    }

    /// Begins a pass over so many octets.
    pub(super) fn begin(&self, what: &'static str, octets: u64) {
        self.0.reset();
        self.0.set_prefix(what);
        self.0.set_length(octets);
    }

    /// Ends.
    pub(super) fn end(&self) {
        self.0.finish_and_clear();
    }
}

impl Watcher for LogProgress {
    fn read(&self, octets: u64) {
        self.0.inc(octets);
    }

    fn begin_again(&self) {
        self.0.set_position(0);
    }
}
