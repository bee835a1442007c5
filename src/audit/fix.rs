//! A corrected robots.txt, where the correction is certain: line by line, comments and line ends
//! kept, every difference explained.
//!
//! Certain is what can be meant in one way only. A key that merely looks like another, a blank in a
//! path, rules without a user-agent: these are told and left as they are.

use std::collections::BTreeSet;

use url::Url;

use super::unseen;
use crate::robots::{
    Field, Issue, IssueKind, Line, LineKind, Robots, Severity, Span, Spelling, parse,
};
use crate::words::is_unseen;

/// A difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Correction {
    /// The line as it is numbered in the document that was given; none for the whole document.
    pub line: Option<u32>,
    /// What stood there.
    pub before: String,
    /// What stands there now; several lines where one was parted, none where it was deleted.
    pub after: Vec<String>,
    /// Why.
    pub why: &'static str,
    /// Whether crawlers that read by RFC 9309 come to other verdicts.
    pub changes_verdicts: bool,
}

/// A corrected document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corrected {
    /// The document.
    pub octets: Vec<u8>,
    /// The differences, by line.
    pub corrections: Vec<Correction>,
    /// What is wrong and was left, since there is more than one way to mean it: in words, by line.
    pub left: Vec<(Option<u32>, String)>,
}

/// Corrects a document; of what it may say of its own site, that site is known where given.
pub fn correct(octets: &[u8], site: Option<&Url>) -> Corrected {
    let mut corrections = Vec::new();
    let cleaned = cleaned(&parse(octets), &mut corrections);
    let (changed, origins) = changed(&parse(&cleaned), &cleaned, site, &mut corrections);
    let corrected = without_repeated(&parse(&changed), &changed, &origins, &mut corrections);
    corrections.sort_by_key(|correction| correction.line);
    let left = left(&corrected);
    Corrected { octets: corrected, corrections, left }
}

/// The document with its records corrected, and for each of its lines the one that it was.
fn changed(
    robots: &Robots,
    octets: &[u8],
    site: Option<&Url>,
    corrections: &mut Vec<Correction>,
) -> (Vec<u8>, Vec<u32>) {
    let mut changed = mark_of(robots).to_vec();
    let mut origins = Vec::new();
    for line in robots.lines() {
        let (before, end) = (robots.octets(line.text), end_of(robots, line));
        if line.kind == LineKind::Unread {
            changed.extend_from_slice(&octets[line.range.range()]);
            continue;
        }
        let Some(change) = change_of(robots, line, site) else {
            changed.extend_from_slice(before);
            changed.extend_from_slice(end);
            origins.push(line.number);
            continue;
        };
        for (place, text) in change.lines.iter().enumerate() {
            changed.extend_from_slice(text);
            // Behind the last line of a document there may be no end.
            let is_last = place + 1 == change.lines.len();
            changed.extend_from_slice(if is_last || !end.is_empty() { end } else { b"\n" });
            origins.push(line.number);
        }
        corrections.push(Correction {
            line: Some(line.number),
            before: lossy(before),
            after: change.lines.iter().map(|text| lossy(text)).collect(),
            why: change.why,
            changes_verdicts: change.changes_verdicts,
        });
    }
    (changed, origins)
}

/// The document without rules that say what a rule above them in the same group says, unless a
/// comment stands beside them.
fn without_repeated(
    robots: &Robots,
    octets: &[u8],
    origins: &[u32],
    corrections: &mut Vec<Correction>,
) -> Vec<u8> {
    let repeated = repeated(robots);
    let mut kept = mark_of(robots).to_vec();
    for line in robots.lines() {
        if line.kind == LineKind::Unread {
            kept.extend_from_slice(&octets[line.range.range()]);
            continue;
        }
        let text = robots.octets(line.text);
        if !repeated.contains(&line.number) || !line.comment.is_empty() {
            kept.extend_from_slice(text);
            kept.extend_from_slice(end_of(robots, line));
            continue;
        }
        let origin = origins.get(line.number as usize - 1).copied().unwrap_or(line.number);
        let why = "it says what a line above says";
        match corrections.iter_mut().find(|correction| correction.line == Some(origin)) {
            Some(known) => {
                known.after = Vec::new();
                known.why = why;
                known.changes_verdicts = false;
            }
            None => corrections.push(Correction {
                line: Some(origin),
                before: lossy(text),
                after: Vec::new(),
                why,
                changes_verdicts: false,
            }),
        }
    }
    kept
}

/// What a line becomes.
struct Change {
    lines: Vec<Vec<u8>>,
    why: &'static str,
    changes_verdicts: bool,
}

/// The document as UTF-8, without marks and characters that cannot be seen.
fn cleaned(robots: &Robots, corrections: &mut Vec<Correction>) -> Vec<u8> {
    let mut whole = |why, changes_verdicts| {
        let (before, after) = (String::new(), Vec::new());
        corrections.push(Correction { line: None, before, after, why, changes_verdicts });
    };
    let has = |kind| robots.issues().iter().any(|issue| issue.kind == kind);
    if robots.is_utf16() {
        whole("it is written as UTF-8, which RFC 9309 asks for", false);
    }
    let has_partial_mark = has(IssueKind::PartialBom);
    if has_partial_mark {
        whole("a byte order mark that is cut short is taken off", false);
    }
    let mut octets = Vec::new();
    if !has_partial_mark {
        octets.extend_from_slice(mark_of(robots));
    }
    let hidden = hidden_lines(robots);
    for line in robots.lines() {
        let text = robots.octets(line.text);
        let visible = hidden.contains(&line.number).then(|| without_hidden(text));
        if let Some(visible) = visible.filter(|visible| visible != text) {
            corrections.push(Correction {
                line: Some(line.number),
                before: lossy(text),
                after: vec![lossy(&visible)],
                why: "a character that cannot be seen is taken out",
                changes_verdicts: true,
            });
            octets.extend_from_slice(&visible);
        } else {
            octets.extend_from_slice(text);
        }
        octets.extend_from_slice(end_of(robots, line));
    }
    octets
}

/// The byte order mark before the first line.
fn mark_of(robots: &Robots) -> &[u8] {
    let end = robots.lines().first().map_or(0, |first| first.text.start);
    robots.octets(Span { start: 0, end })
}

/// Lines with a character before the comment that cannot be seen.
fn hidden_lines(robots: &Robots) -> BTreeSet<u32> {
    let is_hidden = |issue: &&Issue| matches!(issue.kind, IssueKind::Nbsp | IssueKind::StrayBom);
    let known = robots.issues().into_iter().filter(|issue| is_hidden(&issue));
    let known = known.filter_map(|issue| issue.line);
    known.chain(unseen::hidden(robots).into_iter().filter_map(|(piece, ..)| piece.line)).collect()
}

/// A line whose no-break spaces are blanks and whose other unseen characters are gone, up to its
/// comment.
fn without_hidden(text: &[u8]) -> Vec<u8> {
    let comment = text.iter().position(|&octet| octet == b'#').unwrap_or(text.len());
    let (shown, comment) = text.split_at(comment);
    let mut visible = Vec::with_capacity(text.len());
    for chunk in unseen::without_mark_twice(shown).utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\u{a0}' => visible.push(b' '),
                // A line end of another kind may be meant as one.
                '\u{2028}' | '\u{2029}' => {
                    visible.extend_from_slice(character.to_string().as_bytes());
                }
                character if is_unseen(character) => {}
                character => visible.extend_from_slice(character.to_string().as_bytes()),
            }
        }
        visible.extend_from_slice(chunk.invalid());
    }
    visible.extend_from_slice(comment);
    visible
}

/// The end of a line, which a document's last line may lack.
fn end_of<'a>(robots: &'a Robots, line: &Line) -> &'a [u8] {
    let start = line.text.end;
    for length in [2, 1] {
        let end = robots.octets(Span { start, end: start.saturating_add(length) });
        match end {
            b"\r\n" => return end,
            [b'\r' | b'\n'] => return end,
            _ => {}
        }
    }
    &[]
}

/// The lines of rules that say what a rule above them in the same group says.
fn repeated(robots: &Robots) -> BTreeSet<u32> {
    let mut repeated = BTreeSet::new();
    for group in robots.groups() {
        let mut said = BTreeSet::new();
        for rule in group.rules.iter().filter(|rule| rule.pattern.can_match()) {
            if !said.insert((rule.allow, &rule.pattern)) {
                repeated.insert(rule.line);
            }
        }
    }
    repeated
}

/// What a record becomes, if there is one way to mean it.
fn change_of(robots: &Robots, line: &Line, site: Option<&Url>) -> Option<Change> {
    if line.kind != LineKind::Record || line.field == Field::Unknown {
        return None;
    }
    let value = robots.octets(line.value);
    let is_colon_missing = line.value.start > line.key.end
        && !robots.octets(Span { start: line.key.end, end: line.value.start }).contains(&b':');
    let key = (line.spelling != Spelling::Exact).then(|| key_of(line.field)).flatten();
    let values = match line.field {
        Field::UserAgent => agent_values(value),
        Field::Allow | Field::Disallow => path(value, site),
        Field::Sitemap => sitemap(value, site),
        _ => None,
    };
    if key.is_none() && values.is_none() && !is_colon_missing {
        return None;
    }
    let (values, why, changes_verdicts) = match values {
        Some((values, why, changes)) => (values, why, changes),
        None if key.is_some() => {
            let is_longer = line.spelling == Spelling::Prefix;
            (vec![value.to_vec()], "the key is spelled as crawlers read it", is_longer)
        }
        None => (vec![value.to_vec()], "a key ends in a colon", false),
    };
    let changes_verdicts = changes_verdicts || line.spelling == Spelling::Prefix;
    let part = |start, end| robots.octets(Span { start, end });
    let written_key = key.map_or(part(line.key.start, line.key.end), str::as_bytes);
    let between = match is_colon_missing || line.value.is_empty() {
        true => b": ",
        false => part(line.key.end, line.value.start),
    };
    let last = values.len() - 1;
    let lines = values.iter().enumerate().map(|(place, value)| {
        let tail = if place == last { part(line.value.end, line.text.end) } else { b"" };
        [part(line.text.start, line.key.start), written_key, between, value, tail].concat()
    });
    Some(Change { lines: lines.collect(), why, changes_verdicts })
}

/// A key as it is best written.
fn key_of(field: Field) -> Option<&'static str> {
    match field {
        Field::UserAgent => Some("User-agent"),
        Field::Allow => Some("Allow"),
        Field::Disallow => Some("Disallow"),
        Field::Sitemap => Some("Sitemap"),
        _ => None,
    }
}

/// The values that a value becomes, why, and whether verdicts change.
type Values = Option<(Vec<Vec<u8>>, &'static str, bool)>;

/// A user-agent value: a list becomes several records, a version or a star is cut off.
fn agent_values(value: &[u8]) -> Values {
    let is_part = |octet: &u8| octet.is_ascii_alphanumeric() || b"-_".contains(octet);
    let is_token = |token: &[u8]| !token.is_empty() && token.iter().all(is_part);
    let tokens: Vec<&[u8]> =
        value.split(|octet| b",;".contains(octet)).map(<[u8]>::trim_ascii).collect();
    if tokens.len() > 1 && tokens.iter().all(|token| is_token(token)) {
        let tokens = tokens.into_iter().map(<[u8]>::to_vec).collect();
        return Some((tokens, "one record names one crawler", true));
    }
    let length = value.iter().take_while(|octet| is_part(octet)).count();
    let (token, rest) = value.split_at(length);
    let is_version = |rest: &[u8]| {
        rest.len() > 1
            && rest[1..].iter().all(|octet| octet.is_ascii_digit() || b".*x".contains(octet))
    };
    let is_mozilla = token.eq_ignore_ascii_case(b"mozilla");
    match rest {
        _ if token.is_empty() || is_mozilla => None,
        [b'*'] => Some((vec![token.to_vec()], "a * inside a name is no wildcard", false)),
        [b'/', ..] if is_version(rest) => {
            Some((vec![token.to_vec()], "a crawler is named without its version", false))
        }
        _ => None,
    }
}

/// The value of a rule: a whole URL of the site becomes its path, a name becomes a path.
fn path(value: &[u8], site: Option<&Url>) -> Values {
    let text = std::str::from_utf8(value).ok()?;
    let lower = text.to_ascii_lowercase();
    if lower.starts_with("http://") || lower.starts_with("https://") {
        let url = Url::parse(text).ok()?;
        let is_own = site.is_some_and(|site| site.host_str() == url.host_str());
        let from = text.match_indices('/').nth(2).map(|(at, _)| at);
        let path = from.map_or("/", |from| &text[from..]);
        return is_own.then(|| (vec![path.into()], "a rule holds a path, not a whole URL", true));
    }
    // A name whose first segment holds a dot may be a host, or an ending.
    let first = text.split('/').next().unwrap_or_default();
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let rest_is_plain = text.chars().all(|c| c.is_ascii_graphic());
    let is_plain = !first.is_empty() && first.chars().all(is_name) && rest_is_plain;
    let with_slash = format!("/{text}").into_bytes();
    is_plain.then(|| (vec![with_slash], "a path begins with /", true))
}

/// The value of a Sitemap: a path of the site becomes a whole address.
fn sitemap(value: &[u8], site: Option<&Url>) -> Values {
    let text = std::str::from_utf8(value).ok()?;
    let is_path = text.starts_with('/') && !text.starts_with("//");
    let url = site.filter(|_| is_path)?.join(text).ok()?;
    Some((vec![url.as_str().into()], "a Sitemap is a whole address", true))
}

/// What is wrong with the corrected document.
fn left(octets: &[u8]) -> Vec<(Option<u32>, String)> {
    let robots = parse(octets);
    let is_grave = |issue: &Issue| issue.kind.severity() != Severity::Low;
    let issues = robots.issues().into_iter().filter(is_grave);
    issues.map(|issue| (issue.line, robots.issue_words(&issue))).collect()
}

/// Octets as text, what is not UTF-8 replaced.
fn lossy(octets: &[u8]) -> String {
    String::from_utf8_lossy(octets).into_owned()
}

#[cfg(test)]
mod tests {
    use super::correct;
    use url::Url;

    #[test]
    fn what_can_be_meant_in_one_way_is_corrected_and_the_rest_is_kept() {
        let site = Url::parse("https://a.test/").unwrap();
        for (before, after) in [
            ("Useragent: *\nDissallow: /a # why\n", "User-agent: *\nDisallow: /a # why\n"),
            ("User-agent: *\r\nDisallow /a\r\n", "User-agent: *\r\nDisallow: /a\r\n"),
            (
                "User-agent: A, B # both\nDisallow: /",
                "User-agent: A\nUser-agent: B # both\nDisallow: /",
            ),
            ("User-agent: A/1.0\nDisallow: a/\n", "User-agent: A\nDisallow: /a/\n"),
            ("User-agent: A*\nDisallow: https://a.test/b?c\n", "User-agent: A\nDisallow: /b?c\n"),
            (
                "User-agent: *\nDisallow: https://b.test/b\n",
                "User-agent: *\nDisallow: https://b.test/b\n",
            ),
            ("User-agent: *\nDisallow:\u{a0}/b\n", "User-agent: *\nDisallow: /b\n"),
            ("User-agent: *\nDisallow: /b\u{200e}\n", "User-agent: *\nDisallow: /b\n"),
            ("\u{ef}\u{bb}\u{bf}User-agent: *\nDisallow: /b\n", "User-agent: *\nDisallow: /b\n"),
            ("User-agent: *\nDisallow: /b\nDisallow: /b\n", "User-agent: *\nDisallow: /b\n"),
            (
                "User-agent: *\nDisallow: /b\nDisallow: /b # twice\n",
                "User-agent: *\nDisallow: /b\nDisallow: /b # twice\n",
            ),
            ("Sitemap: /s.xml", "Sitemap: https://a.test/s.xml"),
            (
                "User-agent: *\nDesallow: /b\nDisallow: /a b\nDisallow: .pdf\n",
                "User-agent: *\nDesallow: /b\nDisallow: /a b\nDisallow: .pdf\n",
            ),
            ("User-agent: *\nDisallowed: /b\n", "User-agent: *\nDisallow: /b\n"),
            ("\u{feff}User-agent: *\nDisallow:\n", "\u{feff}User-agent: *\nDisallow:\n"),
            ("User-agent: Mozilla/5.0\nDisallow: /\n", "User-agent: Mozilla/5.0\nDisallow: /\n"),
        ] {
            let corrected = correct(before.as_bytes(), Some(&site));
            assert_eq!(String::from_utf8_lossy(&corrected.octets), after);
            assert_eq!(corrected.corrections.is_empty(), before == after, "{before}");
            let again = correct(&corrected.octets, Some(&site));
            assert!(again.corrections.is_empty(), "{:?}", again.corrections);
        }
    }

    #[test]
    fn what_is_left_is_told() {
        let corrected = correct(b"Disallow: /a\nFoo\n", None);
        let lines: Vec<_> = corrected.left.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [None, Some(1), Some(2)]);
    }

    proptest::proptest! {
        #[test]
        fn a_corrected_document_is_corrected_no_further(
            document in "((User-agent|Useragent|Disallow|Dissalow|Disallowed|Allow|Sitemap|Foo)[: ]{0,2}[/a-c*,;.\u{a0}\u{feff}\u{200e}1# ]{0,8}(\n|\r\n|\r)){0,8}"
        ) {
            let once = correct(document.as_bytes(), None);
            let twice = correct(&once.octets, None);
            proptest::prop_assert_eq!(&once.octets, &twice.octets);
            proptest::prop_assert!(twice.corrections.is_empty());
        }
    }
}
