//! A comparison of runs as sections that every output shows: what was compared, what differs, with
//! which test, and which domains changed.
//!
//! The sections are made once, of words and tables; `terminal` and `markdown` only lay them out.

mod changes;
mod layout;
mod paired;
mod samples;
mod series;

use super::numbers::counts;
use crate::compare::{Comparison, Side};
use crate::stats::Rate;
use layout::{Cell, Section, ours, theirs};

/// The comparison for a terminal, with ANSI weights that the printer may strip.
pub fn comparison_terminal(comparison: &Comparison) -> String {
    layout::terminal(&comparison.marks, &sections(comparison, layout::TERMINAL_CHANGES))
}

/// The comparison as a page of Markdown.
pub fn comparison_markdown(comparison: &Comparison) -> String {
    layout::markdown(&comparison.marks, &sections(comparison, usize::MAX))
}

/// Everything to show, in reading order; at most so many changed domains.
fn sections(comparison: &Comparison, changes_most: usize) -> Vec<Section> {
    let mut sections = vec![runs(comparison)];
    if let Some(paired) = &comparison.paired {
        sections.extend(paired::sections(paired, &comparison.runs));
        sections.extend(changes::sections(paired, changes_most));
    }
    if let Some(series) = &comparison.series {
        sections.extend(series::sections(series, &comparison.runs));
    }
    if let Some(samples) = &comparison.samples {
        sections.extend(samples::sections(samples, &comparison.runs));
    }
    sections
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
    let mut section = Section::titled(theirs(&what));
    section.heads = ["run", "sample", "policy observed", "date", "source", "results"]
        .map(str::to_owned)
        .to_vec();
    section.rows = comparison.runs.iter().map(run).collect();
    section.notes.extend(comparison.notes.iter().map(|note| ours(format!("Note: {note}."))));
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
