//! A robots.txt: one parse, all lines, all groups (RFC 9309).
//!
//! Any octets are a robots.txt; a bad line is a fact and never an error. How the octets were
//! fetched, and whether they are a policy at all, is not known here.

use super::decision::{Governing, GroupKind};
use super::dialect::{Dialect, Record};
use super::field::Field;
use super::group::{self, Group, Groups};
use super::issue::{self, Issue};
use super::line::{self, Line, LineKind};
use super::span::Span;
use super::target::Target;
use super::text::Text;

/// A parsed robots.txt. It owns what was read of its octets.
#[derive(Debug)]
pub struct Robots {
    dialect: Dialect,
    text: Text,
    lines: Vec<Line>,
    groups: Groups,
}

/// Parses the octets of a robots.txt.
///
/// Of a document longer than the limit, hand over at least one octet more than the limit: what
/// ends exactly there is taken to be whole.
///
/// ```
/// use scanner::robots::{self, GroupKind, Target};
///
/// let robots = robots::parse(b"User-agent: GPTBot\nDisallow: /\nAllow: /press/\n");
/// let governing = robots.governing("GPTBot");
/// assert_eq!(governing.kind, GroupKind::Own);
///
/// let decision = governing.decide(&Target::new(b"https://example.com/press/2026"));
/// assert!(decision.allowed);
/// assert_eq!(decision.rule.map(|rule| rule.line), Some(3));
/// assert_eq!(robots.line_text(3), b"Allow: /press/");
/// ```
pub fn parse(octets: &[u8]) -> Robots {
    parse_in(octets, Dialect::C01)
}

/// Parses the octets of a robots.txt as a dialect reads them.
///
/// ```
/// use scanner::robots::{self, Dialect};
///
/// let file = b"User-agent: AI2Bot\nDisallow: /\n";
/// for (dialect, allowed) in
///     [(Dialect::C01, false), (Dialect::Google, true), (Dialect::Strict, true)]
/// {
///     let robots = robots::parse_in(file, dialect);
///     let target = robots.target(b"https://example.com/");
///     assert_eq!(robots.governing("AI2Bot").decide(&target).allowed, allowed, "{dialect}");
/// }
/// ```
pub fn parse_in(octets: &[u8], dialect: Dialect) -> Robots {
    parsed(Text::read(octets, dialect), dialect)
}

/// Parses the first octets of a document, all that a crawler hands to its parser.
pub(super) fn parse_head(octets: &[u8], dialect: Dialect, limit: usize) -> Robots {
    parsed(Text::head(octets, limit), dialect)
}

/// Parses what was read.
fn parsed(text: Text, dialect: Dialect) -> Robots {
    let lines = line::lines(&text);
    let groups = group::groups(&text, &lines, dialect);
    Robots { dialect, text, lines, groups }
}

impl Robots {
    /// The dialect in which it was read.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// What a decision about a URL or a path is asked with, in this document's dialect.
    pub fn target(&self, url: &[u8]) -> Target {
        Target::new_in(url, self.dialect)
    }

    /// Every line, in order; their ranges laid end to end are the whole document.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Every group as it is written.
    pub fn groups(&self) -> &[Group] {
        &self.groups.groups
    }

    /// Every issue: those of the whole document first, then by line.
    pub fn issues(&self) -> Vec<Issue> {
        issue::issues(self)
    }

    /// What governs the crawler with a product token: its own groups, else those of `*`, else none.
    ///
    /// `*` asks for the crawler that no group names.
    pub fn governing(&self, token: &str) -> Governing<'_> {
        let groups = self.groups();
        let index = &self.groups.index;
        let own = index.naming(&self.text.octets, groups, self.dialect, token.as_bytes());
        Governing::merge(GroupKind::Own, groups, own)
            .or_else(|| Governing::merge(GroupKind::Wildcard, groups, index.wildcards()))
            .unwrap_or_else(Governing::none)
    }

    /// The longest pause in seconds that the governing groups ask a crawler to make between requests
    /// (Crawl-delay, which is outside RFC 9309); none where they ask for none that is a number.
    pub fn crawl_delay_s(&self, governing: &Governing<'_>) -> Option<f64> {
        let governs = |group: &&Group| {
            group.agents.iter().any(|agent| governing.group_lines.contains(&agent.line))
        };
        let lines = self.groups().iter().filter(governs).flat_map(|group| &group.others);
        let delays = lines.filter_map(|&number| {
            let line = self.line(number).filter(|line| line.field == Field::CrawlDelay)?;
            let value = std::str::from_utf8(self.octets(line.value)).ok()?;
            value.trim().parse::<f64>().ok().filter(|delay| delay.is_finite() && *delay >= 0.0)
        });
        delays.reduce(f64::max)
    }

    /// Whether the document is longer than what is read of it.
    pub fn truncated(&self) -> bool {
        self.text.truncated
    }

    /// Octets of the document that are read: all that stand before the limit and, but for a whole
    /// document, in whole lines if the dialect reads no others.
    pub fn octets_read(&self) -> usize {
        let unread = self.lines.last().filter(|line| line.kind == LineKind::Unread);
        unread.map_or(self.text.document_octets, |line| line.range.start as usize)
    }

    /// Whether any line is a record with a known key.
    pub fn has_records(&self) -> bool {
        self.records().any(|(record, _)| record.field != Field::Unknown)
    }

    /// The addresses of sitemaps, each with its line.
    pub fn sitemaps(&self) -> impl Iterator<Item = (u32, &[u8])> {
        self.records()
            .filter(|(record, _)| record.field == Field::Sitemap && !record.value.is_empty())
            .map(|(record, line)| (line.number, self.octets(record.value)))
    }

    /// The product tokens that groups name, as first written, each once; `*` is none.
    pub fn named_tokens(&self) -> Vec<&str> {
        let mut known = std::collections::BTreeSet::new();
        self.groups()
            .iter()
            .flat_map(|group| &group.agents)
            .filter_map(|agent| std::str::from_utf8(self.octets(agent.token)).ok())
            .filter(|token| !token.is_empty() && known.insert(token.to_ascii_lowercase()))
            .collect()
    }

    /// A line by its number.
    pub fn line(&self, number: u32) -> Option<&Line> {
        self.lines.get((number as usize).checked_sub(1)?)
    }

    /// The text of a line by its number, without its end; empty if there is no such line.
    pub fn line_text(&self, number: u32) -> &[u8] {
        self.line(number).map_or(&[], |line| self.octets(line.text))
    }

    /// The octets that a line's or rule's span stands for.
    ///
    /// They are the document's own, except that UTF-16 is read as UTF-8. A line's `range` counts
    /// in the document and is not for this method.
    pub fn octets(&self, span: Span) -> &[u8] {
        self.text.octets.get(span.range()).unwrap_or_default()
    }

    /// Whether the document is UTF-16, which RFC 9309 (2.3) does not allow.
    pub fn is_utf16(&self) -> bool {
        self.text.utf16
    }

    /// Whether the document begins as markup does, with `<` and a letter or `!`.
    pub fn looks_like_html(&self) -> bool {
        let content = self.lines.iter().find(|line| line.kind != LineKind::Blank);
        let content = content.map_or(&[][..], |line| self.octets(line.text)).trim_ascii_start();
        matches!(content, [b'<', next, ..] if next.is_ascii_alphabetic() || *next == b'!')
    }

    /// All that was read.
    pub(super) fn text(&self) -> &[u8] {
        &self.text.octets
    }

    /// Whether the document begins with part of a byte order mark.
    pub(super) fn has_partial_mark(&self) -> bool {
        self.text.partial_mark
    }

    /// The lines of rules before any user-agent record.
    pub(super) fn orphans(&self) -> &[u32] {
        &self.groups.orphans
    }

    /// The lines of user-agent records that share a run with others over another record.
    pub(super) fn joined(&self) -> &[u32] {
        &self.groups.joined
    }

    /// The lines that are in force as a record, with what they are in force as.
    pub(super) fn records(&self) -> impl Iterator<Item = (Record, &Line)> {
        self.lines.iter().filter_map(|line| Some((self.dialect.record(&self.text, line)?, line)))
    }
}
