//! A finished run asked again: the same sample, seed, pattern library and limits, in a new folder.
//!
//! What makes two runs comparable is held to what the old one recorded. A later version of the
//! program may ask; that it is another one is said, and the comparison says it too.

use std::path::PathBuf;

use super::repeat::{Again, differences_of_asker, differences_of_study};
use super::resume::is_complete;
use super::{Prepared, RunError};
use crate::refusal::Refusal;
use crate::store::RunFolder;

/// What the command line asks for.
#[derive(Clone, Debug)]
pub struct Rerun {
    /// The finished run's folder.
    pub folder: PathBuf,
    /// The new run's folder; by default one under `runs/` that names sample, day and seed.
    pub out: Option<PathBuf>,
    /// Where its inputs are now, and how fast it is to be asked.
    pub again: Again,
}

/// A run that is ready to be asked again.
pub struct Repeatable {
    /// The new run.
    pub prepared: Prepared,
    /// What differs, in words, and does not hinder the comparison.
    pub differences: Vec<String>,
}

impl Rerun {
    /// Reads and checks everything that the new run needs; writes nothing.
    pub fn prepare(self) -> Result<Repeatable, RunError> {
        let folder = RunFolder::at(&self.folder);
        let recorded = folder.recorded()?;
        let shown = self.folder.to_string_lossy();
        if !is_complete(&folder, &recorded) {
            let hint = format!("finish it first: scanner resume {shown}");
            return Err(Refusal::of(&shown, "the run is not complete", hint).into());
        }
        let mut order = self.again.clone().order(&folder.manifest_path(), &recorded)?;
        order.out = self.out.clone();
        let prepared = Prepared::of(&order)?;
        let differences = differences_of_study(&recorded, &prepared);
        if !differences.is_empty() {
            let hint = "what is asked again is the same sample with the same library and limits";
            let message = format!("it cannot be asked again here: {}", differences.join("; "));
            return Err(Refusal::of(&shown, message, hint).into());
        }
        Ok(Repeatable { differences: differences_of_asker(&recorded, &prepared), prepared })
    }
}
