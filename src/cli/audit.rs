//! `scanner audit`: one site's robots.txt and page, what they mean, and what to change.

use std::path::{Path, PathBuf};

use clap::Args;
use url::Url;

use super::robots_input::{from_file, from_stdin, url_named};
use super::talk::{print_json, print_octets, print_page, say};
use super::{FOUND, audit_many, failed, internet, printed};
use crate::audit::{Audit, Corrected, Document, Knowledge, Since, Status, Subject, correct};
use crate::files;
use crate::library::{Library, Signals};
use crate::limits::PROBES_OCTETS;
use crate::registry::Registry;
use crate::report::{self, AuditReport};
use crate::run::RunError;
use crate::scan::PRODUCT_TOKEN;
use crate::site::{self, Probes, Request, Source};
use crate::words::Word as _;

/// Shown below the options.
const AFTER_HELP: &str = "\
A URL is audited whole: the robots.txt of its origin and, if that lets our token in, the page \
itself. A file or standard input is audited by itself; --for-url says to which page it belongs. \
The same document gives the same records and findings from each of them.

Each finding says what was found and where, what was probably meant, what it means for the site, \
and last what to change. Its status says how sure we are that it is unintended, never how costly \
it is: critical, warning and notice are there to act on; info, pass and not_checked are not. \
docs/findings.md lists every finding, docs/audit.schema.json is the schema of --json.

Examples:
  scanner audit https://example.com/
  scanner audit robots.txt --for-url https://example.com/ --fail-on warning
  scanner audit https://example.com/ --probe-sitemaps --save-probes probes.json
  scanner audit robots.txt --probes probes.json
  scanner audit robots.txt --rules
  scanner audit https://example.com/ --since robots-before.txt
  scanner audit robots.txt --fix > corrected.txt
  scanner audit --run captures/ --json

A failed request is a finding, not an error. Exit status: 0 audited; with --fail-on, 4 if a \
finding is at least as grave, and 1 if there was nothing to audit; 3 a file cannot be read; \
7 this machine has no DNS server.";

/// Audits one site: what its robots.txt says, what that means, what to change.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Page to audit, a robots.txt file, or - for standard input
    #[arg(value_name = "URL|FILE|-", required_unless_present_any = ["run", "probes"])]
    input: Option<String>,

    /// Page to which a stored robots.txt belongs
    #[arg(long, value_name = "URL", conflicts_with = "run")]
    for_url: Option<String>,

    /// Ask for the declared sitemaps, and for those that indexes lead to
    #[arg(long, conflicts_with = "run")]
    probe_sitemaps: bool,

    /// With --probe-sitemaps: also those of other origins, by their own robots.txt
    #[arg(long, requires = "probe_sitemaps")]
    other_origins: bool,

    /// Ask for /llms.txt, /ai.txt and /.well-known/tdmrep.json as well
    #[arg(long, conflicts_with = "run")]
    probe_guidance: bool,

    /// Save every answer to a file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["probes", "run"])]
    save_probes: Option<PathBuf>,

    /// Audit from saved answers, without a network
    ///
    /// With a robots.txt as well, that one is audited, and what it permits is decided anew.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["for_url", "run", "world"])]
    probes: Option<PathBuf>,

    /// Earlier version of the robots.txt: say who may fetch more or less since, and which findings are
    /// new or gone
    #[arg(long, value_name = "FILE", conflicts_with_all = ["run", "fix", "sarif"])]
    since: Option<String>,

    /// Leave out the crawler registry: no purposes, operators and known names
    #[arg(long)]
    no_registry: bool,

    /// Ask a fixture internet on loopback instead of the real one
    #[arg(long, value_name = "WORLD")]
    world: Option<PathBuf>,

    /// Audit every robots.txt of a collection, and print how often each finding occurs
    ///
    /// A run (its evidence), a WARC, a folder of files, or JSON lines with domain and robots_txt
    /// or robots_txt_b64.
    #[arg(long, value_name = "RUN", conflicts_with_all = ["input", "world", "html", "sarif", "fix"])]
    run: Option<PathBuf>,

    /// With --run: list the files that have this finding
    #[arg(long, value_name = "ID", requires = "run")]
    finding: Option<String>,

    /// Print one JSON document
    #[arg(long, group = "form")]
    json: bool,

    /// Print one self-contained HTML page
    #[arg(long, group = "form")]
    html: bool,

    /// Print SARIF 2.1.0 for code hosts
    #[arg(long, group = "form")]
    sarif: bool,

    /// Print the robots.txt with what is certainly wrong corrected, and say what differs
    #[arg(long, group = "form")]
    fix: bool,

    /// With --json: include the robots.txt itself
    #[arg(long, requires = "json")]
    with_document: bool,

    /// Tell readouts at length
    #[arg(long)]
    long: bool,

    /// Say what each rule does: its weight, wildcards, end anchor, and what it matches, in words
    ///
    /// JSON and HTML always say it.
    #[arg(long, conflicts_with_all = ["run", "form"])]
    rules: bool,

    /// Exit with status 4 if a finding is at least as grave: critical, warning or notice
    #[arg(long, value_name = "STATUS", value_parser = status)]
    fail_on: Option<Status>,
}

/// Reads a status that can be acted on.
fn status(word: &str) -> Result<Status, String> {
    let status = Status::from_word(word).filter(|status| status.is_actionable());
    status.ok_or_else(|| "the statuses are critical, warning, notice".to_owned())
}

/// Audits; returns the exit status.
pub(super) fn audit(arguments: &Arguments) -> u8 {
    match audited(arguments) {
        Ok(status) => status,
        Err(error) => failed(&error),
    }
}

/// Audits what is named.
fn audited(arguments: &Arguments) -> Result<u8, RunError> {
    let signals = Library::embedded()?.signals;
    let registry = if arguments.no_registry { None } else { Some(Registry::embedded()?) };
    let knowledge = Knowledge { registry: registry.as_ref(), signals: &signals };
    if let Some(run) = &arguments.run {
        let listed = arguments.finding.as_deref();
        return audit_many::audit(run, knowledge, listed, arguments.json);
    }
    let subject = subject(arguments, &signals)?;
    if arguments.fix {
        return Ok(printed(fix(&subject)));
    }
    let audit = Audit::of(&subject, knowledge);
    let since = match arguments.since.as_deref() {
        Some(earlier) => Some(changed(earlier, &subject, &audit, knowledge)?),
        None => None,
    };
    let report = AuditReport {
        subject: &subject,
        audit: &audit,
        is_long: arguments.long,
        since: since.as_ref().map(|(source, since)| (source.as_str(), since)),
        has_rules: arguments.rules,
        has_document: arguments.with_document,
    };
    let was_printed = print(arguments, &report)?;
    let status = printed(was_printed);
    let grave = |least: Status| audit.worst().is_some_and(|worst| worst <= least);
    match arguments.fail_on {
        Some(least) if status == super::DONE && grave(least) => Ok(FOUND),
        Some(_) if status == super::DONE && audit.state.is_error() => {
            say("error: there was nothing to audit, so that nothing was found proves nothing");
            Ok(super::FAILED)
        }
        _ => Ok(status),
    }
}

/// What changed since an earlier version, with its name.
fn changed(
    earlier: &str,
    subject: &Subject,
    audit: &Audit,
    knowledge: Knowledge,
) -> Result<(String, Since), RunError> {
    let given = from_file(earlier)?;
    let document = Document::Given(given.octets);
    let before = Subject { robots: document, ..subject.clone() };
    Ok((given.source, Since::of(&Audit::of(&before, knowledge), audit)))
}

/// Prints an audit in the form that is asked for; returns whether it could be.
fn print(arguments: &Arguments, report: &AuditReport) -> Result<bool, RunError> {
    let wrong = |error: serde_json::Error| RunError::Failed(error.into());
    Ok(if arguments.json {
        print_json(&report::audit_json(report).map_err(wrong)?)
    } else if arguments.sarif {
        print_json(&report::audit_sarif(report).map_err(wrong)?)
    } else if arguments.html {
        let page = report::audit_html(report);
        print_octets(page.map_err(std::io::Error::other)?.as_bytes())
    } else {
        print_page(&report::audit(report))
    })
}

/// The documents that are audited.
fn subject(arguments: &Arguments, signals: &Signals) -> Result<Subject, RunError> {
    let probes = arguments.probes.as_deref().map(read_probes).transpose()?;
    let named = arguments.input.as_deref();
    let url = named.map(url_named).transpose()?.flatten();
    let given = match named {
        Some(named) if url.is_none() => {
            Some(if named == "-" { from_stdin()? } else { from_file(named)? })
        }
        _ => None,
    };
    let for_url = match &arguments.for_url {
        Some(_) if url.is_some() => {
            return Err(RunError::Usage("--for-url is for a file: a URL says itself".to_owned()));
        }
        Some(named) => {
            Some(url_named(named)?.ok_or_else(|| {
                RunError::Usage(format!("--for-url is no URL of the web: {named}"))
            })?)
        }
        None => None,
    };
    if given.is_some() && (arguments.world.is_some() || arguments.save_probes.is_some()) {
        let message = "--world and --save-probes are for a URL: a file needs no network";
        return Err(RunError::Usage(message.to_owned()));
    }
    match (probes, given) {
        (None, Some(given)) if arguments.probe_sitemaps || arguments.probe_guidance => {
            let message =
                format!("{}: probes need a URL, or --probes with saved ones", given.source);
            Err(RunError::Usage(message))
        }
        (None, Some(given)) => Ok(Subject::given(&given.source, given.octets, for_url)),
        (probes, given) => {
            let saved = probes.as_ref().map(|probes| probes.url.clone()).unwrap_or_default();
            let url = match url {
                Some(url) => url,
                None => Url::parse(&saved).map_err(|error| {
                    RunError::Usage(format!("the saved probes name no page: {error}"))
                })?,
            };
            let robots = given.map(|given| (given.source, given.octets));
            gather(arguments, signals, without_fragment(url), probes, robots)
        }
    }
}

/// A URL as it is asked for.
fn without_fragment(mut url: Url) -> Url {
    url.set_fragment(None);
    url
}

/// Reads saved probes.
fn read_probes(path: &Path) -> Result<Probes, RunError> {
    let hint = "name a file that --save-probes wrote";
    let text = files::read_text(path, PROBES_OCTETS);
    let text = text.map_err(|error| files::unreadable(path, &error, hint))?;
    Ok(Probes::from_json(&path.to_string_lossy(), &text)?)
}

/// Gathers a site's documents from the network, or from saved probes.
fn gather(
    arguments: &Arguments,
    signals: &Signals,
    url: Url,
    probes: Option<Probes>,
    robots: Option<(String, Vec<u8>)>,
) -> Result<Subject, RunError> {
    let is_offline = probes.is_some();
    let request = Request {
        url: url.clone(),
        token: PRODUCT_TOKEN,
        signals,
        robots,
        probes_sitemaps: arguments.probe_sitemaps || is_offline,
        asks_other_origins: arguments.other_origins || is_offline,
        probes_guidance: arguments.probe_guidance || is_offline,
    };
    let (subject, source) = internet::online(async {
        let held;
        let mut source = match probes {
            Some(probes) => Source::Saved(probes),
            None => {
                let opened = internet::open(arguments.world.as_deref(), "site audit").await?;
                held = opened.served;
                let _ = &held;
                Source::Live(Box::new(opened.fetcher), Probes::of(url.as_str()))
            }
        };
        let subject = site::gather(&mut source, request).await?;
        Ok((subject, source))
    })?;
    if let Some(path) = &arguments.save_probes {
        let json = source.probes().to_json().map_err(|error| RunError::Failed(error.into()))?;
        files::write_whole(path, json.as_bytes())?;
    }
    Ok(subject)
}

/// Prints the corrected robots.txt, and says what differs; returns whether it could be printed.
fn fix(subject: &Subject) -> bool {
    let Corrected { octets, corrections, left } =
        correct(subject.robots.octets(), subject.url.as_ref());
    let was_printed = print_octets(&octets);
    if corrections.is_empty() {
        say("nothing to correct for certain");
    }
    for correction in &corrections {
        let place = correction.line.map_or("file".to_owned(), |line| format!("line {line}"));
        let effect = if correction.changes_verdicts { " (comes into force)" } else { "" };
        say(format_args!("{place}: {}{effect}", correction.why));
        if correction.line.is_some() {
            say(format_args!("  - {}", correction.before));
            for after in &correction.after {
                say(format_args!("  + {after}"));
            }
        }
    }
    for (line, words) in &left {
        let place = line.map_or("file".to_owned(), |line| format!("line {line}"));
        say(format_args!("left to you, {place} of the corrected file: {words}"));
    }
    was_printed
}
