//! A table that is being written, digested on the way, and not there until it is sealed.

use std::io::{self, Write};
use std::path::Path;

use crate::digest::{Digest, Hasher};
use crate::files::{Synced, Whole};
use crate::record::{Row, Writer};

/// A table file while it is written.
pub struct TableFile {
    name: String,
    writer: Writer<Digesting>,
}

/// A file that digests what it is given.
struct Digesting {
    file: Whole,
    hasher: Hasher,
}

impl Write for Digesting {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let written = self.file.write(octets)?;
        self.hasher.update(&octets[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl TableFile {
    /// Begins a table in a folder.
    pub(super) fn begin<R: Row>(folder: &Path, name: &str) -> io::Result<Self> {
        let file = Whole::begin(&folder.join(name))?;
        let writer = Writer::begin::<R>(Digesting { file, hasher: Hasher::new() })?;
        Ok(Self { name: name.to_owned(), writer })
    }

    /// Writes a row.
    pub fn write(&mut self, row: &impl Row) -> io::Result<()> {
        self.writer.write(&row.cells())
    }

    /// Writes rows that are cells already.
    pub(super) fn write_all(&mut self, rows: &[Vec<String>]) -> io::Result<()> {
        rows.iter().try_for_each(|cells| self.writer.write(cells))
    }

    /// Seals the table; returns its name and digest.
    pub fn seal(self) -> io::Result<(String, Digest)> {
        self.sync()?.name()
    }

    /// Makes the table durable; it has not got its name yet.
    pub fn sync(self) -> io::Result<SyncedTable> {
        let Digesting { file, hasher } = self.writer.finish()?;
        Ok(SyncedTable { file: file.sync()?, name: self.name, digest: hasher.finish() })
    }
}

/// A whole table that has not got its name yet.
pub struct SyncedTable {
    file: Synced,
    name: String,
    digest: Digest,
}

impl SyncedTable {
    /// The name that it will get, and its digest.
    pub fn named(&self) -> (String, Digest) {
        (self.name.clone(), self.digest)
    }

    /// Gives the table its name; returns name and digest.
    pub fn name(self) -> io::Result<(String, Digest)> {
        self.file.name()?;
        Ok((self.name, self.digest))
    }
}
