//! Web archives (WARC 1.0 and 1.1, ISO 28500:2017): read record by record, and written.
//!
//! `read` finds records in a file, plain or compressed; `capture` says which of them hold an answer
//! over http or https; `holdings` finds those that a sample asks for; `write` writes records; `evidence` is what a run keeps of its observations,
//! and how they come back from it. The crate fastwarc finds where a record begins and ends and is
//! known here alone; what an HTTP message holds is read by `message`. What a capture means is for
//! its users to say.

mod capture;
mod evidence;
mod holdings;
mod read;
mod sweep;
mod write;

pub use capture::{Capture, CaptureKind, Captures, captures, latest};
pub use evidence::{
    Block, Circumstance, Evidence, FILE as EVIDENCE_FILE, Keeper, Origin, Recalled, Warcinfo,
    recall,
};
pub use holdings::{Holdings, Search, is_by};
