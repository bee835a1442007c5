//! A site audit as one HTML page that needs nothing beside it.
//!
//! The page has no script and asks for nothing: its content policy forbids everything but the one
//! style that it holds, by that style's digest. Every text is escaped, and what cannot be seen or
//! would change the direction of text is shown as an escape.

use std::collections::BTreeMap;

use minijinja::{AutoEscape, Environment, Value as View, context};
use serde_json::Value;

use super::audit::AuditReport;
use super::audit_json::audit_value;
use super::markup::policy_source;
use super::printable::shown;
use crate::audit::{Evidence, Finding};
use crate::robots::{Dialect, Robots, Span};
use crate::words::Word as _;

/// The page.
const PAGE: &str = include_str!("pages/audit.html");
/// Its style.
const STYLE: &str = include_str!("pages/audit.css");

/// The audit as a page.
pub fn audit_html(report: &AuditReport) -> Result<String, String> {
    let value = audit_value(report).map_err(|error| error.to_string())?;
    let robots = report.audit.readings.of(Dialect::C01);
    let findings: Vec<Value> =
        report.audit.findings.iter().map(|finding| finding_value(robots, finding)).collect();
    let mut pages = Environment::new();
    pages.set_auto_escape_callback(|_| AutoEscape::Html);
    let page = pages.template_from_str(PAGE).map_err(|error| error.to_string())?;
    let (value, findings) = (view(&value), view(&Value::from(findings)));
    page.render(context! { report => value, findings, style => STYLE, policy => policy() })
        .map_err(|error| error.to_string())
}

/// What the page may do: show itself, in its own style.
fn policy() -> String {
    let style = policy_source(STYLE);
    format!("default-src 'none'; style-src {style}; base-uri 'none'; form-action 'none'")
}

/// A document as the page's language has it, every text of it made visible.
fn view(value: &Value) -> View {
    match value {
        Value::Null => View::from(()),
        Value::Bool(is_so) => View::from(*is_so),
        Value::Number(number) => match number.as_i64() {
            Some(integer) => View::from(integer),
            None => View::from(number.as_f64().unwrap_or_default()),
        },
        Value::String(text) => View::from(visible(text)),
        Value::Array(values) => values.iter().map(view).collect(),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| (name.clone(), view(value)));
            View::from(fields.collect::<BTreeMap<String, View>>())
        }
    }
}

/// A text with what cannot be seen shown as an escape; line ends stand.
fn visible(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(|line| shown(line.as_bytes())).collect();
    lines.join("\n")
}

/// A finding as the page needs it.
fn finding_value(robots: &Robots, finding: &Finding) -> Value {
    let pieces: Vec<Value> = finding.evidence.iter().map(|it| piece(robots, it)).collect();
    serde_json::json!({
        "id": finding.kind.id,
        "is_access": finding.kind.id.starts_with("crawler-access-"),
        "status": finding.status.word(),
        "title": finding.kind.title,
        "summary": finding.summary,
        "intent": finding.kind.intent,
        "impact": finding.impact(),
        "fix": finding.fix(),
        "left_out": finding.evidence_left_out,
        "pieces": pieces,
    })
}

/// A piece of evidence: what is meant of a line, and what stands around it.
fn piece(robots: &Robots, evidence: &Evidence) -> Value {
    let place = match evidence.line {
        Some(line) => format!("{line:>5} |"),
        None => format!("{}:", evidence.source),
    };
    let line = evidence.line.and_then(|number| robots.line(number));
    let parts = line.zip(evidence.span).map(|(line, span)| {
        let start = span.start.clamp(line.text.start, line.text.end);
        let end = span.end.clamp(start, line.text.end);
        let part =
            |start, end| String::from_utf8_lossy(robots.octets(Span { start, end })).into_owned();
        (part(line.text.start, start), part(start, end), part(end, line.text.end))
    });
    let (before, meant, after) =
        parts.unwrap_or_else(|| (evidence.text.clone(), String::new(), String::new()));
    serde_json::json!({
        "place": place,
        "before": before,
        "meant": meant,
        "after": after,
        "note": evidence.note,
    })
}
