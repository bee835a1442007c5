//! A line of a document with a caret under the octets that are meant.

use super::printable::shown;
use crate::robots::{Robots, Span};

/// Characters of a line of the document that are shown.
pub(super) const WIDTH: usize = 66;
/// Characters shown before the octets that are meant, where the line is longer.
const BEFORE: usize = 20;

/// Two lines: the line with its number, and carets under a span of it.
pub(super) fn excerpt(robots: &Robots, number: u32, span: Span) -> String {
    let Some(line) = robots.line(number) else { return String::new() };
    let part = |start, end| shown(robots.octets(Span { start, end }));
    let start = span.start.clamp(line.text.start, line.text.end);
    let end = span.end.clamp(start, line.text.end);
    let before: Vec<char> = part(line.text.start, start).chars().collect();
    let meant: Vec<char> = part(start, end).chars().collect();
    let after = part(end, line.text.end);

    let total = before.len() + meant.len() + after.chars().count();
    let left_out = if total > WIDTH { before.len().saturating_sub(BEFORE) } else { 0 };
    let lead = if left_out > 0 { "…" } else { "" };
    let text: Vec<char> = lead
        .chars()
        .chain(before[left_out..].iter().copied())
        .chain(meant.iter().copied())
        .chain(after.chars())
        .collect();
    let is_cut = text.len() > WIDTH;
    let visible: String = text.iter().take(WIDTH).collect();
    let tail = if is_cut { "…" } else { "" };
    let column = lead.chars().count() + before.len() - left_out;
    let carets = meant.len().clamp(1, WIDTH.saturating_sub(column).max(1));
    format!("  {number:>5} | {visible}{tail}\n        | {:column$}{}\n", "", "^".repeat(carets))
}

#[cfg(test)]
mod tests {
    use super::excerpt;
    use crate::robots::{Span, parse};

    #[test]
    fn a_caret_stands_under_what_is_meant() {
        let robots = parse(b"x\nDisallow: \x1b/a b\n");
        let span = Span { start: 15, end: 16 };
        assert_eq!(
            excerpt(&robots, 2, span),
            "      2 | Disallow: \\u{1b}/a b\n        |                   ^\n"
        );
    }

    #[test]
    fn a_long_line_is_shown_around_what_is_meant() {
        let robots =
            parse(format!("Disallow: /{}?{}", "a".repeat(200), "b".repeat(200)).as_bytes());
        let span = Span { start: 211, end: 212 };
        let shown = excerpt(&robots, 1, span);
        let lines: Vec<&str> = shown.lines().collect();
        let at = lines[1].find('^').expect("a caret");
        assert_eq!(lines[0].chars().nth(at), Some('?'), "{shown}");
        assert!(lines[0].chars().count() < 80, "{shown}");
    }
}
