//! `scanner logs explain`: one line of a log, and every step to what is said of it.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;

use super::options::{Evidence, Reading, seconds};
use super::prepared::Prepared;
use crate::cli::talk::{print_json, print_page};
use crate::cli::{DONE, failed, printed};
use crate::logfiles::{self, Expected};
use crate::logs::{Account, Case, Layout, Selection, account, sniff};
use crate::report;
use crate::run::RunError;

/// Shown below the options.
const AFTER_HELP: &str = "\
The steps are those of an audit, and take the same options: the line as it is read, the walk over \
trusted proxies, the claim, the lists of addresses in force at that time, the version of the robots.txt, \
the group and the rule that decide, and why.

Examples:
  scanner logs explain access.log:4711 --robots-history robots/
  scanner logs explain access.log.2.gz:17 --robots-history robots/ --trust private
  scanner logs explain access.log --every-line > verdicts.jsonl
  scanner logs explain --robots-history robots.txt --line \\
      '192.0.2.7 - - [30/Nov/2026:08:00:01 +0000] \"GET /a HTTP/1.1\" 200 1 \"-\" \"GPTBot/1.3\"'";

/// Explains one line: client, claim, identity, rules in force, verdict.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(in crate::cli) struct Arguments {
    /// A log and a line of it, counted from 1; with --every-line a log alone
    #[arg(value_name = "LOG:LINE", required_unless_present = "line")]
    place: Option<String>,

    /// The line itself
    #[arg(long, value_name = "TEXT", conflicts_with = "place")]
    line: Option<String>,

    /// Print one JSON object a line of the log: what was decided of it
    #[arg(long, requires = "place", conflicts_with = "json")]
    every_line: bool,

    #[command(flatten)]
    reading: Reading,

    #[command(flatten)]
    evidence: Evidence,

    /// How long a version that allowed a request excuses it
    #[arg(long, value_name = "TIME", default_value = "24h", value_parser = seconds)]
    grace: i64,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Explains; returns the exit status.
pub(super) fn explain(arguments: &Arguments) -> u8 {
    match explained(arguments) {
        Ok(status) => status,
        Err(error) => failed(&error),
    }
}

/// Explains and prints.
fn explained(arguments: &Arguments) -> Result<u8, RunError> {
    let prepared = Prepared::read(&arguments.reading, &arguments.evidence)?;
    let case = prepared.case(&prepared.answers, Selection::default(), arguments.grace);
    let found = match (&arguments.line, &arguments.place) {
        (Some(line), _) => of_text(&case, line, &prepared.expected),
        (None, Some(place)) if arguments.every_line => {
            return every_line(&case, Path::new(place), &prepared.expected);
        }
        (None, place) => of_place(&case, place.as_deref().unwrap_or_default(), &prepared.expected)?,
    };
    Ok(printed(if arguments.json {
        print_json(&report::account_json(&found).map_err(io::Error::other)?)
    } else {
        print_page(&report::account(&found))
    }))
}

/// The account of a line that is given as text.
fn of_text(case: &Case<'_>, line: &str, expected: &Expected) -> Account {
    let sniffed = sniff(line.as_bytes(), &expected.stated);
    let layout = match expected.format {
        Some(format) if expected.stated.template.is_none() => {
            Layout::of(format, expected.stated.clone())
        }
        _ => sniffed.layout,
    };
    account(case, line.as_bytes(), &layout, &mut crate::logs::Reading::new(None))
}

/// The account of a line of a file.
fn of_place(case: &Case<'_>, place: &str, expected: &Expected) -> Result<Account, RunError> {
    let wrong =
        || RunError::Usage(format!("not a log and a line: {place:?}\nhint: access.log:4711"));
    let (path, number) = place.rsplit_once(':').ok_or_else(wrong)?;
    let number: u64 = number.parse().ok().filter(|number| *number > 0).ok_or_else(wrong)?;
    let mut found = None;
    let planned = logfiles::plan(&[PathBuf::from(path)], expected)?;
    logfiles::each_line(&planned, |at, line, layout, reading| {
        if at < number {
            // Headers on the way say what the fields of the line are.
            layout.read(line, reading);
            return Ok(true);
        }
        found = Some(account(case, line, layout, reading));
        Ok(false)
    })?;
    found.ok_or_else(|| RunError::Usage(format!("{path} has no line {number}")))
}

/// The accounts of all lines of a file, a line of JSON each.
fn every_line(case: &Case<'_>, path: &Path, expected: &Expected) -> Result<u8, RunError> {
    let planned = logfiles::plan(&[path.to_owned()], expected)?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    let done = logfiles::each_line(&planned, |at, line, layout, reading| {
        let account = account(case, line, layout, reading);
        let line = report::account_line(&account, at).map_err(io::Error::other)?;
        out.write_all(report::escaped_json(&line).as_bytes())?;
        Ok(true)
    });
    match done.and_then(|()| out.flush()) {
        // A reader who has seen enough is no failure.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(DONE),
    }
}
