//! Text that may hold words from outside, made safe for a terminal.

use std::fmt::{self, Write as _};

/// Text whose control and direction characters are shown as escapes; line ends stand.
pub struct Printable<'a>(pub &'a str);

impl fmt::Display for Printable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            if character == '\n' || !(character.is_control() || steers(character)) {
                f.write_char(character)?;
            } else {
                write!(f, "{}", character.escape_unicode())?;
            }
        }
        Ok(())
    }
}

/// Whether a character changes the direction or the lines of the text around it.
fn steers(character: char) -> bool {
    matches!(
        character,
        '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
    )
}

#[cfg(test)]
mod tests {
    use super::Printable;

    #[test]
    fn what_would_steer_a_terminal_is_shown_as_an_escape() {
        let shown = Printable("a\x1b[2J\u{202E}b\u{200F}\nc").to_string();
        assert_eq!(shown, "a\\u{1b}[2J\\u{202e}b\\u{200f}\nc");
    }
}
