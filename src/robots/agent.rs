//! The value of a user-agent record: which product token it names (RFC 9309, 2.2.1).
//!
//! A caller asks with product tokens, never with user-agent headers. Which crawlers fall back to
//! another crawler's group is the crawlers' own affair and is not known here.

use super::dialect::{Dialect, Record, is_token_part};
use super::issue::IssueKind;
use super::line::is_blank;
use super::span::Span;

/// One user-agent record of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agent {
    /// The record's line.
    pub line: u32,
    /// The value as written.
    pub value: Span,
    /// The product token that the value begins with; empty if it names nobody.
    pub token: Span,
    /// Whether the value stands for every crawler that has no group of its own.
    pub is_wildcard: bool,
}

impl Agent {
    /// The agent of a record.
    pub(super) fn new(line: u32, octets: &[u8], record: Record, dialect: Dialect) -> Self {
        let Record { value, is_sound, .. } = record;
        let written = &octets[value.range()];
        let start = value.start as usize;
        let token_octets = if is_sound { dialect.token(written).len() } else { 0 };
        let is_wildcard = match dialect {
            Dialect::C01 | Dialect::Google => is_wildcard(written),
            Dialect::Strict => is_sound && written == b"*",
        };
        Self { line, value, token: Span::new(start, start + token_octets), is_wildcard }
    }

    /// Whether the record names a product token.
    pub(super) fn names(&self, octets: &[u8], dialect: Dialect, token: &[u8]) -> bool {
        match dialect {
            Dialect::C01 => names(&octets[self.value.range()], token),
            Dialect::Google | Dialect::Strict => {
                octets[self.token.range()].eq_ignore_ascii_case(token)
            }
        }
    }
}

/// Whether a value names a product token.
///
/// It does if it is that token, ignoring case, or begins with it and goes on with something that
/// cannot be part of a token. C01: digits are parts of tokens, as in `AI2Bot`; the RFC's grammar
/// and Google's parser end a token at a digit and so never see these crawlers' own groups.
fn names(value: &[u8], token: &[u8]) -> bool {
    !token.is_empty()
        && token != b"*"
        && value.get(..token.len()).is_some_and(|head| head.eq_ignore_ascii_case(token))
        && value.get(token.len()).is_none_or(|&next| !is_token_part(next))
}

/// The token that a value begins with.
fn token(value: &[u8]) -> &[u8] {
    Dialect::C01.token(value)
}

/// Whether a value is `*`, alone or (Google) before a blank.
fn is_wildcard(value: &[u8]) -> bool {
    match value {
        [b'*'] => true,
        [b'*', next, ..] => is_blank(*next),
        _ => false,
    }
}

/// What is wrong with a value, if anything: the gravest alone.
pub(super) fn oddity(value: &[u8]) -> Option<IssueKind> {
    let token = token(value);
    let rest = &value[token.len()..];
    match (token, rest) {
        ([], []) => Some(IssueKind::UaEmpty),
        ([], [b'*']) | ([_, ..], []) => None,
        ([], _) if is_wildcard(value) => Some(IssueKind::UaWildcardText),
        ([], _) if value.contains(&b'*') => Some(IssueKind::UaGlob),
        ([], _) => Some(IssueKind::UaNoToken),
        (_, [b'/', ..]) if token.eq_ignore_ascii_case(b"mozilla") => {
            Some(IssueKind::UaHeaderAsToken)
        }
        _ if is_list(rest) => Some(IssueKind::UaList),
        (_, [b'/', ..]) => Some(IssueKind::UaVersion),
        (_, [b'*', ..]) => Some(IssueKind::UaGlob),
        (_, [next, ..]) if is_blank(*next) => Some(IssueKind::UaWords),
        _ => Some(IssueKind::UaTail),
    }
}

/// Whether a value's token holds a digit, which other parsers take for its end.
pub(super) fn has_digit(value: &[u8]) -> bool {
    token(value).iter().any(u8::is_ascii_digit)
}

/// Whether a comma or semicolon and another token follow.
fn is_list(rest: &[u8]) -> bool {
    memchr::memchr2(b',', b';', rest)
        .is_some_and(|mark| rest[mark..].iter().any(|&octet| is_token_part(octet)))
}

#[cfg(test)]
mod tests {
    use super::{IssueKind, has_digit, is_wildcard, names, oddity};

    #[test]
    fn a_value_names_the_token_that_it_is_or_begins_with() {
        for (value, token, expected) in [
            ("GPTBot", "GPTBot", true),
            ("gptBOT", "GPTBot", true),
            ("GPTBot/1.0", "GPTBot", true),
            ("GPTBot/*", "GPTBot", true),
            ("GPTBot*", "GPTBot", true),
            ("GPTBot, CCBot", "GPTBot", true),
            ("GPTBot, CCBot", "CCBot", false),
            ("Googlebot Images", "Googlebot", true),
            ("Foo Bar", "Foo Bar", true),
            ("GPT", "GPTBot", false),
            ("GPTBot2", "GPTBot", false),
            ("GPTBot_2", "GPTBot", false),
            ("Googlebot-Image", "Googlebot", false),
            ("AI2Bot", "AI2Bot", true),
            ("AI2Bot", "AI", false),
            ("*GPTBot*", "GPTBot", false),
            ("", "GPTBot", false),
            ("", "", false),
            ("**", "*", false),
        ] {
            assert_eq!(names(value.as_bytes(), token.as_bytes()), expected, "{value} {token}");
        }
    }

    #[test]
    fn a_star_alone_or_before_a_blank_is_the_wildcard() {
        for (value, expected) in [
            ("*", true),
            ("* all", true),
            ("*\tx", true),
            ("**", false),
            ("*bot", false),
            ("", false),
        ] {
            assert_eq!(is_wildcard(value.as_bytes()), expected, "{value}");
        }
    }

    #[test]
    fn what_is_no_plain_token_is_called_by_its_name() {
        for (value, kind) in [
            ("GPTBot", None),
            ("*", None),
            ("", Some(IssueKind::UaEmpty)),
            ("* all", Some(IssueKind::UaWildcardText)),
            ("*/*", Some(IssueKind::UaGlob)),
            ("GPTBot*", Some(IssueKind::UaGlob)),
            ("\"GPTBot\"", Some(IssueKind::UaNoToken)),
            ("Mozilla/5.0 (compatible; GPTBot/1.1)", Some(IssueKind::UaHeaderAsToken)),
            ("GPTBot/1.0, CCBot", Some(IssueKind::UaList)),
            ("GPTBot;CCBot", Some(IssueKind::UaList)),
            ("GPTBot/1.0", Some(IssueKind::UaVersion)),
            ("Googlebot Images", Some(IssueKind::UaWords)),
            ("GPTBot;", Some(IssueKind::UaTail)),
        ] {
            assert_eq!(oddity(value.as_bytes()), kind, "{value}");
        }
        assert!(has_digit(b"MJ12bot/v1") && !has_digit(b"GPTBot/1.0"));
    }
}
