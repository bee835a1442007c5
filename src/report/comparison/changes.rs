//! The domains that changed, each with both deciding lines and what was written anew.

use super::layout::{Cell, Section, ours, theirs};
use crate::compare::{Change, Edit, Paired, State};
use crate::words::{counted, shortened};

/// More values than these of one robots.txt are only counted.
const VALUES_MOST: usize = 6;

/// More letters than these of a line are cut.
const LETTERS_MOST: usize = 60;

/// How much of what changed an output has room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    /// Domains.
    domains: usize,
    /// Lines of the difference of one domain's documents.
    lines: usize,
}

impl Extent {
    /// A terminal.
    pub(super) const TERMINAL: Self = Self { domains: 20, lines: 6 };
    /// A document.
    pub(super) const DOCUMENT: Self = Self { domains: usize::MAX, lines: 60 };
}

/// The changed domains, those that closed first; nothing where none changed.
pub(super) fn sections(paired: &Paired, extent: Extent) -> Vec<Section> {
    let mut section = Section::titled("changed", ours(title(paired)));
    let mut ordered: Vec<&Change> = of_domain(paired).collect();
    ordered.sort_by_key(|change| !change.is_closing());
    section.items =
        ordered.iter().take(extent.domains).map(|change| item(change, extent)).collect();
    let left = ordered.len().saturating_sub(extent.domains);
    if left > 0 {
        section.notes.push(ours(format!("{left} more: --markdown and --json list all of them.")));
    }
    let others = paired.changed.len() - ordered.len();
    if others > 0 {
        section.notes.push(ours(format!(
            "{} changed for some crawler and kept {} own class: --json and --html list them.",
            counted(others, "domain"),
            if others == 1 { "its" } else { "their" }
        )));
    }
    vec![section]
}

/// The heading: how many closed, and how many opened.
pub(super) fn title(paired: &Paired) -> String {
    let changed = of_domain(paired).count();
    let closing = of_domain(paired).filter(|change| change.is_closing()).count();
    format!(
        "Domains whose class changed: {changed}, of which {closing} closed and {} opened",
        changed - closing
    )
}

/// The domains whose own class changed.
fn of_domain(paired: &Paired) -> impl Iterator<Item = &Change> {
    paired.changed.iter().filter(|change| change.is_of_domain())
}

/// What is to be said of documents that speak of other sites alone.
pub(super) fn elsewhere(paired: &Paired) -> Option<String> {
    let is_told = |change: &&Change| {
        let states = [&change.first, &change.second];
        states.into_iter().any(|state| !state.sitemaps_elsewhere.is_empty())
    };
    let domains: Vec<&str> =
        paired.changed.iter().filter(is_told).map(|change| change.domain.as_str()).collect();
    (!domains.is_empty()).then(|| {
        format!(
            "Look before anything is published: the Sitemap lines of a robots.txt of {} name other \
             sites alone, so that it may not be this domain's file.",
            domains.join(", ")
        )
    })
}

/// A changed domain in lines: what it was and is, what decides each, what was written anew.
fn item(change: &Change, extent: Extent) -> Vec<Cell> {
    let mut lines = vec![
        theirs(&format!("{}: {} → {}", change.domain, change.first.class, change.second.class)),
        theirs(&format!("then {}", line(&change.first))),
        theirs(&format!("now  {}", line(&change.second))),
    ];
    if change.first.robots_sha256 == change.second.robots_sha256 {
        lines.push(ours("the robots.txt is the same"));
    } else if let Some(edits) = &change.robots.lines {
        let said = edits.iter().filter(|edit| edit.says_something());
        let shown: Vec<Cell> = said.take(extent.lines).map(edit).collect();
        let left = edits.len() - shown.len();
        lines.extend(shown);
        if left > 0 {
            let more = counted(left, "more line");
            lines.push(ours(format!("{more} of any kind, comments and blank ones among them")));
        }
    } else {
        for (sign, values) in [('-', &change.robots.removed), ('+', &change.robots.added)] {
            if !values.is_empty() {
                lines.push(theirs(&format!("{sign} {}", listed(values))));
            }
        }
    }
    lines
}

/// A line that differs.
fn edit(edit: &Edit) -> Cell {
    let sign = if edit.change == "removed" { '-' } else { '+' };
    theirs(&format!("{sign} {}: {}", edit.line, shortened(&edit.text, LETTERS_MOST)))
}

/// The line that decides a class, and whether its document speaks of the domain at all.
fn line(state: &State) -> String {
    let decides = state.line.as_ref().map_or("no line restricts".to_owned(), |line| {
        format!("line {}: {} ({})", line.line, shortened(&line.text, LETTERS_MOST), line.crawler)
    });
    match &state.sitemaps_elsewhere[..] {
        [] => decides,
        hosts => format!("{decides}; its sitemaps are of {} alone", hosts.join(", ")),
    }
}

/// Values of Disallow lines, each once with how often it stands there.
fn listed(values: &[String]) -> String {
    let mut times: Vec<(&str, usize)> = Vec::new();
    for value in values {
        match times.last_mut() {
            Some((last, times)) if last == value => *times += 1,
            _ => times.push((value, 1)),
        }
    }
    let shown = times.iter().take(VALUES_MOST).map(|(value, times)| {
        let value = shortened(value, LETTERS_MOST);
        if *times > 1 { format!("{value} ({times} times)") } else { value }
    });
    let mut shown: Vec<String> = shown.collect();
    if times.len() > VALUES_MOST {
        shown.push(format!("{} more", times.len() - VALUES_MOST));
    }
    shown.join("  ")
}
