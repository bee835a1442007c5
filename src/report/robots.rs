//! One robots.txt, for a terminal: groups, issues, sitemaps, and who is governed by what.

use std::fmt::Write as _;

use super::excerpt::{WIDTH, excerpt};
use super::heading::{bold, heading};
use super::printable::shown;
use super::robots_decisions;
use crate::robots::{Dialect, Group, GroupKind, Issue, Readings, Robots};
use crate::words::{Word as _, counted, shortened};

/// Groups, records of one group, and issues of one kind that are shown.
const SHOWN: usize = 30;

/// What is asked about a robots.txt.
#[derive(Debug)]
pub struct RobotsQuestion {
    /// Where it came from: a file, a URL, standard input.
    pub source: String,
    /// The document in every dialect.
    pub readings: Readings,
    /// The dialect that is asked about.
    pub dialect: Dialect,
    /// The product tokens that are asked about.
    pub tokens: Vec<String>,
    /// Whether the tokens were named, and are not just the library's.
    pub are_tokens_named: bool,
    /// The URLs that are asked about; with none, the document itself is.
    pub urls: Vec<UrlAsked>,
    /// Whether the document is all there; else it goes on behind what was fetched of it.
    pub is_whole: bool,
}

/// A URL that is asked about.
#[derive(Debug)]
pub struct UrlAsked {
    /// The URL or path.
    pub url: String,
    /// Whether it is of another origin than the document, whose rules do not bind it.
    pub is_of_other_origin: bool,
}

impl RobotsQuestion {
    /// The document in the dialect that is asked about.
    pub(super) fn robots(&self) -> &Robots {
        self.readings.of(self.dialect)
    }
}

/// What a robots.txt holds or, where URLs are asked about, what it decides.
pub fn robots(question: &RobotsQuestion) -> String {
    let mut page = String::new();
    head(question, &mut page);
    if question.urls.is_empty() {
        groups(question.robots(), &mut page);
        issues(question.robots(), &mut page);
        sitemaps(question.robots(), &mut page);
        crawlers(question, &mut page);
    } else {
        robots_decisions::decisions(question, &mut page);
    }
    page
}

/// What was read.
fn head(question: &RobotsQuestion, page: &mut String) {
    let robots = question.robots();
    let rules = robots.groups().iter().map(|group| group.rules.len()).sum();
    let _ = writeln!(
        page,
        "{}\n{}{}, {}, {}, {}, dialect {}",
        bold(&question.source),
        if question.is_whole { "" } else { "at least " },
        counted(question.readings.document_octets(), "octet"),
        counted(robots.lines().len(), "line"),
        counted(robots.groups().len(), "group"),
        counted(rules, "rule"),
        question.dialect,
    );
    let (whole, read) = (question.readings.document_octets(), robots.octets_read());
    if read < whole {
        let _ = writeln!(page, "! only the first {read} octets are read");
    }
}

/// The groups, each with its crawlers and what its rules do.
pub(super) fn groups(robots: &Robots, page: &mut String) {
    heading("Groups", page);
    if robots.groups().is_empty() {
        page.push_str("  none: no rule applies to anyone\n");
    }
    for (place, group) in robots.groups().iter().enumerate().take(SHOWN) {
        let _ = writeln!(
            page,
            "  group {} (lines {}-{}) for {}",
            place + 1,
            group.first_line,
            group.last_line,
            agents(robots, group)
        );
        for rule in group.rules.iter().take(SHOWN) {
            let written = one_line(rule.written(robots).as_bytes());
            // The words name the value, and at times its form too.
            let words = shortened(&shown(rule.words(robots).as_bytes()), 2 * WIDTH);
            let _ = writeln!(page, "  {:>5} | {written}\n        |   {words}", rule.line);
        }
        more(group.rules.len(), "rules", page);
        if group.rules.is_empty() {
            page.push_str("        |   no rules: everything is allowed\n");
        }
        for &line in group.others.iter().take(SHOWN) {
            let text = one_line(robots.line_text(line).trim_ascii());
            let _ = writeln!(page, "  {line:>5} | {text}\n        |   is no rule");
        }
        more(group.others.len(), "records", page);
    }
    more(robots.groups().len(), "groups", page);
}

/// Octets of the document as far as a line of the page goes.
pub(super) fn one_line(octets: &[u8]) -> String {
    shortened(&shown(octets), WIDTH)
}

/// Whom a group is for.
fn agents(robots: &Robots, group: &Group) -> String {
    let named = |value| match one_line(robots.octets(value)) {
        empty if empty.is_empty() => "nobody".to_owned(),
        value => value,
    };
    let mut names: Vec<_> =
        group.agents.iter().take(SHOWN).map(|agent| named(agent.value)).collect();
    if group.agents.len() > SHOWN {
        names.push(format!("{} more", group.agents.len() - SHOWN));
    }
    names.join(", ")
}

/// Says that not all was shown.
fn more(count: usize, what: &str, page: &mut String) {
    if count > SHOWN {
        let _ = writeln!(page, "        … and {} more {what}; --json lists all", count - SHOWN);
    }
}

/// The issues, each with its line and the octets that are meant; of each kind the first few.
fn issues(robots: &Robots, page: &mut String) {
    let issues = robots.issues();
    heading(&format!("Issues: {}", issues.len()), page);
    let mut count_of_kind = std::collections::BTreeMap::new();
    for issue in &issues {
        let count = count_of_kind.entry(issue.kind).or_insert(0_usize);
        *count += 1;
        if *count <= SHOWN {
            one_issue(robots, issue, page);
        }
    }
    for (kind, count) in count_of_kind {
        more(count, kind.word(), page);
    }
}

/// One issue.
fn one_issue(robots: &Robots, issue: &Issue, page: &mut String) {
    let kind = issue.kind;
    let changes: Vec<_> = [Dialect::Google, Dialect::Strict]
        .into_iter()
        .filter(|&dialect| kind.changes_in(dialect))
        .map(Dialect::word)
        .collect();
    let changes = match changes.as_slice() {
        [] => String::new(),
        dialects => format!(" [read otherwise: {}]", dialects.join(", ")),
    };
    let _ =
        writeln!(page, "  {:<6} {kind}: {}{changes}", kind.severity(), robots.issue_words(issue));
    if let (Some(line), Some(span)) = (issue.line, robots.place_of(issue)) {
        page.push_str(&excerpt(robots, line, span));
    }
}

/// The sitemaps.
fn sitemaps(robots: &Robots, page: &mut String) {
    let sitemaps: Vec<_> = robots.sitemaps().collect();
    heading(&format!("Sitemaps: {}", sitemaps.len()), page);
    for (line, address) in sitemaps.iter().take(SHOWN) {
        let _ = writeln!(page, "  {line:>5} | {}", one_line(address));
    }
    more(sitemaps.len(), "sitemaps", page);
}

/// Which group governs each crawler, and what it decides at `/`.
fn crawlers(question: &RobotsQuestion, page: &mut String) {
    heading("Crawlers", page);
    let width = token_width(question);
    for token in &question.tokens {
        let stands = standing(question.robots(), token);
        let _ = write!(page, "  {:<width$}  {stands}", shown(token.as_bytes()));
        for other in question.readings.all() {
            let otherwise = standing(other, token);
            if otherwise != stands {
                let _ = write!(page, "\n  {:<width$}  {}: {otherwise}", "", other.dialect());
            }
        }
        page.push('\n');
    }
}

/// Characters of the widest token as it is shown.
pub(super) fn token_width(question: &RobotsQuestion) -> usize {
    let widths = question.tokens.iter().map(|token| shown(token.as_bytes()).chars().count());
    widths.max().unwrap_or(0)
}

/// Which group governs a crawler and what it decides at `/`, in words.
fn standing(robots: &Robots, token: &str) -> String {
    let governing = robots.governing(token);
    let decision = governing.decide(&robots.target(b"/"));
    let group = match governing.kind {
        GroupKind::Own => format!("own group ({})", governing.lines_in_words()),
        GroupKind::Wildcard => format!("group of * ({})", governing.lines_in_words()),
        GroupKind::None => "no group".to_owned(),
    };
    let verdict = if decision.allowed { "allowed" } else { "disallowed" };
    let by = decision.rule.map(|rule| format!(" by line {}", rule.line)).unwrap_or_default();
    format!("{group}: / is {verdict}{by}")
}
