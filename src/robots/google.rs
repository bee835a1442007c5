//! Google: what its library reads otherwise than C01 does.
//!
//! The facts of lines are shared; here are the lines that need a second look, and the forms in
//! which the library compares values and URLs. There is no RFC to quote: its behaviour is the norm.

use super::dialect::Record;
use super::field::Field;
use super::line::{Facts, LONG_LINE_OCTETS, Line, LineKind, key_and_value, readable};
use super::normal;
use super::span::Span;

/// What a line is in force as: any key counts that begins with a known one, whatever follows.
pub(super) fn record(octets: &[u8], line: &Line) -> Option<Record> {
    match line.kind {
        LineKind::Blank | LineKind::Comment | LineKind::Unread => None,
        LineKind::Record if !line.facts.has(Facts::LONG) => {
            Some(Record::sound(line.field, line.value))
        }
        LineKind::Record | LineKind::Junk => second_look(octets, line),
    }
}

/// Reads a line of which only the beginning counts, or whose key is no word at all.
fn second_look(octets: &[u8], line: &Line) -> Option<Record> {
    let content = &octets[line.text.range()];
    let (record, _) = readable(&content[..content.len().min(LONG_LINE_OCTETS)]);
    let (key, value) = key_and_value(record)?;
    let (field, _) = Field::of_key(key);
    Some(Record::sound(field, Span::within(octets, value)))
}

/// The form of a pattern: octets past ASCII are escaped, escapes are in upper case, and nothing is
/// decoded.
pub(super) fn push_pattern(raw: &[u8], form: &mut Vec<u8>) {
    for (at, &octet) in raw.iter().enumerate() {
        let is_digit_of_escape =
            |back: usize| at.checked_sub(back).is_some_and(|from| normal::is_escape_at(raw, from));
        if !octet.is_ascii() {
            normal::push_escape(octet, form);
        } else if is_digit_of_escape(1) || is_digit_of_escape(2) {
            form.push(octet.to_ascii_uppercase());
        } else {
            form.push(octet);
        }
    }
}

/// The pattern that an Allow of an index page stands for besides: its directory, and no more.
pub(super) fn index_directory(raw: &[u8]) -> Option<Vec<u8>> {
    let slash = memchr::memrchr(b'/', raw)?;
    raw[slash..].starts_with(b"/index.htm").then(|| [&raw[..=slash], b"$"].concat())
}

/// The path, parameters and query of a URL, as they are written.
///
/// Octets that are not UTF-8 are replaced: patterns are ASCII, so a star alone takes in either.
pub(super) fn path_of(url: &[u8]) -> Vec<u8> {
    let from = if url.starts_with(b"//") { 2 } else { 0 };
    let starts_path = |octet: &u8| b"/?;".contains(octet);
    let early = url[from..].iter().position(starts_path).unwrap_or(url.len());
    let authority = match memchr::memmem::find(&url[from..], b"://") {
        Some(scheme) if scheme <= early => from + scheme + 3,
        _ => from,
    };
    let Some(start) = url[authority..].iter().position(starts_path) else { return b"/".to_vec() };
    let start = authority + start;
    let end = memchr::memchr(b'#', &url[from..]).map_or(url.len(), |mark| from + mark);
    let Some(written) = url.get(start..end) else { return b"/".to_vec() };
    let path = String::from_utf8_lossy(written);
    if path.starts_with('/') { path.as_bytes().to_vec() } else { [b"/", path.as_bytes()].concat() }
}

#[cfg(test)]
mod tests {
    use super::{index_directory, path_of, push_pattern};

    #[test]
    fn a_pattern_is_escaped_and_never_decoded() {
        for (raw, form) in [
            ("/%62%61z", "/%62%61z"),
            ("/%c3%Af", "/%C3%AF"),
            ("/é", "/%C3%A9"),
            ("/a b<", "/a b<"),
            ("/%zz%4", "/%zz%4"),
            ("/%%4a", "/%%4A"),
        ] {
            let mut built = Vec::new();
            push_pattern(raw.as_bytes(), &mut built);
            assert_eq!(built, form.as_bytes(), "{raw}");
        }
    }

    #[test]
    fn an_index_page_stands_for_its_directory() {
        for (raw, directory) in [
            ("/index.html", Some("/$")),
            ("/a/index.htm", Some("/a/$")),
            ("/a/index.htmx?b", Some("/a/$")),
            ("/a/index.php", None),
            ("/index.html/", None),
            ("index.html", None),
        ] {
            let found = index_directory(raw.as_bytes());
            assert_eq!(found.as_deref(), directory.map(str::as_bytes), "{raw}");
        }
    }

    #[test]
    fn a_url_is_reduced_to_its_path_as_it_is_written() {
        for (url, path) in [
            ("https://example.com/a%62?c#d", "/a%62?c"),
            ("https://example.com", "/"),
            ("https://example.com;a", "/;a"),
            ("https://example.com?a", "/?a"),
            ("https://example.com#a/b", "/"),
            ("//a/b", "/b"),
            ("/a?u=http://b/c", "/a?u=http://b/c"),
            ("example.com/a", "/a"),
            ("é/é", "/é"),
            ("", "/"),
        ] {
            assert_eq!(path_of(url.as_bytes()), path.as_bytes(), "{url}");
        }
    }
}
