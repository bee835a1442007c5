//! A comparison of runs as sections that every output shows: what was compared, what differs, with
//! which test, and which domains changed.
//!
//! The sections are made once, of words and tables; `terminal`, `markdown` and `html` only lay them
//! out, the last with a picture where `pictures` has one.

mod changes;
mod finding;
mod html;
mod layout;
mod paired;
mod pictures;
mod samples;
mod series;

pub use html::comparison_html;

use super::numbers::counts;
use crate::compare::{Comparison, Side};
use crate::stats::Rate;
use crate::summary::ClassCounts;
use changes::Extent;
use layout::{Cell, Section, ours, theirs};

/// The comparison for a terminal, with ANSI weights that the printer may strip.
pub fn comparison_terminal(comparison: &Comparison) -> String {
    layout::terminal(&comparison.marks, &sections(comparison, Extent::TERMINAL))
}

/// The comparison as a page of Markdown.
pub fn comparison_markdown(comparison: &Comparison) -> String {
    layout::markdown(&comparison.marks, &sections(comparison, Extent::DOCUMENT))
}

/// Everything to show, in reading order; what changed as far as it has room.
fn sections(comparison: &Comparison, extent: Extent) -> Vec<Section> {
    let mut sections = vec![runs(comparison)];
    if let Some(paired) = &comparison.paired {
        sections.extend(paired::sections(paired, &comparison.runs));
        sections.extend(changes::sections(paired, extent));
    }
    if let Some(series) = &comparison.series {
        sections.extend(series::sections(series, &comparison.runs));
    }
    if let Some(samples) = &comparison.samples {
        sections.extend(samples::sections(samples, &comparison.runs));
    }
    if comparison.paired.is_none() && !comparison.leaves_out_html() {
        // Before the crawlers, which are the last section.
        sections.insert(sections.len() - 1, classes(&comparison.runs));
    }
    sections
}

/// Access classes of each run, on its own denominator.
fn classes(runs: &[Side]) -> Section {
    let mut section =
        Section::titled("classes", ours("Access classes, each run on its own policy_observed"));
    let names = ClassCounts::default().named().map(|(name, _)| name.replace('_', " "));
    section.heads = std::iter::once("run".to_owned()).chain(names).collect();
    section.rows = runs
        .iter()
        .map(|side| {
            let of = side.summary.classes.observed();
            let named = side.summary.classes.named();
            let cells = named.map(|(_, n)| ours(paired::share(Rate::new(n, of))));
            std::iter::once(theirs(&side.label)).chain(cells).collect()
        })
        .collect();
    section
}

/// What is compared.
fn runs(comparison: &Comparison) -> Section {
    let labels: Vec<&str> = comparison.runs.iter().map(|side| side.label.as_str()).collect();
    let what = match comparison.runs.first() {
        Some(first)
            if comparison.samples.is_none()
                && comparison.runs.iter().all(|side| side.sample_sha256 == first.sample_sha256) =>
        {
            format!("{}: {}", first.sample, labels.join(" → "))
        }
        _ => labels.join(", "),
    };
    let mut section = Section::titled("runs", theirs(&what));
    section.words.push(theirs(&finding::finding(comparison)));
    section.heads = ["run", "sample", "policy observed", "date", "source", "results"]
        .map(str::to_owned)
        .to_vec();
    section.rows = comparison.runs.iter().map(run).collect();
    section.notes.extend(comparison.notes.iter().map(|note| ours(format!("Note: {note}."))));
    // What may make the finding void stands beside it.
    section.notes.extend(comparison.paired.iter().filter_map(changes::elsewhere).map(ours));
    section
}

/// One run of the comparison.
fn run(side: &Side) -> Vec<Cell> {
    let funnel = &side.summary.funnel;
    vec![
        theirs(&side.label),
        theirs(&side.sample),
        ours(counts(Rate::new(funnel.policy_observed, funnel.sample))),
        theirs(
            side.date
                .as_deref()
                .map_or(super::numbers::NONE, |date| date.get(..10).unwrap_or(date)),
        ),
        theirs(&side.source),
        theirs(
            side.results_sha256
                .as_deref()
                .map_or(super::numbers::NONE, |sum| sum.get(..12).unwrap_or(sum)),
        ),
    ]
}
