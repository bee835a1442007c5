//! A run looked at from outside, also while another process writes it; nothing is changed.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use serde::Deserialize;

use super::RunError;
use super::resume::{MERGED, recorded};
use crate::files;
use crate::manifest::{Account, Findings, Recorded, Status};
use crate::store::{Holder, RunFolder};

/// Octets that are read in all to hold files to their digests; what is beyond is for `verify`.
const OCTETS_MOST: u64 = 1024 * 1024 * 1024;

/// Octets of a summary.
const SUMMARY_OCTETS: u64 = 64 * 1024 * 1024;

/// How often the manifest is read again because it changed meanwhile.
const READINGS_MOST: u32 = 4;

/// The account of the run in a folder.
pub fn account(path: &Path) -> Result<Account, RunError> {
    let folder = RunFolder::at(path);
    let (recorded, domains_done) = snapshot(&folder)?;
    let (is_held, process) = match folder.holder()? {
        Holder::Nobody => (false, None),
        Holder::Process(id) => (true, id),
    };
    let is_merged = files::exists(&folder.file(MERGED));
    let to_review = match recorded.status {
        Status::Complete => to_review(&folder),
        Status::Running | Status::Incomplete => None,
    };
    let findings = Findings {
        is_held,
        process,
        is_merged,
        domains_done,
        to_review,
        ..held_to_digests(&folder, &recorded)?
    };
    Ok(Account::of(&path.to_string_lossy(), &recorded, findings))
}

/// The manifest, and the domains that the next attempt's journal holds: of one moment, as far as a
/// process that writes on lets it be.
fn snapshot(folder: &RunFolder) -> Result<(Recorded, u64), RunError> {
    let mut before = recorded(folder)?;
    let mut domains_done = 0;
    for _ in 0..READINGS_MOST {
        domains_done = match folder.journalled(before.attempts.len() as u32 + 1) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
            journalled => journalled?.unwrap_or_default(),
        };
        let after = recorded(folder)?;
        if after == before {
            break;
        }
        before = after;
    }
    Ok((before, domains_done))
}

/// Which files are not as the manifest pins them, which are not here, and which were not read.
fn held_to_digests(folder: &RunFolder, recorded: &Recorded) -> io::Result<Findings> {
    let results = recorded.files.iter().map(|(name, digest)| (name, digest.to_string()));
    let others = recorded.occasion.files.iter().map(|(name, digest)| (name, digest.clone()));
    let mut octets_left = OCTETS_MOST;
    let mut findings = Findings::default();
    for (name, pinned) in results.chain(others) {
        if !files::exists(&folder.file(name)) {
            match recorded.files.contains_key(name) {
                true => findings.faults.push(format!("{name} is missing")),
                false => findings.absent.push(name.clone()),
            }
            continue;
        }
        let octets = files::octets(&folder.file(name))?;
        if octets > octets_left {
            findings.unread.push(name.clone());
            continue;
        }
        octets_left -= octets;
        if folder.digest(name)?.to_string() != pinned {
            findings.faults.push(format!("{name} is not as the manifest pins it"));
        }
    }
    Ok(findings)
}

/// Rows of review.csv, by the summary of a complete run.
fn to_review(folder: &RunFolder) -> Option<u64> {
    #[derive(Deserialize)]
    struct Summary {
        review: BTreeMap<String, u64>,
    }
    let text = files::read_text(&folder.file("summary.json"), SUMMARY_OCTETS).ok()?;
    let summary: Summary = serde_json::from_str(&text).ok()?;
    Some(summary.review.values().sum())
}
