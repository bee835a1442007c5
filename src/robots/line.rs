//! Lines: where each begins and ends, and what stands on it (RFC 9309, 2.2).
//!
//! Facts alone: nothing here depends on a dialect, and no octet is left out. Which records are in
//! force, and for whom, is for `group` to say; what a fact is worth to an author, for `issue`.

use super::field::{Field, Spelling};
use super::span::Span;
use super::text::Text;
use crate::closed_list;

closed_list! {
    /// What a line is.
    pub enum LineKind {
        /// Nothing but blanks.
        Blank = "blank",
        /// A comment and nothing before it.
        Comment = "comment",
        /// A key and a value; the value may be empty.
        Record = "record",
        /// Anything else: no key that could be one.
        Junk = "junk",
        /// Not a line but all that stands past the limit on size.
        Unread = "unread",
    }
}

/// One line of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The line's number, from 1.
    pub number: u32,
    /// What the line is.
    pub kind: LineKind,
    /// What a record is about; `Unknown` on any other line.
    pub field: Field,
    /// How a record's key is spelled.
    pub spelling: Spelling,
    /// What else is worth knowing.
    pub facts: Facts,
    /// Where the line stands in the document, its end and a byte order mark included.
    pub range: Span,
    /// Where the line stands in the text that was read, without its end and any mark.
    pub text: Span,
    /// The key, without blanks; empty but for a record.
    pub key: Span,
    /// The value, without blanks and comment; empty but for a record.
    pub value: Span,
    /// The comment from its `#` on.
    pub comment: Span,
}

/// A set of facts about a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts(u8);

impl Facts {
    /// The record has blanks where its colon should be.
    pub const MISSING_COLON: Self = Self(1);
    /// The line holds a NUL, which ends it.
    pub const NUL: Self = Self(1 << 1);
    /// A no-break space stands before the comment: it is no blank, so it is part of a word.
    pub const NO_BREAK_SPACE: Self = Self(1 << 2);
    /// The line is not UTF-8.
    pub const INVALID_UTF8: Self = Self(1 << 3);
    /// The line holds a character that other programs take for the end of a line.
    pub const FOREIGN_LINE_END: Self = Self(1 << 4);
    /// The line is longer than Google's parser reads.
    pub const LONG: Self = Self(1 << 5);
    /// A byte order mark stands where it marks nothing, and so is part of a word.
    pub const STRAY_MARK: Self = Self(1 << 6);

    /// A control character other than a tab or a NUL stands before the comment.
    pub const CONTROL: Self = Self(1 << 7);

    /// Whether every fact of `other` is among these.
    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Adds a fact if it holds.
    fn add(&mut self, fact: Self, holds: bool) {
        if holds {
            self.0 |= fact.0;
        }
    }
}

/// Google: octets of a line that its parser reads (eight times the 2,083 of a long URL, less one).
pub(super) const LONG_LINE_OCTETS: usize = 16_663;

impl Line {
    /// A line on which nothing stands yet.
    fn new(number: usize, range: Span, text: Span) -> Self {
        Self {
            number: u32::try_from(number).unwrap_or(u32::MAX),
            kind: LineKind::Blank,
            field: Field::Unknown,
            spelling: Spelling::Exact,
            facts: Facts::default(),
            range,
            text,
            key: Span::default(),
            value: Span::default(),
            comment: Span::default(),
        }
    }
}

/// Every line of a text, in order; the ranges of all together are the whole document.
pub(super) fn lines(text: &Text) -> Vec<Line> {
    let octets = &text.octets;
    // Room for every line but those of CR alone, which are rare.
    let mut lines = Vec::with_capacity(memchr::memchr_iter(b'\n', octets).count() + 2);
    let (mut start, mut in_document) = (0, 0);
    while start < octets.len() {
        let (end, next) = end_of_line(octets, start);
        let first = if start == 0 { text.offset_in_document() } else { in_document };
        let next_in_document = first + text.octets_in_document(&octets[start..next]);
        let content = if start == 0 { text.mark_octets.min(end) } else { start };
        let range = Span::new(in_document, next_in_document);
        lines.push(read(octets, Line::new(lines.len() + 1, range, Span::new(content, end))));
        (start, in_document) = (next, next_in_document);
    }
    close(&mut lines, text, in_document);
    lines
}

/// Accounts for what follows the last line: the octets past the limit, or half a UTF-16 unit.
fn close(lines: &mut Vec<Line>, text: &Text, in_document: usize) {
    if in_document == text.document_octets {
        return;
    }
    match lines.last_mut() {
        Some(last) if !text.truncated => {
            last.range = Span::new(last.range.start as usize, text.document_octets);
        }
        _ => {
            let range = Span::new(in_document, text.document_octets);
            let nothing = Span::new(text.octets.len(), text.octets.len());
            let mut line = Line::new(lines.len() + 1, range, nothing);
            if text.truncated {
                line.kind = LineKind::Unread;
            }
            lines.push(line);
        }
    }
}

/// Where the content of a line ends and where the next line starts: CR, LF or CRLF, nothing else.
fn end_of_line(octets: &[u8], start: usize) -> (usize, usize) {
    let Some(length) = memchr::memchr2(b'\n', b'\r', &octets[start..]) else {
        return (octets.len(), octets.len());
    };
    let end = start + length;
    let both = octets[end..].starts_with(b"\r\n");
    (end, end + if both { 2 } else { 1 })
}

/// Reads what stands on a line.
fn read(octets: &[u8], mut line: Line) -> Line {
    let content = &octets[line.text.range()];
    line.facts.add(Facts::LONG, content.len() > LONG_LINE_OCTETS);
    let mut before_nul = content;
    let (has_unusual, has_comment) = glance(content);
    if has_unusual {
        note_unusual(content, &mut line.facts);
        before_nul = until_nul(content);
    }
    let (record, comment) =
        if has_comment { split_comment(before_nul) } else { (trim(before_nul), &[][..]) };
    if !comment.is_empty() {
        line.comment = Span::within(octets, comment);
        line.kind = LineKind::Comment;
    } else if line.facts.has(Facts::NUL) {
        line.kind = LineKind::Junk;
    }
    if !record.is_empty() {
        line.kind = LineKind::Junk;
        read_record(octets, record, &mut line);
    }
    line
}

/// What counts of a line's content: the record without blanks around it, and the comment.
pub(super) fn readable(content: &[u8]) -> (&[u8], &[u8]) {
    split_comment(until_nul(content))
}

/// Google: a NUL ends the line, since the reference library reads C strings.
fn until_nul(content: &[u8]) -> &[u8] {
    &content[..memchr::memchr(0, content).unwrap_or(content.len())]
}

/// The record before a comment, without blanks around it, and the comment from its `#` on.
fn split_comment(content: &[u8]) -> (&[u8], &[u8]) {
    let comment = memchr::memchr(b'#', content).unwrap_or(content.len());
    (trim(&content[..comment]), &content[comment..])
}

/// Splits a record at its colon or, where it has none, between its two words.
pub(super) fn key_and_value(record: &[u8]) -> Option<(&[u8], &[u8])> {
    match memchr::memchr(b':', record) {
        Some(colon) => Some((trim(&record[..colon]), trim(&record[colon + 1..]))),
        None => two_words(record),
    }
}

/// Reads a key and a value, if the line has them.
fn read_record(octets: &[u8], record: &[u8], line: &mut Line) {
    let (key, value) = match memchr::memchr(b':', record) {
        Some(colon) => (trim(&record[..colon]), trim(&record[colon + 1..])),
        // Google: two words without a colon are a record; three are not.
        None => match two_words(record) {
            Some((key, value)) if Field::of_key(key).0 != Field::Unknown => {
                line.facts.add(Facts::MISSING_COLON, true);
                (key, value)
            }
            _ => return,
        },
    };
    let (field, spelling) = Field::of_key(key);
    let is_word = field != Field::Unknown && spelling != Spelling::Prefix;
    if !is_word && !could_be_key(key) {
        return;
    }
    line.kind = LineKind::Record;
    (line.field, line.spelling) = (field, spelling);
    line.key = Span::within(octets, key);
    line.value = Span::within(octets, value);
}

/// The two words of a record, if it has exactly two.
fn two_words(record: &[u8]) -> Option<(&[u8], &[u8])> {
    let blank = memchr::memchr2(b' ', b'\t', record)?;
    let value = trim(&record[blank..]);
    memchr::memchr2(b' ', b'\t', value).is_none().then_some((&record[..blank], value))
}

/// Whether an author can have meant these octets as a key: letters, digits, `-`, `_` and blanks.
fn could_be_key(key: &[u8]) -> bool {
    let is_part = |octet: &u8| octet.is_ascii_alphanumeric() || b"-_ \t".contains(octet);
    !key.is_empty() && key.iter().all(is_part)
}

/// Without the ASCII white space at both ends; a no-break space is content.
fn trim(octets: &[u8]) -> &[u8] {
    let Some(start) = octets.iter().position(|&octet| !is_blank(octet)) else {
        return &octets[..0];
    };
    let end = octets.iter().rposition(|&octet| !is_blank(octet)).map_or(start, |last| last + 1);
    &octets[start..end]
}

/// Whether an octet is ASCII white space, vertical tab included.
pub(super) fn is_blank(octet: u8) -> bool {
    octet.is_ascii_whitespace() || octet == 0x0b
}

/// Whether a line calls for a second look, since it holds an octet other than printing ASCII and
/// tabs, and whether it holds a `#`.
///
/// Every octet is looked at, with no early end, so that many are looked at together.
fn glance(content: &[u8]) -> (bool, bool) {
    content.iter().fold((false, false), |(unusual, comment), &octet| {
        (unusual | !matches!(octet, b' '..=b'~' | b'\t'), comment | (octet == b'#'))
    })
}

/// Looks at the octets that most lines do not have.
fn note_unusual(content: &[u8], facts: &mut Facts) {
    let before_comment = &content[..memchr::memchr(b'#', content).unwrap_or(content.len())];
    let holds = |text: &[u8], piece: &[u8]| memchr::memmem::find(text, piece).is_some();
    let is_control = |&octet: &u8| matches!(octet, 1..=8 | 0x0b..=0x1f);
    facts.add(Facts::CONTROL, before_comment.iter().any(is_control));
    facts.add(Facts::NUL, memchr::memchr(0, content).is_some());
    facts.add(Facts::NO_BREAK_SPACE, holds(before_comment, "\u{a0}".as_bytes()));
    facts.add(Facts::STRAY_MARK, holds(before_comment, "\u{feff}".as_bytes()));
    facts.add(Facts::INVALID_UTF8, std::str::from_utf8(content).is_err());
    let foreign = content.iter().any(|octet| matches!(octet, 0x0b | 0x0c | 0x1c..=0x1e))
        || ["\u{85}", "\u{2028}", "\u{2029}"].iter().any(|end| holds(content, end.as_bytes()));
    facts.add(Facts::FOREIGN_LINE_END, foreign);
}
