//! The tables of an audit as CSV.
//!
//! Logs are written by strangers: a cell that a spreadsheet would take for a formula has an apostrophe
//! before it, and what would steer a terminal stands as an escape.

use std::io;

use crate::logs::{CrawlerFindings, Findings, ImpersonatorRow, RuleRow, ViolationRow};
use crate::record::Writer;
use crate::report::Printable;

/// A table with the name of its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogTable {
    /// The name of its file.
    pub name: &'static str,
    /// Its text.
    pub text: String,
}

/// Columns that hold what was found of a crawler.
const CRAWLERS: [&str; 31] = [
    "token",
    "operator",
    "purpose",
    "stance",
    "claims",
    "genuine",
    "sibling",
    "adjacent",
    "impersonated",
    "unverifiable",
    "allowed",
    "disallowed",
    "no_version",
    "ambiguous",
    "no_target",
    "violations",
    "informed",
    "excused",
    "non_productive",
    "octets",
    "targets",
    "targets_estimated",
    "robots_fetches",
    "first_genuine",
    "last_genuine",
    "first_claim",
    "last_claim",
    "mixed_headers",
    "from_untrusted_edges",
    "gaps_certainly_too_short",
    "gaps_possibly_too_short",
];

const DAYS: [&str; 8] =
    ["day", "token", "claims", "genuine", "impersonated", "unverifiable", "allowed", "disallowed"];

const HOSTS: [&str; 9] = [
    "host",
    "token",
    "claims",
    "genuine",
    "impersonated",
    "unverifiable",
    "allowed",
    "disallowed",
    "no_version",
];

const RULES: [&str; 10] =
    ["token", "host", "version_from", "file", "line", "rule", "count", "first", "last", "example"];

const VIOLATIONS: [&str; 11] = [
    "token",
    "host",
    "target",
    "decoded",
    "version_from",
    "line",
    "rule",
    "count",
    "first",
    "last",
    "example",
];

const IMPERSONATORS: [&str; 8] =
    ["token", "address", "network", "evidence", "count", "first", "last", "example"];

/// Every table of an audit.
pub fn log_tables(findings: &Findings) -> io::Result<Vec<LogTable>> {
    let days = findings.days.rows.iter().map(|day| {
        let counts = [
            day.claims,
            day.genuine,
            day.impersonated,
            day.unverifiable,
            day.allowed,
            day.disallowed,
        ];
        with_counts(&[&day.day, &day.token], &counts)
    });
    let hosts = findings.hosts.rows.iter().map(|host| {
        let counts = [
            host.claims,
            host.genuine,
            host.impersonated,
            host.unverifiable,
            host.allowed,
            host.disallowed,
            host.no_version,
        ];
        with_counts(&[&host.host, &host.token], &counts)
    });
    Ok(vec![
        table("crawlers.csv", &CRAWLERS, findings.crawlers.iter().map(crawler))?,
        table("days.csv", &DAYS, days)?,
        table("hosts.csv", &HOSTS, hosts)?,
        table("rules.csv", &RULES, findings.rules.iter().map(rule))?,
        table("violations.csv", &VIOLATIONS, findings.violations.rows.iter().map(violation))?,
        table(
            "impersonators.csv",
            &IMPERSONATORS,
            findings.impersonators.rows.iter().map(impersonator),
        )?,
    ])
}

/// A table from its columns and rows.
fn table(
    name: &'static str,
    columns: &[&str],
    rows: impl Iterator<Item = Vec<String>>,
) -> io::Result<LogTable> {
    let mut writer = Writer::with_columns(Vec::new(), columns)?;
    for row in rows {
        let row: Vec<String> = row.iter().map(|cell| safe(cell)).collect();
        writer.write(&row)?;
    }
    let text = String::from_utf8(writer.finish()?).map_err(io::Error::other)?;
    Ok(LogTable { name, text })
}

/// A cell that no spreadsheet computes and no terminal obeys.
fn safe(cell: &str) -> String {
    let shown = Printable(cell).to_string().replace('\n', "\\n");
    match shown.chars().next() {
        Some('=' | '+' | '-' | '@' | '\t') => format!("'{shown}"),
        _ => shown,
    }
}

/// Words and then counts as cells.
fn with_counts(words: &[&str], counts: &[u64]) -> Vec<String> {
    let words = words.iter().map(|word| (*word).to_owned());
    words.chain(counts.iter().map(u64::to_string)).collect()
}

fn crawler(of: &CrawlerFindings) -> Vec<String> {
    let said = |text: &Option<String>| text.clone().unwrap_or_default();
    let mut cells =
        vec![of.token.clone(), of.operator.clone(), said(&of.purpose), of.stance.clone()];
    let counts = [
        of.claims,
        of.genuine,
        of.sibling,
        of.adjacent,
        of.impersonated,
        of.unverifiable,
        of.allowed,
        of.disallowed,
        of.no_version,
        of.ambiguous,
        of.no_target,
        of.violations,
        of.informed,
        of.excused,
        of.non_productive,
        of.octets,
        of.targets,
    ];
    cells.extend(counts.iter().map(u64::to_string));
    cells.extend([of.targets_estimated.to_string(), of.robots_fetches.to_string()]);
    let times = [&of.first_genuine, &of.last_genuine, &of.first_claim, &of.last_claim];
    cells.extend(times.map(said));
    cells.extend([of.mixed_headers.to_string(), of.from_untrusted_edges.to_string()]);
    let gaps = of.crawl_delay;
    cells.push(gaps.map_or(String::new(), |gaps| gaps.certain.to_string()));
    cells.push(gaps.map_or(String::new(), |gaps| gaps.possible.to_string()));
    cells
}

fn rule(of: &RuleRow) -> Vec<String> {
    vec![
        of.token.clone(),
        of.host.clone(),
        of.version_from.clone(),
        of.file.clone(),
        line(of.line),
        of.rule.clone(),
        of.count.to_string(),
        of.first.clone(),
        of.last.clone(),
        of.example.clone(),
    ]
}

fn violation(of: &ViolationRow) -> Vec<String> {
    vec![
        of.token.clone(),
        of.host.clone(),
        of.target.clone(),
        of.decoded.clone(),
        of.version_from.clone(),
        line(of.line),
        of.rule.clone(),
        of.count.to_string(),
        of.first.clone(),
        of.last.clone(),
        of.example.clone(),
    ]
}

fn impersonator(of: &ImpersonatorRow) -> Vec<String> {
    vec![
        of.token.clone(),
        of.address.clone(),
        of.network.clone(),
        of.evidence.clone(),
        of.count.to_string(),
        of.first.clone(),
        of.last.clone(),
        of.example.clone(),
    ]
}

/// The number of a line, if there is one.
fn line(line: Option<u32>) -> String {
    line.map_or(String::new(), |line| line.to_string())
}

#[cfg(test)]
mod tests {
    use super::safe;

    #[test]
    fn a_cell_is_neither_computed_nor_obeyed() {
        for (cell, expected) in [
            ("/a", "/a"),
            ("=HYPERLINK(\"x\")", "'=HYPERLINK(\"x\")"),
            ("+1", "'+1"),
            ("-1", "'-1"),
            ("@a", "'@a"),
            ("\x1b[2J", "\\u{1b}[2J"),
            ("a\nb", "a\\nb"),
            ("", ""),
        ] {
            assert_eq!(safe(cell), expected, "{cell:?}");
        }
    }
}
