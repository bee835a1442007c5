//! A comparison as one self-contained page: the sections of every output, with pictures, and every
//! domain that changed with its lines.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::changes::Extent;
use super::finding::finding;
use super::layout::{Cell, Section};
use super::pictures::pictured;
use super::{changes, sections};
use crate::compare::{Change, Comparison, Edit, Side, State};
use crate::report::html::render;
use crate::words::shortened;

/// The page.
const PAGE: &str = include_str!("../html/comparison.html");

/// Most lines of one domain's difference that are shown; comparison.json has all.
const LINES_MOST: usize = 40;

/// Most letters of a line that are shown.
const LETTERS_MOST: usize = 200;

/// Most domains of one page; comparison.json has all.
const DOMAINS_MOST: usize = 5_000;

/// The comparison as a page of HTML.
pub fn comparison_html(comparison: &Comparison) -> String {
    let sections = sections(comparison, Extent::DOCUMENT);
    let title = sections.first().map(|section| section.title.text().to_owned());
    let label = |at: usize| comparison.runs.get(at).map(|side| side.label.clone());
    let values = json!({
        "title": format!("Crawler access compared: {}", title.unwrap_or_default()),
        "by": by(comparison),
        "marks": comparison.marks,
        "finding": finding(comparison),
        "sections": sections.iter().filter(|section| section.id != "changed")
            .map(|section| laid_out(section, comparison)).collect::<Vec<_>>(),
        "changed": changed(comparison),
        "then": label(0),
        "now": label(1),
        "provenance": provenance(&comparison.runs),
    });
    render(PAGE, values)
}

/// When the runs speak of.
fn by(comparison: &Comparison) -> String {
    let days = comparison.runs.iter().filter_map(|side| side.date.as_deref());
    let days: Vec<&str> = days.map(|date| date.get(..10).unwrap_or(date)).collect();
    let (first, last) = (days.iter().min(), days.iter().max());
    match first.zip(last) {
        Some((first, last)) if first == last => (*first).to_owned(),
        Some((first, last)) => format!("{first} to {last}"),
        None => format!("{} runs", comparison.runs.len()),
    }
}

/// A section for the template, with its picture.
fn laid_out(section: &Section, comparison: &Comparison) -> Value {
    let texts =
        |cells: &[Cell]| cells.iter().map(|cell| cell.text().to_owned()).collect::<Vec<_>>();
    // The first section's title and words stand at the head of the page.
    let (heading, words) = match section.id {
        "runs" => ("The runs", Vec::new()),
        _ => (section.title.text(), texts(&section.words)),
    };
    let picture = pictured(section.id, comparison);
    json!({
        "id": section.id,
        "heading": heading,
        "words": words,
        "head": section.heads,
        "rows": section.rows.iter().map(|row| texts(row)).collect::<Vec<_>>(),
        "notes": texts(&section.notes),
        "svg": picture.as_ref().map(|picture| &picture.svg),
        "says": picture.as_ref().map(|picture| &picture.says),
        "legend": picture.as_ref().map(|picture| &picture.legend),
    })
}

/// The domains that changed, those whose own class did first.
fn changed(comparison: &Comparison) -> Option<Value> {
    let paired = comparison.paired.as_ref()?;
    let mut domains: Vec<&Change> = paired.changed.iter().collect();
    domains.sort_by_key(|change| (!change.is_of_domain(), !change.is_closing()));
    let verdicts: BTreeSet<&str> = domains.iter().map(|change| verdict(change)).collect();
    let strata: BTreeSet<&str> = domains.iter().map(|change| change.stratum.as_str()).collect();
    let left = domains.len().saturating_sub(DOMAINS_MOST);
    let mut notes: Vec<String> = changes::elsewhere(paired).into_iter().collect();
    if left > 0 {
        notes.push(format!("{left} more stand in comparison.json."));
    }
    let labels: Vec<&str> = comparison.runs.iter().map(|side| side.label.as_str()).collect();
    Some(json!({
        "heading": changes::title(paired),
        "notes": notes,
        "verdicts": verdicts,
        "strata": strata,
        "domains": domains.iter().take(DOMAINS_MOST).map(|change| domain(change, &labels))
            .collect::<Vec<_>>(),
    }))
}

/// What became of a domain, in a word.
fn verdict(change: &Change) -> &'static str {
    match (change.is_of_domain(), change.is_closing()) {
        (true, true) => "closed",
        (true, false) => "opened",
        (false, _) => "crawlers",
    }
}

/// A domain for the template.
fn domain(change: &Change, labels: &[&str]) -> Value {
    let label = |at: usize| labels.get(at).copied().unwrap_or_default();
    let (edits, more, about) = difference(change);
    json!({
        "domain": change.domain,
        "stratum": change.stratum,
        "verdict": verdict(change),
        "first": state(&change.first, label(0)),
        "second": state(&change.second, label(1)),
        "crawlers": change.crawlers.iter().map(|crawler| json!({
            "first": crawler.first, "second": crawler.second, "names": crawler.crawlers.join(", "),
        })).collect::<Vec<_>>(),
        "edits": edits,
        "more": more,
        "about": about,
    })
}

/// A domain's class at one time.
fn state(state: &State, label: &str) -> Value {
    json!({
        "label": label,
        "class": state.class,
        "line": state.line.as_ref().map(|line| json!({
            "line": line.line,
            "text": shortened(&line.text, LETTERS_MOST),
            "crawler": line.crawler,
        })),
        "elsewhere": state.sitemaps_elsewhere.join(", "),
    })
}

/// What differs between the documents: what is shown of it, how much more there is, what it is.
fn difference(change: &Change) -> (Vec<Value>, usize, &'static str) {
    if change.first.robots_sha256 == change.second.robots_sha256 {
        return (Vec::new(), 0, "The robots.txt is the same.");
    }
    let (edits, about): (Vec<Value>, &str) = match &change.robots.lines {
        Some(lines) => {
            (lines.iter().map(edit).collect(), "Lines of the two documents that differ.")
        }
        None => {
            let values = [("removed", &change.robots.removed), ("added", &change.robots.added)];
            let edits = values.into_iter().flat_map(|(change, values)| {
                values.iter().map(move |value| shown(change, None, &format!("Disallow: {value}")))
            });
            let about = "Disallow lines that govern a crawler of the list; the documents \
                         themselves are not at hand.";
            (edits.collect(), about)
        }
    };
    let more = edits.len().saturating_sub(LINES_MOST);
    (edits.into_iter().take(LINES_MOST).collect(), more, about)
}

/// A line that differs.
fn edit(edit: &Edit) -> Value {
    shown(&edit.change, Some(edit.line), &edit.text)
}

/// A line for the template.
fn shown(change: &str, line: Option<u32>, text: &str) -> Value {
    json!({
        "change": change,
        "sign": if change == "removed" { "−" } else { "+" },
        "line": line,
        "text": shortened(text, LETTERS_MOST),
    })
}

/// What pins each run.
fn provenance(runs: &[Side]) -> Value {
    let head: Vec<String> = std::iter::once("what".to_owned())
        .chain(runs.iter().map(|side| side.label.clone()))
        .collect();
    type Says = fn(&Side) -> String;
    let says: [(&str, Says); 10] = [
        ("sample", |side| side.sample.clone()),
        ("sample SHA-256", |side| side.sample_sha256.clone()),
        ("seed", |side| side.seed.to_string()),
        ("date", |side| side.date.clone().unwrap_or_default()),
        ("source", |side| side.source.clone()),
        ("user-agent", |side| side.user_agent.clone()),
        ("scanner", |side| side.version.clone()),
        ("pattern library", |side| side.library.clone()),
        ("instrument SHA-256", |side| side.instrument_sha256.clone()),
        ("results SHA-256", |side| side.results_sha256.clone().unwrap_or_default()),
    ];
    // What no run says, such as the user-agent of runs that asked nobody, has no row.
    let is_said = |says: &Says| runs.iter().any(|side| !says(side).is_empty());
    let rows = says.into_iter().filter(|(_, says)| is_said(says)).map(|(what, says)| {
        std::iter::once(what.to_owned()).chain(runs.iter().map(says)).collect::<Vec<_>>()
    });
    let rows: Vec<Vec<String>> = rows.collect();
    json!({ "head": head, "rows": rows })
}
