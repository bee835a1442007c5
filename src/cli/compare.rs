//! `scanner compare`: what differs between finished runs.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::talk::{print_document, print_json, print_page, say};
use super::{DONE, FOUND, USAGE, failed, printed};
use crate::compare::{By, Comparison};
use crate::files;
use crate::report::{self, Printable};
use crate::run::RunError;
use crate::study::{Comparing, Study, Uncompared, compared};

/// Shown below the options.
const AFTER_HELP: &str = "\
Runs of one sample are compared domain by domain: two as pairs (McNemar's test, the transition \
matrix, every domain that changed with both deciding lines), more as a series with a trend over \
the domains observed every time. Runs of different samples are compared as independent draws \
(Newcombe's intervals, two-proportion z), and once more with the same make-up of strata. p values \
are adjusted for their number by Holm. Runs of different instruments are refused.

A live run against captures: captures have no control, so that domains that answered for \
robots.txt with HTML are left out on both sides, and the output says so.

Examples:
  scanner compare runs/us@2026-06-27-seed42 runs/us@2026-11-28-seed42
  scanner compare runs/us-* --by date --markdown > series.md
  scanner compare runs/us-808 runs/gb-500 runs/au-340 --by country --html countries.html
  scanner compare runs/a runs/b --fail-on closing --json > what-moved.json

docs/compare.md explains the JSON document. With --fail-on the exit status is 4 where it is found: any change of a class, a domain that became \
more restrictive (closing), or a rate that differs with an adjusted p below 0.05 (significant).";

/// Compares finished runs: two dates, a series, or different samples.
///
/// What may be asked follows from the samples: the same one is compared domain by domain, different
/// ones as independent draws. Nothing is asked of any site.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Folders of finished runs, two or more
    #[arg(value_name = "RUN", num_args = 2.., required = true)]
    runs: Vec<PathBuf>,

    /// What sets the runs apart: their order and their labels
    #[arg(long, value_name = "WHAT")]
    by: Option<ByWord>,

    /// What a run is called, once a run and in order; a day dates it, with --by country it is the country
    #[arg(long = "label", value_name = "LABEL")]
    labels: Vec<String>,

    /// Compare runs of different instruments too; every output says so
    #[arg(long)]
    force: bool,

    /// Exit with status 4 if this is found
    #[arg(long, value_name = "WHAT")]
    fail_on: Option<FailOn>,

    /// Write comparison.json, comparison.md and comparison.html into this folder as well
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Write the comparison as one self-contained page with pictures as well
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Print the comparison as Markdown
    #[arg(long, conflicts_with = "json")]
    markdown: bool,

    /// Print the comparison as one JSON document
    #[arg(long)]
    json: bool,
}

/// What sets runs apart, on the command line.
#[derive(Clone, Copy, ValueEnum)]
enum ByWord {
    /// The day that each run speaks of
    Date,
    /// The country of each run's sample
    Country,
}

/// What a comparison may be asked to fail on.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// A domain's class changed
    Change,
    /// A domain became more restrictive
    Closing,
    /// One of the three rates differs, with an adjusted p below 0.05
    Significant,
}

/// Compares; returns the exit status.
pub(super) fn compare(arguments: &Arguments) -> u8 {
    let comparison = match comparison(arguments) {
        Ok(comparison) => comparison,
        Err(Uncompared::Refused(refusal)) => return failed(&refusal.into()),
        Err(Uncompared::Failed(error)) => return failed(&RunError::Failed(error)),
    };
    let is_of_domains = comparison.paired.is_some();
    if matches!(arguments.fail_on, Some(FailOn::Closing | FailOn::Change)) && !is_of_domains {
        say("error: --fail-on change and closing need two runs of one sample");
        return USAGE;
    }
    let Ok(json) = comparison.to_json() else {
        return failed(&RunError::Failed(std::io::Error::other(
            "the comparison cannot be written",
        )));
    };
    let markdown = report::comparison_markdown(&comparison);
    let page = report::comparison_html(&comparison);
    let is_printed = if arguments.json {
        print_json(&json)
    } else if arguments.markdown {
        print_document(&markdown)
    } else {
        print_page(&report::comparison_terminal(&comparison))
    };
    if let Err(error) = write(arguments, &json, &markdown, &page) {
        return failed(&RunError::Failed(error));
    }
    match arguments.fail_on {
        Some(what) if is_printed && is_found(what, &comparison) => FOUND,
        _ if is_printed => DONE,
        _ => printed(false),
    }
}

/// Opens the runs and compares them.
fn comparison(arguments: &Arguments) -> Result<Comparison, Uncompared> {
    let studies = arguments.runs.iter().map(|folder| Study::open(folder));
    let asked = Comparing {
        by: arguments.by.map(|by| match by {
            ByWord::Date => By::Date,
            ByWord::Country => By::Country,
        }),
        labels: arguments.labels.clone(),
        is_forced: arguments.force,
    };
    compared(studies.collect::<Result<Vec<_>, _>>()?, &asked)
}

/// Writes the comparison's documents that are asked for.
fn write(arguments: &Arguments, json: &str, markdown: &str, page: &str) -> std::io::Result<()> {
    let mut documents: Vec<(PathBuf, &str)> = Vec::new();
    if let Some(out) = &arguments.out {
        files::make_folder(out)?;
        documents.extend([
            (out.join("comparison.json"), json),
            (out.join("comparison.md"), markdown),
            (out.join("comparison.html"), page),
        ]);
    }
    documents.extend(arguments.html.iter().map(|path| (path.clone(), page)));
    for (path, text) in documents {
        files::write_whole(&path, text.as_bytes())?;
        say(format_args!("written: {}", Printable(&path.to_string_lossy())));
    }
    Ok(())
}

/// Whether a comparison holds what it was asked to fail on.
fn is_found(what: FailOn, comparison: &Comparison) -> bool {
    match what {
        FailOn::Change => comparison.has_changes(),
        FailOn::Closing => comparison.has_closed(),
        FailOn::Significant => comparison.is_significant(),
    }
}
