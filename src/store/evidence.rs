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
    /// Opens the evidence of a run, cut back to its first `octets`; with none of them it begins anew.
    pub(super) fn open(folder: &Path, name: &str, octets: u64, opening: &[u8]) -> io::Result<Self> {
        let path = folder.join(name);
        let at = place(folder, name);
        let file = match files::exists(&at) {
            true => Appended::cut_back(&at, octets)?,
            false => Appended::create(&at)?,
        };
        let mut hasher = Hasher::new();
        files::read_through(&at, |piece| hasher.update(piece))?;
        let mut evidence = Self { name: name.to_owned(), path, file, octets, hasher };
        if octets == 0 {
            evidence.append(opening)?;
        }
        Ok(evidence)
    }

    /// Octets of a run's evidence that are on disk.
    pub(super) fn octets_at(folder: &Path, name: &str) -> io::Result<Option<u64>> {
        let at = place(folder, name);
        files::exists(&at).then(|| files::octets(&at)).transpose()
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

    /// Gives the evidence its name, if it has not got it yet; returns name and digest.
    pub fn seal(self) -> io::Result<(String, Digest)> {
        self.file.sync()?;
        if self.file.path() != self.path {
            files::name(self.file.path(), &self.path)?;
        }
        Ok((self.name, self.hasher.finish()))
    }
}

/// Where a run's evidence is: under its name where it has got it, else beside it.
fn place(folder: &Path, name: &str) -> PathBuf {
    let named = folder.join(name);
    match files::exists(&named) {
        true => named,
        false => folder.join(format!("{name}{}", files::PARTIAL)),
    }
}

#[cfg(test)]
mod tests {
    use super::EvidenceFile;
    use crate::digest::Digest;
    use crate::files;

    #[test]
    fn evidence_cut_back_to_a_domains_end_goes_on_from_there() {
        let folder = std::env::temp_dir().join(format!("scanner-evidence-{}", std::process::id()));
        files::make_folder(&folder).expect("a folder");
        let open = |octets| EvidenceFile::open(&folder, "e", octets, b"opening ").expect("opened");
        let mut evidence = open(0);
        let end = evidence.append(b"one ").expect("appended");
        evidence.append(b"torn").expect("appended");
        drop(evidence);
        let mut evidence = open(end);
        assert_eq!(evidence.append(b"two").expect("appended"), end + 3);
        let whole = Digest::of(b"opening one two");
        assert_eq!(evidence.seal().expect("sealed"), ("e".to_owned(), whole));
        assert_eq!(open(end + 3).seal().expect("sealed already").1, whole);
        files::remove(&folder.join("e")).expect("removed");
        assert_eq!(EvidenceFile::octets_at(&folder, "e").expect("readable"), None);
    }
}
