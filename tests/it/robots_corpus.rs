//! The robots.txt engine against corpora: cases with their verdicts, and files as sites wrote them.

use std::path::Path;

use scanner::robots::{self, GroupKind, Reason, Target};
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
}

/// Asks every case of a file and lists those that disagree.
fn check_cases(name: &str, count: usize) {
    let Some(folder) = corpus::folder() else { return };
    let rows = rows(&folder.join(name));
    assert_eq!(rows.len(), count);
    let mismatches: Vec<_> = rows.iter().filter_map(mismatch).collect();
    assert!(mismatches.is_empty(), "{} cases:\n{}", mismatches.len(), mismatches.join("\n"));
}

/// What is wrong with the engine's answer to a case, if anything.
fn mismatch(case: &Value) -> Option<String> {
    let robots = robots::parse(&document(case));
    let url = url(case);
    let governing = robots.governing(text(case, "user_agent"));
    let decision = governing.decide(&Target::new(url.as_bytes()));
    let decided_by = match (decision.reason, governing.kind) {
        (Reason::AlwaysAllowed, _) => "the file itself",
        (_, GroupKind::Own) => "own group",
        (_, GroupKind::Wildcard) => "star group",
        (_, GroupKind::None) => "no group",
    };
    let line = decision.rule.map(|rule| u64::from(rule.line));
    let given = (decision.allowed, decided_by, line);
    let expected = (
        case["expected_allowed"].as_bool().expect("a verdict"),
        text(case, "decided_by"),
        case["line"].as_u64(),
    );
    (given != expected).then(|| format!("{}: {given:?}, expected {expected:?}", case["id"]))
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
