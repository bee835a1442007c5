//! The domains that changed, each with both deciding lines and what was written anew.

use super::layout::{Cell, Section, ours, theirs};
use crate::compare::{Change, Paired, State};
use crate::words::{counted, shortened};

/// More values than these of one robots.txt are only counted.
const LINES_MOST: usize = 6;

/// More letters than these of a line are cut.
const LETTERS_MOST: usize = 60;

/// The changed domains, those that closed first; nothing where none changed.
pub(super) fn sections(paired: &Paired, most: usize) -> Vec<Section> {
    let of_domain: Vec<&Change> =
        paired.changed.iter().filter(|change| change.is_of_domain()).collect();
    let closing = of_domain.iter().filter(|change| change.is_closing()).count();
    let mut section = Section::titled(ours(format!(
        "Domains whose class changed: {}, of which {closing} closed and {} opened",
        of_domain.len(),
        of_domain.len() - closing
    )));
    let mut ordered = of_domain.clone();
    ordered.sort_by_key(|change| !change.is_closing());
    section.items = ordered.iter().take(most).map(|change| item(change)).collect();
    let left = ordered.len().saturating_sub(most);
    if left > 0 {
        section.notes.push(ours(format!("{left} more: --markdown and --json list all of them.")));
    }
    let others = paired.changed.len() - of_domain.len();
    if others > 0 {
        section.notes.push(ours(format!(
            "{} changed for some crawler and kept {} own class: --json lists them.",
            counted(others, "domain"),
            if others == 1 { "its" } else { "their" }
        )));
    }
    vec![section]
}

/// A changed domain in lines: what it was and is, what decides each, what was written anew.
fn item(change: &Change) -> Vec<Cell> {
    let mut lines = vec![
        theirs(&format!("{}: {} → {}", change.domain, change.first.class, change.second.class)),
        theirs(&format!("then {}", line(&change.first))),
        theirs(&format!("now  {}", line(&change.second))),
    ];
    for (sign, values) in [('-', &change.robots.removed), ('+', &change.robots.added)] {
        if !values.is_empty() {
            lines.push(theirs(&format!("{sign} {}", listed(values))));
        }
    }
    if change.first.robots_sha256 == change.second.robots_sha256 {
        lines.push(ours("the robots.txt is the same"));
    }
    lines
}

/// The line that decides a class.
fn line(state: &State) -> String {
    state.line.as_ref().map_or("no line restricts".to_owned(), |line| {
        format!("line {}: {} ({})", line.line, shortened(&line.text, LETTERS_MOST), line.crawler)
    })
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
    let shown = times.iter().take(LINES_MOST).map(|(value, times)| {
        let value = shortened(value, LETTERS_MOST);
        if *times > 1 { format!("{value} ({times} times)") } else { value }
    });
    let mut shown: Vec<String> = shown.collect();
    if times.len() > LINES_MOST {
        shown.push(format!("{} more", times.len() - LINES_MOST));
    }
    shown.join("  ")
}
