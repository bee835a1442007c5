//! The run folder on disk: an attempt's journal, the evidence, sealed tables, the manifest.
//!
//! A file without `.partial` is finished and final. What stands in the tables is for `record` to
//! say; who is asked, and when an attempt ends, is for `run`.

mod evidence;
mod folder;
mod journal;
mod tables;

pub use evidence::EvidenceFile;
pub use folder::{RunFolder, SealedAttempt};
pub use journal::{DomainRecord, DomainTables, Journal};
pub use tables::TableFile;
