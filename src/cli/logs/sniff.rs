//! `scanner logs sniff`: what a log is, before it is audited.

use std::path::PathBuf;

use clap::Args;

use super::options::Reading;
use crate::cli::talk::{print_json, print_page};
use crate::cli::{failed, printed};
use crate::logfiles::{self, Expected};
use crate::logs::Proxies;
use crate::registry::Registry;
use crate::report;
use crate::run::RunError;

/// Shown below the options.
const AFTER_HELP: &str = "\
For each file: how it is packed, the format that reads most of its first lines and what else was \
tried, what frames each line, its first requests as they are read, why lines are rejected, and how many \
peers are proxies: behind them the clients are hidden unless an audit is told to --trust them.

Examples:
  scanner logs sniff access.log
  scanner logs sniff logs/ --json
  scanner logs sniff odd.log --format '$time_iso8601|$remote_addr|$request|$status|$http_user_agent|'";

/// Shows in which format a log is, and how its first lines are read.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(in crate::cli) struct Arguments {
    /// Logs, or folders of logs
    #[arg(value_name = "LOG", required = true)]
    logs: Vec<PathBuf>,

    #[command(flatten)]
    reading: Reading,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Sniffs; returns the exit status.
pub(super) fn sniff(arguments: &Arguments) -> u8 {
    match sniffed(arguments) {
        Ok(was_printed) => printed(was_printed),
        Err(error) => failed(&error),
    }
}

/// Sniffs and prints; returns whether it could be printed.
fn sniffed(arguments: &Arguments) -> Result<bool, RunError> {
    let expected = Expected { keeps_heads: true, ..arguments.reading.expected()? };
    let planned = logfiles::plan(&arguments.logs, &expected)?;
    let proxies = Proxies::new(logfiles::known_proxies(&Registry::embedded()?)?);
    let beginnings: Vec<report::Beginning> = planned
        .iter()
        .map(|file| report::Beginning {
            name: file.name(),
            compression: file.compression.to_string(),
            octets: file.octets,
            copy_of: file.copy_of.map(|other| planned[other].name()),
            sniffed: &file.sniffed,
            head: &file.head,
            proxies: &proxies,
        })
        .collect();
    if arguments.json {
        let json = report::beginnings_json(&beginnings).map_err(std::io::Error::other)?;
        return Ok(print_json(&json));
    }
    Ok(print_page(&report::beginnings(&beginnings)))
}
