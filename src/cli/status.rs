//! `scanner status`: how far a run is, and whether it is safe to publish.

use std::path::PathBuf;

use clap::Args;

use super::talk::{print_json, print_page};
use super::{DONE, FOUND, INCOMPLETE, failed, printed};
use crate::manifest::{Account, State};
use crate::report;
use crate::run::{self, RunError};

/// Shown below the options.
const AFTER_HELP: &str = "\
A run is safe to publish when it is complete, on the method (not `modified`, no draft library, no \
fixture internet), with evidence, and its files are as its manifest pins them. Whether each \
verdict follows from the evidence is for scanner verify to say.

Exit status: 0 complete and its files in order · 4 a file is missing or changed · 5 not complete

Examples:
  scanner status runs/my-sample@2026-11-30-seed42
  scanner status runs/my-sample@2026-11-30-seed42 --json";

/// Says how far a run is, what is left, and whether it is safe to publish.
///
/// Changes nothing, and may be asked while another process writes the run.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Folder of the run
    #[arg(value_name = "RUN")]
    folder: PathBuf,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Tells; returns the exit status.
pub(super) fn status(arguments: &Arguments) -> u8 {
    let account = match run::account(&arguments.folder) {
        Ok(account) => account,
        Err(error) => return failed(&error),
    };
    let was_printed = match arguments.json {
        false => print_page(&report::status(&account)),
        true => match account.to_json() {
            Ok(json) => print_json(&json),
            Err(error) => return failed(&RunError::Failed(error.into())),
        },
    };
    if was_printed { exit_status(&account) } else { printed(false) }
}

/// The exit status of an account.
fn exit_status(account: &Account) -> u8 {
    if !account.faults.is_empty() {
        FOUND
    } else if account.state == State::Complete {
        DONE
    } else {
        INCOMPLETE
    }
}
