//! The findings as one HTML file: no network, no script, every number in a table beside its picture.

use std::collections::BTreeMap;

use minijinja::{Environment, ErrorKind, Value, context};

use crate::logs::{Findings, ImpersonatorRow};

use super::pictures;

/// The page, with what is filled in.
const TEMPLATE: &str = include_str!("report.html");

/// Impersonators that are shown.
const IMPERSONATORS_MOST: usize = 50;

/// The findings as HTML. Whatever the log holds is escaped.
pub fn log_findings_html(findings: &Findings) -> Result<String, minijinja::Error> {
    let mut environment = Environment::new();
    // The ending makes the engine escape what it fills in.
    environment.add_template("report.html", TEMPLATE)?;
    let mut rows: Vec<&ImpersonatorRow> = findings.impersonators.rows.iter().collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.count));
    let impersonators: Vec<_> = rows
        .into_iter()
        .take(IMPERSONATORS_MOST)
        .map(|row| {
            context! {
                token => row.token.as_str(), address => row.address.as_str(),
                network => row.network.as_str(), evidence => row.evidence.as_str(),
                count => row.count, first => row.first.as_str(),
            }
        })
        .collect();
    let document = serde_json::to_value(findings)
        .map_err(|error| minijinja::Error::new(ErrorKind::BadSerialization, error.to_string()))?;
    environment.get_template("report.html")?.render(context! {
        f => value(document),
        impersonators,
        claims => pictures::claims(findings),
        days => pictures::days(findings),
        outcomes => pictures::outcomes(findings),
    })
}

/// A document as the engine's value.
fn value(document: serde_json::Value) -> Value {
    match document {
        serde_json::Value::Null => Value::from(()),
        serde_json::Value::Bool(said) => Value::from(said),
        serde_json::Value::Number(number) => match number.as_u64() {
            Some(whole) => Value::from(whole),
            None => Value::from(number.as_f64().unwrap_or_default()),
        },
        serde_json::Value::String(text) => Value::from(text),
        serde_json::Value::Array(values) => {
            Value::from(values.into_iter().map(value).collect::<Vec<_>>())
        }
        serde_json::Value::Object(members) => {
            let members = members.into_iter().map(|(name, member)| (name, value(member)));
            Value::from(members.collect::<BTreeMap<_, _>>())
        }
    }
}
