//! A run's evidence while it is written: appended to, synced before the journal that speaks of it,
//! and given its name when the run ends.

use std::io;
use std::path::{Path, PathBuf};

use crate::digest::{Digest, Hasher};
use crate::files::{self, Appended};

/// The evidence of a run in progress.
pub struct EvidenceFile {
    name: String,
    path: PathBuf,
    file: Appended,
    octets: u64,
    hasher: Hasher,
}

impl EvidenceFile {
    /// Begins the evidence of a run with the record that opens it.
    pub(super) fn create(folder: &Path, name: &str, opening: &[u8]) -> io::Result<Self> {
        let file = Appended::create(&folder.join(format!("{name}.partial")))?;
        let (name, path) = (name.to_owned(), folder.join(name));
        let mut evidence = Self { name, path, file, octets: 0, hasher: Hasher::new() };
        evidence.append(opening)?;
        Ok(evidence)
    }

    /// Appends a domain's evidence whole; returns where it ends, which the domain's line in the
    /// journal says.
    pub fn append(&mut self, block: &[u8]) -> io::Result<u64> {
        self.file.append(block)?;
        self.hasher.update(block);
        self.octets += block.len() as u64;
        Ok(self.octets)
    }

    /// Where the evidence ends now.
    pub fn octets(&self) -> u64 {
        self.octets
    }

    /// Makes what was appended durable.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync()
    }

    /// Gives the evidence its name; returns name and digest.
    pub fn seal(self) -> io::Result<(String, Digest)> {
        self.file.sync()?;
        files::name(self.file.path(), &self.path)?;
        Ok((self.name, self.hasher.finish()))
    }
}
