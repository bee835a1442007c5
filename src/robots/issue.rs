//! Issues: every place where a document says less, or other things, than its author may think.
//!
//! An issue is found from facts and never changes a decision. What it is worth, and what to do
//! about it, is for an audit to say.

use super::agent;
use super::dialect::Dialect;
use super::document::Robots;
use super::field::{Field, Spelling};
use super::google;
use super::line::{Facts, Line, LineKind};
use super::pattern::Pattern;
use crate::closed_list;

closed_list! {
    /// What is wrong.
    pub enum IssueKind {
        /// A line that is neither record, comment nor blank.
        MalformedLine = "malformed_line",
        /// A rule with no user-agent record above it: most crawlers pass it by.
        OrphanDirective = "orphan_directive",
        /// Blanks where the colon should be; read as a record all the same.
        MissingColon = "missing_colon",
        /// A misspelled key that crawlers accept.
        TypoAccepted = "typo_accepted",
        /// A longer word that begins with a key: Google's parser reads it, others do not.
        PrefixKey = "prefix_key",
        /// A key that nobody knows.
        UnknownDirective = "unknown_directive",
        /// A key outside RFC 9309 that some crawlers read.
        NonstandardDirective = "nonstandard_directive",
        /// A key that no crawler reads in a robots.txt.
        IneffectiveDirective = "ineffective_directive",
        /// A Sitemap without an address.
        EmptySitemap = "empty_sitemap",
        /// A Sitemap that is no absolute URL, or a Crawl-delay that is no number.
        InvalidValue = "invalid_value",
        /// A rule whose value begins with neither `/` nor `*`: it matches nothing.
        InvalidPath = "invalid_path",
        /// A rule whose value is an absolute URL: it matches nothing.
        AbsoluteUrl = "absolute_url",
        /// A blank inside a rule's value: read as `%20`, by some crawlers as nothing that occurs.
        BlankInPath = "blank_in_path",
        /// A rule whose value is not in percent normal form: Google's library compares it as written.
        EscapedPath = "escaped_path",
        /// An Allow of an `index.htm` page: Google's library opens its directory too.
        IndexPage = "index_page",
        /// A NUL, which ends its line.
        Nul = "nul",
        /// A control character before the comment, other than a tab.
        Control = "control",
        /// A no-break space, which is part of a word and makes it another word.
        Nbsp = "nbsp",
        /// A character that some programs take for the end of a line.
        ForeignLineEnd = "foreign_line_end",
        /// A line of which Google's parser reads only the beginning.
        LineTooLong = "line_too_long",
        /// A byte order mark cut short.
        PartialBom = "partial_bom",
        /// A byte order mark that is not at the start: its line is lost.
        StrayBom = "stray_bom",
        /// UTF-16, where UTF-8 is asked for: some crawlers see no rules.
        EncodingUtf16 = "encoding_utf16",
        /// Octets that are not UTF-8.
        InvalidUtf8 = "invalid_utf8",
        /// What stands past the limit on size is not read.
        Truncated = "truncated",
        /// A markup document, not a robots.txt.
        LooksLikeHtml = "looks_like_html",
        /// No user-agent record: no rule applies to anyone.
        NoGroup = "no_group",
        /// A user-agent record that names nobody.
        UaEmpty = "ua_empty",
        /// A version behind the product token.
        UaVersion = "ua_version",
        /// Several tokens in one record, of which only the first counts.
        UaList = "ua_list",
        /// Words behind the product token.
        UaWords = "ua_words",
        /// Text behind a `*`.
        UaWildcardText = "ua_wildcard_text",
        /// A `*` as part of a name: it matches no more than the token before it.
        UaGlob = "ua_glob",
        /// A browser's user-agent header: it names `Mozilla`.
        UaHeaderAsToken = "ua_header_as_token",
        /// A value that begins with no product token: it names nobody.
        UaNoToken = "ua_no_token",
        /// Something else behind the product token.
        UaTail = "ua_tail",
        /// A digit in a product token, at which Google's parser ends it.
        DigitToken = "digit_token",
        /// A user-agent record that shares its rules with those above, over a record between them.
        RunSharedOverRecord = "run_shared_over_record",
    }
}

/// One issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Issue {
    /// The line, or none if the document as a whole is meant.
    pub line: Option<u32>,
    /// What is wrong.
    pub kind: IssueKind,
}

/// All issues of a document: those of the whole first, then by line.
pub(super) fn issues(robots: &Robots) -> Vec<Issue> {
    let mut issues = Vec::new();
    let of_document = document_issues(robots).map(|kind| Issue { line: None, kind });
    issues.extend(of_document);
    for line in robots.lines() {
        let mut add = |kind| issues.push(Issue { line: Some(line.number), kind });
        fact_issues(line.facts).for_each(&mut add);
        line_issues(robots, line, &mut add);
    }
    let of_lines = |lines: &[u32], kind| {
        lines.iter().map(move |&line| Issue { line: Some(line), kind }).collect::<Vec<_>>()
    };
    issues.extend(of_lines(robots.orphans(), IssueKind::OrphanDirective));
    issues.extend(of_lines(robots.joined(), IssueKind::RunSharedOverRecord));
    issues.sort_unstable();
    issues
}

/// The issues of the document as a whole.
fn document_issues(robots: &Robots) -> impl Iterator<Item = IssueKind> {
    [
        (robots.has_partial_mark(), IssueKind::PartialBom),
        (robots.is_utf16(), IssueKind::EncodingUtf16),
        (robots.looks_like_html(), IssueKind::LooksLikeHtml),
        (robots.groups().is_empty(), IssueKind::NoGroup),
    ]
    .into_iter()
    .filter_map(|(holds, kind)| holds.then_some(kind))
}

/// The issues that a line's facts are.
fn fact_issues(facts: Facts) -> impl Iterator<Item = IssueKind> {
    [
        (Facts::MISSING_COLON, IssueKind::MissingColon),
        (Facts::NUL, IssueKind::Nul),
        (Facts::CONTROL, IssueKind::Control),
        (Facts::NO_BREAK_SPACE, IssueKind::Nbsp),
        (Facts::STRAY_MARK, IssueKind::StrayBom),
        (Facts::INVALID_UTF8, IssueKind::InvalidUtf8),
        (Facts::FOREIGN_LINE_END, IssueKind::ForeignLineEnd),
        (Facts::LONG, IssueKind::LineTooLong),
    ]
    .into_iter()
    .filter_map(move |(fact, kind)| facts.has(fact).then_some(kind))
}

/// The issues of what a line says.
fn line_issues(robots: &Robots, line: &Line, add: &mut impl FnMut(IssueKind)) {
    match line.kind {
        LineKind::Blank | LineKind::Comment => return,
        LineKind::Unread => return add(IssueKind::Truncated),
        LineKind::Junk => {
            if google::record(robots.text(), line).is_some_and(|it| it.field.is_in_grammar()) {
                add(IssueKind::PrefixKey);
            }
            return add(IssueKind::MalformedLine);
        }
        LineKind::Record => {}
    }
    match line.spelling {
        Spelling::Exact => {}
        Spelling::Typo => add(IssueKind::TypoAccepted),
        Spelling::Prefix => return add(IssueKind::PrefixKey),
    }
    let value = robots.octets(line.value);
    match line.field {
        Field::UserAgent => {
            agent::oddity(value).into_iter().for_each(&mut *add);
            if agent::has_digit(value) {
                add(IssueKind::DigitToken);
            }
        }
        Field::Allow | Field::Disallow => {
            rule_issues(value, add);
            if line.field == Field::Allow && google::index_directory(value).is_some() {
                add(IssueKind::IndexPage);
            }
        }
        Field::Sitemap if value.is_empty() => add(IssueKind::EmptySitemap),
        Field::Sitemap if !is_absolute_url(value) => add(IssueKind::InvalidValue),
        Field::CrawlDelay if !is_number(value) => add(IssueKind::InvalidValue),
        Field::Sitemap | Field::CrawlDelay => {}
        Field::Noindex | Field::Nofollow | Field::Noarchive => add(IssueKind::IneffectiveDirective),
        Field::Unknown => add(IssueKind::UnknownDirective),
        _ => add(IssueKind::NonstandardDirective),
    }
}

/// The issues of a rule's value.
fn rule_issues(value: &[u8], add: &mut impl FnMut(IssueKind)) {
    if value.is_empty() {
        return;
    }
    if is_absolute_url(value) {
        add(IssueKind::AbsoluteUrl);
    } else if !Pattern::new(value).can_match() {
        add(IssueKind::InvalidPath);
    }
    if memchr::memchr2(b' ', b'\t', value).is_some() {
        add(IssueKind::BlankInPath);
    } else if Pattern::new(value) != Pattern::new_in(value, Dialect::Google) {
        add(IssueKind::EscapedPath);
    }
}

/// Whether a value begins with the scheme of the web.
fn is_absolute_url(value: &[u8]) -> bool {
    ["http://", "https://"].iter().any(|scheme| {
        value.get(..scheme.len()).is_some_and(|head| head.eq_ignore_ascii_case(scheme.as_bytes()))
    })
}

/// Whether a value is a number of seconds.
fn is_number(value: &[u8]) -> bool {
    let text = std::str::from_utf8(value).unwrap_or_default();
    text.starts_with(|first: char| first.is_ascii_digit() || first == '.')
        && text.parse::<f64>().is_ok_and(f64::is_finite)
}
