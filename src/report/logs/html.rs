//! The findings as one HTML file: no network, no script, every number in a table beside its picture.
//!
//! The page's own policy forbids everything but its one style, by that style's digest (Content
//! Security Policy level 3). What the log holds is escaped, and what cannot be seen is shown.

use minijinja::value::Serde;
use minijinja::{Environment, Error, ErrorKind, Value};
use serde_json::{Value as Document, json};

use super::pictures::{self, Course, OF_DAYS};
use crate::logs::{CrawlerFindings, Findings, Identity, ImpersonatorRow, RuleRow, Yield};
use crate::report::Printable;
use crate::report::html::STYLE;
use crate::report::markup::policy_source;
use crate::report::numbers::{counts, percent};
use crate::stats::Rate;
use crate::words::Word;

/// The page, with what is filled in.
const PAGE: &str = include_str!("page.html");

/// What its style has beyond that of other pages with tables and pictures.
const OWN_STYLE: &str = include_str!("page.css");

/// Rows of impersonators, rules and hosts that are shown.
const ROWS_MOST: usize = 50;

/// The findings as HTML. Whatever the log holds is escaped.
pub fn log_findings_html(findings: &Findings) -> Result<String, Error> {
    let mut environment = Environment::new();
    // The ending makes the engine escape what it fills in.
    environment.add_template("page.html", PAGE)?;
    let style = format!("{STYLE}{OWN_STYLE}");
    let course = Course::of(findings);
    let policy = policy_source(&style);
    let mut values = json!({
        "f": serde_json::to_value(findings)
            .map_err(|error| Error::new(ErrorKind::BadSerialization, error.to_string()))?,
        "policy": format!("default-src 'none'; style-src {policy}; base-uri 'none'; form-action 'none'"),
        "period": period(findings),
        "questions": questions(findings),
        "rules": rules(findings),
        "impersonators": impersonators(findings),
        "identities": words::<Identity>(),
        "outcomes": words::<Yield>(),
        "of_days": OF_DAYS,
        "days": course.bars.iter().map(|bar| {
            json!({ "name": course.name(bar), "counts": bar.counts })
        }).collect::<Vec<_>>(),
        "rows_most": ROWS_MOST,
    });
    show(&mut values);
    // What stands so in the page is ours, and escapes its own texts.
    values["style"] = style.into();
    values["claims"] = pictures::claims(findings).into();
    values["course"] = course.picture(&findings.versions).into();
    values["crawl"] = pictures::outcomes(findings).into();
    environment.get_template("page.html")?.render(Value::from(Serde(&values)))
}

/// Makes what cannot be seen in any text of a document visible.
fn show(document: &mut Document) {
    match document {
        Document::String(text) => *text = Printable(text).to_string(),
        Document::Array(values) => values.iter_mut().for_each(show),
        Document::Object(members) => members.values_mut().for_each(show),
        _ => {}
    }
}

/// The words of a closed list.
fn words<W: Word>() -> Vec<&'static str> {
    W::ALL.iter().map(|member| member.word()).collect()
}

/// The first and the last request of all files.
fn period(findings: &Findings) -> Option<String> {
    let first = findings.files.iter().filter_map(|file| file.first.as_ref()).min()?;
    let last = findings.files.iter().filter_map(|file| file.last.as_ref()).max()?;
    Some(format!("{first} to {last}"))
}

/// The three questions, each with its one figure and what that counts.
fn questions(findings: &Findings) -> Vec<Document> {
    let sum = |count: fn(&CrawlerFindings) -> u64| findings.crawlers.iter().map(count).sum::<u64>();
    let genuine = Rate::new(sum(|of| of.genuine), findings.requests.claims);
    let ruled = Rate::new(sum(|of| of.allowed + of.disallowed), genuine.n);
    let violations = Rate::new(sum(|of| of.violations), ruled.n);
    let question = |name: &str, rate: Rate, what: String| json!({ "name": name, "share": percent(rate.share()), "what": format!("{}: {what}", counts(rate)) });
    vec![
        question(
            "Who really came?",
            genuine,
            format!(
                "claims that are genuine; {} are impersonated, {} unverifiable",
                sum(|of| of.impersonated),
                sum(|of| of.unverifiable)
            ),
        ),
        question(
            "Under which rules?",
            ruled,
            format!(
                "genuine requests for which a robots.txt was known to rule; {} versions are known",
                findings.versions.len()
            ),
        ),
        question(
            "Did they keep them?",
            violations,
            format!("of those, violations ({})", findings.terms.judgement),
        ),
    ]
}

/// The rules that were broken most often, each with the place of its version among all.
fn rules(findings: &Findings) -> Vec<Document> {
    let rule = |rule: &RuleRow| {
        let version = findings.versions.iter().position(|version| {
            version.host == rule.host
                && version.from.as_deref().unwrap_or_default() == rule.version_from
        });
        json!({ "of": rule, "version": version })
    };
    findings.rules.iter().take(ROWS_MOST).map(rule).collect()
}

/// The impersonators with the most claims.
fn impersonators(findings: &Findings) -> Vec<Document> {
    let mut rows: Vec<&ImpersonatorRow> = findings.impersonators.rows.iter().collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.count));
    let row = |row: &ImpersonatorRow| {
        json!({
            "token": row.token, "address": row.address, "network": row.network,
            "evidence": row.evidence, "count": row.count, "first": row.first, "last": row.last,
        })
    };
    rows.into_iter().take(ROWS_MOST).map(row).collect()
}
