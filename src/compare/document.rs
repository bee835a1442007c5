//! Two robots.txt documents line by line: what was taken away, what was added, and whether a
//! document speaks of its own domain at all.
//!
//! Lines are those of RFC 9309, 2.2, ended by CR, LF or both; blanks at their end say nothing and
//! are not compared. The shortest edit is E. W. Myers's, "An O(ND) difference algorithm and its
//! variations", Algorithmica 1 (1986), 251–266, as the crate similar finds it.

use std::collections::BTreeSet;

use serde::Serialize;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::closed_list;
use crate::robots;
use crate::words::{Word as _, shortened};

/// A document of more lines is not compared by its lines: the time for it grows with their product.
const LINES_MOST: usize = 5_000;

/// More characters of a line are cut.
const CHARACTERS_MOST: usize = 500;

/// More hosts of sitemaps are not named.
const HOSTS_MOST: usize = 3;

closed_list! {
    /// What became of a line.
    pub enum EditKind {
        /// It stood in the first document.
        Removed = "removed",
        /// It stands in the second.
        Added = "added",
    }
}

/// A line that only one of two documents has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Edit {
    /// `removed` or `added`.
    pub change: String,
    /// Its number in the document that has it.
    pub line: u32,
    /// What it says; octets that are not UTF-8 are replaced, and a very long line is cut.
    pub text: String,
}

impl Edit {
    /// Whether the line is more than a comment or blank.
    pub fn says_something(&self) -> bool {
        !self.text.trim_start().is_empty() && !self.text.trim_start().starts_with('#')
    }
}

/// The lines that differ, in the order of the documents; `None` where one of them is too long.
pub(super) fn edits(first: &[u8], second: &[u8]) -> Option<Vec<Edit>> {
    let (first, second) = (lines(first), lines(second));
    if first.len().max(second.len()) > LINES_MOST {
        return None;
    }
    let mut edits = Vec::new();
    for step in capture_diff_slices(Algorithm::Myers, &first, &second) {
        let (removed, added) = match step {
            DiffOp::Equal { .. } => (0..0, 0..0),
            DiffOp::Delete { old_index, old_len, .. } => (old_index..old_index + old_len, 0..0),
            DiffOp::Insert { new_index, new_len, .. } => (0..0, new_index..new_index + new_len),
            DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                (old_index..old_index + old_len, new_index..new_index + new_len)
            }
        };
        edits.extend(removed.map(|at| edit(EditKind::Removed, at, first[at])));
        edits.extend(added.map(|at| edit(EditKind::Added, at, second[at])));
    }
    Some(edits)
}

/// One line that differs.
fn edit(kind: EditKind, at: usize, line: &[u8]) -> Edit {
    Edit {
        change: kind.word().to_owned(),
        line: at as u32 + 1,
        text: shortened(&String::from_utf8_lossy(line), CHARACTERS_MOST),
    }
}

/// The lines of a document, without their ends and the blanks before these.
fn lines(document: &[u8]) -> Vec<&[u8]> {
    let document = document.strip_prefix(b"\xef\xbb\xbf").unwrap_or(document);
    let mut lines = Vec::new();
    let mut rest = document;
    while !rest.is_empty() {
        let end = rest.iter().position(|octet| matches!(octet, b'\r' | b'\n'));
        let (line, after) = rest.split_at(end.unwrap_or(rest.len()));
        lines.push(line.trim_ascii_end());
        rest = after.strip_prefix(b"\r\n").unwrap_or_else(|| after.get(1..).unwrap_or_default());
    }
    lines
}

/// The hosts that a document's Sitemap lines name, where none of them is the domain's, above it or
/// below it: the document may then be another site's. Nothing where any is, or none is named.
pub(super) fn hosts_elsewhere(document: &[u8], domain: &str) -> Vec<String> {
    let document = robots::parse(document);
    let hosts: BTreeSet<String> =
        document.sitemaps().filter_map(|(_, url)| host(&String::from_utf8_lossy(url))).collect();
    if hosts.iter().any(|host| is_akin(host, domain)) {
        return Vec::new();
    }
    hosts.into_iter().take(HOSTS_MOST).collect()
}

/// The host of an absolute URL over http or https, in lower case; a relative one has none.
fn host(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let is_web = ["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
    let authority = rest.split(['/', '?', '#', ':']).next()?;
    (is_web && !authority.is_empty()).then(|| authority.to_ascii_lowercase())
}

/// Whether a host and a domain are one, but for `www.`, or the one lies below the other.
fn is_akin(host: &str, domain: &str) -> bool {
    let bare = |name: &str| name.strip_prefix("www.").unwrap_or(name).to_owned();
    let (host, domain) = (bare(host), bare(domain));
    let below = |one: &str, other: &str| one.ends_with(&format!(".{other}"));
    host == domain || below(&host, &domain) || below(&domain, &host)
}

#[cfg(test)]
mod tests {
    use super::{LINES_MOST, edits, hosts_elsewhere};

    /// The edits as `-3 text` and `+2 text`.
    fn brief(first: &str, second: &str) -> Vec<String> {
        let edits = edits(first.as_bytes(), second.as_bytes()).expect("short documents");
        let sign = |change: &str| if change == "removed" { '-' } else { '+' };
        edits
            .iter()
            .map(|edit| format!("{}{} {}", sign(&edit.change), edit.line, edit.text))
            .collect()
    }

    #[test]
    fn lines_are_compared_in_their_order_with_their_numbers() {
        let then = "User-agent: *\nDisallow: /a\nDisallow: /b\n";
        for (now, expected) in [
            (then, vec![]),
            ("User-agent: *\r\nDisallow: /a \r\nDisallow: /b", vec![]),
            ("User-agent: *\nDisallow: /a\n", vec!["-3 Disallow: /b"]),
            (
                "User-agent: *\nDisallow: /a\nDisallow: /c\n",
                vec!["-3 Disallow: /b", "+3 Disallow: /c"],
            ),
            ("# new\nUser-agent: *\nDisallow: /a\nDisallow: /b\n", vec!["+1 # new"]),
            // The same lines in another order are another document: rules may have changed hands.
            (
                "User-agent: *\nDisallow: /b\nDisallow: /a\n",
                vec!["+2 Disallow: /b", "-3 Disallow: /b"],
            ),
        ] {
            assert_eq!(brief(then, now), expected, "{now:?}");
        }
        assert_eq!(brief("", "Disallow:\r\rAllow: /"), ["+1 Disallow:", "+2 ", "+3 Allow: /"]);
    }

    #[test]
    fn a_document_of_too_many_lines_is_not_compared_by_them() {
        let long = "\n".repeat(LINES_MOST + 1);
        assert_eq!(edits(long.as_bytes(), b""), None);
        assert!(edits(&long.as_bytes()[1..], b"").is_some());
    }

    #[test]
    fn a_document_whose_sitemaps_are_all_elsewhere_is_told() {
        let nothing: [&str; 0] = [];
        for (sitemaps, expected) in [
            ("", &nothing[..]),
            ("Sitemap: https://www.news.test/a.xml", &nothing),
            ("Sitemap: https://cdn.other.test/a.xml\nSitemap: https://m.news.test/b.xml", &nothing),
            ("Sitemap: /relative.xml", &nothing),
            ("Sitemap: HTTPS://WWW.Other.test:443/a.xml", &["www.other.test"]),
            ("Sitemap: https://notnews.test/a.xml", &["notnews.test"]),
        ] {
            let document = format!("User-agent: *\nDisallow: /x\n{sitemaps}\n");
            assert_eq!(hosts_elsewhere(document.as_bytes(), "news.test"), expected, "{sitemaps}");
        }
    }
}
