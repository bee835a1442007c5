//! Where in a line an issue is: the octets to point at.

use super::document::Robots;
use super::issue::{Issue, IssueKind};
use super::line::Line;
use super::span::Span;

impl Robots {
    /// The octets that an issue is about; none where the document as a whole is meant.
    pub fn place_of(&self, issue: &Issue) -> Option<Span> {
        let line = self.line(issue.line?)?;
        let span = match issue.kind {
            IssueKind::TypoAccepted
            | IssueKind::PrefixKey
            | IssueKind::UnknownDirective
            | IssueKind::NonstandardDirective
            | IssueKind::IneffectiveDirective => line.key,
            IssueKind::EmptySitemap | IssueKind::UaEmpty => line.key,
            IssueKind::InvalidValue
            | IssueKind::InvalidPath
            | IssueKind::AbsoluteUrl
            | IssueKind::EscapedPath
            | IssueKind::IndexPage
            | IssueKind::UaVersion
            | IssueKind::UaList
            | IssueKind::UaWords
            | IssueKind::UaWildcardText
            | IssueKind::UaGlob
            | IssueKind::UaHeaderAsToken
            | IssueKind::UaNoToken
            | IssueKind::UaTail
            | IssueKind::RunSharedOverRecord => line.value,
            IssueKind::DigitToken => self.first(line.value, |octet| octet.is_ascii_digit()),
            IssueKind::BlankInPath => self.first(line.value, |octet| b" \t".contains(&octet)),
            IssueKind::MissingColon => Span { start: line.key.end, end: line.value.start },
            IssueKind::Nul => self.first(line.text, |octet| octet == 0),
            IssueKind::Control => {
                self.first(line.text, |octet| matches!(octet, 1..=8 | 0x0b..=0x1f))
            }
            IssueKind::Nbsp => self.piece(line, "\u{a0}"),
            IssueKind::StrayBom => self.piece(line, "\u{feff}"),
            IssueKind::InvalidUtf8 => self.first_not_utf8(line),
            _ => trimmed(self, line),
        };
        Some(if span.is_empty() { line.text } else { span })
    }

    /// The first octet of a kind.
    fn first(&self, within: Span, is_of_kind: impl Fn(u8) -> bool) -> Span {
        let found = self.octets(within).iter().position(|&octet| is_of_kind(octet));
        found.map_or(within, |at| {
            Span::new(within.start as usize + at, within.start as usize + at + 1)
        })
    }

    /// The first place of a text in a line.
    fn piece(&self, line: &Line, piece: &str) -> Span {
        let start = line.text.start as usize;
        let found = memchr::memmem::find(self.octets(line.text), piece.as_bytes());
        found.map_or(line.text, |at| Span::new(start + at, start + at + piece.len()))
    }

    /// The first octets of a line that are not UTF-8.
    fn first_not_utf8(&self, line: &Line) -> Span {
        let start = line.text.start as usize;
        match std::str::from_utf8(self.octets(line.text)) {
            Ok(_) => line.text,
            Err(error) => {
                let at = start + error.valid_up_to();
                Span::new(
                    at,
                    error.error_len().map_or(line.text.end as usize, |octets| at + octets),
                )
            }
        }
    }
}

/// A line's text without the blanks around it and its comment.
fn trimmed(robots: &Robots, line: &Line) -> Span {
    let end = if line.comment.is_empty() { line.text.end } else { line.comment.start };
    let start = line.text.start.min(end);
    let content = robots.octets(Span { start, end });
    let before = content.len() - content.trim_ascii_start().len();
    let length = content.trim_ascii().len();
    Span::new(start as usize + before, start as usize + before + length)
}
