//! The robots.txt engine against corpora: cases with their verdicts, and files as sites wrote them.

use std::path::Path;

use scanner::robots::{
    self, Dialect, Field, Governing, GroupKind, LineKind, Reason, Robots, Target,
};
use serde_json::Value;

use crate::corpus::{self, base64};

#[test]
fn every_conformance_case_agrees() {
    check_cases("data/robots-conformance.jsonl", 1_129);
}

#[test]
fn every_case_from_a_bug_report_agrees() {
    check_cases("data/robots-bugs.jsonl", 182);
}

#[test]
fn the_google_dialect_gives_the_verdicts_of_googles_library() {
    check(&[("data/robots-conformance.jsonl", 1_129), ("data/robots-bugs.jsonl", 182)], |case| {
        let expected = googles_verdict(case);
        let given = verdict(case, Dialect::Google);
        (given != expected).then(|| format!("{}: {given}, expected {expected}", case["id"]))
    });
}

#[test]
fn where_a_dialect_decides_otherwise_an_issue_says_so() {
    check(&[("data/robots-conformance.jsonl", 1_129), ("data/robots-bugs.jsonl", 182)], |case| {
        let [google, strict] = [Dialect::Google, Dialect::Strict].map(|dialect| {
            let is_silent = verdict(case, dialect) != verdict(case, Dialect::C01)
                && !is_announced(case, dialect);
            is_silent.then(|| format!("{}: {dialect} without an issue", case["id"]))
        });
        google.or(strict)
    });
}

#[test]
fn every_file_of_the_wild_is_parsed_and_accounted_for() {
    let Some(folder) = corpus::folder() else { return };
    for (name, count) in [("main", 1_787), ("special", 861)] {
        let rows = rows(&folder.join(format!("data/robots-wild/{name}.jsonl")));
        assert_eq!(rows.len(), count);
        for row in &rows {
            check_file(text(row, "domain"), &base64(text(row, "robots_txt_b64")));
        }
    }
}

/// Every octet of a file is in one line, and nothing that is asked of it fails.
fn check_file(domain: &str, octets: &[u8]) {
    let robots = robots::parse(octets);
    let mut end = 0;
    for (index, line) in robots.lines().iter().enumerate() {
        assert_eq!(line.number as usize, index + 1, "{domain}");
        assert_eq!(line.range.start, end, "{domain} line {}", line.number);
        end = line.range.end;
    }
    assert_eq!(end as usize, octets.len(), "{domain}");
    robots.issues();
    for token in robots.named_tokens() {
        let governing = robots.governing(token);
        assert_eq!(governing.kind, GroupKind::Own, "{domain} {token}");
        for rule in governing.rules() {
            let itself = Target::new(robots.octets(rule.raw));
            governing.decide(&itself);
        }
    }
    for entry in robots.listing() {
        let says_nothing = matches!(entry.line.kind, LineKind::Blank | LineKind::Comment);
        let is_known = entry.record.is_some_and(|field| field != Field::Unknown);
        let is_accounted = says_nothing || is_known || !entry.issues.is_empty();
        assert!(is_accounted, "{domain} line {}", entry.line.number);
    }
    check_dialects(domain, octets, &robots);
}

/// Where a dialect governs or decides otherwise, an issue of the file says so.
fn check_dialects(domain: &str, octets: &[u8], robots: &Robots) {
    let issues = robots.issues();
    for dialect in [Dialect::Google, Dialect::Strict] {
        if issues.iter().any(|issue| issue.kind.changes_in(dialect)) {
            continue;
        }
        let other = robots::parse_in(octets, dialect);
        for token in robots.named_tokens().into_iter().chain(["*", "GPTBot"]) {
            let (ours, theirs) = (robots.governing(token), other.governing(token));
            let lines = |governing: &Governing| governing.group_lines.clone();
            assert_eq!(lines(&ours), lines(&theirs), "{domain} {dialect} {token}");
            let paths = ours.rules().iter().map(|rule| Target::new(robots.octets(rule.raw)));
            for path in paths.filter(|path| !path.is_robots_txt()).take(50) {
                // A whole URL: Google takes what stands behind two slashes for a host.
                let url = format!("https://example.com{}", path.as_text());
                let given = theirs.decide(&other.target(url.as_bytes())).allowed;
                assert_eq!(given, ours.decide(&path).allowed, "{domain} {dialect} {token}");
            }
        }
    }
}

/// Asks every case of a file and lists those that disagree.
fn check_cases(name: &str, count: usize) {
    check(&[(name, count)], mismatch);
}

/// Looks at every case of some files and lists the complaints.
fn check(names: &[(&str, usize)], complaint: impl Fn(&Value) -> Option<String>) {
    let Some(folder) = corpus::folder() else { return };
    let mut complaints = Vec::new();
    for (name, count) in names {
        let rows = rows(&folder.join(name));
        assert_eq!(rows.len(), *count);
        complaints.extend(rows.iter().filter_map(&complaint));
    }
    assert!(complaints.is_empty(), "{} cases:\n{}", complaints.len(), complaints.join("\n"));
}

/// What is wrong with the engine's answer to a case, if anything.
fn mismatch(case: &Value) -> Option<String> {
    let robots = robots::parse(&document(case));
    let governing = robots.governing(text(case, "user_agent"));
    let decision = governing.decide(&Target::new(url(case).as_bytes()));
    let decided_by = match (decision.reason, governing.kind) {
        (Reason::AlwaysAllowed, _) => "the file itself",
        (_, GroupKind::Own) => "own group",
        (_, GroupKind::Wildcard) => "star group",
        (_, GroupKind::None) => "no group",
    };
    let line = decision.rule.map(|rule| u64::from(rule.line));
    let given = (decision.allowed, decided_by, line);
    let expected = (expected(case), text(case, "decided_by"), case["line"].as_u64());
    (given != expected).then(|| format!("{}: {given:?}, expected {expected:?}", case["id"]))
}

/// What a dialect decides in a case.
fn verdict(case: &Value, dialect: Dialect) -> bool {
    let robots = robots::parse_in(&document(case), dialect);
    let target = robots.target(url(case).as_bytes());
    robots.governing(text(case, "user_agent")).decide(&target).allowed
}

/// Whether an issue of the document, or the URL itself, says that a dialect may decide otherwise.
fn is_announced(case: &Value, dialect: Dialect) -> bool {
    let robots = robots::parse(&document(case));
    let is_in_document = robots.issues().iter().any(|issue| issue.kind.changes_in(dialect));
    let url = url(case);
    let target = robots.target(url.as_bytes());
    let differs = target.as_text() != Target::new_in(url.as_bytes(), dialect).as_text();
    let is_token = |octet: u8| octet.is_ascii_alphanumeric() || b"-_".contains(&octet);
    let is_no_token = !text(case, "user_agent").bytes().all(is_token);
    is_in_document
        || differs
        || is_no_token
        || (dialect == Dialect::Google && target.is_robots_txt())
}

/// The verdict of RFC 9309 and Google's published leniency.
fn expected(case: &Value) -> bool {
    case["expected_allowed"].as_bool().expect("a verdict")
}

/// What Google's library answered; where a case names only those who differ, it may be one of them.
fn googles_verdict(case: &Value) -> bool {
    let recorded = case["verdicts"]["google-cpp"].as_bool();
    let differs =
        case["differ"].as_array().is_some_and(|names| names.iter().any(|it| it == "google-cpp"));
    recorded.unwrap_or_else(|| expected(case) != differs)
}

/// A case's URL, in whichever form it is given.
pub(crate) fn url(case: &Value) -> String {
    case["url"].as_str().map_or_else(|| joined(&case["url_parts"]), str::to_owned)
}

/// The octets of a case's robots.txt, in whichever form they are given.
pub(crate) fn document(case: &Value) -> Vec<u8> {
    if let Some(text) = case["robots_txt"].as_str() {
        text.as_bytes().to_vec()
    } else if let Some(encoded) = case["robots_txt_b64"].as_str() {
        base64(encoded)
    } else {
        joined(&case["robots_txt_parts"]).into_bytes()
    }
}

/// The text of `[[text, count], …]`: each text as often as it says.
fn joined(parts: &Value) -> String {
    let part = |part: &Value| {
        let count = part[1].as_u64().expect("a count");
        part[0].as_str().expect("a text").repeat(usize::try_from(count).expect("a small count"))
    };
    parts.as_array().expect("parts").iter().map(part).collect()
}

/// The rows of a JSON Lines file.
#[allow(clippy::disallowed_methods, reason = "a test reads its corpus")]
pub(crate) fn rows(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).expect("the corpus can be read");
    text.lines().map(|line| serde_json::from_str(line).expect("a row is JSON")).collect()
}

/// A row's text.
pub(crate) fn text<'a>(row: &'a Value, key: &str) -> &'a str {
    row[key].as_str().expect("a text")
}
