//! The request for robots.txt, and the issues of all requests, which are never faults of the
//! document.

use crate::closed_list;
use crate::html::looks_like_html;
use crate::observation::Exchange;
use crate::robots::LineKind;
use crate::words::counted;

use super::Check;
use super::context::Context;
use super::finding::{Evidence, EvidenceSource, Finding, Kind, Status};
use super::state::RobotsState;
use super::subject::{NotAsked, Probe, Subject};

pub(super) const CHECK: Check = Check {
    name: "request",
    about: "How the request for robots.txt was answered, and what crawlers make of that.",
    kinds: &[&UNREACHABLE, &NOT_ROBOTS, &REFUSED, &OFF_SITE, &MISSING, &NOT_OBSERVED],
    needs_rules: false,
    run,
};

const UNREACHABLE: Kind = Kind {
    id: "robots-unreachable",
    statuses: &[Status::Critical],
    title: "The server answers the request for robots.txt with a fault",
    when: "The answer to the request is 429 or 5xx.",
    intent: "A fault, or a limit on requests that robots.txt should be free of.",
    impact: "Crawlers must take the whole site for closed while this lasts (RFC 9309, 2.3.1.4); \
             Google falls back on its last good copy for a month, and then decides by whether the \
             rest of the site answers.",
    fix: "Make the server answer `/robots.txt` with 200 and a file, or with 404 where there is \
          none, and exempt it from rate limits.",
};

const NOT_ROBOTS: Kind = Kind {
    id: "robots-is-something-else",
    statuses: &[Status::Critical],
    title: "Something else is served where robots.txt should be",
    when: "The document begins as an HTML page does, or it holds text and not one record with a \
           known key.",
    intent: "Often a server that answers every address with the same page, a login, or an error \
             with the status 200.",
    impact: "Crawlers look for rules in it and mostly find none: whatever the real file says is \
             not in force.",
    fix: "Serve the plain text file at `/robots.txt`, or answer 404.",
};

const REFUSED: Kind = Kind {
    id: "robots-refused",
    statuses: &[Status::Warning],
    title: "The server refuses to show robots.txt",
    when: "The answer is 401, 403 or another 4xx, or a page that keeps robots out.",
    intent: "A rule of a firewall or of the server that was made for pages.",
    impact: "By RFC 9309 a refusal means that there are no rules and all is allowed, and Google \
             reads it so; other crawlers stay away. The rules that the file may hold are in force \
             for nobody.",
    fix: "Exempt `/robots.txt` from the rule, so that everybody can read it.",
};

const OFF_SITE: Kind = Kind {
    id: "robots-off-site",
    statuses: &[Status::Notice],
    title: "robots.txt is answered by another host",
    when: "The request was redirected to a host of another name; `www.` in front makes no other.",
    intent: "One file for several hosts, or a site that has moved.",
    impact: "The rules bind the host that was asked, wherever they are read. A crawler that does \
             not follow the redirect sees none.",
    fix: "Serve the file under the host that it is for.",
};

const MISSING: Kind = Kind {
    id: "robots-missing",
    statuses: &[Status::Notice],
    title: "There is no robots.txt",
    when: "The answer is 404 or 410.",
    intent: "Nothing is meant to be ruled, or nobody thought of it.",
    impact: "Every crawler may fetch every page.",
    fix: "If that is what you want, nothing. A file with your sitemap's address and the crawlers \
          that you keep out says so.",
};

const NOT_OBSERVED: Kind = Kind {
    id: "robots-not-observed",
    statuses: &[Status::NotChecked],
    title: "robots.txt could not be read",
    when: "There was no answer, it redirected without end, or it had no body.",
    intent: "",
    impact: "Nothing can be said about the site's rules.",
    fix: "Try again. If it stays so, crawlers have the same trouble.",
};

closed_list! {
    /// What can be noticed about a request.
    pub enum RequestIssueKind {
        /// There was no answer.
        FetchFailed = "fetch_failed",
        /// Redirects that do not arrive.
        TooManyRedirects = "too_many_redirects",
        /// An answer without a body.
        EmptyResponse = "empty_response",
        /// More was answered than is read.
        Truncated = "truncated",
        /// robots.txt disallows the page for our token, so it was not asked for.
        PageDisallowed = "page_disallowed",
        /// There is no robots.txt.
        RobotsMissing = "robots_missing",
        /// The server refused to show robots.txt.
        RobotsRefused = "robots_refused",
        /// The server answered with a fault.
        RobotsUnreachable = "robots_unreachable",
        /// A page that keeps robots out was answered instead.
        Challenge = "challenge",
    }
}

/// Something that was noticed about a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestIssue {
    /// What it is.
    pub kind: RequestIssueKind,
    /// The address that was asked.
    pub url: String,
    /// Details: the status, the failure's mode and cause.
    pub detail: String,
}

/// Everything that was noticed about the requests.
pub(super) fn issues(subject: &Subject) -> Vec<RequestIssue> {
    let mut issues = Vec::new();
    if let Some(exchange) = subject.robots.exchange() {
        let kind = match subject.robots.state() {
            RobotsState::File => None,
            RobotsState::Missing => Some(RequestIssueKind::RobotsMissing),
            RobotsState::Refused => Some(RequestIssueKind::RobotsRefused),
            RobotsState::Unreachable => Some(RequestIssueKind::RobotsUnreachable),
            RobotsState::Failed => Some(RequestIssueKind::FetchFailed),
            RobotsState::TooManyRedirects => Some(RequestIssueKind::TooManyRedirects),
            RobotsState::Empty => Some(RequestIssueKind::EmptyResponse),
            RobotsState::Challenge => Some(RequestIssueKind::Challenge),
        };
        issues.extend(kind.map(|kind| issue(kind, exchange)));
        if !subject.robots.is_whole() {
            issues.push(issue(RequestIssueKind::Truncated, exchange));
        }
    }
    match &subject.page {
        Probe::NotAsked(NotAsked::Disallowed) => {
            let url = subject.url.as_ref().map(ToString::to_string).unwrap_or_default();
            let (kind, detail) = (RequestIssueKind::PageDisallowed, String::new());
            issues.push(RequestIssue { kind, url, detail });
        }
        Probe::Asked(exchange) => match exchange.answer() {
            None => issues.push(issue(RequestIssueKind::FetchFailed, exchange)),
            Some(answer) if answer.truncated => {
                issues.push(issue(RequestIssueKind::Truncated, exchange));
            }
            Some(_) => {}
        },
        Probe::NotAsked(_) => {}
    }
    issues
}

/// An issue of an exchange.
fn issue(kind: RequestIssueKind, exchange: &Exchange) -> RequestIssue {
    RequestIssue { kind, url: exchange.url.clone(), detail: ended(exchange) }
}

/// How an exchange ended, in words.
pub(super) fn ended(exchange: &Exchange) -> String {
    match (exchange.answer(), exchange.failure()) {
        (Some(answer), _) => format!("it answered {}", answer.status),
        (None, Some(failure)) => {
            format!("no answer: {} in {} ({})", failure.mode, failure.operation, failure.cause)
        }
        (None, None) => "it was not asked".to_owned(),
    }
}

fn run(context: &Context, findings: &mut Vec<Finding>) {
    let document = &context.subject.robots;
    if document.state() == RobotsState::File && is_something_else(context) {
        let is_content = |line: &&crate::robots::Line| line.kind != LineKind::Blank;
        let line = context.robots().lines().iter().find(is_content).map(|line| line.number);
        let evidence = line.map(|line| Evidence::line(context.robots(), line, None));
        let records = context.robots().groups().len();
        let summary = match records {
            0 => "It holds no rule at all.".to_owned(),
            many => format!("Crawlers may still take {} out of it.", counted(many, "group")),
        };
        findings.push(Finding::of(&NOT_ROBOTS, summary).shown_by(evidence));
    }
    let Some(exchange) = document.exchange() else { return };
    let kind = match document.state() {
        RobotsState::File => None,
        RobotsState::Missing => Some(&MISSING),
        RobotsState::Refused | RobotsState::Challenge => Some(&REFUSED),
        RobotsState::Unreachable => Some(&UNREACHABLE),
        RobotsState::Failed | RobotsState::TooManyRedirects | RobotsState::Empty => {
            Some(&NOT_OBSERVED)
        }
    };
    let shown = Evidence::of(EvidenceSource::Address, &exchange.final_url);
    if let Some(kind) = kind {
        let why = match document.state() {
            RobotsState::TooManyRedirects => {
                format!("{} did not arrive", counted(exchange.hops.len(), "redirect"))
            }
            RobotsState::Empty => {
                "the answer has no body; crawlers take that for a file without rules".to_owned()
            }
            RobotsState::Challenge => "a page that keeps robots out was answered".to_owned(),
            _ => ended(exchange),
        };
        findings.push(Finding::of(kind, capital(&why) + ".").shown_by([shown.clone()]));
    }
    if document.state() == RobotsState::File && is_off_site(exchange) {
        let summary = format!("{} was redirected to {}.", exchange.url, exchange.final_url);
        findings.push(Finding::of(&OFF_SITE, summary).shown_by([shown]));
    }
}

/// Whether the document is a web page, or text without a record.
pub(super) fn is_something_else(context: &Context) -> bool {
    let robots = context.robots();
    let is_text =
        |line: &crate::robots::Line| matches!(line.kind, LineKind::Junk | LineKind::Record);
    looks_like_html(context.subject.robots.octets())
        || (!robots.has_records() && robots.lines().iter().any(is_text))
}

/// Whether another host answered than was asked, `www.` aside.
fn is_off_site(exchange: &Exchange) -> bool {
    let bare = |url: &str| {
        let url = url::Url::parse(url).ok()?;
        let host = url.host_str()?.to_ascii_lowercase();
        Some(host.strip_prefix("www.").unwrap_or(&host).to_owned())
    };
    bare(&exchange.url) != bare(&exchange.final_url)
}

/// A text with a capital at its beginning.
pub(super) fn capital(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(characters).collect()
}
