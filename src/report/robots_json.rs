//! One robots.txt as one JSON document; `docs/robots.md` says what each field means.
//!
//! Text is the document's, as UTF-8 with what is none replaced; lines count from 1, columns are
//! octets from 1. The same document and question give the same octets.

use serde::Serialize;

use super::robots::{RobotsQuestion, UrlAsked};
use crate::robots::{Explanation, Group, Issue, Listed, Robots, Rule, Span};
use crate::words::Word as _;

/// The answer to a question as JSON, with a line end.
pub fn robots_json(question: &RobotsQuestion) -> serde_json::Result<String> {
    Ok(serde_json::to_string_pretty(&Document::of(question))? + "\n")
}

/// Lines that one list of a reading names: a hostile document has tens of thousands, and they would
/// stand there again for every crawler and dialect.
const LINES_MOST: usize = 100;

#[derive(Serialize)]
struct Document {
    source: String,
    dialect: &'static str,
    octets: Option<usize>,
    octets_read: usize,
    lines: Vec<LineRow>,
    groups: Vec<GroupRow>,
    issues: Vec<IssueRow>,
    sitemaps: Vec<SitemapRow>,
    crawlers: Vec<CrawlerRow>,
    decisions: Vec<DecisionRow>,
}

#[derive(Serialize)]
pub(super) struct LineRow {
    line: u32,
    text: String,
    kind: &'static str,
    record: Option<&'static str>,
    issues: Vec<&'static str>,
}

#[derive(Serialize)]
pub(super) struct GroupRow {
    first_line: u32,
    last_line: u32,
    agents: Vec<AgentRow>,
    rules: Vec<RuleRow>,
    other_lines: Vec<u32>,
}

#[derive(Serialize)]
struct AgentRow {
    line: u32,
    value: String,
    token: String,
    is_wildcard: bool,
}

#[derive(Serialize)]
struct RuleRow {
    line: u32,
    allow: bool,
    value: String,
    form: String,
    specificity_octets: usize,
    shape: &'static str,
    words: String,
}

#[derive(Serialize)]
pub(super) struct IssueRow {
    line: Option<u32>,
    column: Option<u32>,
    span_octets: Option<u32>,
    kind: &'static str,
    severity: &'static str,
    words: String,
    changes_in: Vec<&'static str>,
}

#[derive(Serialize)]
pub(super) struct SitemapRow {
    line: u32,
    url: String,
}

#[derive(Serialize)]
struct CrawlerRow {
    token: String,
    readings: Vec<StandingRow>,
}

#[derive(Serialize)]
struct StandingRow {
    dialect: &'static str,
    group: &'static str,
    group_lines: Vec<u32>,
    group_line_count: usize,
    root_allowed: bool,
    root_line: Option<u32>,
}

#[derive(Serialize)]
struct DecisionRow {
    token: String,
    url: String,
    other_origin: bool,
    readings: Vec<ExplanationRow>,
}

#[derive(Serialize)]
struct ExplanationRow {
    dialect: &'static str,
    path: String,
    allowed: bool,
    reason: &'static str,
    group: &'static str,
    group_lines: Vec<u32>,
    group_line_count: usize,
    rule: Option<DecidingRow>,
    matching: Vec<u32>,
    matching_count: usize,
    ignored_wildcard_rules: usize,
    sentence: String,
}

#[derive(Serialize)]
struct DecidingRow {
    line: u32,
    allow: bool,
    specificity_octets: usize,
}

impl Document {
    fn of(question: &RobotsQuestion) -> Self {
        let robots = question.robots();

        Self {
            source: question.source.clone(),
            dialect: question.dialect.word(),
            octets: question.is_whole.then(|| question.readings.document_octets()),
            octets_read: robots.octets_read(),
            lines: robots.listing().iter().map(|line| LineRow::of(robots, line)).collect(),
            groups: robots.groups().iter().map(|group| GroupRow::of(robots, group)).collect(),
            issues: robots.issues().iter().map(|issue| IssueRow::of(robots, issue)).collect(),
            sitemaps: robots.sitemaps().map(SitemapRow::of).collect(),
            crawlers: question.tokens.iter().map(|token| CrawlerRow::of(question, token)).collect(),
            decisions: decisions(question),
        }
    }
}

/// Every decision that is asked for.
fn decisions(question: &RobotsQuestion) -> Vec<DecisionRow> {
    let explained = |token: &String, asked: &UrlAsked| DecisionRow {
        token: token.clone(),
        url: asked.url.clone(),
        other_origin: asked.is_of_other_origin,
        readings: question
            .readings
            .all()
            .map(|robots| ExplanationRow::of(robots, token, &asked.url))
            .collect(),
    };
    let of_url = |url| question.tokens.iter().map(move |token| explained(token, url));
    question.urls.iter().flat_map(of_url).collect()
}

impl LineRow {
    pub(super) fn of(robots: &Robots, listed: &Listed) -> Self {
        Self {
            line: listed.line.number,
            text: text(robots, listed.line.text),
            kind: listed.line.kind.word(),
            record: listed.record.map(|field| field.word()),
            issues: listed.issues.iter().map(|kind| kind.word()).collect(),
        }
    }
}

impl GroupRow {
    pub(super) fn of(robots: &Robots, group: &Group) -> Self {
        let agent = |agent: &crate::robots::Agent| AgentRow {
            line: agent.line,
            value: text(robots, agent.value),
            token: text(robots, agent.token),
            is_wildcard: agent.is_wildcard,
        };
        Self {
            first_line: group.first_line,
            last_line: group.last_line,
            agents: group.agents.iter().map(agent).collect(),
            rules: group.rules.iter().map(|rule| RuleRow::of(robots, rule)).collect(),
            other_lines: group.others.clone(),
        }
    }
}

impl RuleRow {
    fn of(robots: &Robots, rule: &Rule) -> Self {
        Self {
            line: rule.line,
            allow: rule.allow,
            value: text(robots, rule.raw),
            form: rule.pattern.as_text().to_owned(),
            specificity_octets: rule.pattern.octets(),
            shape: rule.pattern.shape().word(),
            words: rule.words(robots),
        }
    }
}

impl SitemapRow {
    pub(super) fn of((line, url): (u32, &[u8])) -> Self {
        Self { line, url: lossy(url) }
    }
}

impl IssueRow {
    pub(super) fn of(robots: &Robots, issue: &Issue) -> Self {
        let place = robots.place_of(issue);
        let line = issue.line.and_then(|number| robots.line(number));
        Self {
            line: issue.line,
            column: place.zip(line).map(|(span, line)| span.start - line.text.start + 1),
            span_octets: place.map(Span::octets),
            kind: issue.kind.word(),
            severity: issue.kind.severity().word(),
            words: robots.issue_words(issue),
            changes_in: crate::robots::Dialect::ALL
                .iter()
                .filter(|&&dialect| issue.kind.changes_in(dialect))
                .map(|dialect| dialect.word())
                .collect(),
        }
    }
}

impl CrawlerRow {
    fn of(question: &RobotsQuestion, token: &str) -> Self {
        let standing = |robots: &Robots| {
            let governing = robots.governing(token);
            let decision = governing.decide(&robots.target(b"/"));
            StandingRow {
                dialect: robots.dialect().word(),
                group: governing.kind.word(),
                root_allowed: decision.allowed,
                root_line: decision.rule.map(|rule| rule.line),
                group_line_count: governing.group_lines.len(),
                group_lines: first(governing.group_lines.into_iter()),
            }
        };
        Self { token: token.to_owned(), readings: question.readings.all().map(standing).collect() }
    }
}

impl ExplanationRow {
    fn of(robots: &Robots, token: &str, url: &str) -> Self {
        let target = robots.target(url.as_bytes());
        let Explanation { decision, kind, group_lines, matching, ignored_wildcard_rules, sentence } =
            robots.explain(token, &target);
        Self {
            dialect: robots.dialect().word(),
            path: target.as_text().to_owned(),
            allowed: decision.allowed,
            reason: decision.reason.word(),
            group: kind.word(),
            group_line_count: group_lines.len(),
            group_lines: first(group_lines.into_iter()),
            rule: decision.rule.map(DecidingRow::of),
            matching_count: matching.len(),
            matching: first(matching.iter().map(|rule| rule.line)),
            ignored_wildcard_rules,
            sentence,
        }
    }
}

impl DecidingRow {
    fn of(rule: &Rule) -> Self {
        Self { line: rule.line, allow: rule.allow, specificity_octets: rule.pattern.octets() }
    }
}

/// The first lines of a list.
fn first(lines: impl Iterator<Item = u32>) -> Vec<u32> {
    lines.take(LINES_MOST).collect()
}

/// A piece of the document as text.
fn text(robots: &Robots, span: Span) -> String {
    lossy(robots.octets(span))
}

/// Octets as text, what is not UTF-8 replaced.
fn lossy(octets: &[u8]) -> String {
    String::from_utf8_lossy(octets).into_owned()
}
