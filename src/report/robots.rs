//! One robots.txt, for a terminal: groups, issues, sitemaps, and who is governed by what.

use std::fmt::Write as _;

use super::excerpt::excerpt;
use super::printable::shown;
use super::robots_decisions;
use crate::robots::{Dialect, Group, GroupKind, Issue, Readings, Robots};
use crate::words::Word as _;

/// Begins a heading.
const BOLD: &str = "\x1b[1m";
/// Ends it.
const PLAIN: &str = "\x1b[0m";

/// Records of one group, and issues of one kind, that are shown.
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
    pub urls: Vec<String>,
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

/// A heading.
pub(super) fn heading(text: &str, page: &mut String) {
    let _ = writeln!(page, "\n{BOLD}{text}{PLAIN}");
}

/// A number with its unit.
pub(super) fn counted(number: usize, unit: &str) -> String {
    format!("{number} {unit}{}", if number == 1 { "" } else { "s" })
}

/// What was read.
fn head(question: &RobotsQuestion, page: &mut String) {
    let robots = question.robots();
    let rules = robots.groups().iter().map(|group| group.rules.len()).sum();
    let _ = writeln!(
        page,
        "{BOLD}{}{PLAIN}\n{}, {}, {}, {}, dialect {}",
        shown(question.source.as_bytes()),
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
fn groups(robots: &Robots, page: &mut String) {
    heading("Groups", page);
    if robots.groups().is_empty() {
        page.push_str("  none: no rule applies to anyone\n");
    }
    for (place, group) in robots.groups().iter().enumerate() {
        let _ = writeln!(
            page,
            "  group {} (lines {}-{}) for {}",
            place + 1,
            group.first_line,
            group.last_line,
            agents(robots, group)
        );
        for rule in group.rules.iter().take(SHOWN) {
            let written = shown(rule.written(robots).as_bytes());
            let words = shown(rule.words(robots).as_bytes());
            let _ = writeln!(page, "  {:>5} | {written}\n        |   {words}", rule.line);
        }
        more(group.rules.len(), "rules", page);
        if group.rules.is_empty() {
            page.push_str("        |   no rules: everything is allowed\n");
        }
        for &line in group.others.iter().take(SHOWN) {
            let text = shown(robots.line_text(line).trim_ascii());
            let _ = writeln!(page, "  {line:>5} | {text}\n        |   is no rule");
        }
        more(group.others.len(), "records", page);
    }
}

/// Whom a group is for.
fn agents(robots: &Robots, group: &Group) -> String {
    let named = |value| match shown(robots.octets(value)) {
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
        let _ = writeln!(page, "  {line:>5} | {}", shown(address));
    }
    more(sitemaps.len(), "sitemaps", page);
}

/// Which group governs each crawler, and what it decides at `/`.
fn crawlers(question: &RobotsQuestion, page: &mut String) {
    heading("Crawlers", page);
    let width = question.tokens.iter().map(|token| token.chars().count()).max().unwrap_or(0);
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

/// Which group governs a crawler and what it decides at `/`, in words.
fn standing(robots: &Robots, token: &str) -> String {
    let governing = robots.governing(token);
    let decision = governing.decide(&robots.target(b"/"));
    let lines: Vec<_> = governing.group_lines.iter().take(5).map(u32::to_string).collect();
    let more = if governing.group_lines.len() > 5 { ",…" } else { "" };
    let group = match governing.kind {
        GroupKind::Own => format!("own group (line {}{more})", lines.join(",")),
        GroupKind::Wildcard => format!("group of * (line {}{more})", lines.join(",")),
        GroupKind::None => "no group".to_owned(),
    };
    let verdict = if decision.allowed { "allowed" } else { "disallowed" };
    let by = decision.rule.map(|rule| format!(" by line {}", rule.line)).unwrap_or_default();
    format!("{group}: / is {verdict}{by}")
}
