//! An input that is refused before anything is asked: where, what, and what to do.
//!
//! Samples, sidecars, libraries and worlds all say it in the same two lines.

use std::fmt;

/// Why an input was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The file, as the user named it.
    pub file: String,
    /// The line, where one is to blame; counted from 1.
    pub line: Option<u64>,
    /// What is wrong: lower case, no final stop.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}

impl Refusal {
    /// A refusal of a file as a whole.
    pub fn of(file: &str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line: None, message: message.into(), hint: hint.into() }
    }

    /// The same, with the line to blame.
    pub fn at(mut self, line: u64) -> Self {
        self.line = Some(line);
        self
    }

    /// The same, with the line in which an offset of the file's text lies.
    pub fn at_offset(self, text: &str, offset: usize) -> Self {
        self.at(line_at(text, offset))
    }

    /// A refusal of a TOML file, with the line that the parser blames.
    pub fn of_toml(file: &str, text: &str, error: &toml::de::Error) -> Self {
        let refusal = Self::of(
            file,
            error.message().replace('\n', " "),
            "every key must be one that the format knows, spelled as documented",
        );
        match error.span() {
            Some(span) => refusal.at_offset(text, span.start),
            None => refusal,
        }
    }
}

/// The line, counted from 1, in which an offset lies.
fn line_at(text: &str, offset: usize) -> u64 {
    let before = &text.as_bytes()[..offset.min(text.len())];
    1 + before.iter().filter(|&&octet| octet == b'\n').count() as u64
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => writeln!(f, "{}:{line}: {}", self.file, self.message)?,
            None => writeln!(f, "{}: {}", self.file, self.message)?,
        }
        write!(f, "hint: {}", self.hint)
    }
}

impl std::error::Error for Refusal {}

#[cfg(test)]
mod tests {
    use super::Refusal;

    #[test]
    fn a_refusal_names_file_line_and_remedy() {
        let refusal = Refusal::of("s.csv", "domain has a space", "remove it").at(14);
        assert_eq!(refusal.to_string(), "s.csv:14: domain has a space\nhint: remove it");
    }

    #[test]
    fn a_toml_refusal_finds_its_line() {
        let text = "a = 1\nb = = 2\n";
        let error = toml::from_str::<toml::Table>(text).expect_err("broken on purpose");
        assert_eq!(Refusal::of_toml("w.toml", text, &error).line, Some(2));
    }
}
