//! Finished runs, read back: their numbers, the pages that are derived from them, and comparisons.
//!
//! A run's folder is only read here; what is derived from its results may be written anew beside
//! them, since no digest of the run covers it.

mod command;
mod comparison;
mod documents;
mod page;
mod side;
mod tables;

pub use comparison::{Comparing, Uncompared, compared};

use std::io;
use std::path::{Path, PathBuf};

use crate::files;
use crate::manifest::Recorded;
use crate::refusal::Refusal;
use crate::report;
use crate::store::RunFolder;
use crate::summary::Summary;

/// Most octets of a summary or a manifest.
const DOCUMENT_OCTETS: u64 = 64 * 1024 * 1024;

/// What to do about a folder that is no finished run.
const HINT: &str = "name the folder of a finished run, such as runs/demo-808";

/// The pages of a run, derived from its results; no digest of the run covers them.
pub const PAGES: [&str; 2] = ["report.md", "report.html"];

/// A finished run.
#[derive(Clone, Debug)]
pub struct Study {
    /// Its folder.
    pub folder: PathBuf,
    /// What its manifest says.
    pub manifest: Recorded,
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
        let text = files::read_text(&path, DOCUMENT_OCTETS)
            .map_err(|error| files::unreadable(&path, &error, HINT))?;
        let summary = Summary::from_json(&text).map_err(|error| {
            let hint = "a summary is written by scanner alone; another version may have written it";
            Refusal::of(&path.to_string_lossy(), format!("not a summary: {error}"), hint)
                .at(error.line() as u64)
        })?;
        let manifest = RunFolder::at(folder).recorded()?;
        Ok(Self { folder: folder.to_owned(), manifest, summary })
    }

    /// Writes the pages beside the results; returns where they are.
    pub fn write_pages(&self) -> io::Result<[PathBuf; 2]> {
        let [text, page] = PAGES.map(|name| self.folder.join(name));
        files::write_whole(&text, self.text().as_bytes())?;
        files::write_whole(&page, self.page()?.as_bytes())?;
        Ok([text, page])
    }

    /// report.md, from the summary alone.
    pub fn text(&self) -> String {
        report::markdown(&self.summary)
    }

    /// report.html, from the summary, the manifest and the merged tables.
    pub fn page(&self) -> io::Result<String> {
        let folder = RunFolder::at(&self.folder);
        let shown = page::shown(&folder, self.summary.funnel.sample)?;
        Ok(report::html(&self.summary, &provenance(&self.manifest), &shown))
    }
}

/// How the run was made, as its page says it.
fn provenance(manifest: &Recorded) -> report::Provenance {
    report::Provenance {
        started_at: manifest.occasion.started_at.clone(),
        as_of: manifest.source.as_ref().and_then(|source| source.as_of.clone()),
        version: manifest.instrument.version.clone(),
        method: manifest.instrument.method.clone(),
        user_agent: manifest.user_agent.clone(),
        results_sha256: manifest
            .results_sha256
            .map(|digest| digest.to_string())
            .unwrap_or_default(),
        command: command::command(manifest),
    }
}
