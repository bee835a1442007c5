//! Finished runs, read back: their numbers, the pages that are derived from them, and comparisons.
//!
//! A run's folder is only read here; what is derived from its results may be written anew beside
//! them, since no digest of the run covers it.

mod comparison;
mod facts;
mod tables;

pub use comparison::{Comparing, Uncompared, compared};

use std::io;
use std::path::{Path, PathBuf};

use crate::compare::{Side, SourceKind};
use crate::files;
use crate::refusal::Refusal;
use crate::report;
use crate::summary::Summary;
use crate::words::Word as _;

use facts::Facts;

/// Most octets of a summary or a manifest.
const DOCUMENT_OCTETS: u64 = 64 * 1024 * 1024;

/// What to do about a folder that is no finished run.
const HINT: &str = "name the folder of a finished run, such as runs/demo-808";

/// A finished run.
#[derive(Clone, Debug)]
pub struct Study {
    /// Its folder.
    pub folder: PathBuf,
    /// Its numbers.
    pub summary: Summary,
}

impl Study {
    /// Opens the folder of a finished run.
    pub fn open(folder: &Path) -> Result<Self, Refusal> {
        let named = folder.to_string_lossy();
        if !files::is_folder(folder) {
            return Err(Refusal::of(&named, "no such folder", HINT));
        }
        let path = folder.join("summary.json");
        if !files::exists(&path) {
            let message = "no summary.json stands in it: it is no run, or one that did not end";
            return Err(Refusal::of(&named, message, HINT));
        }
        let summary = Summary::from_json(&text(&path)?).map_err(|error| {
            let hint = "a summary is written by scanner alone; another version may have written it";
            Refusal::of(&path.to_string_lossy(), format!("not a summary: {error}"), hint)
                .at(error.line() as u64)
        })?;
        Ok(Self { folder: folder.to_owned(), summary })
    }

    /// Writes report.md beside the results; returns where it is.
    pub fn write_report(&self) -> io::Result<PathBuf> {
        let path = self.folder.join("report.md");
        files::write_whole(&path, report::markdown(&self.summary).as_bytes())?;
        Ok(path)
    }

    /// The run as one side of a comparison.
    fn into_side(self) -> Result<Side, Refusal> {
        let path = self.folder.join("manifest.json");
        let facts: Facts = serde_json::from_str(&text(&path)?).map_err(|error| {
            Refusal::of(&path.to_string_lossy(), format!("not a manifest: {error}"), HINT)
                .at(error.line() as u64)
        })?;
        let folder = self.folder.to_string_lossy().into_owned();
        if facts.status != crate::manifest::Status::Complete.word() {
            return Err(Refusal::of(&folder, format!("the run is {}", facts.status), HINT));
        }
        let name = self.folder.file_name().map(|name| name.to_string_lossy().into_owned());
        let summary = self.summary;
        Ok(Side {
            label: name.unwrap_or_else(|| folder.clone()),
            folder,
            sample: summary.sample.clone(),
            sample_sha256: summary.sample_sha256.clone(),
            seed: summary.seed,
            date: facts.date(),
            country: facts.country(),
            source: source(&facts).word().to_owned(),
            version: facts.instrument.version.clone(),
            limits: serde_json::to_string(&facts.instrument.limits).unwrap_or_default(),
            instrument_sha256: summary.instrument_sha256.clone(),
            library: summary.library.clone(),
            library_sha256: summary.library_sha256.clone(),
            results_sha256: facts.results_sha256,
            user_agent: facts.user_agent,
            summary,
        })
    }
}

/// Where a run's answers came from.
fn source(facts: &Facts) -> SourceKind {
    match (&facts.source, &facts.world) {
        (Some(source), _) => SourceKind::from_word(&source.kind).unwrap_or(SourceKind::Captures),
        (None, Some(_)) => SourceKind::Fixture,
        (None, None) => SourceKind::Live,
    }
}

/// Reads a document of a run.
fn text(path: &Path) -> Result<String, Refusal> {
    files::read_text(path, DOCUMENT_OCTETS).map_err(|error| files::unreadable(path, &error, HINT))
}
