//! Finished runs, read back: their numbers, and the pages that are derived from them.
//!
//! A run's folder is only read here; what is derived from its results may be written anew beside
//! them, since no digest of the run covers it.

use std::io;
use std::path::{Path, PathBuf};

use crate::files;
use crate::refusal::Refusal;
use crate::report;
use crate::summary::Summary;

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
        let text = files::read_text(&path, DOCUMENT_OCTETS)
            .map_err(|error| files::unreadable(&path, &error, HINT))?;
        let summary = Summary::from_json(&text).map_err(|error| {
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
}
