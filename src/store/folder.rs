//! A run's folder and the names in it.

use std::io;
use std::path::{Path, PathBuf};

use crate::digest::{Digest, Hasher};
use crate::files;
use crate::record::{CrawlerRow, DomainRow, PathRow, Reader, ReviewRow, Row, TimingRow};

use super::claim::{CLAIM, Claim, Holder};
use super::evidence::EvidenceFile;
use super::journal::{self, DomainRecord, Journal, Verdict};
use super::tables::{SyncedTable, TableFile};

/// The document that says what a run was.
const MANIFEST: &str = "manifest.json";

/// Most octets of a document of the folder.
const DOCUMENT_OCTETS: u64 = 256 * 1024 * 1024;

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
    /// Whether a run may be written here: nothing is there, or an empty folder, or what a run leaves
    /// that died before it said what it was.
    pub fn is_free(path: &Path) -> io::Result<bool> {
        if !files::exists(path) {
            return Ok(true);
        }
        let beginnings = [CLAIM.to_owned(), format!("{MANIFEST}{}", files::PARTIAL)];
        let is_beginning = |file: &PathBuf| {
            file.file_name().is_some_and(|name| beginnings.iter().any(|begun| name == &**begun))
        };
        Ok(files::is_folder(path) && files::entries(path)?.iter().all(is_beginning))
    }

    /// Makes the folder of a new run.
    pub fn create(path: &Path) -> io::Result<Self> {
        files::make_folder(path)?;
        Ok(Self { path: path.to_owned() })
    }

    /// The folder of a run that is there.
    pub fn at(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }

    /// Claims the folder for this process, or says which other one has it.
    pub fn claim(&self) -> io::Result<Result<Claim, Holder>> {
        Claim::on(&self.path)
    }

    /// Removes the claim on a finished run, left by a process that ended just before it could; one that
    /// is held stays.
    pub fn forget_claim(&self) {
        if files::exists(&self.path.join(CLAIM))
            && let Ok(Ok(claim)) = self.claim()
        {
            // A claim that cannot be removed binds nobody: the run is finished.
            let _ = claim.end();
        }
    }

    /// Who writes the folder now.
    pub fn holder(&self) -> io::Result<Holder> {
        Holder::of(&self.path)
    }

    /// The folder's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where a file of the folder is.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Opens the journal of an attempt: one that begins, or one that was interrupted, whose whole
    /// records are judged by `kept`. Returns it with the octets of a torn tail that were cut.
    pub fn journal(
        &self,
        attempt: u32,
        kept: impl FnMut(&DomainRecord) -> io::Result<Verdict>,
    ) -> io::Result<(Journal, u64)> {
        let path = self.journal_path(attempt);
        match files::exists(&path) {
            true => Journal::reopen(&path, kept),
            false => Ok((Journal::create(&path)?, 0)),
        }
    }

    /// Domains that the journal of an attempt holds, while it may be written; none without a journal.
    pub fn journalled(&self, attempt: u32) -> io::Result<Option<u64>> {
        let path = self.journal_path(attempt);
        files::exists(&path).then(|| journal::count(&path)).transpose()
    }

    /// Opens the run's evidence, cut back to its first `octets`; with none of them it begins anew, with
    /// the record that opens it.
    pub fn evidence(&self, name: &str, octets: u64, opening: &[u8]) -> io::Result<EvidenceFile> {
        EvidenceFile::open(&self.path, name, octets, opening)
    }

    /// Octets of the run's evidence that are on disk, if it is there at all.
    pub fn evidence_octets(&self, name: &str) -> io::Result<Option<u64>> {
        EvidenceFile::octets_at(&self.path, name)
    }

    /// Writes the tables of an attempt in sample order and gives them their names. The attempt is
    /// closed when the manifest names them; until then its journal tells the same again.
    pub fn close_attempt(&self, attempt: u32, journal: Journal) -> io::Result<SealedAttempt> {
        let [domains, crawlers, paths, review, timing] = attempt_tables(attempt);
        let mut domains = self.table::<DomainRow>(&domains)?;
        let mut crawlers = self.table::<CrawlerRow>(&crawlers)?;
        let mut paths = self.table::<PathRow>(&paths)?;
        let mut review = self.table::<ReviewRow>(&review)?;
        let mut timing = self.table::<TimingRow>(&timing)?;
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
        Ok(SealedAttempt { results, timing })
    }

    /// Removes the journal of an attempt that is closed, if it is still there.
    pub fn forget_journal(&self, attempt: u32) -> io::Result<()> {
        let path = self.journal_path(attempt);
        if files::exists(&path) { files::remove(&path) } else { Ok(()) }
    }

    /// Where the journal of an attempt is.
    fn journal_path(&self, attempt: u32) -> PathBuf {
        self.path.join(format!("attempt-{attempt}.journal"))
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

    /// Writes the manifest: the one step by which an attempt or the run is closed.
    pub fn write_manifest(&self, text: &str) -> io::Result<()> {
        self.write(MANIFEST, text).map(|_| ())
    }

    /// Where the manifest is.
    pub fn manifest_path(&self) -> PathBuf {
        self.path.join(MANIFEST)
    }

    /// Reads the manifest.
    pub fn read_manifest(&self) -> io::Result<String> {
        files::read_text(&self.manifest_path(), DOCUMENT_OCTETS)
    }

    /// The digest of a file of the folder, as it is now.
    pub fn digest(&self, name: &str) -> io::Result<Digest> {
        let mut hasher = Hasher::new();
        files::read_through(&self.path.join(name), |piece| hasher.update(piece))?;
        Ok(hasher.finish())
    }
}

/// The names of an attempt's tables: domains, crawlers, paths, review, timing.
pub fn attempt_tables(attempt: u32) -> [String; 5] {
    ["", ".crawlers", ".paths", ".review", ".timing"]
        .map(|table| format!("attempt-{attempt}{table}.csv"))
}
