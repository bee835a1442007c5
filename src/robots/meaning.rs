//! What each issue is worth: how grave it is, where it changes anything, and in what words.
//!
//! A severity says how far a document is likely to mean something else than it does. The words are
//! part of the output and change only with it.

use super::dialect::Dialect;
use super::document::Robots;
use super::field::Field;
use super::issue::{Issue, IssueKind};
use crate::closed_list;

closed_list! {
    /// How grave an issue is.
    pub enum Severity {
        /// What is written is likely not in force, or not for whom it was meant.
        High = "high",
        /// Crawlers read it differently, or it does nothing.
        Medium = "medium",
        /// Worth knowing.
        Low = "low",
    }
}

impl IssueKind {
    /// How grave it is.
    pub fn severity(self) -> Severity {
        self.meaning().severity
    }

    /// Whether a dialect may decide otherwise than C01 where this stands; the words say why.
    pub fn changes_in(self, dialect: Dialect) -> bool {
        match dialect {
            Dialect::C01 => false,
            Dialect::Google => self.meaning().google,
            Dialect::Strict => self.meaning().strict,
        }
    }

    /// What it is, in words: no capital, no final stop.
    pub fn words(self) -> &'static str {
        self.meaning().words
    }

    /// The row of the table.
    fn meaning(self) -> &'static Meaning {
        &MEANINGS[self as usize].1
    }
}

impl Robots {
    /// What an issue is, in words, with the key that may have been meant where nobody knows it.
    pub fn issue_words(&self, issue: &Issue) -> String {
        let words = issue.kind.words();
        match self.key_meant(issue) {
            Some(key) => format!("{words}; did you mean {key}?"),
            None => words.to_owned(),
        }
    }

    /// The key that the author of an unknown one may have meant.
    pub fn key_meant(&self, issue: &Issue) -> Option<&'static str> {
        if issue.kind != IssueKind::UnknownDirective {
            return None;
        }
        Field::meant_by(self.octets(self.line(issue.line?)?.key))
    }
}

/// What one kind of issue is worth.
struct Meaning {
    severity: Severity,
    /// Whether Google's dialect may decide otherwise than C01.
    google: bool,
    /// Whether the strict dialect may.
    strict: bool,
    words: &'static str,
}

/// A row of the table.
const fn row(severity: Severity, google: u8, strict: u8, words: &'static str) -> Meaning {
    Meaning { severity, google: google == 1, strict: strict == 1, words }
}

use Severity::{High, Low, Medium};

/// Every kind in the order of its declaration: severity, changes in google, in strict, words.
#[rustfmt::skip]
const MEANINGS: &[(IssueKind, Meaning)] = &[
    (IssueKind::MalformedLine, row(High, 0, 0, "neither a record, a comment nor blank: no crawler reads it")),
    (IssueKind::OrphanDirective, row(High, 1, 1, "no user-agent record stands above it: most crawlers pass it by")),
    (IssueKind::MissingColon, row(Medium, 0, 1, "blanks where the colon should be: not every crawler reads the record")),
    (IssueKind::TypoAccepted, row(Medium, 0, 1, "a misspelled key: not every crawler reads the record")),
    (IssueKind::PrefixKey, row(Medium, 1, 0, "Google's parser alone reads this record: it asks only how the key begins")),
    (IssueKind::UnknownDirective, row(Medium, 0, 0, "a key that nobody knows")),
    (IssueKind::NonstandardDirective, row(Low, 0, 0, "a key outside RFC 9309: some crawlers read it, most do not")),
    (IssueKind::IneffectiveDirective, row(Medium, 0, 0, "no crawler reads this key in a robots.txt")),
    (IssueKind::EmptySitemap, row(Medium, 0, 0, "a Sitemap without an address")),
    (IssueKind::InvalidValue, row(Medium, 0, 0, "a Sitemap must be an absolute URL, a Crawl-delay a number of seconds")),
    (IssueKind::InvalidPath, row(Medium, 0, 0, "matches nothing: a path begins with / and this value with neither / nor *")),
    (IssueKind::AbsoluteUrl, row(Medium, 0, 0, "matches nothing: the value must be a path, not a whole URL")),
    (IssueKind::BlankInPath, row(Medium, 1, 1, "a blank inside the path: read as %20, as a blank that no URL holds, or not at all")),
    (IssueKind::EscapedPath, row(Low, 1, 0, "Google's library compares this path octet for octet: the same path written otherwise is not matched")),
    (IssueKind::IndexPage, row(Low, 1, 0, "Google's library also opens the directory of the page")),
    (IssueKind::Nul, row(Medium, 0, 1, "a NUL: what follows it on the line is lost")),
    (IssueKind::Control, row(Medium, 0, 1, "a control character before the comment: not every crawler reads the record")),
    (IssueKind::Nbsp, row(High, 0, 0, "a no-break space is no blank: it is part of the word beside it")),
    (IssueKind::ForeignLineEnd, row(Medium, 0, 1, "a character that some crawlers take for the end of the line")),
    (IssueKind::LineTooLong, row(Medium, 1, 0, "Google's parser reads only the first 16,663 octets of a line")),
    (IssueKind::PartialBom, row(Medium, 0, 1, "a byte order mark cut short: some crawlers lose the first line")),
    (IssueKind::StrayBom, row(High, 0, 0, "a byte order mark that is not at the start: the line is lost")),
    (IssueKind::EncodingUtf16, row(High, 1, 1, "UTF-16, where UTF-8 is asked for: most crawlers see no rule at all")),
    (IssueKind::InvalidUtf8, row(Low, 0, 1, "octets that are not UTF-8")),
    (IssueKind::Truncated, row(High, 1, 0, "past the limit on size: not read")),
    (IssueKind::LooksLikeHtml, row(High, 0, 0, "a markup document, not a robots.txt")),
    (IssueKind::NoGroup, row(Medium, 0, 0, "no user-agent record: no rule applies to anyone")),
    (IssueKind::UaEmpty, row(Medium, 0, 0, "names nobody")),
    (IssueKind::UaVersion, row(Low, 0, 1, "the product token ends at the slash: not every crawler finds its name here")),
    (IssueKind::UaList, row(High, 0, 1, "one record names one crawler: only the first token counts, if any")),
    (IssueKind::UaWords, row(Medium, 0, 1, "the product token ends at the blank: not every crawler finds its name here")),
    (IssueKind::UaWildcardText, row(Low, 0, 1, "text behind the *: not every crawler reads it as *")),
    (IssueKind::UaGlob, row(Medium, 0, 1, "a * inside a name is no wildcard")),
    (IssueKind::UaHeaderAsToken, row(High, 0, 1, "a user-agent header where a product token is asked for: it names Mozilla")),
    (IssueKind::UaNoToken, row(Medium, 0, 0, "names nobody: a product token begins with a letter, a digit, - or _")),
    (IssueKind::UaTail, row(Medium, 0, 1, "what stands behind the product token: not every crawler finds its name here")),
    (IssueKind::DigitToken, row(Medium, 1, 1, "Google's parser ends a product token at a digit: this crawler never finds its name here")),
    (IssueKind::RunSharedOverRecord, row(Medium, 0, 0, "shares its rules with the user-agents above, over a record between them")),
];

#[cfg(test)]
mod tests {
    use super::{IssueKind, MEANINGS};
    use crate::words::Word as _;

    #[test]
    fn every_kind_has_its_row() {
        let rows: Vec<_> = MEANINGS.iter().map(|(kind, _)| *kind).collect();
        assert_eq!(rows, IssueKind::ALL);
    }
}
