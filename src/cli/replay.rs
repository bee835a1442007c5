//! `scanner replay`: a whole study from archived responses, without a network.

use std::path::PathBuf;

use clap::Args;

use super::failed;
use super::run::{carry_out, ending, evidence_level};
use crate::observation::Kept;
use crate::run::{Prepared, ReplayOrder};

/// Shown below the options.
const AFTER_HELP: &str = "\
The folder is that of a run: the same tables, the same summary. Of each request the latest \
capture counts, up to --as-of; redirects are followed as far as they were captured. A domain \
without a capture of /robots.txt is not_captured and in no denominator; where nobody captured \
the control path, an HTML robots.txt is html_undecided. There is one attempt.

The evidence.warc.gz of a run over the same sample is replayed attempt by attempt, and its \
tables are the run's own, octet for octet.

Examples:
  scanner replay --sample news.csv --warc news-2025-02.warc.gz
  scanner replay --sample my-sample.csv --warc crawl/*.warc.gz \\
      --as-of 2024-07-31
  scanner replay --sample samples/demo-808.csv --warc runs/mine/evidence.warc.gz";

/// Runs a study from archived responses.
///
/// Reads WARC files (1.0 or 1.1; plain, gzip or zstd) with resource, response and revisit records:
/// a run's own evidence, Common Crawl's robots.txt archives, or anybody's. Nobody is asked.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Sample to seek: a CSV with a column `domain` and, where there are strata, `stratum`
    ///
    /// A bare name that is not a file here is sought in samples/.
    #[arg(long, value_name = "FILE")]
    sample: PathBuf,

    /// Archives to read
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    warc: Vec<PathBuf>,

    /// Last day, or moment in UTC, of which captures count [default: all count]
    ///
    /// A day counts to its end: 2024-07-31, or 2024-07-31T12:00:00Z.
    #[arg(long, value_name = "DATE")]
    as_of: Option<String>,

    /// Folder of the run; must not exist or be empty [default: runs/<sample>@<day>-replay]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Seed of the run [default: that of the recorded run, else 0]
    ///
    /// It names the control paths: those of a run are found in its evidence by its own seed.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Pattern library to judge by, instead of the embedded one; marks the run `modified`
    #[arg(long, value_name = "DIR")]
    library: Option<PathBuf>,

    /// How much of what is read to keep in the new run's evidence.warc.gz: full, policy or none
    #[arg(long, value_name = "LEVEL", default_value = "full", value_parser = evidence_level)]
    evidence: Kept,

    /// Print errors alone
    #[arg(long)]
    quiet: bool,

    /// Print the summary as one JSON document
    #[arg(long)]
    json: bool,
}

/// Replays; returns the exit status.
pub(super) fn replay(arguments: &Arguments) -> u8 {
    let order = ReplayOrder {
        sample: arguments.sample.clone(),
        archives: arguments.warc.clone(),
        as_of: arguments.as_of.clone(),
        out: arguments.out.clone(),
        seed: arguments.seed,
        library: arguments.library.clone(),
        evidence: arguments.evidence,
    };
    match Prepared::of_replay(&order).and_then(|prepared| carry_out(prepared, arguments.quiet)) {
        Ok(finished) => ending(&finished, arguments.json, arguments.quiet, Some(order.command())),
        Err(error) => failed(&error),
    }
}
