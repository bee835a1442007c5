//! `scanner rerun`: a finished run asked again, and compared.

use std::path::PathBuf;

use clap::Args;

use super::progress::Progress;
use super::repeating::Repeating;
use super::run::within_runtime;
use super::talk::{print_json, print_page, say};
use super::{DONE, failed, printed};
use crate::report::{self, Printable};
use crate::run::{Finished, Repeatable, Rerun, RunError};
use crate::study::{Comparing, Study, Uncompared, compared};

/// Shown below the options.
const AFTER_HELP: &str = "\
The same sample, seed, pattern library and limits are held to what the old run recorded, by \
their digests; another one is refused (exit 3). The orders of asking and the control paths are \
the same too. The new run has a folder of its own, and the old one is only read. What changed is \
shown as scanner compare shows it, domain by domain.

Interrupted, the new run is gone on with by scanner resume; scanner compare then ends what rerun \
began.

Examples:
  scanner rerun runs/my-sample@2026-06-27-seed42
  scanner rerun runs/my-sample@2026-06-27-seed42 --json > what-moved.json";

/// Asks a finished run's sample again today, and compares the two runs.
///
/// A run over a fixture internet asks that fixture internet again.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Folder of a finished run
    #[arg(value_name = "RUN")]
    folder: PathBuf,

    /// Folder of the new run; must not exist or be empty [default: runs/<sample>@<day>-seed<N>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    #[command(flatten)]
    again: Repeating,

    /// Print errors alone
    #[arg(long)]
    quiet: bool,

    /// Print the comparison as one JSON document
    #[arg(long)]
    json: bool,
}

/// Asks again and compares; returns the exit status.
pub(super) fn rerun(arguments: &Arguments) -> u8 {
    match ask(arguments) {
        Ok(finished) => compare(arguments, &finished),
        Err(error) => failed(&error),
    }
}

/// Asks again.
fn ask(arguments: &Arguments) -> Result<Finished, RunError> {
    let Repeatable { prepared, differences } = arguments.rerun().prepare()?;
    if !arguments.quiet {
        for mark in prepared.marks() {
            say(format_args!("! {mark}"));
        }
        for difference in differences {
            say(format_args!("! not as before: {difference}"));
        }
    }
    let mut progress = Progress::new(arguments.quiet);
    within_runtime(async |stop| prepared.run(stop, &mut progress).await)
}

/// Compares the new run with the old one; returns the exit status.
fn compare(arguments: &Arguments, finished: &Finished) -> u8 {
    let folders = [&arguments.folder, &finished.folder];
    let studies: Result<Vec<Study>, _> =
        folders.into_iter().map(|folder| Study::open(folder)).collect();
    // That the version may be another one was said; all else that matters is the same.
    let asked = Comparing { by: None, labels: Vec::new(), is_forced: true };
    let comparison = match studies.map_err(Uncompared::from).and_then(|all| compared(all, &asked)) {
        Ok(comparison) => comparison,
        Err(Uncompared::Refused(refusal)) => return failed(&refusal.into()),
        Err(Uncompared::Failed(error)) => return failed(&RunError::Failed(error)),
    };
    if !arguments.quiet {
        say(format_args!("asked again: {}", Printable(&finished.folder.to_string_lossy())));
    }
    if arguments.json {
        return match comparison.to_json() {
            Ok(json) => printed(print_json(&json)),
            Err(error) => failed(&RunError::Failed(error.into())),
        };
    }
    if arguments.quiet {
        return DONE;
    }
    printed(print_page(&report::comparison_terminal(&comparison)))
}

impl Arguments {
    /// What the arguments mean.
    fn rerun(&self) -> Rerun {
        Rerun { folder: self.folder.clone(), out: self.out.clone(), again: self.again.again() }
    }
}
