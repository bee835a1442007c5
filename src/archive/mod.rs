//! Web archives (WARC 1.0 and 1.1, ISO 28500:2017): read record by record, and written.
//!
//! `read` finds records in a file, plain or compressed; `capture` says which of them hold an answer
//! over http or https; `write` writes records; `evidence` is what a run keeps of its observations,
//! and how they come back from it. The crate fastwarc finds where a record begins and ends and is
//! known here alone; what an HTTP message holds is read by `message`. What a capture means is for
//! its users to say.

mod capture;
mod evidence;
mod read;
mod write;

pub use capture::{Capture, CaptureKind, Captures, captures, latest};
pub use evidence::{Circumstance, FILE as EVIDENCE_FILE, Keeper, Origin, Warcinfo};
