//! Headings: weight that only helps the eye.

use std::fmt::Write as _;

use super::printable::Printable;

/// Begins a heading.
const BOLD: &str = "\x1b[1m";
/// Ends it.
const PLAIN: &str = "\x1b[0m";

/// A text with the weight of a heading; what would steer a terminal is shown as an escape.
pub(super) fn bold(text: &str) -> String {
    format!("{BOLD}{}{PLAIN}", Printable(text))
}

/// Writes a heading behind a blank line.
pub(super) fn heading(text: &str, page: &mut String) {
    let _ = writeln!(page, "\n{}", bold(text));
}
