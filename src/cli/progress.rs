//! How a run goes, on stderr: one bar on a terminal, a plain line every thirty seconds otherwise.

use std::fmt::Write;
use std::io::IsTerminal as _;
use std::path::Path;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::talk::say;
use crate::clock::Moment;
use crate::manifest::AttemptCounts;
use crate::record::Layer;
use crate::run::Watcher;

/// Time between two plain lines.
const LINE_EVERY: Duration = Duration::from_secs(30);

/// The bar's line: attempt, bar, done, counts, rate, time left.
const TEMPLATE: &str = "{prefix} {bar:12} {pos}/{len} {msg} {rate} left {eta}";

/// Tells a person how a run goes.
pub(super) struct Progress {
    kind: Kind,
    attempt: u32,
    domains: u64,
    done: u64,
    /// Those of them that an earlier process did.
    kept: u64,
    observed: u64,
    denied: u64,
    unscannable: u64,
    began: Moment,
    last_line: Moment,
}

/// How it is told.
enum Kind {
    Quiet,
    Bar(ProgressBar),
    Lines,
}

impl Progress {
    /// Chooses how to tell: nothing when quiet, a bar on a terminal, else plain lines.
    pub(super) fn new(quiet: bool) -> Self {
        let kind = if quiet {
            Kind::Quiet
        } else if std::io::stderr().is_terminal() {
            Kind::Bar(bar())
        } else {
            Kind::Lines
        };
        let now = Moment::now();
        Self {
            kind,
            attempt: 0,
            domains: 0,
            done: 0,
            kept: 0,
            observed: 0,
            denied: 0,
            unscannable: 0,
            began: now,
            last_line: now,
        }
    }

    /// What was found so far, in words.
    fn counts(&self) -> String {
        format!(
            "observed {} denied {} unscannable {}",
            self.observed, self.denied, self.unscannable
        )
    }

    /// One plain line.
    fn line(&mut self) {
        self.last_line = Moment::now();
        let elapsed = self.began.elapsed().as_secs();
        let left = match self.done - self.kept {
            0 => "?".to_owned(),
            done => (self.domains.saturating_sub(self.done) * elapsed / done).to_string(),
        };
        say(format_args!(
            "attempt {}  {}/{}  {}  elapsed {elapsed}s  left ~{left}s",
            self.attempt,
            self.done,
            self.domains,
            self.counts()
        ));
    }
}

/// The one bar of a run.
fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
    let style = ProgressStyle::with_template(TEMPLATE);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    let rate = |state: &ProgressState, to: &mut dyn Write| {
        let _ = write!(to, "{:.0}/s", state.per_sec());
    };
    bar.set_style(style.with_key("rate", rate));
    bar
}

impl Watcher for Progress {
    fn archive_read(&mut self, archive: &Path, pass: usize) {
        if !matches!(self.kind, Kind::Quiet) {
            let further = if pass > 1 { ", for what its captures lead to" } else { "" };
            say(format_args!("reading {}{further}", archive.display()));
        }
    }

    fn attempt_begins(&mut self, attempt: u32, domains: u64, kept: &AttemptCounts) {
        (self.attempt, self.domains) = (attempt, domains);
        (self.done, self.kept) = (kept.asked, kept.asked);
        (self.observed, self.denied) = (kept.observed, kept.access_denied);
        self.unscannable = kept.unscannable;
        self.began = Moment::now();
        self.last_line = self.began;
        if let Kind::Bar(bar) = &self.kind {
            bar.reset();
            bar.set_length(domains);
            bar.set_position(kept.asked);
            bar.reset_eta();
            bar.set_prefix(format!("attempt {attempt}"));
            bar.set_message(self.counts());
        }
    }

    fn waits(&mut self, everyone_s: u64, last_s: u64) {
        if matches!(self.kind, Kind::Quiet) {
            return;
        }
        let (attempt, domains) = (self.attempt, self.domains);
        let line = match (everyone_s, last_s) {
            (wait_s, last_s) if wait_s == last_s => {
                format!("attempt {attempt}: {domains} domains are asked again in {wait_s} s")
            }
            (wait_s, last_s) => format!(
                "attempt {attempt}: {domains} domains are asked again in {wait_s} s, \
                 the last as its site wishes in {last_s} s"
            ),
        };
        match &self.kind {
            Kind::Bar(bar) => bar.suspend(|| say(line)),
            Kind::Quiet | Kind::Lines => say(line),
        }
    }

    fn domain_done(&mut self, layer: Layer) {
        self.done += 1;
        match layer {
            Layer::Policy => self.observed += 1,
            Layer::AccessDenied => self.denied += 1,
            Layer::Unscannable => self.unscannable += 1,
            Layer::Outside => {}
        }
        match &self.kind {
            Kind::Quiet => {}
            Kind::Bar(bar) => {
                bar.set_message(self.counts());
                bar.inc(1);
            }
            Kind::Lines => {}
        }
    }

    fn heartbeat(&mut self) {
        match &self.kind {
            Kind::Quiet => {}
            Kind::Bar(bar) => bar.tick(),
            Kind::Lines if self.last_line.elapsed() >= LINE_EVERY => self.line(),
            Kind::Lines => {}
        }
    }

    fn stopping(&mut self, in_flight: usize) {
        if let Kind::Bar(bar) = &self.kind {
            bar.finish_and_clear();
        }
        if !matches!(self.kind, Kind::Quiet) {
            say(format_args!("stopping: {in_flight} domains are in flight; again stops at once"));
        }
    }

    fn attempt_closed(&mut self, _: &AttemptCounts) {
        match &self.kind {
            Kind::Quiet => {}
            Kind::Bar(bar) => bar.finish_and_clear(),
            Kind::Lines => self.line(),
        }
    }
}
