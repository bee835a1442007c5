//! `scanner resume`: an interrupted run, gone on with.

use std::path::{Path, PathBuf};

use clap::Args;

use super::progress::Progress;
use super::repeating::Repeating;
use super::run::{ending, within_runtime, write_pages};
use super::talk::{print_json, say};
use super::{DONE, failed, printed};
use crate::files;
use crate::manifest::Interruption;
use crate::run::{Finished, Found, Interrupted, Resume, RunError};
use crate::study::PAGES;
use crate::words::counted;

/// Most octets of a summary.
const SUMMARY_OCTETS: u64 = 64 * 1024 * 1024;

/// Shown below the options.
const AFTER_HELP: &str = "\
What is on disk is not asked again: closed attempts stay as they are, and the attempt that was \
interrupted goes on from its journal. Over an unchanged network the result files are, byte for \
byte, those of a run that nothing interrupted. The manifest lists each interruption in its \
`occasion`.

The run goes on with the sample, library, seed, user-agent and limits that it began with; if one \
of them is another one now, it is refused (exit 3), and nothing is changed. Of a complete run \
nothing is changed; report.md and report.html are written if one of them is missing. Two processes \
never write one run.

Examples:
  scanner resume runs/my-sample@2026-11-30-seed42
  scanner resume runs/my-sample@2026-11-30-seed42 --sample moved/my-sample.csv";

/// Finishes an interrupted run.
///
/// After Ctrl-C, a kill, a crash, a full disk or a dead network: asks whoever is still to be asked,
/// then merges.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Folder of the run
    #[arg(value_name = "RUN")]
    folder: PathBuf,

    #[command(flatten)]
    again: Repeating,

    /// Print errors alone
    #[arg(long)]
    quiet: bool,

    /// Print the summary as one JSON document
    #[arg(long)]
    json: bool,
}

/// Resumes; returns the exit status.
pub(super) fn resume(arguments: &Arguments) -> u8 {
    let found = arguments.resume().find();
    match found {
        Ok(Found::Complete(folder)) => complete(arguments, &folder),
        Ok(Found::Interrupted(interrupted)) => match go_on(arguments, *interrupted) {
            Ok(finished) => ending(&finished, arguments.json, arguments.quiet, None),
            Err(error) => failed(&error),
        },
        Err(error) => failed(&error),
    }
}

/// Says that nothing is left to do, and shows the summary that is there; returns the exit status. A
/// run is complete before its pages are written: if it was killed between, they are written now.
fn complete(arguments: &Arguments, folder: &Path) -> u8 {
    if !PAGES.iter().all(|page| files::exists(&folder.join(page))) {
        write_pages(folder);
    }
    if !arguments.quiet {
        say(format_args!("{}: the run is complete", folder.display()));
    }
    if !arguments.json {
        return DONE;
    }
    match files::read_text(&folder.join("summary.json"), SUMMARY_OCTETS) {
        Ok(summary) => printed(print_json(&summary)),
        Err(error) => failed(&RunError::Failed(error)),
    }
}

/// Goes on with a run.
fn go_on(arguments: &Arguments, interrupted: Interrupted) -> Result<Finished, RunError> {
    if !arguments.quiet {
        for mark in interrupted.marks() {
            say(format_args!("! {mark}"));
        }
        say(in_words(interrupted.interruption()));
    }
    let mut progress = Progress::new(arguments.quiet);
    within_runtime(async |stop| interrupted.resume(stop, &mut progress).await)
}

/// An interruption in words.
fn in_words(interruption: &Interruption) -> String {
    let Interruption { stopped_by, attempts_closed, domains_kept, octets_cut, .. } = interruption;
    let closed = counted(*attempts_closed as usize, "attempt");
    let kept = counted(*domains_kept as usize, "domain");
    let cut = match octets_cut {
        0 => String::new(),
        octets => {
            format!("; a torn record of {octets} octets is cut off and its domain asked again")
        }
    };
    format!("interrupted: {stopped_by}; {closed} closed and {kept} of the next one kept{cut}")
}

impl Arguments {
    /// What the arguments mean.
    fn resume(&self) -> Resume {
        Resume { folder: self.folder.clone(), again: self.again.again() }
    }
}
