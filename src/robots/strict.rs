//! RFC 9309 to the letter: what its grammar does not hold is not in force (2.2).
//!
//! A record whose key is right and whose value is not still is a record of its kind: a user-agent
//! record begins a group for nobody, so that its rules do not fall to the group above it, and a rule
//! ends a run. The RFC leaves that open; anything else would widen a rule by a misprint.

use super::dialect::Record;
use super::field::{Field, Spelling};
use super::line::{Facts, Line, LineKind};

/// What a line is in force as.
pub(super) fn record(octets: &[u8], line: &Line) -> Option<Record> {
    if line.kind != LineKind::Record {
        return None;
    }
    let is_plain = line.spelling == Spelling::Exact && !line.facts.has(Facts::MISSING_COLON);
    let field = if is_plain { line.field } else { Field::Unknown };
    let value = &octets[line.value.range()];
    let is_sound = is_in_grammar(octets, line) && (!field.is_rule() || is_path(value));
    Some(Record { field, value: line.value, is_sound })
}

/// Whether what stands before the comment is UTF-8 without control characters.
fn is_in_grammar(octets: &[u8], line: &Line) -> bool {
    let content = &octets[line.text.range()];
    let content = &content[..memchr::memchr(b'#', content).unwrap_or(content.len())];
    let is_control = |&octet: &u8| octet < b' ' && octet != b'\t';
    // A mark that lacks its last octets is no mark: it would be part of the first key.
    let begins_with_partial_mark = line.number == 1 && matches!(line.text.start, 1 | 2);
    !begins_with_partial_mark
        && !content.iter().any(is_control)
        && std::str::from_utf8(content).is_ok()
}

/// Whether a rule's value is a path pattern, or empty.
fn is_path(value: &[u8]) -> bool {
    matches!(value, [] | [b'/' | b'*', ..]) && memchr::memchr2(b' ', b'\t', value).is_none()
}
