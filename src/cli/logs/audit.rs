//! `scanner logs audit`: the whole audit of a set of logs.

use std::io;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::options::{Evidence, Reading, seconds};
use super::output::write;
use super::prepared::Prepared;
use crate::cli::log_progress::LogProgress;
use crate::cli::talk::{print_json, print_page, say};
use crate::cli::{DONE, FAILED, FOUND, failed, printed};
use crate::fetch::Vantage;
use crate::logfiles::{self, Pass, Planned};
use crate::logs::{Answers, Case, Findings, Judgement, Selection, Side, Terms, check, host_name};
use crate::refusal::Refusal;
use crate::registry::{Purpose, Registry};
use crate::report;
use crate::run::RunError;
use crate::stamp::Stamp;
use crate::words::{Word as _, nearest};

/// Shown below the options.
const AFTER_HELP: &str = "\
Each request that claims to be a crawler of the registry is asked three questions. Who made it: the \
address (forwarded ones only where a trusted proxy says so) against the lists that the operator had \
published at that time. Which robots.txt ruled at that second. And was the request allowed by it, by \
which line. Requests that are not genuine are never counted as the crawler's.

Logs may be common, combined, JSON, W3C and more (see --format), plain or gzip, zstd, bzip2, xz, and \
rotated; files with the same content count once. No line is dropped: what cannot be read is counted \
by its reason and shown.

Examples:
  scanner logs audit access.log* --robots-history robots.txt
  scanner logs audit logs/ --robots-history robots/ --trust cloudflare-edge -o audit/
  zcat big.gz | scanner logs audit - --format combined --json
  scanner logs audit access.log --purpose training --since 2026-11-01 --judge fetched

Exit status: 0 done · 2 usage · 3 input refused, or no line of any file could be read · 4 --fail-on \
was asked and found. docs/logs.md describes every file and field.";

/// Audits logs: identity, rules in force, violations, impersonators.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(in crate::cli) struct Arguments {
    /// Logs, or folders of logs; - for standard input
    #[arg(value_name = "LOG", required = true)]
    logs: Vec<PathBuf>,

    #[command(flatten)]
    reading: Reading,

    #[command(flatten)]
    evidence: Evidence,

    #[command(flatten)]
    selection: Selected,

    #[command(flatten)]
    terms: Put,

    #[command(flatten)]
    asked: Asked,

    #[command(flatten)]
    output: Output,
}

/// Which requests are looked at.
#[derive(Args)]
#[command(next_help_heading = "Which requests are looked at")]
struct Selected {
    /// Only requests from this moment on: a day, or 2026-11-30T08:00:00Z
    #[arg(long, value_name = "MOMENT", value_parser = moment)]
    since: Option<Stamp>,

    /// Only requests before this moment
    #[arg(long, value_name = "MOMENT", value_parser = moment)]
    until: Option<Stamp>,

    /// Only claims to be this crawler; may be given several times
    #[arg(long = "crawler", value_name = "TOKEN")]
    crawlers: Vec<String>,

    /// Only claims to be a crawler of this purpose; may be given several times
    #[arg(long = "purpose", value_name = "PURPOSE", value_parser = purposes())]
    purposes: Vec<String>,

    /// Only requests to this host
    #[arg(long, value_name = "HOST")]
    host: Option<String>,
}

/// How the numbers are put.
#[derive(Args)]
#[command(next_help_heading = "How the numbers are put")]
struct Put {
    /// Which disallowed requests are violations: effective, grace=TIME or fetched
    ///
    /// effective: all that the version in force disallowed. grace=24h: but for those that a version of
    /// the last 24 hours allowed. fetched: only those made after the crawler had fetched the very version.
    #[arg(long, value_name = "WHICH", default_value = "effective", value_parser = judgement)]
    judge: (Judgement, i64),

    /// Give claims on two sides too; what cannot be verified goes to this one
    #[arg(long, value_name = "SIDE", value_parser = PossibleValuesParser::new(["genuine", "impersonated"]))]
    two_way: Option<String>,

    /// Leave out copies of lines that stand in several files
    #[arg(long, value_name = "WHAT", value_parser = PossibleValuesParser::new(["none", "lines"]), default_value = "none")]
    dedupe: String,

    /// Measure the gaps between requests against the Crawl-delay in force
    #[arg(long)]
    crawl_delay: bool,

    /// Show networks (/24, /48) for addresses, and no rejected line: for sharing
    #[arg(long)]
    hide_addresses: bool,

    /// Exit with 4 if there are any: violations, impersonated, rejected
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = PossibleValuesParser::new(["violations", "impersonated", "rejected"]))]
    fail_on: Vec<String>,
}

/// What is asked of the network; nothing but on request.
#[derive(Args)]
#[command(next_help_heading = "What is asked of the network")]
struct Asked {
    /// Ask reverse and forward DNS about claims that address lists do not settle
    ///
    /// Only for crawlers whose operator documents it. The answers are written to dns.csv of --out, and
    /// --dns reads them again, so that the audit can be repeated without the network.
    #[arg(long, value_name = "BY", value_parser = PossibleValuesParser::new(["dns"]))]
    verify: Option<String>,

    /// DNS server to ask [default: those of this machine]
    #[arg(long, value_name = "ADDRESS:PORT", requires = "verify")]
    dns_server: Option<SocketAddr>,
}

/// Where the findings go.
#[derive(Args)]
#[command(next_help_heading = "Where the findings go")]
struct Output {
    /// Folder for summary.json, report.html, the CSV tables and manifest.json; made if it is not there
    #[arg(short, long, value_name = "FOLDER")]
    out: Option<PathBuf>,

    /// Print one JSON document: what summary.json holds
    #[arg(long)]
    json: bool,

    /// Threads that read and judge [default: as many as there are cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Show no progress
    #[arg(long)]
    quiet: bool,
}

/// Audits; returns the exit status.
pub(super) fn audit(arguments: &Arguments) -> u8 {
    match audited(arguments) {
        Ok(status) => status,
        Err(error) => failed(&error),
    }
}

/// Audits, writes and prints.
fn audited(arguments: &Arguments) -> Result<u8, RunError> {
    let prepared = Prepared::read(&arguments.reading, &arguments.evidence)?;
    let selection = arguments.selection.of(&prepared.registry)?;
    let planned = logfiles::plan(&arguments.logs, &prepared.expected)?;
    let progress = LogProgress::new(arguments.output.quiet);
    let answers = arguments.asked.answers(arguments, &prepared, &selection, &planned, &progress)?;
    let mut case = prepared.case(&answers, selection, arguments.terms.judge.1);
    case.wants_gaps = arguments.terms.crawl_delay;
    case.hides_addresses = arguments.terms.hide_addresses;
    let findings = found(arguments, &prepared, case, &planned, &progress)?;
    let faults = check(&findings);
    if !faults.is_empty() {
        faults.iter().for_each(|fault| say(format_args!("error: {fault}")));
        say("hint: this program is at fault: the counts of an audit must add up");
        return Ok(FAILED);
    }
    if findings.lines.parsed == 0 {
        let first = planned.first().map_or(String::new(), Planned::name);
        let message = "no line of any file is a request in a known format";
        let hint =
            "scanner logs sniff shows what was tried; --format names a format or gives its string";
        return Err(Refusal::of(&first, message, hint).into());
    }
    if let Some(folder) = &arguments.output.out {
        write(folder, &arguments.evidence, &prepared, &planned, &findings, &answers)?;
    }
    let was_printed = if arguments.output.json {
        print_json(&report::log_findings_json(&findings).map_err(io::Error::other)?)
    } else {
        print_page(&report::log_findings(&findings))
    };
    Ok(match printed(was_printed) {
        DONE if arguments.terms.finds(&findings) => FOUND,
        status => status,
    })
}

/// Reads the logs as often as is needed.
fn found(
    arguments: &Arguments,
    prepared: &Prepared,
    mut case: Case<'_>,
    planned: &[Planned],
    progress: &LogProgress,
) -> Result<Findings, RunError> {
    let threads = arguments.output.threads();
    let octets = octets(planned);
    progress.begin("auditing", octets);
    let Pass { mut tally, mut files } = logfiles::audit(&case, planned, threads, progress)?;
    progress.begin("comparing", octets);
    let leaves_out = arguments.terms.dedupe == "lines";
    let overlap = logfiles::overlap(planned, &tally.spans(), leaves_out, threads, progress)?;
    let mut shared = None;
    if let Some((found, copies)) = overlap {
        if leaves_out {
            let first = planned.first().map_or(String::new(), Planned::name);
            let message = "more lines stand in several files than can be left out";
            let hint = "leave out the files that hold the same, and audit without --dedupe";
            let refused = || Refusal::of(&first, message, hint);
            case.copies = Some(copies.ok_or_else(refused)?);
            progress.begin("auditing without copies", octets);
            Pass { tally, files } = logfiles::audit(&case, planned, threads, progress)?;
        }
        shared = Some(found);
    }
    progress.end();
    let terms = Terms {
        judgement: arguments.terms.judge.0,
        two_way: arguments.terms.two_way.as_deref().and_then(Side::from_word),
    };
    let mut findings = Findings::of(&case, tally, &files, shared.as_ref(), terms);
    findings.note(prepared.has_rules());
    Ok(findings)
}

/// Octets of the files that are read.
fn octets(planned: &[Planned]) -> u64 {
    planned.iter().filter(|file| file.copy_of.is_none()).map(|file| file.octets).sum()
}

impl Output {
    /// How many threads read and judge.
    fn threads(&self) -> usize {
        let cores = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
        self.threads.map_or_else(cores, NonZeroUsize::get)
    }
}

impl Asked {
    /// The recorded answers of DNS, and new ones where they are asked for.
    fn answers(
        &self,
        arguments: &Arguments,
        prepared: &Prepared,
        selection: &Selection,
        planned: &[Planned],
        progress: &LogProgress,
    ) -> Result<Answers, RunError> {
        let mut answers = prepared.answers.clone();
        if self.verify.is_none() {
            return Ok(answers);
        }
        let mut case = prepared.case(&prepared.answers, selection.clone(), 0);
        case.wants_questions = true;
        progress.begin("gathering addresses", octets(planned));
        let pass = logfiles::audit(&case, planned, arguments.output.threads(), progress)?;
        progress.end();
        let (addresses, distinct) = pass.tally.questions();
        if distinct > addresses.len() as u64 {
            let asked = addresses.len();
            say(format_args!("{asked} of about {distinct} addresses are asked about"));
        }
        let unfit = |error: io::Error| RunError::Unfit(format!("DNS cannot be asked: {error}"));
        let servers = match self.dns_server {
            Some(server) => vec![server],
            None => Vantage::live().map_err(unfit)?.dns,
        };
        logfiles::ask(&servers, &addresses, &mut answers).map_err(unfit)?;
        say(format_args!("{} addresses were asked about", addresses.len()));
        if arguments.output.out.is_none() {
            say("hint: -o FOLDER keeps the answers in dns.csv, so that the audit can be repeated");
        }
        Ok(answers)
    }
}

impl Selected {
    /// The selection; a token that nobody has is refused.
    fn of(&self, registry: &Registry) -> Result<Selection, RunError> {
        for token in &self.crawlers {
            if registry.crawler(token).is_none() {
                let known = registry.crawlers.iter().map(|crawler| crawler.token.as_str());
                let meant = nearest(token, known)
                    .map_or("scanner crawlers list names them".to_owned(), |meant| {
                        format!("did you mean {meant:?}?")
                    });
                return Err(RunError::Usage(format!("unknown crawler: {token:?}\nhint: {meant}")));
            }
        }
        let purposes: Vec<Purpose> =
            self.purposes.iter().filter_map(|word| Purpose::from_word(word)).collect();
        Ok(Selection {
            since_s: self.since.map(Stamp::unix),
            until_s: self.until.map(Stamp::unix),
            crawlers: Selection::crawlers_of(registry, &self.crawlers, &purposes),
            host: self.host.as_ref().map(|host| host_name(host.as_bytes())),
        })
    }
}

impl Put {
    /// Whether what was asked about was found.
    fn finds(&self, findings: &Findings) -> bool {
        self.fail_on.iter().any(|what| match what.as_str() {
            "violations" => findings.crawlers.iter().any(|of| of.violations > 0),
            "impersonated" => findings.crawlers.iter().any(|of| of.impersonated > 0),
            _ => findings.lines.rejected > 0,
        })
    }
}

/// Reads a moment.
fn moment(text: &str) -> Result<Stamp, String> {
    Stamp::parse(text)
        .ok_or_else(|| "a day (2026-11-30) or a second in UTC (2026-11-30T08:00:00Z)".into())
}

/// Reads a judgement with its grace, in seconds.
fn judgement(text: &str) -> Result<(Judgement, i64), String> {
    const GRACE_S: i64 = 86_400;
    match text.split_once('=') {
        Some(("grace", time)) => Ok((Judgement::Grace, seconds(time)?)),
        None => match Judgement::from_word(text) {
            Some(judgement) => Ok((judgement, GRACE_S)),
            None => Err("effective, grace=24h or fetched".into()),
        },
        Some(_) => Err("effective, grace=24h or fetched".into()),
    }
}

/// The purposes that can be asked for.
fn purposes() -> PossibleValuesParser {
    PossibleValuesParser::new(Purpose::ALL.iter().map(|purpose| purpose.word()))
}
