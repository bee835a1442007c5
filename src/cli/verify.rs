//! `scanner verify`: whether a finished run is what it says.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::talk::{print_json, print_page};
use super::{DONE, FAILED, FOUND, failed};
use crate::report::Printable;
use crate::run::{self, Verdict, VerifyOrder};

/// Shown below the options.
const AFTER_HELP: &str = "\
Checks, in this order: that manifest.json is as it was written; that every file is the one \
that the manifest pins (attempt files never change once their attempt has closed); every row \
of every attempt, derived again from evidence.warc.gz; the merged tables, merged again; \
summary.json, counted again. The first difference is named by file, row and column. Rows \
count from 1, the header left out.

It finds damage and mistakes. Whoever forges a run can forge its evidence and its digests \
too: keep the results_sha256 that was published.

Exit status: 0 all holds · 3 it cannot be verified here · 4 a difference · 5 not finished

Examples:
  scanner verify runs/us-808@2026-11-30-seed42
  scanner verify runs/us-808@2026-11-30-seed42 --sample samples/us-808.csv";

/// Derives every number of a finished run again from its evidence.
///
/// Needs no network and no clock, and writes nothing.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Folder of the run
    #[arg(value_name = "RUN")]
    run: PathBuf,

    /// Sample that the run must be of; the run's own list is checked otherwise
    #[arg(long, value_name = "FILE")]
    sample: Option<PathBuf>,

    /// Pattern library that the run was judged by, where it is not the embedded one
    #[arg(long, value_name = "DIR")]
    library: Option<PathBuf>,

    /// Check what is here of a run that was published without its evidence
    ///
    /// evidence.warc.gz and the timing tables may be missing; no row is derived again then.
    #[arg(long)]
    without_evidence: bool,

    /// Print the verdict as one JSON document
    #[arg(long)]
    json: bool,
}

/// Verifies; returns the exit status.
pub(super) fn verify(arguments: &Arguments) -> u8 {
    let order = VerifyOrder {
        run: arguments.run.clone(),
        sample: arguments.sample.clone(),
        library: arguments.library.clone(),
        without_evidence: arguments.without_evidence,
    };
    let verdict = match run::verify(&order) {
        Ok(verdict) => verdict,
        Err(error) => return failed(&error),
    };
    let was_printed = match arguments.json {
        true => print_json(&document(arguments, &verdict)),
        false => print_page(&page(arguments, &verdict)),
    };
    match (was_printed, &verdict.difference) {
        (false, _) => FAILED,
        (true, None) => DONE,
        (true, Some(_)) => FOUND,
    }
}

/// The verdict as a page.
fn page(arguments: &Arguments, verdict: &Verdict) -> String {
    let run = arguments.run.to_string_lossy();
    let mut lines: Vec<String> = verdict.marks.iter().map(|mark| format!("! {mark}")).collect();
    if !verdict.sample.is_empty() {
        lines.push(format!("{run}: {}, seed {}", verdict.sample, verdict.seed));
    }
    if verdict.files > 0 {
        lines.push(format!("  files       {:>8} digested and held to the manifest", verdict.files));
    }
    for (attempt, number) in verdict.attempts.iter().zip(1..) {
        lines.push(format!(
            "  attempt {number}   {:>8} domains, {} rows derived again from evidence",
            attempt.domains, attempt.rows
        ));
    }
    lines.extend(verdict.unchecked.iter().map(|why| format!("  not checked  {why}")));
    lines.push(match &verdict.difference {
        Some(difference) => format!("not verified: {difference}"),
        None if arguments.without_evidence => {
            "verified without evidence: every file that is here is as \
                 it was written, and every merged row and number follows from the attempt files"
                .to_owned()
        }
        None => "verified: every file is as it was written, every attempt file as it was when its \
                 attempt closed, and every number follows from the evidence"
            .to_owned(),
    });
    lines.iter().map(|line| format!("{}\n", Printable(line))).collect()
}

/// The verdict as a document.
fn document(arguments: &Arguments, verdict: &Verdict) -> String {
    let attempts: Vec<_> = verdict
        .attempts
        .iter()
        .map(|attempt| json!({ "domains": attempt.domains, "rows": attempt.rows }))
        .collect();
    let document = json!({
        "run": arguments.run.to_string_lossy(),
        "verified": verdict.difference.is_none(),
        "difference": verdict.difference,
        "sample": verdict.sample,
        "seed": verdict.seed,
        "marks": verdict.marks,
        "files": verdict.files,
        "attempts": attempts,
        "not_checked": verdict.unchecked,
    });
    format!("{document:#}\n")
}
