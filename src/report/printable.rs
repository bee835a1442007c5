//! Text from outside, made safe for a terminal.

use std::fmt::{self, Write as _};

use crate::words::is_unseen;

/// Text that may hold words from outside: what would steer a terminal is shown as an escape, line
/// ends stand.
pub struct Printable<'a>(pub &'a str);

impl fmt::Display for Printable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            if character == '\n' {
                f.write_char(character)?;
            } else {
                write_character(character, f)?;
            }
        }
        Ok(())
    }
}

/// Octets from outside as text of one line: what would steer a terminal, cannot be seen or is not
/// UTF-8 is shown as an escape, a tab as a blank.
pub(super) fn shown(octets: &[u8]) -> String {
    let mut text = String::with_capacity(octets.len());
    for chunk in octets.utf8_chunks() {
        for character in chunk.valid().chars() {
            let character = if character == '\t' { ' ' } else { character };
            let _ = write_character(character, &mut text);
        }
        for octet in chunk.invalid() {
            let _ = write!(text, "\\x{octet:02x}");
        }
    }
    text
}

/// A JSON document with an escape for every character that would steer a terminal or cannot be
/// seen; it says the same.
///
/// Such characters stand inside strings alone, and JSON has escapes for them there (RFC 8259, 7).
pub fn escaped_json(document: &str) -> String {
    let mut text = String::with_capacity(document.len());
    for character in document.chars() {
        let is_blank = matches!(character, '\n' | '\r' | '\t');
        if !is_blank && (character.is_control() || is_unseen(character)) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let _ = write!(text, "\\u{unit:04x}");
            }
        } else {
            text.push(character);
        }
    }
    text
}

/// Writes a character, as an escape where it does something else than stand there.
fn write_character(character: char, out: &mut impl fmt::Write) -> fmt::Result {
    if character.is_control() || is_unseen(character) {
        write!(out, "{}", character.escape_unicode())
    } else {
        out.write_char(character)
    }
}

#[cfg(test)]
mod tests {
    use super::{Printable, escaped_json, shown};

    #[test]
    fn a_json_document_says_the_same_when_it_is_escaped() {
        let said = "a\u{7f}\u{9b}31m\u{202e}b\u{e0041}\n\té";
        let document = serde_json::to_string_pretty(&[said]).expect("JSON");
        let escaped = escaped_json(&document);
        assert_eq!(escaped, "[\n  \"a\\u007f\\u009b31m\\u202eb\\udb40\\udc41\\n\\té\"\n]");
        let read: Vec<String> = serde_json::from_str(&escaped).expect("JSON");
        assert_eq!(read, [said]);
    }

    #[test]
    fn what_would_steer_a_terminal_is_shown_as_an_escape() {
        let text = "a\x1b[2J\u{202E}b\nc";
        assert_eq!(Printable(text).to_string(), "a\\u{1b}[2J\\u{202e}b\nc");
        assert_eq!(shown(text.as_bytes()), "a\\u{1b}[2J\\u{202e}b\\u{a}c");
        assert_eq!(shown(b"\ta\xe9\xc2\xa0\xc3\xa9"), " a\\xe9\\u{a0}é");
    }
}
