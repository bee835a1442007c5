//! Sections of words and tables, laid out for a terminal and as Markdown.

use std::fmt::Write as _;

use super::super::heading::heading;
use super::super::markdown::{Page, plain};
use super::super::printable::{Printable, shown};

/// Columns of a line of words on a terminal; tables are as wide as they are.
const COLUMNS: usize = 100;

/// Words of ours, or from outside; the latter are escaped wherever they are shown.
#[derive(Clone, Debug)]
pub(super) enum Cell {
    Ours(String),
    Theirs(String),
}

/// Words of ours.
pub(super) fn ours(text: impl Into<String>) -> Cell {
    Cell::Ours(text.into())
}

/// Words from outside.
pub(super) fn theirs(text: &str) -> Cell {
    Cell::Theirs(text.to_owned())
}

impl Cell {
    /// The words on one line of a terminal.
    fn shown(&self) -> String {
        match self {
            Self::Ours(text) => text.clone(),
            Self::Theirs(text) => shown(text.as_bytes()),
        }
    }

    /// The words as they are, for who escapes them.
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Ours(text) | Self::Theirs(text) => text,
        }
    }

    /// The words as Markdown.
    fn marked(&self) -> String {
        match self {
            Self::Ours(text) => text.clone(),
            Self::Theirs(text) => plain(text),
        }
    }
}

/// A titled table with words before and after it, all of which may be missing.
#[derive(Clone, Debug)]
pub(super) struct Section {
    /// What it is, by which a page links to it and finds its picture.
    pub(super) id: &'static str,
    pub(super) title: Cell,
    pub(super) words: Vec<Cell>,
    pub(super) heads: Vec<String>,
    pub(super) rows: Vec<Vec<Cell>>,
    /// Things of several lines, the first of which names it.
    pub(super) items: Vec<Vec<Cell>>,
    pub(super) notes: Vec<Cell>,
}

impl Section {
    /// A section without anything in it yet.
    pub(super) fn titled(id: &'static str, title: Cell) -> Self {
        let (words, heads, rows) = (Vec::new(), Vec::new(), Vec::new());
        Self { id, title, words, heads, rows, items: Vec::new(), notes: Vec::new() }
    }
}

/// The sections for a terminal: the first column to the left, the others to the right.
pub(super) fn terminal(marks: &[String], sections: &[Section]) -> String {
    let mut page = String::new();
    for mark in marks {
        let _ = writeln!(page, "! {}", Printable(mark));
    }
    for section in sections {
        heading(&section.title.shown(), &mut page);
        for words in &section.words {
            paragraph(&words.shown(), &mut page);
        }
        table(section, &mut page);
        for item in &section.items {
            for (at, line) in item.iter().enumerate() {
                let indent = if at == 0 { "  " } else { "      " };
                let _ = writeln!(page, "{indent}{}", line.shown());
            }
        }
        for note in &section.notes {
            paragraph(&note.shown(), &mut page);
        }
    }
    page
}

/// Words in lines that a terminal holds.
fn paragraph(text: &str, page: &mut String) {
    let mut columns = 0;
    for word in text.split(' ') {
        let width = word.chars().count();
        if columns == 0 {
            let _ = write!(page, "  {word}");
            columns = 2 + width;
        } else if columns + 1 + width > COLUMNS {
            let _ = write!(page, "\n  {word}");
            columns = 2 + width;
        } else {
            let _ = write!(page, " {word}");
            columns += 1 + width;
        }
    }
    page.push('\n');
}

/// A section's table in columns.
fn table(section: &Section, page: &mut String) {
    let heads = section.heads.iter().map(|head| ours(head.clone())).collect();
    let rows: Vec<Vec<String>> = std::iter::once(&heads)
        .filter(|heads: &&Vec<Cell>| !heads.is_empty())
        .chain(&section.rows)
        .map(|row| row.iter().map(Cell::shown).collect())
        .collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let width = |at: usize| {
        let cells = rows.iter().filter_map(|row| row.get(at));
        cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in &rows {
        let mut line = String::from(" ");
        for (at, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let _ = if at == 0 {
                write!(line, " {cell:<width$}")
            } else {
                write!(line, "  {cell:>width$}")
            };
        }
        let _ = writeln!(page, "{}", line.trim_end());
    }
}

/// Text that begins no list within the list that it stands in.
fn inline(text: String) -> String {
    if text.starts_with("- ") { format!("\\{text}") } else { text }
}

/// The sections as a page of Markdown.
pub(super) fn markdown(marks: &[String], sections: &[Section]) -> String {
    let title = sections.first().map(|section| section.title.marked()).unwrap_or_default();
    let mut page = Page::titled(&format!("Crawler access compared: {title}"));
    if !marks.is_empty() {
        page.list(marks.iter().map(|mark| format!("**{}**", plain(mark))));
    }
    for (at, section) in sections.iter().enumerate() {
        if at > 0 {
            page.heading(2, &section.title.marked());
        }
        for words in &section.words {
            page.paragraph(&words.marked());
        }
        if !section.rows.is_empty() {
            let rows = section.rows.iter().map(|row| row.iter().map(Cell::marked).collect());
            page.columns(&section.heads, rows);
        }
        if !section.items.is_empty() {
            page.list(section.items.iter().map(|item| {
                let lines = item.iter().map(|line| inline(line.marked())).collect::<Vec<_>>();
                lines.join("\n  - ")
            }));
        }
        for note in &section.notes {
            page.paragraph(&note.marked());
        }
    }
    page.0
}
