//! The domains that changed, each with both deciding lines and what was written anew.

use super::layout::{Section, ours, theirs};
use crate::compare::{Change, Paired, State};
use crate::words::{counted, shortened};

/// More lines than these of one robots.txt are only counted.
const LINES_MOST: usize = 4;

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
    section.heads = ["domain", "then", "now", "line then", "line now", "Disallow lines"]
        .map(str::to_owned)
        .to_vec();
    section.rows = ordered
        .iter()
        .take(most)
        .map(|change| {
            vec![
                theirs(&change.domain),
                theirs(&change.first.class),
                theirs(&change.second.class),
                theirs(&line(&change.first)),
                theirs(&line(&change.second)),
                theirs(&difference(change)),
            ]
        })
        .collect();
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

/// The line that decides a class.
fn line(state: &State) -> String {
    state.line.as_ref().map_or("–".to_owned(), |line| {
        let text = shortened(&line.text, LETTERS_MOST);
        format!("{}: {text} ({})", line.line, line.crawler)
    })
}

/// What was taken away and added.
fn difference(change: &Change) -> String {
    let listed = |sign: char, lines: &[String]| {
        let shown = lines.iter().take(LINES_MOST);
        let mut shown: Vec<String> =
            shown.map(|line| format!("{sign}{}", shortened(line, LETTERS_MOST))).collect();
        if lines.len() > LINES_MOST {
            shown.push(format!("{sign}{} more", lines.len() - LINES_MOST));
        }
        shown
    };
    let lines = [listed('-', &change.robots.removed), listed('+', &change.robots.added)].concat();
    if lines.is_empty() { "the same".to_owned() } else { lines.join(" ") }
}
