//! `scanner report`: a finished run's numbers, on the terminal, as report.md and as report.html.

use std::path::PathBuf;

use clap::Args;

use super::talk::{print_document, print_json, print_page, say};
use super::{failed, printed};
use crate::report::{self, Printable};
use crate::run::RunError;
use crate::study::Study;

/// Shown below the options.
const AFTER_HELP: &str = "\
The numbers are those of summary.json, which docs/summary.md explains. report.md and \
report.html are written into the run's folder: they are derived from the run alone, so that the \
same run gives the same pages, and no digest of the run covers them. report.html is one file that \
asks nothing of any network: pictures, tables, and each domain with the lines that decide its class.

Examples:
  scanner report runs/demo-808
  scanner report runs/demo-808 --json | jq .rates.meaningful
  scanner report runs/demo-808 --markdown | less";

/// Shows a finished run's numbers, and writes report.md and report.html.
///
/// Every rate stands with its counts, its 95 % interval and what it can at worst be, once the
/// domains that were not observed are counted either way. Nothing is asked and nothing is measured.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Folder of a finished run
    #[arg(value_name = "RUN")]
    run: PathBuf,

    /// Print the report as Markdown, and write nothing
    #[arg(long, conflicts_with = "json")]
    markdown: bool,

    /// Print the summary as one JSON document, and write nothing
    #[arg(long)]
    json: bool,
}

/// Reports; returns the exit status.
pub(super) fn report(arguments: &Arguments) -> u8 {
    let study = match Study::open(&arguments.run) {
        Ok(study) => study,
        Err(refusal) => return failed(&refusal.into()),
    };
    if arguments.json {
        return match study.summary.to_json() {
            Ok(json) => printed(print_json(&json)),
            Err(error) => failed(&RunError::Failed(error.into())),
        };
    }
    if arguments.markdown {
        return printed(print_document(&study.text()));
    }
    let is_printed = print_page(&report::terminal(&study.summary));
    match study.write_pages() {
        Ok(written) => {
            for path in written {
                say(format_args!("written: {}", Printable(&path.to_string_lossy())));
            }
        }
        Err(error) => return failed(&RunError::Failed(error)),
    }
    printed(is_printed)
}
