//! One process's claim on a run's folder: two never write one run.
//!
//! The claim is a lock on a file of the folder, which the system gives back when the process ends,
//! however it ends. The file stays while the run is unfinished, so that whoever comes next locks the
//! same one; a finished run has none.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::files::{self, Held};

/// The file that is locked.
pub(super) const CLAIM: &str = "run.lock";

/// Most octets of what a process writes into it.
const NOTE_OCTETS: u64 = 64;

/// The right to write a run's folder.
pub struct Claim(Held);

/// Who writes a run's folder, if anybody does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Holder {
    /// Nobody.
    Nobody,
    /// Another process, with its id where that could be read.
    Process(Option<u32>),
}

impl Claim {
    /// Claims a folder, or says who else has it.
    pub(super) fn on(folder: &Path) -> io::Result<Result<Self, Holder>> {
        let path = path(folder);
        let note = format!("{}\n", std::process::id());
        Ok(match Held::take(&path, &note)? {
            Some(held) => Ok(Self(held)),
            None => Err(Holder::Process(id_in(&path))),
        })
    }

    /// Gives the folder of a finished run up, for good.
    pub fn end(self) -> io::Result<()> {
        self.0.remove()
    }
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nobody => f.write_str("nobody"),
            Self::Process(Some(id)) => write!(f, "another process (id {id})"),
            Self::Process(None) => f.write_str("another process"),
        }
    }
}

impl Holder {
    /// Who writes a folder now.
    pub(super) fn of(folder: &Path) -> io::Result<Self> {
        let path = path(folder);
        Ok(match Held::is_taken(&path)? {
            true => Self::Process(id_in(&path)),
            false => Self::Nobody,
        })
    }
}

/// Where a folder's claim is.
fn path(folder: &Path) -> PathBuf {
    folder.join(CLAIM)
}

/// The id of the process that holds a claim, as far as it can be read.
fn id_in(path: &Path) -> Option<u32> {
    files::read_text(path, NOTE_OCTETS).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{Claim, Holder};
    use crate::files;

    #[test]
    fn a_folder_has_one_claim_at_a_time_and_none_after_the_end() {
        let folder = std::env::temp_dir().join(format!("scanner-claim-{}", std::process::id()));
        files::make_folder(&folder).expect("a folder");
        let mine = Holder::Process(Some(std::process::id()));
        assert_eq!(Holder::of(&folder).expect("readable"), Holder::Nobody);
        let claim = Claim::on(&folder).expect("writable").expect("free");
        assert_eq!(Claim::on(&folder).expect("writable").err(), Some(mine.clone()));
        assert_eq!(Holder::of(&folder).expect("readable"), mine);
        drop(claim);
        assert_eq!(Holder::of(&folder).expect("readable"), Holder::Nobody);
        let claim = Claim::on(&folder).expect("writable").expect("free again");
        claim.end().expect("removed");
        assert!(files::entries(&folder).expect("a folder").is_empty());
    }
}
