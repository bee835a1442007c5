//! A run's folder and the names in it.

use std::io;
use std::path::{Path, PathBuf};

use crate::digest::Digest;
use crate::files;
use crate::record::{CrawlerRow, DomainRow, PathRow, Reader, ReviewRow, Row, TimingRow};

use super::evidence::EvidenceFile;
use super::journal::{DomainRecord, Journal};
use super::tables::{SyncedTable, TableFile};

/// A run's folder.
#[derive(Clone, Debug)]
pub struct RunFolder {
    path: PathBuf,
}

/// The digests of an attempt's sealed tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedAttempt {
    /// The result tables, by name.
    pub results: Vec<(String, Digest)>,
    /// The timing table.
    pub timing: (String, Digest),
}

impl RunFolder {
    /// Whether a run may be written here: nothing is there, or an empty folder.
    pub fn is_free(path: &Path) -> io::Result<bool> {
        if !files::exists(path) {
            return Ok(true);
        }
        Ok(files::is_folder(path) && files::entries(path)?.is_empty())
    }

    /// Makes the folder of a new run.
    pub fn create(path: &Path) -> io::Result<Self> {
        files::make_folder(path)?;
        Ok(Self { path: path.to_owned() })
    }

    /// The folder's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens the journal of an attempt that begins.
    pub fn journal(&self, attempt: u32) -> io::Result<Journal> {
        Journal::create(&self.path.join(format!("attempt-{attempt}.journal")))
    }

    /// Begins the run's evidence with the record that opens it.
    pub fn evidence(&self, name: &str, opening: &[u8]) -> io::Result<EvidenceFile> {
        EvidenceFile::create(&self.path, name, opening)
    }

    /// Closes an attempt: writes its tables in sample order, seals them, removes the journal.
    pub fn close_attempt(&self, attempt: u32, journal: Journal) -> io::Result<SealedAttempt> {
        let name = |table: &str| format!("attempt-{attempt}{table}.csv");
        let mut domains = self.table::<DomainRow>(&name(""))?;
        let mut crawlers = self.table::<CrawlerRow>(&name(".crawlers"))?;
        let mut paths = self.table::<PathRow>(&name(".paths"))?;
        let mut review = self.table::<ReviewRow>(&name(".review"))?;
        let mut timing = self.table::<TimingRow>(&name(".timing"))?;
        let journal_path = journal.path().to_owned();
        for record in journal.in_sample_order()? {
            let DomainRecord { tables, .. } = record?;
            domains.write_all(&tables.domain)?;
            crawlers.write_all(&tables.crawlers)?;
            paths.write_all(&tables.paths)?;
            review.write_all(&tables.review)?;
            timing.write_all(&tables.timing)?;
        }
        // All are durable before the first gets its name: a full disk leaves the journal alone.
        let results = [domains.sync()?, crawlers.sync()?, paths.sync()?, review.sync()?];
        let timing = timing.sync()?.name()?;
        let results = results.into_iter().map(SyncedTable::name).collect::<io::Result<_>>()?;
        files::remove(&journal_path)?;
        Ok(SealedAttempt { results, timing })
    }

    /// Begins a table of the folder.
    pub fn table<R: Row>(&self, name: &str) -> io::Result<TableFile> {
        TableFile::begin::<R>(&self.path, name)
    }

    /// Reads a sealed table of the folder.
    pub fn read<R: Row + 'static>(
        &self,
        name: &str,
    ) -> io::Result<Box<dyn Iterator<Item = io::Result<R>>>> {
        let path = self.path.join(name);
        let naming = move |error: io::Error| {
            io::Error::new(error.kind(), format!("{}: {error}", path.display()))
        };
        let reader = Reader::<_, R>::open(files::open(&self.path.join(name))?).map_err(&naming)?;
        Ok(Box::new(reader.map(move |row| row.map_err(&naming))))
    }

    /// Writes a document of the folder whole.
    pub fn write(&self, name: &str, text: &str) -> io::Result<(String, Digest)> {
        files::write_whole(&self.path.join(name), text.as_bytes())?;
        Ok((name.to_owned(), Digest::of(text.as_bytes())))
    }
}
