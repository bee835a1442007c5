//! A site audit as SARIF 2.1.0 (OASIS, 2020), which code hosts show beside the lines that are meant.
//!
//! Every finding that can be acted on is a result, at each of its lines of the robots.txt, and every
//! kind of finding a rule. Readouts, passes and what was not checked are no results.

use serde_json::{Value, json};

use super::audit::AuditReport;
use crate::audit::{Evidence, EvidenceSource, Finding, Kind, Status, kinds};
use crate::manifest::Instrument;
use crate::robots::{Dialect, Robots};

/// Where the form is described.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The audit as SARIF, with a line end.
pub fn audit_sarif(report: &AuditReport) -> serde_json::Result<String> {
    let robots = report.audit.readings.of(Dialect::C01);
    let uri = &reference(&report.subject.source);
    let results: Vec<Value> =
        report.audit.actionable().map(|finding| result(robots, uri, finding)).collect();
    let rules: Vec<Value> = kinds().map(rule).collect();
    let document = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "scanner audit",
                "version": Instrument::VERSION,
                "rules": rules,
            }},
            "columnKind": "utf16CodeUnits",
            "results": results,
        }],
    });
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

/// What was audited as a URI reference (RFC 3986, 4.1): a URL is one, a file's name may not be.
fn reference(source: &str) -> String {
    if source.starts_with("https://") || source.starts_with("http://") {
        return source.to_owned();
    }
    let mut reference = String::with_capacity(source.len());
    for octet in source.bytes() {
        match octet {
            octet if octet.is_ascii_alphanumeric() || b"-._~/".contains(&octet) => {
                reference.push(char::from(octet));
            }
            octet => reference += &format!("%{octet:02X}"),
        }
    }
    reference
}

/// The level of a status.
fn level(status: Status) -> &'static str {
    match status {
        Status::Critical => "error",
        Status::Warning => "warning",
        Status::Notice => "note",
        Status::Info | Status::Pass | Status::NotChecked => "none",
    }
}

/// A kind of finding as a rule.
fn rule(kind: &'static Kind) -> Value {
    let help = [kind.impact, kind.fix].join(" ");
    json!({
        "id": kind.id,
        "shortDescription": { "text": kind.title },
        "fullDescription": { "text": kind.when },
        "help": { "text": help.trim() },
        "defaultConfiguration": { "level": level(kind.statuses[0]) },
    })
}

/// A finding as a result.
fn result(robots: &Robots, uri: &str, finding: &Finding) -> Value {
    let in_file =
        |piece: &&Evidence| piece.source == EvidenceSource::Robots && piece.line.is_some();
    let mut locations: Vec<Value> =
        finding.evidence.iter().filter(in_file).map(|piece| location(robots, uri, piece)).collect();
    if locations.is_empty() {
        locations.push(json!({ "physicalLocation": { "artifactLocation": { "uri": uri } } }));
    }
    // A host shows a result at its first place: the others are related to it.
    let related = locations.split_off(1);
    let fix = finding.fix();
    let advice = if fix.is_empty() { String::new() } else { format!(" {fix}") };
    let text = format!("{}. {}{advice}", finding.kind.title, finding.summary);
    json!({
        "ruleId": finding.kind.id,
        "level": level(finding.status),
        "message": { "text": text },
        "locations": locations,
        "relatedLocations": related,
    })
}

/// A line of the robots.txt as a location; columns count UTF-16 units from 1.
fn location(robots: &Robots, uri: &str, piece: &Evidence) -> Value {
    let number = piece.line.unwrap_or(1);
    let mut region = json!({ "startLine": number });
    if let (Some(span), Some(line)) = (piece.span, robots.line(number)) {
        let units = |from: u32, to: u32| {
            let octets = robots.octets(crate::robots::Span { start: from, end: to.max(from) });
            String::from_utf8_lossy(octets).encode_utf16().count()
        };
        let start = units(line.text.start, span.start) + 1;
        region["startColumn"] = json!(start);
        region["endColumn"] = json!(start + units(span.start, span.end.min(line.text.end)).max(1));
    }
    let mut location = json!({
        "physicalLocation": { "artifactLocation": { "uri": uri }, "region": region },
    });
    if !piece.note.is_empty() {
        location["message"] = json!({ "text": piece.note });
    }
    location
}

#[cfg(test)]
mod tests {
    use super::reference;

    #[test]
    fn a_source_is_a_uri_reference_whatever_it_is_called() {
        for (source, expected) in [
            ("sites/robots.txt", "sites/robots.txt"),
            ("a b:é.txt", "a%20b%3A%C3%A9.txt"),
            ("standard input", "standard%20input"),
            ("https://a.test/robots.txt?x", "https://a.test/robots.txt?x"),
        ] {
            assert_eq!(reference(source), expected);
        }
    }
}
