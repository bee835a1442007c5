//! Interrupted runs: killed at any moment, short of room, meddled with; and then resumed.

#![allow(clippy::disallowed_methods, reason = "a test looks at what was written")]

mod kills;
mod rerun;
mod status;
mod study;
mod troubles;
