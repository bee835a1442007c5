//! `scanner audit --run`: how often each finding occurs in a collection of robots.txt files.

use std::path::Path;

use super::printed;
use super::talk::{print_json, print_page};
use crate::archive;
use crate::audit::{Audit, Knowledge, Prevalence, Subject, kinds};
use crate::corpus::{self, Entry};
use crate::files;
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
    for entry in entries(run)? {
        let Entry { name, octets } = entry?;
        let subject = Subject::given(&name, octets, None);
        prevalence.add(&name, &Audit::of(&subject, knowledge));
    }
    // The name alone: where a collection lies is the reader's own affair.
    let source = run.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if is_json {
        let json = report::prevalence_json(&source, &prevalence);
        return Ok(printed(print_json(&json.map_err(|error| RunError::Failed(error.into()))?)));
    }
    Ok(printed(print_page(&report::prevalence(&source, &prevalence, listed))))
}

/// The robots.txt files of a collection: a WARC, or what `corpus` reads.
fn entries(run: &Path) -> Result<Box<dyn Iterator<Item = Result<Entry, Refusal>>>, RunError> {
    let name = run.to_string_lossy();
    if name.ends_with(".warc") || name.ends_with(".warc.gz") {
        return archived(run);
    }
    Ok(corpus::entries(run)?)
}

/// The robots.txt files of a web archive: the latest answer of 200 for each host.
fn archived(path: &Path) -> Result<Box<dyn Iterator<Item = Result<Entry, Refusal>>>, RunError> {
    let hint = "name a WARC of HTTP responses";
    let latest = archive::latest(path).map_err(|error| files::unreadable(path, &error, hint))?;
    let is_robots = |url: &str| url.ends_with("/robots.txt");
    let entries = latest
        .into_values()
        .filter(move |capture| is_robots(&capture.url) && capture.status == 200);
    Ok(Box::new(entries.map(|capture| {
        let host = capture.url.split('/').nth(2).unwrap_or_default().to_owned();
        Ok(Entry { name: host, octets: capture.body })
    })))
}
