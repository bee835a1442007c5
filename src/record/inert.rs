//! Text from outside that stands in a cell and does nothing: no formula to a spreadsheet, no command to
//! a terminal.
//!
//! A spreadsheet computes a cell that begins with `=`, `+`, `-` or `@`, and quotes do not keep it from
//! that; where it takes `;` for the separator, a formula may begin behind any `;` of a text. Such a
//! beginning gets an apostrophe before it, which a reader takes off again. What steers a terminal or
//! cannot be seen is written as `\u{…}`.

use std::fmt::Write as _;

use crate::words::is_unseen;

/// Octets behind which some program begins a new cell, though CSV does not.
const SEPARATORS: [char; 2] = [';', '|'];

/// The text as it stands in a cell.
pub(super) fn inert(text: &str) -> String {
    let mut seen = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() || is_unseen(character) {
            let _ = write!(seen, "{}", character.escape_unicode());
        } else {
            seen.push(character);
        }
    }
    let parts = seen.split_inclusive(SEPARATORS);
    parts.map(|part| if computes(part) { format!("'{part}") } else { part.to_owned() }).collect()
}

/// The text that a cell stands for.
pub(super) fn original(cell: &str) -> String {
    let parts = cell.split_inclusive(SEPARATORS);
    let bare: String = parts
        .map(|part| match part.strip_prefix('\'') {
            Some(rest) if computes(rest) => rest,
            _ => part,
        })
        .collect();
    unescaped(&bare)
}

/// Whether a spreadsheet might compute a text: blanks and quotes before the sign count for nothing.
fn computes(part: &str) -> bool {
    let begins = part.trim_start_matches([' ', '"', '\'']);
    begins.starts_with(['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'])
}

/// The text with its escapes of characters that do not stand for themselves turned back.
fn unescaped(text: &str) -> String {
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("\\u{") {
        let digits = &rest[at + 3..];
        let character = digits.split_once('}').and_then(|(digits, behind)| {
            let code = u32::from_str_radix(digits, 16).ok()?;
            let character = char::from_u32(code)?;
            (character.is_control() || is_unseen(character)).then_some((character, behind))
        });
        whole.push_str(&rest[..at]);
        match character {
            Some((character, behind)) => {
                whole.push(character);
                rest = behind;
            }
            None => {
                whole.push_str("\\u{");
                rest = digits;
            }
        }
    }
    whole + rest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{computes, inert, original};

    #[test]
    fn a_cell_holds_no_formula_and_no_command() {
        for (text, cell) in [
            ("/blog/", "/blog/"),
            ("", ""),
            ("text/plain; charset=utf-8", "text/plain; charset=utf-8"),
            ("max-snippet:-1", "max-snippet:-1"),
            ("=HYPERLINK(\"https://evil.test\")", "'=HYPERLINK(\"https://evil.test\")"),
            ("+1+1", "'+1+1"),
            ("-2+3", "'-2+3"),
            ("@SUM(A1)", "'@SUM(A1)"),
            (" =1", "' =1"),
            ("\"=1", "'\"=1"),
            ("'=1", "''=1"),
            ("'quoted'", "'quoted'"),
            ("/a;=1+1", "/a;'=1+1"),
            ("a| -1", "a|' -1"),
            ("\u{ff1d}1", "'\u{ff1d}1"),
            ("\t=1", "\\u{9}=1"),
            ("a\nb\0", "a\\u{a}b\\u{0}"),
            ("\u{1b}[2J\u{202e}", "\\u{1b}[2J\\u{202e}"),
            ("\\u{41}", "\\u{41}"),
        ] {
            assert_eq!(inert(text), cell);
            assert_eq!(original(cell), text);
        }
    }

    proptest! {
        #[test]
        fn any_text_is_inert_and_comes_back(text in "[^\\\\]*") {
            let cell = inert(&text);
            prop_assert!(!computes(&cell) || cell.starts_with('\''));
            prop_assert!(!cell.chars().any(char::is_control));
            prop_assert_eq!(original(&cell), text);
        }

        #[test]
        fn a_cell_that_is_read_and_written_again_stays_as_it_is(text in ".*") {
            let cell = inert(&text);
            prop_assert_eq!(inert(&original(&cell)), cell);
        }
    }
}
