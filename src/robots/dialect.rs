//! Dialects: which of the facts that lines hold are in force.
//!
//! Lines are read once and alike; a dialect says what a line counts as, whom a value names, and how
//! values and paths are written before they are compared. What C01 takes beyond RFC 9309 is said
//! where it happens; `google` and `strict` hold the two others.

use super::field::{Field, Spelling};
use super::line::{Line, LineKind};
use super::span::Span;
use super::text::Text;
use super::{google, strict};
use crate::closed_list;

closed_list! {
    /// How a document is read.
    pub enum Dialect {
        /// RFC 9309, and Google's published leniency where the RFC leaves room. The instrument's.
        ///
        /// Beyond the RFC it takes eight misspelled keys, two words without a colon, text behind a
        /// product token or a `*`, digits in a token, blanks and any octets in a path, UTF-16, a
        /// byte order mark cut short, and a line that a NUL cuts.
        C01 = "c01",
        /// The verdicts of Google's own library, google/robotstxt, fault for fault.
        ///
        /// Against C01: a key counts if it begins with a known one (`Disallowed`); a product token
        /// ends at its first digit; escapes in values are not decoded, and the URL is compared as
        /// it was handed over; an Allow of an `index.htm` page opens its directory; the robots.txt
        /// itself has no privilege; octets of a line past the 16,663rd are not read; UTF-16 holds
        /// no record. The library sets no limit on size: Googlebot hands it the first 500 KiB.
        Google = "google",
        /// RFC 9309 and none of the leniency: what every conforming crawler must understand.
        ///
        /// It refuses: misspelled and longer keys and missing colons (unknown records); a
        /// user-agent value that is neither `*` nor letters, `-` and `_` alone (it begins a group
        /// all the same, and names nobody); a path that begins with neither `/` nor, as in the
        /// RFC's own example (5.1), `*`, or that holds a blank; a control character or octets that
        /// are not UTF-8 before the comment (the record names nobody or has no effect); and a
        /// document in UTF-16 whole. A whole UTF-8 byte order mark is no content (RFC 3629, 6).
        Strict = "strict",
    }
}

/// What a line is in force as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Record {
    /// What it is about.
    pub(super) field: Field,
    /// Its value.
    pub(super) value: Span,
    /// Whether the value may mean something; else it names nobody and has no effect.
    pub(super) is_sound: bool,
}

impl Record {
    /// A record that may mean something.
    pub(super) fn sound(field: Field, value: Span) -> Self {
        Self { field, value, is_sound: true }
    }
}

impl Dialect {
    /// What a line is in force as, if as anything.
    pub(super) fn record(self, text: &Text, line: &Line) -> Option<Record> {
        match self {
            Self::C01 => c01_record(line),
            _ if text.utf16 => None,
            Self::Google => google::record(&text.octets, line),
            Self::Strict => strict::record(&text.octets, line),
        }
    }

    /// The part of a user-agent value that is its product token; empty if it names nobody.
    pub(super) fn token(self, value: &[u8]) -> &[u8] {
        match self {
            Self::C01 => leading(value, is_token_part),
            Self::Google => leading(value, is_token_letter),
            Self::Strict if value.iter().all(|&octet| is_token_letter(octet)) => value,
            Self::Strict => &[],
        }
    }
}

/// C01: the misspellings that Google's library accepts count, and two words without a colon. A
/// longer word that begins with a key is an unknown record, though Google's parser takes it.
fn c01_record(line: &Line) -> Option<Record> {
    let field = match (line.kind, line.spelling) {
        (LineKind::Record, Spelling::Exact | Spelling::Typo) => line.field,
        (LineKind::Record, Spelling::Prefix) => Field::Unknown,
        _ => return None,
    };
    Some(Record::sound(field, line.value))
}

/// The octets at the start of a value that are of a kind.
fn leading(value: &[u8], is_of_kind: impl Fn(u8) -> bool) -> &[u8] {
    let end = value.iter().position(|&octet| !is_of_kind(octet)).unwrap_or(value.len());
    &value[..end]
}

/// Whether an octet can be part of a product token as C01 reads it.
pub(super) fn is_token_part(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || octet == b'-' || octet == b'_'
}

/// Whether an octet can be part of a product token by the RFC's grammar (2.2.1).
fn is_token_letter(octet: u8) -> bool {
    is_token_part(octet) && !octet.is_ascii_digit()
}
