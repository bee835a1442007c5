//! `scanner audit --run`: how often each finding occurs in a collection of robots.txt files.

use std::path::Path;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::printed;
use super::talk::{print_json, print_page};
use crate::archive::{self, Capture, EVIDENCE_FILE};
use crate::audit::{Audit, Document, Knowledge, Prevalence, Subject, kinds};
use crate::corpus::{self, Entry};
use crate::files;
use crate::library::Signals;
use crate::limits::ROBOTS_OCTETS;
use crate::message::Coding;
use crate::observation::{Exchange, Outcome};
use crate::refusal::Refusal;
use crate::report;
use crate::run::RunError;

/// Audits a collection; returns the exit status.
pub(super) fn audit(
    run: &Path,
    knowledge: Knowledge,
    listed: Option<&str>,
    is_json: bool,
) -> Result<u8, RunError> {
    if let Some(id) = listed
        && !kinds().any(|kind| kind.id == id)
    {
        let message = format!("no finding {id}: docs/findings.md lists them");
        return Err(RunError::Usage(message));
    }
    let mut prevalence = Prevalence::default();
    let progress = progress();
    for subject in subjects(run, knowledge.signals)? {
        let subject = subject?;
        progress.inc(1);
        prevalence.add(&subject.source, &Audit::of(&subject, knowledge));
    }
    progress.finish_and_clear();
    // The name alone: where a collection lies is the reader's own affair.
    let source = run.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if is_json {
        let json = report::prevalence_json(&source, &prevalence);
        return Ok(printed(print_json(&json.map_err(|error| RunError::Failed(error.into()))?)));
    }
    Ok(printed(print_page(&report::prevalence(&source, &prevalence, listed))))
}

/// How many files were audited, told on a terminal alone.
fn progress() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
    let style = ProgressStyle::with_template("{spinner} {pos} files audited {per_sec}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar
}

/// What is audited, one robots.txt after another.
type Subjects<'a> = Box<dyn Iterator<Item = Result<Subject, Refusal>> + 'a>;

/// The robots.txt files of a collection: a run's evidence, a WARC, or what `corpus` reads.
fn subjects<'a>(run: &Path, signals: &'a Signals) -> Result<Subjects<'a>, RunError> {
    let name = run.to_string_lossy();
    let evidence = run.join(EVIDENCE_FILE);
    if files::exists(&evidence) {
        return archived(&evidence, signals);
    }
    if files::exists(&run.join("manifest.json")) {
        let hint = "a run keeps its answers unless it is told to keep no evidence";
        return Err(Refusal::of(&name, "the run keeps no evidence to audit", hint).into());
    }
    if name.ends_with(".warc") || name.ends_with(".warc.gz") {
        return archived(run, signals);
    }
    let given = |entry: Result<Entry, Refusal>| {
        entry.map(|Entry { name, octets }| Subject::given(&name, octets, None))
    };
    Ok(Box::new(corpus::entries(run)?.map(given)))
}

/// The robots.txt files of a web archive, by the host that answered: of each the latest answer whose
/// content coding can be taken off, whatever its status; a redirect is an answer of another host.
fn archived<'a>(path: &Path, signals: &'a Signals) -> Result<Subjects<'a>, RunError> {
    let hint = "name a WARC of HTTP responses";
    let latest = archive::latest(path).map_err(|error| files::unreadable(path, &error, hint))?;
    let is_final = |capture: &Capture| !(300..400).contains(&capture.status);
    let subjects = latest.into_values().filter(is_final).filter_map(|capture| {
        let host = capture.url.strip_suffix("/robots.txt")?.split("://").nth(1)?.to_owned();
        let coding = Coding::of(&capture.fields).ok()?;
        let (status, fields) = (capture.status, capture.fields);
        let answer = coding.answer(status, fields, capture.body, ROBOTS_OCTETS + 1).ok()?;
        let exchange = Exchange::unasked(capture.url, Outcome::Answered(answer));
        let robots = Document::fetched(exchange, signals);
        Some(Ok(Subject { robots, ..Subject::given(&host, Vec::new(), None) }))
    });
    Ok(Box::new(subjects))
}
