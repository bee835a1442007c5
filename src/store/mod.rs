//! The run folder on disk: a claim, an attempt's journal, the evidence, sealed tables, the manifest.
//!
//! A file without `.partial` is finished and final, and one process at a time writes a folder. An
//! attempt's journal is replaced by its tables in one step, the manifest that names them. What
//! stands in the tables is for `record` to say; who is asked, and when an attempt ends, is for `run`.

mod claim;
mod evidence;
mod folder;
mod journal;
mod tables;

pub use claim::{Claim, Holder};
pub use evidence::EvidenceFile;
pub use folder::{RunFolder, SealedAttempt, attempt_tables};
pub use journal::{DomainRecord, DomainTables, Journal, Verdict};
pub use tables::{SyncedTable, TableFile};
