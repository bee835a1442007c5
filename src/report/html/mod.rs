//! report.html: a run as one self-contained page, for people who read and people who check.
//!
//! One file without any outside request: style and script stand in it, and its own content policy
//! names them by digest and forbids all else (Content Security Policy level 3). Every text from
//! outside is escaped by the template; pictures escape their own. Without script the page is whole:
//! the script only filters the domains and folds their lines. Wording shared with the other outputs
//! comes from `sentences`, numbers from `numbers`.

pub(super) mod courses;
pub(super) mod differences;
mod entry;
mod figures;
pub(super) mod marks;
pub(super) mod matrix;
pub(super) mod picture;
pub(super) mod pictures;
mod scale;
mod unsettled;

pub use entry::DomainEntry;
pub use unsettled::Unsettled;

use std::collections::BTreeSet;

use minijinja::value::Serde;
use minijinja::{Environment, Value};
use serde_json::json;

use crate::report::markup::policy_source;
use crate::report::sentences;
use crate::summary::Summary;

/// The page of a run.
const PAGE: &str = include_str!("page.html");
/// What every page has: its head, with its own policy, and the macros of its tables and words.
const HEAD: &str = include_str!("head.html");
const TABLE: &str = include_str!("table.html");
const WORDS: &str = include_str!("words.html");
/// The style of pages with tables and pictures.
pub(super) const STYLE: &str = include_str!("page.css");
/// Its script.
const SCRIPT: &str = include_str!("page.js");

/// What a page says of how the run was made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Provenance {
    /// When it began, in UTC.
    pub started_at: String,
    /// The day that it speaks of, where that is not the day on which it began.
    pub as_of: Option<String>,
    /// The version of the program that made it.
    pub version: String,
    /// The method it implements.
    pub method: String,
    /// The user-agent header that was sent.
    pub user_agent: String,
    /// The one figure for all result files.
    pub results_sha256: String,
    /// The command that gives the same results again.
    pub command: String,
}

/// The domains that a page shows.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    /// The domains, in sample order.
    pub entries: Vec<DomainEntry>,
    /// Whether they are only those that need a look, the run being too large for one page.
    pub is_selection: bool,
    /// Paths that the library does not settle.
    pub unsettled: Unsettled,
}

/// Renders the page.
pub fn html(summary: &Summary, provenance: &Provenance, shown: &Shown) -> String {
    let values = json!({
        "title": format!("Crawler access: {}", summary.sample),
        "marks": summary.marks,
        "finding": sentences::finding(summary),
        "design": sentences::design(&summary.frame),
        "sample": summary.sample,
        "cards": figures::cards(summary),
        "figures": figures::figures(summary, shown),
        "domains": shown.entries,
        "is_selection": shown.is_selection,
        "verdicts": each_once(shown, DomainEntry::verdict),
        "strata": each_once(shown, DomainEntry::stratum),
        "provenance": figures::provenance(summary, provenance),
        "day": match &provenance.as_of {
            Some(day) => format!("captures as of {day}"),
            None => provenance.started_at.split('T').next().unwrap_or_default().to_owned(),
        },
    });
    render(PAGE, values)
}

/// Renders a page of ours: its template, its values, and what every page has.
pub(super) fn render(page: &str, mut values: serde_json::Value) -> String {
    let mut environment = Environment::new();
    for (name, text) in
        [("page.html", page), ("head.html", HEAD), ("table.html", TABLE), ("words.html", WORDS)]
    {
        environment.add_template(name, text).expect("the template is well formed");
    }
    for (name, value) in [
        ("style", STYLE.to_owned()),
        ("script", SCRIPT.to_owned()),
        ("style_source", policy_source(STYLE)),
        ("script_source", policy_source(SCRIPT)),
    ] {
        values[name] = value.into();
    }
    let template = environment.get_template("page.html").expect("the template was added");
    template.render(Value::from(Serde(&values))).expect("the template knows its values")
}

/// What occurs of a column, each once, for the filter.
fn each_once<'a>(shown: &'a Shown, column: fn(&'a DomainEntry) -> &'a str) -> BTreeSet<&'a str> {
    shown.entries.iter().map(column).collect()
}

#[cfg(test)]
mod tests;
