//! The exported folder while it is written: each file digested on the way, the checksums last.

use std::fmt;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::checksum_line;
use crate::digest::Digest;
use crate::files;
use crate::manifest::Recorded;
use crate::record::Table;
use crate::refusal::Refusal;
use crate::store::{Digesting, RunFolder};

/// One file of an exported folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedFile {
    /// Its path within the folder, with `/`.
    pub path: String,
    /// Its length.
    pub octets: u64,
    /// Its digest.
    pub digest: Digest,
}

impl ExportedFile {
    /// The table that it holds, if it is one of a run's.
    pub(super) fn table(&self) -> Option<Table> {
        self.path.strip_prefix("run/").and_then(Table::of_file)
    }

    /// Its media type.
    pub(super) fn media_type(&self) -> &'static str {
        match self.path.rsplit('.').next().unwrap_or_default() {
            "csv" => "text/csv",
            "json" => "application/json",
            "md" => "text/markdown",
            "html" => "text/html",
            "parquet" => "application/vnd.apache.parquet",
            "gz" => "application/gzip",
            "cff" => "application/yaml",
            _ => "application/octet-stream",
        }
    }
}

/// What was exported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// The files, in the order in which they were written.
    pub files: Vec<ExportedFile>,
}

/// Why a run could not be exported.
#[derive(Debug)]
pub enum ExportError {
    /// The run, or the place to export to, is refused.
    Refused(Refusal),
    /// Something of ours failed.
    Failed(io::Error),
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refusal) => refusal.fmt(f),
            Self::Failed(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ExportError {}

impl From<Refusal> for ExportError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<io::Error> for ExportError {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

/// The folder while it is written.
pub(super) struct Folder {
    path: PathBuf,
    exported: Exported,
}

impl Folder {
    /// Begins a folder that is not there yet, or empty.
    pub(super) fn begin(path: &Path) -> Result<Self, ExportError> {
        if !RunFolder::is_free(path)? {
            let hint = "give a folder that is not there yet: --out DIR";
            return Err(Refusal::of(&path.to_string_lossy(), "something is there", hint).into());
        }
        files::make_folder(path)?;
        Ok(Self { path: path.to_owned(), exported: Exported::default() })
    }

    /// What stands in it so far.
    pub(super) fn exported(&self) -> &Exported {
        &self.exported
    }

    /// Copies the run, file by file; one that is not what the manifest says is refused.
    pub(super) fn copy_run(&mut self, run: &Path, recorded: &Recorded) -> Result<(), ExportError> {
        self.copy(&run.join("manifest.json"), "run/manifest.json")?;
        let occasional = recorded.occasion.files.iter();
        let occasional = occasional.map(|(name, digest)| (name, digest.to_string()));
        let results = recorded.files.iter().map(|(name, digest)| (name, digest.to_string()));
        for (name, stated) in results.chain(occasional) {
            let file = run.join(name);
            if !files::exists(&file) && recorded.occasion.files.contains_key(name) {
                continue; // no result is derived from it, and whoever publishes may leave it out
            }
            let found = self.copy(&file, &format!("run/{name}"))?;
            if found.to_string() != stated {
                let message = format!("its digest is {found}, and the manifest states {stated}");
                let hint = "the run was changed after it ended: scanner verify says where";
                return Err(Refusal::of(&file.to_string_lossy(), message, hint).into());
            }
        }
        Ok(())
    }

    /// Copies a file; returns its digest.
    fn copy(&mut self, from: &Path, to: &str) -> io::Result<Digest> {
        let mut source = files::open(from)?;
        self.write_with(to, |file| io::copy(&mut source, file).map(drop))?;
        Ok(self.exported.files.last().map_or_else(|| Digest::of(b""), |file| file.digest))
    }

    /// Writes a text.
    pub(super) fn write(&mut self, path: &str, text: &str) -> io::Result<()> {
        self.write_with(path, |file| file.write_all(text.as_bytes()))
    }

    /// Writes a JSON document.
    pub(super) fn write_json(&mut self, path: &str, value: &serde_json::Value) -> io::Result<()> {
        self.write(path, &(serde_json::to_string_pretty(value)? + "\n"))
    }

    /// Writes a file by a function.
    pub(super) fn write_with(
        &mut self,
        path: &str,
        write: impl FnOnce(&mut Digesting) -> io::Result<()>,
    ) -> io::Result<()> {
        let whole = self.path.join(path);
        if let Some(parent) = whole.parent() {
            files::make_folder(parent)?;
        }
        let mut file = Digesting::begin(&whole)?;
        write(&mut file)?;
        let (octets, digest) = file.seal()?;
        self.exported.files.push(ExportedFile { path: path.to_owned(), octets, digest });
        Ok(())
    }

    /// Writes the checksums of all files, which ends the export.
    pub(super) fn seal(mut self) -> io::Result<Exported> {
        let line = |file: &ExportedFile| checksum_line(&file.digest, &file.path);
        let lines: String = self.exported.files.iter().map(line).collect();
        self.write("SHA256SUMS", &lines)?;
        Ok(self.exported)
    }
}
