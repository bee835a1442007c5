//! `scanner run`: a whole study, from a sample to its summary.

use std::path::{Path, PathBuf};

use clap::Args;

use super::courtesy::CourtesyArguments;
use super::forecast;
use super::internet;
use super::progress::Progress;
use super::talk::{print_json, print_page, say};
use super::{DONE, failed, printed};
use crate::limits::{CONCURRENCY_DEFAULT, Limits};
use crate::observation::Kept;
use crate::report::{self, Printable};
use crate::run::{Finished, Order, Prepared, RunError};
use crate::scan::Stop;
use crate::study::Study;
use crate::words::Word as _;

/// Shown below the options.
const AFTER_HELP: &str = "\
A run asks each domain of the sample for /robots.txt, /, a path that cannot exist and \
/llms.txt, then asks those that failed again, at most twice. Its folder holds one file an \
attempt, which never changes afterwards, and merged.csv with one row a domain; docs/columns.md \
says what each column means. evidence.warc.gz keeps what was asked and answered, so that every \
verdict can be derived again. The same sample, seed, instrument and world give the same bytes in \
every result file, whatever the concurrency.

Examples:
  scanner run --sample samples/demo-808.csv --seed 42 \\
      --world fixtures/worlds/demo-808.toml
  scanner run --sample my-sample.csv --seed 42 \\
      --contact https://study.example/about

Ctrl-C ends the run after the requests in flight (again: at once). What was observed stays on \
disk, no merged results are written, and scanner resume goes on with it.";

/// Measures a sample.
///
/// Asks the real internet, or with --world a fixture internet on this machine.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Sample to ask: a CSV with a column `domain` and, where there are strata, `stratum`
    ///
    /// A bare name that is not a file here is sought in samples/. A TOML file of the same name
    /// beside it is its sidecar: source, date, rule, n and sha256, held to the file.
    #[arg(long, value_name = "FILE")]
    sample: PathBuf,

    /// Seed of the run: it orders the asking and names the control paths
    #[arg(long, value_name = "N")]
    seed: u64,

    /// Ask a fixture internet on loopback instead of the real one
    ///
    /// A folder written by hand, a model (.toml) or a WARC of real responses (.warc, .warc.gz).
    #[arg(long, value_name = "WORLD")]
    world: Option<PathBuf>,

    /// Folder of the run; must not exist or be empty [default: runs/<sample>@<day>-seed<N>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Passes over the sample; another number than the method's marks the run `modified`
    #[arg(long, value_name = "N", default_value_t = Limits::METHOD.attempts)]
    attempts: u32,

    /// Limit to keep to instead of the method's, as connect_ms=2000; marks the run `modified`
    ///
    /// METHODOLOGY.md, section 2, lists them: deadlines of each step (resolve_ms, connect_ms,
    /// handshake_ms, head_ms, body_ms), of an exchange and of a domain, redirects, octets. May be
    /// given again.
    #[arg(long = "limit", value_name = "NAME=N", value_parser = limit)]
    limits: Vec<(String, u64)>,

    /// Domains asked at the same time
    #[arg(long, value_name = "N", default_value_t = CONCURRENCY_DEFAULT)]
    concurrency: usize,

    /// Domains begun in a second, at most [default: no bound]
    #[arg(long, value_name = "R")]
    rate: Option<u32>,

    /// User-agent to send instead of the built-in one
    ///
    /// One that pretends to be a browser or somebody else's crawler is refused.
    #[arg(long, value_name = "UA")]
    user_agent: Option<String>,

    /// Address that a site can write to, sent in the built-in user-agent
    #[arg(long, value_name = "URL")]
    contact: Option<String>,

    /// Pattern library to judge by, instead of the embedded one; marks the run `modified`
    #[arg(long, value_name = "DIR")]
    library: Option<PathBuf>,

    /// How much of what is seen to keep in evidence.warc.gz
    ///
    /// `full` keeps every exchange; `policy` all but the homepages, whose columns cannot be verified
    /// then; `none` nothing, and the run cannot be verified. The results are the same.
    #[arg(long, value_name = "LEVEL", default_value = "full", value_parser = evidence_level)]
    evidence: Kept,

    /// Print what the run would do, and ask nothing
    #[arg(long)]
    dry_run: bool,

    /// Print errors alone
    #[arg(long)]
    quiet: bool,

    /// Print the summary as one JSON document
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    courtesy: CourtesyArguments,
}

/// Runs; returns the exit status.
pub(super) fn run(arguments: &Arguments) -> u8 {
    if arguments.dry_run {
        return foretold(arguments);
    }
    match measure(arguments) {
        Ok(finished) => {
            let repeat = Some(arguments.order().command());
            ending(&finished, arguments.json, arguments.quiet, repeat)
        }
        Err(error) => failed(&error),
    }
}

/// Tells what the run would do; returns the exit status.
fn foretold(arguments: &Arguments) -> u8 {
    let forecast = Prepared::of(&arguments.order()).map(|prepared| prepared.forecast());
    let was_printed = forecast.and_then(|forecast| Ok(forecast::print(&forecast, arguments.json)?));
    match was_printed {
        Ok(was_printed) => printed(was_printed),
        Err(error) => failed(&error),
    }
}

/// Measures the sample.
fn measure(arguments: &Arguments) -> Result<Finished, RunError> {
    carry_out(Prepared::of(&arguments.order())?, arguments.quiet)
}

/// Carries a run out, from its marks to its end.
pub(super) fn carry_out(prepared: Prepared, quiet: bool) -> Result<Finished, RunError> {
    if !quiet {
        for mark in prepared.marks() {
            say(format_args!("! {mark}"));
        }
    }
    let mut progress = Progress::new(quiet);
    within_runtime(async |stop| prepared.run(stop, &mut progress).await)
}

/// Does what needs the network, and stops on signals.
pub(super) fn within_runtime<T>(
    act: impl AsyncFnOnce(&mut Stop) -> Result<T, RunError>,
) -> Result<T, RunError> {
    internet::online(async {
        let mut stop = Stop::on_signals()?;
        act(&mut stop).await
    })
}

/// Shows what a finished run found, and by which command it is repeated; returns the exit status.
pub(super) fn ending(
    finished: &Finished,
    is_json: bool,
    is_quiet: bool,
    repeat: Option<String>,
) -> u8 {
    write_pages(&finished.folder);
    if is_json {
        return match finished.summary.to_json() {
            Ok(json) => printed(print_json(&json)),
            Err(error) => failed(&RunError::Failed(error.into())),
        };
    }
    if is_quiet {
        return DONE;
    }
    let repeat = repeat.map(|command| format!("Repeat  {}\n", Printable(&command)));
    let page = format!(
        "{}\nFiles   {}/\n  report.html, report.md, merged.csv, crawlers.csv, paths.csv, review.csv, summary.json, \
             manifest.json, attempt-N.csv{}\n{}",
        report::terminal(&finished.summary),
        Printable(&finished.folder.to_string_lossy()),
        if finished.evidence == Kept::None { "" } else { ", evidence.warc.gz" },
        repeat.unwrap_or_default()
    );
    printed(print_page(&page))
}

/// Writes the run's pages; it is complete without them, so that a failure is only told.
pub(super) fn write_pages(folder: &Path) {
    let written = match Study::open(folder) {
        Ok(study) => study.write_pages().map(drop).map_err(|error| error.to_string()),
        Err(refusal) => Err(refusal.to_string()),
    };
    if let Err(why) = written {
        let again = format!("scanner report {}", folder.display());
        say(format_args!(
            "warning: report.md and report.html were not written: {why}\nhint: {again} writes them"
        ));
    }
}

/// Reads how much evidence to keep.
pub(super) fn evidence_level(word: &str) -> Result<Kept, String> {
    Kept::from_word(word).ok_or_else(|| "it is full, policy or none".to_owned())
}

impl Arguments {
    /// What the arguments mean.
    fn order(&self) -> Order {
        Order {
            sample: self.sample.clone(),
            seed: self.seed,
            out: self.out.clone(),
            attempts: self.attempts,
            limits: self.limits.clone(),
            concurrency: self.concurrency,
            rate: self.rate,
            user_agent: self.user_agent.clone(),
            contact: self.contact.clone(),
            library: self.library.clone(),
            world: self.world.clone(),
            resolver: self.courtesy.resolvers(),
            courtesy: self.courtesy.courtesy(),
            evidence: self.evidence,
        }
    }
}

/// Reads a limit as it is written.
fn limit(written: &str) -> Result<(String, u64), String> {
    let parts = written.split_once('=').map(|(name, number)| (name.trim(), number.trim()));
    parts
        .and_then(|(name, number)| Some((name.to_owned(), number.parse().ok()?)))
        .ok_or_else(|| "not a name and a whole number, as connect_ms=2000".to_owned())
}
